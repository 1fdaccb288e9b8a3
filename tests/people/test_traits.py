"""Who the simulated players are."""

import numpy as np
import pytest

from levelsense.errors import PlayersError
from levelsense.people.simulated import outcome
from levelsense.people.simulated.kinds import GLANCERS, KIND_OF, KINDS, PLANNERS
from levelsense.people.simulated.mind import ACUITY, ERROR, GOALS, HASTE, LOOKS
from levelsense.people.simulated.traits import MIXES, Mix, draw_population, read_mix


@pytest.mark.parametrize("mix", ["everyone", "both", "casual=0.5,hoarder=0.5"])
def test_a_player_is_the_same_in_a_larger_population(mix: str) -> None:
    few, many = draw_population(20, 3, mix), draw_population(50, 3, mix)
    assert many.types[:20] == few.types
    assert np.array_equal(many.traits[:20], few.traits)
    assert not np.array_equal(draw_population(20, 4, mix).traits, few.traits)


@pytest.mark.parametrize("mix", MIXES)
def test_types_come_in_their_shares(mix: str) -> None:
    assert sum(MIXES[mix].values()) == pytest.approx(1)
    types = draw_population(2000, 0, mix).types
    for name, share in MIXES[mix].items():
        error = np.sqrt(share * (1 - share) / 2000)
        assert types.count(name) / 2000 == pytest.approx(share, abs=4 * error)
    for kind in KINDS:
        assert {change for changes in kind.types.values() for change in changes} <= set(kind.table)


def test_kinds_have_their_own_types_and_columns() -> None:
    assert len(KIND_OF) == sum(len(kind.types) for kind in KINDS)
    for kind in KINDS:
        assert sorted(trait.code for trait in kind.table.values()) == list(range(len(kind.table)))
        assert min(kind.learning, kind.patience) >= kind.columns
        assert list(kind.table)[-2:] == ["learning", "patience"]


@pytest.mark.parametrize(("mix", "kind"), [("everyone", GLANCERS), ("planners", PLANNERS)])
def test_traits_are_in_their_ranges(mix: str, kind: object) -> None:
    (table,) = (each.table for each in KINDS if each is kind)
    traits = draw_population(2000, 1, mix).traits
    for trait in table.values():
        values = traits[:, trait.code]
        assert values.min() > (-np.inf if trait.signed else 0)
        assert values.max() <= (1 if trait.probability else trait.most)
        assert values.std() > 0
        if trait.whole:
            assert np.array_equal(values, np.round(values))
            assert values.min() >= 1


def test_traits_go_with_skill() -> None:
    traits = draw_population(2000, 1).traits
    skilled = np.corrcoef(np.log(traits[:, [LOOKS, ACUITY, GOALS, ERROR, HASTE]]).T)
    assert skilled[0, 1] > 0.2
    assert skilled[0, 2] > 0.2
    assert skilled[0, 3] < -0.2
    assert skilled[0, 4] < -0.2
    planners = draw_population(2000, 1, "planners").traits
    columns = [outcome.CONSIDERED, outcome.GOALS, outcome.ERROR, outcome.LATE]
    skilled = np.corrcoef(np.log(planners[:, columns]).T)
    assert skilled[0, 1] > 0.2
    assert skilled[0, 2] < -0.2
    assert skilled[0, 3] < -0.2


@pytest.mark.parametrize("name", KIND_OF)
def test_traits_are_spread_around_the_middle_of_their_type(name: str) -> None:
    """Logarithms, logits of probabilities, or signed: within 4 standard errors of a mean and a deviation."""
    kind = KIND_OF[name]
    population = draw_population(3000, 5, "everyone" if kind is GLANCERS else "planners")
    of_type = population.traits[[player_type == name for player_type in population.types]]
    count = len(of_type)
    for trait_name, trait in kind.table.items():
        if trait.whole or trait.most < float("inf"):
            continue  # rounded, or cut off
        values, middle, factor = of_type[:, trait.code], trait.middle, kind.types[name].get(trait_name, 1.0)
        if trait.probability:
            values, middle = values / (1 - values), middle / (1 - middle)
        logs = values / factor if trait.signed else np.log(values / (middle * factor))
        assert logs.mean() == pytest.approx(0, abs=4 * trait.spread / np.sqrt(count)), trait_name
        assert logs.std() == pytest.approx(trait.spread, abs=4 * trait.spread / np.sqrt(2 * count)), (
            trait_name
        )


def test_players_learn_from_attempt_to_attempt() -> None:
    population = draw_population(100, 2)
    everybody = np.arange(100)
    first, fourth = population.at_attempt(everybody, 0), population.at_attempt(everybody, 3)
    growth = 1 + population.traits[:, GLANCERS.learning] * 2  # log2 of 4
    assert np.allclose(fourth[:, GOALS], first[:, GOALS] * growth)
    assert (fourth[:, LOOKS] >= first[:, LOOKS]).all()
    assert np.array_equal(fourth[:, HASTE], first[:, HASTE])


