"""The symmetry of a level's drawing, on drawn boards."""

from levelsense.edits.symmetry import Symmetry
from levelsense.level.level import Level, cell_name
from tests.edits.drawn import drawn

MIRRORED = drawn(
    """
    .  .  .  .  .
    #1 .  X  .  #1
    .  .  .  .  .
    .  S  .  S  .
    """
)


def names(level: Level, orbit: tuple[int, ...]) -> str:
    return " ".join(cell_name(*divmod(cell, level.columns)) for cell in orbit)


def test_a_mirrored_board_has_mirrored_pairs() -> None:
    symmetry = Symmetry(MIRRORED, "blockers")
    assert names(MIRRORED, symmetry.orbit(MIRRORED.index("a2"))) == "a2 e2"
    assert names(MIRRORED, symmetry.orbit(MIRRORED.index("c2"))) == "c2"
    assert names(MIRRORED, symmetry.orbit(MIRRORED.index("d4"))) == "b4 d4"


def test_layers_have_symmetries_of_their_own() -> None:
    shape = Symmetry(MIRRORED, "shape")
    assert names(MIRRORED, shape.orbit(MIRRORED.index("a2"))) == "a2 e2 a3 e3"
    odd = drawn(". . .\n. . .\n. . .", jelly="1 . .\n. . .\n. . 1")
    assert names(odd, Symmetry(odd, "jelly").orbit(0)) == "a1 c3"  # half a turn alone
    assert len(Symmetry(odd, "blockers").orbit(0)) == 4


def test_a_board_without_symmetry_has_single_cells() -> None:
    level = drawn("#1 . .\n. . #2\n. . .")
    symmetry = Symmetry(level, "blockers")
    assert not symmetry
    assert all(symmetry.orbit(cell) == (cell,) for cell in range(9))


def test_colors_do_not_break_a_symmetry() -> None:
    assert Symmetry(drawn("r . g\n. . .\nb . y"), "blockers")


def test_an_orbit_moves_as_one() -> None:
    symmetry, rows, columns = Symmetry(MIRRORED, "blockers"), MIRRORED.rows, MIRRORED.columns
    pair = symmetry.orbit(MIRRORED.index("a2"))
    moved = symmetry.image(pair, (0, 1), columns, rows)
    assert moved is not None
    assert names(MIRRORED, moved) == "b2 d2"
    assert symmetry.image(pair, (0, -1), columns, rows) is None  # off the board
    assert symmetry.image(pair, (0, 2), columns, rows) is None  # both on c2
