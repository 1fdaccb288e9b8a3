"""Every chart is valid, says what its axes are, and shows the numbers it is made from."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.game.state import REASON_NAMES
from levelsense.playtest.limits import Check
from levelsense.playtest.statistics import ENOUGH
from levelsense.report import level_charts as charts
from levelsense.report.ending_charts import endings_chart, goals_chart
from levelsense.report.level_charts import skill_and_luck_chart
from levelsense.report.numbers import (
    MOST_BINS,
    bin_edges,
    left_values,
    limit_values,
    score_values,
    star_values,
    suggested_by,
    winners,
)
from levelsense.report.success_charts import difficulty_chart, limit_chart, success_chart
from levelsense.report.theme import ENDINGS, agent_styles, chart_theme, legend_columns
from tests.report.reports import LEVELS, all_reports, report_of

OF_A_LEVEL: dict[str, Callable[..., Any]] = {
    "success": success_chart,
    "limit": limit_chart,
    "left": charts.left_chart,
    "endings": endings_chart,
    "goals": goals_chart,
    "score": charts.score_chart,
}


def axes(spec: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The definitions of quantitative x and y axes anywhere in a spec."""
    for part in spec.get("layer", []):
        yield from axes(part)
    for channel in ("x", "y"):
        definition = spec.get("encoding", {}).get(channel)
        if definition and definition.get("type") == "quantitative":
            yield channel, definition


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", OF_A_LEVEL)
def test_charts_of_a_level(name: str, level: str) -> None:
    """to_dict checks a chart against the schema of Vega-Lite."""
    chart = OF_A_LEVEL[name](report_of(level))
    if name in ("left", "score") and not winners(report_of(level)):
        assert chart is None
        return
    assert chart is not None
    spec = chart.to_dict()
    assert spec["title"]["text"]
    assert spec["title"]["subtitle"]
    titles = {
        channel: definition.get("title") or definition.get("axis", {}).get("title")
        for channel, definition in axes(spec)
        if definition.get("title") or definition.get("axis", {}).get("title")
    }
    assert "x" in titles
    assert all("(" in title for title in titles.values()), "an axis says its unit"


def test_overview_charts() -> None:
    levels = all_reports()
    assert difficulty_chart(levels).to_dict()["title"]["text"] == "Difficulty over the levels"
    assert skill_and_luck_chart(levels[:2]) is None
    three = skill_and_luck_chart([report_of("27-clockwork")] * 3)
    assert three is not None
    spec = three.to_dict()
    assert spec["title"]["text"] == "Skill and luck"


@pytest.mark.parametrize("level", LEVELS)
def test_histograms_hold_all_wins(level: str) -> None:
    report = report_of(level)
    for values in (left_values(report), score_values(report)):
        for played in report.played:
            shares = [value["share"] for value in values if value["agent"] == played.agent]
            assert sum(shares) == pytest.approx(1 if played.statistics.wins >= ENOUGH else 0, abs=0.002)


@given(st.floats(0, 1e6, allow_nan=False), st.floats(0, 1e6, allow_nan=False), st.booleans())
def test_bins_hold_every_number(low: float, span: float, whole: bool) -> None:
    if whole:
        low, span = float(int(low)), float(int(span))
    edges = bin_edges(low, low + span, whole)
    widths = {round(end - start, 6) for start, end in pairwise(edges)}
    assert edges[0] <= low
    assert low + span < edges[-1] or low + span == pytest.approx(edges[-1])
    assert len(edges) <= MOST_BINS + 4
    assert max(widths) - min(widths) < 1e-3
    assert not whole or all(edge == int(edge) for edge in edges)


def test_long_curves_are_thinned_and_keep_their_end() -> None:
    report = report_of("30-grand-tour")
    limits = [value["limit"] for value in limit_values(report) if value["agent"] == "random"]
    curve = report.played[0].curve
    assert curve is not None
    assert limits[-1] == curve.longest
    assert limits == sorted(limits)


