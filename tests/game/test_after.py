"""What follows when the board has come to rest, and in which order (docs/rules.md, section 9)."""

from typing import Any

import pytest

from tests.game.drawn import Played, assert_drawn, play, position, show

LINE = """
    o y g p b
    b r p y o
    r b r o p     <- b2b3 makes a line of three red candies
    {0}
"""


def after_a_line(bottom: str, values: str = "", **keys: Any) -> Played:
    """Plays the one line of a board whose lowest rows are given."""
    return play(position(LINE.format("\n".join(bottom.split(" / "))), values, **keys), "b2b3")


def pieces(played: Played) -> list[str]:
    """The kinds of piece on the board, sorted."""
    return sorted(cell.piece or "none" for cell in played.game.cells)


# Won, before everything else


@pytest.mark.parametrize("bottom", ["y o g X p", "y o g p b1", "y~ o g p b"])
def test_a_won_attempt_is_won_before_anything_else_happens(bottom: str) -> None:
    played = after_a_line(
        bottom,
        "counts: sugar 5",
        moves=1,
        goals={"orders": {"red": 3}},
        sugar={"every": 5, "pays": ["wrapped"]},
    )
    outcome = played.game.outcome
    assert outcome is not None
    assert (outcome.won, outcome.reason) == (True, "goals met")
    assert played.draws == 3  # the three swirls: no payout, no chocolate
    assert [cell.timer for cell in played.game.cells if cell.piece == "countdown"] in ([], [1])


# Sugar


def pay(earned: int, paid: int = 0, bottom: str = "y o g p b", **keys: Any) -> Played:
    """A move after which so many sugar drops have been collected in all."""
    sugar = {"every": 10, "pays": ["striped", "wrapped", "color bomb"]}
    return after_a_line(
        bottom, f"counts: sugar {earned}\npaid: {paid}", **{"sugar": sugar, "moves": 1, **keys}
    )


@pytest.mark.parametrize(
    ("earned", "paid", "expected"),
    [
        (9, 0, []),
        (10, 0, ["striped"]),
        (19, 0, ["striped"]),
        (20, 0, ["striped", "wrapped"]),
        (10, 1, []),
        (20, 1, ["wrapped"]),
        (30, 2, ["color"]),
        (59, 4, ["color"]),
        (40, 3, ["color"]),
        (60, 0, ["color", "color", "color", "color", "striped", "wrapped"]),
    ],
)
def test_every_so_many_drops_pay_the_next_special_the_last_one_again_and_again(
    earned: int, paid: int, expected: list[str]
) -> None:
    played = pay(earned, paid)
    special = [piece.split()[0] for piece in pieces(played) if piece not in ("candy", "swirl")]
    assert special == expected


def test_the_payout_draws_its_candy_and_the_direction_of_stripes() -> None:
    assert pay(10).draws == 3 + 2
    assert pay(20, 1).draws == 3 + 1
    assert pay(9).draws == 3


@pytest.mark.parametrize(("earned", "paid"), [(10, 0), (20, 1), (30, 2)])
def test_the_candy_keeps_its_color_unless_it_becomes_a_color_bomb(earned: int, paid: int) -> None:
    played = pay(earned, paid)
    (special,) = (cell for cell in played.game.cells if cell.piece not in ("candy", "swirl"))
    assert (special.color is None) == (special.piece == "color bomb")


def test_only_a_plain_candy_without_blocker_is_chosen() -> None:
    show(
        """
        before      after
        o~ r  gL    S  S  gL
        r  y5 r     o~ y4 S
        bM p= *     b+ p= *     <- the line took the marmalade away
        """,
        "b1b2",
        "counts: sugar 10",
        sugar={"every": 10, "pays": ["wrapped"]},
    )


def test_a_payout_waits_until_there_is_such_a_candy() -> None:
    played = show(
        """
        before      after
        o~ r  gL    S  S  gL
        r  y5 r     o~ y4 S
        bL p= *     bL p= *
        """,
        "b1b2",
        "counts: sugar 10",
        sugar={"every": 10, "pays": ["wrapped"]},
    )
    assert played.game.state.paid == 0
    assert played.draws == 3


# Chocolate


def beside_chocolate(token: str, becomes: str) -> Played:
    """A move elsewhere while the chocolate has one neighbor."""
    return show(
        f"""
        before     after
        o r p      S S S
        r b r      o b p
        y o g      y o g
        - {token:3} -    - {becomes:3} -
        - X -      - X -
        """,
        "b1b2",
        moves=1,
        exits=["a1"],
    )


