"""How predictions are judged, by hand and on made-up sagas."""

import json

import numpy as np
import polars as pl
import pytest

from levelsense.errors import PredictionError
from levelsense.prediction.evaluation import (
    THIRDS,
    Evaluation,
    _baselines,
    accumulated,
    by_ends,
    evaluate,
    evaluation_data,
    figures,
    judged,
    spreads,
)
from levelsense.prediction.features import FEATURES
from levelsense.prediction.model import DifficultyModel
from tests.prediction.made_up import made_up_table


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(made_up_table(200, seed=11), 140, "made-up players", simulated=True)


class FixedModel(DifficultyModel):
    """Says what it is told to."""

    def __init__(self, predictions: pl.DataFrame) -> None:
        super().__init__()
        self.predictions = predictions
        self.attempts: object = None

    def predict(self, table: pl.DataFrame, attempts: object = None) -> pl.DataFrame:
        self.attempts = attempts
        return self.predictions

    def placed(self, table: pl.DataFrame) -> pl.DataFrame:
        return table


def test_judging_by_hand() -> None:
    table = made_up_table(3).with_columns(attempts=pl.lit(100), successes=pl.Series([10, 50, 100]))
    said = pl.DataFrame(
        {
            "level": table["level"],
            "rate": [0.2, 0.5, 0.9],
            "mean": [0.2, 0.5, 0.9],
            "needed": [5.0, 2.0, 1.1],
            "low_95": [0.11, 0.4, 0.8],
            "high_95": [0.3, 0.6, 1.0],
        }
    )
    levels = judged(FixedModel(said), table)
    assert levels["observed"].to_list() == [0.1, 0.5, 1.0]
    assert levels["delta"].to_list() == pytest.approx([0.1, 0, -0.1])
    assert levels["outside"].to_list() == [True, False, False]
    assert levels["third"].to_list() == list(THIRDS)
    middles = np.array([10.5, 50.5, 100.5]) / 101
    assert levels["adjusted"].to_list() == pytest.approx(
        list(np.array([0.1, 0, -0.1]) / np.sqrt(middles * (1 - middles)))
    )


def test_levels_are_judged_by_the_band_of_what_is_observed() -> None:
    """Its ends can be seen themselves, and belong to it; the order of levels is not that of their rates."""
    table = made_up_table(3).with_columns(attempts=pl.lit(100), successes=pl.Series([90, 10, 40]))
    ends = {"low_95": [0.5, 0.1, 0.41], "high_95": [0.9, 0.3, 0.5]}
    said = pl.DataFrame({"level": table["level"], "rate": [0.7, 0.2, 0.45], **ends})
    model = FixedModel(said)
    levels = judged(model, table)
    assert np.array_equal(np.asarray(model.attempts), [100, 100, 100])
    assert levels["outside"].to_list() == [False, False, True]
    assert levels["third"].to_list() == [THIRDS[2], THIRDS[0], THIRDS[1]]


def test_figures_by_hand(evaluation: Evaluation) -> None:
    levels = evaluation.levels
    computed = figures("x", evaluation.model, levels)
    delta = levels["rate"].to_numpy() - levels["observed"].to_numpy()
    assert computed.mae == pytest.approx(np.abs(delta).mean())
    assert computed.delta == pytest.approx((delta.mean(), delta.std(ddof=1)))
    assert computed.outside == pytest.approx(
        1 - levels["observed"].is_between(levels["low_95"], levels["high_95"]).mean()  # type: ignore[operator]
    )
    assert computed.sigma == evaluation.model.mixed_.sigma_
    assert computed.width == pytest.approx((levels["high_95"] - levels["low_95"]).mean())
    shares = levels.group_by("third").agg(pl.col("outside").mean())
    outside = dict(shares.iter_rows())
    assert computed.outside_thirds == pytest.approx([outside[third] for third in THIRDS])
    sizes = [levels.filter(pl.col("third") == third).height for third in THIRDS]
    assert sizes == [20, 20, 20]
    assert np.dot(sizes, computed.mae_thirds) / 60 == pytest.approx(computed.mae)
    hardest, _, easiest = (levels.filter(pl.col("third") == third)["observed"] for third in THIRDS)
    assert hardest.max() <= easiest.min()  # type: ignore[operator]


