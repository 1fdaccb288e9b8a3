"""H1 and H2 of McAdams, section IV: by hand on drawn boards, and H2 against a slow second one."""

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from levelsense.agents.beam_heuristics import H1, H2, WIN, h1, h2, mean_row, node_value, potential
from levelsense.errors import LevelsenseError
from levelsense.game.game import Game, Move
from levelsense.game.record import level_record
from levelsense.level.level import Level
from levelsense.level.tokens import Cell
from levelsense.rng import below, new_rng
from tests.game.drawn import position
from tests.random_levels import random_level

# Three rows, four columns; no neighbors are alike but those of a test, which take the place of A and B.
# Of red, yellow, green and blue there are two, of o and p one each.
FIELD = """
    A B y o
    g b p r
    r y g b
"""
ROWS, COLUMNS = 3, 4
ITSELF, GREENS, YELLOWS = 1, 2, 2  # of a color bomb at A or B: it goes with its best neighbor's color


def promise(drawing: str, seed: int = 0) -> float:
    game = position(drawing)
    return potential(level_record(game.level).level, game.state, new_rng(seed))


@pytest.mark.parametrize(
    ("pair", "pieces"),
    [
        ("r r", 1),
        ("r o", 0),
        ("r~ r@", 1),
        ("r= r", COLUMNS / 3),
        ("r| r", ROWS / 3),
        ("r= o", 0),
        ("r r=", COLUMNS / 3),
        ("r r|", ROWS / 3),
        ("r= r|", ROWS + COLUMNS),
        ("r= o|", ROWS + COLUMNS),
        ("r o=", 0),
        ("* r", 3 + ITSELF),  # the best of its neighbors: of red there are three, of green below it two
        ("r *", 3 + ITSELF),
        ("* o", 2 + ITSELF),  # two oranges, two greens
        ("* *", ROWS * COLUMNS),
        ("* S", GREENS + ITSELF),
        ("S S", 0),
    ],
)
def test_what_pairs_are_worth(pair: str, pieces: float) -> None:
    assert promise(FIELD.replace("A B", pair)) == pytest.approx(pieces)


@pytest.mark.parametrize(
    ("pair", "pieces"),
    [
        ("r+ r", 9 / 3),
        ("r+ o", 0),
        ("r+ o+", ROWS * COLUMNS),  # 30 on a board that has so many
        ("r+ o=", 3 * ROWS + 3 * COLUMNS - 9),
        ("r| o+", 3 * ROWS + 3 * COLUMNS - 9),
        ("r r+", 9 / 3),
        ("* r+", 3 * 9 + ITSELF),
        ("r+ *", 3 * 9 + ITSELF),
    ],
)
def test_wrapped_candies_beyond_the_paper(pair: str, pieces: float) -> None:
    assert promise(FIELD.replace("A B", pair)) == pytest.approx(pieces)


@pytest.mark.parametrize(
    ("pair", "pieces"),
    [
        ("rL r", 1),
        ("rM r", 0),
        ("r=L r", 1),
        ("r= rL", COLUMNS / 3),
        ("r=L r=", COLUMNS / 3),
        ("r r=L", 1),
        ("*L r", 0),
        ("* rL", GREENS + ITSELF),
        ("* *L", GREENS + ITSELF),
        ("rL *", YELLOWS + ITSELF),
    ],
)
def test_under_a_blocker_only_the_color_counts(pair: str, pieces: float) -> None:
    assert promise(FIELD.replace("A B", pair)) == pytest.approx(pieces)


def test_two_wrapped_candies_on_a_large_board() -> None:
    board = "\n".join(" ".join("oypc"[(row + 2 * column) % 4] for column in range(6)) for row in range(6))
    assert promise(board) == 0
    assert promise("r+ b+" + board.strip()[3:]) == 30


@pytest.mark.parametrize("pair", ["* r=", "r| *"])
def test_a_color_bomb_with_a_striped_candy_draws_directions(pair: str) -> None:
    """All three red candies are striped at random then: a row of four pieces or a column of three each."""
    promises = {promise(FIELD.replace("A B", pair), seed) - ITSELF for seed in range(60)}
    assert promises == {9, 10, 11, 12}


def test_pairs_on_top_of_each_other() -> None:
    """The red stripe counts to the right (4/3) and downwards (4/3), the plain pair of greens once."""
    board = """
        r= r y o
        r  b p g
        y  p b g
    """
    assert promise(board) == pytest.approx(4 / 3 + 4 / 3 + 1)


def test_h1_is_the_score_over_the_moves() -> None:
    game = position(FIELD.replace("A B", "r r"), "score: 42\nplayed: 6")
    assert h1(game.state) == 7


@pytest.mark.parametrize(("scoring", "points"), [("pieces", 1), ("saga", 20), ("quadratic", 20)])
def test_h2_adds_what_was_scored_and_what_the_board_promises(scoring: str, points: int) -> None:
    game = position(FIELD.replace("A B", "r= o|"), "score: 42", scoring=scoring)
    assert h2(level_record(game.level).level, game.state, new_rng(0), 30, 20) == 12 + 7 * points


