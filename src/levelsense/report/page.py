"""The report as one HTML file that needs nothing else: charts, texts, styles and scripts are all in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from levelsense.game.version import RULES_VERSION
from levelsense.playtest.heat import KINDS
from levelsense.report import words
from levelsense.report.gather import LevelReport, agents_of
from levelsense.report.rendering import render_page, specs_of
from levelsense.report.theme import AGENTS, VERDICTS


@dataclass(frozen=True)
class Origin:
    """Where a report's figures come from: the run's seed, the version of levelsense, and the day."""

    seed: int
    version: str
    made: str


def report_page(levels: Sequence[LevelReport], origin: Origin) -> str:
    """The page, as text; the levels stand in the order in which they are given, the summary hardest first."""
    shown = list(levels)
    return render_page(
        "page.html",
        chart_specs(shown),
        levels=shown,
        agents=agents_of(shown),
        origin=origin,
        rules=RULES_VERSION,
        words=words,
        colors={agent: AGENTS[k % len(AGENTS)] for k, agent in enumerate(agents_of(shown))},
        verdict_colors=VERDICTS,
    )


def chart_specs(levels: list[LevelReport]) -> dict[str, Any]:
    """The Vega-Lite specs of all charts by their place: overview-NAME, level-NUMBER-NAME."""
    return specs_of(lambda: _charts(levels))


def _charts(levels: list[LevelReport]) -> dict[str, Any]:
    from levelsense.report import charts

    made: dict[str, Any] = {"overview-skill-and-luck": charts.skill_and_luck_chart(levels)}
    if len(levels) > 1:
        made["overview-difficulty"] = charts.difficulty_chart(levels)
    for number, report in enumerate(levels, start=1):
        of_level = {
            "success": charts.success_chart(report),
            "limit": charts.limit_chart(report),
            "left": charts.left_chart(report),
            "endings": charts.endings_chart(report),
            "goals": charts.goals_chart(report),
            "score": charts.score_chart(report),
            **{f"heat-{kind}": charts.heat_chart(report, kind) for kind in KINDS},
        }
        made |= {f"level-{number}-{name}": chart for name, chart in of_level.items()}
    return made
