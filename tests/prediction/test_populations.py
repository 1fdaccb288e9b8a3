"""Models along a saga, of several populations, and with another model as their prior."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import log_expit, logit, logsumexp
from scipy.stats import chi2, norm

from levelsense.errors import PredictionError
from levelsense.prediction import model
from levelsense.prediction.evaluation import judged
from levelsense.prediction.explain import drift_words, model_words
from levelsense.prediction.levels import predict_levels
from levelsense.prediction.mixed.prior import INTERCEPT_VARIANCE
from levelsense.prediction.model import PENALTY_OF_FEW, DifficultyModel
from levelsense.prediction.populations import average_population
from levelsense.prediction.table import with_places, with_players
from tests.prediction.made_up import made_up_table

BIASES = (-0.8, -0.3, 0.0, 0.4, 0.9)


def results(bias: float, seed: int) -> pl.DataFrame:
    """What a population makes of the same levels: agents and levels by one seed, players by another."""
    table = saga()
    rng = np.random.default_rng(seed)
    rate = table["successes"] / table["attempts"]
    odds = (rate.clip(0.005, 0.995) / (1 - rate.clip(0.005, 0.995))).to_numpy()
    won = rng.binomial(400, 1 / (1 + np.exp(-np.log(odds) - bias)))
    return pl.DataFrame(
        {
            "level": table["level"],
            "attempts": np.full(table.height, 400),
            "successes": won,
            "design_effect": np.ones(table.height),
        }
    )


def saga(levels: int = 60) -> pl.DataFrame:
    return made_up_table(levels, seed=7, attempts=100, sigma=0.15)


@pytest.fixture(scope="module")
def several() -> DifficultyModel:
    table = saga().drop("attempts", "successes")
    populations = {f"population {bias}": results(bias, number) for number, bias in enumerate(BIASES)}
    return DifficultyModel(penalties=(10.0,)).fit_populations(table, populations, simulated=True)


def test_a_band_for_players_who_are_not_known_holds_each_population(several: DifficultyModel) -> None:
    assert several.populations_ is not None
    error = several.populations_.sigma / np.sqrt(60)  # of what is left of 60 levels' logits, on average
    assert several.populations_.shift == pytest.approx(np.std(BIASES, ddof=1), abs=2 * error)
    for bias in (-0.6, 0.7):
        levels = judged(several, with_players(saga().drop("attempts", "successes"), results(bias, 99)))
        assert levels["outside"].to_numpy().mean() < 0.1


def test_the_average_band_is_that_of_all_attempts_together(several: DifficultyModel) -> None:
    """Populations of equal size: a fit to the sums of their results, as of one population."""
    table = saga().drop("attempts", "successes")
    won = np.sum([results(bias, number)["successes"] for number, bias in enumerate(BIASES)], axis=0)
    sums = pl.DataFrame(
        {"level": table["level"], "attempts": np.full(60, 400 * len(BIASES)), "successes": won}
    )
    one = DifficultyModel(penalties=(10.0,), drift=False).fit(with_players(table, sums)).predict(table, 400)
    predicted = several.predict(table, 400)
    for end in ("low_50", "high_50", "low_95", "high_95"):
        assert predicted[f"average_{end}"].to_numpy() == pytest.approx(one[end].to_numpy(), abs=1e-9)


def test_the_band_for_players_who_are_not_known_by_plain_sums(several: DifficultyModel) -> None:
    """What lies below each end of a band, summed over a fine grid of what populations may differ by.

    The ends are those of 4,000 draws that are spread evenly: at most one standard error of as many draws that
    are independent off.
    """
    table, differ, grid = saga()[::12], several.populations_, several.mixed_._fitted()
    assert differ is not None
    likeliest, rows = int(np.argmax(grid.weights)), several.rows(table)
    columns = grid.scale.standardize(np.column_stack([np.ones(len(rows)), rows]))
    known = np.einsum("rp,pq,rq->r", columns, grid.covariances[likeliest], columns)
    known += several.sampling_variance(table) + several.unlike_variance(table)
    predicted = several.predict(table)
    steps = (np.arange(1000) + 0.5) / 1000
    scales = 4 / chi2.ppf(steps, 4)  # five populations tell what others may differ by
    sigmas = differ.sigma * np.exp(differ.spread * norm.ppf(steps[5::10]))
    for number, average in enumerate(columns @ grid.betas[likeliest]):
        departs = differ.shift**2 + (differ.slope * (average - differ.center)) ** 2
        level_variance = (sigmas * several.stretch(rows)[number]) ** 2 + known[number]
        spread = np.sqrt(np.add.outer(scales * departs, level_variance))
        for end, share in (("low_95", 0.025), ("low_50", 0.25), ("high_50", 0.75), ("high_95", 0.975)):
            below = norm.cdf((logit(predicted[end][number]) - average) / spread).mean()
            assert below == pytest.approx(share, abs=np.sqrt(share * (1 - share) / 4000)), end


def test_populations_count_alike_in_their_average() -> None:
    table = saga().head(2)
    first, second = table["level"]
    level_by_level = {
        "two in three": ([first, second], [100, 90], [50, 60], [4.0, 1.0]),
        "few attempts": ([first, second], [30, 60], [21, 20], [1.0, 2.0]),
        "one level only": ([first], [1000], [0], [1.0]),
    }
    names = ("level", "attempts", "successes", "design_effect")
    populations = {
        name: pl.DataFrame(dict(zip(names, columns, strict=True))) for name, columns in level_by_level.items()
    }
    average = average_population(table.drop("attempts", "successes"), populations)
    # 25 independent attempts and 30 at 50 % and 70 %: twice 25 at 60 %; then 90 and 30 at 2/3 and 1/3.
    assert average.select("attempts", "successes").rows() == [(50, 30), (60, 30)]


def test_it_is_saved_and_read(several: DifficultyModel, tmp_path: Path) -> None:
    several.save(tmp_path / "m.json")
    read = DifficultyModel.load(tmp_path / "m.json")
    assert read.populations_ is not None
    assert read.populations_.names == tuple(f"population {bias}" for bias in BIASES)
    table = saga().head(5)
    assert np.allclose(read.predict(table)["low_95"], several.predict(table)["low_95"], atol=1e-4)
    assert "simulated players (5 populations)" in model_words(read.origin_)


def test_predictions_tell_the_rank_and_both_bands(several: DifficultyModel) -> None:
    predictions = predict_levels(several, saga(), 0.4)
    ranks = [prediction.harder_than for prediction in predictions]
    rates = [prediction.rate for prediction in predictions]
    assert np.argmin(ranks) == np.argmax(rates)
    assert np.corrcoef(np.argsort(np.argsort(rates)), ranks)[0, 1] < -0.95
    for prediction in predictions:
        assert prediction.average_95 is not None
        low, high = prediction.average_95
        assert prediction.band_95[0] < low < prediction.rate < high < prediction.band_95[1]
    own_fit = predict_levels(DifficultyModel(penalties=(10.0,)).fit(saga()), saga())
    assert own_fit[0].average_95 is None
    assert "average_low_95" not in own_fit[0].as_data()


def by_plain_maximum(several: DifficultyModel, fitted: DifficultyModel, few: pl.DataFrame, rest: Any) -> Any:
    """Logits to expect of other levels: the few levels' at the summit of prior and counts, carried over.

    What levels have in common by the prior is their covariance; a level's own logit is integrated over a fine
    grid.
    """
    differ, coefficients = several.populations_, several.mixed_.coef_
    assert differ is not None
    seen, new = several.rows(few), several.rows(rest)
    average, asked = (coefficients[0] + columns @ coefficients[1:] for columns in (seen, new))

    def common(columns: Any, logits: Any) -> Any:
        slopes = differ.slope**2 * np.outer(logits - differ.center, average - differ.center)
        return differ.shift**2 + INTERCEPT_VARIANCE + slopes + columns @ seen.T / PENALTY_OF_FEW

    together = np.linalg.inv(common(seen, average))
    deviation = np.sqrt((fitted.mixed_.sigma_ * fitted.stretch(seen)) ** 2 + fitted.sampling_variance(few))
    away = np.linspace(-9, 9, 4001)
    won, lost = few["successes"].to_numpy(), (few["attempts"] - few["successes"]).to_numpy()

    def height(logits: Any) -> float:
        inner = logits[:, None] + deviation[:, None] * away
        logs = won[:, None] * log_expit(inner) + lost[:, None] * log_expit(-inner) - away**2 / 2
        moved = logits - average
        return float(moved @ together @ moved / 2 - logsumexp(logs, axis=1).sum())

    summit = minimize(height, average, method="BFGS", options={"gtol": 1e-6})
    return asked + common(new, asked) @ together @ (summit.x - average)


def test_a_few_levels_with_a_prior_beat_as_many_alone(several: DifficultyModel) -> None:
    few, rest = few_and_rest()
    errors = [
        float(judged(DifficultyModel(prior=prior).fit(few), rest)["delta"].abs().mean())  # type: ignore[arg-type]
        for prior in (several, None)
    ]
    assert errors[0] < 0.7 * errors[1]
    assert DifficultyModel(prior=several).fit(few).populations_ is None  # of one, whose results it has seen


def test_a_few_levels_with_a_prior_by_a_plain_maximum(
    several: DifficultyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "ROUNDS", 9)  # slopes and sampling variance agree by then
    few, rest = few_and_rest()
    fitted = DifficultyModel(prior=several, drift=False).fit(few)
    logits = fitted.logits(rest)
    assert logits == pytest.approx(by_plain_maximum(several, fitted, few, rest), abs=1e-4)
    assert np.abs(logits - several.logits(rest)).min() > 0.3  # these five levels say a lot


def few_and_rest() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Five levels with results of a population that is better than the others, and the other levels."""
    table = with_players(saga().drop("attempts", "successes"), results(0.7, 50))
    return table.head(5), table.slice(5)