def test_when_the_attempt_is_over_only_score_matters() -> None:
    """And it is that since the game's position, which all of the last nodes share."""
    game = position(FIELD.replace("A B", "r= o|"), "score: 42\nstatus: lost (moves)\nmoves: 0")
    assert h2(level_record(game.level).level, game.state, new_rng(0), 30, 20) == 22


def test_winning_beats_everything() -> None:
    drawing = FIELD.replace("A B", "r o")
    won = position(drawing, "score: 3\nplayed: 3\nstatus: won (goals met)", goals={"score": 3})
    level = level_record(won.level).level
    assert node_value(level, won.state, new_rng(0), 0, 0, H1) == WIN + 1
    assert node_value(level, won.state, new_rng(0), 0, 0, H2) == WIN + 3


STRIPED = ("striped row", "striped column")


def usable(cell: Cell) -> str:
    """The special that can be swapped in a cell; all else is plain."""
    is_special = cell.piece in (*STRIPED, "wrapped", "color bomb")
    return cell.piece if is_special and cell.piece and cell.blocker is None else "plain"


def slow_bomb(rows: int, columns: int, cells: Sequence[Cell], other: Cell, directions: Any) -> int:
    """What a color bomb clears with a neighbor, by section IV, B, with wrapped candies."""
    if other.color is None or other.blocker is not None:
        return 0
    shown = [cell for cell in cells if cell.blocker != "marmalade"]
    alike = sum(cell.color == other.color for cell in shown)
    if usable(other) in STRIPED:
        return sum((columns, rows)[below(directions, 2)] for _ in range(alike))
    return 9 * alike if usable(other) == "wrapped" else alike


def slow_pair(rows: int, columns: int, first: Cell, second: Cell) -> float:
    """A pair of neighbors; which of them is left or above does not matter."""
    is_shown = "marmalade" not in (first.blocker, second.blocker)
    alike = is_shown and first.color is not None and first.color == second.color
    kinds = [usable(first), usable(second)]
    if "color bomb" in kinds:
        return rows * columns if kinds == ["color bomb"] * 2 else 0
    if "plain" not in kinds:
        if kinds == ["wrapped"] * 2:
            return min(30, rows * columns)
        return 3 * (rows + columns) - 9 if "wrapped" in kinds else rows + columns
    special = "".join(kind for kind in kinds if kind != "plain")
    worth = {"": 1, "striped row": columns / 3, "striped column": rows / 3, "wrapped": 3}[special]
    return worth if alike else 0


def slow_potential(game: Game, directions: Any) -> float:
    rows, columns, cells = game.level.rows, game.level.columns, game.cells
    total = 0.0
    for row, column in product(range(rows), range(columns)):
        one = row * columns + column
        beside = [
            (row + down, column + right)
            for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0))
            if 0 <= row + down < rows and 0 <= column + right < columns
        ]
        neighbors = [r * columns + c for r, c in beside]
        total += sum(slow_pair(rows, columns, cells[one], cells[two]) for two in neighbors if two > one)
        if usable(cells[one]) != "color bomb":
            continue
        values = []
        for two in neighbors:  # one by one: those behind a second bomb draw nothing
            if usable(cells[two]) == "color bomb":
                break
            values.append(slow_bomb(rows, columns, cells, cells[two], directions))
        else:
            total += max(values) + 1
    return total


def random_positions(count: int, seed: int) -> list[Game]:
    rng = random.Random(seed)
    games: list[Game] = []
    while len(games) < count:
        try:
            game = Game(Level.model_validate(random_level(rng)), rng.getrandbits(64))
        except LevelsenseError:
            continue
        for _ in range(rng.randint(0, 8)):
            if game.legal_moves:
                game.play(rng.choice(game.legal_moves))
        games.append(game)
    return games


def test_potential_agrees_with_a_slow_second_one() -> None:
    pieces = set()
    for seed, game in enumerate(random_positions(150, 4)):
        estimate = potential(level_record(game.level).level, game.state, new_rng(seed))
        assert estimate == pytest.approx(slow_potential(game, new_rng(seed))), f"\n{game}"
        pieces |= {cell.piece for cell in game.cells}
    assert pieces >= {"striped row", "striped column", "wrapped", "color bomb", "swirl"}


@pytest.mark.parametrize(
    ("move", "row"),
    [
        ("c1c2", 0),  # three reds in the first row
        ("d3e3", (2 + 3 + 4) / 3),  # three blues in a column
        ("a3b3", (2 + 2 + 2 + 3 + 4) / 5),  # greens in a row and a column, which share one
        ("e4e5", (3 + 4) / 2),  # no line but two specials
    ],
)
def test_how_low_a_move_acts(move: str, row: float) -> None:
    """The mean row, from 0, of the pieces in the lines that the move makes."""
    game = position("""
        r r o b y
        y p r g p
        g y g g b
        b g p b o=
        p g y b r+
    """)
    before = game.state.tobytes()
    mean = mean_row(level_record(game.level).level, game.state, Move.parse(move).code)
    assert mean == pytest.approx(row)
    assert game.state.tobytes() == before
