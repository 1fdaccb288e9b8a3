"""The rule sets of two papers beside the usual one (docs/rules.md, section 13)."""

import pytest

from tests.game.drawn import play, position, show

RED = [{"piece": "candy", "rate": 1, "color": "red"}]

# McAdams: one line at a time


def test_mcadams_resolves_one_line_a_round_the_first_in_row_major_order() -> None:
    show(
        """
        before      cleared     settled     cleared 2
        r r g y     : : : y     S S S y     : : : y
        g g r o     g g g o     g g g o     : : : o
        y b o p     y b o p     y b o p     y b o p
        """,
        "c1c2",
        rules="mcadams",
    )


def test_mcadams_takes_the_row_before_the_column_that_begins_at_the_same_cell() -> None:
    played = show(
        """
        before      cleared
        y r g b     y y g b
        b y r r     b : : :     <- the crossing leaves nothing
        g r y o     g r y o
        o r b y     o r b y
        """,
        "b1b2",
        rules="mcadams",
    )
    assert len(played.turn.rounds) == 1


def test_mcadams_takes_a_column_that_begins_first() -> None:
    show(
        """
        before      cleared
        y g r b     y g : b
        b y r g     b y : g
        r r b o     r r : o     <- in saga this L leaves a wrapped candy
        y g r y     y g b y
        """,
        "c3c4",
        rules="mcadams",
    )


@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        (
            """
            before      cleared
            y b r g     y  b b g
            r r b r     r| : : :     <- not where the move ended
            o y g b     o  y g b
            """,
            "c1c2",
        ),
        (
            """
            before    cleared
            r b y     r= b y
            r y g     :  y g
            b r o     :  b o
            r g y     :  g y
            """,
            "a3b3",
        ),
        (
            """
            before        cleared
            y b r g y     y b b g y
            r r b r r     * : : : :
            o y g b o     o y g b o
            """,
            "c1c2",
        ),
        (
            """
            before       cleared
            y  b r g     y b  b g
            rL r b r     r r| : :     <- the first cell is locked
            o  y g b     o y  g b
            """,
            "c1c2",
        ),
    ],
    ids=["row of four", "column of four", "five", "locked"],
)
def test_mcadams_leaves_the_special_at_the_first_cell_of_the_line(drawing: str, move: str) -> None:
    show(drawing, move, rules="mcadams")


def test_mcadams_scores_pieces_unless_the_level_says_otherwise() -> None:
    board = """
        b r y
        r g r
        y b o
    """
    assert play(position(board, rules="mcadams"), "b1b2").game.score == 3
    assert play(position(board, rules="mcadams", scoring="saga"), "b1b2").game.score == 60


def test_mcadams_plays_combinations_like_saga() -> None:
    show(
        """
        before         cleared
        y b o  g y     y b : g y
        b o r= b o     b o : b o
        y g b= o g     : : : : :
        """,
        "c2c3",
        rules="mcadams",
    )


@pytest.mark.slow
def test_mcadams_lets_a_cascade_run_for_2000_rounds() -> None:
    board = """
        o r p
        r b r
        o y g
    """
    played = play(position(board, drops=RED, rules="mcadams"), "b1b2")
    assert len(played.turn.rounds) == 2_000
    assert played.game.shuffles == 1


# Lee et al.: no specials


@pytest.mark.parametrize(
    ("drawing", "move"),
    [
        (
            """
            before      cleared
            y b r g     y b b g
            r r b r     : : : :
            o y g b     o y g b
            """,
            "c1c2",
        ),
        (
            """
            before        cleared
            y b r g y     y b b g y
            r r b r r     : : : : :
            o y g b o     o y g b o
            """,
            "c1c2",
        ),
        (
            """
            before      cleared
            y g r b     y g : b
            b y r g     b y : g
            r r b o     : : : o
            y g r y     y g b y
            """,
            "c3c4",
        ),
    ],
    ids=["four", "five", "L"],
)
def test_plain_leaves_nothing(drawing: str, move: str) -> None:
    counts = show(drawing, move, rules="plain").game.counts
    assert (counts["striped"], counts["wrapped"], counts["color bomb"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("board", "move", "quadratic", "saga"),
    [
        ("y b r g / r r b r / o y g b", "c1c2", 120, 120),
        ("y b r g y / r r b r r / o y g b o", "c1c2", 200, 200),
        ("y g r b / b y r g / r r b o / y g r y", "c3c4", 60, 200),
    ],
)
def test_plain_scores_by_the_longest_line_unless_the_level_says_otherwise(
    board: str, move: str, quadratic: int, saga: int
) -> None:
    drawing = board.replace(" / ", "\n")
    assert play(position(drawing, rules="plain"), move).game.score == quadratic
    # The saga values go by the shape all the same.
    assert play(position(drawing, rules="plain", scoring="saga"), move).game.score == saga


def test_plain_sets_off_the_specials_that_a_level_places() -> None:
    show(
        """
        before         cleared
        y b r  g o     y b : g o
        b g r= y p     : : : : :
        o y b  r y     o y : b y
        """,
        "c3d3",
        rules="plain",
    )


def test_saga_is_the_rule_set_unless_the_level_says_otherwise() -> None:
    game = position("r r b\nb b r\ny g o")
    assert (game.level.rules, game.level.scoring_scheme) == ("saga", "saga")
