"""The errors that levelsense raises, and the replacement of control characters in texts from outside.

LevelsenseError
+-- LevelError          a level file is wrong: one sentence a problem
+-- IllegalMoveError    a move that the rules refuse (also a ValueError)
+-- PositionError       a position text that is wrong (also a ValueError)
+-- AgentError          an agent's spec that is wrong, or a choice that it cannot make (also a ValueError)
|   +-- ChooserError    a function of one's own that fails, or that chooses what is no legal move
+-- PlaytestError       a playtest that cannot be run as asked (also a ValueError)
+-- StoreError          a database that cannot be opened, read or written
+-- PlayersError        players' results that cannot be read or made as asked: one sentence a problem
|                       (also a ValueError)
+-- PredictionError     a model that cannot be fitted or asked (also a ValueError)
+-- TrainingError       a learned agent that cannot be trained as asked (also a ValueError)
+-- SagaError           a saga that cannot be generated or written as asked (also a ValueError)
+-- StudyError          a study that cannot be run as asked (also a ValueError)
+-- StudioError         a studio that cannot be started as asked (also a ValueError)
+-- OutputError         a file that cannot be written
+-- StoppedError        an action that was stopped before its end; what was played is kept

CacheWarning            the cache cannot be used or was damaged: everything works, and takes its time
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


class LevelsenseError(Exception):
    """Root of the errors of levelsense; its text is a sentence for the user.

    `excerpt` shows the line of a file that is wrong, with a caret below; it is empty if there is none.
    An argument of the call is named in backquotes, as `cohort`; the command line puts its option there.
    """

    excerpt: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each thing wrong, without the excerpt."""
        return (str(self),)

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The sentences, each with the excerpt that belongs below it, or an empty text."""
        *others, last = self.sentences
        return (*((sentence, "") for sentence in others), (last, self.excerpt))


@dataclass(frozen=True)
class LevelProblem:
    """A thing that is wrong with a level file.

    source   the file or what else the level was given as; empty if the words say it
    words    what is wrong and what was expected
    code     the kind of problem, for programs; docs/levels.md lists the codes
    line     of the file, from 1, with the column if the problem is at a letter; None if there is no text
    cell     the name of the cell, if it is about one
    excerpt  the line of the file with a caret below, if the file is no JSON
    """

    words: str
    source: str = ""
    code: str = "unreadable"
    line: int | None = None
    column: int | None = None
    cell: str | None = None
    excerpt: str = ""

    @property
    def sentence(self) -> str:
        """The problem with the file and the line: `mine.json: line 9: board, b3: unknown token 'q'; ...`."""
        column = "" if self.column is None else f", column {self.column}"
        line = "" if self.line is None else f"line {self.line}{column}: "
        return f"{self.source}: {line}{self.words}" if self.source else f"{line}{self.words}"


class LevelError(LevelsenseError):
    """A level that cannot be played as written; `details` holds a LevelProblem for each thing wrong with it.

    `problems` are their sentences. It is not a ValueError, because Pydantic takes those for its own and would
    reword them.
    """

    def __init__(self, problems: "str | Iterable[str | LevelProblem]") -> None:
        given = (problems,) if isinstance(problems, str) else problems
        self.details = tuple(LevelProblem(part) if isinstance(part, str) else part for part in given)
        super().__init__(self.details)

    def __str__(self) -> str:
        return "\n".join(text for part in self.parts for text in part if text)

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each thing wrong."""
        return tuple(detail.sentence for detail in self.details)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The problems."""
        return self.problems

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Each problem with its excerpt."""
        return tuple((detail.sentence, detail.excerpt) for detail in self.details)


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


class ChooserError(AgentError):
    """A function that plays as an agent and fails, or gives no legal move; `agent` is its spec.

    `position` is the text of the position, which `Game.parse` reads; `excerpt` shows what is wrong where.
    """

    def __init__(self, agent: str, problem: str, position: str, excerpt: str) -> None:
        self.agent, self.problem, self.position, self.excerpt = agent, problem, position, excerpt
        super().__init__(agent, problem, position, excerpt)

    def __str__(self) -> str:
        return "\n".join([*self.sentences, self.excerpt])

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the agent did wrong, and where."""
        return (f"{self.agent}: {self.problem}",)


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

    @property
    def sentences(self) -> tuple[str, ...]:
        """The problems."""
        return self.problems


class PredictionError(LevelsenseError, ValueError):
    """A model that cannot be fitted to its data, or cannot predict from it."""

    def __init__(self, problem: str, excerpt: str = "") -> None:
        self.problem = problem
        self.excerpt = excerpt
        super().__init__(problem, excerpt)

    def __str__(self) -> str:
        return f"{self.problem}\n{self.excerpt}" if self.excerpt else self.problem

    @property
    def sentences(self) -> tuple[str, ...]:
        """The problem."""
        return (self.problem,)


class TrainingError(LevelsenseError, ValueError):
    """A learned agent that cannot be trained on the moves or with the settings that were given."""


class SagaError(LevelsenseError, ValueError):
    """A saga of levels that cannot be generated or written as it was asked for."""


class StudyError(LevelsenseError, ValueError):
    """A study that there is not, that cannot be run with the file given, or go on in the folder given."""


class StudioError(LevelsenseError, ValueError):
    """A studio that cannot be started as asked, such as on a port that is taken."""


class OutputError(LevelsenseError):
    """A file that cannot be written; what was there before is still there."""

    def __init__(self, path: object, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(path, problem)

    def __str__(self) -> str:
        return f"{self.path}: {self.problem}"


class StoppedError(LevelsenseError):
    """An action that was stopped before its end; what was played until then is kept in the database."""

    def __init__(self) -> None:
        super().__init__("stopped before the end; what was played is kept")


class CacheWarning(UserWarning):
    """The cache of compiled code cannot be used as it should; results are the same, and take longer."""


_NEW_LINE: Final = "\n"
# Unicode has symbols for the first 32 controls, and for DEL.
_PICTURES: Final = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_REPLACEMENT: Final = "\ufffd"
# Cc: controls; Cs: halves of pairs, which stand for bytes of file names that are no UTF-8; Zl, Zp: line ends.
_UNSAFE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Controls of the direction of text, by which a name can look like another.
_TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str, *, lines: bool = False) -> str:
    """The text with a visible symbol for each control character, which terminals or pages would interpret.

    There are as many characters as before. With `lines`, line feeds stay.
    """
    if text.isprintable() and not _TURNING.intersection(text):
        return text
    return "".join(
        letter if lines and letter == _NEW_LINE else _picture(letter) if _is_unsafe(letter) else letter
        for letter in text
    )


def is_text(text: str) -> bool:
    """Whether a text can be encoded as UTF-8: arguments of a command with other bytes cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_unsafe(letter: str) -> bool:
    return letter in _TURNING or unicodedata.category(letter) in _UNSAFE


def _picture(letter: str) -> str:
    return _PICTURES.get(ord(letter), _REPLACEMENT)
