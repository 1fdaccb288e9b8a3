"""Popcorn, toffee and dark chocolate (docs/rules.md, sections 1, 6 and 9), and the table of elements."""

from pathlib import Path

import pytest

from levelsense.game.state import BLOCKER_CODES, CODED_BLOCKERS, COUNT_NAMES
from levelsense.level.elements import BLOCKERS, ELEMENTS, SWIRL, Element
from levelsense.level.level import Level, bundled_levels
from levelsense.level.tokens import FIRST_COUNTS, format_token, parse_token
from tests import naive
from tests.game.drawn import Played, show

DOCS = Path(__file__).parents[2] / "docs"

# Blows


def test_popcorn_takes_the_blow_of_the_stripe_alone_and_toffee_that_of_the_line() -> None:
    show(
        """
        before       cleared
        P1 T3 D2     *  T2 D1
        r| r  b      :  :  :
        y  g  r      :  g  b
        """,
        "c2c3",
    )


@pytest.mark.parametrize(
    ("layers", "left", "removed", "score"),
    [
        ("T5", "T2", 0, 60 + 3 * 20),
        ("T3", ":", 1, 60 + 3 * 20),
        ("T1", ":", 1, 60 + 1 * 20),
        ("D3", ":", 1, 60 + 3 * 20),
        ("D2", ":", 1, 60 + 2 * 20),
        ("P3", "P1", 0, 60 + 2 * 20),
        ("P2", "*", 1, 60 + 2 * 20),
        ("P1", "*", 1, 60 + 1 * 20),
    ],
)
def test_a_line_and_two_stripes_are_three_blows_two_of_them_to_popcorn(
    layers: str, left: str, removed: int, score: int
) -> None:
    played = show(
        f"""
        before           cleared
        b  r  y  g       b g y g
        r= g  r= {layers}      : : : {left}
        y  b  o  b       y b o b
        """,
        "b1b2",
    )
    name = {"T": "toffee", "D": "dark chocolate", "P": "popcorn"}[layers[0]]
    assert played.game.counts[name] == removed
    assert played.turn.rounds[0].score == score


def test_a_wrapped_pair_is_two_blows_where_its_squares_overlap() -> None:
    show(
        """
        before              cleared
        T5 y  b  o  g  D3   T4 :  :  :  :  D2
        g  P3 r+ b+ y  p    :  P1 PP PP :  :
        y  b  o  g  P2 o    :  :  :  :  *  :
        """,
        "c2d2",
    )


def test_a_color_bomb_passes_by_what_hides_its_color_and_a_pair_reaches_all() -> None:
    show(
        """
        before      cleared
        *  r  T1    :  :  T1
        P1 b  y     P1 b  y
        y  r  D1    y  :  D1
        """,
        "a1b1",
    )
    show(
        """
        before      cleared
        *  *  T1    :  :  :
        P1 b  y     *  :  :
        y  b  D2    :  :  D1
        """,
        "a1b1",
    )


# The bomb that popcorn leaves


def test_the_bomb_outlasts_its_round_is_not_counted_and_falls() -> None:
    played = show(
        """
        before        cleared      settled
        b  r  y  g    b g y g      S S S S
        r= g  r= P1   : : : *      b g y g
        y  b  o  :    y b o :      y b o *
        """,
        "b1b2",
    )
    assert played.game.counts["popcorn"] == 1
    assert played.game.counts["color bomb"] == 0
    assert played.turn.rounds[0].made == ()


def test_a_drop_that_keeps_a_color_bomb_sees_it() -> None:
    show(
        """
        before           settled
        b  r  y  g       S  S  S  g
        r= g  r| P1      b  g  S  *
        y  b  o  b       y  b  S  b
        """,
        "b1b2",
        drops=[{"piece": "color bomb", "keep": 1}, {"piece": "swirl", "rate": 1}],
    )


# Growth


