"""The text form of a position: what it says, that it parses back, and what is refused in which words."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.errors import PositionError
from levelsense.game.game import Game
from levelsense.level.level import Level
from tests.game.drawn import level_of, position, rows
from tests.random_levels import random_level

BOARD = "board:\nb r y\nr g r\ny b o"
STATUSES = "one of playing, won (goals met), lost (moves), lost (time), lost (bomb), lost (no move possible)"
GAP_BOARD = "board:\n- r y\nr g r\ny b #1"


def parse(text: str, **keys: Any) -> Game:
    return Game.parse(text, level_of(rows("b r y\nr g r\ny b o"), **keys))


def test_a_position_in_text() -> None:
    game = position(
        """
        b r=L y''
        - g+  r7
        y *   #2'
        """,
        "moves: 7\nscore: 120\ncounts: red 3, color bomb+striped 1",
        drops=[{"piece": "swirl", "rate": 0.5, "total": 3}],
    )
    assert str(game) == "\n".join(
        [
            "status: playing",
            "moves: 7",
            "score: 120",
            "played: 0",
            "shuffles: 0",
            "paid: 0",
            "longest: 0",
            "counts: red 3, color bomb+striped 1",
            "dropped: 0",
            "word: 0x0000000000000000",
            "board:",
            "  b  r= y",
            "  -  g+ r7",
            "  y  *  #2",
            "jelly:",
            "  . . 2",
            "  - . .",
            "  . . 1",
            "locks:",
            "  . L .",
            "  - . .",
            "  . . .",
        ]
    )


def test_what_is_left_out_is_as_at_the_start_of_an_attempt() -> None:
    game = parse(BOARD, moves=12)
    assert (game.status, game.moves_left, game.score, game.moves_made) == ("playing", 12, 0, 0)
    assert [str(move) for move in game.legal_moves] == ["b1b2"]


def test_a_level_with_seconds_tells_its_time_in_milliseconds() -> None:
    game = parse(f"time: 1500\n{BOARD}", seconds=60)
    assert game.time_left == 1.5
    assert "\ntime: 1500\n" in str(game)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "board: missing; expected the board drawn as rows of tokens"),
        ("status: playing", "board: missing; expected the board drawn as rows of tokens"),
        ("hello\n" + BOARD, "line 1: 'hello'; expected `key: value` or the rows of a drawing"),
        ("board:\nb r y\nr g r", "board: rows of [3, 3] tokens; expected 3 rows of 3, as in the level"),
        (
            "board:\nb r\nr g r\ny b o",
            "board: rows of [2, 3, 3] tokens; expected 3 rows of 3, as in the level",
        ),
        (f"{BOARD}\njelly:\n. .", "jelly: rows of [2] tokens; expected 3 rows of 3, as in the level"),
        (
            "board:\nb r y\nr g r\ny b .",
            "board, c3: '.'; expected a token of a piece whose color is known",
        ),
        (
            "board:\nb r y\nr q r\ny b o",
            "board, b2: 'q'; expected a token of a piece whose color is known",
        ),
        (
            "board:\nb r y\nr - r\ny b o",
            "board, b2: '-'; expected a tile exactly where the level has one",
        ),
        (
            f"{BOARD}\njelly:\n3 . .\n. . .\n. . .",
            "jelly, a1: '3'; expected ., or 1 or 2 on a tile",
        ),
        (
            f"{BOARD}\nlocks:\n. . .\n. X .\n. . .",
            "locks, b2: 'X'; expected ., or L or M on a piece",
        ),
        (f"score: many\n{BOARD}", "score: 'many'; expected a whole number"),
        (f"word: 0xg\n{BOARD}", "word: '0xg'; expected a whole number"),
        (f"dropped: 1 2\n{BOARD}", "dropped: 2 numbers; the level has 1 drops"),
        (f"dropped: x\n{BOARD}", "dropped: 'x'; expected a whole number"),
        (f"counts: red x\n{BOARD}", "counts: 'x'; expected a whole number"),
        (f"status: asleep\n{BOARD}", f"status: 'asleep'; expected {STATUSES}"),
        (
            f"status: lost (rain)\n{BOARD}",
            f"status: 'lost (rain)'; expected {STATUSES}",
        ),
    ],
)
def test_what_is_refused_in_which_words(text: str, problem: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse(text)
    assert str(caught.value) == problem


@pytest.mark.parametrize(
    ("text", "start"),
    [
        (f"time: 500\n{BOARD}", "time: unknown in a position of this level; expected one of "),
        (f"color: red\n{BOARD}", "color: unknown in a position of this level; expected one of "),
        (f"counts: scarlet 2\n{BOARD}", "counts: 'scarlet'; expected one of jelly, "),
        (f"counts: red\n{BOARD}", "counts: "),
    ],
)
def test_what_is_unknown_is_answered_with_what_is_known(text: str, start: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse(text)
    assert str(caught.value).startswith(start)


def test_a_color_that_the_level_never_has_is_refused() -> None:
    with pytest.raises(PositionError, match="board: 'm'; the level has no magenta candies"):
        parse("board:\nb r y\nr g r\ny b m", colors=6)


@pytest.mark.parametrize(
    "text",
    [
        f"moves: 99999\n{BOARD}",
        f"counts: red 99999999999\n{BOARD}",
        f"score: {2**70}\n{BOARD}",
        f"status: won\n{BOARD}",
        f"status: won (moves)\n{BOARD}",
        f"status: playing (moves)\n{BOARD}",
        f"status: lost (goals met)\n{BOARD}",
        f"counts: red -1\n{BOARD}",
    ],
)
def test_values_that_no_game_has_are_refused(text: str) -> None:
    with pytest.raises(PositionError):
        parse(text)


@pytest.mark.parametrize(
    "overlay", ["jelly:\n1 . .\n. . .\n. . .", "locks:\nL . .\n. . .\n. . .", "locks:\n- . .\n. . .\n. . L"]
)
def test_overlays_on_gaps_and_locks_on_icing_are_refused(overlay: str) -> None:
    level = level_of(rows("- r y\nr g r\ny b #1"))
    Game.parse(GAP_BOARD, level)
    with pytest.raises(PositionError):
        Game.parse(f"{GAP_BOARD}\n{overlay}", level)


@pytest.mark.parametrize("token", ["#1", "X", ":", "rM", "S", "C"])
def test_pieces_and_blockers_that_the_level_never_has_are_refused(token: str) -> None:
    """The kernels skip what a level can never bring, and would play such a position wrongly."""
    level = Level.model_validate(
        {"name": "candies", "moves": 9, "goals": {"score": 9}, "board": [". . ."] * 3}
    )
    lock = "locks:\n. . .\n. . .\n. . M" if token == "rM" else ""
    with pytest.raises(PositionError):
        Game.parse(f"board:\nb r y\nr g r\ny b {token.removesuffix('M')}\n{lock}", level)


DRY = {"name": "dry", "moves": 9, "goals": {"score": 9}, "board": [". . ."] * 3}


@pytest.mark.parametrize(
    ("token", "lock", "missing"),
    [("#1", ".", "icing"), ("X", ".", "chocolate"), ("r", "L", "lock"), ("r", "M", "marmalade")],
)
def test_blockers_are_refused_where_only_a_teleporter_leaves_tiles_empty(
    token: str, lock: str, missing: str
) -> None:
    """c3 is dry and may be empty, yet the level has no blocker that kernels would look for."""
    level = Level.model_validate({**DRY, "teleporters": [{"from": "c2", "to": "a3"}]})
    board = "board:\nb r y\nr g r\ny b {}\nlocks:\n. . .\n. . .\n. . {}"
    Game.parse(board.format(":", "."), level)
    with pytest.raises(PositionError, match=f"the level has no {missing}"):
        Game.parse(board.format(token, lock), level)


def test_swirls_are_refused_in_a_level_that_has_only_icing_to_touch() -> None:
    level = Level.model_validate({**DRY, "board": ["#1 . .", ". . .", ". . ."]})
    Game.parse("board:\n#1 r y\nr g r\ny b o", level)
    with pytest.raises(PositionError, match="the level has no swirl pieces"):
        Game.parse("board:\n#1 r y\nr g r\ny b S", level)


@pytest.mark.parametrize(
    ("values", "keys", "problem"),
    [
        ("moves: 0", {}, "moves: 0 while playing; expected at least 1, or another status"),
        ("time: 0", {"seconds": 9}, "time: 0 while playing; expected at least 1, or another status"),
        ("time: -5", {"seconds": 9}, "time: -5 while playing; expected at least 1, or another status"),
        (
            "played: 999",
            {"seconds": 9},
            "played: 999 while playing; expected less than 999 in a level with seconds",
        ),
    ],
)
def test_an_attempt_at_its_limit_is_not_playing(values: str, keys: dict[str, Any], problem: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse(f"{values}\n{BOARD}", **keys)
    assert str(caught.value) == problem
    reason = "time" if "seconds" in keys else "moves"
    assert parse(f"status: lost ({reason})\n{values}\n{BOARD}", **keys).status == "lost"


@pytest.mark.parametrize(
    ("board", "where"),
    [("b r y\ng g g\ny b o", "a2 to c2: 3 green"), ("b r y\nb g r\nb r o", "a1 to a3: 3 blue")],
)
def test_a_line_cannot_stand_while_playing(board: str, where: str) -> None:
    with pytest.raises(PositionError) as caught:
        parse(f"board:\n{board}")
    assert str(caught.value) == (
        f"board, {where} candies in a line while playing; "
        "expected no line, since a move ends when there is none"
    )
    assert parse(f"status: won (goals met)\nboard:\n{board}").status == "won"


@pytest.mark.parametrize("timer", [0, 100])
def test_a_countdown_that_only_a_finished_attempt_can_show(timer: int) -> None:
    level = level_of(rows("b r y\nr g r\ny b o5"))
    board = f"board:\nb r y\nr g r\ny b o{timer}"
    with pytest.raises(PositionError, match=f"board, c3: a countdown bomb at {timer} while playing"):
        Game.parse(board, level)
    assert Game.parse(f"status: lost (bomb)\n{board}", level).cells[8].timer == timer
    with pytest.raises(PositionError, match="'o101'; expected a countdown of at most 100"):
        Game.parse(f"status: lost (bomb)\n{board.replace(f'o{timer}', 'o101')}", level)


@pytest.mark.parametrize(
    ("key", "most"),
    [
        ("score", 10**15),
        ("counts: red", 10**9),
        ("paid", 10**9),
        ("dropped", 10**9),
        ("moves", 999),
        ("played", 9_999),
        ("shuffles", 9_999),
        ("longest", 9_999),
    ],
)
def test_numbers_leave_room_for_an_attempt_that_goes_on(key: str, most: int) -> None:
    line = f"{key} {{}}" if " " in key else f"{key}: {{}}"
    game = parse(f"{line.format(most)}\n{BOARD}")
    assert line.format(most) in str(game)
    game.play("b1b2")
    assert min(game.state.count.min(), game.score, game.moves_made, game.shuffles) >= 0
    with pytest.raises(PositionError, match=f"{most + 1}; expected a number from 0 to {most}"):
        parse(f"{line.format(most + 1)}\n{BOARD}")


# Parsing back


def assert_parses_back(game: Game) -> None:
    again = Game.parse(str(game), game.level)
    assert str(again) == str(game)
    assert again.state.tobytes() == game.state.tobytes()


def test_a_position_lost_by_a_countdown_bomb_parses_back() -> None:
    game = position("b r y o\nr g r p\ny b o g1")
    game.play("b1b2")
    assert game.status == "lost"
    assert_parses_back(game)


def test_a_countdown_bomb_that_came_in_with_the_winning_move_parses_back() -> None:
    drops = [{"piece": "countdown", "timer": 99, "rate": 1}]
    game = position("b r y\nr g r\ny b o", drops=drops, goals={"score": 1})
    game.play("b1b2")
    assert game.status == "won"
    assert_parses_back(game)


def test_what_is_won_or_lost_parses_back() -> None:
    for keys in ({"moves": 1}, {"goals": {"score": 1}}, {"seconds": 1}):
        game = position("b r y\nr g r\ny b o", **keys)
        game.play("b1b2")
        assert game.outcome is not None
        assert_parses_back(game)


@pytest.mark.no_cover
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), moves=st.integers(0, 6))
def test_positions_of_random_play_parse_back_and_have_the_same_future(seed: int, moves: int) -> None:
    game = Game(Level.model_validate(random_level(random.Random(seed))), seed)
    choice = random.Random(seed)
    for _ in range(moves):
        if game.legal_moves:
            game.play(choice.choice(game.legal_moves))
    assert_parses_back(game)
    if game.legal_moves:
        again, move = Game.parse(str(game), game.level), choice.choice(game.legal_moves)
        assert again.play(move) == game.play(move)
        assert str(again) == str(game)


def test_a_gap_is_right_only_where_the_level_has_one() -> None:
    """Tokens that were right once are not looked at again, but for their place."""
    level = Level.model_validate(
        {"name": "x", "moves": 5, "board": ["- . .", ". . .", ". . ."], "goals": {"score": 100}}
    )
    right = "board:\n  - r o\n  r o r\n  o r o"
    Game.parse(right, level)
    for wrong, where in (
        ("r o -\n  r o r", "a1: 'r'"),
        ("- r -\n  r o r", "c1: '-'"),
    ):
        with pytest.raises(PositionError, match=f"board, {where}; expected a tile exactly where the level"):
            Game.parse(right.replace("- r o\n  r o r", wrong), level)
