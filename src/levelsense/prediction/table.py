"""The table that models are fitted to and predict from: a row a level, made from agents' attempts.

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
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import PredictionError, StoppedError
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, playtest
from levelsense.playtest.plan import Sink
from levelsense.playtest.result import PairResult
from levelsense.playtest.runner import Progress
from levelsense.prediction.features import (
    GROUPS,
    MEASURES,
    TAIL,
    AgentMeasures,
    level_features,
    level_parts,
    measure,
)
from levelsense.store import KeptMeasures, Measured

REPLICATES = pl.Array(pl.Float64, (GROUPS, len(MEASURES)))


_KINDS: Final[dict[str, pl.DataType]] = {"replicates": REPLICATES, "bottleneck": pl.String()}


def agent_column(agent: str, part: str) -> str:
    """The name of the column with a part of what an agent's attempts say."""
    return f"{agent}: {part}"


def difficulty_table(results: Iterable[PairResult]) -> pl.DataFrame:
    """The table of what agents did at levels, in the levels' order, without players."""
    measured: dict[NamedLevel, dict[str, AgentMeasures]] = {}
    for result in results:
        measured.setdefault(result.pair.named, {})[result.agent] = measure(result.played)
    if not measured:
        raise PredictionError("no levels; expected the results of agents at some")
    first, agents = next(iter(measured.items()))
    for named, by_agent in measured.items():
        if by_agent.keys() != agents.keys():
            raise PredictionError(f"{named.name}: played by other agents than {first.name}")
    return as_table([_row(named, by_agent) for named, by_agent in measured.items()])


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


FEWEST_WON: Final = 0.03
MOST_TIMES: Final = 10
LEVELS_AT_ONCE: Final = 20  # so that a saga's attempts are never all in memory
_COUNTED: Final = re.compile(r"(.*)@(\d{1,11})")  # twelve digits are a digest


class GoesOn(NamedTuple):
    """When a playtest for a model ends: after so many attempts, or earlier with so many wins."""

    ceiling: int
    wins: int


def more_where_hard(attempts: int) -> GoesOn:
    """The stopping rule of a playtest for a model: more attempts where an agent hardly wins.

    An agent that has won less than the share FEWEST_WON of its attempts plays on, until it has won as often
    as that share of them, or has MOST_TIMES as many attempts.
    """
    return GoesOn(MOST_TIMES * attempts, ceil(FEWEST_WON * attempts))


def parse_counted(words: Sequence[str | Agent], attempts: int) -> dict[str, int]:
    """How many attempts each agent gets at a level, from words such as `heuristic` or `mcts@100`.

    PredictionError for a number that is too small or an agent that is given twice, AgentError for a
    spec of no agent.
    """
    numbers: dict[str, int] = {}
    for word in map(str, words):
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


Measures = dict[tuple[NamedLevel, str], AgentMeasures]  # by level and agent's spec
# A change of `measure` that can change any number adds one: what databases keep is then measured anew.
MEASURING: Final = 2
MEASURES_VERSION: Final = f"{MEASURING}: {', '.join(MEASURES)}; {GROUPS} groups, tails of {TAIL:g}"


