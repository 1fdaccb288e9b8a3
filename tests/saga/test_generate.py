"""The saga: each level by its seed and number alone, sound, winnable, and about as hard as intended."""

from functools import cache

import numpy as np
import pytest

from levelsense.advice import advise
from levelsense.agents.registry import parse_agent
from levelsense.errors import SagaError
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.playtest.plan import attempt_seeds
from levelsense.saga.generate import LEAST_MOVES, LEAST_WINS, MOST_MOVES, SagaLevel, generate, saga_level

SAMPLE = (1, 5, 9, *range(16, 480, 29), *range(500, 1000, 38))


@cache
def sample() -> tuple[SagaLevel, ...]:
    return tuple(saga_level(2, number) for number in SAMPLE)


def rate(level: Level, agent: str) -> float:
    """An agent's success rate, over attempts that the calibration has not seen."""
    seeds = attempt_seeds(level.digest, agent, 99, 0, 100)
    return float((parse_agent(agent).attempts(level, seeds)["status"] == WON).mean())


def test_a_level_depends_on_seed_and_number_only() -> None:
    alone = saga_level(1, 42)
    among = list(generate(1, 4, first=40, threads=2))
    assert [level.number for level in among] == [40, 41, 42, 43]
    assert among[2] == alone
    assert alone.level.to_json() == among[2].level.to_json()
    assert saga_level(2, 42).level != alone.level


def test_a_tail_is_the_end_of_the_whole() -> None:
    whole, tail = list(generate(9, 6)), list(generate(9, 2, first=5, threads=1))
    assert whole[4:] == tail


def test_levels_are_valid_sound_and_within_bounds() -> None:
    for made in sample():
        level = made.level
        assert Level.from_json(level.to_json()) == level
        assert [advice.sentence for advice in advise(level) if advice.severity != "note"] == []
        if level.moves is not None:
            assert LEAST_MOVES <= level.moves <= MOST_MOVES
        else:
            assert 35 <= (level.seconds or 0) <= 105
        assert made.file_name == f"saga-{made.number:04}.json"


def test_levels_can_be_won() -> None:
    for made in sample():
        assert made.wins >= LEAST_WINS
        assert rate(made.level, "heuristic") > 0, made.number


def test_levels_are_about_as_hard_as_intended() -> None:
    """By agents that play otherwise than they did: intentions part easy levels from hard ones."""
    intended = np.array([made.intended for made in sample()])
    played = np.array([rate(made.level, "heuristic") for made in sample()])
    assert np.corrcoef(intended, played)[0, 1] > 0.6
    assert played[intended > 0.8].mean() > 0.8
    assert played[intended < 0.25].mean() < 0.5


def test_no_agent_has_the_intention_itself() -> None:
    intended = np.array([made.intended for made in sample()])
    for agent in ("heuristic", "random"):
        played = np.array([rate(made.level, agent) for made in sample()])
        assert np.abs(played - intended).mean() > 0.08, agent


def test_stars_part_winners_and_are_left_out_where_hardly_anybody_wins() -> None:
    for made in sample():
        assert (made.level.stars is None) == (made.wins < 20)


@pytest.mark.parametrize(
    ("seed", "count", "first", "problem"),
    [
        (-1, 5, 1, "seed: -1; expected a whole number from 0 to 9,223,372,036,854,775,807"),
        (2**63, 5, 1, f"seed: {2**63}; expected a whole number from 0 to 9,223,372,036,854,775,807"),
        (1, 0, 1, "count: 0; expected at least 1"),
        (1, -3, 1, "count: -3; expected at least 1"),
        (1, 5, 0, "first: 0; expected at least 1, the first level of the saga"),
        (1, 2, 9999, "levels 9999 to 10000; expected none above 9999"),
    ],
)
def test_what_cannot_be_asked_for(seed: int, count: int, first: int, problem: str) -> None:
    with pytest.raises(SagaError) as caught:
        list(generate(seed, count, first))
    assert str(caught.value) == problem