@pytest.mark.parametrize("token", ["y", "y=", "y+", "*", "y~", "y@", "y9"])
def test_chocolate_takes_a_candy_or_color_bomb_beside_it(token: str) -> None:
    played = beside_chocolate(token, "X")
    assert played.draws == 3 + 1  # even one of one is drawn
    assert played.game.counts["yellow"] == 0  # what it takes is not counted
    assert "chocolate spread to b4" in played.turn.after


@pytest.mark.parametrize("token", ["S", "C", "H", "yL", "yM", "#2", "-"])
def test_chocolate_takes_nothing_else(token: str) -> None:
    assert beside_chocolate(token, token).draws == 3  # no candidate, no draw


def test_chocolate_does_not_spread_diagonally() -> None:
    played = show(
        """
        before   after
        o r p    S S S
        r b r    o b p
        y - g    y - g
        - X -    - X -
        """,
        "b1b2",
        moves=1,
    )
    assert played.draws == 3


def test_one_of_the_candidates_is_drawn_in_row_major_order() -> None:
    show(
        """
        before   after
        o r p    S S S
        r b r    o b p
        y o g    y o g
        p y b    p y b
        g X o    g X X     <- b4, a5, c5: number 2, which is the fourth draw below 3 of word 0
        """,
        "b1b2",
        moves=1,
    )


def test_chocolate_does_not_spread_when_the_move_removed_some() -> None:
    show(
        """
        before   after
        o r p    ? S S
        r b r    ? b p
        X o g    ? o g     <- beside the line
        - y -    - y -
        - X -    - X -
        """,
        "b1b2",
        moves=1,
    )


def test_jelly_under_an_eaten_candy_stays() -> None:
    show(
        """
        before   after
        o r  p   S S  S
        r b  r   o b  p
        y o  g   y o  g
        - y' -   - X' -
        - X  -   - X  -
        """,
        "b1b2",
        moves=1,
    )


def test_sugar_pays_before_chocolate_spreads() -> None:
    played = show(
        """
        before      after
        o~ r  p~    S  S  S
        r  b~ r     o~ b~ p~
        -  y  -     -  X  -     <- the only plain candy was paid the wrapped one, and eaten
        -  X  -     -  X  -
        """,
        "b1b2",
        "counts: sugar 10",
        sugar={"every": 10, "pays": ["wrapped"]},
        moves=1,
    )
    assert played.game.state.paid == 1


# Countdown bombs


def test_countdown_bombs_lose_one_after_each_move_except_in_marmalade() -> None:
    show(
        """
        before         after
        o  r   p       S  S   S
        r  b   r       o  b   p
        o  y   g       o  y   g
        y5 o9L g10M    y4 o8L g10M
        """,
        "b1b2",
        moves=1,
    )


def lost(bottom: str, **keys: Any) -> str:
    """The reason why the one move of a board loses."""
    outcome = after_a_line(bottom, **keys).game.outcome
    assert outcome is not None
    assert not outcome.won
    return outcome.reason


def test_a_countdown_bomb_at_0_ends_the_attempt() -> None:
    assert lost("y o g p b1") == "bomb"
    assert lost("y o g p b1L") == "bomb"
    assert after_a_line("y o g p b1M").game.status == "playing"
    assert after_a_line("y o g p b2").game.status == "playing"
    assert "the countdown bomb on e4 went off" in after_a_line("y o g p b1").turn.after


def test_a_countdown_bomb_goes_before_the_limit() -> None:
    assert lost("y o g p b1", moves=1) == "bomb"
    assert lost("y o g p b2", moves=1) == "moves"


def test_chocolate_spreads_before_the_bombs_tick() -> None:
    played = show(
        """
        before    after
        o r  p    S S S
        r b  r    o b p
        y o  g    y o g
        - y1 -    - X -     <- eaten in time
        - X  -    - X -
        """,
        "b1b2",
        moves=1,
    )
    assert played.game.outcome is not None
    assert played.game.outcome.reason == "moves"


# Limits


def test_no_moves_left() -> None:
    assert lost("y o g p b", values="moves: 1") == "moves"
    assert after_a_line("y o g p b", values="moves: 2").game.moves_left == 1


@pytest.mark.parametrize(("left", "status"), [(2500, "lost"), (2499, "lost"), (2501, "playing"), (1, "lost")])
def test_no_time_left_is_none_or_less(left: int, status: str) -> None:
    """The move costs 2 seconds, its round half a second; it may be started while any time is left."""
    played = after_a_line("y o g p b / o b y b p", f"time: {left}", seconds=60)
    assert played.game.status == status
    assert played.game.outcome is None or played.game.outcome.reason == "time"


