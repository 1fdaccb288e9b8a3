"""Ctrl-C in a command that keeps what it has: the first asks it to stop, the next one ends the program."""

import os
import signal
import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Final, NoReturn, Self

from levelsense.terminal.screen import note

INTERRUPTED: Final = 128 + signal.SIGINT
_CURSOR_AND_NEW_LINE: Final = "\x1b[?25h\n"
# Nobody is reading any more, or the signal came in the middle of writing.
_CANNOT_WRITE: Final = (OSError, ValueError, RuntimeError)


def leave_interrupted() -> NoReturn:
    """Ends the program, at once and with the exit code of an interruption, although threads may still play.

    Python's own way out would take the interpreter away under the feet of compiled code that still runs, and
    a signal that comes in the middle of it would change the exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(*_CANNOT_WRITE):
            stream.flush()
    os._exit(INTERRUPTED)


class Interruption:
    """Within its block, Ctrl-C sets `stop`; another one, then or at any time later, ends the program.

    It ends in the handler of the signal itself: an exception could come up where it is swallowed, or while
    another one is being dealt with. `farewell` is the last thing said, unless `conclude` has said another.
    """

    def __init__(self, farewell: str) -> None:
        self.stop = threading.Event()
        self._farewell: str | None = farewell
        self._is_asked = self._is_concluding = self._is_to_leave = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_asked:
            signal.signal(signal.SIGINT, self._before)

    def conclude(self, sentence: str) -> None:
        """Says how an interrupted command ended; a signal that comes meanwhile waits until it is said."""
        self._is_concluding = True
        note(sentence)
        self._farewell = None
        self._is_concluding = False
        if self._is_to_leave:
            leave_interrupted()

    def _receive(self, *_: object) -> None:
        # A signal may come while this runs for the one before: each line is to be safe for that.
        if not self._is_asked:
            self._is_asked = True
            self.stop.set()
        elif self._is_concluding:
            self._is_to_leave = True
        else:
            self._leave()

    def _leave(self) -> NoReturn:
        self._is_concluding = True
        try:
            if self._farewell is not None:
                _show_cursor()
                note(self._farewell)
        finally:
            leave_interrupted()


def _show_cursor() -> None:
    """Gives a terminal its cursor back, which a living table hides, and goes on below the table."""
    out = sys.__stdout__
    if out is not None and out.isatty():
        with suppress(*_CANNOT_WRITE):
            out.write(_CURSOR_AND_NEW_LINE)
            out.flush()
