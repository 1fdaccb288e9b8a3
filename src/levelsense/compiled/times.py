"""Notifications of what is being compiled, with how long that took the last time on this machine."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

from levelsense.compiled.files import code_folder
from levelsense.errors import OutputError
from levelsense.files import write_text

RULES: Final = "the rules"
Listener = Callable[[str, float | None], None]

_subject = ContextVar("subject", default=RULES)
_listeners: list[Listener] = []
_spent: dict[str, float] = {}  # seconds in this run, by what was compiled


def listen(listener: Listener | None) -> None:
    """Sets the function that is called when a subject begins to compile, with the seconds of last time."""
    _listeners[:] = [] if listener is None else [listener]


@contextmanager
def compiling_for(subject: str) -> Iterator[None]:
    """Sets the subject, such as an agent, of kernels that are compiled in the block."""
    token = _subject.set(subject)
    try:
        yield
    finally:
        _subject.reset(token)


@contextmanager
def timed_compiling() -> Iterator[None]:
    """Notifies that a kernel compiles, and stores how long it took."""
    subject = _subject.get()
    if subject not in _spent:
        for listener in _listeners:
            listener(subject, last_seconds().get(subject))
    start = time.perf_counter()
    yield
    _spent[subject] = _spent.get(subject, 0.0) + time.perf_counter() - start
    _remember()


def last_seconds() -> dict[str, float]:
    """How long each subject took to compile when it last was; empty if that is not known."""
    folder = code_folder()
    try:
        stored = json.loads((folder / "seconds.json").read_bytes()) if folder is not None else {}
        return {str(subject): float(seconds) for subject, seconds in stored.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _remember() -> None:
    folder = code_folder()
    if folder is None:
        return
    seconds = {subject: round(spent, 1) for subject, spent in _spent.items()}
    with suppress(OutputError):
        write_text(folder / "seconds.json", json.dumps(last_seconds() | seconds))
