"""What tuning a level found, for people: the curve, the limits around the one to take, and a sentence."""

from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.playtest.as_data import as_data
from levelsense.playtest.checks import Check
from levelsense.playtest.limits import LimitCurve, limit_of
from levelsense.playtest.tuning import Tuning
from levelsense.playtest.words import counted, percent, rate_words
from levelsense.printable import printable
from levelsense.terminal.curve import draw_curve
from levelsense.terminal.listing import print_rows
from levelsense.terminal.screen import print_drawing

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
