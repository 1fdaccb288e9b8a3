"""Statistics in the terminal and as JSON: figures a level and agent, limit curves, heat maps."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import ceil, isnan
from typing import Any

import numpy as np
from rich.console import Console
from rich.style import Style
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.app import print_json
from levelsense.cli.terminal.playtests import result_data
from levelsense.cli.terminal.screen import print_drawing, screen
from levelsense.errors import printable
from levelsense.level.tokens import COLUMN_LETTERS
from levelsense.playtest import PlaytestResult
from levelsense.playtest.figures import LevelFigures, Played
from levelsense.playtest.limits import Check, LimitCurve
from levelsense.playtest.statistics import ENOUGH, HeatMap, LevelStatistics
from levelsense.playtest.words import (
    as_data,
    bottleneck_words,
    endings_words,
    left_words,
    legal_words,
    lost_words,
    near_miss_words,
    needed_words,
    rate_words,
    score_words,
    shuffle_words,
    star_words,
)
from levelsense.report.sentences import level_skill_words, limits_words, played_luck_words

HEIGHT = 10
_BLOCKS = " ▁▂▃▄▅▆▇█"
_RATE_WIDTH, _UNIT_WIDTH = 6, 10


def draw_curve(curve: LimitCurve, target: float, marks: Mapping[int, str], width: int = 80) -> Text:
    """The curve as blocks, above them the band's upper half in a light shade; the target is a dotted line.

    `marks` are signs to set below limits. Where there are more limits than columns, a column stands for
    several and shows the last of them.
    """
    limits = _limits_drawn(curve, max(marks, default=1), max(width - _RATE_WIDTH - _UNIT_WIDTH, 20))
    lines = [_line(curve, limits, target, row) for row in range(HEIGHT - 1, -1, -1)]
    lines.append(Text(f"{'0%':>{_RATE_WIDTH}} " + "─" * len(limits)))
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
    line = Text.assemble((f"{label:>{_RATE_WIDTH}} ", "bold" if is_target else ""))
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
    return Text(" " * (_RATE_WIDTH + 1) + "".join(line) + f"  {unit}")


def _marks(limits: list[int], marks: Mapping[int, str]) -> Text:
    line = [" "] * len(limits)
    for limit, sign in marks.items():
        line[min(int(np.searchsorted(limits, limit)), len(limits) - 1)] = sign
    return Text(" " * (_RATE_WIDTH + 1) + "".join(line).rstrip(), style="bold")


# The share from which a ground is taken, the ground, and the ink on it; of the palette of 256 colors.
_GROUNDS = (
    (0.80, "#ffd75f", "#121212"),
    (0.60, "#ffaf00", "#121212"),
    (0.40, "#ff8700", "#121212"),
    (0.20, "#d75f00", "#ffffff"),
    (0.05, "#870000", "#ffffff"),
    (0.00, "#303030", "#bcbcbc"),
)
_CELL_WIDTH = 5


def heat_title(heat: HeatMap) -> str:
    """The title of a heat map: what its numbers are."""
    attempts = "attempt" if heat.lost == 1 else "attempts"
    return f"{heat.kind} left: % of {heat.lost:,} lost {attempts}"


def draw_heat(heat: HeatMap) -> Text:
    """The board with a number a tile, in per cent; a dot is a tile where nothing was ever left."""
    rows, columns = heat.shares.shape
    header = "    " + "".join(letter.center(_CELL_WIDTH) for letter in COLUMN_LETTERS[:columns])
    lines = [Text(header, style="bold")]
    for row in range(rows):
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for column in range(columns):
            line.append_text(_cell(float(heat.shares[row, column])))
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)


def _cell(share: float) -> Text:
    if isnan(share):
        return Text(" " * _CELL_WIDTH)
    ground, ink = next((ground, ink) for least, ground, ink in _GROUNDS if share >= least)
    number = f"{100 * share:.0f}".rjust(3) if share > 0 else "  ·"
    return Text(number.ljust(_CELL_WIDTH - 1).rjust(_CELL_WIDTH), style=Style(color=ink, bgcolor=ground))


_LABEL_WIDTH = 13


def print_level(console: Console, report: LevelFigures) -> None:
    """Prints a level's figures and heat maps for each agent, then the skill by all agents together."""
    for played in report.played:
        console.print(
            Text(f"{printable(report.name)}, {agent_words(played.agent)}", style="bold"), soft_wrap=True
        )
        for label, words in facts(report, played):
            _print_fact(console, label, words)
        _print_maps(console, played.statistics)
        console.print()
    console.print(Text(f"{printable(report.name)}, all agents", style="bold"), soft_wrap=True)
    _print_fact(console, "skill", level_skill_words(report))
    console.print()


