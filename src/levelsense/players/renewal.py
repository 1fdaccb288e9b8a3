"""What a population's stored results mean for a simulation: what is done already, what must not be lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from levelsense.errors import PlayersError
from levelsense.players.provenance import Provenance
from levelsense.players.traits import Population
from levelsense.playtest import NamedLevel

_MOST_NAMED = 3


@dataclass(frozen=True)
class Renewal:
    """Of levels that are asked for: the names of those that are known, and of those whose results go."""

    known: frozenset[str]
    replaced: tuple[str, ...] = ()


def plan_renewal(
    name: str,
    levels: Sequence[NamedLevel],
    population: Population,
    sources: Mapping[str, set[str]],
) -> Renewal:
    """What there is to do, by where the results that a database `name` has of a cohort come from.

    Results of the same players at the same levels are known. Others are replaced, but for those that nobody
    would want to lose: of more players, or of no simulated ones. PlayersError names these.
    """
    known, replaced, people, larger = [], [], [], []
    most = len(population)
    for named in levels:
        today = Provenance.today(len(population), named.level)
        found = sources.get(named.name, set())
        stored = [Provenance.parse(source) for source in found]
        players = max((one.players for one in stored if one and one.is_alike(today)), default=0)
        if found == {today.source}:
            known.append(named.name)
        elif None in stored:
            people.append(named.name)
        elif players > len(population):
            larger.append(named.name)
            most = max(most, players)
        elif stored:
            replaced.append(named.name)
    where = f"{name}: cohort '{population.cohort}'"
    if people:
        raise PlayersError(
            f"{where} has results that were not simulated, of {named_words(people)}; "
            "expected another --seed or --db"
        )
    if larger:
        raise PlayersError(
            f"{where} has results of {most:,} players, of {named_words(larger)}, and {len(population):,} "
            f"would replace them; expected --players of at least {most:,}, or another --seed or --db"
        )
    return Renewal(frozenset(known), tuple(replaced))


def named_words(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
