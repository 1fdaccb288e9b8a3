"""Positions with other colors and mirrored: as if they had been drawn so."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsense.game.state import COLOR_NAMES, HIGHEST_COLOR
from levelsense.learning.symmetries import Batch, draw_symmetries, transformed
from tests.game.drawn import rows
from tests.learning.test_boards import boards_of, drawn_positions

# Legal are c1c2 and the swap of the striped candies; beside them lie one of each kind that has a color,
# jelly, covers, a swirl and a hole.
BOARD = """
    r   r  o  p'  b
    c   y  r  c   -
    pM  p  m+ cL  y''
    g=  y| b  o7  S
"""
WIDE = "\n".join(" ".join([*row, *"----"]) for row in rows(BOARD))
LETTERS = [name[0] for name in COLOR_NAMES]
AS_THEY_ARE = np.arange(HIGHEST_COLOR)


def mirrored(board: str) -> str:
    return "\n".join(" ".join(reversed(row)) for row in rows(board))


def recolored(board: str, colors: NDArray[np.int64]) -> str:
    """A board whose candies of color number colors[k] are drawn with color number k."""
    seen = {LETTERS[color]: LETTERS[k] for k, color in enumerate(colors)}
    return "\n".join(
        " ".join(seen.get(token[0], token[0]) + token[1:] for token in row) for row in rows(board)
    )


def batch_of(board: str, move: str, **keys: Any) -> Batch:
    return boards_of(drawn_positions(move, board=board, **keys)[1]).batch(np.arange(1))


def changed(batch: Batch, width: int = 0, colors: NDArray[np.int64] = AS_THEY_ARE) -> Batch:
    """A batch of one position, mirrored if a width is given, with other colors."""
    return transformed(batch, np.array([width]), colors[None])


def are_same(batch: Batch, other: Batch) -> bool:
    return all(np.array_equal(part, same) for part, same in zip(batch, other, strict=True))


def test_a_mirrored_position_is_that_of_the_mirrored_board() -> None:
    for move, seen_as in (("c1c2", "c1c2"), ("a4b4", "e4d4"), ("b4a4", "d4e4")):
        batch, other = batch_of(BOARD, move), batch_of(mirrored(BOARD), seen_as)
        assert batch[1].sum() == 2
        assert not are_same(batch, other)
        assert are_same(changed(batch, 5), other)
        assert are_same(changed(other, 5), batch)
        assert are_same(changed(batch), batch)


def test_a_board_is_mirrored_within_itself() -> None:
    """One as wide as the planes is mirrored over all of them; a narrower one stays at their left."""
    batch, other = batch_of(WIDE, "c1c2"), batch_of(mirrored(WIDE), "g1g2")
    assert are_same(changed(batch, 9), other)
    assert are_same(changed(other, 9), batch)


def test_a_recolored_position_is_that_of_the_recolored_board() -> None:
    colors = np.array([3, 0, 7, 1, 6, 2, 5, 4])
    first, second = COLOR_NAMES[colors[0]], COLOR_NAMES[colors[5]]  # seen as the first and the sixth color
    asked = {"score": 1_000, "orders": {first: 3, second: 5, "wrapped": 2}}
    seen = {"score": 1_000, "orders": {COLOR_NAMES[0]: 3, COLOR_NAMES[5]: 5, "wrapped": 2}}
    batch = batch_of(BOARD, "c1c2", goals=asked)
    other = batch_of(recolored(BOARD, colors), "c1c2", goals=seen)
    assert not are_same(batch, other)
    assert are_same(changed(batch, colors=colors), other)
    both = batch_of(mirrored(recolored(BOARD, colors)), "c1c2", goals=seen)
    assert are_same(changed(batch, 5, colors), both)


def test_all_ways_are_equally_likely() -> None:
    count = 4_000
    boards = boards_of(drawn_positions(*["a4b4"] * count, board=BOARD)[1])
    batch = boards.batch(np.arange(count))
    planes, _, swaps = draw_symmetries(batch, boards.widths(np.arange(count)), np.random.default_rng(1))
    (mirrored_swap,) = changed(batch_of(BOARD, "a4b4"), 5)[2]
    was_mirrored = swaps == mirrored_swap
    assert abs(was_mirrored.mean() - 0.5) < 0.03
    for corner in np.where(was_mirrored, 4, 0), np.where(was_mirrored, 0, 4):
        number, color = np.nonzero(planes[np.arange(count), :HIGHEST_COLOR, 0, corner])
        assert number.tolist() == list(range(count))
        shares = np.bincount(color, minlength=HIGHEST_COLOR) / count
        assert np.abs(shares - 1 / HIGHEST_COLOR).max() < 0.03
