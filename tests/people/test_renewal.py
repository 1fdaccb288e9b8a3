"""What a population's stored results mean for a simulation."""

import pytest

from levelsense.errors import PlayersError
from levelsense.people.simulated.run import Provenance, Renewal, plan_renewal
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import gather_levels

LEVELS = gather_levels(
    ["04-jelly-garden", "24-hourglass", "11-beat-the-clock", "17-pocket-board", "07-order-up"]
)
NAMES = [named.name for named in LEVELS]
POPULATION = draw_population(60, 0)


def source(players: int, number: int) -> str:
    return Provenance.today(players, LEVELS[number].level).source


def plan(*sources: set[str]) -> Renewal:
    return plan_renewal("x.db", LEVELS, POPULATION, dict(zip(NAMES, sources, strict=False)))


def complaint(*sources: set[str]) -> str:
    with pytest.raises(PlayersError) as caught:
        plan(*sources)
    return str(caught.value)


def test_nothing_is_stored() -> None:
    assert plan() == Renewal(frozenset(), ())


def test_the_same_is_known_and_less_or_older_is_replaced() -> None:
    renewal = plan(
        {source(60, 0)},
        {source(59, 1)},
        {source(60, 1)},  # of another level, or of this one before it was changed
        {"simulated: 60 players"},
        {source(60, 4), "simulated: 5 players"},
    )
    assert renewal == Renewal(frozenset({NAMES[0]}), tuple(NAMES[1:]))


def test_more_players_at_another_version_are_replaced() -> None:
    assert plan({source(500, 1)}) == Renewal(frozenset(), (NAMES[0],))


def test_more_players_are_not_lost() -> None:
    assert complaint({source(60, 0)}, {source(500, 1)}) == (
        "x.db: cohort 'simulated everyone, seed 0' has results of 500 players, of 24-hourglass, and 60 would "
        "replace them; expected `players` of at least 500, or another `seed` or `database`"
    )
    everywhere = [{source(70 + number, number)} for number in range(4)]
    assert "of 73 players, of 04-jelly-garden, 24-hourglass, 11-beat-the-clock and 1 more, and" in complaint(
        *everywhere
    )
    assert "has results of 61 players" in complaint({"simulated: 61 players"})


def test_results_of_people_are_not_lost() -> None:
    assert complaint({source(60, 0)}, {source(60, 1), "x.csv"}) == (
        "x.db: cohort 'simulated everyone, seed 0' has results that were not simulated, of 24-hourglass; "
        "expected another `seed` or `database`"
    )
