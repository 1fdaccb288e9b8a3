"""What tuning a level for players found, for people: a line a limit, and what to take from them."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from rich.console import Console
from rich.text import Text

from levelsense.playtest import NamedLevel
from levelsense.playtest.limits import limit_of
from levelsense.playtest.words import counted, percent
from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.playing import StoppedError
from levelsense.prediction.tuning import LimitPrediction, PlayersTuning, tune_for_players
from levelsense.prediction.words import band_words, people_word
from levelsense.printable import printable
from levelsense.terminal.listing import print_rows
from levelsense.terminal.predicting import played_table

_BAND_NAMES = ("low_50", "high_50", "low_95", "high_95")


def tuned_for_players(
    model: DifficultyModel, named: NamedLevel, target: float, place: str, seed: int, threads: int | None
) -> PlayersTuning | None:
    """The limit for a target, with what is played kept in a database; None if that was interrupted."""

    def play(levels: Sequence[NamedLevel]) -> pl.DataFrame:
        table = played_table(levels, model.origin_.attempts, place, seed, threads)
        if table is None:
            raise StoppedError
        return table

    try:
        return tune_for_players(model, named, target, seed, threads, play)
    except StoppedError:
        return None


def players_tuning_data(model: DifficultyModel, tuning: PlayersTuning) -> dict[str, Any]:
    """What was found as data: what `levelsense tune --json` prints."""
    limit, unit = limit_of(tuning.level)
    around = tuning.on_target if tuning.best else None
    return {
        "level": tuning.level.name,
        "digest": tuning.level.digest,
        "by": None,
        "simulated": model.origin_.simulated,
        "target": tuning.target,
        "unit": unit,
        "limit_now": limit,
        "now": _prediction_data(tuning.now),
        "limit": tuning.best.limit if tuning.best else None,
        "success": _prediction_data(tuning.best) if tuning.best else None,
        "limit_low": around[0] if around else None,
        "limit_high": around[1] if around else None,
        "predictions": [
            _prediction_data(found) | {"rising": float(rate)}
            for found, rate in zip(tuning.predictions, tuning.rising, strict=True)
        ],
    }


def _prediction_data(found: LimitPrediction) -> dict[str, Any]:
    bands = {name: found.prediction[name] for name in _BAND_NAMES}
    return {
        "limit": found.limit,
        "rate": found.rate,
        **bands,
        "verdict": found.verdict,
        "agents": dict(found.agents),
        "unlike": found.unlike,
    }


def print_players_tuning(console: Console, model: DifficultyModel, tuning: PlayersTuning) -> None:
    """A line for each limit that was looked at, and what to take from them."""
    whose = people_word(model.origin_.simulated)
    console.print(Text(printable(tuning.level.name), style="bold"), soft_wrap=True)
    console.print(Text(f"success rates to expect of {whose}, target {percent(tuning.target)}"))
    console.print()
    taken = tuning.best.limit if tuning.best else None
    evened = [(percent(rate),) if tuning.falls else () for rate in tuning.rising.tolist()]
    heading = (limit_of(tuning.level)[1], "success", "50% band", "95% band", "against the target")
    rows: list[tuple[str, ...]] = [(*heading, *(("evened",) if tuning.falls else ()), "")]
    for found, rate in zip(tuning.predictions, evened, strict=True):
        rows.append((*_cells(found), *rate, _remark(found.limit, taken, tuning.now.limit)))
    print_rows(console, rows)
    console.print()
    for sentence in players_conclusions(whose, tuning):
        console.print(Text(sentence), soft_wrap=True)


def _remark(limit: float, taken: float | None, now: float) -> str:
    return ", ".join(word for word, at in (("take this", taken), ("now", now)) if limit == at)


def _cells(found: LimitPrediction) -> tuple[str, ...]:
    return (
        f"{found.limit:g}",
        percent(found.rate),
        band_words(found.prediction, 50),
        band_words(found.prediction, 95),
        found.verdict,
    )


def players_conclusions(whose: str, tuning: PlayersTuning) -> list[str]:
    """What to take from the predictions, in sentences."""
    unit, best, now = limit_of(tuning.level)[1], tuning.best, tuning.now
    if best is None:
        return _out_of_reach(whose, tuning)
    told = [
        f"With {counted(best.limit, unit)} {whose} are expected to succeed in {_rate_words(best)} of attempts"
        f", which is what `levelsense predict` says of that level."
    ]
    if best.limit == now.limit:
        told[0] = f"The limit may stay as it is. {told[0]}"
    else:
        told.append(f"Now, with {counted(now.limit, unit)}, it is {_rate_words(now)}.")
    if best.verdict != "on target":
        told.append(
            f"No limit meets {percent(tuning.target)} closely: this one is the nearest, and {best.verdict}."
        )
    elif tuning.on_target and tuning.on_target[0] != tuning.on_target[1]:
        low, high = tuning.on_target
        told.append(f"Of the limits above, those from {low:g} to {high:g} {unit} are on target.")
    return [*told, *_cautions(tuning, best)]


def _cautions(tuning: PlayersTuning, found: LimitPrediction) -> list[str]:
    """What makes the figures less sure than they look."""
    unit, told = limit_of(tuning.level)[1], []
    if tuning.falls:
        told.append(
            f"More {unit} make no level harder: where the success rate falls all the same, the model is off "
            "by so much. Limits are compared by the evened rates."
        )
    if found.unlike:
        told.append(f"With {counted(found.limit, unit)} it is {found.unlike}.")
    return told


def _rate_words(found: LimitPrediction) -> str:
    return f"{percent(found.rate)} (95% band {band_words(found.prediction, 95)})"


def _out_of_reach(whose: str, tuning: PlayersTuning) -> list[str]:
    """Why no limit reaches the target."""
    unit = limit_of(tuning.level)[1]
    shortest, longest = tuning.predictions[0], tuning.predictions[-1]
    if tuning.rising[0] > tuning.target:
        return [
            f"No limit makes the level as hard as {percent(tuning.target)}: "
            f"with {counted(shortest.limit, unit)} {whose} are expected to succeed "
            f"in {_rate_words(shortest)} of attempts already.",
            *_cautions(tuning, shortest),
        ]
    most = max(tuning.predictions, key=lambda found: found.rate)
    told = [
        f"No limit up to {counted(longest.limit, unit)} reaches {percent(tuning.target)}: "
        f"the most that {whose} are expected to reach is {_rate_words(most)} of attempts, "
        f"with {counted(most.limit, unit)}."
    ]
    if longest.agents:
        agents = ", ".join(f"{agent} wins {percent(rate)}" for agent, rate in longest.agents.items())
        told.append(f"With {counted(longest.limit, unit)} {agents}.")
    return [*told, *_cautions(tuning, longest)]
