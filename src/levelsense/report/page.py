"""The report as one HTML file that needs nothing else: charts, texts, styles and scripts are all in it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from levelsense.game.version import RULES_VERSION
from levelsense.playtest.heat import KINDS
from levelsense.report import words
from levelsense.report.bundle import chart_library
from levelsense.report.gather import LevelReport, agents_of
from levelsense.report.theme import AGENTS, FONT, VERDICTS, chart_theme

if TYPE_CHECKING:
    from jinja2 import Environment

_FILES = resources.files("levelsense.report")


@dataclass(frozen=True)
class Origin:
    """Where a report's figures come from: the run's seed, the version of levelsense, and the day."""

    seed: int
    version: str
    made: str


def report_page(levels: Sequence[LevelReport], origin: Origin) -> str:
    """The page, as text; the levels stand in the order in which they are given, the summary hardest first."""
    shown = list(levels)
    specs = chart_specs(shown)
    return (
        _environment()
        .get_template("page.html")
        .render(
            levels=shown,
            agents=agents_of(shown),
            origin=origin,
            rules=RULES_VERSION,
            words=words,
            specs=specs,
            colors={agent: AGENTS[k % len(AGENTS)] for k, agent in enumerate(agents_of(shown))},
            verdict_colors=VERDICTS,
            font=FONT,
            style=_text("page.css"),
            script=_text("page.js"),
            library=chart_library(),
            data=_safe_json({"specs": specs, "light": chart_theme(False), "dark": chart_theme(True)}),
        )
    )


def chart_specs(levels: list[LevelReport]) -> dict[str, Any]:
    """The Vega-Lite specs of all charts by their place: overview-NAME, level-NUMBER-NAME."""
    from altair.utils.schemapi import debug_mode

    # Altair checks every part of a chart against its schema, which takes long; tests leave that on.
    with debug_mode(False):
        return _specs(levels)


def _specs(levels: list[LevelReport]) -> dict[str, Any]:
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
    drawn = {place: chart for place, chart in made.items() if chart is not None}
    return {place: _without_config(chart.to_dict(validate=False)) for place, chart in drawn.items()}


def _without_config(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec without a look of its own: the page adds that of its theme."""
    spec.pop("config", None)
    return spec


def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _text(name: str) -> str:
    return (_FILES / name).read_text("utf-8")


def _safe_json(data: Any) -> str:
    """JSON that can stand in a script element: no text in it can end the element."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
