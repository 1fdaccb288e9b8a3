"""The policy agent: its inputs counted by hand and by the engine, its network computed a second way."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.agents.policy.encoding import write_move_inputs, write_position_inputs
from levelsense.agents.policy.inputs import (
    MOVE_INPUTS,
    MOVE_NAMES,
    POSITION_INPUTS,
    POSITION_NAMES,
)
from levelsense.agents.policy.network import KIND, Network, check_shapes, read_network, sizes_of
from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import clear_first_round
from levelsense.agents.weights import Weights, shipped_names, write_weights
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.game.items import is_combination
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import COLOR_BOMB, COUNT_JELLY, NO_CELL, STRIDE, new_state, new_work
from levelsense.rng import new_rng
from tests.agents.playing import positions, same_rows, seeds
from tests.game.drawn import position

POLICY = parse_agent("policy")

# Around the candies that a test is about, o y p c m in every row, two further with each, can make no line.
FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds
    m r y p c
    y p b m o
    c m o b b    <- c4c5: three blues
    o y p c m
"""
TOP = "o y p c m"
LAST = 5 * STRIDE + 1  # b6


def inputs(game: Game, last: int = NO_CELL) -> dict[str, dict[str, float]]:
    """The inputs of each legal move that are not 0, by their names."""
    states, moves, work = new_state(), np.zeros(MOST_MOVES, np.int64), new_work()
    states[0] = game.state
    before = states[0].tobytes()
    count = list_moves(states[0], moves)
    rows = np.full((count, MOVE_INPUTS), np.nan, np.float32)
    write_move_inputs(level_record(game.level).level, states, 0, work, moves, count, last, rows)
    assert states[0].tobytes() == before
    return {
        str(Move.from_code(int(moves[k]))): {
            name: float(value) for name, value in zip(MOVE_NAMES, rows[k], strict=True) if value
        }
        for k in range(count)
    }


def changed(drawn: str, instead: str) -> str:
    assert drawn in FIELD
    return FIELD.replace(drawn, instead, 1)


# What lines and blasts strike, counted by hand: how the drawing changes, the level, and inputs of b2b3.
COUNTED: dict[str, tuple[str, str, dict[str, Any], dict[str, float]]] = {
    "a line": (TOP, TOP, {}, {"lines: pieces": 3, "longest line": 3}),
    "jelly": ("r c r", "r' c'' r", {"goals": {"jelly": "all"}}, {"lines: asked jelly": 2}),
    "jelly nobody asks for": ("r c r", "r' c r", {}, {"lines: asked jelly": 0}),
    "ordered color": (
        "r c r",
        "r c r",
        {"goals": {"orders": {"red": 9}}},
        {"lines: pieces of asked colors": 3},
    ),
    "asked icing": (
        TOP,
        "o #2 p c m",
        {"goals": {"orders": {"icing": 1}}},
        {"lines: layers of asked blockers": 1, "lines: layers of other blockers": 0},
    ),
    "icing": (
        TOP,
        "o #2 p c m",
        {},
        {
            "lines: layers of other blockers": 1,
            "other blockers beside lines": 1,
            "asked blockers beside lines": 0,
            "share of the jelly and blockers within 2 cells": 1,
        },
    ),
    "icing beside two cells of a line": (
        "r c r o y    <- b2b3: three reds\n    m r y",
        "r c r o y\n    #1 r #1",
        {},
        {"lines: layers of other blockers": 2, "other blockers beside lines": 2},
    ),
    "far icing": (
        "c m o b b    <- c4c5: three blues\n    o y p c m",
        "c m o b b\n    o y p c #1",
        {},
        {"other blockers beside lines": 0, "share of the jelly and blockers within 2 cells": 0},
    ),
    "icing over jelly": (
        TOP,
        "o #2' p c m",
        {"goals": {"jelly": "all"}},
        {"lines: layers of blockers over asked jelly": 1, "lines: asked jelly": 0},
    ),
    "chocolate": (TOP, "o X p c m", {}, {"lines: layers of what grows": 1}),
    "popcorn": (
        TOP,
        "o P1 p c m",
        {},
        {"lines: layers of other blockers": 0, "lines: bombs that blockers leave": 0},
    ),
    "a swirl": (TOP, "o S p c m", {}, {"lines: other swirls": 1, "lines: asked swirls": 0}),
    "an asked swirl": (TOP, "o S p c m", {"goals": {"orders": {"swirl": 9}}}, {"lines: asked swirls": 1}),
    "a countdown": ("r c r", "r4 c r", {}, {"lines: urgency of countdown bombs": 0.25}),
    "a time candy": ("r c r", "r@ c r", {"seconds": 60}, {"lines: other sugar and time candies": 1}),
    "sugar": (
        "r c r",
        "r~ c r",
        {"goals": {"orders": {"sugar": 9}}},
        {"lines: asked sugar, time candies and bombs": 1},
    ),
    "a cherry above": (
        TOP,
        "o C p c m",
        {"goals": {"ingredients": {"cherry": 1}}},
        {"lines: cells below asked ingredients": 1},
    ),
    "a striped candy": (
        "m r y",
        "m r= y",
        {},
        {
            "lines: pieces": 3,
            "lines: striped and wrapped candies set off": 1,
            "blasts: pieces": 2,
            "blasts: asked jelly": 0,
        },
    ),
    "four": ("r c r o", "r c r r", {}, {"makes a striped candy": 1, "longest line": 4, "lines: pieces": 4}),
    "four that are asked for": (
        "r c r o",
        "r c r r",
        {"goals": {"orders": {"striped": 1}}},
        {"makes or combines what is asked": 1},
    ),
    "no specials by plain rules": ("r c r o", "r c r r", {"rules": "plain"}, {"makes a striped candy": 0}),
}


