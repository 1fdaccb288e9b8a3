"""What a model says of a report's levels, and what players did there where that is known."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from levelsense.prediction.difficulty import DifficultyModel
from levelsense.prediction.evaluation import judged
from levelsense.prediction.model_file import Origin
from levelsense.prediction.people import Observed
from levelsense.prediction.reasons import unlike_words, why_words
from levelsense.prediction.table import with_players
from levelsense.prediction.words import model_words
from levelsense.report.judged import Judged


@dataclass(frozen=True)
class Expected:
    """The prediction of a level: a row of DifficultyModel.predict, why it comes out so, and what to mind."""

    row: Mapping[str, Any]
    reasons: tuple[str, ...]
    unlike: str | None = None  # how it is unlike the levels that the model knows


@dataclass(frozen=True, eq=False)
class Forecast:
    """Predictions by the levels' names, and the model they come from.

    observed   levels with players' results beside their predictions (evaluation.judged); None without any
    players    whose results those are
    simulated  whether those players are simulated
    target     the success rate that is wanted, if one is
    """

    origin: Origin
    expected: Mapping[str, Expected]
    observed: pl.DataFrame | None = None
    players: str = ""
    simulated: bool = False
    target: float | None = None

    @cached_property
    def rates(self) -> dict[str, float]:
        """The success rates of players, by the names of the levels where they are known."""
        return {} if self.observed is None else dict(self.observed.select("level", "observed").iter_rows())

    @property
    def fitted_to(self) -> str:
        """What the model was fitted to."""
        return model_words(self.origin)

    def judged(self, shown: tuple[str, ...]) -> Judged | None:
        """The levels that players have results of, for a page that shows these agents; None without any."""
        if self.observed is None:
            return None
        return Judged(self.observed, tuple(self.origin.attempts), self.simulated, shown)


def forecast_of(
    model: DifficultyModel,
    table: pl.DataFrame,
    observed: Observed | None = None,
    target: float | None = None,
) -> Forecast:
    """What a model says of the levels of a table, held against players' results where there are any.

    `target` is the success rate that is wanted, if one is.
    """
    expected = {}
    rows = zip(
        model.predict(table).to_dicts(), why_words(model, table), unlike_words(model, table), strict=True
    )
    for row, why, unlike in rows:
        expected[row["level"]] = Expected(row, tuple(why), unlike)
    if observed is None:
        return Forecast(model.origin_, expected, target=target)
    seen = judged(model, with_players(table, observed.rates))
    return Forecast(model.origin_, expected, seen, observed.players, observed.simulated, target)
