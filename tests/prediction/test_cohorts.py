"""Several cohorts in one fit: offsets that are known, and results of all as those of one."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from levelsense.errors import PredictionError
from levelsense.prediction.cohorts import CohortCounts, cohort_effects, pooled
from levelsense.prediction.model import DifficultyModel
from tests.prediction.made_up import made_up_table

SAGA = made_up_table(90, seed=5)
OFFSETS = {"DE": 0.5, "FR": 0.0, "UK": -0.7}


def results(
    table: pl.DataFrame, offset: float, levels: slice, seed: int, attempts: int = 400, kappa: Any = 0.0
) -> pl.DataFrame:
    """Results of a cohort at a part of the levels: the players' logits of the table and an offset."""
    part = table[levels]
    rates = expit(logit((part["successes"] + 0.5) / (part["attempts"] + 1)).to_numpy() + offset + kappa)
    won = np.random.default_rng(seed).binomial(attempts, rates)
    return pl.DataFrame(
        {"level": part["level"], "attempts": attempts, "successes": won, "design_effect": 1.0}
    )


def cohorts(parts: dict[str, slice]) -> dict[str, pl.DataFrame]:
    return {
        name: results(SAGA, OFFSETS[name], levels, seed) for seed, (name, levels) in enumerate(parts.items())
    }


ALL_LEVELS = dict.fromkeys(OFFSETS, slice(0, 90))
OVERLAPPING = {"DE": slice(0, 50), "FR": slice(30, 80), "UK": slice(60, 90)}
APART = {"DE": slice(0, 90, 2), "UK": slice(1, 90, 2)}


PARTS = {"the same levels": ALL_LEVELS, "some levels in common": OVERLAPPING, "no level in common": APART}


@cache
def fitted(parts: str) -> DifficultyModel:
    return DifficultyModel().fit_cohorts(SAGA, cohorts(PARTS[parts]), "all of them")


@pytest.mark.slow
@pytest.mark.parametrize(("of", "most"), list(zip(PARTS, (0.02, 0.1, 0.2), strict=True)))
def test_offsets_are_found_with_errors_that_fit_what_is_known(of: str, most: float) -> None:
    model, parts = fitted(of), PARTS[of]
    effects, names = model.cohorts_, list(parts)
    for name, other in pairwise(names):
        difference = effects[name].offset - effects[other].offset
        error = float(np.hypot(effects[name].error, effects[other].error))
        assert difference == pytest.approx(OFFSETS[name] - OFFSETS[other], abs=3 * error)
        assert effects[name].error < most
    weights = np.array([400 * len(range(*parts[name].indices(90))) for name in names])
    assert np.average([effects[name].offset for name in names], weights=weights) == pytest.approx(0, abs=1e-6)
    assert model.origin_.players == "all of them"


@pytest.mark.slow
def test_cohorts_at_the_same_levels_are_compared_level_by_level() -> None:
    same = DifficultyModel().fit_cohorts(SAGA, cohorts(dict.fromkeys(("DE", "UK"), slice(0, 90)))).cohorts_
    apart = fitted("no level in common").cohorts_
    # Kappa is the same for both cohorts where they share a level, and counts against neither.
    assert same["UK"].error < 0.4 * apart["UK"].error


def test_offsets_are_those_of_the_likelihood() -> None:
    """The same summit by a general optimizer: coefficients, offsets and kappas together."""
    draws = np.random.default_rng(2)
    columns = np.column_stack([np.ones(8), draws.normal(size=8)])
    tried = draws.integers(5, 40, size=(3, 8)).astype(float)
    tried[0, :3] = tried[2, 6:] = 0
    won = np.minimum(tried, draws.integers(0, 30, size=(3, 8)))
    counts = CohortCounts(("a", "b", "c"), won, tried, tried)
    precision, spread = np.diag([0.1, 2.0]), np.full(8, 0.3)
    effects = cohort_effects(counts, columns, np.array([0.2, 0.5]), precision, spread)

    def height(free: Any) -> float:
        beta, offsets, kappa = free[:2], free[2:5], free[5:]
        logits = columns @ beta + kappa + offsets[:, None]
        likelihood = won * logits - tried * np.logaddexp(0, logits)
        away = beta - [0.2, 0.5]
        prior = away @ precision @ away + (offsets**2).sum() + (kappa**2 / spread).sum()
        return float(prior / 2 - likelihood.sum())

    best = minimize(height, np.zeros(13), method="BFGS", options={"gtol": 1e-9}).x[2:5]
    centered = best - tried.sum(axis=1) / tried.sum() @ best
    assert [effect.offset for effect in effects.values()] == pytest.approx(centered.tolist(), abs=1e-5)


def test_without_offsets_results_are_simply_added() -> None:
    parts = cohorts(OVERLAPPING)
    table = SAGA.drop("attempts", "successes")
    together = pooled(table, CohortCounts.of(table, parts), np.zeros(3))
    summed = pl.concat(parts.values()).group_by("level").agg(pl.col("attempts", "successes").sum())
    joined = together.join(summed, on="level", suffix="_summed")
    assert joined.height == 90
    assert (joined["attempts"] == joined["attempts_summed"]).all()
    assert (joined["successes"] == joined["successes_summed"]).all()
    assert joined["design_effect"].to_list() == pytest.approx([1.0] * 90)