@pytest.mark.parametrize("case", COUNTED)
def test_inputs_counted_by_hand(case: str) -> None:
    drawn, instead, keys, expected = COUNTED[case]
    counted = inputs(position(changed(drawn, instead), **keys))["b2b3"]
    assert {name: counted.get(name, 0) for name in expected} == pytest.approx(expected)


def test_where_a_move_is_and_how_far_from_the_last() -> None:
    before, after = inputs(position(FIELD)), inputs(position(FIELD), LAST)
    assert before["b2b3"]["swaps a column"] == 1
    assert before["b2b3"]["row from the top"] == pytest.approx(1 / 12)
    assert before["b2b3"]["row from the bottom"] == pytest.approx(4 / 12)
    assert before["b2b3"]["columns from the middle"] == pytest.approx(1 / 12)
    # Rows 1 to 4 and columns a to d, of 6 rows and 5 columns.
    assert before["b2b3"]["share of the 25 cells around that are on the board"] == pytest.approx(16 / 25)
    assert "not the first move" not in before["b2b3"]
    near = {name: value for name, value in after["c4c5"].items() if "last move" in name}
    assert near == pytest.approx(
        {
            "cells from the last move": 2 / 8,
            "at most 2 cells from the last move": 1,
            "at most 3 cells from the last move": 1,
            "at most 5 cells from the last move": 1,
            "rows from the last move": 2 / 8,
            "columns from the last move": 1 / 8,
        }
    )
    assert after["b2b3"]["cells from the last move"] == 4 / 8


def test_how_near_and_how_much_better_other_moves_are() -> None:
    field = inputs(position(changed("r c r", "r' c' r"), goals={"jelly": "all"}))
    for move, gap in (("b2b3", 0), ("c4c5", 2)):
        assert field[move].get("goals, less than that", 0) == gap
        assert field[move]["goals, of the move that does most for them"] == 2
        assert field[move]["moves within 2 cells"] == pytest.approx(0.2)
        assert field[move]["moves within 4 cells"] == pytest.approx(0.2)
        assert field[move].get("less than the most that is done within 3 cells", 0) == gap
        for name in ("moves that do more", "moves that do more, within 3 cells"):
            assert field[move].get(name, 0) == pytest.approx(0.2 if gap else 0)


