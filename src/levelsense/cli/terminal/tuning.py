"""The result of tuning a level in the terminal: limits around the one to take, and conclusions."""

from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.terminal.figures import check_data, draw_curve
from levelsense.cli.terminal.screen import print_drawing, print_rows, print_words
from levelsense.errors import printable
from levelsense.playtest.limits import Check, LimitCurve, limit_of
from levelsense.playtest.tuning import Tuning
from levelsense.playtest.words import as_data, counted, percent, rate_words
from levelsense.prediction.explain import average_band_words, band_words, people_word
from levelsense.prediction.tuning import LimitPrediction, PlayersTuning

NOW, TAKEN = "△", "▲"
_AROUND = 3


def tuning_data(tuning: Tuning) -> dict[str, Any]:
    """Tuning for an agent as data: what `levelsense tune --by AGENT --json` prints."""
    limit, unit = limit_of(tuning.level)
    best = tuning.best
    return {
        "level": tuning.level.name,
        "digest": tuning.level.digest,
        "by": tuning.agent,
        "target": tuning.target,
        "attempts": tuning.attempts,
        "unit": unit,
        "limit_now": limit,
        "limit": best.limit if best else None,
        "success": best.success if best else None,
        "limit_low": tuning.low if best else None,
        "limit_high": tuning.high if best else None,
        "curve": as_data(tuning.curve),
        "played": [check_data(check) for check in _ascending(tuning)],
    }


def _ascending(tuning: Tuning) -> list[Check]:
    return sorted(tuning.checks, key=lambda check: check.limit)


def print_tuning(console: Console, tuning: Tuning) -> None:
    """Prints the curve, if there is one, the table of limits, and the conclusions."""
    limit, best = limit_of(tuning.level)[0], tuning.best
    now = int(limit) if limit == int(limit) else None  # a limit between two seconds is in no row
    console.print(Text(printable(tuning.level.name), style="bold"), soft_wrap=True)
    console.print(
        Text(f"{agent_words(tuning.agent)}, {tuning.attempts:,} attempts, target {percent(tuning.target)}")
    )
    console.print()
    if tuning.curve is not None:
        _print_curve(console, tuning.curve, tuning.target, now, best)
    if best:
        rows = _curve_rows(tuning.curve, best, now) if tuning.curve else _played_rows(tuning, best, now)
        print_rows(console, [(limit_of(tuning.level)[1], "success", "95% interval", ""), *rows])
        console.print()
    for sentence in conclusions(tuning):
        print_words(console, sentence)


def _print_curve(
    console: Console, curve: LimitCurve, target: float, now: int | None, best: Check | None
) -> None:
    marks = ({} if now is None else {now: NOW}) | ({best.limit: TAKEN} if best else {})
    print_drawing(console, draw_curve(curve, target, marks, console.width))
    legend = [
        *([] if now is None else [f"{NOW} now"]),
        *([f"{TAKEN} to take"] if best else []),
        "░ up to the end of the 95% interval",
    ]
    console.print(Text("       " + "   ".join(legend), style="dim"), soft_wrap=True)
    console.print()


def _curve_rows(curve: LimitCurve, best: Check, now: int | None) -> list[tuple[str, ...]]:
    """Rows of the limits around the one to take, and of the present one, by the curve."""
    near = range(best.limit - _AROUND, best.limit + _AROUND + 1)
    candidates = near if now is None else (*near, now)
    limits = sorted({limit for limit in candidates if 1 <= limit <= curve.longest})
    return [_row(limit, *curve.at(limit), best.limit, now) for limit in limits]


def _played_rows(tuning: Tuning, best: Check, now: int | None) -> list[tuple[str, ...]]:
    """Rows of the limits that were played: without a curve, others have no rate."""
    return [
        _row(check.limit, check.rate, check.success.low, check.success.high or 1.0, best.limit, now)
        for check in _ascending(tuning)
    ]


def _row(limit: int, rate: float, low: float, high: float, taken: int, now: int | None) -> tuple[str, ...]:
    remark = ", ".join(word for word, at in (("take this", taken), ("now", now)) if limit == at)
    return str(limit), percent(rate), f"{percent(low)} - {percent(high)}", remark


