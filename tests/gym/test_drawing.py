"""Positions as text and as pictures."""

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from levelsense.cli import app
from levelsense.gym import Match3Env
from levelsense.gym.drawing import CELL_PIXELS, draw_picture
from levelsense.level.level import Level
from levelsense.level.tokens import Cell
from tests.gym.played import LEVELS, drawn_level

MIDDLE = CELL_PIXELS // 2


def drawn(cell: Cell) -> np.ndarray:
    """A cell of a board as it is drawn."""
    level = drawn_level("r g b\ny o p\nr g b")
    return draw_picture(level, [cell] * 9)[:CELL_PIXELS, :CELL_PIXELS]


def test_the_text_is_what_show_prints(tmp_path: Path) -> None:
    level = drawn_level(
        "r g b+\ny7 #2 p\nr= - b", goals={"jelly": "all"}, jelly=["1 . .", ". . .", ". - 2"], exits=["c3"]
    )
    env = Match3Env(level, render_mode="ansi")
    env.reset(seed=1)
    lines = [line.rstrip() for line in env.render().splitlines()]
    assert lines == [
        "     a    b    c",
        "  1  r  ' g    b+",
        "  2  y7   #2   p",
        '  3  r=        b  "',
        "               ▽",
        "",
        "20 moves left   score 0   jelly 0/3",
    ]
    level.save(tmp_path / "drawn.json")
    shown = CliRunner().invoke(app, ["show", str(tmp_path / "drawn.json")]).stdout
    assert [line.rstrip() for line in shown.splitlines()[2:7]] == lines[:5]


def test_every_level_is_drawn_in_its_size() -> None:
    for name in LEVELS:
        env = Match3Env(name, render_mode="rgb_array")
        env.reset(seed=1)
        picture = env.render()
        assert picture.dtype == np.uint8
        assert picture.shape == (env.level.rows * CELL_PIXELS, env.level.columns * CELL_PIXELS, 3)


def test_a_gap_is_black_and_a_candy_has_its_color() -> None:
    assert not drawn(Cell(tile=False)).any()
    red, blue = (drawn(Cell(piece="candy", color=color))[MIDDLE, MIDDLE] for color in ("red", "blue"))
    assert red.tolist() == [255, 95, 95]
    assert blue.tolist() == [95, 175, 255]


def test_what_differs_is_drawn_differently() -> None:
    colors = ("red", "orange", "yellow", "green", "blue", "purple", "cyan", "magenta")
    carried = ("striped row", "striped column", "wrapped", "sugar", "time")
    cells = [
        Cell(),
        Cell(jelly=1),
        Cell(jelly=2),
        *(Cell(piece="candy", color=color) for color in colors),
        *(Cell(piece=piece, color="red") for piece in carried),
        *(Cell(piece="countdown", color="red", timer=timer) for timer in (1, 9, 10, 99)),
        *(Cell(piece=piece) for piece in ("color bomb", "swirl", "cherry", "hazelnut")),
        *(Cell(blocker="icing", layers=layers) for layers in (1, 2, 5)),
        *(Cell(blocker=blocker) for blocker in ("chocolate", "toffee", "popcorn", "dark chocolate")),
        *(Cell(piece="candy", color="red", blocker=cover) for cover in ("lock", "marmalade")),
    ]
    assert len({drawn(cell).tobytes() for cell in cells}) == len(cells)


def test_exits_and_teleporters_are_marked() -> None:
    plain = drawn_level("r g b\ny o p\nr g b")
    marked = Level.model_validate(
        plain.model_dump(by_alias=True, exclude_defaults=True)
        | {"exits": ["a3"], "teleporters": [{"from": "b1", "to": "c2"}]}
    )
    first, second = (draw_picture(level, plain.cells) for level in (plain, marked))
    differing = (first != second).any(axis=2)
    cells = {(int(row) // CELL_PIXELS, int(column) // CELL_PIXELS) for row, column in np.argwhere(differing)}
    assert cells == {(2, 0), (0, 1), (1, 2)}


def test_a_picture_can_be_drawn_on() -> None:
    """Cells are drawn once and kept; what is handed out is no part of what is kept."""
    level = drawn_level("r g b\ny o p\nr g b")
    first = draw_picture(level, level.cells)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(draw_picture(level, level.cells), kept)
