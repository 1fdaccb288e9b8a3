"""The model of levels, agents and features, where the truth is known."""

import json
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import expit, logit

from levelsense.errors import PredictionError
from levelsense.game.state import RULES_VERSION
from levelsense.prediction import MixedBinomial, PenaltyChoice, choose_penalty, model_file
from levelsense.prediction import model as model_module
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.explain import Reason, bottleneck_words, reasons, verdict_words
from levelsense.prediction.levels import predict_levels
from levelsense.prediction.model import DEFAULT_FILE, FEWEST_TO_CHOOSE, DifficultyModel, default_model
from levelsense.prediction.table import agents_of
from tests.prediction.made_up import made_up_table


@pytest.fixture(scope="module")
def saga() -> pl.DataFrame:
    return made_up_table(240, seed=1)


@pytest.fixture(scope="module")
def fitted(saga: pl.DataFrame) -> DifficultyModel:
    return DifficultyModel().fit(saga.head(160), "made-up players", simulated=True)


def test_predictions_come_near_the_truth(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    rest = saga.slice(160)
    predicted = fitted.predict(rest, rest["attempts"])
    observed = (rest["successes"] / rest["attempts"]).to_numpy()
    # kappa's 0.3 logits alone are some 5 % in the middle; predicting the mean would miss by some 25 %.
    assert np.abs(predicted["rate"].to_numpy() - observed).mean() < 0.06
    inside = (observed >= predicted["low_95"].to_numpy()) & (observed <= predicted["high_95"].to_numpy())
    assert 0.88 <= inside.mean() <= 1  # 80 levels: 95 % less three standard errors
    half = (observed >= predicted["low_50"].to_numpy()) & (observed <= predicted["high_50"].to_numpy())
    assert half.mean() == pytest.approx(0.5, abs=3 * np.sqrt(0.25 / 80))


def test_bands_are_nested_and_hold_the_rate(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    predicted = fitted.predict(saga)
    ends = [predicted[name].to_numpy() for name in ("low_95", "low_50", "rate", "high_50", "high_95")]
    for lower, higher in pairwise(ends):
        assert (lower <= higher).all()
    assert np.allclose(predicted["needed"], 1 / predicted["rate"])
    assert np.allclose(predicted["needed_low_95"], 1 / predicted["high_95"])


@pytest.mark.slow
def test_fewer_attempts_of_agents_widen_the_band() -> None:
    many, few = (made_up_table(60, seed=5, attempts=number) for number in (1000, 40))
    model = DifficultyModel().fit(made_up_table(200, seed=4, attempts=1000))
    widths = [(model.predict(t)["high_95"] - model.predict(t)["low_95"]).mean() for t in (many, few)]
    assert widths[1] > 1.2 * widths[0]  # type: ignore[operator]


def test_the_sampling_error_of_agents_is_kept_out_of_sigma() -> None:
    """With 40 attempts a level it adds 0.14 to a variance of 0.3^2: without it sigma would be 0.5."""
    table = made_up_table(150, seed=4, attempts=40, sigma=0.3)
    model = DifficultyModel(penalties=(10.0,), drift=False).fit(table)
    rows, counts = model.scale_(model.columns_.values(table)), (table["successes"], table["attempts"])
    plain = MixedBinomial(penalty=10.0).fit(rows, *counts)
    assert plain.sigma_ > 0.45
    assert model.mixed_.sigma_ == pytest.approx(0.3, abs=0.06)

    def variance_by(mixed: MixedBinomial) -> Any:
        return model.columns_.variance(table, mixed.coef_[1:] / model.scale_.unit)

    second = MixedBinomial(penalty=10.0).fit(rows, *counts, variance_by(plain))
    stretch = model.curve_.stretch(second.coef_[0] + rows @ second.coef_[1:])
    third = MixedBinomial(penalty=10.0).fit(rows, *counts, variance_by(second), stretch=stretch)
    assert model.mixed_.sigma_ == pytest.approx(third.sigma_, abs=1e-6)


def test_the_feature_that_matters_is_found(fitted: DifficultyModel) -> None:
    slopes = dict(zip(fitted.columns_.names, fitted.mixed_.coef_[1:], strict=True))
    spreads = dict(zip(fitted.columns_.names, fitted.scale_.spread, strict=True))
    assert slopes["jelly goal"] / spreads["jelly goal"] == pytest.approx(0.5, abs=0.2)
    assert abs(slopes["colors"]) < 0.1


def test_saved_and_loaded_it_says_the_same(
    saga: pl.DataFrame, fitted: DifficultyModel, tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    fitted.save(path)
    loaded = DifficultyModel.load(path)
    assert loaded.origin_ == fitted.origin_
    assert (loaded.penalty_, loaded.chosen_) == (fitted.penalty_, fitted.chosen_)
    ours, theirs = fitted.predict(saga), loaded.predict(saga)
    for name in ours.columns[1:]:
        assert np.allclose(ours[name], theirs[name], rtol=1e-4), name
    data = json.loads(path.read_text())
    assert data["about"]["simulated"] is True
    assert data["agents"] == {"strong": 200, "weak": 200}


def test_the_default_model_is_saved_as_it_was_read(tmp_path: Path) -> None:
    default_model().save(tmp_path / "again.json")
    shipped = (resources.files("levelsense.prediction") / DEFAULT_FILE).read_bytes()
    assert (tmp_path / "again.json").read_bytes() == shipped


def test_a_model_without_a_spread_of_its_own_is_read_again() -> None:
    """Sigma 0 has no standard error, for which the file says null, and a NaN of no use is let through."""
    model = DifficultyModel().fit(made_up_table(12, seed=2))
    data = model.as_data()
    size = len(data["fit"]["covariance"])
    data["fit"]["sigma"], data["fit"]["covariance"][-1] = 0.0, [0.0] * (size - 1) + [None]
    data["fit"]["loglik"] = float("nan")
    again = DifficultyModel.from_text(model_file.as_text(data), "m.json")
    assert again.mixed_.sigma_se_log_ == np.inf
    assert np.isnan(again.mixed_.loglik_)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "{",
            "line 1, column 2: not JSON: it ends too early; .*; expected a model that `levelsense fit` wrote",
        ),
        ("[1]", "not a model; expected a file that `levelsense fit` wrote"),
        ('{"levelsense model": 9}', "a model of format 9; this levelsense reads format 3"),
        ('{"levelsense model": 3}', "a damaged model: no 'about'; fit it again"),
        ('{"levelsense model": 3, "about": 3}', "a damaged model: about: 3; expected an object"),
        (
            '{"levelsense model": 3, "about": {"rules": 999}}',
            f"a model of version 999 of the rules, which are at version {RULES_VERSION} now: fit it again",
        ),
    ],
)
def test_files_that_are_no_models(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(PredictionError, match=f"model.json: {words}"):
        DifficultyModel.load(path)


def _set(data: Any, place: tuple[Any, ...], value: Any) -> None:
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = value


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("fit", "grid", 0, "weight"), "a", 'fit, grid 1, weight: "a"; expected a number'),
        (("fit", "grid", 0, "weight"), -0.5, "fit, grid 1, weight: -0.5; expected a number of at least 0"),
        (("fit", "grid", 0, "weight"), 5, "fit, grid: weights that add up to [5.].*; expected shares of 1"),
        (("fit", "grid", 0, "sigma"), True, "fit, grid 1, sigma: true; expected a number"),
        (("fit", "coefficients", 1), None, "fit, coefficients 2: null; expected a number"),
        (("fit", "coefficients"), [], r"fit, coefficients: \[\]; expected a list of at least 1"),
        (
            ("fit", "grid", 0, "covariance", 0, 2),
            float("nan"),
            "fit, grid 1, covariance 1, 3: NaN; expected a number",
        ),
        (
            ("fit", "grid", 1, "covariance", 2, 2),
            -1.0,
            "fit, grid 2, covariance 3, 3: -1; expected a variance of at least 0",
        ),
        (("fit", "covariance"), [[1.0]], r"fit, covariance: 1 rows; expected \d+"),
        (("fit", "covariance", 3), [1.0, 2.0], r"fit, covariance 4: 2 numbers; expected \d+"),
        (("fit", "covariance", 0, 1), None, "fit, covariance: null beside the last row and column"),
        (("fit", "covariance", 0, 0), -2.5, "fit, covariance 1, 1: -2.5; expected a variance of at least 0"),
        (("fit", "covariance", -1, -1), None, "fit, covariance .*: null; expected a variance of at least 0"),
        (("fit", "center"), [0.0], r"fit, center: 1 numbers; expected \d+"),
        (("fit", "spread", 1), 0, "fit, spread 2: 0; expected a number above 0"),
        (("fit", "nodes"), "many", 'fit, nodes: "many"; expected a whole number'),
        (("fit", "nodes"), 101, "fit, nodes: 101; expected a number of at most 100"),
        (("fit", "converged"), 1, "fit, converged: 1; expected true or false"),
        (("fit", "grid", 1), {}, "fit, grid 2: no 'sigma'"),
        (("about",), 3, "about: 3; expected an object"),
        (("about", "levels"), "x", 'about, levels: "x"; expected a whole number'),
        (("about", "players"), None, "about, players: null; expected text"),
        (("columns",), 0, "columns: 0; expected a list"),
        (("columns", 0, "spread"), 0.0, "columns 1, spread: 0.0; expected a number above 0"),
        (("columns", 0, "most"), float("inf"), "columns 1, most: Infinity; expected a number"),
        (("columns", 0, "slope"), 7.0, "the slopes of its columns are not those of its fit"),
        (("columns", 0, "error"), 7.0, "the errors of its columns are not those of its fit"),
        (("columns", 0, "name"), "luck", "the columns are not those of its agents"),
        (("features", 0), "luck", "unknown columns luck"),
        (("agents",), [], r"agents: \[\]; expected an object"),
        (("agents", "weak"), 2.5, "agents, weak: 2.5; expected a whole number"),
    ],
)
def test_damaged_numbers_are_found(
    fitted: DifficultyModel, place: tuple[Any, ...], value: Any, words: str
) -> None:
    data = json.loads(json.dumps(fitted.as_data()))
    _set(data, place, value)
    with pytest.raises(PredictionError, match=f"^m.json: a damaged model: {words}.*; fit it again$"):
        DifficultyModel.from_text(json.dumps(data), "m.json")