def conclusions(tuning: Tuning) -> list[str]:
    """Conclusions from tuning for an agent, in sentences."""
    best, unit = tuning.best, limit_of(tuning.level)[1]
    if best is None:
        reached = tuning.reached
        return [
            f"No limit up to {reached.limit} {unit} reaches {percent(tuning.target)}: with that many "
            f"{agent_words(tuning.agent)} wins {rate_words(reached.success)}.",
            f"Its attempts ended so: {_endings(tuning)}.",
        ]
    success = best.success
    sentences = [
        f"With {counted(best.limit, unit)} {agent_words(tuning.agent)} wins {rate_words(success)}. "
        f"{_range_words(tuning)}"
    ]
    if best.limit == 1 and best.rate > tuning.target:
        sentences.append(
            f"That is as short as a limit can be: the target of {percent(tuning.target)} is below it."
        )
    if tuning.curve is None:
        sentences.append(
            "It plays otherwise with another limit: the table has those that were played, "
            "and nothing is known of the rest."
        )
    if not tuning.is_settled:
        sentences.append(
            f"After {len(tuning.checks)} limits there are still some that could be nearer to the target."
        )
    return sentences


def _range_words(tuning: Tuning) -> str:
    low, high, unit = tuning.low, tuning.high, limit_of(tuning.level)[1]
    start = f"By {tuning.attempts:,} attempts"
    if high is None:
        return f"{start}, anything from {low} {unit} on may be nearest to the target."
    if tuning.curve is None:
        start += " each, of the limits played"
    if low == high:
        return (
            f"{start}, no other limit fits the target."
            if tuning.curve
            else f"{start}, no other fits the target."
        )
    return f"{start}, {low} to {high} {unit} may be nearest to the target."


def _endings(tuning: Tuning) -> str:
    total = tuning.attempts
    return ", ".join(f"{reason} {count / total:.0%}" for reason, count in tuning.endings.items())


_BAND_NAMES = ("low_50", "high_50", "low_95", "high_95")


def players_tuning_data(tuning: PlayersTuning) -> dict[str, Any]:
    """Tuning for players as data: what `levelsense tune --json` prints."""
    limit, unit = limit_of(tuning.level)
    around = tuning.on_target if tuning.best else None
    return {
        "level": tuning.level.name,
        "digest": tuning.level.digest,
        "by": None,
        "simulated": tuning.now.prediction.simulated,
        "target": tuning.target,
        "unit": unit,
        "limit_now": limit,
        "now": _prediction_data(tuning.now),
        "limit": tuning.best.limit if tuning.best else None,
        "success": _prediction_data(tuning.best) if tuning.best else None,
        "limit_low": around[0] if around else None,
        "limit_high": around[1] if around else None,
        "predictions": [
            _prediction_data(prediction) | {"rising": float(rate)}
            for prediction, rate in zip(tuning.predictions, tuning.rising, strict=True)
        ],
    }


def _prediction_data(predicted: LimitPrediction) -> dict[str, Any]:
    bands = {name: predicted.prediction.row[name] for name in _BAND_NAMES}
    return {
        "limit": predicted.limit,
        "rate": predicted.rate,
        **bands,
        "verdict": predicted.verdict,
        "agents": dict(predicted.prediction.agents),
        "unlike": predicted.prediction.unlike,
    }


def print_players_tuning(console: Console, tuning: PlayersTuning) -> None:
    """Prints a line for each predicted limit, and the conclusions."""
    people = people_word(tuning.now.prediction.simulated)
    console.print(Text(printable(tuning.level.name), style="bold"), soft_wrap=True)
    console.print(Text(f"success rates to expect of {people}, target {percent(tuning.target)}"))
    console.print()
    taken = tuning.best.limit if tuning.best else None
    evened = [(percent(rate),) if tuning.falls else () for rate in tuning.rising.tolist()]
    heading = (limit_of(tuning.level)[1], "success", "50% band", "95% band", "against the target")
    rows: list[tuple[str, ...]] = [(*heading, *(("evened",) if tuning.falls else ()), "")]
    for prediction, rate in zip(tuning.predictions, evened, strict=True):
        rows.append((*_cells(prediction), *rate, _remark(prediction.limit, taken, tuning.now.limit)))
    print_rows(console, rows)
    console.print()
    for sentence in players_conclusions(people, tuning):
        print_words(console, sentence)


