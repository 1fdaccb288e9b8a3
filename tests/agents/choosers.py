"""Functions that play as agents, for tests."""

from random import Random
from typing import Any

from levelsense.game.game import Game, Move


def lowest(game: Game) -> Move:
    """The lowest legal move."""
    return max(game.legal_moves, key=lambda move: max(move.first, move.second))


def any_move(game: Game, random: Random) -> Move:
    """A legal move, drawn."""
    return random.choice(game.legal_moves)


def greedy_by_trial(game: Game) -> str:
    """The move that scores most when it is tried, as a text; the game that is given is played upon, too."""
    scores = {}
    for move in game.legal_moves:
        trial = game.copy()
        trial.play(move)
        scores[str(move)] = trial.score
    game.play(game.legal_moves[0])
    return max(scores, key=lambda move: scores[move])


class Careful:
    """A function that is an object."""

    def __init__(self, row: int) -> None:
        self.row = row

    def __call__(self, game: Game) -> Move:
        return min(game.legal_moves, key=lambda move: abs(move.first[0] - self.row))

    def method(self, game: Game) -> Move:
        """The same as a method."""
        return self(game)


careful = Careful(3)


def illegal(game: Game) -> str:
    """After two moves, a swap of two cells that are no neighbors."""
    return "a1c3" if game.moves_made == 2 else str(game.legal_moves[0])


def failing(game: Game) -> Move:
    """Fails in its third line."""
    moves = game.legal_moves
    return moves[len(moves)]


def nothing(game: Game) -> Any:
    """Gives no move."""


NUMBER = 3


def of_three(game: Game, one: Any, two: Any) -> Move:
    """Takes too many arguments."""
    raise NotImplementedError