def test_a_model_of_one_population_is_no_prior() -> None:
    one = DifficultyModel(penalties=(10.0,)).fit(saga(), "cohort A")
    with pytest.raises(PredictionError, match=r"prior: a model of one population \(cohort A\)"):
        DifficultyModel(prior=one).fit(saga().head(5))


def drifting(change: float) -> pl.DataFrame:
    """A saga at which players get better by so many logits."""
    table = made_up_table(150, seed=3, attempts=200, sigma=0.1, players=2000)
    rate = table["successes"] / table["attempts"]
    odds = (rate.clip(0.002, 0.998) / (1 - rate.clip(0.002, 0.998))).to_numpy()
    moved = 1 / (1 + np.exp(-np.log(odds) - change * np.arange(150) / 150))
    return table.with_columns(successes=pl.Series(np.round(2000 * moved).astype(int)))


def test_players_who_change_are_followed_along_the_saga(tmp_path: Path) -> None:
    table = with_places(drifting(1.0), 1)
    fitted = DifficultyModel(penalties=(10.0,)).fit(table.head(110))
    after = judged(fitted, table.slice(110))
    still = judged(DifficultyModel(penalties=(10.0,), drift=False).fit(table.head(110)), table.slice(110))
    assert abs(float(after["delta"].mean())) < 0.03 < -float(still["delta"].mean())  # type: ignore[arg-type]
    (sentence,) = drift_words(fitted)
    assert sentence.startswith("players change along the saga")
    # A level of the fit is asked about at its own place, another one as the next.
    fitted.save(tmp_path / "m.json")
    read = DifficultyModel.load(tmp_path / "m.json")
    first = table.head(1).drop("place")
    known, new = read.predict(first), read.predict(first.with_columns(level=pl.lit("a new one")))
    placed = read.predict(first.with_columns(place=pl.lit(111)))
    assert known["rate"][0] < new["rate"][0]
    assert new["rate"][0] == placed["rate"][0]
    assert drift_words(DifficultyModel(penalties=(10.0,)).fit(drifting(0.0))) == []
    with pytest.raises(PredictionError, match="`place` 0; expected the place of a level, from 1 on"):
        with_places(table, 0)