def facts(report: LevelFigures, played: Played) -> Sequence[tuple[str, str]]:
    """The figures of an agent at a level: labels and words."""
    statistics = played.statistics
    return (
        ("success", f"{rate_words(statistics.success)} of {statistics.attempts:,} attempts"),
        ("needed", needed_words(statistics.needed)),
        ("limits", f"{statistics.unit} and success rate: {limits_words(report, played)}"),
        (f"{statistics.unit} left", left_words(statistics.left, statistics.unit)),
        ("endings", endings_words(statistics)),
        ("near misses", near_miss_words(statistics)),
        ("bottleneck", bottleneck_words(statistics)),
        ("shuffles", shuffle_words(statistics)),
        ("legal moves", legal_words(statistics)),
        ("score", score_words(statistics.score)),
        ("stars", star_words(statistics.stars)),
        ("luck", played_luck_words(played)),
    )


def _print_maps(console: Console, statistics: LevelStatistics) -> None:
    """Prints heat maps of what was left, or that too few attempts were lost for any."""
    if statistics.heat and statistics.lost < ENOUGH:
        _print_fact(
            console, "left", f"{lost_words(statistics)}: too few for a map of where something was left"
        )
        return
    for heat in statistics.heat:
        console.print()
        console.print(Text(heat_title(heat), style="bold"), soft_wrap=True)
        print_drawing(console, draw_heat(heat))


def _print_fact(console: Console, label: str, words: str) -> None:
    width = max(console.width - _LABEL_WIDTH, 20)
    for number, line in enumerate(textwrap.wrap(words, width)):
        first_label = label if number == 0 else ""
        console.print(Text.assemble((f"{first_label:<{_LABEL_WIDTH}}", "bold"), line), soft_wrap=True)


def show_results(result: PlaytestResult, details: Sequence[LevelFigures] | None, as_json: bool) -> None:
    """Prints a playtest's results as JSON, or only the details, if any: the table is printed already."""
    if as_json:
        more = [{} for _ in result.pairs] if details is None else details_data(result, details)
        print_json([result_data(pair) | extra for pair, extra in zip(result.pairs, more, strict=True)])
    elif details is not None:
        print_details(screen(), details)


def print_details(console: Console, levels: Sequence[LevelFigures]) -> None:
    """Prints every figure of every level and agent, with heat maps."""
    console.print()
    for report in levels:
        print_level(console, report)


def details_data(result: PlaytestResult, levels: Sequence[LevelFigures]) -> list[dict[str, Any]]:
    """The figures of each level and agent as data, in the order of the results; None without attempts."""
    data_by_pair = {
        (report.level.digest, played.agent): _played_data(report, played)
        for report in levels
        for played in report.played
    }
    return [data_by_pair.get((pair.pair.digest, pair.agent), {"statistics": None}) for pair in result.pairs]


def check_data(check: Check) -> dict[str, Any]:
    """A limit that was played itself as data, with its success rate and interval."""
    return asdict(check) | asdict(check.success)


def _played_data(report: LevelFigures, played: Played) -> dict[str, Any]:
    skill = report.skill
    return {
        "statistics": as_data(played.statistics),
        "limits": {
            "past": as_data(played.curve),
            "played": [check_data(check) for check in played.checks],
        },
        "luck": played.luck,
        "skill": asdict(skill) | {"weak": report.weak.agent, "strong": report.strong.agent}
        if skill
        else None,
    }
