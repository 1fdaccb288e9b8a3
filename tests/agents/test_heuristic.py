"""The hand-made bot: what it prefers on drawn boards, and what a move is worth, by hand and by the engine."""

from typing import Any

import numpy as np
import pytest

from levelsense.agents.heuristic import WEIGHTS, heuristic_values
from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import clear_first_round
from levelsense.game.cascade import swap_pieces
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import (
    CELLS,
    COLOR_BOMB,
    COUNT_COLOR_BOMB,
    COUNT_JELLY,
    COUNT_NAMES,
    COUNT_STRIPED,
    COUNT_SWIRL,
    COUNT_WRAPPED,
    HIGHEST_COLOR,
    STRIDE,
    STRIPED_ROW,
    WRAPPED,
    new_state,
    new_work,
)
from levelsense.rng import new_rng
from tests.agents.playing import positions, success_rate
from tests.game.drawn import position

BOT = parse_agent("heuristic")

# Around the candies that a test is about, o y p c m in every row, two further with each, can make no line.
# Two lines of three can be made, and the lower one is chosen unless something speaks for the upper one.
FIELD = """
    o y p c m
    r c r o y    <- b2b3: three reds
    m r y p c
    y p b m o
    c m o b b    <- c4c5: three blues
    o y p c m
"""
TOP = "o y p c m"
CHERRY: dict[str, Any] = {"goals": {"ingredients": {"cherry": 1}}}


def choice(game: Game) -> str:
    return str(BOT.choose(game, 0))


def values(game: Game) -> dict[str, float]:
    values = BOT.values(game, 0)
    assert values is not None
    return {str(move): value for move, value in values.items()}


# Values counted by hand


def test_a_line_is_worth_its_pieces_and_how_low_it_is() -> None:
    assert values(position(FIELD)) == {
        "b2b3": 3 * WEIGHTS.piece + 2 * WEIGHTS.low,
        "c4c5": 3 * WEIGHTS.piece + 4 * WEIGHTS.low,
    }


def test_jelly_and_orders_are_worth_a_goal_each() -> None:
    game = position(FIELD.replace("r c r", "r' c'' r"), goals={"jelly": "all", "orders": {"red": 9}})
    assert values(game)["b2b3"] == 3 * WEIGHTS.piece + 2 * WEIGHTS.low + (3 + 2) * WEIGHTS.goal


@pytest.mark.parametrize("moves", [3, 9])
def test_a_countdown_bomb_in_marmalade_is_less_urgent(moves: int) -> None:
    """The line beside it takes the marmalade away; it takes a second move to strike the bomb."""
    game = position(FIELD.replace(TOP, f"o y{moves}M p c m", 1))
    line = 3 * WEIGHTS.piece + 2 * WEIGHTS.low
    assert values(game)["b2b3"] == line + WEIGHTS.blocker + WEIGHTS.fuse // (moves + 1)


def test_a_striped_candy_strikes_its_row_and_is_spent() -> None:
    game = position(FIELD.replace("m r y", "m r= y"))
    assert values(game)["b2b3"] == 5 * WEIGHTS.piece + WEIGHTS.spent + 2 * WEIGHTS.low


# What it prefers


def test_of_two_like_moves_it_takes_the_lower() -> None:
    assert choice(position(FIELD)) == "c4c5"


# What speaks for the upper line: how the drawing changes, and the level.
REASONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "jelly": ("r c r", "r c' r", {"goals": {"jelly": "all"}}),
    "ordered color": ("r c r", "r c r", {"goals": {"orders": {"red": 9}}}),
    "ordered icing beside it": (TOP, "o #1 p c m", {"goals": {"orders": {"icing": 1}}}),
    "any icing beside it": (TOP, "o #2 p c m", {}),
    "marmalade beside it": (TOP, "o yM p c m", {}),
    "chocolate beside it": (TOP, "o X p c m", {}),
    "toffee beside it": (TOP, "o T3 p c m", {}),
    "ordered toffee beside it": (TOP, "o T1 p c m", {"goals": {"orders": {"toffee": 1}}}),
    "dark chocolate beside it": (TOP, "o D3 p c m", {}),
    "a lock in it": ("r c r", "rL c r", {"goals": {"orders": {"lock": 1}}}),
    "a swirl beside it": (TOP, "o S p c m", {"goals": {"orders": {"swirl": 9}}}),
    "an ordered countdown bomb": ("r c r", "r20 c r", {"goals": {"orders": {"countdown": 1}}}),
    "any countdown bomb": ("r c r", "r3 c r", {}),
    "a time candy": ("r c r", "r@ c r", {"seconds": 60}),
    "an ordered sugar candy": ("r c r", "r~ c r", {"goals": {"orders": {"sugar": 9}}}),
    "a cherry above it": (TOP, "o C p c m", CHERRY),
    "a fourth candy": ("r c r o", "r c r r", {}),
}


