"""Predictions in the report of a playtest."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl
import pytest

from levelsense.losses.evidence import Finding
from levelsense.losses.explain import Losses
from levelsense.playtest import NamedLevel
from levelsense.playtest.words import limit_words
from levelsense.prediction.levels import predict_levels
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.observed import Observed, known_rates, observed_rates
from levelsense.report.forecast import Forecast, forecast_of
from levelsense.report.page import Origin, report_page
from levelsense.store import Database, PlayerResults
from tests.prediction.made_up import made_up_table
from tests.report.browser import Seen
from tests.report.reports import LEVELS, all_reports, report_of
from tests.report.test_prediction_page import bodies_in, cells, charts_in, level_sections, values_of, visible

ORIGIN = Origin(seed=7, version="1.2.3", made="2025-01-31")
TABLE = made_up_table(40)
OURS = TABLE.head(len(LEVELS)).with_columns(level=pl.Series(LEVELS))
RATES = pl.DataFrame({"level": LEVELS[:2], "attempts": [50, 50], "successes": [10, 45]})


def replace_target(shown: Forecast, target: float | None) -> Forecast:
    expected = {
        name: replace(one, target=target, verdict="on target") for name, one in shown.expected.items()
    }
    return replace(shown, expected=expected, target=target)


@cache
def forecast(simulated: bool = True, observed: bool = True) -> Forecast:
    model = DifficultyModel().fit(TABLE, "some players", simulated)
    ours = OURS.drop("attempts", "successes")
    return forecast_of(model, ours, Observed(RATES, "cohort A", simulated) if observed else None)


def test_predictions_are_those_of_the_model() -> None:
    model = DifficultyModel().fit(TABLE)
    shown = forecast()
    for row in model.predict(OURS).to_dicts():
        assert shown.expected[row["level"]].row["rate"] == row["rate"]
    assert shown.rates == {LEVELS[0]: 0.2, LEVELS[1]: 0.9}
    assert shown.observed is not None
    assert shown.observed.height == 2


def test_reasons_are_those_that_predict_tells() -> None:
    model, table = DifficultyModel().fit(TABLE), OURS.drop("attempts", "successes")
    shown = forecast()
    for name, prediction in zip(LEVELS, predict_levels(model, table), strict=True):
        assert shown.expected[name].why == prediction.why


def test_each_level_begins_with_its_verdict() -> None:
    shown = forecast()
    page = report_page(all_reports(), ORIGIN, shown)
    for name, section in zip(LEVELS, level_sections(page), strict=True):
        row, text = shown.expected[name].row, visible(section)
        assert f"{row['rate']:.1%} of simulated players' attempts are expected to succeed" in text
        assert f"95% band {100 * row['low_95']:.1f} - {row['high_95']:.1%}" in text
        assert "attempts per success" in text
    assert "Observed, simulated players (cohort A): 20.0%." in visible(level_sections(page)[0])
    assert "Observed" not in visible(level_sections(page)[2])


def test_each_level_tells_why() -> None:
    shown = forecast()
    finding = Finding(
        "cells", "81% of lost attempts end with jelly left at a9.", 0.81, {"share": 0.81}, ("a9",)
    )
    heat = report_of(LEVELS[0]).played[0].statistics.heat
    explained = Losses("policy", 400, 390, {"moves": 390}, (finding,), heat)
    none = Losses("policy", 400, 3, {"moves": 3}, ())
    losses = dict.fromkeys(LEVELS, none) | {LEVELS[0]: explained}
    page = report_page(all_reports(), ORIGIN, shown, losses)
    first, second, *_ = level_sections(page)
    assert finding.sentence in visible(first)
    assert "By 390 lost attempts of 400 of policy; the moves ran out in 100% of them." in visible(first)
    assert all(reason in visible(first) for reason in shown.expected[LEVELS[0]].why)
    assert "Too few attempts are lost to say why: 3 of 400 of policy; it takes 30." in visible(second)
    rows = {row[1].split()[0]: row[4] for row in cells(page, "summary")}
    assert rows[LEVELS[0]] == finding.sentence
    assert rows[LEVELS[1]] == "Too few attempts are lost to say why."
    body = bodies_in(page)["level-1"]
    assert body.count('<svg class="board"') >= len(heat)
    assert f"% of {heat[0].lost} lost attempts of policy" in visible(body)


def test_provenance_comes_last() -> None:
    page = report_page(all_reports(), ORIGIN, forecast())
    ids = re.findall(r'<section[^>]* id="([^"]+)"', page)
    assert ids[0] == "index"
    assert ids[-1] == "origin"


def test_the_summary_has_predictions_hardest_first() -> None:
    shown = forecast()
    rows = cells(report_page(all_reports(), ORIGIN, shown), "summary")
    by_rate = sorted(LEVELS, key=lambda name: shown.expected[name].row["rate"])
    assert [row[1].split()[0] for row in rows] == by_rate
    assert rows[0][1] == f"{by_rate[0]} {limit_words(report_of(by_rate[0]).level)}"
    for row in rows:
        name = row[1].split()[0]
        assert f"{shown.expected[name].row['rate']:.1%}" in row[2]
        assert row[3] == (f"{shown.rates[name]:.1%}" if name in shown.rates else "-")


def test_predicted_against_observed() -> None:
    shown = forecast()
    page = report_page(all_reports(), ORIGIN, shown)
    values = values_of(charts_in(page)["predicted"])
    assert [(value["level"], value["observed"]) for value in values] == [(LEVELS[0], 0.2), (LEVELS[1], 0.9)]
    assert shown.observed is not None
    mae = shown.observed["delta"].abs().to_numpy().mean()
    assert f"off by {100 * mae:.1f} percentage points on average" in visible(page)


def test_without_results_of_players() -> None:
    page = report_page(all_reports(), ORIGIN, forecast(observed=False))
    assert all(name.startswith(("overview-", "level-")) for name in charts_in(page))
    for words in ("Predicted against observed", "worst misses", "Adjusted delta", "honest"):
        assert words not in page
    assert (
        len(cells(page, "summary")[0]) == 7
    )  # two agents' near misses and bottleneck, as no losses are told


def test_it_says_whom_the_model_is_of() -> None:
    simulated = visible(report_page([report_of(LEVELS[0])], ORIGIN, forecast()))
    assert "The model was fitted to simulated players, not to people." in simulated
    assert "40 levels, simulated players (some players)" in simulated
    people = visible(report_page([report_of(LEVELS[0])], ORIGIN, forecast(simulated=False)))
    assert "simulated" not in people
    assert "of players' attempts are expected to succeed" in people


def test_a_playtest_alone_has_no_verdict() -> None:
    page = report_page(all_reports(), ORIGIN)
    text = visible(page)
    assert "Playtest report" in text
    assert "no verdict on a level" in text
    assert 'class="verdict"' not in page
    assert not re.search(r"predicted|observed|simulated", text, re.IGNORECASE)


@pytest.mark.parametrize("target", [None, 0.4])
def test_charts_of_difficulty_and_limits_have_the_prediction_and_the_target(target: float | None) -> None:
    shown = replace_target(forecast(observed=False), target)
    specs = charts_in(report_page(all_reports(), ORIGIN, shown))
    for number, name in enumerate(LEVELS, start=1):
        rate = round(shown.expected[name].rate, 4)
        for chart in (f"level-{number}-success", f"level-{number}-limit", "overview-difficulty"):
            rows = [row for values in specs[chart]["datasets"].values() for row in values]
            assert any(row.get("rate") == rate and "agent" not in row for row in rows), (chart, name)
            assert any(row.get("target") == target for row in rows if "target" in row) is (target is not None)


def test_a_browser_draws_it(seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_page([report_of(name) for name in LEVELS[:2]], ORIGIN, forecast()), "utf-8")
    seen.open_all(path)
    assert seen.page.locator("[data-chart=predicted] svg.marks").count() == 1
    assert seen.said == []
    assert seen.asked == [path.as_uri()]


def test_rates_that_may_not_be_known(tmp_path: Path) -> None:
    level = NamedLevel(report_of(LEVELS[0]).level, (LEVELS[0],))
    with Database(str(tmp_path / "x.db")) as database:
        assert known_rates(database, [level]) is None
        row = {"level": LEVELS[0], "attempts": 4, "successes": 1, "source": "x.csv"}
        PlayerResults(database).add(pl.DataFrame([row]))
        known = known_rates(database, [level])
        assert known is not None
        assert known.rates["successes"].to_list() == [1]
        assert observed_rates(database, [level]).rates.equals(known.rates)
        assert known_rates(database, [level], "nobody") is None