def _remark(limit: float, taken: float | None, now: float) -> str:
    return ", ".join(word for word, at in (("take this", taken), ("now", now)) if limit == at)


def _cells(predicted: LimitPrediction) -> tuple[str, ...]:
    return (
        f"{predicted.limit:g}",
        percent(predicted.rate),
        band_words(predicted.prediction.row, 50),
        band_words(predicted.prediction.row, 95),
        predicted.verdict,
    )


def players_conclusions(people: str, tuning: PlayersTuning) -> list[str]:
    """Conclusions from tuning for players, in sentences."""
    unit, best, now = limit_of(tuning.level)[1], tuning.best, tuning.now
    if best is None:
        return _out_of_reach(people, tuning)
    sentences = [
        f"With {counted(best.limit, unit)} {people} are expected to succeed in {_rate_words(best)} of "
        f"attempts, which is what `levelsense predict` says of that level."
    ]
    if best.limit == now.limit:
        sentences[0] = f"The limit may stay as it is. {sentences[0]}"
    else:
        sentences.append(f"Now, with {counted(now.limit, unit)}, it is {_rate_words(now)}.")
    if not tuning.rising[0] <= tuning.target <= tuning.rising[-1]:
        sentences.append(
            f"{percent(tuning.target)} itself is out of reach: of the limits above this one comes nearest."
        )
    elif best.verdict != "on target":
        sentences.append(
            f"No limit meets {percent(tuning.target)} closely: this one is the nearest, and {best.verdict}."
        )
    elif tuning.on_target and tuning.on_target[0] != tuning.on_target[1]:
        low, high = tuning.on_target
        sentences.append(f"Of the limits above, those from {low:g} to {high:g} {unit} are on target.")
    return [*sentences, *_cautions(tuning, best)]


def _cautions(tuning: PlayersTuning, predicted: LimitPrediction) -> list[str]:
    """Cautions about a prediction: rates that fall as the limit rises, a level unlike the model's."""
    unit, sentences = limit_of(tuning.level)[1], []
    if tuning.falls:
        sentences.append(
            f"More {unit} make no level harder: where the success rate falls all the same, the model is off "
            "by so much. Limits are compared by the evened rates."
        )
    if predicted.prediction.unlike:
        sentences.append(f"With {counted(predicted.limit, unit)} it is {predicted.prediction.unlike}.")
    return sentences


def _rate_words(predicted: LimitPrediction) -> str:
    row, average = predicted.prediction.row, ""
    if predicted.prediction.average_95 is not None:
        average = f", of the average population {average_band_words(row)}"
    return f"{percent(predicted.rate)} (95% band {band_words(row, 95)}{average})"


def _out_of_reach(people: str, tuning: PlayersTuning) -> list[str]:
    """Conclusions where no limit reaches the target, in sentences."""
    unit = limit_of(tuning.level)[1]
    shortest, longest = tuning.predictions[0], tuning.predictions[-1]
    if tuning.rising[0] > tuning.target:
        return [
            f"No limit makes the level as hard as {percent(tuning.target)}: "
            f"with {counted(shortest.limit, unit)} {people} are expected to succeed "
            f"in {_rate_words(shortest)} of attempts already.",
            *_cautions(tuning, shortest),
        ]
    most = max(tuning.predictions, key=lambda prediction: prediction.rate)
    sentences = [
        f"No limit up to {counted(longest.limit, unit)} reaches {percent(tuning.target)}: "
        f"the most that {people} are expected to reach is {_rate_words(most)} of attempts, "
        f"with {counted(most.limit, unit)}."
    ]
    if longest.prediction.agents:
        agents = ", ".join(
            f"{agent_words(agent)} wins {percent(rate)}" for agent, rate in longest.prediction.agents.items()
        )
        sentences.append(f"With {counted(longest.limit, unit)} {agents}.")
    return [*sentences, *_cautions(tuning, longest)]
