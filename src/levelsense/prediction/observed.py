"""Players' results of a table's levels, out of a database, matched by the names they are stored under."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from levelsense.errors import PredictionError
from levelsense.people.rates import success_rates
from levelsense.people.simulated.run import Provenance
from levelsense.playtest import NamedLevel
from levelsense.store import Database, PlayerResults
from levelsense.store.players import SIMULATED

NO_COHORT = "no cohort"  # the name of people who are in none
_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Observed:
    """Players' results: `rates` has a row a level (success_rates), with the table's names of levels.

    players    the cohort, or "all players"
    simulated  whether they are simulated players
    outdated   the levels whose simulated results are not of today's level, rules and simulated players; which
               version people played is not known
    cohorts    of people's cohorts that are taken together, how far the success rate of each is above that of
               the others at the levels that both have; None if there are none. Empty with one cohort
    """

    rates: pl.DataFrame
    players: str
    simulated: bool
    outdated: tuple[str, ...] = ()
    cohorts: Mapping[str, float | None] = field(default_factory=dict)


def observed_rates(database: Database, levels: Sequence[NamedLevel], cohort: str | None = None) -> Observed:
    """Players' results at levels, from a database; PredictionError if there are none or they are ambiguous.

    A level's results may be stored under its file's name, its own name or its digest. People and simulated
    players are never mixed: with results of both, people's count; of several simulated populations one is to
    be chosen by its cohort. Results under two names of one level, which may be the same, are ambiguous.
    """
    observed = known_rates(database, levels, cohort)
    if observed is None:
        raise PredictionError(_no_results(database, levels, cohort))
    return observed


def known_rates(
    database: Database, levels: Sequence[NamedLevel], cohort: str | None = None
) -> Observed | None:
    """As `observed_rates`, but None if there are no results."""
    names = _names(levels)
    results = (
        PlayerResults(database)
        .read(list(names), cohort)
        .with_columns(simulated=pl.col("source").str.starts_with(SIMULATED))
    )
    # People's results take precedence over simulated ones.
    people = results.filter(~pl.col("simulated"))
    stored = people if people.height else results
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
    players = cohort or (origins["cohort"][0] if origins.height == 1 else None)
    outdated = _outdated(levels, renamed)
    cohorts = cohort_differences(renamed) if people.height and origins.height > 1 else {}
    return Observed(success_rates(renamed), players or "all players", not people.height, outdated, cohorts)


def cohort_differences(results: pl.DataFrame) -> dict[str, float | None]:
    """How far each cohort's success rate is above that of the others, at the levels that both have played.

    Levels weigh by the cohort's attempts there; None for a cohort that shares no level.
    """
    named = results.with_columns(pl.col("cohort").fill_null(NO_COHORT))
    sums = named.group_by("level", "cohort").agg(pl.col("attempts", "successes").sum())
    totals = sums.group_by("level").agg(
        pl.col("attempts").sum().alias("all_attempts"), pl.col("successes").sum().alias("all_successes")
    )
    others = pl.col("all_attempts") - pl.col("attempts")
    shared = (
        sums.join(totals, on="level")
        .filter((others > 0) & (pl.col("attempts") > 0))
        .with_columns(
            above=pl.col("successes") / pl.col("attempts")
            - (pl.col("all_successes") - pl.col("successes")) / others
        )
    )
    differences: dict[str, float | None] = dict.fromkeys(sorted(sums["cohort"].unique().to_list()))
    for name, group in shared.group_by("cohort"):
        differences[str(name[0])] = float(np.average(group["above"], weights=group["attempts"]))
    return differences


def _names(levels: Sequence[NamedLevel]) -> dict[str, str]:
    """The level's name in tables by each name that results may go by; names of files take precedence."""
    table_names: dict[str, str] = {}
    for named in levels:
        table_names |= dict.fromkeys((named.name, *named.names), named.name)
    for named in levels:
        for name in (named.level.name, named.level.digest, named.level.earlier_digest):
            table_names.setdefault(name, named.name)
    return table_names


def _check_names(
    database: Database,
    levels: Sequence[NamedLevel],
    names: Mapping[str, str],
    stored: Collection[str],
    *,
    simulated: bool,
) -> None:
    """PredictionError if a stored name fits several levels, or a level's results are under several names."""
    used: dict[str, list[str]] = {}
    for name, table_name in names.items():
        if name in stored:
            used.setdefault(table_name, []).append(name)
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
    for level_name, owner_names in owners.items():
        if level_name in stored and level_name not in files and len(owner_names) > 1:
            raise PredictionError(
                f"{database.name}: results of {level_name!r}, the name of several levels: "
                f"{_quoted(owner_names[:_MOST_NAMED])}; expected results under names of files"
            )


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))


def _outdated(levels: Sequence[NamedLevel], results: pl.DataFrame) -> tuple[str, ...]:
    """The names of levels whose results are of another version of the level, rules or simulated players."""
    sources: dict[str, list[str]] = {}
    for level, source in results.select("level", "source").unique().iter_rows():
        sources.setdefault(level, []).append(source)
    return tuple(
        named.name
        for named in levels
        if any(
            origin is not None and not origin.is_alike(Provenance.today(origin.players, named.level))
            for origin in map(Provenance.parse, sources.get(named.name, ()))
        )
    )


def _no_results(database: Database, levels: Sequence[NamedLevel], cohort: str | None) -> str:
    """The sentence for results that are missing: what there is instead."""
    results = PlayerResults(database)
    known = results.levels()
    examples = ", ".join(named.name for named in levels[:_MOST_NAMED])
    if cohort is not None and cohort not in results.cohorts():
        cohorts = ", ".join(f"'{name}'" for name in results.cohorts()) or "none"
        return f"{database.name}: no cohort {cohort!r}; there are: {cohorts}"
    of = f" of cohort {cohort!r}" if cohort else ""
    if not known:
        return f"{database.name}: no players' results; `levelsense players import` takes them in"
    stored = ", ".join(known[:_MOST_NAMED])
    return (
        f"{database.name}: no players' results{of} of levels such as {examples}; there are some of {stored}"
    )
