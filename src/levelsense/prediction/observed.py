"""Players' results of a table's levels, out of a database, matched by the names they are stored under."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from levelsense.errors import PredictionError
from levelsense.people.details import persistence_of
from levelsense.people.game_files import version_name
from levelsense.people.persistence import Persistence
from levelsense.people.rates import rates_to_fit
from levelsense.people.selection import cohort_words, has_cohort, read_cohort, split_boosters
from levelsense.people.simulated.run import Provenance
from levelsense.playtest import NamedLevel
from levelsense.store import Database, PlayerResults
from levelsense.store.players import SIMULATED

_MOST_NAMED = 3


@dataclass(frozen=True, eq=False)
class Observed:
    """Players' results: `rates` has a row a level (success_rates), with the table's names of levels.

    players    the cohort, or "all players"
    simulated  whether they are simulated players
    outdated   the levels whose simulated results are not of today's level, rules and simulated players; which
               version people played is not known
    persistence  how players try again and give up; None if it is not known who played
    cohorts    the results of each cohort, by its name, if they are told apart; players without one have ""
    """

    rates: pl.DataFrame
    players: str
    simulated: bool
    outdated: tuple[str, ...] = ()
    persistence: Persistence | None = None
    cohorts: Mapping[str, pl.DataFrame] = field(default_factory=dict)


def observed_rates(
    database: Database,
    levels: Sequence[NamedLevel],
    cohort: str | None = None,
    *,
    boosters: bool = False,
    apart: bool = False,
) -> Observed:
    """Players' results at levels, from a database; PredictionError if there are none or they are ambiguous.

    A level's results may be stored under its file's name, that name with a version, its own name or its
    digest. People and simulated
    players are never mixed: with results of both, people's count. Of several cohorts one is to be chosen; a
    pattern such as `*` takes people's cohorts that match it together. With `apart` none need be chosen: the
    results of each are told (`Observed.cohorts`), of people or else of simulated populations. Rows with
    boosters count only with `boosters`. Results under two names of one level, which may be the same, are
    ambiguous.
    """
    observed = known_rates(database, levels, cohort, boosters=boosters, apart=apart)
    if observed is None:
        raise PredictionError(_no_results(database, levels, cohort))
    return observed


def known_rates(
    database: Database,
    levels: Sequence[NamedLevel],
    cohort: str | None = None,
    *,
    boosters: bool = False,
    apart: bool = False,
) -> Observed | None:
    """As `observed_rates`, but None if there are no results."""
    names = _names(levels)
    results = read_cohort(PlayerResults(database), list(names), cohort).with_columns(
        simulated=pl.col("source").str.starts_with(SIMULATED)
    )
    # People's results take precedence over simulated ones.
    people = results.filter(~pl.col("simulated"))
    stored = people if people.height else results
    if people.height and not boosters:
        stored, _ = split_boosters(people)
    if not stored.height:
        return None
    origins = stored.select("simulated", "cohort").unique()
    if origins.height > 1 and not people.height and not apart:
        raise PredictionError(_several_cohorts(database, origins["cohort"].to_list(), people=False))
    _check_names(database, levels, names, set(stored["level"]), simulated=not people.height)
    if origins.height > 1 and cohort is None and not apart:
        raise PredictionError(_several_cohorts(database, origins["cohort"].to_list(), people=True))
    renamed = stored.with_columns(level=pl.col("level").replace_strict(names))
    cohorts = origins["cohort"].to_list()
    players = (
        cohorts[0] if len(cohorts) == 1 else f"{cohort_words(cohorts)} {'apart' if apart else 'together'}"
    )
    outdated = _outdated(levels, renamed)
    return Observed(
        rates_to_fit(renamed),
        players or "all players",
        not people.height,
        outdated,
        persistence_of(renamed),
        _rates_apart(renamed) if apart else {},
    )


def _rates_apart(results: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The success rates of each cohort, by its name."""
    named = results.with_columns(pl.col("cohort").fill_null(""))
    return {part["cohort"][0]: rates_to_fit(part) for part in named.sort("cohort").partition_by("cohort")}


def _several_cohorts(database: Database, cohorts: Sequence[str | None], *, people: bool) -> str:
    """The sentence for results of several cohorts, none of which was chosen."""
    words = cohort_words(cohorts)
    if not people:
        return (
            f"{database.name}: results of several populations for these levels; choose by `cohort`: {words}"
        )
    return (
        f"{database.name}: results of several cohorts for these levels: {words}; expected a `cohort`, or '*' "
        "to take all of them together"
    )


def _names(levels: Sequence[NamedLevel]) -> dict[str, str]:
    """The level's name in tables by each name that results may go by; names of files take precedence."""
    table_names: dict[str, str] = {}
    for named in levels:
        table_names |= dict.fromkeys((named.name, *named.names), named.name)
    for named in levels:
        for name in named.names:
            table_names.setdefault(version_name(name, named.level), named.name)
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
            origin is not None
            and not origin.is_alike(Provenance.today(origin.players, named.level, origin.after))
            for origin in map(Provenance.parse, sources.get(named.name, ()))
        )
    )


def _no_results(database: Database, levels: Sequence[NamedLevel], cohort: str | None) -> str:
    """The sentence for results that are missing: what there is instead."""
    results = PlayerResults(database)
    known = results.levels()
    examples = ", ".join(named.name for named in levels[:_MOST_NAMED])
    if cohort is not None and not has_cohort(results, cohort):
        cohorts = ", ".join(f"'{name}'" for name in results.cohorts()) or "none"
        return f"{database.name}: no cohort {cohort!r}; there are: {cohorts}"
    of = f" of cohort {cohort!r}" if cohort else ""
    if not known:
        return f"{database.name}: no players' results; `levelsense players import` takes them in"
    stored = ", ".join(known[:_MOST_NAMED])
    return (
        f"{database.name}: no players' results{of} of levels such as {examples}; there are some of {stored}"
    )
