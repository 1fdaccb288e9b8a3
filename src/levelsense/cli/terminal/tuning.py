"""What tuning a level found: the limits around the one to take, and what to take from them."""

from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.charts import draw_curve
from levelsense.cli.terminal.screen import print_drawing, print_rows
from levelsense.errors import printable
from levelsense.playtest.limits import Check, LimitCurve, limit_of
from levelsense.playtest.tuning import Tuning
from levelsense.playtest.words import as_data, counted, percent, rate_words
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.tuning import LimitPrediction, PlayersTuning

NOW, TAKEN = "△", "▲"
_AROUND = 3


def tuning_data(tuning: Tuning) -> dict[str, Any]:
    """What was found as data: what `levelsense tune --json` prints."""
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
        "success": as_data(best.success) if best else None,
        "limit_low": tuning.low if best else None,
        "limit_high": tuning.high if best else None,
        "curve": as_data(tuning.curve),
        "played": [_check_data(check) for check in _ascending(tuning)],
    }


def _check_data(check: Check) -> dict[str, Any]:
    return {"limit": check.limit, "wins": check.wins, "attempts": check.attempts, **as_data(check.success)}


def _ascending(tuning: Tuning) -> list[Check]:
    return sorted(tuning.checks, key=lambda check: check.limit)


def print_tuning(console: Console, tuning: Tuning) -> None:
    """The curve or what was played, the table, and what to take from them."""
    limit, best = limit_of(tuning.level)[0], tuning.best
    now = int(limit) if limit == int(limit) else None  # a limit between two seconds is in no row
    console.print(Text(printable(tuning.level.name), style="bold"), soft_wrap=True)
    console.print(Text(f"{tuning.agent}, {tuning.attempts:,} attempts, target {percent(tuning.target)}"))
    console.print()
    if tuning.curve is not None:
        _print_curve(console, tuning.curve, tuning.target, now, best)
    if best:
        rows = _curve_rows(tuning.curve, best, now) if tuning.curve else _played_rows(tuning, best, now)
        print_rows(console, [(limit_of(tuning.level)[1], "success", "95% interval", ""), *rows])
        console.print()
    for sentence in conclusions(tuning):
        console.print(Text(sentence), soft_wrap=True)


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
    """Limits around the one to take, and the present one, by the curve."""
    near = range(best.limit - _AROUND, best.limit + _AROUND + 1)
    wanted = near if now is None else (*near, now)
    shown = sorted({limit for limit in wanted if 1 <= limit <= curve.longest})
    return [_row(limit, *curve.at(limit), best.limit, now) for limit in shown]


def _played_rows(tuning: Tuning, best: Check, now: int | None) -> list[tuple[str, ...]]:
    """The limits that were played, and no others: nothing is known of those."""
    return [
        _row(check.limit, check.rate, check.success.low, check.success.high or 1.0, best.limit, now)
        for check in _ascending(tuning)
    ]


def _row(limit: int, rate: float, low: float, high: float, taken: int, now: int | None) -> tuple[str, ...]:
    remark = ", ".join(word for word, at in (("take this", taken), ("now", now)) if limit == at)
    return str(limit), percent(rate), f"{percent(low)} - {percent(high)}", remark


def conclusions(tuning: Tuning) -> list[str]:
    """What to take from the curve, in sentences."""
    best, unit = tuning.best, limit_of(tuning.level)[1]
    if best is None:
        reached = tuning.reached
        return [
            f"No limit up to {reached.limit} {unit} reaches {percent(tuning.target)}: with that many "
            f"{tuning.agent} wins {rate_words(reached.success)}.",
            f"Its attempts ended so: {_endings(tuning)}.",
        ]
    success = best.success
    told = [
        f"With {counted(best.limit, unit)} {tuning.agent} wins {rate_words(success)}. {_range_words(tuning)}"
    ]
    if best.limit == 1 and best.rate > tuning.target:
        told.append(
            f"That is as short as a limit can be: the target of {percent(tuning.target)} is below it."
        )
    if tuning.curve is None:
        told.append(
            "It plays otherwise with another limit: the table has those that were played, "
            "and nothing is known of the rest."
        )
    if not tuning.is_settled:
        told.append(
            f"After {len(tuning.checks)} limits there are still some that could be nearer to the target."
        )
    return told


def _range_words(tuning: Tuning) -> str:
    low, high, unit = tuning.low, tuning.high, limit_of(tuning.level)[1]
    told = f"By {tuning.attempts:,} attempts"
    if high is None:
        return f"{told}, anything from {low} {unit} on may be nearest to the target."
    if tuning.curve is None:
        told += " each, of the limits played"
    if low == high:
        return (
            f"{told}, no other limit fits the target."
            if tuning.curve
            else f"{told}, no other fits the target."
        )
    return f"{told}, {low} to {high} {unit} may be nearest to the target."


def _endings(tuning: Tuning) -> str:
    total = tuning.attempts
    return ", ".join(f"{reason} {count / total:.0%}" for reason, count in tuning.endings.items())


_BAND_NAMES = ("low_50", "high_50", "low_95", "high_95")


def players_tuning_data(tuning: PlayersTuning) -> dict[str, Any]:
    """What was found as data: what `levelsense tune --json` prints."""
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
            _prediction_data(found) | {"rising": float(rate)}
            for found, rate in zip(tuning.predictions, tuning.rising, strict=True)
        ],
    }


def _prediction_data(found: LimitPrediction) -> dict[str, Any]:
    bands = {name: found.prediction.row[name] for name in _BAND_NAMES}
    return {
        "limit": found.limit,
        "rate": found.rate,
        **bands,
        "verdict": found.verdict,
        "agents": dict(found.prediction.agents),
        "unlike": found.prediction.unlike,
    }


def print_players_tuning(console: Console, tuning: PlayersTuning) -> None:
    """A line for each limit that was looked at, and what to take from them."""
    whose = people_word(tuning.now.prediction.simulated)
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
        band_words(found.prediction.row, 50),
        band_words(found.prediction.row, 95),
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
    if found.prediction.unlike:
        told.append(f"With {counted(found.limit, unit)} it is {found.prediction.unlike}.")
    return told


def _rate_words(found: LimitPrediction) -> str:
    return f"{percent(found.rate)} (95% band {band_words(found.prediction.row, 95)})"


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
    if longest.prediction.agents:
        agents = ", ".join(
            f"{agent} wins {percent(rate)}" for agent, rate in longest.prediction.agents.items()
        )
        told.append(f"With {counted(longest.limit, unit)} {agents}.")
    return [*told, *_cautions(tuning, longest)]
