"""The model that knows levels, agents and features: fitted to players' results, asked about new levels."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.game.version import RULES_VERSION
from levelsense.prediction.covariates import Covariates, Scale, scale_of
from levelsense.prediction.features import FEATURES
from levelsense.prediction.measures import MEASURES
from levelsense.prediction.mixed_binomial import MixedBinomial
from levelsense.prediction.seen import Seen, seen_in
from levelsense.prediction.selection import choose_penalty, rolling_folds
from levelsense.prediction.table import agent_column, agents_of, require
from levelsense.prediction.threads import one_thread

FORMAT: Final = 2
PENALTIES: Final = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)
FOLDS: Final = 4
FEWEST_TO_CHOOSE: Final = 40  # levels; with fewer the penalty is not chosen but this one
PENALTY_OF_FEW: Final = 3.0
ROUNDS: Final = 2  # of finding the sampling variance by the slopes, and the slopes by the variance
BANDS: Final = (0.5, 0.95)


@dataclass(frozen=True)
class Origin:
    """What a model was fitted to, in words that are kept with it."""

    levels: int
    players: str = ""  # whose results
    simulated: bool = False
    attempts: Mapping[str, int] = field(default_factory=dict)  # of each agent at a level


class _Counts(NamedTuple):
    """What players did at each level of a fit."""

    successes: NDArray[np.int64]
    attempts: NDArray[np.int64]


class DifficultyModel:
    """Players' success rate at a level, from agents' attempts and the level's features.

    logit(p) = b0 + sum of b_j x_j + kappa: MixedBinomial on standardized columns, with a ridge penalty that
    is chosen by predicting forward in the order of the table, the saga's. The sampling error of the agents'
    attempts is part of kappa's variance, in the fit as in the band. A level unlike those of the fit gets a
    wider band (seen.py).

    agents      whose attempts it needs; all of the table it is fitted to if left out
    penalties   the penalties to choose from
    columns     which columns it has: all there are if left out
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
        self.seen_: Seen
        self.mixed_: MixedBinomial
        self.penalty_: float
        self.chosen_: bool  # whether the penalty was chosen by predicting forward
        self.origin_: Origin

    def fit(self, table: pl.DataFrame, players: str = "", simulated: bool = False) -> Self:
        """Fits to levels with players' results, in saga order; PredictionError if that cannot be done."""
        require(table, ("level", "parts", "attempts", "successes"))
        with one_thread():
            return self._fit(table, players, simulated)

    def _fit(self, table: pl.DataFrame, players: str, simulated: bool) -> Self:
        agents = agents_of(table) if self.agents is None else tuple(self.agents)
        self.columns_ = self.columns or Covariates(agents)
        values = self.columns_.values(table)
        self.scale_, self.seen_ = scale_of(values), seen_in(values, table)
        counts = _Counts(table["successes"].to_numpy(), table["attempts"].to_numpy())
        rows = self.scale_(values)
        self.penalty_, self.chosen_ = PENALTY_OF_FEW, False
        self.mixed_ = self._fit_rows(table, rows, counts)
        if table.height >= FEWEST_TO_CHOOSE and len(self.penalties) > 1:
            try:
                self.penalty_, self.chosen_ = self._choose(table, values, counts), True
            except PredictionError:
                pass  # such as a first half that everybody won: the fit above stands
            else:
                self.mixed_ = self._fit_rows(table, rows, counts)
        attempts = {
            agent: int(table[agent_column(agent, "attempts")].to_numpy().max())
            for agent in self.columns_.agents
        }
        self.origin_ = Origin(table.height, players, simulated, attempts)
        return self

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
        return self.columns_.variance(table, mixed.coef_[1:] / self.scale_.spread)

    def _choose(self, table: pl.DataFrame, values: NDArray[np.float64], counts: _Counts) -> float:
        """The penalty that predicts each quarter of the later half best from all levels before it."""
        first = table.height // 2
        scale = scale_of(values[:first])
        rows = scale(values)
        # Slopes of the first half alone, so that nothing of later levels is known to earlier ones.
        early = MixedBinomial(penalty=PENALTY_OF_FEW).fit(
            rows[:first], counts.successes[:first], counts.attempts[:first]
        )
        variance = self.columns_.variance(table, early.coef_[1:] / scale.spread)
        folds = rolling_folds(table.height, first, FOLDS)
        return choose_penalty(
            rows, counts.successes, counts.attempts, variance, self.penalties, folds
        ).penalty

    def predict(self, table: pl.DataFrame, attempts: Any = None) -> pl.DataFrame:
        """A row a level: the success rate to expect with bands, of the true rate unless told `attempts`.

        With `attempts`, bands are of the rate that will be observed in so many attempts of players.
        """
        require(table, ("level", "parts"))
        values = self.columns_.values(table)
        # As unknown as a slope is before the fit; some penalty there must be.
        unlike = self.seen_.variance(
            values, self.scale_, table["parts"].to_list(), max(self.penalty_, PENALTIES[0])
        )
        variance = self._variance(table, self.mixed_) + unlike
        found = self.mixed_.predict(self.scale_(values), attempts, variance, levels=BANDS)
        columns = {"level": table["level"], "rate": found.rate, "mean": found.mean, "needed": found.needed}
        for band in BANDS:
            percent = round(100 * band)
            columns |= {
                f"low_{percent}": found.bands[band].low,
                f"high_{percent}": found.bands[band].high,
                f"needed_low_{percent}": found.needed_bands[band].low,
                f"needed_high_{percent}": found.needed_bands[band].high,
            }
        return pl.DataFrame(columns)

    def as_data(self) -> dict[str, Any]:
        """Everything the model knows, as its file says it."""
        return {
            "levelsense model": FORMAT,
            "about": {
                "levels": self.origin_.levels,
                "players": self.origin_.players,
                "simulated": self.origin_.simulated,
                "rules": RULES_VERSION,
            },
            "agents": dict(self.origin_.attempts),
            "measures": list(self.columns_.measures),
            "features": list(self.columns_.features),
            "columns": [
                {
                    "name": name,
                    "slope": slope,
                    "error": error,
                    "center": center,
                    "spread": spread,
                    "least": least,
                    "most": most,
                }
                for name, slope, error, center, spread, least, most in zip(
                    self.columns_.names,
                    self.mixed_.coef_[1:].tolist(),
                    self.mixed_.se_[1:].tolist(),
                    self.scale_.center.tolist(),
                    self.scale_.spread.tolist(),
                    self.seen_.least.tolist(),
                    self.seen_.most.tolist(),
                    strict=True,
                )
            ],
            "parts": sorted(self.seen_.parts),
            "intercept": float(self.mixed_.coef_[0]),
            "sigma": self.mixed_.sigma_,
            "penalty": self.penalty_,
            "penalty chosen": self.chosen_,
            "fit": self.mixed_.as_data(),
        }

    def save(self, path: str | Path) -> None:
        """Writes the model's file; PredictionError if that cannot be done."""
        text = json.dumps(_rounded(self.as_data()), indent=1)
        # Matrices as rows, so that a person can read past them.
        try:
            Path(path).write_text(_compact(text) + "\n", encoding="utf-8")
        except OSError as error:
            raise PredictionError(f"{path}: cannot be written: {error.strerror}") from None

    @classmethod
    def load(cls, path: str | Path) -> "DifficultyModel":
        """The model of a file; PredictionError if there is none."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text"
            raise PredictionError(f"{path}: cannot be read: {reason}") from None
        return cls.from_text(text, str(path))

    @classmethod
    def from_text(cls, text: str, name: str) -> "DifficultyModel":
        """The model that the text of a file says; PredictionError, with the file's name, if it says none."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise PredictionError(
                f"{name}: no JSON: {error}; expected a model that `levelsense fit` wrote"
            ) from None
        if not isinstance(data, dict) or "levelsense model" not in data:
            raise PredictionError(f"{name}: not a model; expected a file that `levelsense fit` wrote")
        if data["levelsense model"] != FORMAT:
            raise PredictionError(
                f"{name}: a model of format {data['levelsense model']}; this levelsense reads format {FORMAT}"
            )
        try:
            return cls._from_data(data)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise PredictionError(f"{name}: a damaged model: {error!r}; fit it again") from None

    @classmethod
    def _from_data(cls, data: dict[str, Any]) -> "DifficultyModel":
        about = data["about"]
        if about["rules"] != RULES_VERSION:
            raise ValueError(f"of rules version {about['rules']}, not {RULES_VERSION}")
        agents = {str(agent): int(number) for agent, number in data["agents"].items()}
        unknown = {*data["measures"]} - {*MEASURES} | {*data["features"]} - {*FEATURES}
        if unknown:
            raise ValueError(f"unknown columns {', '.join(sorted(unknown))}")
        model = cls(tuple(agents))
        model.columns_ = Covariates(tuple(data["agents"]), tuple(data["measures"]), tuple(data["features"]))
        columns = data["columns"]
        if [column["name"] for column in columns] != list(model.columns_.names):
            raise ValueError("the columns are not those of its agents, measures and features")
        center, spread, least, most = (
            np.array([column[key] for column in columns], float)
            for key in ("center", "spread", "least", "most")
        )
        model.scale_ = Scale(center, spread)
        model.seen_ = Seen(least, most, frozenset(data["parts"]))
        model.penalty_, model.chosen_ = data["penalty"], data["penalty chosen"]
        model.mixed_ = MixedBinomial.from_data(data["fit"])
        if len(model.mixed_.coef_) != len(columns) + 1 or not (model.scale_.spread > 0).all():
            raise ValueError("its numbers do not fit its columns")
        model.origin_ = Origin(about["levels"], about["players"], about["simulated"], agents)
        return model


def _rounded(data: Any) -> Any:
    """Data with its numbers to six digits, which is more than they are known to."""
    if isinstance(data, float):
        return float(f"{data:.6g}")
    if isinstance(data, dict):
        return {key: _rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_rounded(value) for value in data]
    return data


def _compact(text: str) -> str:
    """Indented JSON with every list of numbers on one line."""
    return re.sub(
        r"\[[\s\d.,eE+-]*?\]",
        lambda found: re.sub(r"\s+", " ", found[0]).replace("[ ", "[").replace(" ]", "]"),
        text,
    )
