"""What is different between two levels, in words, on drawn boards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.edits import difference
from levelsense.level.level import Level, bundled_levels
from tests.edits.drawn import drawn

BOARD = """
    .  .  .  .
    #2 .  .  #2
    X  .  .  .
    .  .  .  .
"""
PLAIN = drawn(BOARD)


def words(old: Level, new: Level) -> str:
    return difference(old, new).words


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        (BOARD.replace("X", "."), "chocolate gone at a3"),
        (BOARD.replace("#2", "#1"), "a layer of icing less at a2, d2"),
        (BOARD.replace("#2", "#4"), "2 layers of icing more at a2, d2"),
        (BOARD.replace("X  .", ".  X"), "chocolate moved from a3 to b3"),
        (BOARD.replace("X", "S"), "chocolate gone at a3; swirls added at a3"),
        (BOARD.replace("X  .  .  .", "X  .  .  -"), "a tile taken away at d3"),
        (BOARD.replace("X  .  .  .", "X  C  .  ."), "cherry added at b3"),
    ],
)
def test_boards_in_words(board: str, expected: str) -> None:
    new = drawn(board, goals={"score": 1000})
    assert words(PLAIN, new) == expected


def test_jelly_in_words() -> None:
    old = drawn(". . .\n. . .\n. . .", jelly="1 2 .\n. . .\n. . .")
    new = drawn(". . .\n. . .\n. . .", jelly=". 1 1\n. . .\n. . 2")
    assert words(old, new) == (
        "jelly gone at a1; a layer of jelly less at b1; jelly added at c1; double jelly added at c3"
    )


def test_bombs_in_words() -> None:
    old, new = drawn(".9 . .\n. . .\n. . ."), drawn(".7 . .\n. . .\n. . .")
    assert words(old, new) == "countdown bombs of 2 moves fewer at a1"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"moves": 20}, {"moves": 17}, "3 moves fewer"),
        ({"moves": 20}, {"moves": 21}, "1 move more"),
        ({"moves": 20}, {"seconds": 60}, "60 seconds in place of 20 moves"),
        ({"seconds": 60}, {"seconds": 62.5}, "2.5 seconds more"),
        ({"colors": 4}, {"colors": 5}, "5 colors in place of 4 (blue too)"),
        (
            {"goals": {"orders": {"red": 30}}},
            {"goals": {"orders": {"red": 25}}},
            "25 red candies to reach in place of 30",
        ),
        (
            {"goals": {"score": 1000}},
            {"goals": {"orders": {"red": 9}}},
            "goal of 1,000 points gone; new goal of 9 red candies",
        ),
        (
            {"drops": [{"piece": "striped", "rate": 0.1}]},
            {"drops": [{"piece": "striped", "rate": 0.15}]},
            "striped: 15% of what enters in place of 10%",
        ),
        ({}, {"drops": [{"piece": "swirl", "rate": 0.1}]}, "new: swirl: 10% of what enters"),
        (
            {"teleporters": [{"from": "a4", "to": "d1"}]},
            {},
            "teleporter a4 to d1 gone",
        ),
        ({"stars": [1, 2, 3]}, {"stars": [1, 2, 4]}, "other stars"),
        ({"name": "A"}, {"name": "B"}, "named 'B'"),
        ({}, {}, "nothing is different"),
    ],
)
def test_keys_in_words(old: dict[str, object], new: dict[str, object], expected: str) -> None:
    assert words(drawn(BOARD, **old), drawn(BOARD, **new)) == expected


def test_boards_of_other_sizes_are_not_told_cell_by_cell() -> None:
    changed = difference(PLAIN, drawn(". . .\n. . .\n. . ."))
    assert changed.is_other_board
    assert changed.words == "a board of 3 x 3 in place of 4 x 4"
    assert not changed.cells


def test_cells_and_sizes() -> None:
    changed = difference(PLAIN, drawn(BOARD.replace("#2", ".").replace("X", "."), moves=24))
    names = {PLAIN.index(name) for name in ("a2", "d2", "a3")}
    assert changed.cells == names
    # Three cells, a limit a fifth longer, and a size more for each of the two changes after the first.
    assert changed.size == pytest.approx(3 + 1 + 2)


def test_a_long_difference_is_summed_up() -> None:
    first, second = (Level.load(name) for name in ("24-hourglass", "28-crossed-wires"))
    changed = difference(first, second)
    assert len(changed.changes) > 5
    assert changed.summary.endswith(f"and {len(changed.changes) - 4} more changes")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(bundled_levels()), st.sampled_from(bundled_levels()))
def test_levels_that_play_otherwise_have_a_difference(one: str, other: str) -> None:
    first, second = Level.load(one), Level.load(other)
    changed = difference(first, second)
    assert changed.plays_alike == (first.digest == second.digest)
    assert bool(changed.changes) == (one != other)
    assert all(change.size >= 0 and change.words for change in changed.changes)