def beside_dark_chocolate(token: str, becomes: str, chocolate: str = "D3") -> Played:
    """A move elsewhere while the dark chocolate has one neighbor."""
    return show(
        f"""
        before      after
        o r p       S S S
        r b r       o b p
        y o g       y o g
        - {token:3} -     - {becomes:3} -
        - {chocolate:3} -     - {chocolate:3} -
        """,
        "b1b2",
        moves=1,
        exits=["a1"],
    )


@pytest.mark.parametrize("token", ["y", "y=", "*", "y~", "y9"])
def test_dark_chocolate_takes_a_candy_or_color_bomb_beside_it_with_one_layer(token: str) -> None:
    played = beside_dark_chocolate(token, "D1")
    assert played.draws == 3 + 1  # even one of one is drawn
    assert played.game.counts["yellow"] == 0  # what it takes is not counted
    assert "dark chocolate spread to b4" in played.turn.after


@pytest.mark.parametrize("token", ["S", "C", "yL", "#2", "T1", "P1", "-"])
def test_dark_chocolate_takes_nothing_else(token: str) -> None:
    assert beside_dark_chocolate(token, token).draws == 3


@pytest.mark.parametrize("blocker", ["T2", "P2", "#2"])
def test_what_does_not_grow_stays_as_it_is(blocker: str) -> None:
    assert beside_dark_chocolate("y", "y", blocker).draws == 3


def test_a_layer_taken_off_holds_dark_chocolate_back() -> None:
    played = show(
        """
        before     after
        o r p      S S S
        r b r      o b p
        D3 o g     D2 o g
        - y -      - y -
        - D1 -     - D1 -
        """,
        "b1b2",
        moves=1,
    )
    assert played.draws == 3


def test_both_kinds_grow_after_one_move() -> None:
    played = show(
        """
        before      after
        o r p       S S  S
        r b r       o b  p
        - y -       - X  -
        - X -       - X  -
        - S -       - S  -
        - D2 -      - D2 -
        - g -       - D1 -
        """,
        "b1b2",
        moves=1,
    )
    assert played.turn.after[:2] == ("chocolate spread to b3", "dark chocolate spread to b7")
    assert played.draws == 3 + 2


def test_dark_chocolate_chooses_on_the_board_that_chocolate_has_left() -> None:
    played = show(
        """
        before      after
        o r p       S S  S
        r b r       o b  p
        #3 #3 #3    #2 #2 #2
        - D2 -      - D2 -
        - y -       - X  -     <- chocolate takes the only candy between the two
        - X -       - X  -
        """,
        "b1b2",
        moves=1,
    )
    assert played.draws == 3 + 1


def test_a_layer_taken_off_one_kind_does_not_hold_back_the_other() -> None:
    played = show(
        """
        before     after
        o r p      ? S S
        r b r      ? b p
        X o g      ? o g
        - y -      - D1 -
        - D3 -     - D3 -
        """,
        "b1b2",
        moves=1,
    )
    assert played.game.counts["chocolate"] == 1
    assert "dark chocolate spread to b4" in played.turn.after


# The table


def rows_of_the_page() -> dict[str, dict[str, str]]:
    """The table of elements in docs/rules.md: for each name, its cells by the heading of their column."""
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    lines = page[page.index("| name | token | layers |") :].split("\n\n")[0].splitlines()
    heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return {row[0]: dict(zip(heading, row, strict=True)) for row in rows}


def as_on_the_page(element: Element) -> dict[str, str]:
    """The row that the page must have for an element."""
    layers = f"1-{element.most_layers}" if element.most_layers > 1 else "1"
    is_piece, is_cover = element.place == "piece", element.place == "cover"
    words = {True: "yes", False: "no"}
    return {
        "name": element.name,
        "token": "-".join(dict.fromkeys(f"`{token}`" for token in (element.tokens[0], element.tokens[-1]))),
        "layers": layers,
        "on": words[element.on],
        "beside": words[element.beside],
        "blast": "yes",
        "hides": words[element.hides],
        "holds": "yes" if is_cover else "-",
        "piece": "any" if is_cover else "no",
        "swap": words[is_piece],
        "falls": words[is_piece],
        "grows": words[element.grows],
        "left": element.left,
        "count": element.name,
    }