def test_nothing_is_known_before_a_fit() -> None:
    for call in (lambda: DifficultyModel().predict(made_up_table(3)), DifficultyModel().as_data):
        with pytest.raises(PredictionError, match="not fitted yet"):
            call()


def test_a_deep_file_and_an_endless_number_are_sentences() -> None:
    with pytest.raises(
        PredictionError, match=r"^m\.json: lists or objects nested too deeply; expected a model"
    ):
        DifficultyModel.from_text("[" * 200_000, "m.json")
    with pytest.raises(PredictionError, match=r"^m\.json: line 1, column 22: not JSON: 1e400 is greater"):
        DifficultyModel.from_text('{"levelsense model": 1e400}', "m.json")


def test_a_good_model_stays_if_another_cannot_be_written(
    tmp_path: Path, fitted: DifficultyModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "model.json"
    path.write_text("a good model")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PredictionError, match=r"model\.json: cannot be written: No space left on device$"):
        fitted.save(path)
    assert path.read_text() == "a good model"


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(PredictionError, match="cannot be read: No such file"):
        DifficultyModel.load(tmp_path / "model.json")
    with pytest.raises(PredictionError, match="cannot be written: "):
        DifficultyModel().fit(made_up_table(10)).save(tmp_path / "nowhere" / "model.json")


