"""How many attempts are made: numbers that make sense, and checkpoints that depend on nothing else."""

import pytest

from levelsense.errors import PlaytestError
from levelsense.playtest.levels import gather_levels
from levelsense.playtest.plan import Extent, make_pairs
from levelsense.playtest.runner import check_asked
from tests.playtest.players import CoinPlayer


def test_a_number_is_one_checkpoint() -> None:
    assert Extent(100).checkpoints == (100,)


def test_a_precision_is_looked_at_after_a_tenth_more_each_time() -> None:
    assert Extent(100, 0.03, 150).checkpoints == (100, 110, 121, 134, 148, 150)
    assert Extent(1, 0.03, 6).checkpoints == (1, 2, 3, 4, 5, 6)


def test_the_ceiling_is_ten_thousand_or_what_is_asked_for() -> None:
    assert Extent(100, 0.03).checkpoints[-1] == 10_000
    assert Extent(20_000, 0.03).checkpoints == (20_000,)


def test_wins_are_counted_after_twice_as_many_each_time() -> None:
    extent = Extent(100, ceiling=1000, wins=3)
    assert extent.checkpoints == (100, 200, 400, 800, 1000)
    assert not extent.is_enough(2, 100)
    assert extent.is_enough(3, 100)
    assert Extent(100).is_enough(0, 100)
    with pytest.raises(PlaytestError, match="wins: 3; expected none beside a precision"):
        Extent(100, 0.03, wins=3)
    with pytest.raises(PlaytestError, match="ceiling: 50; expected a whole number from 100"):
        Extent(100, ceiling=50, wins=3)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"attempts": 0}, "attempts: 0; expected a whole number from 1 to"),
        ({"attempts": -5}, "attempts: -5"),
        ({"seed": -1}, "seed: -1; expected a whole number from 0 to"),
        ({"seed": 2**63}, "seed: 9223372036854775808"),
        ({"threads": 0}, "threads: 0"),
        ({"batch": 0}, "batch: 0"),
        ({"precision": 0.9}, "precision: 0.9; expected the half width of an interval"),
        ({"precision": 0.0}, "precision: 0;"),
        ({"precision": float("nan")}, "precision: nan;"),
        ({"ceiling": 50}, "ceiling: 50; it limits a precision, and none is given"),
        ({"precision": 0.03, "ceiling": 50}, "ceiling: 50; expected a whole number from 100 to"),
    ],
)
def test_numbers_that_make_no_sense(asked: dict[str, float], sentence: str) -> None:
    with pytest.raises(PlaytestError) as caught:
        check_asked(**asked)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


def test_every_level_with_every_agent() -> None:
    levels = gather_levels(["01-first-steps", "03-open-field"])
    pairs = make_pairs(levels, [CoinPlayer(spec="a"), CoinPlayer(spec="b"), CoinPlayer(spec="a")], 3)
    assert [(pair.name, pair.agent.spec) for pair in pairs] == [
        ("01-first-steps", "a"),
        ("01-first-steps", "b"),
        ("03-open-field", "a"),
        ("03-open-field", "b"),
    ]
    assert {pair.seed for pair in pairs} == {3}


def test_nothing_to_play_is_a_mistake() -> None:
    with pytest.raises(PlaytestError, match="no levels"):
        make_pairs([], [CoinPlayer()], 0)
    with pytest.raises(PlaytestError, match="no agents"):
        make_pairs(gather_levels(["01-first-steps"]), [], 0)
