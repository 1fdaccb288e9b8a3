"""Ctrl-C: the first stops a command, which keeps what it has; a second, or a timeout, ends the program."""

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

from levelsense.cli.terminal.screen import print_aside
from levelsense.errors import StoppedError, printable

INTERRUPTED: Final = 128 + signal.SIGINT
STOP_SECONDS: Final = 1.5  # for a command to stop by itself; LEVELSENSE_STOP_SECONDS sets another number
_MOST_STOP_SECONDS: Final = 86_400.0  # a socket refuses to wait for ever, or for centuries
_LAST_SECONDS: Final = 0.3  # for another thread's final line, or for output to a stream that may be blocked
_CURSOR_AND_NEW_LINE: Final = b"\x1b[?25h\n"
_STDOUT, _STDERR = 1, 2
# The reader of a pipe is gone, or the signal came in the middle of writing.
_CANNOT_WRITE: Final = (OSError, ValueError, RuntimeError)

_ending = threading.Lock()  # held while the final line is printed
_final_lines: list[str | None] = []  # of the commands under way, the innermost last; None once it is printed


def leave_interrupted() -> NoReturn:
    """Ends the process at once, with the exit code of an interruption, even if threads still run kernels.

    Python's own exit would tear the interpreter down while compiled code still runs, and a signal during it
    would change the exit code.
    """
    # In a thread, with a time limit, since another one may hold a stream that it waits to write to.
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
    """Prints the final line of an interrupted command, unless one is being printed; none is printed later."""
    if _ending.acquire(blocking=False):
        print_aside(sentence)
        _final_lines.append(None)
        _ending.release()


def leave_with_farewell() -> NoReturn:
    """Ends an interrupted program with a final line, unless one has been printed or is being printed."""
    try:
        if _ending.acquire(blocking=False):
            line = _final_lines[-1] if _final_lines else "interrupted"
            if line is not None:
                _write_last(line)
        else:
            time.sleep(_LAST_SECONDS)
    finally:
        leave_interrupted()


def _write_last(sentence: str) -> None:
    """Writes a line to the file descriptor: a blocked thread may hold the locks of the streams or Rich."""
    with suppress(OSError):
        if os.isatty(_STDOUT):
            os.write(_STDOUT, _CURSOR_AND_NEW_LINE)  # a live table hides the cursor
    with suppress(OSError):
        os.write(_STDERR, f"{printable(sentence)}\n".encode(errors="replace"))


def end_within_seconds() -> None:
    """Starts a thread that ends the program some seconds after Ctrl-C, whatever the main thread does.

    Python handles a signal in its main thread and between two instructions, and a kernel is one instruction.
    So a thread of its own receives signals: it gives the program time to stop by itself, then ends it.
    """
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    # The socket has to live as long as the thread.
    threading.Thread(target=_watch, args=(receiver, sender), daemon=True).start()


def _watch(receiver: socket.socket, sender: socket.socket) -> None:
    _await_interrupt(receiver)
    with suppress(TimeoutError):
        receiver.settimeout(_stop_seconds())
        _await_interrupt(receiver)
        # A second Ctrl-C: the main thread exits at once if it can.
        time.sleep(_LAST_SECONDS)
    leave_with_farewell()


def _await_interrupt(receiver: socket.socket) -> None:
    """Waits for Ctrl-C; other signals come through the same socket."""
    while signal.SIGINT not in receiver.recv(1):
        pass


def _stop_seconds() -> float:
    try:
        seconds = float(os.environ["LEVELSENSE_STOP_SECONDS"])
    except (KeyError, ValueError):
        return STOP_SECONDS
    return STOP_SECONDS if math.isnan(seconds) else min(max(0.0, seconds), _MOST_STOP_SECONDS)


@contextmanager
def interruptible(farewell: str) -> Iterator[threading.Event]:
    """Within its block Ctrl-C sets the event; StoppedError then ends the command with `farewell`."""
    interruption = Interruption(farewell)
    with interruption:
        try:
            yield interruption.stop
        except StoppedError:
            interruption.conclude(farewell)
            raise typer.Exit(INTERRUPTED) from None


def kept_words(database: str) -> str:
    """The final line of an interrupted command that plays: where the attempts are kept."""
    from levelsense.store.address import shown_name

    kept_in = shown_name(database)
    return f"interrupted: what was played is kept in {kept_in}; the same command goes on from there"


class Interruption:
    """Within its block, Ctrl-C sets `stop`; another one, then or at any time later, ends the program.

    It ends in the signal handler itself: an exception could be raised where it is swallowed, or while another
    one is handled. `farewell` is the final line, unless `conclude` has printed another.
    """

    def __init__(self, farewell: str) -> None:
        self.stop = threading.Event()
        self._farewell = farewell
        self._is_interrupted = self._is_concluding = self._is_to_leave = False

    def __enter__(self) -> Self:
        self._before = signal.signal(signal.SIGINT, self._receive)
        _final_lines.append(self._farewell)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_interrupted:
            signal.signal(signal.SIGINT, self._before)
            _final_lines.remove(self._farewell)

    def conclude(self, sentence: str) -> None:
        """Prints the final line of an interrupted command; a signal meanwhile takes effect after it."""
        self._is_concluding = True
        say_interrupted(sentence)
        self._is_concluding = False
        if self._is_to_leave:
            leave_interrupted()

    def _receive(self, *_: object) -> None:
        # Another signal may interrupt this handler between any two lines: each state is to be valid.
        if not self._is_interrupted:
            self._is_interrupted = True
            self.stop.set()
        elif self._is_concluding:
            self._is_to_leave = True
        else:
            self._is_concluding = True
            leave_with_farewell()
