"""Levels whose predictions are held against players' results, as all pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import polars as pl

from levelsense.prediction.evaluation import Spreads, spreads
from levelsense.prediction.words import people_word
from levelsense.report.prediction_numbers import PREDICTED, own_rate, worst_misses
from levelsense.report.theme import BESIDE_MODEL, MODEL

FEWEST_TO_COMPARE: Final = 3  # levels; with fewer there is nothing by difficulty, and no order
FEWEST_TO_SPREAD: Final = 5  # levels; fewer make no box, and say nothing of bands
MOST_MISSES: Final = 10
MISSES_SHARE: Final = 3  # at most one level in so many is among the worst


@dataclass(frozen=True, eq=False)
class Judged:
    """What the pages tell of judged levels.

    levels     the frame of prediction.evaluation.judged, in the order of the levels
    agents     whose own success rates are compared with players' too
    simulated  whether those players are simulated
    shown      the agents of the whole page, in their order: each has one color everywhere
    """

    levels: pl.DataFrame
    agents: tuple[str, ...]
    simulated: bool
    shown: tuple[str, ...] = ()

    @property
    def people(self) -> str:
        """What those are called whose success rates were observed."""
        return people_word(self.simulated)

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the rates that are held against the observed ones: the prediction, then agents'."""
        return (PREDICTED, *map(own_rate, self.agents))

    @property
    def colors(self) -> dict[str, str]:
        """The colors of the compared rates."""
        of_agents = agent_colors(self.shown, self.agents)
        return {PREDICTED: MODEL} | {own_rate(agent): of_agents[agent] for agent in self.agents}

    @property
    def comparable(self) -> bool:
        """Whether there are enough levels to compare them by difficulty, and to name the worst."""
        return self.levels.height >= FEWEST_TO_COMPARE

    @property
    def spread(self) -> bool:
        """Whether there are enough levels to tell how deltas spread, and whether bands hold."""
        return self.levels.height >= FEWEST_TO_SPREAD

    @cached_property
    def misses(self) -> list[dict[str, Any]]:
        """The levels that are furthest off: few of all, and only such as are clearly off."""
        most = min(MOST_MISSES, self.levels.height // MISSES_SHARE)
        return worst_misses(self.levels, most) if self.comparable else []

    @cached_property
    def spreads(self) -> dict[str, Spreads]:
        """Mean and standard deviation of the deltas of all compared rates, by their names."""
        columns = ("rate", *self.agents)
        return {
            name: spreads(self.levels, column) for name, column in zip(self.compared, columns, strict=True)
        }


def agent_colors(*groups: Sequence[str]) -> dict[str, str]:
    """A color for each agent of a page that has predictions too, by the order in which they come."""
    agents = dict.fromkeys(agent for group in groups for agent in group)
    return {agent: BESIDE_MODEL[k % len(BESIDE_MODEL)] for k, agent in enumerate(agents)}
