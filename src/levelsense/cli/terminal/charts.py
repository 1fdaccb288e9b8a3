"""Charts in the terminal: limit curves and heat maps that read the same with and without color."""

from collections.abc import Mapping
from math import ceil, isnan

import numpy as np
from rich.style import Style
from rich.text import Text

from levelsense.level.tokens import COLUMN_LETTERS
from levelsense.playtest.limits import LimitCurve
from levelsense.playtest.statistics import HeatMap

HEIGHT = 10
_BLOCKS = " ▁▂▃▄▅▆▇█"
_LABEL_WIDTH, _UNIT_WIDTH = 6, 10


def draw_curve(curve: LimitCurve, target: float, marks: Mapping[int, str], width: int = 80) -> Text:
    """The curve as blocks, above them the band's upper half in a light shade; the target is a dotted line.

    `marks` are signs to set below limits. Where there are more limits than columns, a column stands for
    several and shows the last of them.
    """
    limits = _limits_drawn(curve, max(marks, default=1), max(width - _LABEL_WIDTH - _UNIT_WIDTH, 20))
    lines = [_line(curve, limits, target, row) for row in range(HEIGHT - 1, -1, -1)]
    lines.append(Text(f"{'0%':>{_LABEL_WIDTH}} " + "─" * len(limits)))
    lines.append(_labels(limits, curve.unit))
    lines.append(_marks(limits, marks))
    return Text("\n", no_wrap=True).join(lines)


def _limits_drawn(curve: LimitCurve, at_least: int, room: int) -> list[int]:
    """The limits that get a column: up to where the curve flattens out, or `at_least`, and two more."""
    flat = 1 + int(np.argmax(curve.wins >= 0.99 * curve.wins[-1]))
    last = min(max(at_least, flat) + 2, curve.longest)
    step = ceil(last / room)
    return list(range(step, last + 1, step))


def _line(curve: LimitCurve, limits: list[int], target: float, row: int) -> Text:
    """One line of the drawing; row 0 is the lowest."""
    is_target = row == min(int(target * HEIGHT), HEIGHT - 1)
    is_top = row == HEIGHT - 1
    label = f"{target:.0%}" if is_target else "100%" if is_top else ""
    line = Text.assemble((f"{label:>{_LABEL_WIDTH}} ", "bold" if is_target else ""))
    for limit in limits:
        rate, _, high = curve.at(limit)
        eighths = round(8 * (rate * HEIGHT - row))
        if eighths > 0:
            line.append(_BLOCKS[min(eighths, 8)], style="blue")
        elif high * HEIGHT - row > 0.5:
            line.append("░", style="blue")
        else:
            line.append("┄" if is_target else " ", style="dim")
    return line


def _labels(limits: list[int], unit: str) -> Text:
    """Some of the limits under their columns, then the unit."""
    line = [" "] * len(limits)
    for k in range(0, len(limits), 10):
        text = str(limits[k])
        for offset, letter in enumerate(text):
            if k + offset < len(line):
                line[k + offset] = letter
    return Text(" " * (_LABEL_WIDTH + 1) + "".join(line) + f"  {unit}")


def _marks(limits: list[int], marks: Mapping[int, str]) -> Text:
    line = [" "] * len(limits)
    for limit, sign in marks.items():
        line[min(int(np.searchsorted(limits, limit)), len(limits) - 1)] = sign
    return Text(" " * (_LABEL_WIDTH + 1) + "".join(line).rstrip(), style="bold")


# The share from which a ground is taken, the ground, and the ink on it; of the palette of 256 colors.
_GROUNDS = (
    (0.80, "#ffd75f", "#121212"),
    (0.60, "#ffaf00", "#121212"),
    (0.40, "#ff8700", "#121212"),
    (0.20, "#d75f00", "#ffffff"),
    (0.05, "#870000", "#ffffff"),
    (0.00, "#303030", "#bcbcbc"),
)
_WIDTH = 5


def heat_title(heat: HeatMap) -> str:
    """The title of a heat map: what its numbers are."""
    attempts = "attempt" if heat.lost == 1 else "attempts"
    return f"{heat.kind} left: % of {heat.lost:,} lost {attempts}"


def draw_heat(heat: HeatMap) -> Text:
    """The board with a number a tile, in per cent; a dot is a tile where nothing was ever left."""
    rows, columns = heat.shares.shape
    header = "    " + "".join(letter.center(_WIDTH) for letter in COLUMN_LETTERS[:columns])
    lines = [Text(header, style="bold")]
    for row in range(rows):
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for column in range(columns):
            line.append_text(_cell(float(heat.shares[row, column])))
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)


def _cell(share: float) -> Text:
    if isnan(share):
        return Text(" " * _WIDTH)
    ground, ink = next((ground, ink) for least, ground, ink in _GROUNDS if share >= least)
    number = f"{100 * share:.0f}".rjust(3) if share > 0 else "  ·"
    return Text(number.ljust(_WIDTH - 1).rjust(_WIDTH), style=Style(color=ink, bgcolor=ground))
