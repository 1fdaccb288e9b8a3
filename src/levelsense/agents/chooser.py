"""Agents of one's own: a Python function that is given a game and chooses a move.

It plays in the same loop as all others. It is given a copy of the position, with a future of its own, so that
it cannot see what will fall in; and what it gives is checked.
"""

import inspect
import re
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from levelsense.agents.registry import Agent, Family
from levelsense.errors import AgentError, ChooserError, printable

if TYPE_CHECKING:
    from levelsense.agents.attempt import AgentKernels
    from levelsense.game.game import Game, Move
    from levelsense.game.state import Array, LevelRecord, Moves, States, Work
    from levelsense.level.level import Level
    from levelsense.rng import Rng

Chooser = Callable[..., "Move | str"]  # of the game or, if it takes two arguments, of the game and a Random

_OWN: Final = Family(
    "own", "A Python function of one's own, written module:name.", "levelsense.agents.chooser:kernels"
)
_DIGEST: Final = re.compile(r"@[0-9a-f]{12}$")

# Functions that no import gives, such as those of a notebook, by the specs of their agents.
_known_here: dict[str, Chooser] = {}


def from_chooser(function: Chooser, *, name: str | None = None, version: str | None = None) -> "ChooserAgent":
    """The agent that plays what a function chooses.

    The function takes a Game, which is its own, and gives one of its legal moves, as a Move or as a text such
    as "c4d4". If it takes two arguments, the second is a `random.Random` started anew for each choice from
    the attempt's seed. It is never called on two threads at once.

    The agent is called by `name`, or else by the function's module and name, and by a digest of its code, so
    that attempts of changed code are told apart. `version` stands for what the digest cannot know, such as a
    network that the function holds: AgentError if there is such and no version.
    """
    from levelsense.agents.identity import chooser_digest

    label = name or _label(function)
    if not callable(function):
        raise AgentError(f"{label}: {function!r:.60}; expected a function that takes a game and gives a move")
    _wants_random(function, label)
    if not re.fullmatch(r"[\w.<>]+(:[\w.<>]+)?", label):
        raise AgentError(f"`name` {label!r}: expected letters, digits, _ and ., as in bots:careful")
    spec = f"{label if ':' in label else f'own:{label}'}@{chooser_digest(function, version)}"
    _known_here[spec] = function
    return ChooserAgent(_OWN, MappingProxyType({"chooser": spec}))


def _label(function: Chooser) -> str:
    kind = function if hasattr(function, "__qualname__") else type(function)
    return f"{kind.__module__}:{kind.__qualname__}"


def find_chooser(spec: str) -> "ChooserAgent":
    """The agent of a spec `module:name` or `module:name@digest`: the function is imported if need be.

    The working folder is looked into, too. AgentError if there is no such function, if it cannot be imported,
    or if its code has another digest.
    """
    if spec in _known_here:
        return ChooserAgent(_OWN, MappingProxyType({"chooser": spec}))
    reference = _DIGEST.sub("", spec)
    module, _, name = reference.partition(":")
    function: Any = _imported(module, reference)
    for part in name.split("."):
        if not hasattr(function, part):
            place = getattr(function, "__file__", module)
            raise AgentError(f"{reference}: there is no {part} in {place}; expected the name of a function")
        function = getattr(function, part)
    agent = from_chooser(function, name=reference)
    if spec != reference and agent.spec != spec:
        raise AgentError(f"{spec}: its code has another digest by now, {agent.spec.rpartition('@')[2]}")
    return agent


def _imported(module: str, reference: str) -> Any:
    """A module, also one in the working folder; AgentError if it cannot be imported."""
    folder = str(Path.cwd())
    sys.path.insert(0, folder)
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            raise AgentError(
                f"{reference}: no agent is called {module}, and there is no Python module of that name, "
                f"neither in {folder} nor installed; `levelsense agents` lists agents"
            ) from None
        raise _unimportable(reference, error) from error
    except (Exception, SystemExit) as error:
        raise _unimportable(reference, error) from error
    finally:
        # Last from now on: what the function imports later is found, and no file there hides a library.
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)


def _unimportable(reference: str, error: BaseException) -> AgentError:
    return AgentError(f"{reference}: its module cannot be imported: {_failure_words(error)[0]}")


