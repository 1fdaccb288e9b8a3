"""Ctrl-C: the first asks a command to keep what it has and stop; soon after, or by a second, all ends."""

import math
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Final, NoReturn, Self

import typer

from levelsense.cli.terminal.screen import note
from levelsense.errors import StoppedError, printable

INTERRUPTED: Final = 128 + signal.SIGINT
STOP_SECONDS: Final = 1.5  # for a command to stop by itself; LEVELSENSE_STOP_SECONDS sets another number
_MOST_STOP_SECONDS: Final = 86_400.0  # a socket refuses to wait for ever, or for centuries
_LAST_SECONDS: Final = 0.3  # for somebody else's last word, or for output that nobody may be reading
_CURSOR_AND_NEW_LINE: Final = b"\x1b[?25h\n"
_STDOUT, _STDERR = 1, 2
# Nobody is reading any more, or the signal came in the middle of writing.
_CANNOT_WRITE: Final = (OSError, ValueError, RuntimeError)

_last_word = threading.Lock()  # held by who says how the program ends
_farewells: list[str | None] = []  # of the commands under way, the innermost last; None once it is said


def leave_interrupted() -> NoReturn:
    """Ends the program, at once and with the exit code of an interruption, although threads may still play.

    Python's own way out would take the interpreter away under the feet of compiled code that still runs, and
    a signal that comes in the middle of it would change the exit code.
    """
    # A thread may hold a stream that it waits to write to: that is not waited for.
    flushing = threading.Thread(target=_flush, daemon=True)
    with suppress(RuntimeError):
        flushing.start()
        flushing.join(_LAST_SECONDS)
    os._exit(INTERRUPTED)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(*_CANNOT_WRITE):
            stream.flush()


def say_interrupted(sentence: str) -> None:
    """Says how an interrupted command ended, unless that is being said already; nothing is said after it."""
    if _last_word.acquire(blocking=False):
        note(sentence)
        _farewells.append(None)
        _last_word.release()


def leave_with_farewell() -> NoReturn:
    """Ends an interrupted program with a last line, unless it has been said or is being said."""
    try:
        if _last_word.acquire(blocking=False):
            farewell = _farewells[-1] if _farewells else "interrupted"
            if farewell is not None:
                _write_last(farewell)
        else:
            time.sleep(_LAST_SECONDS)
    finally:
        leave_interrupted()


def _write_last(sentence: str) -> None:
    """Writes a line past Python's streams and Rich, which a thread that is stuck may hold."""
    with suppress(OSError):
        if os.isatty(_STDOUT):
            os.write(_STDOUT, _CURSOR_AND_NEW_LINE)  # a living table hides the cursor
    with suppress(OSError):
        os.write(_STDERR, f"{printable(sentence)}\n".encode(errors="replace"))


def end_within_seconds() -> None:
    """From now on Ctrl-C ends the program in time, whatever the main thread does.

    Python handles a signal in its main thread and between two instructions, and a kernel is one instruction.
    So a thread of its own hears of signals: it gives the program time to stop by itself, then ends it.
    """
    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    # The socket has to live as long as the thread.
    threading.Thread(target=_watch, args=(ear, mouth), daemon=True).start()


def _watch(ear: socket.socket, mouth: socket.socket) -> None:
    _hear(ear)
    with suppress(TimeoutError):
        ear.settimeout(_stop_seconds())
        _hear(ear)
        # Told twice: the main thread leaves at once if it can.
        time.sleep(_LAST_SECONDS)
    leave_with_farewell()


def _hear(ear: socket.socket) -> None:
    """Waits for Ctrl-C; other signals come by the same way."""
    while signal.SIGINT not in ear.recv(1):
        pass


def _stop_seconds() -> float:
    try:
        seconds = float(os.environ["LEVELSENSE_STOP_SECONDS"])
    except (KeyError, ValueError):
        return STOP_SECONDS
    return STOP_SECONDS if math.isnan(seconds) else min(max(0.0, seconds), _MOST_STOP_SECONDS)


@contextmanager
def interruptible(farewell: str) -> Iterator[threading.Event]:
    """Within its block Ctrl-C sets the event; an action that stops for it ends the command."""
    interruption = Interruption(farewell)
    with interruption:
        try:
            yield interruption.stop
        except StoppedError:
            interruption.conclude(farewell)
            raise typer.Exit(INTERRUPTED) from None


def kept_words(database: str) -> str:
    """What an interrupted command that plays leaves behind."""
    from levelsense.store.address import shown_name

    kept_in = shown_name(database)
    return f"interrupted: what was played is kept in {kept_in}; the same command goes on from there"


class Interruption:
    """Within its block, Ctrl-C sets `stop`; another one, then or at any time later, ends the program.

    It ends in the handler of the signal itself: an exception could come up where it is swallowed, or while
    another one is being dealt with. `farewell` is the last thing said, unless `conclude` has said another.
    """

    def __init__(self, farewell: str) -> None:
        self.stop = threading.Event()
        self._farewell = farewell
        self._is_asked = self._is_concluding = self._is_to_leave = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._receive)
        _farewells.append(self._farewell)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_asked:
            signal.signal(signal.SIGINT, self._before)
            _farewells.remove(self._farewell)

    def conclude(self, sentence: str) -> None:
        """Says how an interrupted command ended; a signal that comes meanwhile waits until it is said."""
        self._is_concluding = True
        say_interrupted(sentence)
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
            self._is_concluding = True
            leave_with_farewell()
