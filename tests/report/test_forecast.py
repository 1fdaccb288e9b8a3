"""Predictions in the report of a playtest."""

import re
from pathlib import Path

import polars as pl

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
from tests.report.test_prediction_page import cells, charts_in, values_of, visible

ORIGIN = Origin(seed=7, version="1.2.3", made="2025-01-31")
TABLE = made_up_table(40)
OURS = TABLE.head(len(LEVELS)).with_columns(level=pl.Series(LEVELS))
RATES = pl.DataFrame({"level": LEVELS[:2], "attempts": [50, 50], "successes": [10, 45]})


def forecast(simulated: bool = True, observed: bool = True) -> Forecast:
    model = DifficultyModel().fit(TABLE, "some players", simulated)
    ours = OURS.drop("attempts", "successes")
    return forecast_of(model, ours, Observed(RATES, "cohort A", simulated) if observed else None)


def test_predictions_are_those_of_the_model() -> None:
    model = DifficultyModel().fit(TABLE)
    found = forecast()
    for row in model.predict(OURS).to_dicts():
        assert found.expected[row["level"]].row["rate"] == row["rate"]
    assert found.rates == {LEVELS[0]: 0.2, LEVELS[1]: 0.9}
    assert found.observed is not None
    assert found.observed.height == 2


def test_reasons_are_those_that_predict_tells() -> None:
    model, table = DifficultyModel().fit(TABLE), OURS.drop("attempts", "successes")
    found = forecast()
    for name, prediction in zip(LEVELS, predict_levels(model, table), strict=True):
        assert found.expected[name].why == prediction.why


def test_each_section_begins_with_its_prediction() -> None:
    found = forecast()
    page = report_page(all_reports(), ORIGIN, found)
    sections = re.findall(r'<section class="level" id="level-\d">(.*?)</section>', page, re.DOTALL)
    for name, section in zip(LEVELS, sections, strict=True):
        row, text = found.expected[name].row, visible(section)
        assert f"{row['rate']:.1%} of simulated players' attempts succeed" in text
        assert f"50% band {100 * row['low_50']:.1f} - {row['high_50']:.1%}" in text
        assert f"95% band {100 * row['low_95']:.1f} - {row['high_95']:.1%}" in text
        assert "attempts per success" in text
        assert found.expected[name].why
        assert all(reason in text for reason in found.expected[name].why)
        assert text.index("Predicted") < text.index(" wins ")
    assert "Observed, simulated players (cohort A): 20.0%." in visible(sections[0])
    assert "Observed" not in visible(sections[2])


def test_the_summary_has_predictions_hardest_first() -> None:
    found = forecast()
    rows = cells(report_page(all_reports(), ORIGIN, found), "summary")
    by_rate = sorted(LEVELS, key=lambda name: found.expected[name].row["rate"])
    assert [row[1].split()[0] for row in rows] == by_rate
    assert rows[0][1] == f"{by_rate[0]} {limit_words(report_of(by_rate[0]).level)}"
    for row in rows:
        name = row[1].split()[0]
        assert f"{found.expected[name].row['rate']:.1%}" in row[2]
        assert row[3] == (f"{found.rates[name]:.1%}" if name in found.rates else "-")


def test_predicted_against_observed() -> None:
    found = forecast()
    page = report_page(all_reports(), ORIGIN, found)
    values = values_of(charts_in(page)["predicted"])
    assert [(value["level"], value["observed"]) for value in values] == [(LEVELS[0], 0.2), (LEVELS[1], 0.9)]
    assert found.observed is not None
    mae = found.observed["delta"].abs().to_numpy().mean()
    assert f"off by {100 * mae:.1f} percentage points on average" in visible(page)


def test_without_results_of_players() -> None:
    page = report_page(all_reports(), ORIGIN, forecast(observed=False))
    assert all(name.startswith(("overview-", "level-")) for name in charts_in(page))
    for words in ("Predicted against observed", "worst misses", "Adjusted delta", "honest"):
        assert words not in page
    assert len(cells(page, "summary")[0]) == 7


def test_it_says_whom_the_model_is_of() -> None:
    simulated = visible(report_page([report_of(LEVELS[0])], ORIGIN, forecast()))
    assert "The model was fitted to simulated players, not to people." in simulated
    assert "40 levels, simulated players (some players)" in simulated
    people = visible(report_page([report_of(LEVELS[0])], ORIGIN, forecast(simulated=False)))
    assert "simulated" not in people
    assert "of players' attempts succeed" in people


def test_a_playtest_is_told_as_before() -> None:
    text = visible(report_page(all_reports(), ORIGIN))
    assert "Playtest report" in text
    assert not re.search(r"player|verdict|very easy", text, re.IGNORECASE)
    assert 'class="verdict"' not in report_page(all_reports(), ORIGIN)
    assert not re.search(r"predict|observed|simulated", text, re.IGNORECASE)


def test_a_browser_draws_it(seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_page([report_of(name) for name in LEVELS[:2]], ORIGIN, forecast()), "utf-8")
    seen.open(path)
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
