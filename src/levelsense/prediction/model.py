"""The difficulty model: fitted to players' results at levels, it predicts success rates at new ones."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import OutputError, PredictionError
from levelsense.files import write_text
from levelsense.prediction import model_file
from levelsense.prediction.covariates import Covariates, KnownRange, Scale, known_range
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.mixed.maximize import one_thread
from levelsense.prediction.mixed.selection import PenaltyChoice, choose_penalty, rolling_folds
from levelsense.prediction.model_file import Origin
from levelsense.prediction.table import agent_column, agents_of, require

PENALTIES: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)
FOLDS: Final = 4
FEWEST_TO_CHOOSE: Final = 40  # levels; with fewer the penalty is not chosen but this one
PENALTY_OF_FEW: Final = 1000.0
ROUNDS: Final = 2  # of finding the sampling variance by the slopes, and the slopes by the variance
BANDS: Final = (0.5, 0.95)


class _Counts(NamedTuple):
    """Players' successes and attempts at each level of a fit."""

    successes: NDArray[np.int64]
    attempts: NDArray[np.int64]


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
    ) -> None:
        self.agents, self.penalties, self.columns = agents, tuple(penalties), columns
        self.columns_: Covariates
        self.scale_: Scale
        self.known_range_: KnownRange
        self.mixed_: MixedBinomial
        self.penalty_: float
        self.chosen_: bool  # whether the penalty was chosen by predicting forward
        self.choice_: PenaltyChoice | None = None  # how; set by a fit only, not read from a file
        self.origin_: Origin
        self.table_: pl.DataFrame  # the levels fitted to; set by a fit only, not read from a file

    def fit(self, table: pl.DataFrame, players: str = "", simulated: bool = False) -> Self:
        """Fits to levels with players' results, in saga order; PredictionError if that cannot be done."""
        require(table, ("level", "parts", "attempts", "successes"))
        with one_thread():
            return self._fit(table, players, simulated)

    def _fit(self, table: pl.DataFrame, players: str, simulated: bool) -> Self:
        agents = agents_of(table) if self.agents is None else tuple(self.agents)
        self.columns_ = self.columns or Covariates(agents)
        values = self.columns_.values(table)
        self.scale_, self.known_range_ = (
            self.columns_.scale_of(values),
            known_range(values, table, self.columns_),
        )
        counts = _Counts(table["successes"].to_numpy(), table["attempts"].to_numpy())
        rows = self.scale_(values)
        self.penalty_, self.chosen_ = self._penalty(table, values, counts)
        self.mixed_ = self._fit_rows(table, rows, counts)
        attempts = {
            agent: int(table[agent_column(agent, "attempts")].to_numpy().max())
            for agent in self.columns_.agents
        }
        self.origin_, self.table_ = Origin(table.height, players, simulated, attempts), table
        return self

    def _penalty(
        self, table: pl.DataFrame, values: NDArray[np.float64], counts: _Counts
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

    def _fit_rows(self, table: pl.DataFrame, rows: NDArray[np.float64], counts: _Counts) -> MixedBinomial:
        """Fits slopes and sampling variance in turn."""
        mixed: MixedBinomial | None = None
        for _ in range(ROUNDS):
            variance = None if mixed is None else self._variance(table, mixed)
            mixed = MixedBinomial(penalty=self.penalty_).fit(
                rows, counts.successes, counts.attempts, variance, start=mixed
            )
        assert mixed is not None
        return mixed

    def _variance(self, table: pl.DataFrame, mixed: MixedBinomial) -> NDArray[np.float64]:
        return self.columns_.variance(table, mixed.coef_[1:] / self.scale_.unit)

    def _choose(self, table: pl.DataFrame, values: NDArray[np.float64], counts: _Counts) -> PenaltyChoice:
        """The penalty that predicts each quarter of the later half best from all levels before it."""
        first = table.height // 2
        scale = self.columns_.scale_of(values[:first])
        rows = scale(values)
        # Slopes of the first half alone, so that later levels do not influence predictions of earlier ones.
        early = MixedBinomial(penalty=PENALTIES[0]).fit(
            rows[:first], counts.successes[:first], counts.attempts[:first]
        )
        variance = self.columns_.variance(table, early.coef_[1:] / scale.unit)
        folds = rolling_folds(table.height, first, FOLDS)
        return choose_penalty(rows, counts.successes, counts.attempts, variance, self.penalties, folds)

    def logits(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The logit of each level's rate by the best coefficients alone: quick, and without a band."""
        self._check_fitted()
        rows = self.scale_(self.columns_.values(table))
        logits: NDArray[np.float64] = self.mixed_.coef_[0] + rows @ self.mixed_.coef_[1:]
        return logits

    def sampling_variance(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The variance of each level's logit that comes from the agents' finite attempts."""
        return self._variance(table, self.mixed_)

    def unlike_variance(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The variance of each level's logit that comes from being unlike the levels of the fit."""
        values, parts = self.columns_.values(table), table["parts"].to_list()
        return self.known_range_.variance(values, self.scale_, parts, self._prior_penalty)

    def unlike_covariance(self, table: pl.DataFrame) -> float:
        """The same of two levels together: they may be unlike the levels of the fit in the same way."""
        values, parts = self.columns_.values(table), table["parts"].to_list()
        return self.known_range_.covariance(values, self.scale_, parts, self._prior_penalty)

    @property
    def _prior_penalty(self) -> float:
        # The prior variance of a slope is 1 / penalty, so that a penalty of 0 will not do.
        return max(self.penalty_, PENALTIES[0])

    def predict(self, table: pl.DataFrame, attempts: Any = None) -> pl.DataFrame:
        """A row a level: the success rate to expect, with bands of the true rate.

        With `attempts`, bands are of the rate that will be observed in so many attempts of players.
        """
        self._check_fitted()
        require(table, ("level", "parts"))
        values = self.columns_.values(table)
        variance = self.sampling_variance(table) + self.unlike_variance(table)
        prediction = self.mixed_.predict(self.scale_(values), attempts, variance, levels=BANDS)
        columns = {
            "level": table["level"],
            "rate": prediction.rate,
            "mean": prediction.mean,
            "needed": prediction.needed,
        }
        for band in BANDS:
            percent = round(100 * band)
            columns |= {
                f"low_{percent}": prediction.bands[band].low,
                f"high_{percent}": prediction.bands[band].high,
                f"needed_low_{percent}": prediction.needed_bands[band].low,
                f"needed_high_{percent}": prediction.needed_bands[band].high,
            }
        return pl.DataFrame(columns)

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


DEFAULT_FILE = "default_model.json"


@cache
def default_model() -> DifficultyModel:
    """The model that levelsense brings along, fitted to simulated players; used where no other is given."""
    text = (resources.files("levelsense.prediction") / DEFAULT_FILE).read_text(encoding="utf-8")
    return DifficultyModel.from_text(text, f"the default model ({DEFAULT_FILE})")
