"""The prediction's sections in the report of levels: with results of many levels, of few, and of none."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from levelsense.playtest.figures import LevelFigures
from levelsense.prediction.explain import against_target
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.observed import Observed
from levelsense.prediction.verdict import verdict_sentence
from levelsense.report.forecast import Forecast, Judged, forecast_of
from levelsense.report.page import Origin, report_page
from levelsense.report.prediction_sentences import delta_words, left_out_words, misses_words, target_side
from tests.prediction.made_up import made_up_table
from tests.report.browser import Seen
from tests.report.reports import AGENTS, report_of
from tests.report.test_prediction_page import cells, charts_in, level_sections, values_of, visible

ORIGIN = Origin(seed=7, version="1.2.3", made="2025-01-31")
TABLE = made_up_table(40)
NEXT = made_up_table(12, seed=5)
MODEL = DifficultyModel().fit(TABLE, "some players", True)
SECTIONS = ("against", "worst-misses", "by-difficulty", "in-order", "bands")


def forecast(levels: int, simulated: bool = True, target: float | None = None) -> Forecast:
    """Predictions of so many levels, all of them with results."""
    table = NEXT.head(levels)
    rates = table.select("level", "attempts", "successes")
    ours = table.drop("attempts", "successes")
    return forecast_of(MODEL, ours, Observed(rates, "cohort A", simulated), target)


def reports(levels: int) -> list[LevelFigures]:
    """Reports that go with them: what agents did there does not matter here."""
    return [replace(report_of("04-jelly-garden"), name=name) for name in NEXT["level"].head(levels)]


@cache
def page_of(levels: int, **keys: Any) -> str:
    return report_page(reports(levels), ORIGIN, forecast(levels, **keys))


def judged(levels: int) -> Judged:
    comparison = forecast(levels).judged(AGENTS)
    assert comparison is not None
    return comparison


def judged_charts_in(page: str) -> set[str]:
    return {name for name in charts_in(page) if not name.startswith(("overview-", "level-"))}


def sections_in(page: str) -> list[str]:
    return [name for name in re.findall(r'<section id="([^"]+)"', page) if name in SECTIONS]


def test_all_sections_with_results_of_many_levels() -> None:
    page = page_of(12)
    assert sections_in(page) == list(SECTIONS)
    assert judged_charts_in(page) == {
        *("predicted", "accumulated", "coverage", "places"),
        *(f"{of}-{part}" for of in ("delta", "adjusted") for part in ("0", "1", "2", "boxes")),
    }
    rows = cells(page, "own-rates")
    assert [row[0] for row in rows] == ["predicted", "strong's own rate", "weak's own rate"]
    assert "There is more to see" not in visible(page)


@pytest.mark.parametrize("levels", [1, 2])
def test_one_or_two_levels_are_not_compared(levels: int) -> None:
    page = page_of(levels)
    assert sections_in(page) == ["against"]
    assert judged_charts_in(page) == {"predicted"}
    assert "There is more to see with results of more levels" in visible(page)
    assert 'href="#by-difficulty"' not in page


@pytest.mark.parametrize("levels", [3, 4])
def test_few_levels_have_no_boxes_and_no_calibration(levels: int) -> None:
    page = page_of(levels)
    assert sections_in(page) == list(SECTIONS[:-1])
    assert judged_charts_in(page) == {
        *("predicted", "accumulated"),
        *(f"{of}-{number}" for of in ("delta", "adjusted") for number in range(3)),
    }
    assert "with 5 or more how differences spread" in visible(page)
    assert 'href="#bands"' not in page


def test_rates_are_added_up_in_the_order_of_the_levels() -> None:
    values = values_of(charts_in(page_of(5))["accumulated"])
    of_players = [value for value in values if value["who"] == "simulated players"]
    assert [value["level"] for value in of_players] == NEXT["level"].head(5).to_list()
    rates = (NEXT["successes"] / NEXT["attempts"]).head(5)
    assert of_players[-1]["total"] == pytest.approx(rates.sum(), abs=1e-4)


def test_it_is_said_to_be_no_test() -> None:
    text = visible(page_of(3))
    assert "This is no test of the model. A model keeps no list of the levels it was fitted to." in text
    assert "levelsense evaluate is the test" in text
    assert "while the results here" not in text
    people = visible(page_of(3, simulated=False))
    assert "it was fitted to simulated players, while the results here are those of people" in people


def test_one_level_in_a_sentence() -> None:
    (row,) = forecast(1).observed.to_dicts()  # type: ignore[union-attr]
    side = "outside" if row["outside"] else "inside"
    text = visible(page_of(1))
    assert f"the prediction is off by {100 * abs(row['delta']):.1f} percentage points" in text
    band = f"{100 * row['low_95']:.1f} - {row['high_95']:.1%}"
    may_show = f"the 95% band of rates that {row['attempts']:,} attempts may show, {band}."
    assert f"the observed rate is {side} {may_show}" in text


def test_at_most_a_third_of_the_levels_are_the_worst() -> None:
    assert [len(judged(levels).misses) <= levels // 3 for levels in (2, 3, 5, 12)] == [True] * 4
    far = judged(12).levels.with_columns(delta=pl.lit(0.3))
    assert len(Judged(far, (), True).misses) == 4
    hits = judged(12).levels.with_columns(delta=pl.lit(0.01), outside=pl.lit(False))
    none = Judged(hits, (), True)
    assert none.misses == []
    assert misses_words(none) == (
        "No level is off by 5 percentage points or more, and none is outside its 95% band."
    )


def test_misses_lead_to_their_levels() -> None:
    page = page_of(12)
    names = NEXT["level"].to_list()
    table = re.search(r'<table[^>]*id="misses".*?</table>', page, re.DOTALL)
    assert table
    links = re.findall(r'<a href="#level-(\d+)">([^<]+)</a>', table[0])
    assert links
    assert all(names[int(number) - 1] == name for number, name in links)


@pytest.mark.parametrize(
    ("delta", "words"),
    [
        (0.031, "+3.1 points, too high"),
        (-0.2, "-20.0 points, too low"),
        (-0.0004, "less than 0.1 points"),
        (0.0, "less than 0.1 points"),
        (-0.0006, "-0.1 points, too low"),
    ],
)
def test_how_far_off_in_words(delta: float, words: str) -> None:
    assert delta_words(delta) == words


def test_what_is_left_out_in_words() -> None:
    assert left_out_words(judged(5)) == ""
    assert "worst misses" not in left_out_words(judged(4))
    assert "worst misses" in left_out_words(judged(2))


def test_an_agent_has_one_color_everywhere() -> None:
    comparison = Judged(judged(3).levels, ("heuristic", "random"), True, ("greedy", "random"))
    page = report_page(reports(3), ORIGIN, forecast(3))
    origin = page[page.index('id="origin"') :]
    shown = {agent: color for color, agent in re.findall(r'style="color: ([^"]+)".*?</svg>([^<]+)', origin)}
    assert list(shown) == ["random", "greedy"]
    assert comparison.colors["random's own rate"] == shown["random"]
    assert len(set(comparison.colors.values())) == 3
    assert comparison.colors["predicted"] not in shown.values()


# targets


def test_targets_in_the_summary_and_in_each_section() -> None:
    shown = forecast(3, target=0.4)
    page = page_of(3, target=0.4)
    rows = {row[1].split()[0]: row[2] for row in cells(page, "summary")}
    for (name, expected), section in zip(shown.expected.items(), level_sections(page), strict=True):
        verdict = against_target(expected.row, 0.4)
        assert rows[name].endswith(f"% {verdict}")
        assert verdict_sentence(expected) in visible(section)
    verdicts = [against_target(expected.row, 0.4) for expected in shown.expected.values()]
    assert len(set(verdicts)) > 1
    assert re.search(r"Against the target of 40%, .*: \d [a-z ]+, \d [a-z ]+\.", visible(page))
    # One verdict a level: in the index, and where the level is told of.
    assert page.count('class="verdict"') == 2 * len(verdicts)


def test_the_verdict_in_words() -> None:
    (expected, *_) = forecast(3, target=0.4).expected.values()
    rate = f"{expected.rate:.1%} of simulated players' attempts are expected to succeed (95% band"
    for verdict, words in (
        ("on target", "On the target of 40%"),
        ("harder", "Harder than the target of 40%"),
        ("probably easier", "Probably easier than the target of 40%"),
        ("cannot tell", "Cannot tell whether it meets the target of 40%"),
    ):
        assert verdict_sentence(replace(expected, verdict=verdict)).startswith(f"{words}: {rate}")
    assert verdict_sentence(replace(expected, target=None)).startswith(rate)


def test_no_target_no_verdict() -> None:
    assert "target" not in visible(page_of(3)).lower()


@pytest.mark.parametrize(
    ("verdict", "side"),
    [
        ("on target", "on"),
        ("probably harder", "harder"),
        ("easier", "easier"),
        ("cannot tell", ""),
        ("may be harder or easier", ""),
    ],
)
def test_which_side_of_the_target(verdict: str, side: str) -> None:
    assert target_side(verdict) == side


# in a browser


@pytest.mark.parametrize("levels", [1, 2, 3, 12])
def test_a_browser_draws_all_of_it(seen: Seen, tmp_path: Path, levels: int) -> None:
    path = tmp_path / "report.html"
    page = page_of(levels, target=0.4)
    path.write_text(page, "utf-8")
    seen.open_all(path)
    for name in charts_in(page):
        drawing = seen.page.locator(f"[data-chart={name}] svg.marks")
        assert drawing.count() == 1, name
        assert drawing.locator("path[d]").count() > 0, name
    overflowing = seen.page.evaluate(
        "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).length"
    )
    assert overflowing == 0
    assert seen.said == []


@pytest.mark.parametrize("width", [1300, 1000])
def test_the_summary_of_three_agents_fits(seen: Seen, tmp_path: Path, width: int) -> None:
    shown = []
    for report in reports(3):
        third = replace(report.played[0], agent="heuristic")
        shown.append(replace(report, played=(*report.played, third), ranking=(*AGENTS, "heuristic")))
    path = tmp_path / "report.html"
    path.write_text(report_page(shown, ORIGIN, forecast(3, target=0.4)), "utf-8")
    seen.page.set_viewport_size({"width": width, "height": 900})
    seen.open(path)
    assert seen.page.locator("#summary th").count() == 9
    needs, has = seen.page.evaluate(
        "(box => [box.scrollWidth, box.clientWidth])(document.querySelector('.scroll'))"
    )
    assert needs <= has


def test_a_click_sorts_one_table_only(seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(page_of(12), "utf-8")
    seen.open(path)
    summary = seen.page.locator("#summary tbody tr td:nth-child(2) a").all_inner_texts()
    seen.page.press("#misses th:nth-child(1) button", "Enter")  # where it is: charts above may still grow
    misses = seen.page.locator("#misses tbody tr td:nth-child(1)").all_inner_texts()
    assert misses == sorted(misses)
    assert seen.page.locator("#summary tbody tr td:nth-child(2) a").all_inner_texts() == summary