@pytest.mark.parametrize("element", [*BLOCKERS, SWIRL], ids=lambda element: element.name)
def test_the_page_of_rules_has_each_row_of_the_table(element: Element) -> None:
    assert rows_of_the_page()[element.name] == as_on_the_page(element)


def test_the_page_of_rules_has_no_other_row() -> None:
    assert rows_of_the_page().keys() == {element.name for element in (*BLOCKERS, SWIRL)}


@pytest.mark.parametrize("element", [*BLOCKERS, SWIRL], ids=lambda element: element.name)
def test_the_page_of_level_files_has_its_tokens_and_its_goal(element: Element) -> None:
    page = (DOCS / "levels.md").read_text(encoding="utf-8")
    for token in (element.tokens[0], element.tokens[-1]):
        assert f"`{token}`" in page
    assert f"`{element.name}`" in page


@pytest.mark.parametrize("element", ELEMENTS, ids=lambda element: element.name)
def test_some_bundled_level_has_it_and_some_asks_for_it(element: Element) -> None:
    levels = [Level.load(name) for name in bundled_levels()]
    assert any(element.name in (cell.blocker, cell.piece) for level in levels for cell in level.cells)
    assert any(element.name in level.asked for level in levels)


@pytest.mark.parametrize("element", BLOCKERS, ids=lambda element: element.name)
def test_the_second_implementation_knows_it(element: Element) -> None:
    blocker = naive.BLOCKERS[element.name]
    assert blocker.token == element.token
    assert blocker.numbered == (element.most_layers > 1)
    assert blocker.overlay == (element.place == "cover")


def test_codes_and_counts_keep_their_places() -> None:
    """What is stored or kept in golden files must go on to mean the same: new ones are appended."""
    known = [("icing", layers) for layers in range(1, 6)]
    known += [("chocolate", 1), ("marmalade", 1), ("lock", 1)]
    known += [("popcorn", layers) for layers in range(1, 4)]
    known += [("toffee", layers) for layers in range(1, 6)]
    known += [("dark chocolate", layers) for layers in range(1, 4)]
    assert CODED_BLOCKERS[: len(known) + 1] == (None, *known)
    assert [BLOCKER_CODES[blocker] for blocker in known] == list(range(1, len(known) + 1))
    later = ("popcorn", "toffee", "dark chocolate")
    assert COUNT_NAMES[: len(FIRST_COUNTS) + len(later)] == (*FIRST_COUNTS, *later)


@pytest.mark.parametrize("element", BLOCKERS, ids=lambda element: element.name)
def test_every_token_parses_back(element: Element) -> None:
    if element.place == "cover":
        assert parse_token(element.token) is None  # it is drawn in locks
        return
    for token in element.tokens:
        cell = parse_token(token)
        assert cell is not None
        assert cell.blocker == element.name
        assert format_token(cell) == token
    assert parse_token(f"{element.token}{element.most_layers + 1}") is None


@pytest.mark.parametrize("element", BLOCKERS, ids=lambda element: element.name)
def test_what_the_engine_takes_for_granted(element: Element) -> None:
    """A row that is otherwise needs more than a row."""
    assert element.on == (not element.hides)  # lines go through what shows its color, and only through that
    assert (element.left == "piece") == (element.place == "cover")
    if element.place == "cover":
        assert element.most_layers == 1  # a token of locks has no number


def test_tokens_begin_differently() -> None:
    first = [element.token for element in ELEMENTS if element.token]
    assert len(set(first)) == len(first)
    assert not set(first) & set("-.*CHroygbpcm")