def test_the_limit_goes_before_the_shuffle() -> None:
    played = after_a_line("y c g m b", moves=1)
    assert played.game.outcome is not None
    assert played.game.outcome.reason == "moves"
    assert played.game.shuffles == 0


# Shuffling

NO_MOVE_AFTER = """
    o  y  r p
    r  r  b y     <- c1c2 leaves no legal move
    o  p  C o
    p5 oL y bM
"""


def test_without_a_legal_move_the_uncovered_candies_are_shuffled() -> None:
    played = play(position(NO_MOVE_AFTER, exits=["a1"]), "c1c2")
    resting, now = played.turn.rounds[-1].after, played.game.cells
    assert played.game.shuffles == 1
    assert played.turn.after == ("no legal move was left: the candies were shuffled",)
    assert len(played.turn.rounds) == 1
    assert played.game.legal_moves
    assert resting != now
    assert_drawn(
        played.game.level,
        now,
        """
        S S  S ?
        ? ?  ? ?
        ? ?  C ?     <- swirls, the cherry and covered candies stay
        ? oL ? bM
        """,
    )
    assert pieces(played) == sorted(cell.piece or "none" for cell in resting)
    assert sorted(cell.color or "none" for cell in now) == sorted(cell.color or "none" for cell in resting)


def test_color_bombs_are_shuffled_with_the_candies() -> None:
    played = show(
        """
        before    settled   after
        o r o     S S S     S S S
        r b r     o b o     ? ? ?
        - C -     - C -     - C -     <- no candy is beside the bomb
        - * -     - * -     - ? -
        """,
        "b1b2",
        exits=["a1"],
    )
    assert played.game.shuffles == 1
    assert played.game.legal_moves  # only a bomb beside a candy can be one


def test_when_no_order_has_a_legal_move_the_pieces_stay_and_the_attempt_is_lost() -> None:
    played = show(
        """
        before    after
        o r p     S S S
        r b r     o b p
        y g c     y g c     <- six colors make no line
        """,
        "b1b2",
    )
    assert played.game.outcome is not None
    assert played.game.outcome.reason == "no move possible"
    assert played.game.shuffles == 1
    assert played.game.legal_moves == ()
    assert played.turn.after == ("no legal move was left: no shuffle gave a board with a legal move",)


def test_what_follows_a_move_is_told_in_its_order() -> None:
    """Sugar pays out, chocolate spreads, and only then the board without a legal move is shuffled."""
    played = play(
        position(
            """
            o~ y r p
            r  r b y
            o  p C o
            p5 c y X
            """,
            exits=["a1"],
            sugar={"every": 1, "pays": ["wrapped"]},
            values="counts: sugar 1",
        ),
        "c1c2",
    )
    assert played.turn.after[0] == "sugar drops paid out 1 special"
    assert played.turn.after[1].startswith("chocolate spread to ")
    assert played.turn.after[2:] in ((), ("no legal move was left: the candies were shuffled",))
    assert played.game.shuffles == len(played.turn.after) - 2


# A cascade that would never end

RED = [{"piece": "candy", "rate": 1, "color": "red"}]
STOPPED = "the cascade did not end: it was stopped after round 200"
ENDLESS = """
    o r p
    r b r
    o y g
"""


def test_an_endless_cascade_is_shuffled_after_200_rounds() -> None:
    played = play(position(ENDLESS, drops=RED), "b1b2")
    assert len(played.turn.rounds) == 200
    assert played.game.shuffles == 1
    assert played.game.status == "playing"
    assert played.game.legal_moves
    assert played.game.counts["red"] == 600
    assert played.turn.after == (f"{STOPPED}, and the candies were shuffled",)


def test_when_that_shuffle_fails_the_attempt_is_lost_unless_the_goals_are_met() -> None:
    board = """
        r C r
        - r -
        - - -
    """
    for asked, reason in ((601, "no move possible"), (600, "goals met")):
        game = position(board, drops=RED, exits=["a1"], goals={"orders": {"red": asked}})
        played = play(game, "b1b2")
        assert game.outcome is not None
        assert game.outcome.reason == reason
        assert game.shuffles == 1
        assert len(played.turn.rounds) == 200
        assert played.turn.after == (f"{STOPPED}, no shuffle gave a board with a legal move",)


def test_candies_that_are_still_primed_then_become_plain_ones() -> None:
    board = """
        r+ b+ y
        g  o  p
        p  y  g
    """
    played = play(position(board, drops=RED), "a1b1")  # from round 3 on the board is all red
    waiting = [k for k, cell in enumerate(played.turn.rounds[199].after) if cell.piece == "primed"]
    assert waiting
    assert {played.game.cells[k].piece for k in waiting} == {"candy"}
    assert None not in {played.game.cells[k].color for k in waiting}
