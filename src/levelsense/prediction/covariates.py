"""From a table to a model's columns of numbers, with the sampling error of those that agents give."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.prediction.features import FEATURES
from levelsense.prediction.measures import MEASURES, replicate_variance
from levelsense.prediction.table import agent_column, agents_of, require

NEVER, ALWAYS = "never", "always"  # whether an agent lost, or won, every attempt
RATE = MEASURES.index("rate")


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

    def values(self, table: pl.DataFrame) -> NDArray[np.float64]:
        """The columns, a row a level."""
        parts = [self._agent_values(table, agent) for agent in self.agents]
        require(table, self.features)
        features = table.select(self.features).to_numpy().astype(np.float64)
        values = np.hstack([*parts, features.reshape(table.height, len(self.features))])
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
    """What each column is measured by: the middle and the spread it had in the levels of a fit."""

    center: NDArray[np.float64]
    spread: NDArray[np.float64]

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Columns in units of their spread."""
        return (values - self.center) / self.spread


def scale_of(values: NDArray[np.float64]) -> Scale:
    """The scale of columns; a column that is the same everywhere has a spread of 1."""
    spread = values.std(axis=0)
    return Scale(values.mean(axis=0), np.where(spread > 1e-9, spread, 1.0))
