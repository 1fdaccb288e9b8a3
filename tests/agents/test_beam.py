"""The beam search: widths, values and ties by hand, and the whole tree against a slow second one."""

import re
from typing import Any

import numpy as np
import pytest

from levelsense.agents.beam import LOTS, beam_states, beam_widths
from levelsense.agents.beam_heuristics import WIN, mean_row, node_value
from levelsense.agents.registry import BEAM, parse_agent
from levelsense.game.cascade import play
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, new_work
from levelsense.level.level import Level
from levelsense.rng import below, new_rng
from tests.agents.playing import positions, seeds
from tests.game.drawn import position

# Each candy is a point, lines leave nothing, and what falls in (swirls) makes no line.
POINTS = {"rules": "plain", "scoring": "pieces"}

# c1c2 makes three reds; g1g2 makes four blues, g1h1 three of them.
TWO_PLACES = """
    r r o p b b y b
    g y r g o c b o
    p o g y p g o y
"""


def values(game: Game, spec: str) -> dict[str, float]:
    values = parse_agent(spec).values(game, 3)
    assert values is not None
    return {str(move): value for move, value in values.items()}


def test_options_stand_in_the_order_that_the_kernels_read_them_in() -> None:
    assert [option.name for option in BEAM.options] == ["depth", "heuristic", "ties"]
    assert BEAM.options[1].choices == ("h2", "h1")
    assert BEAM.options[2].choices == ("lowest", "first")


@pytest.mark.parametrize(
    ("depth", "widths"),
    [(1, (1,)), (2, (4, 2)), (3, (9, 3, 1)), (4, (16, 4, 2, 1)), (5, (25, 5, 2, 1, 1))],
)
def test_the_beam_narrows_by_equations_2_and_3(depth: int, widths: tuple[int, ...]) -> None:
    assert beam_widths(depth) == widths
    assert beam_states(depth) == sum(width + 1 for width in widths)


def test_depth_1_is_the_score_of_the_move() -> None:
    move_values = values(position(TWO_PLACES, **POINTS), "beam:depth=1,heuristic=h1")
    assert move_values == {"c1c2": 3, "g1g2": 4, "g1h1": 3}


def test_a_value_is_the_mean_of_a_node_and_its_childrens_mean() -> None:
    """H1 of two moves is their points over two."""
    move_values = values(position(TWO_PLACES, **POINTS), "beam:depth=2,heuristic=h1")
    assert move_values == {
        "c1c2": (3 / 1 + ((3 + 4) / 2 + (3 + 3) / 2) / 2) / 2,
        "g1g2": (4 / 1 + (4 + 3) / 2) / 2,
        "g1h1": (3 / 1 + (3 + 3) / 2) / 2,
    }


def test_h1_counts_the_moves_and_the_score_of_the_whole_attempt() -> None:
    game = position(TWO_PLACES, "score: 20\nplayed: 4", **POINTS)
    assert values(game, "beam:depth=1,heuristic=h1") == {"c1c2": 23 / 5, "g1g2": 24 / 5, "g1h1": 23 / 5}


def test_h2_is_the_score_of_the_move_and_what_the_board_promises() -> None:
    """Two reds or two blues side by side promise a point until their line is made."""
    game = position(TWO_PLACES, "score: 20\nplayed: 4", **POINTS)
    assert values(game, "beam:depth=1") == {"c1c2": 3 + 1, "g1g2": 4 + 1, "g1h1": 3 + 1}


def test_h2_of_the_last_move_is_all_that_was_scored_since_the_games_position() -> None:
    """The end of the attempt promises nothing."""
    game = position(TWO_PLACES, "score: 20\nplayed: 4\nmoves: 2", **POINTS)
    assert values(game, "beam:depth=2") == {
        "c1c2": (3 + 1 + (3 + 4 + 3 + 3) / 2) / 2,
        "g1g2": (4 + 1 + 4 + 3) / 2,
        "g1h1": (3 + 1 + 3 + 3) / 2,
    }


@pytest.mark.parametrize("heuristic", ["h1", "h2"])
@pytest.mark.parametrize("depth", [2, 3, 5])
def test_nothing_is_looked_at_beyond_the_last_move(heuristic: str, depth: int) -> None:
    """With one move left any depth is greedy; the board's promise is worth nothing then."""
    game = position(TWO_PLACES, "moves: 1", **POINTS)
    move_values = values(game, f"beam:depth={depth},heuristic={heuristic}")
    assert move_values == {"c1c2": 3, "g1g2": 4, "g1h1": 3}


def test_two_moves_left_are_two_levels() -> None:
    game = position(TWO_PLACES, "moves: 2", **POINTS)
    assert values(game, "beam:depth=4,heuristic=h1") == values(game, "beam:depth=2,heuristic=h1")


@pytest.mark.parametrize("spec", ["beam:depth=1", "beam:depth=2,heuristic=h1", "beam:depth=4"])
def test_a_move_that_wins_is_chosen(spec: str) -> None:
    game = position(TWO_PLACES, "counts: red 1", **POINTS, goals={"orders": {"red": 4}})
    move_values = values(game, spec)
    assert move_values["c1c2"] > WIN > move_values["g1g2"]
    assert str(parse_agent(spec).choose(game, 1)) == "c1c2"


TIED = """
    r r o p
    y g r o     <- c1c2: three reds
    p o g y
    g y p g
    o p b y     <- c5c6: three blues
    b b o p
"""


