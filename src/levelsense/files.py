"""Outputs: every file that levelsense writes is written whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from levelsense.errors import OutputError

# Streams that go by a name, such as /dev/stdout: they are written to, even if they lead to a file.
_STREAMS: Final = (("/", "dev"), ("/", "proc"))


@contextmanager
def atomic_file(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file to write to, which takes the place of `path` when the block ends without an error.

    Until then whatever is at `path` stays as it is; afterwards it is the new content as a whole, also if the
    machine stops in the middle. The content is written to a file beside it, synced, and renamed. The new file
    has the permissions of the one that it replaces; a symbolic link stays, and its target is replaced. Pipes
    and devices are written to as they are. OutputError, with the path, if that cannot be done.
    """
    with _named_errors(path):
        target = _target(path)
        if target is None:
            with Path(path).open("wb") as stream:
                yield stream
            return
        before = _replaceable(target)
        near = _beside(target)
        try:
            with near.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if before is not None:
                _keep_permissions(near, before)
            near.replace(target)
            _sync_folder(target.parent)
        finally:
            with suppress(OSError):
                near.unlink(missing_ok=True)


def write_bytes(path: str | Path, content: bytes | memoryview) -> None:
    """Writes a file whole or not at all; OutputError if it cannot be written."""
    with atomic_file(path) as file:
        file.write(content)


def write_text(path: str | Path, text: str) -> None:
    """Writes a text as UTF-8, its line ends as they are, whole or not at all; OutputError if it cannot."""
    try:
        content = text.encode()
    except UnicodeEncodeError as error:
        letter = ascii(error.object[error.start])
        raise OutputError(
            f"{path}: cannot be written: {letter} in the text is no Unicode character"
        ) from None
    write_bytes(path, content)


def check_writable(path: str | Path) -> None:
    """OutputError if a file cannot be written there: to be told before a long run rather than after it.

    It tries: a file is made beside the place and removed again. What is at `path` is not touched.
    """
    with _named_errors(path):
        target = _target(path)
        if target is None:
            return
        if target.is_dir():
            raise OutputError(f"{path}: a folder; expected a file to write to")
        if not target.parent.is_dir():
            folder = target.parent if Path(path).is_symlink() else Path(path).parent
            raise OutputError(f"{path}: cannot be written: there is no folder {folder}")
        _replaceable(target)
        near = _beside(target)
        near.touch(exist_ok=False)
        near.unlink()


def _target(path: str | Path) -> Path | None:
    """The file to replace, symbolic links followed; None for a pipe or a device, which is written to."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "a zero byte in its name")
    if Path(path).parts[:2] in _STREAMS:
        return None
    target = Path(os.path.realpath(path))
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return target
    return target if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None


def _replaceable(target: Path) -> os.stat_result | None:
    """What is known of the file that is to be replaced, None if there is none; OSError if it may not be."""
    try:
        before = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return before


def _beside(target: Path) -> Path:
    """A free name in the folder of a file; a short one, since the file's own may be as long as can be."""
    return target.with_name(f".levelsense-{secrets.token_hex(8)}.part")


def _keep_permissions(path: Path, before: os.stat_result) -> None:
    """Gives a file the mode of another and, where that is allowed, its owner."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(path, before.st_uid, before.st_gid)
    path.chmod(stat.S_IMODE(before.st_mode))


def _sync_folder(folder: Path) -> None:
    """Makes a new name in a folder last, where the platform can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _named_errors(path: str | Path) -> Iterator[None]:
    """Turns what a file system refuses into an OutputError with the path."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from None
