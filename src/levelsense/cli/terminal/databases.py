"""What a database holds, in the terminal: results and runs as tables and JSON, exports, damage."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.app import print_json
from levelsense.cli.terminal.export import STDOUT, export
from levelsense.cli.terminal.playtests import rate_cells
from levelsense.cli.terminal.screen import note, print_rows, screen
from levelsense.errors import printable
from levelsense.game.state import RULES_VERSION
from levelsense.store import Database, Run, Selection, Summary, attempt_tables, runs, summaries
from levelsense.store.verify import Verified, verify
from levelsense.store.versions import Version, versions


def show_summaries(database: Database, selection: Selection, as_json: bool) -> None:
    """Prints a summary of each level and agent, as a table or as JSON."""
    stored, by_digest = summaries(database, selection), versions(database)
    # Versions of a level in the order in which they were played, not in that of their digests.
    numbers = {digest: version.number for digest, version in by_digest.items()}
    stored.sort(key=lambda summary: (summary.name, numbers.get(summary.level, 0)))
    if as_json:
        print_json([summary_data(summary, by_digest) for summary in stored])
    elif stored:
        print_summaries(screen(), stored, by_digest)
    else:
        note(f"{database.name}: no such attempts")


def show_runs(database: Database, as_json: bool) -> None:
    """Prints the runs, as a table or as JSON."""
    stored = runs(database)
    if as_json:
        print_json([run_data(run) for run in stored])
    else:
        print_runs(screen(), stored)


def show_attempts(
    database: Database, selection: Selection, csv: Path | None, parquet: Path | None, exact: bool = False
) -> None:
    """Writes every selected attempt to files, and notes how many."""
    written = export(attempt_tables(database, selection), csv, parquet, exact)
    for path in (csv, parquet):
        if path not in (None, STDOUT):
            note(f"{written:,} attempts written to {path}")


def print_summaries(console: Console, summaries: Sequence[Summary], versions: Mapping[str, Version]) -> None:
    """Prints a line a level and agent; versions of the rules and of levels only where there are several."""
    shows_versions = any(summary.level in versions for summary in summaries)
    shows_rules = any(summary.rules != RULES_VERSION for summary in summaries)
    heading = ["attempts", "success", "95% interval", "mean score", "left when won"]
    key_heading = ["level", *["version"] * shows_versions, "agent", "seed", *["rules"] * shows_rules]
    rows = [(*key_heading, *heading)]
    for summary in summaries:
        rate, interval = rate_cells(summary.wins, summary.attempts, summary.interval)
        version = versions.get(summary.level)
        number = "-" if version is None else f"{version.number} of {version.of}"
        key = [
            summary.name,
            *[number] * shows_versions,
            agent_words(summary.agent),
            str(summary.seed),
            *[str(summary.rules)] * shows_rules,
        ]
        rows.append(
            (*key, f"{summary.attempts:,}", rate, interval, f"{summary.mean_score:,.0f}", _left(summary))
        )
    print_rows(console, rows, keys=len(key_heading))
    versioned = {summary.level: summary.name for summary in summaries if summary.level in versions}
    if versioned:
        console.print()
    for digest, name in versioned.items():
        console.print(Text(printable(f"{name}, version {versions[digest].words}")), soft_wrap=True)


def _left(summary: Summary) -> str:
    if summary.mean_moves_left is not None:
        return f"{summary.mean_moves_left:.1f} moves"
    return "-" if summary.mean_time_left is None else f"{summary.mean_time_left:.1f} s"


def summary_data(summary: Summary, versions: Mapping[str, Version]) -> dict[str, Any]:
    """A summary as `levelsense results --json` prints it; `version` is null where a name has one level."""
    version = versions.get(summary.level)
    return {**summary.as_data(), "version": None if version is None else dataclasses.asdict(version)}


def print_runs(console: Console, runs: Sequence[Run]) -> None:
    """Prints a line a run."""
    rows = [("run", "started (UTC)", "state", "levels", "agents", "seed", "attempts", "command")]
    rows += [
        (
            str(run.run),
            run.started[:16].replace("T", " "),
            "not finished" if run.finished is None else "finished",
            str(run.levels),
            str(run.agents),
            str(run.seed),
            f"{run.attempts:,}" if run.precision is None else f"±{run.precision:g}",
            run.command or "-",
        )
        for run in runs
    ]
    print_rows(console, rows, cuts_last=True)


def run_data(run: Run) -> dict[str, Any]:
    """A run as `levelsense results --runs --json` prints it."""
    return dataclasses.asdict(run) | {"versions": json.loads(run.versions)}


def run_verification(database: Database, sample: int | None, seed: int, threads: int | None) -> Verified:
    """Verifies a database and prints damage as it is found, then a summary."""
    console = screen()

    def print_damage(sentence: str) -> None:
        console.print(f"damaged: {sentence}", soft_wrap=True)

    checked = verify(database, sample, seed, threads, print_damage)
    for sentence in verified_words(database, checked, sample):
        console.print(sentence, soft_wrap=True)
    return checked


def verified_words(database: Database, checked: Verified, sample: int | None) -> Sequence[str]:
    """The summary of a verification in sentences: what was checked, and how much is damaged."""
    page = (
        "SQLite checked its pages and the order of its rows"
        if database.is_sqlite
        else "its files are the server's matter, and were not checked"
    )
    words = [
        f"{database.name}: {page}",
        f"levels: {_counted(checked.levels, 'digest')} computed anew; "
        f"{_counted(checked.runs, 'run')} looked at",
        f"rows: {_counted(checked.attempts, 'attempt')} and {_counted(checked.results, 'result')} of players "
        f"read, {_counted(checked.sums, 'checksum')} computed anew",
    ]
    if checked.without_sum:
        words.append(f"rows without a checksum, of an older version: {checked.without_sum:,}")
    words.append(f"played again: {_counted(checked.replayed, 'attempt')}{_share(checked, sample)}")
    words += [
        f"not played again: {_counted(count, 'attempt')} {why}" for why, count in checked.not_replayed.items()
    ]
    words.append(
        f"damaged: {checked.damaged:,}" if checked.damaged else "nothing is damaged, as far as that shows"
    )
    return words


def _share(checked: Verified, sample: int | None) -> str:
    replayable = checked.attempts - sum(checked.not_replayed.values())
    if sample is None or checked.replayed >= replayable:
        return ", all that can be" if checked.not_replayed else ", all of them" if replayable else ""
    return f" of {replayable:,}; --all plays all of them"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def verified_data(
    database: Database, sample: int | None, seed: int, threads: int | None
) -> tuple[dict[str, Any], int]:
    """A verification as `levelsense verify --json` prints it, and how much is damaged."""
    damage: list[str] = []
    checked = verify(database, sample, seed, threads, damage.append)
    return {"database": database.name, **dataclasses.asdict(checked), "damage": damage}, checked.damaged