@pytest.mark.parametrize("depth", [1, 2])
def test_ties_go_to_the_lowest_move(depth: int) -> None:
    game = position(TIED, "moves: 1", **POINTS)
    assert values(game, f"beam:depth={depth},heuristic=h1") == {"c1c2": 3, "c5c6": 3}
    assert str(parse_agent(f"beam:depth={depth},heuristic=h1").choose(game, 1)) == "c5c6"
    assert str(parse_agent(f"beam:depth={depth},heuristic=h1,ties=first").choose(game, 1)) == "c1c2"


@pytest.mark.parametrize("spec", ["beam:depth=2", "beam:depth=3,heuristic=h1"])
def test_the_choice_does_not_depend_on_what_will_fall_in(spec: str) -> None:
    for number, game in enumerate(positions("03-open-field", seed=7, every=4)):
        other = Game.parse(re.sub(r"word: .*", "word: 0x123456789", str(game)), game.level)
        assert parse_agent(spec).choose(other, number) == parse_agent(spec).choose(game, number)
        assert parse_agent(spec).values(other, number) == parse_agent(spec).values(game, number)


class SlowBeam:
    """Algorithm 1 by recursion and sorting, one state a node."""

    def __init__(self, game: Game, depth: int, heuristic: int, lowest: bool, seed: int) -> None:
        self.level, self.start = level_record(game.level).level, game.state.copy()
        self.widths, self.heuristic, self.lowest = beam_widths(depth), heuristic, lowest
        self.rng, self.work = new_rng(seed), new_work()

    def children(self, state: Any, width: int) -> list[tuple[float, float, int, int, Any]]:
        """The best children of a node, each with its value, row, lot, move and state."""
        moves = np.zeros(MOST_MOVES, np.int64)
        deepest = []
        for move in moves[: list_moves(state, moves)].tolist():
            child = state.copy()
            row = mean_row(self.level, child, move)
            lot = below(self.rng, LOTS) if self.lowest else 0
            play(self.level, child, self.rng, self.work, move)
            scores = int(state.score), int(self.start.score)
            value = node_value(self.level, child, self.rng, *scores, self.heuristic)
            deepest.append((value, row, lot, move, child))
        return sorted(deepest, key=self.order)[:width]

    def order(self, child: tuple[float, float, int, int, Any]) -> tuple[float, ...]:
        value, row, lot, move, _ = child
        return (-value, -row, -lot) if self.lowest else (-value, move)

    def value(self, root_value: float, state: Any, at: int) -> float:
        if at == len(self.widths) or state.status != PLAYING:
            return root_value
        values = [
            self.value(value, child, at + 1)
            for value, _, _, _, child in self.children(state, self.widths[at])
        ]
        return (root_value + sum(values) / len(values)) / 2

    def kept(self) -> list[tuple[float, float, int, int, Any]]:
        """The children of the root with their final values, the best first."""
        kept = self.children(self.start, self.widths[0])
        return sorted(
            [(self.value(value, state, 1), row, lot, move, state) for value, row, lot, move, state in kept],
            key=self.order,
        )


@pytest.mark.parametrize(
    "level", ["21-one-at-a-time", "17-pocket-board", "33-wrapping-paper", "40-archipelago"]
)
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("ties", ["lowest", "first"])
def test_the_tree_agrees_with_a_slow_second_one(level: str, depth: int, ties: str) -> None:
    for number, game in enumerate(positions(level, seed=depth, every=5)):
        for code, heuristic in enumerate(("h2", "h1")):
            agent = parse_agent(f"beam:depth={depth},heuristic={heuristic},ties={ties}")
            slow = SlowBeam(game, depth, code, ties == "lowest", number).kept()
            assert agent.choose(game, number) == Move.from_code(slow[0][3])
            values = agent.values(game, number)
            assert values is not None
            for value, _, _, move, _ in slow:
                assert values[Move.from_code(move)] == pytest.approx(value)


def test_a_move_that_the_beam_dropped_is_worth_no_more_than_one_that_it_kept() -> None:
    for number, game in enumerate(positions("03-open-field", seed=1, every=4)):
        values = parse_agent("beam:depth=2").values(game, number)
        assert values is not None
        ranked = sorted(values.values(), reverse=True)
        best = parse_agent("beam:depth=2").choose(game, number)
        assert values[best] == ranked[0]


def study_level() -> Level:
    """McAdams' 9x9 game: his rules, six colors, 20 moves, no score that would end it."""
    return Level.model_validate(
        {
            "name": "9x9",
            "rules": "mcadams",
            "colors": 6,
            "moves": 20,
            "board": [" ".join("." * 9)] * 9,
            "goals": {"score": 1_000_000_000},
        }
    )


def mean_score(spec: str, attempts: int) -> float:
    return float(parse_agent(spec).attempts(study_level(), seeds(attempts))["score"].mean())


@pytest.mark.slow
def test_the_papers_order_on_the_9x9_board() -> None:
    """Random, then H1, then H2; looking further ahead plays no worse, within 5 % (two standard errors)."""
    random, h1 = mean_score("random", 300), mean_score("beam:depth=1,heuristic=h1", 300)
    by_depth = [mean_score(f"beam:depth={depth}", 300 if depth < 3 else 120) for depth in (1, 2, 3)]
    assert random * 1.5 < h1 < by_depth[0]
    assert by_depth[1] >= 0.95 * by_depth[0]
    assert by_depth[2] >= 0.95 * by_depth[1]
