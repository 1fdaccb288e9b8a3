"""Settled searches: by hand, against every way the rest could go, and the same choice as without stopping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.agents.mcts.choice import is_settled
from levelsense.agents.mcts.search import search_tree
from levelsense.agents.mcts.tree import CHOSEN, MAX, ROBUST, ROBUST_MAX, ROOT
from levelsense.agents.registry import parse_agent
from levelsense.errors import AgentError
from levelsense.game.game import Game
from levelsense.level.level import Level
from tests.agents.playing import positions
from tests.agents.test_mcts_formulas import fill_root

FINALS = ("max", "robust", "robust-max")


@pytest.mark.parametrize(
    ("visits", "values", "final", "left", "settled"),
    [
        # 9 of 10 against 2 of 5. Of 7 left, 4 to the other: 9 / 13 > 6 / 9. Of 8, 5 to it: 9 / 13 < 7 / 10.
        ([10, 5], [9.0, 2.0], MAX, 7, True),
        ([10, 5], [9.0, 2.0], MAX, 8, False),
        # The most visited with a mean below the other's: 5 + 4 < 10, and 5 + 5 draws level.
        ([10, 5], [3.0, 4.0], ROBUST, 4, True),
        ([10, 5], [3.0, 4.0], ROBUST, 5, False),
        # Both have to hold: here visits are the first to give way, ...
        ([10, 5], [9.0, 2.0], ROBUST_MAX, 4, True),
        ([10, 5], [9.0, 2.0], ROBUST_MAX, 5, False),
        # ... and here means: one each makes 6 / 11 < 3.5 / 6.
        ([10, 5], [6.0, 2.5], ROBUST_MAX, 1, True),
        ([10, 5], [6.0, 2.5], ROBUST_MAX, 2, False),
        # No action has both: the search is to go on.
        ([10, 5], [3.0, 4.0], ROBUST_MAX, 0, False),
        # One simulation of an action that was never tried may be worth 1.
        ([10, 0], [9.0, 0.0], MAX, 1, False),
        ([10, 0], [9.0, 0.0], ROBUST, 9, True),
        # The third action is the one that can still win.
        ([20, 5, 9], [18.0, 1.0, 8.0], MAX, 2, False),
        ([20, 5], [18.0, 1.0], MAX, 2, True),
        # A single legal move.
        ([1], [0.0], MAX, 1_000, True),
        ([1], [0.0], ROBUST_MAX, 1_000, True),
    ],
)
def test_by_hand(visits: list[int], values: list[float], final: int, left: int, settled: bool) -> None:
    assert is_settled(fill_root(visits, values), final, left) == settled


@given(
    st.integers(1, 40),
    st.integers(0, 40),
    st.integers(0, 30),
    st.floats(0, 1),
    st.floats(0, 1),
    st.booleans(),
)
def test_the_higher_mean_stays_higher_however_the_rest_is_shared_out(
    visits: int, other_visits: int, left: int, share: float, other_share: float, swap: bool
) -> None:
    """At worst the other action's simulations are worth 1, the better one's 0."""
    sides = [(visits, share * visits), (other_visits, other_share * other_visits)][:: -1 if swap else 1]
    if not is_settled(fill_root([n for n, _ in sides], [value for _, value in sides]), MAX, left):
        return
    means = [value / n if n else -0.5 for n, value in sides]
    best = means.index(max(means))
    (n, value), (other_n, other_value) = sides[best], sides[1 - best]
    for k in range(left + 1):
        assert value / (n + left - k) > (other_value + k) / (other_n + k)


def chosen(spec: str, game: Game, seed: int) -> tuple[int, int]:
    """The move chosen, and the simulations that took."""
    agent = parse_agent(spec)
    tree = search_tree(game, agent.options, agent.codes, seed)
    return int(tree.action_move[tree.number[CHOSEN]]), int(tree.node_visits[tree.number[ROOT]])


@pytest.mark.parametrize("final", FINALS)
@pytest.mark.parametrize("options", ["simulations=100,c=0.05", "simulations=60,signal=binary"])
def test_the_choice_is_the_same_and_takes_less(final: str, options: str) -> None:
    spent = saved = 0
    for level in ("04-jelly-garden", "17-pocket-board", "thesis-013"):
        for seed in range(4):
            for game in positions(level, seed, every=5):
                whole = chosen(f"mcts:{options},final={final}", game, seed)
                short = chosen(f"mcts:{options},final={final},settle=true", game, seed)
                assert short[0] == whole[0], (level, seed, game.moves_made)
                spent += short[1]
                saved += whole[1] - short[1]
    assert 0 < saved < spent


@pytest.mark.parametrize(
    ("level", "options", "seed"),
    [
        ("17-pocket-board", "simulations=400,c=0.05", 25),
        ("17-pocket-board", "simulations=100,c=0.05", 18),
        ("17-pocket-board", "simulations=100,c=0.01", 34),
        ("04-jelly-garden", "simulations=400,c=0.05", 57),
        ("04-jelly-garden", "simulations=100,c=0.01", 9),
    ],
)
def test_the_highest_mean_is_not_settled_by_visits(level: str, options: str, seed: int) -> None:
    """Here another action's mean rises above the leader's after no other can have as many visits."""
    game = Game(Level.load(level), seed)
    whole, short = (chosen(f"mcts:{options}{more}", game, seed) for more in ("", ",settle=true"))
    assert short[0] == whole[0]


def test_seconds_and_settling_exclude_each_other() -> None:
    with pytest.raises(AgentError) as caught:
        parse_agent("mcts:settle=true,seconds=0.5")
    assert str(caught.value) == (
        "seconds=0.5 and settle=true for mcts: it is not known how many simulations the time that is left "
        "will allow; expected only one of them"
    )
    assert parse_agent("mcts:settle=true,seconds=0").spec == "mcts:settle=true"
    assert parse_agent("mcts:settle=false,seconds=0.5").spec == "mcts:seconds=0.5"
