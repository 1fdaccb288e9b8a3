"""From a table to a model's columns of numbers, and how far a level is beyond the levels of the fit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.registry import agent_words
from levelsense.errors import PredictionError
from levelsense.prediction.features import (
    FEATURES,
    FLAG,
    MEASURES,
    amount_words,
    element_of,
    is_number,
    parts_of,
    replicate_variance,
)
from levelsense.prediction.table import agent_column, agents_of, require

NEVER, ALWAYS = "never", "always"  # whether an agent lost, or won, every attempt
RATE = MEASURES.index("rate")
# An agent's success rate is the most informative measure, so its column is penalized a hundred times less:
# its slope may be ten times as large at the same price. With few levels the penalty then leaves the rates,
# and little else.
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
        of_agent = [RATE_FREEDOM if part == "rate" else 1.0 for part in self.parts]
        return np.array([*(of_agent * len(self.agents)), *(1.0 for _ in self.features)])

    @property
    def usual(self) -> NDArray[np.float64]:
        """The spread of each column where the levels of a fit have none."""
        kinds = {"rate": _USUAL_RATE, NEVER: FLAG, ALWAYS: FLAG}
        of_agent = [kinds.get(part, _USUAL_MEASURE) for part in self.parts]
        return np.array([*(of_agent * len(self.agents)), *(FEATURES[name].usual for name in self.features)])

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

    def elements(
        self, values: NDArray[np.float64], among: NDArray[np.bool_] | None = None
    ) -> dict[str, NDArray[np.bool_]]:
        """Which levels have each element, goal or other thing that levels have or lack.

        Features of one thing, such as the amount of jelly and the goal to clear it, are one. `among` says
        which columns count: those of which nothing is known.
        """
        start = len(self.agents) * self.width
        having: dict[str, NDArray[np.bool_]] = {}
        for number, name in enumerate(self.features):
            if not is_number(name) and (among is None or among[start + number]):
                element = element_of(name)
                has = values[:, start + number] > 0
                having[element] = has | having.get(element, np.zeros(len(values), bool))
        return having

    def variance(self, table: pl.DataFrame, slopes: Any) -> NDArray[np.float64]:
        """The sampling variance of the sum of the columns times slopes, for each level."""
        total: NDArray[np.float64] = self.end_variance(table, slopes).sum(axis=1)
        chosen = [MEASURES.index(name) for name in self.measures]
        for number, agent in enumerate(self.agents):
            agent_slopes = np.asarray(slopes)[number * self.width :][: len(self.measures)]
            replicates = table[agent_column(agent, "replicates")].to_numpy()
            total += replicate_variance(np.moveaxis(replicates[:, :, chosen] @ agent_slopes, 1, 0))
        return total

    def end_variance(self, table: pl.DataFrame, slopes: Any) -> NDArray[np.float64]:
        """The part of that variance that replicates miss, levels x agents: those that always win, or never.

        All replicates of such an agent have the same rate; the rate's variance is the binomial's own,
        1 / (wins + 1/2) + 1 / (losses + 1/2).
        """
        extra = np.zeros((table.height, len(self.agents)))
        if "rate" not in self.measures:
            return extra
        for number, agent in enumerate(self.agents):
            slope = np.asarray(slopes)[number * self.width + self.measures.index("rate")]
            wins, attempts = (table[agent_column(agent, part)].to_numpy() for part in ("wins", "attempts"))
            rates = table[agent_column(agent, "replicates")].to_numpy()[:, :, RATE]
            binomial = 1 / (wins + 0.5) + 1 / (attempts - wins + 0.5)
            is_end = (wins == 0) | (wins == attempts)
            extra[:, number] = slope**2 * np.where(is_end, binomial - replicate_variance(rates.T), 0.0)
        return extra


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


LEAST_BEYOND: Final = 0.25  # spreads beyond the range, for a column to be mentioned
MOST_SENTENCES: Final = 3


@dataclass(frozen=True, eq=False)
class KnownRange:
    """The range of each column over the levels of a fit, and the parts that occurred in any of them.

    Beyond the range nothing says that a column goes on to matter as it did within: there its slope may be
    any, as far as slopes of such columns differ. What an element may do that no level had is estimated by
    leaving known elements out (unseen.py); so is a goal or a set of rules that no level had.

    slopes  the squares of slopes for one spread to reckon with, by each column's kind: the mean of those of
            the fit and a standard deviation more
    unseen  the variance of a level's logit by an element that no level had
    """

    least: NDArray[np.float64]
    most: NDArray[np.float64]
    parts: frozenset[str]
    slopes: NDArray[np.float64]
    unseen: float

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Which columns were the same in all levels: nothing is known of their slopes."""
        return np.asarray(self.most == self.least)

    def within(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values, with columns that were constant in the fit set to their constant."""
        return np.where(self.constant, self.least, values)

    def variance(
        self, values: NDArray[np.float64], scale: Scale, parts: Sequence[Sequence[str]], columns: Covariates
    ) -> NDArray[np.float64]:
        """What being unlike the levels of the fit adds to the variance of a level's logit."""
        beyond = self._beyond(values) / scale.spread
        beyond[:, self.constant] = 0
        new = np.array([len(self.unknown(level_parts)) for level_parts in parts], float)
        for differs in columns.elements(np.abs(values - self.least), self.constant).values():
            new += differs
        total: NDArray[np.float64] = beyond**2 @ self.slopes + self.unseen * new
        return total

    def joined(self, other: "KnownRange") -> "KnownRange":
        """The range of the levels of two fits together; what is unknown is as unknown as here."""
        return KnownRange(
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
            self.parts | other.parts,
            self.slopes,
            self.unseen,
        )

    def covariance(
        self, values: NDArray[np.float64], scale: Scale, parts: Sequence[Sequence[str]], columns: Covariates
    ) -> float:
        """What being unlike the fit adds to the covariance of two levels' logits."""
        over, under = np.maximum(values - self.most, 0), np.maximum(self.least - values, 0)
        beyond = (over - under) / scale.spread
        beyond[:, self.constant] = 0
        both = len(set(self.unknown(parts[0])) & set(self.unknown(parts[1])))
        for differs in columns.elements(np.abs(values - self.least), self.constant).values():
            both += int(differs.all())
        return float((beyond[0] * beyond[1]) @ self.slopes + self.unseen * both)

    def unknown(self, parts: Sequence[str]) -> list[str]:
        """The parts that no level of the fit had; a goal of an unknown element is not listed beside it."""
        unknown = [part for part in parts if part not in self.parts]
        implied = {other for part in unknown for other in parts_of(part) if other != part}
        return [part for part in unknown if part not in implied]

    def _beyond(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.maximum(0, np.maximum(self.least - values, values - self.most))

    def words(self, values: NDArray[np.float64], scale: Scale, columns: Covariates) -> list[str]:
        """How one level's columns are beyond the range, the farthest first, an agent once."""
        beyond = self._beyond(values) / scale.spread
        sentences: dict[str, str] = {}  # by agent or feature
        for column in np.argsort(-beyond, kind="stable").tolist():
            if beyond[column] < LEAST_BEYOND or len(sentences) == MOST_SENTENCES:
                break
            value, least, most = (float(of[column]) for of in (values, self.least, self.most))
            number, part = divmod(column, columns.width)
            if number < len(columns.agents):
                is_better = (value > most) != (columns.parts[part] == NEVER)
                agent = columns.agents[number]
                sentences.setdefault(
                    agent,
                    f"{agent_words(agent)} does {'better' if is_better else 'worse'} than at any of them",
                )
            else:
                name = columns.names[column]
                sentences[name] = _feature_words(name, value, least, most)
        return list(sentences.values())


def known_range(
    values: NDArray[np.float64],
    table: pl.DataFrame,
    columns: Covariates,
    slopes: NDArray[np.float64],
    unseen: float,
) -> KnownRange:
    """The range of the levels of a fit; `slopes` are those for one spread.

    Parts of a feature that none of them has are neither listed nor counted beside the feature.
    """
    least, most = values.min(axis=0), values.max(axis=0)
    parts = {part for level_parts in table["parts"] for part in level_parts}
    for name, highest in zip(columns.names, most, strict=True):
        if highest == 0:
            parts.update(parts_of(name))
    varies = most > least
    of_agents = np.arange(len(slopes)) < len(columns.agents) * columns.width
    squares = np.zeros(len(slopes))
    for kind in (of_agents, ~of_agents):
        if (kind & varies).any():
            known = slopes[kind & varies] ** 2
            # As with elements, most do next to nothing and some a lot.
            squares[kind] = known.mean() + known.std()
    return KnownRange(least, most, frozenset(parts), squares, unseen)


def _feature_words(name: str, value: float, least: float, most: float) -> str:
    if least == most == 0:
        return f"{name} (none of them has that)"
    if value == 0 and least > 0 and not is_number(name):
        return f"no {name} (all of them have that)"
    if name.endswith(" (log)"):
        value, least, most = np.exp((value, least, most)).round().tolist()
    fitted = f"{least:,.0f}" if is_number(name) else f"{least:.2g}"
    if least != most:
        fitted += f" to {most:,.0f}" if is_number(name) else f" to {most:.2g}"
    return f"{amount_words(name, value)} (they have {fitted})"
