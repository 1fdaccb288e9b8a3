"""What the levels of a fit were like, and what of a new level lies beyond that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.prediction.covariates import NEVER, Covariates, Scale
from levelsense.prediction.features import FLAG, amount_words, is_number, parts_of

LEAST_TOLD: Final = 0.25  # spreads beyond the range, for a column to be told
MOST_TOLD: Final = 3


@dataclass(frozen=True, eq=False)
class Seen:
    """The range of each column over the levels of a fit, and the parts that some of them had.

    Beyond the range nothing says that a column goes on to matter as it did within: there its slope is no
    better known than before the fit, when the ridge penalty gives it the variance 1 / penalty. A part that no
    level had is taken for a yes or no that was never seen. A column that was the same in all levels needs
    nothing: the fit has left its slope as unknown as it was.
    """

    least: NDArray[np.float64]
    most: NDArray[np.float64]
    parts: frozenset[str]

    def variance(
        self, values: NDArray[np.float64], scale: Scale, parts: Sequence[Sequence[str]], penalty: float
    ) -> NDArray[np.float64]:
        """What a level's unlikeness adds to the variance of its logit."""
        beyond = self._beyond(values) / scale.unit
        beyond[:, self.most == self.least] = 0
        unknown = np.array([len(self.unknown(own)) for own in parts])
        total: NDArray[np.float64] = ((beyond**2).sum(axis=1) + unknown / FLAG**2) / penalty
        return total

    def unknown(self, parts: Sequence[str]) -> list[str]:
        """The parts that no level of the fit had."""
        return [part for part in parts if part not in self.parts]

    def _beyond(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.maximum(0, np.maximum(self.least - values, values - self.most))

    def words(self, values: NDArray[np.float64], scale: Scale, columns: Covariates) -> list[str]:
        """How one level's columns are beyond the range, the farthest first, an agent once."""
        beyond = self._beyond(values) / scale.spread
        told: dict[str, str] = {}  # by agent or feature
        for column in np.argsort(-beyond, kind="stable").tolist():
            if beyond[column] < LEAST_TOLD or len(told) == MOST_TOLD:
                break
            value, least, most = (float(of[column]) for of in (values, self.least, self.most))
            number, part = divmod(column, columns.width)
            if number < len(columns.agents):
                is_better = (value > most) != (columns.parts[part] == NEVER)
                agent = columns.agents[number]
                told.setdefault(
                    agent, f"{agent} does {'better' if is_better else 'worse'} than at any of them"
                )
            else:
                name = columns.names[column]
                told[name] = _feature_words(name, value, least, most)
        return list(told.values())


def seen_in(values: NDArray[np.float64], table: pl.DataFrame, columns: Covariates) -> Seen:
    """What the levels of a fit were like.

    Parts of a feature that none of them has are not told beside the feature, nor counted once more.
    """
    least, most = values.min(axis=0), values.max(axis=0)
    parts = {part for own in table["parts"] for part in own}
    for name, highest in zip(columns.names, most, strict=True):
        if highest == 0:
            parts.update(parts_of(name))
    return Seen(least, most, frozenset(parts))


def _feature_words(name: str, value: float, least: float, most: float) -> str:
    if least == most == 0:
        return f"{name} (none of them has that)"
    if value == 0 and least > 0 and not is_number(name):
        return f"no {name} (all of them have that)"
    if name.endswith(" (log)"):
        value, least, most = np.exp((value, least, most)).round().tolist()
    there = f"{least:,.0f}" if is_number(name) else f"{least:.2g}"
    if least != most:
        there += f" to {most:,.0f}" if is_number(name) else f" to {most:.2g}"
    return f"{amount_words(name, value)} (they have {there})"
