"""Who is judged by an evaluation: a model, fitted before or now, and maybe another beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Union

import polars as pl

from levelsense.errors import PredictionError
from levelsense.lab.run import Model, read_model

if TYPE_CHECKING:
    from levelsense.prediction.model import DifficultyModel

# Another model, its file, or the agents of a model that is to be fitted.
Against = Union["DifficultyModel", Path, Sequence[str], None]


class Contenders:
    """The model that is judged (None: it is to be fitted), and the one that it is compared with.

    agents  how many attempts each agent has: of the first model and, if there is one, of the other
    first   how many levels are fitted to; None if nothing is
    """

    def __init__(
        self, model: Model, agents: Mapping[str, int], against: Against, attempts: int, first: int | None
    ) -> None:
        """PredictionError if there is nothing to fit to, and something to fit."""
        from levelsense.prediction.table import parse_counted

        self.model = None if model is None else read_model(model)
        self.agents = [agents if self.model is None else dict(self.model.origin_.attempts)]
        self._other: DifficultyModel | None = None
        self._name = ""
        needs_first = self.model is None
        if against is not None:
            if isinstance(against, Sequence) and not isinstance(against, str):
                numbers = parse_counted(against, attempts)
                self._name, needs_first = " and ".join(against), True
            else:
                self._other = read_model(against)
                numbers = dict(self._other.origin_.attempts)
                self._name = against.name if isinstance(against, Path) else "the other model"
            self.agents.append(numbers)
        if needs_first and first is None:
            raise PredictionError("`first`: none; expected how many levels to fit to, or a saved `model`")
        self._first = first
        self.first = first if needs_first else None

    def fitted_other(self, table: pl.DataFrame) -> "tuple[str, DifficultyModel]":
        """The other model with its name, fitted to the first levels of its table if it is not fitted yet."""
        from levelsense.prediction.model import DifficultyModel

        if self._other is None:
            return self._name, DifficultyModel().fit(table.head(self._first or 0))
        return self._name, self._other
