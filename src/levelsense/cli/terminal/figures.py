"""Statistics in the terminal and as JSON: a list of figures a level and agent, with heat maps."""

import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.cli.app import print_json
from levelsense.cli.terminal.charts import draw_heat, heat_title
from levelsense.cli.terminal.playtests import result_data
from levelsense.cli.terminal.screen import print_drawing, screen
from levelsense.errors import printable
from levelsense.playtest import PlaytestResult
from levelsense.playtest.figures import LevelFigures, Played
from levelsense.playtest.statistics import ENOUGH, LevelStatistics
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

_LABEL_WIDTH = 13


def print_level(console: Console, report: LevelFigures) -> None:
    """Prints a level's figures and heat maps for each agent, then the skill by all agents together."""
    for played in report.played:
        console.print(Text(f"{printable(report.name)}, {played.agent}", style="bold"), soft_wrap=True)
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


def _played_data(report: LevelFigures, played: Played) -> dict[str, Any]:
    skill = report.skill
    return {
        "statistics": as_data(played.statistics),
        "limits": {
            "past": as_data(played.curve),
            "played": [as_data(check) | as_data(check.success) for check in played.checks],
        },
        "luck": as_data(played.luck),
        "skill": as_data(skill) | {"weak": report.weak.agent, "strong": report.strong.agent}
        if skill
        else None,
    }