def _failure_words(error: BaseException) -> tuple[str, str]:
    """An exception in words with the line of one's own code that it comes from, and that line itself."""
    reason = str(error).strip().partition("\n")[0]
    what = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
    if isinstance(error, SyntaxError) and error.filename:
        return f"{what.split(' (')[0]} ({Path(error.filename).name}, line {error.lineno})", ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_ones_own(frame.filename)]
    if not frames:
        return what, ""
    last = frames[-1]
    line = f"  {last.lineno} | {printable(last.line)}" if last.line else ""
    return f"{what} ({Path(last.filename).name}, line {last.lineno})", line


def _is_ones_own(filename: str) -> bool:
    """Whether a file of code is the user's: neither Python's, levelsense's nor another package's."""
    from levelsense.agents.identity import is_in_installed_folder

    return not filename.startswith("<frozen") and not is_in_installed_folder(filename)


class ChooserAgent(Agent):
    """An agent whose moves a Python function chooses. It has no options and no values of moves."""

    @cached_property
    def spec(self) -> str:
        """`module:name@digest`, where the digest is that of the function's code."""
        return str(self.options["chooser"])

    @property
    def codes(self) -> list[float]:
        """None: kernels get no options."""
        return []


@dataclass
class _Seat:
    """What a function plays with: its agent's name, and the level."""

    spec: str
    function: Chooser
    wants_random: bool
    level: "Level"

    def choose(self, state: Any, rng: "Rng") -> int:
        """The number of the move that the function chooses at a state; ChooserError if it gives no move."""
        from levelsense.game.game import Game
        from levelsense.rng import next_word

        game = Game.at(self.level, state, int(next_word(rng)))
        legal = {move: move.code for move in game.legal_moves}
        given = (game.copy(), Random(int(next_word(rng)))) if self.wants_random else (game.copy(),)
        try:
            chosen = self.function(*given)
        except (Exception, SystemExit) as error:
            what, line = _failure_words(error)
            raise self._failure(game, f"failed {_where(game)}: {what}", line) from error
        move = _as_move(chosen)
        if move in legal:
            return legal[move]
        if move is not None and move.reversed in legal:
            return legal[move.reversed]
        shown = str(move) if move is not None else printable(repr(chosen))[:60]
        problem = f"chose {shown} {_where(game)}; expected one of the {len(legal)} legal moves"
        raise self._failure(game, problem, printable(str(game), lines=True))

    def _failure(self, game: "Game", problem: str, excerpt: str) -> ChooserError:
        return ChooserError(self.spec, problem, str(game), excerpt)


def _where(game: "Game") -> str:
    return f"at move {game.moves_made + 1} of an attempt at {printable(game.level.name)!r}"


def _as_move(chosen: Any) -> "Move | None":
    """The move that a function means: a Move, its text, or two cells; None if it is nothing like a move."""
    from levelsense.errors import IllegalMoveError
    from levelsense.game.game import Move

    try:
        if isinstance(chosen, str):
            return Move.parse(chosen)
        (row, column), (other_row, other_column) = chosen
        return Move((int(row), int(column)), (int(other_row), int(other_column)))
    except (IllegalMoveError, TypeError, ValueError):
        return None


def _choose(
    level: "LevelRecord",
    states: "States",
    rng: "Rng",
    work: "Work",
    moves: "Moves",
    memory: _Seat,
    options: "Array",
) -> int:
    from levelsense.agents.attempt import GAME

    return memory.choose(states[GAME], rng)


def _begin(level: "LevelRecord", states: "States", memory: _Seat, options: "Array") -> None:
    """Nothing to prepare."""


def kernels(options: Any) -> "AgentKernels":
    """The functions of this family, plain Python; attempts are played on one thread at a time."""
    from levelsense.agents.attempt import AgentKernels

    spec = str(options["chooser"])
    function = _known_here[spec]
    wants_random = _wants_random(function, spec)
    return AgentKernels(
        "own",
        _choose,
        _begin,
        memory=lambda level: _Seat(spec, function, wants_random, level),
        compiled=False,
        turn=threading.RLock(),
    )


def _wants_random(function: Chooser, name: str) -> bool:
    """Whether a function takes a generator beside the game; AgentError if it takes neither one nor two."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    by_place = [
        part for part in parameters if part.kind in (part.POSITIONAL_ONLY, part.POSITIONAL_OR_KEYWORD)
    ]
    needed = [part for part in by_place if part.default is part.empty]
    keywords = [part for part in parameters if part.kind is part.KEYWORD_ONLY and part.default is part.empty]
    if len(needed) > 2 or not by_place or keywords:
        raise AgentError(f"{name}: expected a function of a game, or of a game and a random.Random")
    return len(needed) == 2
