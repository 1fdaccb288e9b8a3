"""What tuning a level found, for people: the curve, the limits around the one to take, and a sentence."""

from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.playtest.as_data import as_data
from levelsense.playtest.limits import limit_of
from levelsense.playtest.tuning import Check, Tuning
from levelsense.playtest.words import counted, percent, rate_words
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
        "agent": tuning.agent,
        "target": tuning.target,
        "attempts": tuning.curve.attempts,
        "unit": unit,
        "limit_now": limit,
        "limit": best.limit if best else None,
        "success": as_data(best.success) if best else None,
        "limit_low": tuning.low if best else None,
        "limit_high": tuning.high if best else None,
        "curve": as_data(tuning.curve),
    }


def print_tuning(console: Console, tuning: Tuning) -> None:
    """The curve, the table, and what to take from them."""
    curve, best = tuning.curve, tuning.best
    now, _ = limit_of(tuning.level)
    console.print(Text(tuning.level.name, style="bold"), soft_wrap=True)
    console.print(Text(f"{tuning.agent}, {curve.attempts:,} attempts, target {percent(tuning.target)}"))
    console.print()
    marks = {int(now): NOW} | ({best.limit: TAKEN} if best else {})
    print_drawing(console, draw_curve(tuning.fitted, tuning.target, marks, console.width))
    legend = [f"{NOW} now", *([f"{TAKEN} to take"] if best else []), "░ up to the end of the 95% interval"]
    console.print(Text("       " + "   ".join(legend), style="dim"), soft_wrap=True)
    console.print()
    if best:
        print_rows(console, _table(tuning, best, int(now)))
        console.print()
    for sentence in conclusions(tuning):
        console.print(Text(sentence), soft_wrap=True)


def _table(tuning: Tuning, best: Check, now: int) -> list[tuple[str, ...]]:
    """Limits around the one to take, and the present one; as played where they were."""
    curve = tuning.fitted
    near = range(best.limit - _AROUND, best.limit + _AROUND + 1)
    shown = sorted({limit for limit in (*near, now) if 1 <= limit <= curve.longest})
    played = {check.limit: check for check in tuning.checks}
    rows: list[tuple[str, ...]] = [(curve.unit, "success", "95% interval", "")]
    for limit in shown:
        rate, low, high = curve.at(limit)
        if limit in played and (success := played[limit].success).value is not None:
            rate, low, high = success.value, success.low, success.high or 1.0
        remark = ", ".join(word for word, at in (("take this", best.limit), ("now", now)) if limit == at)
        rows.append((str(limit), percent(rate), f"{percent(low)} - {percent(high)}", remark))
    return rows


def conclusions(tuning: Tuning) -> list[str]:
    """What to take from the curve, in sentences."""
    curve, best = tuning.curve, tuning.best
    unit = curve.unit
    if best is None:
        rate, low, high = curve.at(curve.longest)
        return [
            f"No limit up to {curve.longest} {unit} reaches {percent(tuning.target)}: with that many "
            f"{tuning.agent} wins {percent(rate)} ({100 * low:.1f} - {percent(high)}).",
            f"Its attempts ended so: {_endings(tuning)}.",
        ]
    success = best.success
    gives = "gives" if best.limit == 1 else "give"
    told = [
        f"{counted(best.limit, unit)} {gives} {tuning.agent} {rate_words(success)}. {_range_words(tuning)}"
    ]
    if best.limit == 1 and (success.value or 0) > tuning.target:
        told.append(
            f"That is as short as a limit can be: the target of {percent(tuning.target)} is below it."
        )
    if not tuning.is_exact:
        played = sorted(check.limit for check in tuning.checks)
        told.append(
            "It plays otherwise with a limit than past it. These limits were played themselves: "
            f"{', '.join(map(str, played))}; the curve is moved to fit, and elsewhere rough."
        )
    return told


def _range_words(tuning: Tuning) -> str:
    low, high, unit = tuning.low, tuning.high, tuning.curve.unit
    told = f"By {tuning.curve.attempts:,} attempts"
    if high is None:
        return f"{told}, anything from {low} {unit} on may be nearest to the target."
    if low == high:
        return f"{told}, no other limit fits the target."
    return f"{told}, {low} to {high} {unit} may be nearest to the target."


def _endings(tuning: Tuning) -> str:
    total = tuning.curve.attempts
    return ", ".join(f"{reason} {count / total:.0%}" for reason, count in tuning.endings.items())
