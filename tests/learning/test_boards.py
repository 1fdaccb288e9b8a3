"""Positions as networks over planes take them: planes, legal swaps, and the swap made."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levelsense.agents.convolution.planes import LEGAL_PLANE, SWAPS, swap_number
from levelsense.errors import TrainingError
from levelsense.game.game import Game, Move
from levelsense.lab import Lab
from levelsense.learning.boards import Boards, encode_boards
from levelsense.learning.corpus import Part, read_corpus
from levelsense.learning.examples import Examples, encode
from levelsense.people.positions import Positions
from levelsense.people.telemetry import read_telemetry
from levelsense.playtest.levels import gather_levels
from tests.agents.test_planes import planes_of
from tests.game.drawn import position
from tests.learning.telemetry import LEVELS
from tests.learning.visits import positions_of

# Two striped candies, whose swap is two moves, and c1c2.
BOARD = """
    r  r  o p
    c  y  r c
    p  o  c y
    g= y| b o
"""


def drawn_positions(*moves: str, board: str = BOARD, **keys: Any) -> tuple[Game, Positions]:
    """A drawn position, once for each move that somebody made there; `keys` are further keys of the level."""
    game = position(board, **keys)
    count = len(moves)
    texts = np.full(count, "")
    return game, Positions(
        game.level,
        "drawn",
        np.repeat(game._states, count),
        np.array([Move.parse(move).code for move in moves], np.int16),
        texts,
        texts,
        texts,
        np.arange(count),
        np.zeros(count, np.int64),
    )


def boards_of(positions: Positions, number: int = 0) -> Boards:
    return encode_boards(positions, number, np.arange(len(positions)))


def test_a_batch_has_planes_legal_swaps_and_the_swap_made() -> None:
    game, positions = drawn_positions("c1c2", "b4a4", "a4b4")
    assert [str(move) for move in game.legal_moves] == ["c1c2", "a4b4", "b4a4"]
    boards = boards_of(positions)
    planes, mask, swaps = boards.batch(np.array([1, 0, 2]))
    assert all((each == planes_of(game)).all() for each in planes)
    legal = {swap_number(Move.parse(move).code) for move in ("c1c2", "a4b4")}
    assert mask.shape == (3, SWAPS)
    assert all(set(np.flatnonzero(row)) == legal for row in mask)
    assert swaps.tolist() == [swap_number(Move.parse(move).code) for move in ("a4b4", "c1c2", "a4b4")]
    assert boards.made.tolist() == [0, 2, 1]


def test_moves_of_one_swap_are_counted_together() -> None:
    boards = boards_of(drawn_positions("c1c2", "b4a4")[1])
    position, swap, moves = boards.swaps(0, 2)
    assert position.tolist() == [0, 0, 0, 1, 1, 1]
    assert moves.tolist() == [1, 2, 2, 1, 2, 2]
    assert swap[1] == swap[2] != swap[0]
    assert boards.swaps(1, 2)[0].tolist() == [0, 0, 0]


def test_positions_and_moves_are_in_the_order_of_the_policys_examples() -> None:
    """One judgement serves both: a probability for each move, and the place of the one made."""
    positions = positions_of("03-open-field")
    boards = boards_of(positions)
    examples = encode(positions, 0, np.arange(len(positions)))
    assert (boards.first == examples.first).all()
    assert (boards.made == examples.made).all()
    assert (boards.moves >= 1).all()


def test_parts_are_joined_and_chosen() -> None:
    first, second = boards_of(positions_of("03-open-field"), 0), boards_of(positions_of("17-pocket-board"), 1)
    both = Boards.joined([first, second])
    assert (len(both), set(both.level)) == (len(first) + len(second), {0, 1})
    of_second = both.chosen(both.level == 1)
    for other in (of_second, both.chosen(np.arange(len(first), len(both)))):
        assert (other.player == second.player).all()
        for part, same in zip(other.batch(np.arange(9)), second.batch(np.arange(9)), strict=True):
            assert (part == same).all()
    assert of_second.batch(np.arange(9))[0][:, LEGAL_PLANE].any()


def test_legal_moves_of_another_engine_are_taken_as_they_are() -> None:
    """Only the two directions of the striped candies are legal there, and listed the other way round."""
    _, positions = drawn_positions("b4a4")
    codes = np.array([Move.parse(move).code for move in ("b4a4", "a4b4")], np.int16)
    boards = boards_of(
        Positions(**{**vars(positions), "own": (codes, np.array([0, 2], np.int64)), "listed": 1})
    )
    planes, mask, _ = boards.batch(np.arange(1))
    assert planes[0, LEGAL_PLANE].sum() == 2
    assert mask.sum() == 1
    assert boards.swaps(0, 1)[2].tolist() == [2, 2]
    assert boards.made.tolist() == [0]


def test_a_corpus_has_the_boards_of_its_examples(tmp_path: Path) -> None:
    """Part by part the same positions; a level that is too large has neither."""
    names = (*LEVELS[:4], "32-long-shelf")
    path = tmp_path / "moves.parquet"
    Lab().simulate(names, players=21, mix="both", seed=3, telemetry=path)
    corpus = read_corpus([read_telemetry(path)], gather_levels(names), planes=True, moves_per_level=60)
    assert set(corpus.examples.level) == {0, 1, 2, 3}
    parts: dict[Part, Examples] = {
        "training": corpus.training,
        "known": corpus.known,
        "validation": corpus.validation,
        "later": corpus.later,
    }
    for part, examples in parts.items():
        boards = corpus.boards_of(part)
        assert len(boards) == len(examples) > 0
        assert (boards.first == examples.first).all()
        assert (boards.made == examples.made).all()
        assert (boards.level == examples.level).all()
        assert (boards.player == examples.player).all()
    assert corpus.ceiling is not None
    at_ceiling = corpus.ceiling.boards
    assert at_ceiling is not None
    assert (at_ceiling.first == corpus.ceiling.examples.first).all()
    assert (at_ceiling.made == corpus.ceiling.examples.made).all()
    plain = read_corpus([read_telemetry(path)], gather_levels(names), moves_per_level=60)
    assert plain.ceiling is not None
    assert plain.ceiling.boards is None
    assert set(plain.examples.level) == {0, 1, 2, 3, 4}
    with pytest.raises(ValueError, match="a corpus without boards"):
        plain.boards_of("training")


def test_boards_larger_than_the_planes_are_refused() -> None:
    with pytest.raises(TrainingError, match="32-long-shelf: a board of 5 rows and 10 columns; expected at"):
        boards_of(positions_of("32-long-shelf", 1))
