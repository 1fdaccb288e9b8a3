"""The race of edits: the logit of each after few attempts, on the boards that the level itself was dealt."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levelsense.level.level import Level
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import (
    Played,
    SameBoards,
    paired_covariance,
    replicate_logits,
    table_of,
)


class Race:
    """Estimates of edited levels' logits, corrected by what chance did to the level that was edited.

    That level was played with many attempts, and its first ones are on the boards of the edits' attempts. How
    far its logit by these is from its logit by all is an error that the edits share in part: so much is taken
    off as the jackknife's covariance says (a control variate).
    """

    def __init__(self, model: DifficultyModel, level: Level, played: Played, boards: SameBoards) -> None:
        self._model, self._level, self._played, self._boards = model, level, played, boards
        self.logit = float(model.logits(table_of([level], [played]))[0])
        self._known: dict[tuple[str, int], float] = {}
        self.attempts = 0  # of all agents, played so far

    def logits(self, levels: Sequence[Level], attempts: int) -> NDArray[np.float64]:
        """The logit of each level by so many attempts of each agent, or as many as the edited level has."""
        attempts = min(attempts, *map(len, self._played.values()))
        keys = [(level.digest, attempts) for level in levels]
        fresh = {key: level for key, level in zip(keys, levels, strict=True) if key not in self._known}
        if fresh:
            self._known |= zip(fresh, self._estimates(list(fresh.values()), attempts).tolist(), strict=True)
        return np.array([self._known[key] for key in keys])

    def _estimates(self, levels: Sequence[Level], attempts: int) -> NDArray[np.float64]:
        first = {agent: of_agent.head(attempts) for agent, of_agent in self._played.items()}
        played = self._boards.play(levels, attempts)
        self.attempts += sum(len(of_agent) for by_agent in played for of_agent in by_agent.values())
        table = table_of([self._level, *levels], [first, *played])
        logits, replicates = self._model.logits(table), replicate_logits(self._model, table)
        error, variance = logits[0] - self.logit, paired_covariance(replicates[0], replicates[0])
        shares = [
            min(max(paired_covariance(replicates[0], other) / variance, 0.0), 1.0) if variance else 0.0
            for other in replicates[1:]
        ]
        corrected: NDArray[np.float64] = logits[1:] - error * np.array(shares)
        return corrected
