"""Levels played on the same boards: their attempts, and how far their sampling errors go together.

Two versions of a level are given the same seeds, attempt by attempt, so that much of what chance does to one
it does to the other. How much of it, the jackknife tells: attempt k is in the same group at both, and what
leaving a group out does to one goes with what it does to the other. `Race` estimates edited levels by few
attempts each, and takes that shared error off.
"""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import StoppedError
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.runner import default_threads
from levelsense.prediction.features import measure
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.table import agent_cells, agent_column, as_table, level_cells

Played = Mapping[str, Attempts]  # by the agents' specs


class SameBoards:
    """Plays any level on the boards that one level is dealt in a run: by its digest's seeds."""

    def __init__(
        self,
        level: Level,
        agents: Sequence[str],
        seed: int = 0,
        threads: int | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self._digest, self._seed = level.digest, seed
        self._agents = [parse_agent(agent) for agent in agents]
        self._threads, self._stop = threads or default_threads(), stop

    def play(self, levels: Sequence[Level], attempts: int | Mapping[str, int]) -> list[Played]:
        """Each agent's attempts at each level; StoppedError if it is stopped."""
        numbers = {
            agent.spec: attempts if isinstance(attempts, int) else attempts[agent.spec]
            for agent in self._agents
        }
        tasks = [(level, agent, numbers[agent.spec]) for level in levels for agent in self._agents]
        pool = ThreadPoolExecutor(self._threads)
        try:
            played = list(pool.map(lambda task: self._attempts(*task), tasks))
        finally:
            pool.shutdown(cancel_futures=True)
        several = len(self._agents)
        specs = [agent.spec for agent in self._agents]
        return [
            dict(zip(specs, played[start : start + several], strict=True))
            for start in range(0, len(played), several)
        ]

    def _attempts(self, level: Level, agent: Agent, number: int) -> Attempts:
        if self._stop is not None and self._stop.is_set():
            raise StoppedError
        seeds = attempt_seeds(self._digest, agent.spec, self._seed, 0, number)
        return Attempts.from_records(level, 0, agent.attempts(level, seeds))


def table_of(levels: Sequence[Level], played: Sequence[Played]) -> pl.DataFrame:
    """The table that a model predicts from, a row a level, in their order."""
    rows = []
    for number, (level, by_agent) in enumerate(zip(levels, played, strict=True)):
        row = level_cells(str(number), level)
        for agent, attempts in by_agent.items():
            row |= agent_cells(agent, measure(attempts))
        rows.append(row)
    return as_table(rows)


def replicate_logits(model: DifficultyModel, table: pl.DataFrame) -> NDArray[np.float64]:
    """What agents' replicates add to each level's logit: levels x agents x groups of the jackknife."""
    columns, slopes = model.columns_, model.mixed_.coef_[1:] / model.scale_.unit
    width, measures = columns.width, len(columns.measures)
    return np.stack(
        [
            table[agent_column(agent, "replicates")].to_numpy() @ slopes[k * width :][:measures]
            for k, agent in enumerate(columns.agents)
        ],
        axis=1,
    )


def paired_covariance(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The covariance of two levels' logits by their replicates (agents x groups); agents are independent."""
    groups = one.shape[-1]
    products = (one - one.mean(axis=-1, keepdims=True)) * (other - other.mean(axis=-1, keepdims=True))
    return float((groups - 1) / groups * products.sum())


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
