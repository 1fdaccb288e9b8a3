"""The page about an evaluation: it tells the evaluation's numbers, and a browser draws all of it."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from levelsense.game.state import RULES_VERSION
from levelsense.prediction.evaluation import THIRDS, evaluate
from levelsense.prediction.verdict import trust_sentence
from levelsense.report.forecast import MOST_MISSES
from levelsense.report.page import Origin, evaluation_specs, judged_by, prediction_page
from levelsense.report.prediction_charts import judged_charts
from levelsense.report.rendering import chart_library
from tests.prediction.made_up import made_up_table
from tests.report.browser import Seen
from tests.report.evaluations import AGENTS, FIRST, LEVELS, PLAYERS, SEED, TURNED, evaluation
from tests.report.test_charts import axes
from tests.report.test_page import TEXTS_THAT_ARE_CUT

ORIGIN = Origin(seed=7, version="1.2.3", made="2025-01-31")
CHARTS = list(judged_charts(judged_by(evaluation())))


@pytest.fixture(scope="module")
def page() -> str:
    return prediction_page(evaluation(), ORIGIN)


@pytest.fixture(scope="module")
def written(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("prediction") / "page.html"
    path.write_text(page, encoding="utf-8")
    return path


def visible(page: str) -> str:
    """What a page says, without its scripts, styles and marks."""
    text = re.sub(r"<(script|style).*?</\1>", " ", page.replace(chart_library(), ""), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def cells(page: str, table: str) -> list[list[str]]:
    """The cells of a table's body."""
    match = re.search(rf'<table[^>]*id="{table}".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    assert match
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", match[1], re.DOTALL)
    return [
        [visible(cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
        for row in rows
    ]


def charts_in(page: str) -> dict[str, Any]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    return dict(json.loads(match[1])["specs"])


def level_sections(page: str) -> list[str]:
    """What is told of each level before its charts, in the order of the page."""
    return re.findall(r'<details class="level" .*?</details>', page, re.DOTALL)


def bodies_in(page: str) -> dict[str, str]:
    """What is put into the page when a level is opened, by the level's place."""
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    return dict(json.loads(match[1])["bodies"])


def values_of(spec: Any) -> list[dict[str, Any]]:
    """The values that all layers of a chart share."""
    return list(spec["datasets"][spec["data"]["name"]])


def test_headline_figures_in_words(page: str) -> None:
    judged, text = evaluation().figures, visible(page)
    outside = round(judged.outside * judged.levels)
    assert f"Fitted to {FIRST} levels and judged on the next {LEVELS - FIRST}" in text
    assert f"by {100 * judged.mae:.1f} percentage points on average (MAE)" in text
    assert f"{outside} of {LEVELS - FIRST} observed rates ({judged.outside:.1%}) lie outside" in text
    assert f"is {judged.sigma:.2f} logits" in text
    for fact in ("1.2.3", f"rules version {RULES_VERSION}", "2025-01-31", "strong, 200"):
        assert fact in text


def test_it_begins_with_how_far_to_trust_it(page: str) -> None:
    judged, text = evaluation(), visible(page)
    off = sorted(abs(delta) for delta in judged.levels["delta"])
    usual = off[-(-9 * len(off) // 10) - 1]  # nine in ten are at most so far off
    sentence = (
        f"Trust it to within about {100 * usual:.0f} points: at {LEVELS - FIRST} levels that it had not "
        f"seen, the prediction was off by {100 * judged.figures.mae:.1f} percentage points of the success "
        f"rate of simulated players on average, by at most {100 * usual:.1f} at 90% of them; "
        f"{1 - judged.figures.outside:.1%} lay in the 95% band."
    )
    assert trust_sentence(judged) == sentence
    assert text.index(sentence) < text.index("How good the predictions are")
    ids = re.findall(r'<section[^>]* id="([^"]+)"', page)
    assert ids[-1] == "origin"


def test_what_is_not_to_be_trusted() -> None:
    judged = evaluation()
    narrow = replace(judged, figures=replace(judged.figures, outside=0.3))
    assert "points, but not its bands, which are too narrow: at" in trust_sentence(narrow)
    useless = replace(judged, figures=replace(judged.figures, mae=judged.baselines[0].mae))
    assert trust_sentence(useless).startswith("Do not trust it yet, the mean of all levels does as well: at")


def test_the_model_against_the_baselines(page: str) -> None:
    judged = evaluation()
    rows = cells(page, "baselines")
    assert [row[0] for row in rows] == [
        "the model",
        "the mean",
        "features alone",
        "strong alone",
        "weak alone",
    ]
    for row, each in zip(rows, (judged.figures, *judged.baselines), strict=True):
        assert row[1:5] == [
            f"{each.mae:.1%}",
            f"{each.outside:.1%}",
            f"{each.sigma:.2f}",
            f"{each.width:.1%}",
        ]
        assert row[5] == f"{100 * each.delta[0]:+.1f} (SD {100 * each.delta[1]:.1f})"
        assert row[6] == f"{each.adjusted[0]:+.3f} (SD {each.adjusted[1]:.3f})"


def test_thirds(page: str) -> None:
    judged = evaluation()
    for row, each in zip(cells(page, "thirds"), (judged.figures, *judged.baselines), strict=True):
        assert row[1::2] == [f"{mae:.1%}" for mae in each.mae_thirds]
        assert row[2::2] == [f"{outside:.1%}" for outside in each.outside_thirds]
    assert all(third in visible(page) for third in THIRDS)


def test_the_worst_misses(page: str) -> None:
    levels = evaluation().levels.with_columns(miss=evaluation().levels["delta"].abs())
    clearly_off = levels.filter((pl.col("miss") >= 0.05) | pl.col("outside"))
    worst = clearly_off.sort("miss", descending=True).head(MOST_MISSES).to_dicts()
    rows = cells(page, "misses")
    assert 5 < len(rows) == len(worst) <= MOST_MISSES == 10
    for row, expected in zip(rows, worst, strict=True):
        assert row[:3] == [expected["level"], f"{expected['observed']:.1%}", f"{expected['rate']:.1%}"]
        band = f"{100 * expected['low_95']:.1f} - {expected['high_95']:.1%}"
        assert row[3] == band + (" ▲ outside" if expected["outside"] else "")
        assert row[4].startswith(f"{100 * expected['delta']:+.1f} points")
    assert f"The {len(rows)} levels with the largest difference" in visible(page)


def test_own_rates_are_no_predictions(page: str) -> None:
    levels = evaluation().levels
    rows = cells(page, "own-rates")
    assert [row[0] for row in rows] == ["predicted", "strong's own rate", "weak's own rate"]
    for row, column in zip(rows, ("rate", *AGENTS), strict=True):
        deltas = (levels[column] - levels["observed"]).to_numpy()
        assert row[1] == f"{100 * deltas.mean():+.1f} (SD {100 * deltas.std(ddof=1):.1f})"
    assert rows[0][1:] == cells(page, "baselines")[0][5:]
    boxes = {value["who"] for value in values_of(charts_in(page)["accumulated"])}
    assert boxes == {"simulated players", "predicted", "strong's own rate", "weak's own rate"}
    assert "strong alone is a prediction made from strong's rate" in visible(page)


def test_points_of_the_chart_are_the_levels(page: str) -> None:
    values = values_of(charts_in(page)["predicted"])
    levels = evaluation().levels
    assert [value["level"] for value in values] == levels["level"].to_list()
    for key in ("rate", "observed", "low_95", "high_95"):
        assert [value[key] for value in values] == pytest.approx(levels[key].to_list(), abs=1e-4)
    marked = [value["where"].startswith("outside") for value in values]
    assert marked == levels["outside"].to_list()
    assert [value["level"] for value in values if value["where"].startswith("outside")] == list(TURNED)


def test_simulated_players_are_called_simulated(page: str) -> None:
    text = visible(page)
    assert "These are simulated players, not people." in text
    assert text.count("simulated players") > 10
    specs = charts_in(page)
    assert "simulated players" in json.dumps(specs["predicted"]["layer"])
    assert "simulated players" in {value["who"] for value in values_of(specs["accumulated"])}


def test_people_are_not() -> None:
    text = visible(prediction_page(evaluation(simulated=False)))
    assert "simulated" not in text.lower()
    assert "the success rate of players by" in text


def test_without_agents() -> None:
    """A model of features alone: nobody but the prediction is compared."""
    judged = evaluate(made_up_table(LEVELS, seed=SEED), FIRST, agents=())
    specs = evaluation_specs(judged)
    assert {name for name in specs if name.startswith("delta")} == {"delta-0", "delta-boxes"}
    assert "Agents, attempts a level none" in visible(prediction_page(judged))


def test_nobody_could_do_better() -> None:
    """Without baselines nothing is compared."""
    alone = replace(evaluation(), baselines=())
    assert "best baseline" not in visible(prediction_page(alone))


@pytest.mark.parametrize("name", CHARTS)
def test_charts_say_what_they_show(name: str) -> None:
    """to_dict checks a chart against the schema of Vega-Lite."""
    spec = judged_charts(judged_by(evaluation()))[name].to_dict()
    assert spec["title"]["text"]
    assert spec["title"]["subtitle"]
    titles = [
        definition.get("title") or definition.get("axis", {}).get("title")
        for _, definition in axes(spec)
        if definition.get("title") or definition.get("axis", {}).get("title")
    ]
    assert titles
    assert all("(" in title for title in titles), "an axis says its unit"


def test_names_are_texts_and_never_code(page: str) -> None:
    assert PLAYERS not in page
    assert html.escape(PLAYERS) in page


def test_nothing_is_fetched_and_no_number_is_missing(page: str) -> None:
    text = page.replace(chart_library(), "")
    assert "default-src 'none'" in text
    assert re.findall(r"""(?:src|href)=["'](?!#)""", text) == []
    assert json.dumps(evaluation_specs(evaluation()), allow_nan=False)


def test_the_same_evaluation_gives_the_same_page(page: str) -> None:
    assert prediction_page(evaluation(), ORIGIN) == page


def test_a_browser_draws_every_chart(seen: Seen, written: Path) -> None:
    seen.open_all(written)
    places = seen.page.locator("[data-chart]")
    assert places.count() == len(CHARTS)
    for k in range(places.count()):
        drawing = places.nth(k).locator("svg.marks")
        assert drawing.count() == 1, places.nth(k).get_attribute("data-chart")
        assert drawing.locator("path[d]").count() > 3
    overflowing = seen.page.evaluate(
        "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).length"
    )
    assert overflowing == 0
    assert seen.said == []
    assert seen.asked == [written.as_uri()]


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_is_cut_off(seen: Seen, written: Path, width: int) -> None:
    """Neither titles, names beside axes nor legends."""
    seen.page.set_viewport_size({"width": width, "height": 900})
    seen.open_all(written)
    assert seen.page.evaluate(TEXTS_THAT_ARE_CUT) == []
    texts = seen.page.locator("svg.marks text").all_text_contents()
    assert "upper half of the 50% band" in texts
    assert not [text for text in texts if "…" in text]


def test_a_click_sorts_the_misses(seen: Seen, written: Path) -> None:
    seen.open(written)
    seen.page.click("#misses th:nth-child(1) button")
    names = seen.page.locator("#misses tbody tr td:nth-child(1)").all_inner_texts()
    assert names == sorted(names)