# Awkward data: a sensible answer with a wide band, or a clear error.


def test_three_levels_give_a_wide_band() -> None:
    model = DifficultyModel().fit(made_up_table(3, seed=2))
    predicted = model.predict(made_up_table(40, seed=3))
    assert np.isfinite(predicted["rate"].to_numpy()).all()
    assert (predicted["high_95"] - predicted["low_95"]).median() > 0.5  # type: ignore[operator]
    assert not model.chosen_


def test_one_type_of_level_only() -> None:
    table = made_up_table(60).with_columns(pl.lit(1.0).alias("jelly goal"))
    predicted = DifficultyModel().fit(table).predict(made_up_table(10, seed=9))
    assert np.isfinite(predicted["rate"].to_numpy()).all()


def test_agents_that_always_or_never_win() -> None:
    table = made_up_table(60, seed=6)
    constant = [
        pl.lit(0).alias("weak: wins"),
        pl.lit(float(np.log(0.5 / 200.5))).alias("weak: rate"),
    ]
    predicted = DifficultyModel().fit(table.with_columns(constant)).predict(table.with_columns(constant))
    assert np.isfinite(predicted["rate"].to_numpy()).all()


@pytest.mark.slow
def test_a_covariate_that_separates() -> None:
    table = made_up_table(60, seed=7)
    hard = (table["successes"] < 250).to_numpy()
    extreme = table.with_columns(
        successes=pl.Series(np.where(hard, 0, 500)), icing=pl.Series(hard.astype(float))
    )
    predicted = DifficultyModel().fit(extreme).predict(extreme)
    rate = predicted["rate"].to_numpy()
    assert rate[hard].max() < 0.5 < rate[~hard].min()