def test_only_what_was_played_has_an_interval() -> None:
    report = report_of("04-jelly-garden")
    checks = (Check(2, 0, 10), Check(4, 5, 10), Check(15, 10, 10))
    watcher = replace(report.played[0], curve=None, checks=checks)
    changed_report = replace(report, played=(watcher, report.played[1]))
    values = [value for value in limit_values(changed_report) if value["agent"] == "random"]
    assert [value["limit"] for value in values if value["from"] == "between"] == list(range(2, 16))
    assert [value["limit"] for value in values if "low" in value] == [2, 4, 15]
    assert all(("high" in value) == (value["from"] == "played") for value in values)
    title = limit_chart(changed_report).to_dict()["title"]["subtitle"]
    assert title == [
        "What agents would reach with another limit; bands are 95% intervals",
        "Points were played, with 95% intervals; thin lines between them are guesses",
    ]


def test_stars_now_and_suggested() -> None:
    report = report_of("04-jelly-garden")
    by = suggested_by(report)
    assert by is not None
    assert by.agent == "greedy"
    which = [value["which"] for value in star_values(report)]
    assert sorted(which) == ["now"] * 3 + ["suggested"] * 3


def test_stars_that_would_meet_stand_over_each_other() -> None:
    """With 420 pixels for 12,000 points, stars at 4,000, 4,500 and 6,000 lie 17 and 52 pixels apart."""
    report = report_of("27-clockwork")
    level = report.level.model_copy(update={"stars": (4000, 4500, 6000)})
    unsuggested = tuple(
        replace(played, statistics=replace(played.statistics, stars=None)) for played in report.played
    )
    bins = [{"from": 4000}, {"from": 16000}]
    placed = star_values(replace(report, level=level, played=unsuggested), bins)
    assert [(star["score"], star["row"]) for star in placed] == [(4000, 0), (4500, 1), (6000, 0)]


def test_legends_have_as_many_columns_as_fit() -> None:
    """A letter takes 6.3 pixels and the sign before a label 24: ten letters make 87, forty 276."""
    short, long = "a" * 10, "b" * 40
    assert legend_columns([short] * 3, room=261) == 3
    assert legend_columns([short] * 3, room=260) == 2
    assert legend_columns([short, long, short, long], room=363) == 2
    assert legend_columns([short, long, short, long], room=362) == 1
    assert legend_columns([long] * 9, room=100) == 1


def test_both_themes_say_the_same_things() -> None:
    def keys(part: Any) -> Any:
        return {key: keys(value) for key, value in part.items()} if isinstance(part, dict) else None

    assert keys(chart_theme(True)) == keys(chart_theme(False))


def test_colors_for_every_word() -> None:
    assert set(ENDINGS) == set(REASON_NAMES) - {None}


def drawn_agents(chart: Any, channel: str) -> dict[str, Any]:
    """What stands for each agent on a channel of a chart, from the first layer that has it."""
    for layer in chart.to_dict()["layer"]:
        scale = layer["encoding"].get(channel, {}).get("scale")
        if scale:
            return {agent: str(value) for agent, value in zip(scale["domain"], scale["range"], strict=True)}
    raise AssertionError(channel)


def test_an_agent_looks_the_same_whoever_plays_beside_it() -> None:
    alone, among = agent_styles(["heuristic"]), agent_styles(["mcts", "random", "heuristic", "greedy"])
    assert alone["heuristic"] == among["heuristic"]
    assert agent_styles(["mcts:simulations=9"])["mcts:simulations=9"] == among["mcts"]


def test_every_agent_has_a_cue_beside_its_color() -> None:
    specs = [
        "random",
        "greedy",
        "heuristic",
        "policy",
        "mcts",
        "mcts:c=2",
        "mcts:c=3",
        "my.module:agent",
        "onnx",
    ]
    styles = agent_styles(specs)
    assert len({(style.color, style.dash) for style in styles.values()}) == len(specs)
    assert len({style.dash for style in styles.values()}) > 2
    families = agent_styles(["random", "greedy", "heuristic", "mcts", "policy"]).values()
    assert len({style.color for style in families}) == len({style.shape for style in families}) == 5


def test_charts_draw_agents_by_their_styles() -> None:
    report = report_of("30-grand-tour")
    styles = agent_styles(["random", "greedy"])
    limits = limit_chart(report)
    assert drawn_agents(limits, "color") == {agent: style.color for agent, style in styles.items()}
    assert drawn_agents(limits, "strokeDash") == {a: str(list(style.dash)) for a, style in styles.items()}
    points = difficulty_chart(all_reports())
    assert drawn_agents(points, "shape") == {agent: style.shape for agent, style in styles.items()}
