"""Players in the terminal: imports, success rates by level, simulated players, telemetry."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from levelsense.cli.app import print_json
from levelsense.cli.terminal.export import output
from levelsense.cli.terminal.interruption import Interruption
from levelsense.cli.terminal.screen import counting, note, print_rows, screen
from levelsense.errors import PlayersError
from levelsense.lab import Lab
from levelsense.people.csv_text import safe_cells
from levelsense.people.details import AFTER
from levelsense.people.records import Records
from levelsense.people.simulated.simulation import Simulated
from levelsense.people.telemetry import TelemetryCheck
from levelsense.playtest.words import percent
from levelsense.store import Counts
from levelsense.store.address import shown_name


def show_import(database: str, imported: Sequence[tuple[Records, Counts]], as_json: bool) -> None:
    """Prints what was read from each file and how many rows were stored, in words or as JSON."""
    if as_json:
        print_json([import_data(records, counts) for records, counts in imported])
        return
    console = screen()
    for records, counts in imported:
        for reason in records.reasons:
            note(reason)
        for sentence in import_words(database, records, counts):
            console.print(sentence, soft_wrap=True)


def import_words(database: str, records: Records, counts: Counts) -> list[str]:
    """Sentences about an imported file."""
    fields = ", ".join(
        field if field == header else f"{field} from {header}" for field, header in records.columns.items()
    )
    unused = f"; not used: {', '.join(records.unused)}" if records.unused else ""
    words = [f"{records.path}: {fields}{unused}"]
    if records.left_out:
        words.append(f"{records.path}: {_rows(records.left_out)} left out, with values that are wrong")
    daily = daily_words(records)
    words += [f"{records.path}: {daily}"] if daily else []
    if not counts.added and not counts.replaced:
        words.append(f"{records.path}: nothing new, {database} has its {_rows(counts.known)} already")
        return words
    outcomes = [f"{_rows(counts.added)} added to {database}"]
    outcomes += [f"{_rows(counts.replaced)} replaced"] if counts.replaced else []
    outcomes += [f"{_rows(counts.known)} known already"] if counts.known else []
    return [*words, f"{records.path}: {', '.join(outcomes)}"]


def daily_words(records: Records) -> str | None:
    """How many rows are right only as counts of a day, and why, in a sentence; None if there are none."""
    zero_attempts, more_successes = records.without_attempts, records.more_successes
    parts = [f"{_rows(zero_attempts)} with 0 attempts"] if zero_attempts else []
    others = (
        f"{more_successes:,} other{'' if more_successes == 1 else 's'}"
        if zero_attempts
        else _rows(more_successes)
    )
    parts += [f"{others} with more successes than attempts"] if more_successes else []
    why = "taken as counts of a day, where an attempt may be won on a later day than it began"
    return f"{' and '.join(parts)}: {why}" if parts else None


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def import_data(records: Records, counts: Counts) -> dict[str, Any]:
    """An imported file, as `levelsense players import --json` prints it."""
    return {
        "file": str(records.path),
        "columns": dict(records.columns),
        "unused": records.unused,
        **asdict(counts),
        "left_out": records.left_out,
        "without_attempts": records.without_attempts,
        "more_successes": records.more_successes,
        "note": daily_words(records),
    }


def show_rates(
    database: str, rates: pl.DataFrame, csv: Path | None, as_json: bool, exact: bool = False
) -> None:
    """Prints success rates by level as a table or as JSON, or writes them to a CSV file."""
    if as_json:
        print_json(rates.to_dicts())
    elif csv is not None:
        with output(csv) as file:
            (rates if exact else safe_cells(rates)).write_csv(file)
    elif rates.height:
        print_rates(screen(), rates)
    else:
        note(f"{shown_name(database)}: no results of players; `levelsense players import` takes them in")


def print_rates(console: Console, rates: pl.DataFrame) -> None:
    """Prints a line a level, cohorts and simulated players under headings of their own."""
    parts = rates.partition_by("simulated", "cohort", maintain_order=True)
    alone = sum(not part["simulated"][0] for part in parts) == 1
    for part in parts:
        heading = part_heading(part["cohort"][0], part["simulated"][0], alone=alone)
        if heading:
            console.print(heading, soft_wrap=True)
        boosted = part["boosted_attempts"].sum() > 0
        columns: tuple[str, ...] = ("level", "players", "attempts", "successes", "success", "95% interval")
        lines = [columns, *(_line(row) for row in part.iter_rows(named=True))]
        if boosted:
            cells = ["with boosters", *(_boosted(row) for row in part.iter_rows(named=True))]
            lines = [(*line, cell) for line, cell in zip(lines, cells, strict=True)]
        print_rows(console, lines)
        if "needed" in part.columns:
            console.print()
            print_rows(console, [_DETAILS_HEADING, *(_details(row) for row in part.iter_rows(named=True))])


_DETAILS_HEADING = (
    "level",
    "attempts needed",
    *(f"stuck after {attempts} (seen)" for attempts in AFTER),
    "gave up",
    "moves left",
)


def _details(row: dict[str, Any]) -> tuple[str, ...]:
    """The figures of a level besides its rate: by the law of attempts, and as observed."""
    stuck = (
        f"{_share(row[f'stuck_{attempts}'])} ({_share(row[f'stuck_seen_{attempts}'])})" for attempts in AFTER
    )
    left = row["moves_left"]
    return (
        row["level"],
        "-" if row["needed"] is None else f"{row['needed']:,}",
        *stuck,
        _share(row["gave_up"]),
        "-" if left is None else f"{left:.1f}",
    )


def _share(share: float | None) -> str:
    return "-" if share is None else percent(share)


def part_heading(cohort: str | None, simulated: bool, *, alone: bool) -> str | None:
    """What is said above the figures of a cohort; nothing above those of people if they are one cohort."""
    if simulated:
        return "simulated players" + (f", cohort '{cohort}'" if cohort else "")
    if alone:
        return None
    return "players without a cohort" if cohort is None else f"cohort '{cohort}'"


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    rate, low = row["rate"], row["low"]
    return (
        row["level"],
        "-" if row["players"] is None else f"{row['players']:,}",
        f"{row['attempts']:,}",
        f"{row['successes']:,}",
        "-" if rate is None else percent(rate),
        "-" if low is None else f"{100 * low:.1f} - {percent(row['high'])}",
    )


def _boosted(row: dict[str, Any]) -> str:
    """What was done with boosters at a level: `12 of 30`."""
    attempts = row["boosted_attempts"]
    return f"{row['boosted_successes']:,} of {attempts:,}" if attempts else "-"


def simulate_watched(lab: Lab, levels: Sequence[str], number: int, **options: Any) -> Simulated | None:
    """Runs Lab.simulate with its progress on a terminal; None if it was interrupted, which is noted.

    `options` are the other arguments of Lab.simulate.
    """
    paths = [path for path in (options["attempts"], options["telemetry"]) if path is not None]
    interruption = Interruption(_interrupted_sentence(lab.database, paths))
    with interruption, counting() as counter:
        done = lab.simulate(
            levels, number, progress=counter.watch, stop=interruption.stop, note=counter.note, **options
        )
    if done.interrupted:
        interruption.conclude(_interrupted_summary(lab.database, paths, done))
        return None
    for path, rows in done.files.items():
        note(f"{path} written: {rows:,} rows")
    return done


def _interrupted_sentence(database: str, paths: Sequence[Path]) -> str:
    """The sentence for an interruption that does not wait for the levels under way."""
    kept = f"interrupted: the levels that were finished are kept in {shown_name(database)}"
    return f"{kept}; {_and(paths)} not written" if paths else kept


def _interrupted_summary(database: str, paths: Sequence[Path], done: Simulated) -> str:
    """The sentence for an interrupted simulation: what is kept, and where."""
    stored = len({named.name for named in done.levels[: done.done]}.union(done.known))
    kept = f"interrupted: {stored:,} of {len(done.levels):,} levels are kept in {shown_name(database)}"
    if not paths:
        return f"{kept}; the same command goes on from there"
    if not done.kept:
        return f"{kept}; {_and(paths)} not written"
    share = "and" if stored == done.done else f"and {done.done:,} of them"
    others = [path for path, place in done.kept.items() if place != path]
    not_replaced = f"; {_and(others)} not replaced" if others else ""
    return (
        f"{kept} {share} in {_and(list(done.kept.values()))}{not_replaced}; "
        "the same command makes files anew, from the first level"
    )


def _and(paths: Sequence[Path]) -> str:
    return " and ".join(map(str, paths))


def print_simulated(console: Console, done: Simulated) -> None:
    """Prints a line a level: the success rate of simulated players."""
    population = done.population
    rows = [("level", "attempts", "successes", "success", "95% interval")]
    for row in done.rates.iter_rows(named=True):
        interval = f"{100 * row['low']:.1f} - {100 * row['high']:.1f}%"
        rows.append(
            (row["level"], f"{row['attempts']:,}", f"{row['successes']:,}", percent(row["rate"]), interval)
        )
    print_rows(console, rows)
    left = "" if done.players_left is None else f"; {done.players_left:,} are left after the last level"
    console.print(
        f"{len(population):,} simulated players, not people{left}; kept as cohort '{population.cohort}'",
        soft_wrap=True,
    )


def simulated_data(done: Simulated) -> dict[str, Any]:
    """A simulation as `levelsense players simulate --json` prints it."""
    return {
        "simulated": True,
        "cohort": done.population.cohort,
        "players": len(done.population),
        **({} if done.players_left is None else {"players_left": done.players_left}),
        "levels": done.rates.to_dicts(),
    }


def show_check(file: Path, levels: Sequence[str] | None, as_json: bool) -> None:
    """Prints how much a file holds, in words or as JSON; PlayersError with what is wrong."""
    with counting() as counter:
        check = Lab().check_telemetry(file, levels, progress=counter.watch)
    if as_json:
        print_json(check_data(check))
    else:
        console = screen()
        rows = [("level", "moves"), *((name, f"{moves:,}") for name, moves in check.by_level.items())]
        print_rows(console, rows)
        console.print(check_words(check), soft_wrap=True)
    if check.wrong:
        raise PlayersError(check.sentences)


def check_words(check: TelemetryCheck) -> str:
    """What a file holds, in a sentence."""
    extent = check.extent
    counts = ", ".join(
        _number_of(number, word)
        for number, word in zip(extent, ("level", "player", "attempt", "move"), strict=True)
    )
    words = f"{check.path}: {check.form}: {counts}"
    if check.simulated is not None:
        words += f"; simulated players of version {check.simulated}, not people"
    if check.listed:
        words += f"; {check.listed:,} with legal moves of their own"
    if check.unused:
        words += f"; not used: {', '.join(check.unused)}"
    return f"{words}; {_number_of(check.wrong, 'wrong row')}" if check.wrong else f"{words}; all are right"


def _number_of(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def check_data(check: TelemetryCheck) -> dict[str, Any]:
    """A check as `levelsense players check --json` prints it."""
    return {
        "file": str(check.path),
        "form": check.form,
        "simulated_players_version": check.simulated,
        **check.extent._asdict(),
        "own_legal_moves": check.listed,
        "by_level": check.by_level,
        "unused": list(check.unused),
        "wrong": check.wrong,
        "problems": list(check.sentences),
    }


def export_watched(file: Path, output: Path, levels: Sequence[str] | None) -> None:
    """Runs Lab.export_positions with its progress on a terminal, and says how much was written."""
    with counting() as counter:
        rows = Lab().export_positions(file, output, levels, progress=counter.watch)
    note(f"{output} written: {rows:,} rows")
