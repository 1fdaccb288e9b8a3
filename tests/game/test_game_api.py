"""The public class over the kernels: moves, copies, seeds, and turns that tell enough to animate."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from levelsense.errors import IllegalMoveError
from levelsense.game.game import Game, Move
from levelsense.game.turn import Round, Turn
from levelsense.level.level import Level
from levelsense.level.tokens import INGREDIENTS, Cell
from tests.game.drawn import play, position, show
from tests.random_levels import random_level

LEVELS = ["12-locked-up", "45-last-stand", "19-chocolate-box", "30-grand-tour"]
EMPTY = Cell()
SPECIALS = ("striped row", "striped column", "wrapped", "color bomb")


def moved(game: Game, moves: int, seed: int = 0) -> Game:
    """A game after so many random moves."""
    choice = random.Random(seed)
    for _ in range(moves):
        if game.legal_moves:
            game.play(choice.choice(game.legal_moves))
    return game


@pytest.mark.parametrize("name", LEVELS)
def test_an_illegal_move_raises_and_changes_nothing(name: str) -> None:
    game = moved(Game(Level.load(name), seed=5), 2)
    legal = set(game.legal_moves)
    before = game.state.tobytes(), str(game)
    for row in range(game.level.rows):
        for column in range(game.level.columns - 1):
            move = Move((row, column), (row, column + 1))
            if move in legal:
                continue
            with pytest.raises(IllegalMoveError) as caught:
                game.play(move)
            assert caught.value.move == move
    assert (game.state.tobytes(), str(game)) == before


def test_a_move_may_be_given_as_text_in_either_order() -> None:
    board = "b r y\nr g r\ny b o"
    texts = [position(board).play(move).move for move in ("b1b2", "b2b1", Move((0, 1), (1, 1)))]
    assert texts == ["b1b2"] * 3


@pytest.mark.parametrize("name", LEVELS)
def test_a_copy_is_independent_and_has_the_same_future(name: str) -> None:
    game = moved(Game(Level.load(name), seed=5), 2)
    before = str(game)
    twin = game.copy()
    moved(twin, 3)
    assert str(game) == before
    assert str(twin) != before
    moved(game, 3)
    assert str(game) == str(twin)


@pytest.mark.parametrize("name", LEVELS)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    level = Level.load(name)
    games = [moved(Game(level, seed=9), 3) for _ in range(2)]
    assert str(games[0]) == str(games[1])
    assert str(moved(Game(level, seed=10), 3)) != str(games[0])


def test_cells_tell_what_is_there() -> None:
    game = position("b r=L y''\n- g+ r7\ny * #2'")
    assert game.cells == (
        Cell(piece="candy", color="blue"),
        Cell(piece="striped row", color="red", blocker="lock"),
        Cell(piece="candy", color="yellow", jelly=2),
        Cell(tile=False),
        Cell(piece="wrapped", color="green"),
        Cell(piece="countdown", color="red", timer=7),
        Cell(piece="candy", color="yellow"),
        Cell(piece="color bomb"),
        Cell(blocker="icing", layers=2, jelly=1),
    )


# What a turn tells


def test_a_turn_tells_its_rounds() -> None:
    played = show(
        """
        before      swapped     cleared      settled
        y b r g     y b b g     y b b  g     S S b  S
        r r b r     r r r r     : : r| :     y b r| g
        o y g b     o y g b     o y g  b     o y g  b
        """,
        "c1c2",
    )
    (only,) = played.turn.rounds
    assert played.turn.move == "c1c2"
    assert (only.number, only.score, only.collected) == (1, 120, ())
    assert only.cleared == (4, 5, 6, 7)
    assert only.made == (6,)
    assert set(only.fallen) == {(0, 4), (1, 5), (3, 7)}
    assert only.dropped == (0, 1, 3)
    assert (played.turn.score, played.turn.bonus) == (120, ())


def test_a_special_made_in_the_place_of_an_equal_one_is_told_too() -> None:
    played = show(
        """
        before       cleared
        y b r| g     y b :  g
        r r b  r     : : r| :
        o y g  b     o y :  b
        """,
        "c1c2",
    )
    assert played.turn.rounds[0].made == (6,)
    assert 6 in played.turn.rounds[0].cleared


def test_layers_that_go_are_told_as_cleared() -> None:
    played = play(position("o r p\nr b r\nyM #3 c''"), "b1b2")
    assert played.turn.rounds[0].cleared == (3, 4, 5, 6, 7)


def content(cell: Cell) -> tuple[str | None, str | None, int]:
    """What falls: a piece with its color and number."""
    return cell.piece, cell.color, cell.timer


def without_piece(cell: Cell) -> Cell:
    return replace(cell, piece=None, color=None, timer=0)


def replay_clearing(before: tuple[Cell, ...], one_round: Round) -> None:
    """Fails unless the board changed in the cells that are told, and only in them."""
    for k, (old, new) in enumerate(zip(before, one_round.cleared_board, strict=True)):
        assert old == new or k in one_round.cleared, f"cell {k} changed untold"
        assert old != new or k not in one_round.cleared or k in one_round.made, f"cell {k} did not change"
    assert set(one_round.made) <= set(one_round.cleared)


def replay_falling(one_round: Round) -> None:
    """Fails unless the settled board follows from the cleared one by falls, drops and what was collected."""
    board = [content(cell) for cell in one_round.cleared_board]
    falling = [board[fall.source] for fall in one_round.fallen]
    filled = {fall.target for fall in one_round.fallen} | set(one_round.dropped)
    for fall in one_round.fallen:
        board[fall.source] = content(EMPTY)
    for k, (piece, _, _) in enumerate(board):
        if piece in INGREDIENTS and (k in filled or one_round.after[k].piece is None):
            assert piece in one_round.collected
            board[k] = content(EMPTY)
    assert {board[k] for k in filled} <= {content(EMPTY)}, "a piece came to rest on another"
    for fall, piece_content in zip(one_round.fallen, falling, strict=True):
        board[fall.target] = piece_content
    for k in one_round.dropped:
        board[k] = content(one_round.after[k])
    assert board == [content(cell) for cell in one_round.after]
    assert list(map(without_piece, one_round.cleared_board)) == list(map(without_piece, one_round.after))


def replay_swap(level: Level, before: tuple[Cell, ...], turn: Turn) -> None:
    """Fails unless the two pieces of the move, and only they, have changed places."""
    first, second = (row * level.columns + column for row, column in Move.parse(turn.move))
    assert content(turn.swapped[first]) == content(before[second])
    assert content(turn.swapped[second]) == content(before[first])
    others = [k for k in range(len(before)) if k not in (first, second) and before[k] != turn.swapped[k]]
    # A color bomb turns candies into specials of the other piece's kind.
    assert not others or "color bomb" in (before[first].piece, before[second].piece)


def remaining_moves(turn: Turn) -> int:
    """How many cascades of a bonus are remaining moves: specials go off first, up to 50 times."""
    blasts = 0
    for before, _ in pairwise((turn.rounds, *turn.bonus)):
        specials = [cell for cell in before[-1].after if cell.blocker is None and cell.piece in SPECIALS]
        blasts += bool(specials) and blasts < 50
    return len(turn.bonus) - blasts


def replay_turn(level: Level, before: tuple[Cell, ...], turn: Turn) -> tuple[Cell, ...]:
    """The last board that a turn tells of, each one having been made from the one before."""
    replay_swap(level, before, turn)
    board = turn.swapped
    for cascade in (turn.rounds, *turn.bonus):
        assert [one_round.number for one_round in cascade] == list(range(1, len(cascade) + 1))
        for one_round in cascade:
            replay_clearing(board, one_round)
            replay_falling(one_round)
            board = one_round.after
    bonus = 3_000 * remaining_moves(turn) if level.scoring_scheme == "saga" else 0
    assert turn.score == bonus + sum(
        one_round.score for cascade in (turn.rounds, *turn.bonus) for one_round in cascade
    )
    return board


def play_and_replay(level: Level, seed: int, most_moves: int) -> None:
    game, choice = Game(level, seed), random.Random(seed)
    for _ in range(most_moves):
        if not game.legal_moves:
            return
        before = game.cells
        turn = game.play(choice.choice(game.legal_moves))
        last = replay_turn(level, before, turn)
        if not turn.after:
            assert [replace(cell, timer=0) for cell in last] == [
                replace(cell, timer=0) for cell in game.cells
            ]


@pytest.mark.parametrize("name", LEVELS)
def test_the_boards_of_a_turn_follow_from_what_it_tells(name: str) -> None:
    play_and_replay(Level.load(name), seed=1, most_moves=5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_boards_of_a_turn_follow_from_what_it_tells_on_random_levels(seed: int) -> None:
    play_and_replay(Level.model_validate(random_level(random.Random(seed))), seed, most_moves=12)
