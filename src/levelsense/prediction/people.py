"""Players' results of the levels that a model is about: whose they are, and which level is which."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from levelsense.errors import PredictionError
from levelsense.players.rates import success_rates
from levelsense.playtest import NamedLevel
from levelsense.store import Database, PlayerResults
from levelsense.store.people import SIMULATED

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Observed:
    """Players' results, a row a level (success_rates) by the table's names of levels; and whose they are."""

    rates: pl.DataFrame
    players: str
    simulated: bool


def observed_rates(database: Database, levels: Sequence[NamedLevel], cohort: str | None = None) -> Observed:
    """What players did at levels, from a database; PredictionError if there is nothing, or too much.

    A level's results may be stored under its file's name, its own name or its digest. People and simulated
    players are never mixed: with results of both, people's count; of several simulated populations one is to
    be chosen by its cohort.
    """
    found = known_rates(database, levels, cohort)
    if found is None:
        raise PredictionError(_nothing(database, levels, cohort))
    return found


def known_rates(
    database: Database, levels: Sequence[NamedLevel], cohort: str | None = None
) -> Observed | None:
    """What players did at levels, or None if there is nothing; PredictionError if there is too much."""
    names = _names(levels)
    read = (
        PlayerResults(database)
        .read(list(names), cohort)
        .with_columns(simulated=pl.col("source").str.starts_with(SIMULATED))
    )
    # People's results count for more than any program's.
    people = read.filter(~pl.col("simulated"))
    stored = people if people.height else read
    if not stored.height:
        return None
    origins = stored.select("simulated", "cohort").unique()
    if not people.height and origins.height > 1:
        cohorts = ", ".join(sorted(f"'{name}'" for name in origins["cohort"]))
        raise PredictionError(
            f"{database.name}: results of several populations for these levels; choose by --cohort: {cohorts}"
        )
    renamed = stored.with_columns(level=pl.col("level").replace_strict(names))
    whose = cohort or (origins["cohort"][0] if origins.height == 1 else None)
    return Observed(success_rates(renamed), whose or "all players", not people.height)


def _names(levels: Sequence[NamedLevel]) -> dict[str, str]:
    """Each name that results may go by, and the level's name in tables; a level's own file goes first."""
    found: dict[str, str] = {}
    for named in levels:
        found |= dict.fromkeys((named.name, *named.names), named.name)
    for named in levels:
        for name in (named.level.name, named.level.digest):
            found.setdefault(name, named.name)
    return found


def _nothing(database: Database, levels: Sequence[NamedLevel], cohort: str | None) -> str:
    results = PlayerResults(database)
    known = results.levels()
    asked = ", ".join(named.name for named in levels[:_MOST_NAMED])
    if cohort is not None and cohort not in results.cohorts():
        cohorts = ", ".join(f"'{name}'" for name in results.cohorts()) or "none"
        return f"{database.name}: no cohort {cohort!r}; there are: {cohorts}"
    of = f" of cohort {cohort!r}" if cohort else ""
    if not known:
        return f"{database.name}: no players' results; `levelsense players import` takes them in"
    there = ", ".join(known[:_MOST_NAMED])
    return f"{database.name}: no players' results{of} of levels such as {asked}; there are some of {there}"