def test_the_model_is_better_than_every_baseline(evaluation: Evaluation) -> None:
    names = [baseline.name for baseline in evaluation.baselines]
    assert names == ["the mean", "features alone", "strong alone", "weak alone"]
    assert all(evaluation.figures.mae < baseline.mae for baseline in evaluation.baselines)


def test_a_baseline_knows_what_its_name_says() -> None:
    names = {name: columns.names for name, columns in _baselines(("a",)).items()}
    assert names == {
        "the mean": (),
        "features alone": tuple(FEATURES),
        "a alone": ("a: rate", "a: never", "a: always"),
    }


@pytest.mark.slow
def test_what_comes_later_is_not_looked_at() -> None:
    table = made_up_table(120, seed=12)
    changed = table.with_columns(
        successes=pl.when(pl.int_range(pl.len()) < 90).then("successes").otherwise(0)
    )
    ours, theirs = evaluate(table, 90).levels, evaluate(changed, 90).levels
    assert ours["rate"].equals(theirs["rate"])
    assert ours["low_50"].to_list() != theirs["observed"].to_list()


def test_rates_are_accumulated_in_saga_order(evaluation: Evaluation) -> None:
    sums = accumulated(evaluation.levels, ["strong"])
    assert sums.columns == ["level", "players", "predicted", "strong"]
    assert sums["players"][-1] == pytest.approx(evaluation.levels["observed"].sum())
    assert sums["predicted"][1] == pytest.approx(evaluation.levels["rate"][:2].sum())
    assert sums["level"].equals(evaluation.levels["level"])


def test_own_rates_without_a_model() -> None:
    levels = pl.DataFrame(
        {
            "attempts": [9, 9],
            "successes": [0, 9],
            "observed": [0.0, 1.0],
            "rate": [0.5, 0.5],
            "weak": [0.1, 0.7],
        }
    )
    # Deltas 0.1 and -0.3; p is 0.05 and 0.95, so that sqrt(p (1 - p)) is the same for both.
    spread = spreads(levels, "weak")
    assert spread["delta"] == pytest.approx((-0.1, 0.4 / np.sqrt(2)))
    assert spread["adjusted"] == pytest.approx(np.array(spread["delta"]) / np.sqrt(0.05 * 0.95))
    assert spreads(levels, "rate")["delta"] == pytest.approx((0.0, np.sqrt(0.5)))


def test_the_spread_of_predictions_is_that_of_the_figures(evaluation: Evaluation) -> None:
    spread = spreads(evaluation.levels, "rate")
    assert spread["delta"] == pytest.approx(evaluation.figures.delta)
    assert spread["adjusted"] == pytest.approx(evaluation.figures.adjusted)


def test_as_data_it_is_json(evaluation: Evaluation) -> None:
    data = json.loads(json.dumps(evaluation_data(evaluation), allow_nan=False))
    assert data["simulated"] is True
    assert (data["fitted"], data["judged"]) == (140, 60)
    assert data["figures"]["mae"] == evaluation.figures.mae
    assert list(data["own_rates"]) == ["strong", "weak"]
    deltas = evaluation.levels["weak"] - evaluation.levels["observed"]
    assert data["own_rates"]["weak"]["delta"][0] == pytest.approx(deltas.mean())


@pytest.mark.parametrize("first", [0, 2, 28, 99])
def test_there_must_be_levels_to_fit_to_and_to_judge(first: int) -> None:
    with pytest.raises(PredictionError, match=f"first: {first}; of 30 levels with players' results"):
        evaluate(made_up_table(30), first)


def test_levels_where_an_agent_is_at_an_end_are_told_apart() -> None:
    levels = pl.DataFrame(
        {"level": ["a", "b", "c", "d"], "x": [0.0, 0.5, 0.2, 1.0], "y": [0.1, 1.0, 0.9, 0.3]}
    )
    ends, others = by_ends(levels, ("x", "y")).values()
    assert ends["level"].to_list() == ["a", "b", "d"]
    assert others["level"].to_list() == ["c"]
    assert by_ends(levels, ("y",))["no agent did"]["level"].to_list() == ["a", "c", "d"]
    assert by_ends(levels, ())["no agent did"].height == 4
