"""The table that models are fitted to and asked about: a row a level, made from agents' attempts.

level                      its name
attempts, successes        of players, where they are known
design_effect              how many of these attempts say as much as one independent one (people/rates.py)
place                      in the saga, where it is known
colors, icing, ...         what the level is made of, in numbers (features.py)
parts                      its goals and its set of rules
AGENT: wins, AGENT: attempts, AGENT: rate, AGENT: margin, ...
                           what an agent's attempts say (measures.py)
AGENT: replicates          the same with a part of the attempts left out, for their sampling error
"""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from typing import Final

import polars as pl

from levelsense.agents.registry import parse_agent
from levelsense.errors import PredictionError, StoppedError
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, playtest
from levelsense.playtest.plan import Sink
from levelsense.playtest.result import PairResult
from levelsense.playtest.runner import Progress
from levelsense.prediction.features import (
    GROUPS,
    MEASURES,
    AgentMeasures,
    level_features,
    level_parts,
    measure,
)

REPLICATES = pl.Array(pl.Float64, (GROUPS, len(MEASURES)))


_KINDS: Final[dict[str, pl.DataType]] = {"replicates": REPLICATES, "bottleneck": pl.String()}


def agent_column(agent: str, part: str) -> str:
    """The name of the column with a part of what an agent's attempts say."""
    return f"{agent}: {part}"


def difficulty_table(results: Iterable[PairResult]) -> pl.DataFrame:
    """The table of what agents did at levels, in the levels' order, without players."""
    rows: dict[str, dict[str, object]] = {}
    for result in results:
        name = result.pair.name
        row = rows.setdefault(name, level_cells(name, result.level))
        row |= agent_cells(result.agent, measure(result.played))
    if not rows:
        raise PredictionError("no levels; expected the results of agents at some")
    first = next(iter(rows.values()))
    for name, row in rows.items():
        if row.keys() != first.keys():
            raise PredictionError(f"{name}: played by other agents than {first['level']}")
    return as_table(list(rows.values()))


def as_table(rows: Sequence[dict[str, object]]) -> pl.DataFrame:
    """Rows of cells as a table, with columns of the right kinds."""
    kinds: dict[str, pl.DataType] = {
        name: kind for name in rows[0] for part, kind in _KINDS.items() if name.endswith(f": {part}")
    }
    kinds["parts"] = pl.List(pl.String)
    return pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)


def level_cells(name: str, level: Level) -> dict[str, object]:
    """The cells of a row that tell what a level is made of."""
    return {"level": name, **level_features(level), "parts": level_parts(level)}


def agent_cells(agent: str, measures: AgentMeasures) -> dict[str, object]:
    """The cells of a row that tell what an agent's attempts say."""
    cells = {
        "wins": measures.wins,
        "attempts": measures.attempts,
        **dict(zip(MEASURES, measures.values.tolist(), strict=True)),
        "replicates": measures.replicates.tolist(),
        "bottleneck": measures.bottleneck,
    }
    return {agent_column(agent, part): cell for part, cell in cells.items()}


def with_players(table: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """The table with players' attempts and successes, from their results a level (players.rates).

    Levels that no player has results of are left out; PredictionError if that is all of them.
    """
    columns = ("level", "attempts", "successes", "design_effect")
    known = players.select(name for name in columns if name in players.columns)
    joined = table.join(known, on="level", maintain_order="left")
    if not joined.height:
        named = ", ".join(players["level"].head(3)) or "none"
        raise PredictionError(
            f"no level has players' results: levels such as {table['level'][0]}, "
            f"results of {named}; expected the same names"
        )
    return joined


def with_places(table: pl.DataFrame, first: int) -> pl.DataFrame:
    """The table with the places of its levels in a saga, one after the other."""
    if first < 1:
        raise PredictionError(f"`place` {first}; expected the place of a level, from 1 on")
    return table.with_columns(place=pl.int_range(first, first + table.height))


def agents_of(table: pl.DataFrame) -> tuple[str, ...]:
    """The agents that a table has results of."""
    suffix = ": replicates"
    return tuple(name.removesuffix(suffix) for name in table.columns if name.endswith(suffix))


def require(table: pl.DataFrame, columns: Sequence[str]) -> None:
    """PredictionError if a table lacks a column."""
    for name in columns:
        if name not in table.columns:
            raise PredictionError(f"the table has no column {name!r}; it has: {', '.join(table.columns)}")


# An agent that has won less than this share of its attempts goes on, until it has won as often as that share
# of them, or up to so many times as many attempts: where it hardly wins, its success rate says little.
FEWEST_WON: Final = 0.03
MOST_TIMES: Final = 10
LEVELS_AT_ONCE: Final = 20  # so that a saga's attempts are never all in memory
_COUNTED: Final = re.compile(r"(.*)@(\d+)")


def parse_counted(words: Sequence[str], attempts: int) -> dict[str, int]:
    """How many attempts each agent gets at a level, from words such as `heuristic` or `mcts@100`.

    PredictionError for a number that is too small or an agent that is given twice, AgentError for a
    spec of no agent.
    """
    numbers: dict[str, int] = {}
    for word in words:
        counted = _COUNTED.fullmatch(word)
        agent, number = (counted[1], int(counted[2])) if counted else (word, attempts)
        if number < GROUPS:
            setting = f"`agents` {word}: {number} attempts" if counted else f"`attempts` {number}"
            raise PredictionError(f"{setting}; expected at least {GROUPS}")
        spec = parse_agent(agent).spec
        if spec in numbers:
            raise PredictionError(f"`agents` {word}: {spec} is given twice; expected each agent once")
        numbers[spec] = number
    return numbers


def play_table(
    levels: Sequence[NamedLevel],
    agents: Mapping[str, int],
    seed: int = 0,
    threads: int | None = None,
    sink: Callable[[], Sink] | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    levels_done: Callable[[int], None] | None = None,
) -> pl.DataFrame:
    """The table of agents, each with its number of attempts, at levels; raises StoppedError if it is stopped.

    Where an agent hardly wins it plays more (FEWEST_WON): how many depends on its attempts alone. `sink`
    makes the sink that stores attempts; `levels_done` is called with how many levels are done.
    """
    twice = [name for name, count in Counter(named.name for named in levels).items() if count > 1]
    if twice:
        raise PredictionError(f"{twice[0]}: the name of several levels; expected names that tell them apart")
    if not agents:
        return as_table([level_cells(named.name, named.level) for named in levels])
    parts = []
    for start in range(0, len(levels), LEVELS_AT_ONCE):
        batch = levels[start : start + LEVELS_AT_ONCE]
        results: dict[tuple[str, str], PairResult] = {}
        for attempts in sorted(set(agents.values())):
            specs = [spec for spec, number in agents.items() if number == attempts]
            played = playtest(
                batch,
                specs,
                attempts,
                seed,
                threads,
                sink=sink() if sink else None,
                progress=progress,
                stop=stop,
                ceiling=MOST_TIMES * attempts,
                wins=ceil(FEWEST_WON * attempts),
            )
            if played.interrupted:
                raise StoppedError
            results |= {(pair.pair.name, pair.agent): pair for pair in played.pairs}
        ordered = [results[named.name, spec] for named in batch for spec in agents]
        parts.append(difficulty_table(ordered))
        if levels_done is not None:
            levels_done(start + len(batch))
    return pl.concat(parts)
