"""Lets agents play what a table needs and is not in the database yet, some levels at a time."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import polars as pl

from levelsense.agents.registry import parse_agent
from levelsense.errors import PredictionError
from levelsense.playtest import NamedLevel, PairResult, playtest
from levelsense.playtest.plan import Sink
from levelsense.playtest.runner import Progress
from levelsense.prediction.measures import GROUPS
from levelsense.prediction.table import as_table, difficulty_table, level_cells

LEVELS_AT_ONCE: Final = 20  # so that a saga's attempts are never all in memory
_COUNTED: Final = re.compile(r"(.*)@(\d+)")


def parse_counted(words: Sequence[str], attempts: int) -> dict[str, int]:
    """How many attempts each agent gets at a level, from words such as `heuristic` or `mcts@100`.

    PredictionError for a number that is too small or an agent that is given twice, AgentError for somebody
    who is no agent.
    """
    found: dict[str, int] = {}
    for word in words:
        counted = _COUNTED.fullmatch(word)
        asked, number = (counted[1], int(counted[2])) if counted else (word, attempts)
        if number < GROUPS:
            told = f"--agent {word}: {number} attempts" if counted else f"--attempts {number}"
            raise PredictionError(f"{told}; expected at least {GROUPS}")
        spec = parse_agent(asked).spec
        if spec in found:
            raise PredictionError(f"--agent {word}: {spec} is given twice; expected each agent once")
        found[spec] = number
    return found


class StoppedError(Exception):
    """Playing was stopped before the table was complete; what was played is in the database."""


def play_table(
    levels: Sequence[NamedLevel],
    agents: Mapping[str, int],
    seed: int = 0,
    threads: int | None = None,
    sink: Callable[[], Sink] | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    tell: Callable[[int], None] | None = None,
) -> pl.DataFrame:
    """The table of agents, each with its number of attempts, at levels; raises StoppedError if it is stopped.

    `sink` makes where attempts are kept and found again; `tell` hears how many levels are done.
    """
    twice = [name for name, count in Counter(named.name for named in levels).items() if count > 1]
    if twice:
        raise PredictionError(f"{twice[0]}: the name of several levels; expected names that tell them apart")
    if not agents:
        return as_table([level_cells(named.name, named.level) for named in levels])
    parts = []
    for start in range(0, len(levels), LEVELS_AT_ONCE):
        some = levels[start : start + LEVELS_AT_ONCE]
        results: dict[tuple[str, str], PairResult] = {}
        for attempts in sorted(set(agents.values())):
            specs = [spec for spec, number in agents.items() if number == attempts]
            played = playtest(
                some,
                specs,
                attempts,
                seed,
                threads,
                sink=sink() if sink else None,
                progress=progress,
                stop=stop,
            )
            if played.interrupted:
                raise StoppedError
            results |= {(pair.pair.name, pair.agent): pair for pair in played.pairs}
        ordered = [results[named.name, spec] for named in some for spec in agents]
        parts.append(difficulty_table(ordered))
        if tell is not None:
            tell(start + len(some))
    return pl.concat(parts)
