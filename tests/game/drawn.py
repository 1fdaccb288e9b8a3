"""Boards drawn in tests: a position from a drawing, and the boards of a move compared with drawings.

Tokens are those of a level file, and besides

    rL rM     a candy under a lock, in marmalade        r' r''   a candy on one or two layers of jelly
    :         an empty tile                             ?        whatever may be there
    P PP      a wrapped candy between its two blasts, a large one

Unless a test says otherwise new pieces are swirls: they make no line, and a drawing shows all that happens.
"""

import re
from dataclasses import dataclass
from typing import Any

from levelsense.game.game import Game
from levelsense.game.turn import Turn
from levelsense.level.level import Level
from levelsense.level.tokens import Cell, format_token

Board = list[list[str]]

SWIRLS: list[dict[str, Any]] = [{"piece": "swirl", "rate": 1}]
OUT_OF_REACH = {"score": 1_000_000_000}
GAMMA = 0x9E3779B97F4A7C15
_COVERS = {"L": "lock", "M": "marmalade"}
_PRIMED = {"primed": "P", "large primed": "PP"}


@dataclass(frozen=True)
class Played:
    """A game after a drawn move, what the move did, and the number of random draws it took."""

    game: Game
    turn: Turn
    draws: int


def rows(drawing: str) -> Board:
    """The tokens of one drawn board; a note may follow a row after <-."""
    return [line.partition("<-")[0].split() for line in drawing.splitlines() if line.strip()]


def boards(drawing: str) -> dict[str, Board]:
    """The boards that stand side by side under the titles of the first line; notes may follow after <-."""
    lines = [line.partition("<-")[0] for line in drawing.splitlines() if line.strip()]
    titles = [(match.start(), match[0]) for match in re.finditer(r"\S+(?: \S+)*", lines[0])]
    starts = [start for start, _ in titles] + [10_000]
    return {
        title: [
            [match[0] for match in re.finditer(r"\S+", line) if first <= match.start() < end]
            for line in lines[1:]
            if line.strip()
        ]
        for (first, title), end in zip(titles, starts[1:], strict=True)
    }


def _split(token: str) -> tuple[str, str, str]:
    """A drawn token as those of the board, the locks and the jelly."""
    bare = token.rstrip("'")
    jelly = len(token) - len(bare)
    lock = bare[-1] if len(bare) > 1 and bare[-1] in _COVERS else ""
    board = bare.removesuffix(lock) if lock else bare
    return board, "-" if board == "-" else lock or ".", "-" if board == "-" else str(jelly or ".")


def level_of(board: Board, **keys: Any) -> Level:
    """A level with the cells of a drawn board, its colors left open; `keys` are further keys of its file."""
    parts = [[_split(token) for token in row] for row in board]
    # A color that is left open lets a drawing hold lines, which a level must not.
    tokens = [[re.sub(r"^[roygbpcm:]", ".", token) for token, _, _ in row] for row in parts]
    data: dict[str, Any] = {"name": "drawn", "board": [" ".join(row) for row in tokens], "colors": 8}
    data["jelly"] = [" ".join(jelly for _, _, jelly in row) for row in parts]
    data["locks"] = [" ".join(lock for _, lock, _ in row) for row in parts]
    data |= {"goals": OUT_OF_REACH, "drops": SWIRLS} | ({} if "seconds" in keys else {"moves": 20})
    return Level.model_validate(data | keys)


def position(drawing: str, values: str = "", **keys: Any) -> Game:
    """A game at a drawn board; `values` are lines of the position text, `keys` further keys of the level."""
    board = rows(drawing)
    lines = [values]
    for part, name in enumerate(("board", "locks", "jelly")):
        lines += [f"{name}:", *(" ".join(_split(token)[part] for token in row) for row in board)]
    return Game.parse("\n".join(lines), level_of(board, **keys))


def token(cell: Cell) -> str:
    """A cell as it is drawn here."""
    piece = _PRIMED.get(cell.piece or "") or format_token(cell)
    cover = next((mark for mark, blocker in _COVERS.items() if blocker == cell.blocker), "")
    return piece + cover + "'" * cell.jelly


def draw(level: Level, cells: tuple[Cell, ...]) -> Board:
    """A board as the tokens of a drawing."""
    tokens = [token(cell) for cell in cells]
    return [tokens[k : k + level.columns] for k in range(0, len(tokens), level.columns)]


def text(board: Board) -> str:
    """A drawing of a board, its columns aligned."""
    width = max(len(token) for row in board for token in row)
    return "\n".join(" ".join(token.ljust(width) for token in row).rstrip() for row in board)


def same(actual: Board, drawn: Board) -> bool:
    """Whether a board is as drawn; ? is whatever may be there."""
    return [len(row) for row in actual] == [len(row) for row in drawn] and all(
        want in ("?", have)
        for row, wanted in zip(actual, drawn, strict=True)
        for have, want in zip(row, wanted, strict=True)
    )


def assert_drawn(level: Level, cells: tuple[Cell, ...], drawing: str | Board, title: str = "board") -> None:
    """Fails, with both drawings, unless the cells are as drawn."""
    wanted = rows(drawing) if isinstance(drawing, str) else drawing
    actual = draw(level, cells)
    assert same(actual, wanted), f"{title}:\n{text(actual)}\n\nas drawn in the test:\n{text(wanted)}"


def word(game: Game) -> int:
    """The random word that the next draw starts from."""
    match = re.search(r"^word: (.*)$", str(game), re.MULTILINE)
    assert match is not None
    return int(match[1], 16)


def play(game: Game, move: str) -> Played:
    """Plays a move and counts its random draws."""
    before = word(game)
    turn = game.play(move)
    # The word grows by GAMMA at each draw.
    return Played(game, turn, (word(game) - before) * pow(GAMMA, -1, 2**64) % 2**64)


def _board_titled(played: Played, title: str) -> tuple[Cell, ...]:
    """The board of a move by its title in a drawing: swapped, cleared, settled, cleared 2, ..., after."""
    name, _, number = title.partition(" ")
    if name in ("swapped", "after"):
        return played.turn.swapped if name == "swapped" else played.game.cells
    one_round = played.turn.rounds[int(number or 1) - 1]
    return {"cleared": one_round.cleared_board, "settled": one_round.after}[name]


def show(drawing: str, move: str, values: str = "", **keys: Any) -> Played:
    """Plays a move on the board drawn as `before`; fails unless the boards drawn beside it come about.

    `swapped` is the board before round 1; `cleared` and `settled` are that of round 1 after clearing and
    falling, `cleared 2` that of round 2, and so on; `after` is the board when all is over.
    """
    drawn = boards(drawing)
    played = play(position(text(drawn.pop("before")), values, **keys), move)
    for title, board in drawn.items():
        assert_drawn(played.game.level, _board_titled(played, title), board, title)
    return played