def test_with_offsets_results_are_those_of_the_average_cohort() -> None:
    table = pl.DataFrame({"level": ["easy", "never", "always", "nobody"], "parts": [[], [], [], []]})
    rate = 0.4
    rates = expit(logit(rate) + np.array([1.0, -1.0]))
    parts = {
        name: pl.DataFrame(
            {
                "level": ["easy", "never", "always"],
                "attempts": [10_000, others, others],
                "successes": [round(10_000 * own_rate), 0, others],
                "design_effect": [2.0, 1.0, 1.0],
            }
        )
        for name, own_rate, others in zip(("strong", "weak"), rates, (30, 90), strict=True)
    }
    counts = CohortCounts.of(table, parts)
    together = pooled(table, counts, np.array([1.0, -1.0]))
    assert together["level"].to_list() == ["easy", "never", "always"]
    assert together["attempts"].to_list() == [20_000, 120, 120]
    assert together["successes"].to_list() == pytest.approx([8_000, 0, 120], abs=2)
    # As much as the two say of the logit: their information over that of an attempt at the rate.
    independent = 5_000 * (rates * (1 - rates)).sum() / (rate * (1 - rate))
    assert together["design_effect"][0] == pytest.approx(20_000 / independent, rel=1e-3)
    # A loss of the strong says more of a hard level than one of the weak, and a win of the weak more of an
    # easy one; never more than one independent attempt each.
    assert 30 * np.e + 90 / np.e < 120 < 30 / np.e + 90 * np.e
    assert together["design_effect"].to_list()[1:] == pytest.approx([120 / (30 * np.e + 90 / np.e), 1.0])


@pytest.mark.slow
def test_a_model_for_one_cohort_says_more_of_its_players() -> None:
    parts, model = cohorts(ALL_LEVELS), fitted("the same levels")
    average = model.predict(SAGA)
    for name, effect in model.cohorts_.items():
        of_cohort = model.for_cohort(name)
        predicted = of_cohort.predict(SAGA)
        # All are shifted alike, to what the offset's error moves a rate by: it widens the band.
        assert logit(predicted["rate"].to_numpy()) == pytest.approx(
            logit(average["rate"].to_numpy()) + effect.offset, abs=1e-3
        )
        observed = (parts[name]["successes"] / parts[name]["attempts"]).to_numpy()
        deltas = predicted["rate"].to_numpy() - observed
        assert abs(deltas.mean()) < 2 * deltas.std(ddof=1) / np.sqrt(len(deltas))
        assert of_cohort.origin_.players == name
        assert of_cohort.cohorts_ == {}
        # Harder than as many levels as for the average cohort.
        assert predicted["harder_than"].to_numpy() == pytest.approx(
            average["harder_than"].to_numpy(), abs=1e-3
        )
    assert model.cohorts_["DE"].offset > 0.4
    with pytest.raises(
        PredictionError, match="`cohort` 'IT': expected a cohort that the model tells apart: 'DE'"
    ):
        model.for_cohort("IT")
    with pytest.raises(PredictionError, match="tells apart: none, for it was fitted to one"):
        model.for_cohort("DE").for_cohort("DE")


def test_the_file_keeps_cohorts(tmp_path: Path) -> None:
    model = fitted("the same levels")
    model.save(tmp_path / "model.json")
    read = DifficultyModel.load(tmp_path / "model.json")
    assert list(read.cohorts_) == ["DE", "FR", "UK"]
    for name, effect in model.cohorts_.items():
        assert read.cohorts_[name].offset == pytest.approx(effect.offset, rel=1e-4, abs=1e-6)
        assert read.cohorts_[name].error == pytest.approx(effect.error, rel=1e-4)
    assert read.for_cohort("UK").predict(SAGA)["rate"].to_numpy() == pytest.approx(
        model.for_cohort("UK").predict(SAGA)["rate"].to_numpy(), abs=1e-4
    )
    assert DifficultyModel().fit(SAGA).cohorts_ == {}


@pytest.mark.slow
def test_cohorts_that_scatter_more_than_chance_are_less_sure() -> None:
    draws = np.random.default_rng(8)
    plain = {name: results(SAGA, offset, slice(0, 90), 3) for name, offset in OFFSETS.items()}
    noisy = {
        name: results(SAGA, offset, slice(0, 90), 3, kappa=0.5 * draws.normal(size=90))
        for name, offset in OFFSETS.items()
    }
    errors = [DifficultyModel().fit_cohorts(SAGA, of).cohorts_["UK"].error for of in (plain, noisy)]
    assert errors[1] > 2 * errors[0]


def test_one_cohort_is_not_enough() -> None:
    with pytest.raises(PredictionError, match="1 cohort with results of these levels; expected at least 2"):
        DifficultyModel().fit_cohorts(SAGA, {"DE": cohorts(ALL_LEVELS)["DE"]})