@pytest.mark.parametrize("reason", REASONS)
def test_what_draws_it_upwards(reason: str) -> None:
    drawn, instead, keys = REASONS[reason]
    assert choice(position(FIELD.replace(drawn, instead, 1), **keys)) == "b2b3"


def test_popcorn_beside_a_line_does_not_draw_it() -> None:
    popcorn: dict[str, Any] = {"goals": {"orders": {"popcorn": 1}}}
    assert choice(position(FIELD.replace(TOP, "o P1 p c m", 1), **popcorn)) == "c4c5"


def test_popcorn_is_worth_its_color_bomb_by_the_layer() -> None:
    for layers in (1, 2, 3):
        struck = FIELD.replace("r c r o", f"r c r P{layers}").replace("m r y", "m r= y")
        bomb = WEIGHTS.color_bomb // layers
        pieces = 4 * WEIGHTS.piece + WEIGHTS.spent + 2 * WEIGHTS.low
        assert values(position(struck))["b2b3"] == pieces + WEIGHTS.blocker + bomb


def test_layers_that_grow_are_worth_more() -> None:
    toffee, dark = (
        values(position(FIELD.replace(TOP, f"o {token} p c m", 1)))["b2b3"] for token in ("T3", "D3")
    )
    assert dark == toffee + WEIGHTS.growth


def test_a_goal_that_is_met_draws_it_no_more() -> None:
    reds = {"orders": {"red": 9, "green": 9}}
    assert choice(position(FIELD, goals=reds)) == "b2b3"
    assert choice(position(FIELD, "counts: red 9", goals=reds)) == "c4c5"


def test_the_shorter_fuse_first() -> None:
    game = position(FIELD.replace("r c r", "r2 c r").replace("o b b", "o b9 b"))
    assert choice(game) == "b2b3"
    assert choice(position(FIELD.replace("r c r", "r9 c r").replace("o b b", "o b2 b"))) == "c4c5"


def test_an_ingredient_needs_an_exit_below_it() -> None:
    drawing = FIELD.replace(TOP, "o C p c m", 1)
    assert choice(position(drawing, exits=["b6"], **CHERRY)) == "b2b3"
    assert choice(position(drawing, exits=["e6"], **CHERRY)) == "c4c5"


def test_an_ingredient_is_swapped_towards_an_exit() -> None:
    """The cherry may be swapped into column a, which has the exit, or may be left where it is."""
    drawing = """
        o y p c m
        p c m o y
        r C y p c    <- a3b3: the red candy makes a line in column b, the cherry comes to column a
        y r c m o
        c r o y p
        o y p c m
    """
    towards = position(drawing, exits=["a6"], **CHERRY)
    away = position(drawing, exits=["b6"], **CHERRY)
    assert set(values(towards)) == {"a3b3"}
    assert values(towards)["a3b3"] > values(away)["a3b3"]
    assert values(away)["a3b3"] == WEIGHTS.least


def test_a_combination_that_is_asked_for_comes_before_all() -> None:
    drawing = """
        o y p c m o y
        r r g r r b= m    <- c2c3: five reds would be best, were it not for the order
        m o r p c b| o
        y p c m o y p
        c m o y p c m
        o y p c m o y
    """
    pair: dict[str, Any] = {"goals": {"orders": {"striped+striped": 1}}}
    assert {"c2c3", "f2f3"} <= set(values(position(drawing)))
    assert choice(position(drawing)) == "c2c3"
    assert choice(position(drawing, **pair)) in ("f2f3", "f3f2")


def test_it_makes_the_special_that_is_asked_for() -> None:
    drawing = FIELD.replace("r c r o y", "r c r r y")
    blues = {"jelly": "all"}
    jelly = drawing.replace("o b b", "o'' b'' b''")
    assert choice(position(jelly, goals=blues)) == "c4c5"
    assert choice(position(jelly, goals=blues | {"orders": {"striped": 1}})) == "b2b3"


# The engine's word for it