def play_table(
    levels: Sequence[NamedLevel],
    agents: Mapping[str, int],
    seed: int = 0,
    threads: int | None = None,
    sink: Callable[[], Sink] | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    levels_done: Callable[[int], None] | None = None,
    kept: KeptMeasures | None = None,
) -> pl.DataFrame:
    """The table of agents, each with its number of attempts, at levels; raises StoppedError if it is stopped.

    Where an agent hardly wins it plays more (FEWEST_WON): how many depends on its attempts alone. `sink`
    makes the sink that stores attempts; `levels_done` is called with how many levels are done. Levels and
    agents whose measures are `kept` are neither played nor read.
    """
    twice = [name for name, count in Counter(named.name for named in levels).items() if count > 1]
    if twice:
        raise PredictionError(f"{twice[0]}: the name of several levels; expected names that tell them apart")
    if not agents:
        return as_table([level_cells(named.name, named.level) for named in levels])

    def play(batch: Sequence[NamedLevel], specs: Sequence[str], attempts: int) -> Measures:
        made = sink() if sink else None
        goes_on = more_where_hard(attempts)
        played = playtest(
            batch,
            specs,
            attempts,
            seed,
            threads,
            sink=made,
            progress=progress,
            stop=stop,
            ceiling=goes_on.ceiling,
            wins=goes_on.wins,
        )
        if played.interrupted:
            raise StoppedError
        return {(result.pair.named, result.agent): measure(result.played) for result in played.pairs}

    rows: list[dict[str, object]] = []
    for start in range(0, len(levels), LEVELS_AT_ONCE):
        batch = levels[start : start + LEVELS_AT_ONCE]
        measures: Measures = {}
        for attempts in sorted(set(agents.values())):
            specs = [spec for spec, number in agents.items() if number == attempts]
            measures |= _measured(batch, specs, attempts, play, kept)
        rows += [_row(named, {spec: measures[named, spec] for spec in agents}) for named in batch]
        if levels_done is not None:
            levels_done(start + len(batch))
    return as_table(rows)


def kept_table(
    levels: Sequence[NamedLevel], agents: Mapping[str, int], kept: KeptMeasures
) -> pl.DataFrame | None:
    """The rows of `play_table` for those levels whose measures are all kept; None if there are none.

    Nothing is played, and no attempt is read.
    """
    digests = {named: named.level.digest for named in levels}
    stored = {
        attempts: kept.read(
            list(digests.values()), [spec for spec, number in agents.items() if number == attempts], attempts
        )
        for attempts in set(agents.values())
    }
    rows = [
        _row(
            named,
            {spec: _from_kept(stored[attempts][digest, spec]) for spec, attempts in agents.items()},
        )
        for named, digest in digests.items()
        if all((digest, spec) in stored[attempts] for spec, attempts in agents.items())
    ]
    return as_table(rows) if rows else None


def _row(named: NamedLevel, measures: Mapping[str, AgentMeasures]) -> dict[str, object]:
    row = level_cells(named.name, named.level)
    for agent, of_agent in measures.items():
        row |= agent_cells(agent, of_agent)
    return row


def _measured(
    levels: Sequence[NamedLevel],
    specs: Sequence[str],
    attempts: int,
    play: Callable[[Sequence[NamedLevel], Sequence[str], int], Measures],
    kept: KeptMeasures | None,
) -> Measures:
    """The measures of agents with the same number of attempts: those that are kept, the others played."""
    if kept is None:
        return play(levels, specs, attempts)
    digests = {named: named.level.digest for named in levels}
    stored = kept.read(list(digests.values()), specs, attempts)
    measures: Measures = {
        (named, spec): _from_kept(stored[digest, spec])
        for named, digest in digests.items()
        for spec in specs
        if (digest, spec) in stored
    }
    missing = [named for named in levels if any((named, spec) not in measures for spec in specs)]
    if missing:
        lacking = [spec for spec in specs if any((named, spec) not in measures for named in missing)]
        played = play(missing, lacking, attempts)
        kept.write({(digests[named], spec): _to_keep(one) for (named, spec), one in played.items()}, attempts)
        measures |= played
    return measures


def _to_keep(measures: AgentMeasures) -> Measured:
    """As rows of figures; the last row is how many attempts there were, which may be more than asked for."""
    attempts = np.full(len(MEASURES), measures.attempts)
    figures = np.vstack([measures.values, measures.replicates, attempts]).astype("<f8").tobytes()
    return Measured(measures.wins, figures, measures.bottleneck)


def _from_kept(kept: Measured) -> AgentMeasures:
    figures = np.frombuffer(kept.figures, "<f8").reshape(GROUPS + 2, len(MEASURES)).astype(np.float64)
    return AgentMeasures(kept.wins, int(figures[-1, 0]), figures[0], figures[1:-1], kept.bottleneck)
