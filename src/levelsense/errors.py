"""The errors that levelsense raises for a caller to catch, all of them from one root.

LevelsenseError
+-- LevelError          a level file is wrong: one sentence a problem
+-- IllegalMoveError    a move that the rules refuse (also a ValueError)
+-- PositionError       a position text that is wrong (also a ValueError)
+-- AgentError          an agent's spec that is wrong, or a choice that it cannot make (also a ValueError)
+-- PlaytestError       a playtest that cannot be run as asked (also a ValueError)
+-- StoreError          a database that cannot be opened, read or written
+-- PlayersError        players' results that cannot be read or made as asked: one sentence a problem
|                       (also a ValueError)
+-- PredictionError     a model that cannot be fitted or asked (also a ValueError)
+-- SagaError           a saga that cannot be generated or written as asked (also a ValueError)
+-- OutputError         a file that cannot be written
"""

from collections.abc import Iterable


class LevelsenseError(Exception):
    """Root of the errors of levelsense; its text is a sentence for the user."""


class LevelError(LevelsenseError):
    """A level that cannot be played as written; `problems` holds a sentence for each thing wrong with it.

    It is not a ValueError, because Pydantic takes those for its own and would reword them.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


class IllegalMoveError(LevelsenseError, ValueError):
    """A move that the rules refuse; `move` is the offending move, and the game is unchanged."""

    def __init__(self, move: object, reason: str = "not a legal move") -> None:
        self.move = move
        self.reason = reason
        super().__init__(move, reason)

    def __str__(self) -> str:
        return f"{self.move}: {self.reason}"


class PositionError(LevelsenseError, ValueError):
    """A text that does not describe a position of the level."""


class AgentError(LevelsenseError, ValueError):
    """A spec that names no agent or sets it wrongly, or an agent asked to choose where there is no move."""


class PlaytestError(LevelsenseError, ValueError):
    """A playtest that cannot be run as it was asked for."""


class StoreError(LevelsenseError):
    """A database that cannot be opened, read or written."""


class PlayersError(LevelsenseError, ValueError):
    """Players' results that cannot be read, or simulated players that cannot be made as asked for.

    `problems` holds a sentence for each thing wrong.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__(self.problems)

    def __str__(self) -> str:
        return "\n".join(self.problems)


class PredictionError(LevelsenseError, ValueError):
    """A model that cannot be fitted to what it was given, or asked about it."""


class SagaError(LevelsenseError, ValueError):
    """A saga of levels that cannot be generated or written as it was asked for."""


class OutputError(LevelsenseError):
    """A file that cannot be written; what was there before is still there."""