def round_by_engine(game: Game, move: Move) -> float | None:
    """A move's value from what the engine clears in round 1; None if that is drawn, or hard to tell apart."""
    level, before, states = level_record(game.level).level, game.state, new_state(2)
    states[:] = before
    swapped, after = states[0], states[1]
    first, second = (STRIDE * row + column for row, column in move)
    swap_pieces(swapped, first, second)
    clear_first_round(level, after, new_rng(0), new_work(), move.code)
    counted = dict(zip(COUNT_NAMES, (after.count - before.count).tolist(), strict=True))
    special = (swapped.piece >= STRIPED_ROW) & (swapped.piece <= COLOR_BOMB)
    pair = {int(swapped.piece[first]), int(swapped.piece[second])}
    made = [counted[COUNT_NAMES[count]] for count in (COUNT_STRIPED, COUNT_WRAPPED, COUNT_COLOR_BOMB)]
    if (COLOR_BOMB in pair and max(pair - {COLOR_BOMB}, default=0) in range(STRIPED_ROW, WRAPPED + 1)) or (
        sum(made) and (special[first] or special[second])
    ):
        return None
    bombs = int(((swapped.piece == COLOR_BOMB) & (after.piece != COLOR_BOMB)).sum())
    colors = COUNT_NAMES[COUNT_NAMES.index("red") :][:HIGHEST_COLOR]
    swirls = counted[COUNT_NAMES[COUNT_SWIRL]]
    value = WEIGHTS.piece * (sum(counted[color] for color in colors) + swirls + bombs)
    value += WEIGHTS.spent * int((special & (swapped.piece != after.piece)).sum())
    value += int(np.dot(made, [WEIGHTS.striped, WEIGHTS.wrapped, WEIGHTS.color_bomb]))
    wanted = {goal.name for goal in game.goals if not goal.met}
    for name in wanted & {COUNT_NAMES[COUNT_JELLY], COUNT_NAMES[COUNT_SWIRL], *colors}:
        value += WEIGHTS.goal * counted[name]
    return float(max(WEIGHTS.least, value + WEIGHTS.low * max(row for row, _ in move)))


@pytest.mark.parametrize("level", ["03-open-field", "04-jelly-garden", "07-order-up", "16-licorice-walk"])
def test_values_are_what_the_engine_clears(level: str) -> None:
    checked = 0
    for seed in range(6):
        for game in positions(level, 100 + seed):
            values = BOT.values(game, 0)
            assert values is not None
            for move, value in values.items():
                expected = round_by_engine(game, move)
                if expected is not None:
                    assert value == expected, f"{move} in\n{game}"
                    checked += 1
    assert checked > 500


def test_combinations_are_worth_what_the_engine_clears() -> None:
    """Two bombs, a bomb and a candy, all pairs of striped and wrapped, and a bomb that a stripe strikes."""
    game = position("""
        *  *  p  c  m  o  y  p
        p  c  r= b| y  p  c  m
        m  o  y  p  c  m  o  y
        y  p  r+ b= o  y  p  c
        c  m  o  y  p  c  m  o
        o  y  r+ b+ m  o  y  p
        p  c  m  o  y  p  c  m
        *  g  y  g  c  m  o  y    <- c8c9: the stripe strikes the bomb, which strikes a color
        y  p  g= m  o  y  p  c
    """)
    move_values = values(game)
    assert {"a1b1", "a1a2", "b1c1", "c2d2", "c4d4", "c6d6", "c8c9"} <= set(move_values)
    for move, value in move_values.items():
        assert value == round_by_engine(game, Move.parse(move)), move


# As a part of search


@pytest.mark.parametrize("level", ["30-grand-tour", "45-last-stand", "34-rainbow-school"])
def test_a_position_is_left_as_it_was_and_valued_alike_each_time(level: str) -> None:
    work, moves, worth, again = new_work(), np.zeros(MOST_MOVES, np.int64), np.zeros(CELLS), np.zeros(CELLS)
    for game in positions(level, 8):
        states = new_state(3)
        states[2] = game.state
        count = list_moves(states[2], moves)
        before = states.tobytes(), moves.tobytes()
        heuristic_values(level_record(game.level).level, states, 2, work, moves, count, worth)
        assert (states.tobytes(), moves.tobytes()) == before
        heuristic_values(level_record(game.level).level, states, 2, work, moves, count, again)
        assert worth.tolist() == again.tolist()
        assert (worth[:count] >= WEIGHTS.least).all()


def test_working_memory_is_given_back_usable() -> None:
    """An attempt goes on as if nothing had been valued: the two share their working memory."""
    for game in positions("45-last-stand", 3, every=5):
        level, move = level_record(game.level).level, game.legal_moves[-1]
        untouched = game.copy()
        moves = np.zeros(MOST_MOVES, np.int64)
        count = list_moves(game.state, moves)
        heuristic_values(level, game._states, 0, game._work, moves, count, np.zeros(MOST_MOVES))
        game.play(move)
        untouched.play(move)
        assert str(game) == str(untouched)


# How good it is


@pytest.mark.parametrize("level", ["18-fruit-and-nut", "28-crossed-wires", "30-grand-tour", "31-great-plain"])
def test_it_beats_the_greedy_agent_clearly(level: str) -> None:
    """Of 200 attempts each; a difference of two rates has a standard error of at most 0.05 then."""
    bot, greedy = (success_rate(parse_agent(spec), level, 200) for spec in ("heuristic", "greedy"))
    assert bot > greedy + 2 * 0.05


def test_it_plays_the_move_of_the_highest_value() -> None:
    for game in positions("45-last-stand", 4):
        move_values = values(game)
        assert move_values[choice(game)] == max(move_values.values())