def test_inputs_of_the_position() -> None:
    game = position(changed("r c r", "r' c r"), goals={"jelly": "all", "orders": {"red": 6}})
    row = np.zeros(POSITION_INPUTS, np.float32)
    write_position_inputs(level_record(game.level).level, game.state, 2, row)
    values = dict(zip(POSITION_NAMES, row.tolist(), strict=True))
    assert values["legal moves"] == pytest.approx(0.1)
    assert (values["share of the limit left"], values["moves left"]) == (1, 0.5)
    assert (values["asks for jelly"], values["asks for colors"], values["asks for ingredients"]) == (1, 1, 0)
    assert (values["goals done"], values["asks for score alone"]) == (0, 0)


@pytest.mark.parametrize("level", ["04-jelly-garden", "30-grand-tour", "12-locked-up", "46-popcorn"])
def test_struck_jelly_is_what_the_engine_clears_in_the_first_round(level: str) -> None:
    """Moves whose first round is sure: no color bomb turns candies into striped ones."""
    compared = 0
    for game in positions(bundled(level), seed=5, every=3):
        states, work = new_state(2), new_work()
        for name, row in inputs(game).items():
            move = Move.parse(name)
            first, second = (move.code % 288) // 2, 0
            second = first + (STRIDE if move.code & 1 else 1)
            pieces = game.state.piece[first], game.state.piece[second]
            if COLOR_BOMB in pieces and is_combination(*pieces, 1, 1):
                continue
            states[1] = game.state
            clear_first_round(level_record(game.level).level, states[1], new_rng(1), work, move.code)
            if level_record(game.level).level.asked[COUNT_JELLY] == 0:
                continue
            cleared = states[1].count[COUNT_JELLY] - game.state.count[COUNT_JELLY]
            struck = row.get("lines: asked jelly", 0) + row.get("blasts: asked jelly", 0)
            doubles = row.get("lines: layers of blockers over asked jelly", 0)
            # A blocker's last layer does not take the jelly below it with it; layers of jelly go one by one.
            assert cleared <= struck + doubles
            assert cleared == struck or doubles or states[1].shuffles != game.state.shuffles
            compared += 1
    assert compared >= (0 if level in ("46-popcorn", "12-locked-up") else 20)


def bundled(name: str) -> str:
    from levelsense.level.level import bundled_levels

    (found,) = [level for level in bundled_levels() if level.startswith(name.split("-", maxsplit=1)[0] + "-")]
    return found


# The network


def slow_scores(network: Network, rows: Any, position_inputs: Any, persona: int = 0) -> Any:
    """The scores of moves, by the formulas of the module in float64."""
    arrays = [np.asarray(array, np.float64) for array in network[:8]]
    move, move_shift, context, context_shift, of_move, of_context, shift, out = arrays
    hidden = np.maximum(rows @ move + move_shift, 0)
    pooled = np.concatenate([hidden.mean(0), hidden.max(0), position_inputs])
    of_position = np.maximum(pooled @ context + context_shift, 0)
    mixed = np.maximum(hidden @ of_move + of_position @ of_context + shift[persona], 0)
    return mixed @ out[persona]


@pytest.mark.parametrize("level", ["04-jelly-garden", "24-hourglass", "45-last-stand", "thesis-077"])
def test_probabilities_are_those_of_a_slow_second_network(level: str) -> None:
    network = read_network("simulated-1")
    for game in positions(level, seed=3, every=4):
        states, moves = new_state(), np.zeros(MOST_MOVES, np.int64)
        states[0] = game.state
        record = level_record(game.level).level
        count = list_moves(states[0], moves)
        rows = np.zeros((count, MOVE_INPUTS), np.float32)
        of_position = np.zeros(POSITION_INPUTS, np.float32)
        write_move_inputs(record, states, 0, new_work(), moves, count, NO_CELL, rows)
        write_position_inputs(record, states[0], count, of_position)
        scores = slow_scores(network, rows, of_position)
        expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        told = POLICY.values(game, 0)
        assert told is not None
        assert list(told.values()) == pytest.approx(expected.tolist(), abs=1e-4)
        assert sum(told.values()) == pytest.approx(1)


