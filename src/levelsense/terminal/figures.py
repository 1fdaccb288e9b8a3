"""Statistics in the terminal: a level and an agent on a sheet, heat maps below it."""

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from levelsense.playtest.statistics import ENOUGH, LevelStatistics
from levelsense.playtest.words import (
    bottleneck_words,
    endings_words,
    left_words,
    lost_words,
    near_miss_words,
    needed_words,
    percent,
    rate_words,
    star_words,
)
from levelsense.terminal.heat import draw_heat, heat_title
from levelsense.terminal.screen import print_drawing

_LABEL_WIDTH = 13


def print_statistics(console: Console, name: str, agent: str, found: LevelStatistics) -> None:
    """What an agent's attempts at a level tell a designer."""
    console.print(Text(f"{name}, {agent}", style="bold"), soft_wrap=True)
    for label, words in facts(found):
        _print_fact(console, label, words)
    if found.heat and found.lost < ENOUGH:
        _print_fact(console, "left", f"{lost_words(found)}: too few for a map of where something was left")
    for heat in found.heat if found.lost >= ENOUGH else ():
        console.print()
        console.print(Text(heat_title(heat), style="bold"), soft_wrap=True)
        print_drawing(console, draw_heat(heat))
    console.print()


def facts(found: LevelStatistics) -> Sequence[tuple[str, str]]:
    """Labels and what is to be said under each."""
    return (
        ("success", f"{rate_words(found.success)} of {found.attempts:,} attempts: {found.verdict}"),
        ("needed", needed_words(found.needed)),
        (f"{found.unit} left", left_words(found.left, found.unit)),
        ("endings", endings_words(found)),
        ("near misses", near_miss_words(found)),
        ("bottleneck", bottleneck_words(found)),
        (
            "shuffles",
            f"{found.shuffles.mean:.2f} an attempt, some in {percent(found.shuffles.attempts)} of attempts",
        ),
        ("score", f"{found.score.median:,.0f} in the median win" if found.score else "none was won"),
        ("stars", star_words(found.stars)),
    )


def _print_fact(console: Console, label: str, words: str) -> None:
    width = max(console.width - _LABEL_WIDTH, 20)
    for number, line in enumerate(textwrap.wrap(words, width)):
        shown = label if number == 0 else ""
        console.print(Text.assemble((f"{shown:<{_LABEL_WIDTH}}", "bold"), line), soft_wrap=True)
