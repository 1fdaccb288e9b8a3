"""Fitting, predicting and evaluating in the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.text import Text

from levelsense.players.renewal import named_words
from levelsense.playtest import NamedLevel
from levelsense.playtest.runner import check_asked
from levelsense.playtest.words import percent
from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.evaluation import check_first
from levelsense.prediction.people import Observed, observed_rates
from levelsense.prediction.playing import StoppedError, parse_counted, play_table
from levelsense.prediction.reasons import Reason, bottleneck_words, reasons, unlike_words, why_words
from levelsense.prediction.table import with_players
from levelsense.prediction.words import against_target, band_words, model_words, needed_words
from levelsense.printable import printable
from levelsense.store import Database, Recorder
from levelsense.store.address import shown_name
from levelsense.terminal.counting import counting
from levelsense.terminal.interruption import Interruption
from levelsense.terminal.listing import print_rows
from levelsense.terminal.playtesting import command_words, levels_to_play
from levelsense.terminal.screen import announce_compiling, note

SIMULATED_NOTE = "fitted to simulated players, not to people: `levelsense fit` makes a model of your own"


def played_table(
    levels: Sequence[NamedLevel], agents: Mapping[str, int], place: str, seed: int, threads: int | None
) -> pl.DataFrame | None:
    """The table of agents at levels, with what is missing played and kept; None if it was interrupted."""
    check_asked(seed=seed, threads=threads)
    announce_compiling()
    sentence = (
        f"interrupted: what was played is kept in {shown_name(place)}; the same command goes on from there"
    )
    interruption = Interruption(sentence)
    with Database(place) as database, interruption, counting(len(levels)) as told:
        try:
            return play_table(
                levels,
                agents,
                seed,
                threads,
                lambda: Recorder(database, command_words()),
                progress=told.attempts,
                stop=interruption.stop,
                tell=told.levels,
            )
        except StoppedError:
            interruption.conclude(sentence)
            return None


@dataclass(frozen=True, eq=False)
class ObservedTable:
    """The table of levels with players' results, and whose results those are."""

    table: pl.DataFrame
    players: str
    simulated: bool


def observed_table(
    levels: Sequence[str],
    agents: Sequence[str],
    attempts: int,
    cohort: str | None,
    place: str,
    seed: int,
    threads: int | None,
    first: int | None = None,
) -> ObservedTable | None:
    """The table of levels that players have results of, with what agents lack played; None if interrupted.

    `first` is how many of them will be fitted to, if others are to be judged: checked before anybody plays.
    """
    check_asked(seed=seed, threads=threads)
    counted, gathered = parse_counted(agents, attempts), levels_to_play(levels)
    with Database(place, make=False) as database:
        observed = observed_rates(database, gathered, cohort)
    tell_outdated(observed)
    known = set(observed.rates["level"])
    chosen = [named for named in gathered if named.name in known]
    if len(chosen) < len(gathered):
        left_out = len(gathered) - len(chosen)
        note(f"{left_out:,} of {len(gathered):,} levels have no players' results and are left out")
    if first is not None:
        check_first(first, len(chosen))
    table = played_table(chosen, counted, place, seed, threads)
    if table is None:
        return None
    return ObservedTable(with_players(table, observed.rates), observed.players, observed.simulated)


def tell_outdated(observed: Observed) -> None:
    """Says of which levels the players' results are of another version."""
    if observed.outdated:
        number = len(observed.outdated)
        note(
            f"simulated results of {number:,} level{'' if number == 1 else 's'} are not of today's level, "
            f"rules or simulated players: {named_words(observed.outdated)}; "
            "`levelsense players simulate` makes results of today's"
        )


def print_predictions(
    console: Console, model: DifficultyModel, table: pl.DataFrame, target: float | None
) -> None:
    """A line a level: what success rate to expect, how sure that is, and why."""
    found = model.predict(table)
    whose = "simulated players, not of people" if model.origin_.simulated else "players"
    console.print(f"success rates to expect, of {whose}", soft_wrap=True)
    heading = ("level", "success", "50% band", "95% band", "attempts a success")
    rows = [heading + (("against the target",) if target is not None else ())]
    for row in found.iter_rows(named=True):
        cells = (
            row["level"],
            percent(row["rate"]),
            band_words(row, 50),
            band_words(row, 95),
            needed_words(row),
        )
        rows.append(cells + ((against_target(row, target),) if target is not None else ()))
    print_rows(console, rows)
    console.print()
    told = zip(found["level"], why_words(model, table), unlike_words(model, table), strict=True)
    for name, why, unlike in told:
        console.print(Text(printable(f"{name}: {'; '.join(why)}")), soft_wrap=True)
        if unlike:
            console.print(Text(f"  {unlike}", "yellow"), soft_wrap=True)


def tell_of_model(model: DifficultyModel) -> None:
    """Says what a model was fitted to, and if that were simulated players."""
    note(f"model: {model_words(model.origin_)}")
    if model.origin_.simulated:
        note(SIMULATED_NOTE)


def predictions_data(
    model: DifficultyModel, table: pl.DataFrame, target: float | None
) -> list[dict[str, Any]]:
    """Predictions as `levelsense predict --json` prints them."""
    found = model.predict(table)
    return [
        {
            key: value if not isinstance(value, float) or np.isfinite(value) else None
            for key, value in row.items()
        }
        | ({"target": target, "verdict": against_target(row, target)} if target is not None else {})
        | {
            "reasons": [_reason_data(reason) for reason in why],
            "bottleneck": bottleneck_words(model, table, number),
            "unlike": unlike,
            "simulated": model.origin_.simulated,
        }
        for number, (row, why, unlike) in enumerate(
            zip(found.iter_rows(named=True), reasons(model, table), unlike_words(model, table), strict=True)
        )
    ]


def _reason_data(reason: Reason) -> dict[str, Any]:
    return {"what": reason.what, "effect": reason.effect, "points": reason.points}