def test_players_who_never_succeed_have_no_model() -> None:
    table = made_up_table(30).with_columns(successes=pl.lit(0))
    with pytest.raises(PredictionError, match="success"):
        DifficultyModel().fit(table)


def test_a_table_without_players_or_agents_is_refused() -> None:
    table = made_up_table(10)
    with pytest.raises(PredictionError, match="the table has no column 'successes'"):
        DifficultyModel().fit(table.drop("successes"))
    with pytest.raises(PredictionError, match="no results of mcts; it has: strong, weak"):
        DifficultyModel(["mcts"]).fit(table)
    model = DifficultyModel().fit(table)
    with pytest.raises(PredictionError, match="no results of strong"):
        model.predict(table.drop("strong: replicates"))


def test_a_model_file_that_does_not_fit_itself(fitted: DifficultyModel, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    for change in (
        {"agents": ["strong", "weak"]},
        {"measures": ["rate", "luck"]},
        {"features": ["colors"]},
        {"fit": {**fitted.mixed_.as_data(), "grid": []}},
        {"fit": {**fitted.mixed_.as_data(), "coefficients": [1.0]}},
    ):
        path.write_text(json.dumps(fitted.as_data() | change))
        with pytest.raises(PredictionError, match=r"model\.json: a damaged model: .*; fit it again"):
            DifficultyModel.load(path)


def test_a_first_half_that_everybody_won_leaves_the_penalty_unchosen() -> None:
    table = made_up_table(60)
    won = pl.when(pl.int_range(pl.len()) < 30).then("attempts").otherwise("successes")
    model = DifficultyModel().fit(table.with_columns(successes=won))
    assert not model.chosen_


def test_a_number_that_is_missing_is_named() -> None:
    table = made_up_table(10).with_columns(
        pl.when(pl.int_range(pl.len()) == 2).then(None).otherwise("colors").alias("colors")
    )
    with pytest.raises(PredictionError, match="made-up-002: colors: nan; expected a number"):
        DifficultyModel().fit(table)


def test_nothing_to_predict(fitted: DifficultyModel, saga: pl.DataFrame) -> None:
    assert fitted.predict(saga.head(0)).height == 0


def test_few_levels_do_not_choose_a_penalty() -> None:
    assert not DifficultyModel().fit(made_up_table(FEWEST_TO_CHOOSE - 1)).chosen_
    assert DifficultyModel().fit(made_up_table(FEWEST_TO_CHOOSE)).chosen_


@pytest.mark.slow
def test_the_penalty_is_chosen_without_a_look_at_later_levels(saga: pl.DataFrame) -> None:
    """The second quarter of the later half is not told anything by the last two."""
    first, later = saga.head(80), pl.int_range(pl.len()) >= 60
    changed = first.with_columns(
        pl.when(later).then(20.0).otherwise("colors").alias("colors"),
        pl.when(later).then(250).otherwise("successes").alias("successes"),
    )
    ours, theirs = (DifficultyModel().fit(table).choice_ for table in (first, changed))
    assert ours is not None
    assert theirs is not None
    early = ours.rows < 60
    assert early.sum() == 20
    assert np.array_equal(ours.scores[:, early], theirs.scores[:, early])


@pytest.mark.slow
def test_the_penalty_is_chosen_with_the_sampling_error_of_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """By slopes of the first half it is about what it is by those of all levels."""
    known: list[Any] = []

    def note(*arguments: Any, **options: Any) -> PenaltyChoice:
        known.append(arguments[3])
        return choose_penalty(*arguments, **options)

    monkeypatch.setattr(model_module, "choose_penalty", note)
    table = made_up_table(80, seed=4, attempts=40)
    model = DifficultyModel().fit(table)
    assert np.median(known[0] / model.sampling_variance(table)) == pytest.approx(1, abs=0.5)


@pytest.mark.slow
def test_later_levels_do_not_change_what_was_said_of_earlier_ones(saga: pl.DataFrame) -> None:
    """Nothing of the levels to be predicted gets into a prediction: one alone is told the same."""
    model = DifficultyModel().fit(saga.head(100))
    alone, together = model.predict(saga.slice(120, 1)), model.predict(saga.slice(100))
    assert alone["level"][0] == together["level"][20]
    assert alone.row(0)[1:] == pytest.approx(together.row(20)[1:], rel=1e-9)


def test_reasons_name_what_makes_the_difference(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    by_level = reasons(fitted, saga)
    assert all(1 <= len(why) <= 3 for why in by_level)
    hardest = int(fitted.predict(saga)["rate"].arg_min())  # type: ignore[arg-type]
    first = by_level[hardest][0]
    wins = [saga[f"{agent}: wins"][hardest] / 200 for agent in ("strong", "weak")]
    rates = f"strong {wins[0]:.1%}, weak {wins[1]:.1%}"
    assert first.what == f"what agents did (success {rates})"
    assert first.effect < -1
    points = f"{-100 * first.points:.0f} points harder"
    assert first.words == f"{points} than an average level, by {first.what}"
    assert bottleneck_words(fitted, saga, hardest) is None  # it has one goal only
    several = saga.with_columns(pl.lit(1.0).alias("several goals"))
    lost = 200 - saga["strong: wins"][hardest]
    bottleneck = f"score is what strong lacks most in its {lost} lost attempts"
    assert bottleneck_words(fitted, several, hardest) == bottleneck
    seldom = several.with_columns(pl.lit(195).alias("strong: wins"), pl.lit(100).alias("weak: wins"))
    bottleneck = "score is what weak lacks most in its 100 lost attempts"  # strong lost too seldom to tell
    assert bottleneck_words(fitted, seldom, hardest) == bottleneck


@pytest.mark.parametrize(
    ("points", "by_agents", "words"),
    [
        (0.011, False, "1 point easier for icing beside that"),
        (-0.024, False, "2 points harder for icing beside that"),
        (-0.3, True, "30 points harder than an average level, by icing"),
        (0.001, True, "as hard as an average level, by icing"),
    ],
)
def test_points_in_words(points: float, by_agents: bool, words: str) -> None:
    assert Reason("icing", 1.0, points, by_agents).words == words


def test_a_level_that_no_agent_won_is_told(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    lost = saga.head(2).with_columns(pl.Series("strong: wins", [0, 0]), pl.Series("weak: wins", [0, 1]))
    why = [prediction.why for prediction in predict_levels(fitted, lost)]
    assert why[0][-1] == "no agent won a single attempt: can it be won at all?"
    assert not any("single attempt" in words for words in why[1])


def test_points_are_what_a_reason_takes_from_the_rate(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    """Without the effect of its agents, a level's rate is what the model says of an average one's agents."""
    rates = fitted.predict(saga)["rate"].to_numpy()
    for row, why in enumerate(reasons(fitted, saga)):
        without = expit(logit(rates[row]) - why[0].effect)
        assert why[0].points == pytest.approx(rates[row] - without, abs=0.02)
        assert np.sign(why[0].points) == np.sign(why[0].effect)


def test_an_effect_is_a_slope_times_the_distance_from_the_average(
    saga: pl.DataFrame, fitted: DifficultyModel
) -> None:
    jelly = saga["jelly goal"].to_numpy()
    center = fitted.scale_.center[fitted.columns_.names.index("jelly goal")]
    for row in (int(jelly.argmax()), int(jelly.argmin())):
        (effect,) = [why.effect for why in reasons(fitted, saga)[row] if "jelly goal" in why.what]
        assert effect == pytest.approx(0.5 * (jelly[row] - center), abs=0.1)


def test_a_slope_is_what_one_spread_adds(saga: pl.DataFrame, fitted: DifficultyModel) -> None:
    """And its error is as large a part of it in the file as in the fit."""
    values = fitted.columns_.values(saga.head(1))
    columns = fitted.as_data()["columns"]
    for column in (0, 1, fitted.columns_.names.index("jelly goal")):
        moved = values.copy()
        moved[0, column] += fitted.scale_.spread[column]
        ours, theirs = (fitted.mixed_.coef_[1:] @ fitted.scale_(rows)[0] for rows in (values, moved))
        assert fitted.slopes_[column] == pytest.approx(theirs - ours)
        assert columns[column]["slope"] == pytest.approx(theirs - ours)
        ratio = fitted.mixed_.se_[column + 1] / fitted.mixed_.coef_[column + 1]
        assert columns[column]["error"] / columns[column]["slope"] == pytest.approx(ratio)


def test_the_attempts_of_agents_are_the_fewest_at_any_level() -> None:
    """Where they hardly win they play more than they are asked for."""
    table = pl.concat([made_up_table(6, attempts=40), made_up_table(6, seed=1, attempts=60)])
    assert DifficultyModel().fit(table).origin_.attempts == {"strong": 40, "weak": 40}


def test_the_weightiest_features_come_first_to_either_side(
    saga: pl.DataFrame, fitted: DifficultyModel
) -> None:
    """Effects of -0.6, 0.4 and 0.2: the two largest are told, and the one that makes it harder goes first."""
    model = DifficultyModel.from_text(json.dumps(fitted.as_data()), "m.json")
    model.mixed_.coef_[1:] = 0
    level = saga.head(1)
    for name, effect in (("jelly goal", 0.4), ("colors", -0.6), ("icing", 0.2)):
        column = model.columns_.names.index(name)
        level = level.with_columns(
            pl.lit(model.scale_.center[column] + model.scale_.unit[column]).alias(name)
        )
        model.mixed_.coef_[column + 1] = effect
    (why,) = reasons(model, level)
    assert [reason.effect for reason in why] == pytest.approx([0, -0.6, 0.4])
    assert [reason.points < 0 for reason in why[1:]] == [True, False]


def test_columns_can_be_chosen() -> None:
    model = DifficultyModel(columns=Covariates(("strong",), ("rate",), ())).fit(made_up_table(60))
    assert model.columns_.names == ("strong: rate", "strong: never", "strong: always")
    assert agents_of(made_up_table(1)) == ("strong", "weak")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (0.35, "on target"),
        (0.28, "probably easier"),
        (0.6, "harder"),
        (0.45, "probably harder"),
        (0.1, "easier"),
        (0.405, "on target"),  # a point beside the 50 % band
        (0.295, "on target"),
    ],
)
def test_verdicts(target: float, words: str) -> None:
    assert verdict_words(target, (0.3, 0.4), (0.2, 0.5)) == words


@pytest.mark.parametrize(
    ("target", "words"), [(0.5, "cannot tell"), (0.25, "cannot tell"), (0.01, "easier"), (0.9, "harder")]
)
def test_a_band_that_says_nothing_has_no_verdict(target: float, words: str) -> None:
    assert verdict_words(target, (0.2, 0.6), (0.05, 0.8)) == words
