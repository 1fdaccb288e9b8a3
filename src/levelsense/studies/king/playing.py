"""Agents at levels: which attempts were won, the processor time that took, and the moves if wanted."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.registry import Agent
from levelsense.game.state import WON
from levelsense.people.moves import LevelMoves
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import attempt_seeds
from levelsense.studies.run import StudyRun


@dataclass(frozen=True)
class Played:
    """What an agent's attempts at levels came to, by the levels' names.

    won      whether each attempt was won, in order
    seconds  of processor time for all attempts of a level
    """

    won: dict[str, NDArray[np.bool_]]
    seconds: dict[str, float]

    def wins(self, names: Sequence[str], attempts: int) -> NDArray[np.int64]:
        """How many of the first attempts at each level were won; ValueError if there are fewer of them."""
        for name in names:
            if len(self.won[name]) < attempts:
                raise ValueError(f"{name}: {len(self.won[name])} attempts; expected at least {attempts}")
        return np.array([int(self.won[name][:attempts].sum()) for name in names], np.int64)

    def rates(self, names: Sequence[str], attempts: int) -> NDArray[np.float64]:
        """The share of the first attempts at each level that was won."""
        return self.wins(names, attempts) / attempts

    def seconds_a_level(self, attempts: int) -> float:
        """Seconds of processor time for so many attempts at a level, on average."""
        spent = sum(seconds * attempts / len(self.won[name]) for name, seconds in self.seconds.items())
        return spent / len(self.seconds)


def play_levels(
    run: StudyRun, part: str, agent: Agent, levels: Sequence[NamedLevel], attempts: int
) -> Played:
    """The attempts of an agent at levels; what is kept in the part's folder is not played again."""

    def play(number: int) -> dict[str, object]:
        level = levels[number].level
        start = time.thread_time()
        rows = agent.attempts(level, _seeds(run, agent, levels[number], attempts))
        return {"won": _written(rows), "seconds": time.thread_time() - start}

    kept = run.collect(part, [named.name for named in levels], play)
    return _played(levels, kept)


def play_and_record(
    run: StudyRun, part: str, agent: Agent, levels: Sequence[NamedLevel], attempts: int
) -> tuple[Played, list[LevelMoves]]:
    """The same, and the moves that the agent made."""

    def play(number: int) -> dict[str, object]:
        level = levels[number].level
        start = time.thread_time()
        rows, codes, _ = agent.record(level, _seeds(run, agent, levels[number], attempts))
        seconds = time.thread_time() - start
        return {
            "won": _written(rows),
            "seconds": seconds,
            "lengths": rows["moves_made"].tolist(),
            "codes": codes.tolist(),
        }

    kept = run.collect(part, [named.name for named in levels], play)
    moves = []
    for named, entry in zip(levels, kept, strict=True):
        count = len(entry["lengths"])
        moves.append(
            LevelMoves(
                named,
                _seeds(run, agent, named, attempts)[:, 0],
                np.array(entry["codes"], np.int16),
                np.concatenate([np.zeros(1, np.int64), np.cumsum(entry["lengths"])]),
                np.zeros(count, np.int64),
                np.full(count, agent.family.name),
                np.full(count, agent.spec),
                np.arange(count),
            )
        )
    return _played(levels, kept), moves


def _seeds(run: StudyRun, agent: Agent, named: NamedLevel, attempts: int) -> NDArray[np.uint64]:
    """The seeds of attempts, the same whatever folder the run and its agents' files are in."""
    spec = agent.spec.replace(f"{run.folder}{os.sep}", "")
    return attempt_seeds(named.level.digest, spec, run.seed, 0, attempts)


def _written(rows: NDArray[np.void]) -> str:
    return "".join("1" if status == WON else "0" for status in rows["status"])


def _played(levels: Sequence[NamedLevel], kept: Sequence[dict[str, object]]) -> Played:
    names = [named.name for named in levels]
    won = [np.array([letter == "1" for letter in str(entry["won"])]) for entry in kept]
    seconds = [float(str(entry["seconds"])) for entry in kept]
    return Played(dict(zip(names, won, strict=True)), dict(zip(names, seconds, strict=True)))
