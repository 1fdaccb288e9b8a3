"""Boards as the terminal draws them, by hand-drawn examples."""

from typing import Any

from levelsense.cli.terminal.board import draw_board, legend, token
from levelsense.level.level import Level
from levelsense.level.tokens import Cell


def level(board: list[str], **keys: Any) -> Level:
    return Level.model_validate({"name": "test", "moves": 9, "board": board, "goals": {"score": 1}} | keys)


def drawn(shown: Level, **options: bool) -> list[str]:
    return [line.rstrip() for line in draw_board(shown, shown.cells, **options).plain.split("\n")]


def test_pieces_blockers_and_gaps() -> None:
    shown = level(["r= . #3 -", "g| * X S", "b+ y~ o7 p@"], locks=[". L . -", ". . . .", "M . L ."])
    assert drawn(shown) == [
        "     a   b   c   d",
        "  1  r= [. ] #3",
        "  2  g|  *   X   S",
        "  3 (b+) y~ [o7] p@",
    ]


def test_long_timers_make_all_cells_wider() -> None:
    shown = level([". . .", ". g12 .", ". . ."])
    assert drawn(shown) == [
        "     a    b    c",
        "  1  .    .    .",
        "  2  .    g12  .",
        "  3  .    .    .",
    ]


def test_jelly_is_ticked() -> None:
    shown = level(
        [". . .", ". . .", ". . ."], jelly=["1 . 2", ". . .", ". . ."], locks=["L . .", ". . .", ". . ."]
    )
    assert drawn(shown) == [
        "     a    b    c",
        "  1 [. ]' .    .  \"",
        "  2  .    .    .",
        "  3  .    .    .",
    ]


def test_teleporters_dispensers_and_exits_are_marked() -> None:
    shown = level(
        ["C . .", ". . .", ". . .", ". . ."],
        teleporters=[{"from": "a2", "to": "c3"}, {"from": "c2", "to": "a3"}],
        dispensers=[{"at": ["b1"]}],
        exits=["b4"],
        goals={"ingredients": {"cherry": 1}},
    )
    assert drawn(shown) == [
        "     a   b   c",
        "         ↧",
        "  1  C   .   .",
        "  2  .   .   .",
        "     ↓1      ↓2",
        "     2↓      1↓",
        "  3  .   .   .",
        "  4  .   .   .",
        "         ▽",
    ]
    assert legend(shown).plain == "↓1 1↓ teleporter   ↧ dispenser   ▽ exit"


def test_marks_that_do_not_collide_share_a_line() -> None:
    shown = level([". . .", ". . .", ". . ."], teleporters=[{"from": "a1", "to": "c2"}])
    assert drawn(shown) == [
        "     a   b   c",
        "  1  .   .   .",
        "     ↓1      1↓",
        "  2  .   .   .",
        "  3  .   .   .",
    ]


def test_shaded_boards_show_jelly_by_the_ground() -> None:
    shown = level(["r . .", ". . .", ". . ."], jelly=["1 . .", ". . .", ". . ."])
    text = draw_board(shown, shown.cells, shaded=True)
    first = text.plain.split("\n")[1]
    assert first == "  1   r    .    .  "
    grounds = {
        str(span.style).split(" on ")[1]
        for span in text.spans
        if "on" in str(span.style) and span.start < 2 * len(first)
    }
    assert {"#5f5faf", "#3a3a3a", "#ff5f5f"} <= grounds


def test_airy_boards_have_a_line_under_each_row() -> None:
    shown = level(["r . .", ". . -", ". . ."])
    assert len(drawn(shown, shaded=True, airy=True)) == 1 + 2 * 3


def test_the_legend_names_only_what_is_there() -> None:
    assert legend(level([". . .", ". . .", ". . ."])).plain == ""
    shown = level(
        [". . .", ". . .", ". . ."], jelly=["2 . .", ". . .", ". . ."], locks=["M . .", ". . .", ". . ."]
    )
    assert legend(shown).plain == ' .  " double jelly   (. )  in marmalade'


def test_the_legend_explains_the_letters_of_blockers() -> None:
    shown = level(["P3 . .", ". D2 .", "T5 . ."])
    assert legend(shown).plain == " D1   dark chocolate    P1   popcorn    T1   toffee"


def test_a_long_legend_breaks_between_marks() -> None:
    shown = level(
        [". . .", ". . .", ". . ."], jelly=["2 1 .", ". . .", ". . ."], locks=["M L .", ". . .", ". . ."]
    )
    assert [len(line) <= 40 for line in legend(shown, width=40).plain.split("\n")] == [True, True]


def test_primed_candies_have_a_token_of_their_own() -> None:
    assert [token(Cell(piece=piece)) for piece in ("primed", "large primed")] == ["!", "!!"]
    assert token(Cell()) == ":"
