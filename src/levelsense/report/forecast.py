"""Predictions of a page's levels, compared with players' results where there are any."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Self

import polars as pl

from levelsense.agents.registry import agent_words
from levelsense.losses.explain import Losses
from levelsense.playtest import NamedLevel
from levelsense.playtest.figures import LevelFigures
from levelsense.prediction.evaluation import Spreads, judged, spreads
from levelsense.prediction.explain import model_words, people_word
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.model_file import Origin
from levelsense.prediction.observed import Observed
from levelsense.prediction.table import with_players
from levelsense.prediction.tuning import LimitRate
from levelsense.report.numbers import PREDICTED
from levelsense.report.prediction_numbers import own_rate, worst_misses
from levelsense.report.theme import MODEL, agent_styles

FEWEST_TO_COMPARE: Final = 3  # levels; with fewer there is nothing by difficulty, and no order
FEWEST_TO_SPREAD: Final = 5  # levels; fewer make no box, and say nothing of bands
MOST_MISSES: Final = 10
MISSES_SHARE: Final = 3  # at most one level in so many is among the worst


@dataclass(frozen=True, eq=False)
class Judged:
    """Judged levels, as pages show them.

    levels       the frame of prediction.evaluation.judged, in the order of the levels
    agents       the agents whose success rates are compared with players' too, by their names on the page
    simulated    whether those players are simulated
    page_agents  the agents of the whole page, in their order: each has one color everywhere
    """

    levels: pl.DataFrame
    agents: tuple[str, ...]
    simulated: bool
    page_agents: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, levels: pl.DataFrame, specs: Sequence[str], simulated: bool, page_agents: tuple[str, ...] = ()
    ) -> Self:
        """Judged levels with the rates of agents of these specs, which have their names from here on."""
        names = {spec: agent_words(spec) for spec in specs}
        return cls(levels.rename(names), tuple(names.values()), simulated, page_agents)

    @property
    def people(self) -> str:
        """`players` or `simulated players`."""
        return people_word(self.simulated)

    @property
    def compared(self) -> tuple[str, ...]:
        """The names of the rates that are compared with the observed ones: the prediction, then agents'."""
        return (PREDICTED, *map(own_rate, self.agents))

    @property
    def colors(self) -> dict[str, str]:
        """The colors of the compared rates."""
        styles = agent_styles((*self.page_agents, *self.agents))
        return {PREDICTED: MODEL} | {own_rate(agent): styles[agent].color for agent in self.agents}

    @property
    def dashes(self) -> dict[str, tuple[int, ...]]:
        """The dashes of lines of the compared rates: the second cue beside their colors."""
        styles = agent_styles((*self.page_agents, *self.agents))
        return {PREDICTED: (1, 0)} | {own_rate(agent): styles[agent].dash for agent in self.agents}

    @property
    def comparable(self) -> bool:
        """Whether there are enough levels to compare them by difficulty, and to name the worst."""
        return self.levels.height >= FEWEST_TO_COMPARE

    @property
    def spread(self) -> bool:
        """Whether there are enough levels to show the spread of deltas and the coverage of bands."""
        return self.levels.height >= FEWEST_TO_SPREAD

    @cached_property
    def misses(self) -> list[dict[str, Any]]:
        """The levels with the largest deltas: a small share of all, and only those that are clearly off."""
        most = min(MOST_MISSES, self.levels.height // MISSES_SHARE)
        return worst_misses(self.levels, most) if self.comparable else []

    @cached_property
    def spreads(self) -> dict[str, Spreads]:
        """Mean and standard deviation of the deltas of all compared rates, by their names."""
        columns = ("rate", *self.agents)
        return {
            name: spreads(self.levels, column) for name, column in zip(self.compared, columns, strict=True)
        }


@dataclass(frozen=True, eq=False)
class Forecast:
    """Predictions by the levels' names, and the model they come from.

    observed   levels with players' results beside their predictions (evaluation.judged); None without any
    players    the name of the players that have these results
    simulated  whether those players are simulated
    target     the success rate that is wanted, or None
    by_limit   what is expected with other limits, by the levels' names; none for levels that are not there
    """

    origin: Origin
    expected: Mapping[str, LevelPrediction]
    observed: pl.DataFrame | None = None
    players: str = ""
    simulated: bool = False
    target: float | None = None
    by_limit: Mapping[str, Sequence[LimitRate]] = field(default_factory=dict)

    @cached_property
    def rates(self) -> dict[str, float]:
        """The success rates of players, by the names of the levels where they are known."""
        return {} if self.observed is None else dict(self.observed.select("level", "observed").iter_rows())

    @property
    def fitted_to(self) -> str:
        """What the model was fitted to."""
        return model_words(self.origin)

    def judged(self, page_agents: tuple[str, ...]) -> Judged | None:
        """The levels with players' results, for a page that shows these agents; None if there are none."""
        if self.observed is None:
            return None
        return Judged.of(self.observed, tuple(self.origin.attempts), self.simulated, page_agents)


@dataclass(frozen=True, eq=False)
class ReportPart:
    """What a page says of some of its levels.

    table     what agents did there, as a model takes it
    figures   every figure of the agents' attempts
    losses    why attempts are lost, by the levels' names
    by_limit  what is expected with other limits, by the levels' names
    """

    levels: tuple[NamedLevel, ...]
    table: pl.DataFrame
    figures: tuple[LevelFigures, ...]
    losses: Mapping[str, Losses]
    by_limit: Mapping[str, Sequence[LimitRate]] = field(default_factory=dict)


def forecast_of(
    model: DifficultyModel,
    table: pl.DataFrame,
    observed: Observed | None = None,
    target: float | None = None,
) -> Forecast:
    """Predictions of the levels of a table, compared with players' results where there are any.

    `target` is the success rate that is wanted, or None.
    """
    expected = {prediction.name: prediction for prediction in predict_levels(model, table, target)}
    if observed is None:
        return Forecast(model.origin_, expected, target=target)
    compared = judged(model, with_players(table, observed.rates))
    return Forecast(model.origin_, expected, compared, observed.players, observed.simulated, target)
