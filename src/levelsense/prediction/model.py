"""The difficulty model: fitted to players' results at levels, it predicts success rates at new ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit, logit

from levelsense.errors import OutputError, PredictionError
from levelsense.files import write_text
from levelsense.prediction import model_file
from levelsense.prediction.cohorts import CohortCounts, CohortEffect, cohort_effects, pooled
from levelsense.prediction.covariates import Covariates, KnownRange, Scale, known_range
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.calibration import SigmaCurve, fit_curve, variance_factor
from levelsense.prediction.mixed.data import fit_design
from levelsense.prediction.mixed.maximize import one_thread
from levelsense.prediction.mixed.prior import Prior, ridge_precision
from levelsense.prediction.mixed.selection import PenaltyChoice, choose_penalty, rolling_folds
from levelsense.prediction.model_file import Origin
from levelsense.prediction.populations import (
    PlayerCounts,
    Populations,
    average_population,
    compare_populations,
    population_counts,
)
from levelsense.prediction.table import agent_column, agents_of, require
from levelsense.prediction.unseen import LogitRows, unseen_variance

PENALTIES: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
FOLDS: Final = 4
FEWEST_TO_CHOOSE: Final = 40  # levels; with fewer the penalty is not chosen but this one
PENALTY_OF_FEW: Final = 1000.0
FEWEST_TO_CALIBRATE: Final = 80  # levels, of which half are predicted by those before
FEWEST_OUTCOMES: Final = 3.0  # expected information of a level's counts, for its logit to be taken as normal
ROUNDS: Final = 3  # of finding the sampling variance by the slopes, and the slopes by the variance
BANDS: Final = (0.5, 0.95)


class DifficultyModel:
    """Players' success rate at a level, from agents' attempts and the level's features.

    logit(p) = b0 + sum of b_j x_j + kappa: MixedBinomial on standardized columns, with a ridge penalty that
    is chosen by predicting forward in the order of the table, the saga's. The sampling error of the agents'
    attempts is part of kappa's variance, in the fit as in the band. A level unlike those of the fit gets a
    wider band (`KnownRange` in covariates.py).

    agents      the agents whose attempts are columns; all of the table it is fitted to if left out
    penalties   the penalties to choose from
    columns     the columns of the regression: all there are if left out
    """

    def __init__(
        self,
        agents: Sequence[str] | None = None,
        penalties: Sequence[float] = PENALTIES,
        columns: Covariates | None = None,
        drift: bool = True,
        prior: "DifficultyModel | None" = None,
    ) -> None:
        self.agents, self.penalties, self.columns = agents, tuple(penalties), columns
        self.drift, self.prior = drift, prior
        self.columns_: Covariates
        self.scale_: Scale
        self.known_range_: KnownRange
        self.mixed_: MixedBinomial
        self.penalty_: float
        self.chosen_: bool  # whether the penalty was chosen by predicting forward
        self.choice_: PenaltyChoice | None = None  # how; set by a fit only, not read from a file
        self.calibration_ = 1.0  # what its variance was multiplied by; set by a fit only
        self.curve_: SigmaCurve  # how sigma depends on the expected logit
        self.populations_: Populations | None = None  # of a model that is fitted to several
        self.cohorts_: dict[str, CohortEffect] = {}  # of a model that is fitted to several cohorts
        self.rates_: NDArray[np.float64]  # percentiles of players' success rates at the levels of the fit
        self.places_: dict[str, float] = {}  # of the levels of the fit in the saga, by their names
        self.origin_: Origin
        self.table_: pl.DataFrame  # the levels fitted to; set by a fit only, not read from a file

    def fit(self, table: pl.DataFrame, players: str = "", simulated: bool = False) -> Self:
        """Fits to levels with players' results, in saga order; PredictionError if that cannot be done."""
        require(table, ("level", "parts", "attempts", "successes"))
        with one_thread():
            return self._fit(table, players, simulated)

    def _fit(self, table: pl.DataFrame, players: str, simulated: bool) -> Self:
        agents = agents_of(table) if self.agents is None else tuple(self.agents)
        self.columns_ = self.columns or (self.prior.columns_ if self.prior else Covariates(agents))
        values = self.columns_.values(table)
        self.scale_ = self.prior.scale_ if self.prior else self.columns_.scale_of(values)
        counts = PlayerCounts.of(table)
        rows = self.scale_(values)
        self.penalty_, self.chosen_ = self._penalty(table, values, counts)
        self.curve_ = SigmaCurve() if self.prior is None else self.prior.curve_
        self.mixed_ = self._fit_rows(table, rows, counts)
        self.populations_, self.cohorts_ = None, {}
        self.known_range_ = self._known_range(table, values, counts)
        self.calibration_ = self._calibration(table)
        self.mixed_ = self.mixed_.rescaled(self.calibration_)
        self.rates_ = np.quantile(counts.successes / counts.attempts, np.linspace(0, 1, 101))
        self.places_ = dict(zip(table["level"], counts.places.tolist(), strict=True))
        attempts = {
            # Where it hardly won it played more: the fewest are what was asked for.
            agent: int(table[agent_column(agent, "attempts")].to_numpy().min())
            for agent in self.columns_.agents
        }
        self.origin_, self.table_ = Origin(table.height, players, simulated, attempts), table
        return self

    def fit_cohorts(
        self,
        table: pl.DataFrame,
        cohorts: Mapping[str, pl.DataFrame],
        players: str = "",
        simulated: bool = False,
    ) -> Self:
        """Fits to the results of several cohorts, each with an offset of its own (cohorts.py).

        `cohorts` are results by level (`people.rates.success_rates`) by name; the model is that of the
        average cohort, and `for_cohort` gives that of one.
        """
        names = [name for rates in cohorts.values() for name in rates["level"]]
        played = table.filter(pl.col("level").is_in(names)).drop(
            "attempts", "successes", "design_effect", strict=False
        )
        counts = CohortCounts.of(played, cohorts)
        alike = pooled(played, counts, np.zeros(len(cohorts)))
        first = DifficultyModel(self.agents, self.penalties, self.columns, self.drift, self.prior).fit(alike)
        effects = first._cohort_effects(played, counts)
        # What cohorts differ by was part of sigma and of the drift: once more without it.
        again = DifficultyModel(self.agents, (first.penalty_,), self.columns, self.drift, self.prior)
        effects = again.fit(pooled(played, counts, _offsets(effects)))._cohort_effects(played, counts)
        self.fit(pooled(played, counts, _offsets(effects)), players, simulated)
        self.cohorts_ = effects
        return self

    def _cohort_effects(self, table: pl.DataFrame, counts: CohortCounts) -> dict[str, CohortEffect]:
        """The offsets of cohorts, by this fit's prior of the coefficients, sigma and size of the drift."""
        rows, walk, prior = self.scale_(self.columns_.values(table)), self.mixed_.walk_, self._prior
        columns = np.column_stack([np.ones(len(rows)), rows])
        mean = np.zeros(columns.shape[1]) if prior is None else prior.mean
        precision = (
            ridge_precision(self.penalty_, len(mean)) if prior is None else prior.precision(self.penalty_)
        )
        if walk is not None:
            places = np.array([self.places_[name] for name in table["level"]])
            steps = np.diag(1 / walk.variances(self.mixed_.walk_size_))
            between = np.zeros((len(mean), len(steps)))
            columns = np.column_stack([columns, walk.columns(places)])
            precision = np.block([[precision, between], [between.T, steps]])
            mean = np.concatenate([mean, np.zeros(len(steps))])
        spread = (self.mixed_.sigma_ * self._stretch(rows, self.mixed_)) ** 2 + self.sampling_variance(table)
        return cohort_effects(counts, columns, mean, precision, spread)

    def for_cohort(self, cohort: str) -> "DifficultyModel":
        """The model for the players of one of its cohorts; PredictionError if it has none of that name."""
        self._check_fitted()
        if cohort not in self.cohorts_:
            known = ", ".join(map(repr, self.cohorts_)) or "none, for it was fitted to one"
            raise PredictionError(
                f"`cohort` {cohort!r}: expected a cohort that the model tells apart: {known}"
            )
        effect, model = self.cohorts_[cohort], DifficultyModel()
        model.__dict__.update(self.__dict__)
        model.mixed_ = self.mixed_.shifted(effect.offset, effect.error)
        model.rates_ = expit(logit(self.rates_) + effect.offset)
        model.origin_, model.cohorts_ = replace(self.origin_, players=cohort), {}
        return model

    def fit_populations(
        self, table: pl.DataFrame, populations: Mapping[str, pl.DataFrame], simulated: bool = False
    ) -> Self:
        """Fits to the results of several populations at levels, to predict those of a population not known.

        `populations` are results by level (`people.rates.success_rates`) by name. The average population is
        that of the attempts together of those that have played the most levels, each with the same weight;
        what all of them differ by is told by the levels that each has played (populations.py).
        """
        named = "; ".join(populations)
        together = average_population(table, populations)
        average = DifficultyModel(self.agents, self.penalties, self.columns, drift=False)
        average.fit(together, named, simulated)
        self.__dict__.update(average.__dict__)
        values = self.columns_.values(table)
        logits = pl.DataFrame({"level": table["level"], "logit": _logits(self.scale_(values), self.mixed_)})
        with one_thread():
            self.populations_ = compare_populations(
                tuple(populations),
                [population_counts(logits, results) for results in populations.values()],
            )
        return self

    def _penalty(
        self, table: pl.DataFrame, values: NDArray[np.float64], counts: PlayerCounts
    ) -> tuple[float, bool]:
        """The penalty, and whether it was chosen by predicting forward."""
        if len(self.penalties) == 1:
            return self.penalties[0], False
        if table.height < FEWEST_TO_CHOOSE:
            return PENALTY_OF_FEW, False
        try:
            self.choice_ = self._choose(table, values, counts)
            return self.choice_.penalty, True
        except PredictionError:  # such as a first half of levels where every attempt was won
            return PENALTY_OF_FEW, False

    def _fit_rows(
        self, table: pl.DataFrame, rows: NDArray[np.float64], counts: PlayerCounts
    ) -> MixedBinomial:
        """Fits slopes and sampling variance in turn."""
        k, n, effect, places = counts
        mixed: MixedBinomial | None = None
        for number in range(ROUNDS):
            variance = None if mixed is None else self._variance(table, mixed)
            time = places if number == ROUNDS - 1 and self.drift else None
            stretch = None if mixed is None else self._stretch(rows, mixed)
            mixed = MixedBinomial(penalty=self.penalty_, prior=self._prior).fit(
                rows, k, n, variance, mixed, design_effect=effect, time=time, stretch=stretch
            )
            if self.prior is None and number == ROUNDS - 2:
                design = fit_design(rows, k, n, self._variance(table, mixed), effect)
                self.curve_ = fit_curve(design, _logits(rows, mixed), mixed.sigma_)
        assert mixed is not None
        return mixed

    def _stretch(self, rows: NDArray[np.float64], mixed: MixedBinomial) -> NDArray[np.float64]:
        """By what sigma is multiplied at rows: levels at the ends differ by more."""
        stretch: NDArray[np.float64] = self.curve_.stretch(_logits(rows, mixed))
        return stretch

    @property
    def _prior(self) -> Prior | None:
        """What the model that is the prior says of the coefficients of another population."""
        return None if self.prior is None else self.prior.population_prior()

    def population_prior(self) -> Prior:
        """The prior for a population of which nothing is known; PredictionError for a model of one only."""
        if self.populations_ is None:
            raise PredictionError(
                f"prior: a model of one population ({self.origin_.players or 'players'}); expected one of "
                "several, such as the default model, for one population does not tell what others may be like"
            )
        return self.populations_.prior(self.mixed_.coef_)

    def _known_range(
        self, table: pl.DataFrame, values: NDArray[np.float64], counts: PlayerCounts
    ) -> KnownRange:
        """The range of the levels, with what an element may do that none of them has."""
        if self.prior is not None:
            return self.prior.known_range_.joined(
                known_range(values, table, self.columns_, self.slopes_, 0.0)
            )
        rows = self.scale_(values)
        spread = (self.mixed_.sigma_ * self._stretch(rows, self.mixed_)) ** 2 + self.sampling_variance(table)
        drifted = self.mixed_.walked(counts.places)
        independent = counts.successes / counts.design_effect, counts.attempts / counts.design_effect
        logits = LogitRows.of(
            rows, independent, _logits(rows, self.mixed_) + drifted, spread, self.penalty_, drifted
        )
        parts: dict[str, NDArray[np.bool_]] = {}
        for number, level_parts in enumerate(table["parts"].to_list()):
            for part in level_parts:
                parts.setdefault(part, np.zeros(table.height, bool))[number] = True
        unseen, _ = unseen_variance(logits, {**self.columns_.elements(values), **parts})
        return known_range(values, table, self.columns_, self.slopes_, unseen)

    def _variance(self, table: pl.DataFrame, mixed: MixedBinomial) -> NDArray[np.float64]:
        return self.columns_.variance(table, mixed.coef_[1:] / self.scale_.unit)

    def _choose(
        self, table: pl.DataFrame, values: NDArray[np.float64], counts: PlayerCounts
    ) -> PenaltyChoice:
        """The penalty that predicts each quarter of the later half best from all levels before it."""
        first = table.height // 2
        scale = self.scale_ if self.prior else self.columns_.scale_of(values[:first])
        rows = scale(values)
        # Slopes of the first half alone, so that later levels do not influence predictions of earlier ones.
        k, n, effect, _ = counts.head(first)
        early = MixedBinomial(penalty=PENALTIES[0]).fit(rows[:first], k, n, design_effect=effect)
        variance = self.columns_.variance(table, early.coef_[1:] / scale.unit)
        folds = rolling_folds(table.height, first, FOLDS)
        k, n, effect, _ = counts
        return choose_penalty(
            rows, k, n, variance, self.penalties, folds, design_effect=effect, prior=self._prior
        )

    def _calibration(self, table: pl.DataFrame) -> float:
        """What the variance is to be multiplied by, by how far predictions of the later half were off.

        Each quarter of that half is predicted from all levels before it, as in the choice of the penalty.
        Later levels of a saga need not be as far from a model as the first ones are.
        """
        if not self.chosen_ or table.height < FEWEST_TO_CALIBRATE:
            return 1.0
        parts = []
        for before, block in rolling_folds(table.height, table.height // 2, FOLDS):
            earlier = DifficultyModel(self.agents, (self.penalty_,), self.columns_, self.drift, self.prior)
            try:
                earlier.fit(table.head(len(before)))
            except PredictionError:  # such as of levels where every attempt was won
                return 1.0
            parts.append(earlier._errors(table[block]))
        errors, model_variance, other_variance = np.concatenate(parts, axis=1)
        return variance_factor(errors, model_variance, other_variance)

    def _errors(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """How far observed logits are from the expected ones, and the variances by the fit and by all else.

        Levels with so few outcomes that their logit says little are left out.
        """
        rows, (k, n, effect, places) = self.rows(table), PlayerCounts.of(table)
        expected, model_variance = self.mixed_.expected_logits(rows, time=places, stretch=self.stretch(rows))
        rate = expit(expected)
        information = n / effect * rate * (1 - rate)
        other_variance = 1 / information + self.sampling_variance(table) + self.unlike_variance(table)
        errors = np.log((k + 0.5) / (n - k + 0.5)) - expected
        return np.array([errors, model_variance, other_variance])[:, information > FEWEST_OUTCOMES]

    def sampling_variance(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The variance of each level's logit that comes from the agents' finite attempts."""
        return self._variance(table, self.mixed_)

    def end_variance(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The part of it that replicates miss, levels x agents: of agents that always win, or never."""
        return self.columns_.end_variance(table, self.mixed_.coef_[1:] / self.scale_.unit)

    def unlike_variance(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The variance of each level's logit that comes from being unlike the levels of the fit."""
        values, parts = self.columns_.values(table), table["parts"].to_list()
        return self.known_range_.variance(values, self.scale_, parts, self.columns_)

    def unlike_covariance(self, table: pl.DataFrame) -> float:
        """The same of two levels together: they may be unlike the levels of the fit in the same way."""
        values, parts = self.columns_.values(table), table["parts"].to_list()
        return self.known_range_.covariance(values, self.scale_, parts, self.columns_)

    def predict(self, table: pl.DataFrame, attempts: Any = None) -> pl.DataFrame:
        """A row a level: the success rate to expect, with bands of the true rate.

        With `attempts`, bands are of the rate that will be observed in so many attempts of players. Bands of
        a model of several populations are those of a population that is not known; `average_low_95` and so on
        are of the average one. `harder_than` is the share of the levels of the fit that are easier.
        """
        self._check_fitted()
        require(table, ("level", "parts"))
        rows = self.rows(table)
        variance = self.sampling_variance(table) + self.unlike_variance(table)
        effect = table["design_effect"].to_numpy() if "design_effect" in table.columns else None
        places = self._places(table)
        options = {
            "attempts": attempts,
            "variance": variance,
            "levels": BANDS,
            "design_effect": effect,
            "time": places,
            "stretch": self.stretch(rows),
        }
        prediction = self.players_fit().predict(rows, **options)
        columns = {
            "level": table["level"],
            "rate": prediction.rate,
            "mean": prediction.mean,
            "needed": prediction.needed,
            "harder_than": 1 - np.interp(prediction.rate, self.rates_, np.linspace(0, 1, len(self.rates_))),
        }
        for band in BANDS:
            percent = round(100 * band)
            columns |= {
                f"low_{percent}": prediction.bands[band].low,
                f"high_{percent}": prediction.bands[band].high,
                f"needed_low_{percent}": prediction.needed_bands[band].low,
                f"needed_high_{percent}": prediction.needed_bands[band].high,
            }
        if self.populations_ is not None:
            alike = self.mixed_.predict(rows, **options)
            for band in BANDS:
                percent = round(100 * band)
                columns |= {
                    f"average_low_{percent}": alike.bands[band].low,
                    f"average_high_{percent}": alike.bands[band].high,
                }
        return pl.DataFrame(columns)

    def players_fit(self) -> MixedBinomial:
        """The fit that predicts: with several populations, the one for a population that is not known."""
        if self.populations_ is None:
            return self.mixed_
        return self.mixed_.for_unknown(self.population_prior(), self.populations_.freedom)

    def placed(self, table: pl.DataFrame) -> pl.DataFrame:
        """The table with places in the saga: those of the fit by name, and others in a row after them."""
        if "place" in table.columns or self.mixed_.walk_ is None:
            return table
        after, places = self.mixed_.walk_.end, []
        for name in table["level"]:
            after += name not in self.places_
            places.append(self.places_.get(name, after))
        return table.with_columns(place=pl.Series(places, dtype=pl.Float64))

    def _places(self, table: pl.DataFrame) -> NDArray[np.float64] | None:
        """The place of each level in the saga: as the table says, as in the fit, or the next one after it."""
        walk = self.mixed_.walk_
        if walk is None:
            return None
        if "place" in table.columns:
            return table["place"].to_numpy().astype(float)
        return np.array([self.places_.get(name, walk.end + 1) for name in table["level"]])

    def rows(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The columns of levels as they enter the fit; one that was constant there has its constant value."""
        return self.scale_(self.known_range_.within(self.columns_.values(table)))

    def stretch(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """By what sigma is multiplied at rows: levels at the ends differ by more."""
        return self._stretch(rows, self.mixed_)

    def logits(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The expected logit of each level, at its place in the saga: quick, and without a band."""
        self._check_fitted()
        logits = _logits(self.rows(table), self.mixed_)
        places = self._places(table)
        return logits if places is None else logits + self.mixed_.walked(places)

    @property
    def slopes_(self) -> NDArray[np.float64]:
        """What one standard deviation of each column adds to the logit."""
        slopes: NDArray[np.float64] = self.mixed_.coef_[1:] * self.scale_.freedom
        return slopes

    def _check_fitted(self) -> None:
        if not hasattr(self, "mixed_"):
            raise PredictionError("the model is not fitted yet; expected a call of fit before")

    def as_data(self) -> dict[str, Any]:
        """The fitted model as the data of its file."""
        self._check_fitted()
        return model_file.as_data(self)

    def save(self, path: str | Path) -> None:
        """Writes the model's file, whole or not at all; PredictionError if that cannot be done."""
        try:
            write_text(path, model_file.as_text(self.as_data()))
        except OutputError as error:
            raise PredictionError(str(error)) from None

    @classmethod
    def load(cls, path: str | Path) -> "DifficultyModel":
        """Reads the model of a file; PredictionError if it cannot be read or is not a model."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text"
            raise PredictionError(f"{path}: cannot be read: {reason}") from None
        return cls.from_text(text, str(path))

    @classmethod
    def from_text(cls, text: str, name: str) -> "DifficultyModel":
        """The model of a file's text; PredictionError, with the file's name, if that is not a model."""
        model = cls()
        model_file.fill(model, text, name)
        return model


def _offsets(effects: Mapping[str, CohortEffect]) -> NDArray[np.float64]:
    return np.array([effect.offset for effect in effects.values()])


def _logits(rows: NDArray[np.float64], mixed: MixedBinomial) -> NDArray[np.float64]:
    """The logits that a fit expects at rows, at the end of its walk."""
    logits: NDArray[np.float64] = mixed.coef_[0] + rows @ mixed.coef_[1:]
    return logits


DEFAULT_FILE = "default_model.json"


@cache
def default_model() -> DifficultyModel:
    """The model that levelsense brings along, fitted to simulated players; used where no other is given."""
    text = (resources.files("levelsense.prediction") / DEFAULT_FILE).read_text(encoding="utf-8")
    return DifficultyModel.from_text(text, f"the default model ({DEFAULT_FILE})")
