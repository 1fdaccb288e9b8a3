"""No counter wraps round, wherever an attempt starts and however much it brings (docs/rules.md, 8 and 10)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.game.game import Game
from levelsense.game.state import MOST_COUNT, MOST_TIME, STATE_DTYPE
from levelsense.level.level import Level

GROWING = ("score", "paid", "count", "dropped", "moves_made", "shuffles", "longest_cascade")
# What a position may hold at most (game/text.py).
AT_MOST: dict[str, int] = {
    "score": 10**15,
    "paid": MOST_COUNT,
    "count": MOST_COUNT,
    "dropped": MOST_COUNT,
    "moves_made": 9_999,
    "shuffles": 9_999,
    "longest_cascade": 9_999,
}
BOARD = [". . . . . .", ". .+ .+ . . .", ". *  *  . . .", ". .= .| . . .", "S . . . . .", ". . .~ .@ .9 ."]
DROPS: list[dict[str, Any]] = [
    {"piece": "cherry", "keep": 2},
    {"piece": "sugar", "rate": 0.4},
    {"piece": "time", "rate": 0.2},
    {"piece": "countdown", "rate": 0.1, "timer": 99},
    {"piece": "swirl", "rate": 0.1},
]


def rich_level(**limit: Any) -> Level:
    """A level that brings everything that is counted, with a goal that nobody reaches."""
    return Level.model_validate(
        {
            "name": "rich",
            "board": BOARD,
            "jelly": ["2 2 2 2 2 2"] + [". . . . . ."] * 5,
            "colors": 4,
            "drops": DROPS,
            "sugar": {"every": 1, "pays": ["striped", "wrapped"]},
            "goals": {"score": 1_000_000_000},
            **limit,
        }
    )


def values(game: Game, field: str) -> list[int]:
    """A counter of a game as a list."""
    counter = game.state[field]
    return list(map(int, counter)) if counter.shape else [int(counter)]


@pytest.mark.slow
@given(
    field=st.sampled_from(GROWING),
    below=st.integers(0, 30),
    seed=st.integers(0, 2**32),
    timed=st.booleans(),
)
def test_a_counter_that_starts_at_its_limit_never_wraps(
    field: str, below: int, seed: int, timed: bool
) -> None:
    game = Game(rich_level(seconds=3600) if timed else rich_level(moves=999), seed)
    if field != "score":  # a score that high would win
        game.state[field] = AT_MOST[field] - below
    for turn in range(12):
        if not game.legal_moves:
            break
        before = values(game, field)
        game.play(game.legal_moves[(seed + turn) % len(game.legal_moves)])
        after = values(game, field)
        assert all(old <= new for old, new in zip(before, after, strict=True)), (field, before, after)
        assert game.state.time_left <= MOST_TIME


@pytest.mark.slow
@given(seed=st.integers(0, 2**32))
def test_time_stops_at_its_bound(seed: int) -> None:
    level = rich_level(seconds=3600, pace={"move": 0.001, "round": 0, "time_candy": 600})
    game = Game(level, seed)
    game.state.time_left = MOST_TIME - 1
    for turn in range(12):
        if not game.legal_moves:
            break
        game.play(game.legal_moves[(seed + turn) % len(game.legal_moves)])
        assert MOST_TIME - 100 <= game.state.time_left <= MOST_TIME


def test_payouts_beyond_32767_take_the_last_special_again() -> None:
    """Their number was once kept in 16 bits; when it wrapped, bytes of other memory became pieces."""
    game = Game(rich_level(moves=999), 1)
    game.state.paid = game.state.count[26] = 32_760
    kinds = set()
    for turn in range(40):
        if not game.legal_moves:
            break
        game.play(game.legal_moves[turn % len(game.legal_moves)])
        kinds |= {cell.piece for cell in game.cells}
    assert game.state.paid > 32_767
    assert Game.parse(str(game), game.level).state.paid == game.state.paid
    assert all(kind is None or kind in PIECES for kind in kinds)


PIECES = {
    "candy",
    "striped row",
    "striped column",
    "wrapped",
    "color bomb",
    "swirl",
    "cherry",
    "sugar",
    "time",
    "countdown",
}


def test_drops_beyond_32767_are_written_and_read_back() -> None:
    game = Game(rich_level(moves=999), 2)
    game.state.dropped[1] = 32_766
    for turn in range(6):
        game.play(game.legal_moves[turn % len(game.legal_moves)])
    assert game.state.dropped[1] > 32_767
    assert list(Game.parse(str(game), game.level).state.dropped) == list(game.state.dropped)


@pytest.mark.parametrize("field", [name for name in GROWING if name != "score"])
def test_the_limit_of_a_position_leaves_room_in_its_field(field: str) -> None:
    """An attempt that starts at the limit adds at most 590 million pieces, or 4,200 moves and shuffles."""
    room = {"i4": 600_000_000, "i2": 4_200}[STATE_DTYPE[field].base.str[1:]]
    most = {"i4": 2**31 - 1, "i2": 2**15 - 1}[STATE_DTYPE[field].base.str[1:]]
    assert AT_MOST[field] + room <= most
