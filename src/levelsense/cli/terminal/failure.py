"""Unexpected errors: one line on stderr, and a log file with the traceback."""

import os
import platform
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from levelsense.cache import lasting_cache
from levelsense.cli.terminal.screen import complain
from levelsense.errors import OutputError
from levelsense.files import write_text

UNFORESEEN: Final = 3  # the exit code
_MOST_LOGS: Final = 20


@contextmanager
def report_failures() -> Iterator[None]:
    """Reports an exception of its block or of a thread in a sentence and a log; exits after the block's."""
    threading.excepthook = lambda happened: _report(happened.exc_value)
    try:
        yield
    except Exception as error:
        _report(error)
        sys.exit(UNFORESEEN)


def _report(error: BaseException | None) -> None:
    if error is not None:
        complain(failure_words(error, _write_log(error)))


def failure_words(error: BaseException, log: Path | None) -> str:
    """An unexpected error in a sentence, with the file it is about and the path of the log."""
    about = _without_secrets(str(error)).strip().split("\n")[0]
    name = type(error).__name__
    place = getattr(error, "filename", None)
    if isinstance(error, OSError) and error.strerror:
        where = _without_secrets(os.fsdecode(place)) if isinstance(place, str | bytes) else ""
        what = f"{where}: {error.strerror}" if where else error.strerror
    elif isinstance(error, MemoryError):
        what = "there is not enough memory"
    else:
        what = f"levelsense failed: {name}: {about}" if about else f"levelsense failed: {name}"
    return f"{what}; the details are in {log}" if log else f"{what}; no log could be written"


def _write_log(error: BaseException) -> Path | None:
    """Writes versions, command and traceback to a log in the cache or a temporary file; None if it cannot."""
    from levelsense.store.address import public_command

    now = datetime.now()
    name = f"levelsense-{now:%Y%m%d-%H%M%S}-{os.getpid()}.log"
    trace = "".join(traceback.format_exception(error))
    text = (
        f"levelsense {version('levelsense')}, Python {platform.python_version()}, {platform.platform()}\n"
        f"{now.isoformat(timespec='seconds')}\n{public_command(sys.argv)}\n\n{_without_secrets(trace)}"
    )
    text = text.encode(errors="backslashreplace").decode()
    cache = lasting_cache()
    if cache is not None:
        with suppress(OSError, OutputError):
            folder = cache / "logs"
            folder.mkdir(parents=True, exist_ok=True)
            write_text(folder / name, text)
            _forget_old_logs(folder)
            return folder / name
    with suppress(OSError, OutputError):
        # A new file that only this user can read.
        handle, path = tempfile.mkstemp(prefix="levelsense-", suffix=".log")
        os.close(handle)
        write_text(path, text)
        return Path(path)
    return None


def _forget_old_logs(folder: Path) -> None:
    """Removes all but the newest logs; their names begin with the time."""
    for path in sorted(folder.glob("levelsense-*.log"))[:-_MOST_LOGS]:
        path.unlink(missing_ok=True)


def _without_secrets(text: str) -> str:
    """The text without the secrets of URLs in it and of those in the command."""
    # Imported here, since it imports SQLAlchemy, which would slow `levelsense --help` down.
    from levelsense.store.address import public_text

    return public_text(text, sys.argv)
