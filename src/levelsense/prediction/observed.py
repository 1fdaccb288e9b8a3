"""Players' results of the levels that a model is about: whose they are, and which level is which."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from levelsense.errors import PredictionError
from levelsense.people.rates import success_rates
from levelsense.people.simulated.run import Provenance
from levelsense.playtest import NamedLevel
from levelsense.store import Database, PlayerResults
from levelsense.store.players import SIMULATED

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Observed:
    """Players' results, a row a level (success_rates) by the table's names of levels; and whose they are.

    `outdated` names the levels whose simulated results are not of today's level, rules and simulated players.
    Which version people played is not known.
    """

    rates: pl.DataFrame
    players: str
    simulated: bool
    outdated: tuple[str, ...] = ()


def observed_rates(database: Database, levels: Sequence[NamedLevel], cohort: str | None = None) -> Observed:
    """What players did at levels, from a database; PredictionError if there is nothing, or too much.

    A level's results may be stored under its file's name, its own name or its digest. People and simulated
    players are never mixed: with results of both, people's count; of several simulated populations one is to
    be chosen by its cohort. Results that may be the same ones under two names of a level are too much, too.
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
            f"{database.name}: results of several populations for these levels; choose by `cohort`: {cohorts}"
        )
    _check_names(database, levels, names, set(stored["level"]), simulated=not people.height)
    renamed = stored.with_columns(level=pl.col("level").replace_strict(names))
    whose = cohort or (origins["cohort"][0] if origins.height == 1 else None)
    outdated = _outdated(levels, renamed)
    return Observed(success_rates(renamed), whose or "all players", not people.height, outdated)


def _names(levels: Sequence[NamedLevel]) -> dict[str, str]:
    """Each name that results may go by, and the level's name in tables; a level's own file goes first."""
    found: dict[str, str] = {}
    for named in levels:
        found |= dict.fromkeys((named.name, *named.names), named.name)
    for named in levels:
        for name in (named.level.name, named.level.digest, named.level.earlier_digest):
            found.setdefault(name, named.name)
    return found


def _check_names(
    database: Database,
    levels: Sequence[NamedLevel],
    names: Mapping[str, str],
    stored: Collection[str],
    *,
    simulated: bool,
) -> None:
    """PredictionError if stored names leave it open which level's results they are, or count them twice."""
    used: dict[str, list[str]] = {}
    for name, meant in names.items():
        if name in stored:
            used.setdefault(meant, []).append(name)
    files = {name for named in levels for name in (named.name, *named.names)}
    owners: dict[str, list[str]] = {}
    for named in levels:
        owners.setdefault(named.level.name, []).append(named.name)
        several = used.get(named.name, [])
        # People may have met a level in several places of a saga, and each has results of its own.
        if len(several) > 1 and (simulated or not set(several) <= set(named.names)):
            raise PredictionError(
                f"{database.name}: results of one level under several names: {_quoted(several)}; "
                "expected one of them, or results would count twice: choose by `cohort`, or take another "
                "`database`"
            )
    for own, alike in owners.items():
        if own in stored and own not in files and len(alike) > 1:
            raise PredictionError(
                f"{database.name}: results of {own!r}, the name of several levels: "
                f"{_quoted(alike[:_MOST_NAMED])}; expected results under names of files"
            )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _outdated(levels: Sequence[NamedLevel], results: pl.DataFrame) -> tuple[str, ...]:
    """The levels, by name, where simulated players, the rules or the level itself were others than today."""
    sources: dict[str, list[str]] = {}
    for level, source in results.select("level", "source").unique().iter_rows():
        sources.setdefault(level, []).append(source)
    return tuple(
        named.name
        for named in levels
        if any(
            made is not None and not made.is_alike(Provenance.today(made.players, named.level))
            for made in map(Provenance.parse, sources.get(named.name, ()))
        )
    )


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