def test_planners_consider_more_and_mind_goals_sooner_from_attempt_to_attempt() -> None:
    population = draw_population(100, 2, "planners")
    everybody = np.arange(100)
    first, fourth = population.at_attempt(everybody, 0), population.at_attempt(everybody, 3)
    growth = 1 + population.traits[:, PLANNERS.learning] * 2  # log2 of 4
    assert first.shape == (100, outcome.TRAITS)
    assert np.array_equal(first, population.traits[:, : outcome.TRAITS])
    assert np.allclose(fourth[:, outcome.LATE], first[:, outcome.LATE] / growth)
    considered = first[:, outcome.CONSIDERED] * growth
    assert np.array_equal(fourth[:, outcome.CONSIDERED], np.round(considered))
    same = [code for code in range(outcome.TRAITS) if code not in (outcome.LATE, outcome.CONSIDERED)]
    assert np.array_equal(fourth[:, same], first[:, same])


# Mixes


def test_players_of_a_population_are_told_by_kind() -> None:
    population = draw_population(200, 4, "both")
    kinds = population.kinds
    assert sorted(np.concatenate(list(kinds.values()))) == list(range(200))
    for kind, players in kinds.items():
        assert {population.types[player] for player in players} <= set(kind.types)
        assert np.array_equal(population.patience[players], population.traits[players, kind.patience])
    assert list(draw_population(5, 4).kinds) == [GLANCERS]
    assert list(draw_population(5, 4, "planners").kinds) == [PLANNERS]


def test_shares_by_type_are_a_mix_with_one_name() -> None:
    written = " hoarder=0.6, casual = 0.4,expert=0"
    mapped = draw_population(50, 1, {"casual": 0.4, "hoarder": 0.6})
    assert mapped.cohort == "simulated casual=0.4,hoarder=0.6, seed 1"
    for mix in (written, mapped.mix, {"hoarder": 0.6, "casual": 0.4}):
        again = draw_population(50, 1, mix)
        assert (again.mix, again.types) == (mapped.mix, mapped.types)
        assert np.array_equal(again.traits, mapped.traits)
    assert set(draw_population(50, 1, {"hoarder": 1}).types) == {"hoarder"}


def test_the_name_of_shares_gives_the_very_same_shares() -> None:
    third = {"casual": 1 / 3, "keen": 1 / 3, "drifter": 1 / 3}
    name, shares = read_mix(third)
    assert shares == third
    assert read_mix(name) == (name, third)


def test_a_name_is_a_mix_of_its_shares() -> None:
    """The players are the same; their results are kept apart, and boards are dealt anew."""
    named, shared = draw_population(50, 1, "everyone"), draw_population(50, 1, MIXES["everyone"])
    assert named.types == shared.types
    assert np.array_equal(named.traits, shared.traits)
    assert named.cohort != shared.cohort


TYPE_NAMES = "casual, steady, keen, expert, sparkler, drifter, hoarder, spender, strategist"


@pytest.mark.parametrize(
    ("players", "seed", "mix", "words"),
    [
        (0, 0, "everyone", "players: 0; expected a whole number from 1 to 100,000"),
        (99_999_999_999, 0, "everyone", "players: 99,999,999,999; expected a whole number from 1 to 100,000"),
        (100_001, 0, "everyone", "players: 100,001; expected a whole number from 1 to 100,000"),
        (5, -1, "everyone", "seed: -1; expected a whole number from 0 to 9,223,372,036,854,775,807"),
        (
            5,
            0,
            "nobody",
            "mix: 'nobody'; expected one of: everyone, newcomers, veterans, planners, both; "
            "or shares of types such as casual=0.4,hoarder=0.6",
        ),
        (5, 0, "alien=1", f"mix: type 'alien'; expected one of: {TYPE_NAMES}"),
        (5, 0, "everyone=1", f"mix: type 'everyone'; expected one of: {TYPE_NAMES}"),
        (5, 0, "casual=0.5,keen=0.4", "mix: shares add up to 0.9; expected 1"),
        (5, 0, "casual=0", "mix: shares add up to 0; expected 1"),
        (5, 0, {}, "mix: shares add up to 0; expected 1"),
        (5, 0, "casual=1.5", "mix: share of casual: 1.5; expected a number from 0 to 1"),
        (5, 0, {"casual": -0.5, "keen": 1}, "mix: share of casual: -0.5; expected a number from 0 to 1"),
        (5, 0, "casual=nan", "mix: share of casual: nan; expected a number from 0 to 1"),
        (5, 0, {"casual": "1"}, "mix: share of casual: 1; expected a number from 0 to 1"),
        (
            5,
            0,
            "casual=much",
            "mix: 'casual=much'; expected a type and its share, as in casual=0.4,hoarder=0.6",
        ),
        (5, 0, "casual=1,", "mix: ''; expected a type and its share, as in casual=0.4,hoarder=0.6"),
        (5, 0, "casual=0.5,casual=0.5", "mix: type 'casual' is given twice; expected each type once"),
    ],
)
def test_impossible_populations(players: int, seed: int, mix: Mix, words: str) -> None:
    with pytest.raises(PlayersError) as error:
        draw_population(players, seed, mix)
    assert str(error.value) == words
