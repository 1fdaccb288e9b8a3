"""Players' results in the terminal: what was taken in, and success rates by level."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from levelsense.errors import PlayersError
from levelsense.game.level_files import natural
from levelsense.players.rates import success_rates
from levelsense.players.records import Records
from levelsense.playtest.words import percent
from levelsense.store import Counts, Database, PlayerResults
from levelsense.store.people import SIMULATED
from levelsense.terminal.data import print_json
from levelsense.terminal.export import output, safe_cells
from levelsense.terminal.listing import print_rows
from levelsense.terminal.screen import note, screen

_MOST_SHOWN = 8


def show_import(database: str, imported: Sequence[tuple[Records, Counts]], as_json: bool) -> None:
    """What was read from each file and what became of it, in words or as JSON."""
    if as_json:
        print_json([import_data(*one) for one in imported])
        return
    console = screen()
    for records, counts in imported:
        for reason in records.reasons:
            note(reason)
        for sentence in import_words(database, records, counts):
            console.print(sentence, soft_wrap=True)


def import_words(database: str, records: Records, counts: Counts) -> list[str]:
    """Sentences about a file that was taken in."""
    taken = ", ".join(
        field if field == header else f"{field} from {header}" for field, header in records.columns.items()
    )
    unused = f"; not used: {', '.join(records.unused)}" if records.unused else ""
    words = [f"{records.path}: {taken}{unused}"]
    if records.left_out:
        words.append(f"{records.path}: {_rows(records.left_out)} left out, with values that are wrong")
    daily = daily_words(records)
    words += [f"{records.path}: {daily}"] if daily else []
    if not counts.added and not counts.replaced:
        words.append(f"{records.path}: nothing new, {database} has its {_rows(counts.known)} already")
        return words
    done = [f"{_rows(counts.added)} added to {database}"]
    done += [f"{_rows(counts.replaced)} replaced"] if counts.replaced else []
    done += [f"{_rows(counts.known)} known already"] if counts.known else []
    return [*words, f"{records.path}: {', '.join(done)}"]


def daily_words(records: Records) -> str | None:
    """How many rows were taken that would be wrong without a date, and why; None if there are none."""
    none, more = records.without_attempts, records.more_successes
    told = [f"{_rows(none)} with 0 attempts"] if none else []
    others = f"{more:,} other{'' if more == 1 else 's'}" if none else _rows(more)
    told += [f"{others} with more successes than attempts"] if more else []
    why = "taken as counts of a day, where an attempt may be won on a later day than it began"
    return f"{' and '.join(told)}: {why}" if told else None


def _rows(number: int) -> str:
    return f"{number:,} row{'' if number == 1 else 's'}"


def import_data(records: Records, counts: Counts) -> dict[str, Any]:
    """A file that was taken in, as `levelsense players import --json` prints it."""
    return {
        "file": str(records.path),
        "columns": dict(records.columns),
        "unused": list(records.unused),
        "added": counts.added,
        "known": counts.known,
        "replaced": counts.replaced,
        "left_out": records.left_out,
        "without_attempts": records.without_attempts,
        "more_successes": records.more_successes,
        "note": daily_words(records),
    }


def show_rates(
    database: Database,
    levels: Sequence[str],
    cohort: str | None,
    csv: Path | None,
    as_json: bool,
    exact: bool = False,
) -> None:
    """Success rates by level as a table, as JSON, or in a CSV file."""
    found = level_rates(database, levels, cohort)
    if as_json:
        print_json(found.to_dicts())
    elif csv is not None:
        with output(csv) as file:
            (found if exact else safe_cells(found)).write_csv(file)
    elif found.height:
        print_rates(screen(), found)
    else:
        note(f"{database.name}: no results of players; `levelsense players import` takes them in")


def level_rates(database: Database, levels: Sequence[str], cohort: str | None) -> pl.DataFrame:
    """Success rates of people and, apart from them, of simulated players; PlayersError if there are none."""
    stored = PlayerResults(database)
    if cohort is not None and cohort not in stored.cohorts():
        raise PlayersError(_nothing(database, "cohort", cohort, stored.cohorts()))
    names = _meant(database, stored, levels) if levels else None
    rows = stored.read(names, cohort)
    is_simulated = pl.col("source").str.starts_with(SIMULATED)
    # Two populations have players of the same names, who are not the same.
    populations = rows.filter(is_simulated).partition_by("cohort", maintain_order=True)
    people = success_rates(rows.filter(~is_simulated)).with_columns(
        simulated=pl.lit(False), cohort=pl.lit(cohort, pl.String)
    )
    simulated = [
        success_rates(part).with_columns(simulated=pl.lit(True), cohort=pl.lit(part["cohort"][0], pl.String))
        for part in populations
    ]
    return pl.concat([people, *simulated])


def _meant(database: Database, stored: PlayerResults, levels: Sequence[str]) -> list[str]:
    """The stored names that names or patterns mean."""
    names = stored.levels()
    found: list[str] = []
    for word in levels:
        meant = [name for name in names if name == word or fnmatchcase(name, word)]
        if not meant:
            raise PlayersError(_nothing(database, "level", word, names))
        found += meant
    return list(dict.fromkeys(found))


def _nothing(database: Database, kind: str, word: str, stored: Sequence[str]) -> str:
    names = sorted(stored, key=natural)
    shown = ", ".join(names[:_MOST_SHOWN]) or "none yet"
    rest = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"{database.name}: no results of {kind} {word!r}; there is {shown}{rest}"


def print_rates(console: Console, found: pl.DataFrame) -> None:
    """A line a level; simulated players under a heading of their own."""
    for part in found.partition_by("simulated", "cohort", maintain_order=True):
        if part["simulated"][0]:
            cohort = part["cohort"][0]
            console.print("simulated players" + (f", cohort '{cohort}'" if cohort else ""), soft_wrap=True)
        heading = ("level", "players", "attempts", "successes", "success", "95% interval")
        print_rows(console, [heading, *(_line(row) for row in part.iter_rows(named=True))])


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    return (
        row["level"],
        "-" if row["players"] is None else f"{row['players']:,}",
        f"{row['attempts']:,}",
        f"{row['successes']:,}",
        percent(row["rate"]),
        f"{100 * row['low']:.1f} - {percent(row['high'])}",
    )
