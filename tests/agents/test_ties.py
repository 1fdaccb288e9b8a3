"""Of equally good moves an agent plays any, each as likely as any other, wherever on the board they are."""

from collections import Counter

import pytest
from scipy.stats import binom

from levelsense.agents.registry import families, parse_agent
from tests.game.drawn import position

# Three moves that are alike but for their column: c1c2, g1g2 and k1k2 make a row of three each. With one move
# left, and swirls that fall in and make no line, all of them end alike.
ALIKE = """
    r r o p b b y p g g c
    c y r c o y b o p c g
    p o c y p c o y c o p
"""
MOVES = ("c1c2", "g1g2", "k1k2")
CHOICES = 600
# A count of 600 draws with a probability of a third is outside of these in one case of 10,000.
LOW, HIGH = (int(binom.ppf(share, CHOICES, 1 / len(MOVES))) for share in (0.00005, 0.99995))

SPECS = (
    "greedy",
    "greedy:of=goals",
    "heuristic",
    "beam:depth=1",
    "beam:depth=1,heuristic=h1",
    "beam:depth=2",
    "sampling:simulations=1",
    "sampling:simulations=1,of=goals",
    "sampling:simulations=4,per=turn,epsilon=0.5",
    "q-linear:episodes=1",
    "q-network:episodes=2",
    # With three simulations a move the final choice is between equals; with one more, selection is too.
    *(
        f"mcts:simulations={simulations},signal={signal},final={final}"
        for simulations in (9, 10)
        for signal in ("binary", "goals")
        for final in ("max", "robust", "robust-max")
    ),
    "mcts:simulations=10,playout=heuristic",
    "mcts:simulations=10,settle=true",
    "halving:simulations=6",
)
# By their definition: any move whatever it is worth, and the first one listed. To a policy no two moves are
# alike, since it looks at where they are; tests/agents/test_policy.py has one that does not.
WITHOUT_VALUES = {"random", "first", "policy"}
# It plays no board as wide as this one (tests/agents/test_onnx.py has its ties).
ON_SMALL_BOARDS = {"onnx"}


def test_every_agent_that_chooses_by_a_value_is_put_to_the_test() -> None:
    assert {parse_agent(spec).family.name for spec in SPECS} == {
        family.name for family in families()
    } - WITHOUT_VALUES - ON_SMALL_BOARDS


@pytest.mark.parametrize("spec", SPECS)
def test_moves_that_are_alike_are_chosen_equally_often(spec: str) -> None:
    game = position(ALIKE, "moves: 1", rules="plain", scoring="pieces")
    assert tuple(str(move) for move in game.legal_moves) == MOVES
    agent = parse_agent(spec)
    counted = Counter(str(agent.choose(game, seed)) for seed in range(CHOICES))
    assert all(LOW <= counted[move] <= HIGH for move in MOVES), counted


def test_a_beam_drops_any_of_equally_good_and_low_moves() -> None:
    """At depth 1 one move is kept; of one with a lower twin, always the lower."""
    game = position(
        """
        r r o p b b y p
        c y r c o y b o    <- c1c2 and g1g2, high
        p o c y p c o y
        g g y o m m p c
        y c g p c o m p    <- c4c5 and g4g5, low
        """,
        "moves: 1",
        rules="plain",
        scoring="pieces",
    )
    assert [str(move) for move in game.legal_moves] == ["c1c2", "g1g2", "c4c5", "g4g5"]
    counted = Counter(str(parse_agent("beam:depth=1,heuristic=h1").choose(game, seed)) for seed in range(200))
    assert set(counted) == {"c4c5", "g4g5"}
    assert binom.ppf(0.00005, 200, 0.5) <= counted["c4c5"] <= binom.ppf(0.99995, 200, 0.5)
    first = Counter(str(parse_agent("beam:depth=1,ties=first").choose(game, seed)) for seed in range(20))
    assert first == {"c1c2": 20}