def test_moves_are_drawn_by_their_probabilities() -> None:
    game = first_game()
    told = POLICY.values(game, 0)
    assert told is not None
    drawn = [POLICY.choose(game, seed) for seed in range(3_000)]
    for move, probability in told.items():
        share = drawn.count(move) / len(drawn)
        assert abs(share - probability) < 4 * np.sqrt(probability * (1 - probability) / len(drawn)) + 1e-3


def first_game() -> Game:
    return next(positions("04-jelly-garden", seed=1))


def test_greedy_cold_and_random_play() -> None:
    game = first_game()
    told = POLICY.values(game, 0)
    assert told is not None
    best = max(told, key=lambda move: told[move])
    for spec in ("policy:play=greedy", "policy:temperature=0.01", "policy:play=epsilon,epsilon=0"):
        assert {parse_agent(spec).choose(game, seed) for seed in range(5)} == {best}
    anything = parse_agent("policy:play=epsilon,epsilon=1")
    assert len({anything.choose(game, seed) for seed in range(200)}) > len(told) / 2


def test_the_last_move_is_remembered_within_an_attempt_only() -> None:
    level = first_game().level
    together = POLICY.attempts(level, seeds(6))
    for k in range(6):
        assert same_rows(together[k : k + 1], POLICY.attempts(level, seeds(6)[k : k + 1]))


def with_arrays(**changes: Any) -> Weights:
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in sizes_of(4, 3, 5, 3).items()}
    return Weights(KIND, 1, arrays | changes)


def test_of_equally_probable_moves_any_is_chosen(tmp_path: Any) -> None:
    nothing = {name: np.zeros(shape, np.float32) for name, shape in sizes_of(4, 3, 5).items()}
    path = tmp_path / "nothing.json"
    write_weights(path, Weights(KIND, 1, nothing))
    agent, game = parse_agent(f"policy:model={path},play=greedy"), first_game()
    counted = Counter(agent.choose(game, seed) for seed in range(40 * len(game.legal_moves)))
    assert set(counted) == set(game.legal_moves)
    assert min(counted.values()) > 15


def test_a_persona_is_drawn_for_each_attempt_by_its_share(tmp_path: Any) -> None:
    shares = np.array([0, 0.25, 0.75], np.float32)
    path = tmp_path / "mine.json"
    write_weights(path, with_arrays(share=shares))
    level = first_game().level
    agent = parse_agent(f"policy:model={path},persona=mix")
    everyone = parse_agent(f"policy:model={path}")
    assert not same_rows(agent.attempts(level, seeds(20)), everyone.attempts(level, seeds(20)))
    certain = tmp_path / "certain.json"
    write_weights(certain, with_arrays(share=np.array([1, 0, 0], np.float32)))
    alike = parse_agent(f"policy:model={certain},persona=mix")
    # One draw more, and the same probabilities as everyone's.
    assert alike.values(first_game(), 0) == pytest.approx(everyone.values(first_game(), 0))


@pytest.mark.parametrize(
    ("array", "shape", "reason"),
    [
        ("move", (5, 4), "'move' has the shape .* expected 71 in the place of F"),
        ("move_shift", (5,), "'move_shift' has the shape .* expected 4 in the place of H"),
        ("context", (7, 3), "'context' has the shape .* expected 21 in the place of Q"),
        ("out", (3,), "'out' has the shape .* expected KG"),
        ("share", (2,), "'share' has the shape .* expected 3 in the place of K"),
    ],
)
def test_arrays_of_other_shapes_are_refused(array: str, shape: tuple[int, ...], reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        check_shapes(with_arrays(**{array: np.zeros(shape, np.float32)}))


def test_shipped_weights_are_small_and_tell_of_themselves() -> None:
    from levelsense.agents.weights import split_source

    assert "simulated-1" in shipped_names()
    path, _ = split_source("simulated-1")
    assert path.stat().st_size < 200_000
