"""From a table to a model's columns of numbers, with the sampling error of those that agents give."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.prediction.features import FEATURES, FLAG
from levelsense.prediction.measures import MEASURES, replicate_variance
from levelsense.prediction.table import agent_column, agents_of, require

NEVER, ALWAYS = "never", "always"  # whether an agent lost, or won, every attempt
RATE = MEASURES.index("rate")
# An agent's success rate is what tells most, so its column is penalized a hundred times less: its slope may
# be ten times as large at the same price. With few levels the penalty then leaves the rates, and little else.
RATE_FREEDOM: Final = 10.0
_USUAL_RATE: Final = 1.0  # the usual spread of a rate's logit, and of other measures
_USUAL_MEASURE: Final = 0.2


@dataclass(frozen=True)
class Covariates:
    """Which columns a model has: those of agents, a block each, then the level's features."""

    agents: tuple[str, ...]
    measures: tuple[str, ...] = MEASURES
    features: tuple[str, ...] = tuple(FEATURES)

    @property
    def names(self) -> tuple[str, ...]:
        """Every column's name, in order."""
        of_agents = (agent_column(agent, part) for agent in self.agents for part in self.parts)
        return (*of_agents, *self.features)

    @property
    def parts(self) -> tuple[str, ...]:
        """The columns that an agent has."""
        return (*self.measures, NEVER, ALWAYS)

    @property
    def width(self) -> int:
        """How many columns an agent has."""
        return len(self.parts)

    @property
    def freedom(self) -> NDArray[np.float64]:
        """How much larger each column's slope may be than the others'."""
        own = [RATE_FREEDOM if part == "rate" else 1.0 for part in self.parts]
        return np.array([*(own * len(self.agents)), *(1.0 for _ in self.features)])

    @property
    def usual(self) -> NDArray[np.float64]:
        """The spread of each column where the levels of a fit have none."""
        kinds = {"rate": _USUAL_RATE, NEVER: FLAG, ALWAYS: FLAG}
        own = [kinds.get(part, _USUAL_MEASURE) for part in self.parts]
        return np.array([*(own * len(self.agents)), *(FEATURES[name].usual for name in self.features)])

    def scale_of(self, values: NDArray[np.float64]) -> "Scale":
        """The scale of the columns of a fit's levels."""
        spread = values.std(axis=0)
        return Scale(values.mean(axis=0), np.where(spread > 1e-9, spread, self.usual), self.freedom)

    def values(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The columns, a row a level."""
        parts = [self._agent_values(table, agent) for agent in self.agents]
        require(table, self.features)
        features = np.empty((table.height, len(self.features)))
        for k, name in enumerate(self.features):
            features[:, k] = table[name].to_numpy()
        values = np.hstack([*parts, features])
        wrong = np.argwhere(~np.isfinite(values))
        if len(wrong):
            row, column = wrong[0]
            raise PredictionError(
                f"{table['level'][int(row)]}: {self.names[column]}: {values[row, column]}; expected a number"
            )
        return values

    def _agent_values(self, table: pl.DataFrame, agent: str) -> NDArray[np.float64]:
        if agent not in agents_of(table):
            raise PredictionError(
                f"the table has no results of {agent}; it has: {', '.join(agents_of(table)) or 'none'}"
            )
        measured = table.select(agent_column(agent, part) for part in self.measures).to_numpy()
        wins, attempts = (table[agent_column(agent, part)].to_numpy() for part in ("wins", "attempts"))
        return np.column_stack([measured, wins == 0, wins == attempts]).astype(np.float64)

    def variance(self, table: pl.DataFrame, slopes: Any) -> NDArray[np.float64]:
        """The sampling variance of the sum of the columns times slopes, for each level.

        The replicates of an agent that always wins, or never, all have the same rate: there the rate's
        variance is the binomial's own, 1 / (wins + 1/2) + 1 / (losses + 1/2).
        """
        total = np.zeros(table.height)
        chosen = [MEASURES.index(name) for name in self.measures]
        for number, agent in enumerate(self.agents):
            own = np.asarray(slopes)[number * self.width :][: len(self.measures)]
            replicates = table[agent_column(agent, "replicates")].to_numpy()
            total += replicate_variance(np.moveaxis(replicates[:, :, chosen] @ own, 1, 0))
            if "rate" in self.measures:
                wins, attempts = (
                    table[agent_column(agent, part)].to_numpy() for part in ("wins", "attempts")
                )
                binomial = 1 / (wins + 0.5) + 1 / (attempts - wins + 0.5)
                told = replicate_variance(np.moveaxis(replicates[:, :, RATE], 1, 0))
                is_end = (wins == 0) | (wins == attempts)
                total += own[self.measures.index("rate")] ** 2 * np.where(is_end, binomial - told, 0.0)
        return total


@dataclass(frozen=True, eq=False)
class Scale:
    """What each column is measured by: the middle and the spread it had in the levels of a fit.

    A column with freedom enters the fit that much larger, so that the penalty on its slope is smaller.
    """

    center: NDArray[np.float64]
    spread: NDArray[np.float64]
    freedom: NDArray[np.float64]

    @property
    def unit(self) -> NDArray[np.float64]:
        """How much of a column is 1 in the fit."""
        return self.spread / self.freedom

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Columns as they enter the fit."""
        return (values - self.center) / self.unit
