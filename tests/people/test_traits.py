"""Who the simulated players are."""

import numpy as np
import pytest

from levelsense.errors import PlayersError
from levelsense.people.simulated.mind import ACUITY, ERROR, GOALS, HASTE, LOOKS
from levelsense.people.simulated.traits import LEARNING, MIXES, PATIENCE, TRAIT_TABLE, TYPES, draw_population


def test_a_player_is_the_same_in_a_larger_population() -> None:
    few, many = draw_population(20, 3), draw_population(50, 3)
    assert many.types[:20] == few.types
    assert np.array_equal(many.traits[:20], few.traits)
    assert not np.array_equal(draw_population(20, 4).traits, few.traits)


@pytest.mark.parametrize("mix", MIXES)
def test_types_come_in_their_shares(mix: str) -> None:
    assert sum(MIXES[mix].values()) == pytest.approx(1)
    types = draw_population(2000, 0, mix).types
    for name, share in MIXES[mix].items():
        error = np.sqrt(share * (1 - share) / 2000)
        assert types.count(name) / 2000 == pytest.approx(share, abs=4 * error)
    assert {change for changes in TYPES.values() for change in changes} <= set(TRAIT_TABLE)


def test_traits_are_in_their_ranges_and_go_with_skill() -> None:
    traits = draw_population(2000, 1).traits
    for trait in TRAIT_TABLE.values():
        values = traits[:, trait.code]
        assert values.min() > 0
        assert values.max() <= (1 if trait.probability else trait.most)
        assert values.std() > 0
    for whole in (LOOKS, PATIENCE):
        assert np.array_equal(traits[:, whole], np.round(traits[:, whole]))
        assert traits[:, whole].min() >= 1
    skilled = np.corrcoef(np.log(traits[:, [LOOKS, ACUITY, GOALS, ERROR, HASTE]]).T)
    assert skilled[0, 1] > 0.2
    assert skilled[0, 2] > 0.2
    assert skilled[0, 3] < -0.2
    assert skilled[0, 4] < -0.2


@pytest.mark.parametrize("kind", TYPES)
def test_traits_are_spread_around_the_middle_of_their_type(kind: str) -> None:
    """Logarithms, or logits of probabilities: within 4 standard errors of a mean and of a deviation."""
    population = draw_population(3000, 5, "everyone")
    own = population.traits[[found == kind for found in population.types]]
    count = len(own)
    for name, trait in TRAIT_TABLE.items():
        if trait.code in (LOOKS, PATIENCE) or trait.most < float("inf"):
            continue  # rounded, or cut off
        values, middle = own[:, trait.code], trait.middle
        if trait.probability:
            values, middle = values / (1 - values), middle / (1 - middle)
        logs = np.log(values / (middle * TYPES[kind].get(name, 1.0)))
        assert logs.mean() == pytest.approx(0, abs=4 * trait.spread / np.sqrt(count)), name
        assert logs.std() == pytest.approx(trait.spread, abs=4 * trait.spread / np.sqrt(2 * count)), name


def test_players_learn_from_attempt_to_attempt() -> None:
    population = draw_population(100, 2)
    everybody = np.arange(100)
    first, fourth = population.at_attempt(everybody, 0), population.at_attempt(everybody, 3)
    growth = 1 + population.traits[:, LEARNING] * 2  # log2 of 4
    assert np.allclose(fourth[:, GOALS], first[:, GOALS] * growth)
    assert (fourth[:, LOOKS] >= first[:, LOOKS]).all()
    assert np.array_equal(fourth[:, HASTE], first[:, HASTE])


@pytest.mark.parametrize(
    ("players", "seed", "mix", "words"),
    [
        (0, 0, "everyone", "players: 0; expected a whole number from 1 to 100,000"),
        (99_999_999_999, 0, "everyone", "players: 99,999,999,999; expected a whole number from 1 to 100,000"),
        (100_001, 0, "everyone", "players: 100,001; expected a whole number from 1 to 100,000"),
        (5, -1, "everyone", "seed: -1; expected a whole number from 0 to 9,223,372,036,854,775,807"),
        (5, 0, "nobody", "mix: 'nobody'; expected one of: everyone, newcomers, veterans"),
    ],
)
def test_impossible_populations(players: int, seed: int, mix: str, words: str) -> None:
    with pytest.raises(PlayersError) as error:
        draw_population(players, seed, mix)
    assert str(error.value) == words
