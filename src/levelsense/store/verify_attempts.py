"""Looks for damage in the attempts of a database: every row, the counts of runs, attempts played again."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sqlalchemy import Connection, func, select

from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import AgentError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.playtest.attempts import ROW_SCHEMA
from levelsense.playtest.figures import play_seeds
from levelsense.playtest.plan import attempt_seeds
from levelsense.store.findings import Findings
from levelsense.store.reading import Damage, attempt_damage, missing_values, read_parts, stored_column
from levelsense.store.results import attempt_words
from levelsense.store.schema import ATTEMPT_COLUMNS, ATTEMPTS, RUN_PAIRS, RUNS

_CLOCK: Final = "seconds"  # the option of agents whose budget is time
_ATTEMPT_SCHEMA: Final = {
    "level": pl.String(),
    "agent": pl.String(),
    "rules": pl.Int64(),
    "seed": pl.Int64(),
    **ROW_SCHEMA,
    "checksum": pl.Int64(),
}
_KEY_SCHEMA: Final = {name: _ATTEMPT_SCHEMA[name] for name in ("level", "agent", "rules", "seed")}
_PAIR_SCHEMA: Final = {**_KEY_SCHEMA, "run": pl.Int64(), "attempts": pl.Int64()}
_Expected = dict[tuple[Any, ...], list[tuple[int, int]]]  # runs and their numbers of attempts, by key


@dataclass(frozen=True)
class _Key:
    """Attempts that belong together: at a level, by an agent, under rules, of a seed."""

    level: str
    agent: str
    rules: int
    seed: int
    count: int

    @property
    def columns(self) -> dict[str, Any]:
        return {"level": self.level, "agent": self.agent, "rules": self.rules, "seed": self.seed}


class AttemptVerification:
    """The look at attempts; `levels` are those that are sound, `names` those of all that are stored."""

    def __init__(
        self,
        findings: Findings,
        levels: Mapping[str, Level],
        names: Mapping[str, str],
        sample: int | None,
        seed: int,
        threads: int | None,
    ) -> None:
        self._findings = findings
        self._levels = levels
        self._names = names
        self._sample = sample
        self._seed = seed
        self._threads = threads

    def check(self, connection: Connection) -> None:
        """Looks at all attempts, key by key, and at whether runs have those that they say."""
        keys = self._keys(connection)
        expected = self._expected(connection)
        agents = {key: self._replaying_agent(key) for key in keys}
        chosen = self._choose([key for key in keys if agents[key] is not None])
        for key in keys:
            if key.level not in self._names:
                self._findings.report(
                    f"level {key.level}, agent {key.agent}, seed {key.seed}: "
                    f"{key.count:,} attempts, but the level is not stored"
                )
            self._check_key(connection, key, agents[key], chosen.get(key), expected)
        for (level, agent, *_), run, number in (
            (of_key, run, number) for of_key, wanted in expected.items() for run, number in wanted
        ):
            self._findings.report(
                f"run {run}: level {self._name(level)!r}, agent {agent}: 0 attempts; expected {number:,}"
            )

    def _name(self, digest: str) -> str:
        return self._names.get(digest, digest)

    def _keys(self, connection: Connection) -> list[_Key]:
        columns = [ATTEMPTS.c[name] for name in _KEY_SCHEMA]
        query = select(*columns, func.count()).group_by(*columns).order_by(*columns)
        schema = {**_KEY_SCHEMA, "count": pl.Int64()}
        keys: list[_Key] = []
        for part in read_parts(connection, query, schema):
            damage = missing_values(part.table)
            self._findings.report_part(part, damage, list(schema), self._key_words)
            sound = [_Key(*row) for row in _without(part.table, damage).iter_rows()]
            self._findings.counts.attempts += sum(row[-1] for row in part.rows) - sum(
                key.count for key in sound
            )
            keys += sound
        return keys

    def _key_words(self, row: Mapping[str, Any]) -> str:
        others = ", ".join(f"{name} {row[name]}" for name in ("agent", "rules", "seed"))
        return f"level {self._name(row['level'])!r}, {others}, {row['count']:,} attempts"

    def _expected(self, connection: Connection) -> _Expected:
        """How many attempts runs say that their results are made of, by key."""
        pairs = RUN_PAIRS.c
        query = (
            select(pairs.level, pairs.agent, RUNS.c.rules, RUNS.c.seed, pairs.run, pairs.attempts)
            .outerjoin(RUNS, RUNS.c.run == pairs.run)
            .where(pairs.attempts.is_not(None))
        )
        expected: _Expected = {}
        for part in read_parts(connection, query, _PAIR_SCHEMA):
            table = part.table
            damage = [
                *missing_values(table.drop("rules", "seed")),
                *(
                    Damage(row, "run", table["run"][row], "one that is stored")
                    for row in table["rules"].is_null().arg_true()
                ),
                *(
                    Damage(row, "attempts", table["attempts"][row], "at least 0")
                    for row in (table["attempts"] < 0).arg_true()
                ),
            ]
            # The rules and seed are the run's, and were reported with it.
            of_pairs = [each for each in part.damage if each.column not in ("rules", "seed")]
            pairs_only = replace(part, damage=of_pairs)
            self._findings.report_part(pairs_only, damage, list(_PAIR_SCHEMA), self._pair_words)
            for *of_key, run, number in _without(table, damage).iter_rows():
                expected.setdefault(tuple(of_key), []).append((run, number))
        return expected

    def _pair_words(self, row: Mapping[str, Any]) -> str:
        return f"run {row['run']}: level {self._name(row['level'])!r}, agent {row['agent']}"

    def _replaying_agent(self, key: _Key) -> Agent | None:
        """The agent that can play these attempts again; None if there is none, which is counted."""
        agent, reason = None, ""
        if key.rules != RULES_VERSION:
            reason = f"of rules {key.rules}; this program plays rules {RULES_VERSION}"
        elif key.level not in self._levels:
            reason = "at levels that are damaged or not stored"
        else:
            try:
                agent = parse_agent(key.agent)
            except AgentError:
                reason = f"of agent {key.agent}, which this program does not know"
        if agent is not None and agent.spec != key.agent:
            reason = f"of agent {key.agent}, which is written {agent.spec} by now"
        elif agent is not None and agent.options.get(_CLOCK):
            reason = f"of agent {key.agent}, whose moves depend on the clock"
        if reason:
            self._findings.counts.not_replayed[reason] += key.count
            return None
        return agent

    def _choose(self, keys: Sequence[_Key]) -> dict[_Key, set[int]]:
        """The numbers of rows, in the order of each key's, that are to be played again; none: all are."""
        total = sum(key.count for key in keys)
        if self._sample is None:
            return {}
        drawn = sorted(random.Random(self._seed).sample(range(total), min(self._sample, total)))
        chosen: dict[_Key, set[int]] = {}
        first = position = 0
        for key in keys:
            chosen[key] = set()
            while position < len(drawn) and drawn[position] < first + key.count:
                chosen[key].add(drawn[position] - first)
                position += 1
            first += key.count
        return chosen

    def _check_key(
        self,
        connection: Connection,
        key: _Key,
        agent: Agent | None,
        chosen: set[int] | None,
        expected: _Expected,
    ) -> None:
        wanted = expected.pop((key.level, key.agent, key.rules, key.seed), [])
        there: Counter[int] = Counter()
        query = (
            select(*(stored_column(ATTEMPTS.c[name]) for name in _ATTEMPT_SCHEMA))
            .where(*(ATTEMPTS.c[name] == value for name, value in key.columns.items()))
            .order_by(ATTEMPTS.c.attempt)
        )
        level = self._levels.get(key.level)
        first = 0
        for part in read_parts(connection, query, _ATTEMPT_SCHEMA):
            table = part.table
            damage = [*attempt_damage(table, level), *self._findings.wrong_checksums(table, ATTEMPT_COLUMNS)]
            differences: dict[int, str] = {}
            if agent is not None and level is not None:
                damaged = {each.row for each in damage}
                rows = [
                    row
                    for row, number in enumerate(part.numbers)
                    if self._sample is None or row in damaged or (chosen and first + number in chosen)
                ]
                differences = self._replay(agent, level, key, table, rows)
            self._findings.report_part(part, damage, list(_ATTEMPT_SCHEMA), self._words, differences)
            for _, number in wanted:
                there[number] += int((table["attempt"] < number).sum()) + len(part.rows) - table.height
            first += len(part.rows)
            self._findings.counts.attempts += len(part.rows)
        if first < key.count:
            # Texts that are none of UTF-8 are shown by another text, which finds nothing.
            self._findings.counts.attempts += key.count - first
            self._findings.report(
                f"{self._key_words({**key.columns, 'count': key.count})}: "
                f"only {first:,} of them can be found by these values"
            )
        for run, number in wanted:
            if there[number] < number:
                self._findings.report(
                    f"run {run}: level {self._name(key.level)!r}, agent {key.agent}: "
                    f"{there[number]:,} attempts; expected {number:,}, of which its result is made"
                )

    def _words(self, row: Mapping[str, Any]) -> str:
        return attempt_words({**row, "name": self._name(row["level"])})

    def _replay(
        self, agent: Agent, level: Level, key: _Key, table: pl.DataFrame, rows: Sequence[int]
    ) -> dict[int, str]:
        """Plays rows of a table again; what came out otherwise, by row."""
        chosen = table[rows].select(*ROW_SCHEMA) if rows else table.clear()
        stored = chosen.with_columns(_row=pl.Series(rows, dtype=pl.Int64)).filter(pl.col("attempt") >= 0)
        if not stored.height:
            return {}
        seeds = _seeds(key, stored["attempt"])
        anew = play_seeds(agent, level, seeds, self._threads).frame.with_columns(stored["attempt"])
        self._findings.counts.replayed += stored.height
        differs = _differences(stored, anew)
        return {
            stored["_row"][number]: ", ".join(
                f"{name} {_shown(stored[name][number])} (played again {_shown(anew[name][number])})"
                for name in ROW_SCHEMA
                if differs[name][number]
            )
            for number in differs.select(pl.arg_where(pl.any_horizontal(pl.all()))).to_series()
        }


def _differences(stored: pl.DataFrame, anew: pl.DataFrame) -> pl.DataFrame:
    """Which values differ from those of attempts that were played again, in each column of ROW_SCHEMA."""
    differs = pl.DataFrame([stored[name].ne_missing(anew[name]) for name in ROW_SCHEMA])
    # Older versions did not note it; where it was lost since, the checksum is wrong.
    return differs.with_columns(least_time=differs["least_time"] & stored["least_time"].is_not_null())


def _without(table: pl.DataFrame, damage: Sequence[Damage]) -> pl.DataFrame:
    """The rows of a table that are not damaged."""
    damaged = {each.row for each in damage}
    return table[[row for row in range(table.height) if row not in damaged]]


def _seeds(key: _Key, attempts: pl.Series) -> NDArray[np.uint64]:
    first, last = int(attempts[0]), int(attempts[-1])
    if last - first + 1 == len(attempts):
        return attempt_seeds(key.level, key.agent, key.seed, first, len(attempts), key.rules)
    return np.concatenate(
        [attempt_seeds(key.level, key.agent, key.seed, int(number), 1, key.rules) for number in attempts]
    )


def _shown(value: object) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)
