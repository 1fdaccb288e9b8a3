"""Outputs: every file that levelsense writes is written whole or not at all."""

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from levelsense.errors import OutputError

# Streams that this program holds open, by name: they are written to, even if they lead to a file.
_STREAMS: Final = re.compile(r"/+(dev/(stdout|stderr|fd/[^/]+)|proc/[^/]+/fd/[^/]+)")


_DATABASE: Final = b"SQLite format 3\0"
_LOOKED_AT: Final = 100_000  # bytes of a file that is to be replaced


@contextmanager
def atomic_file(path: str | Path, *, is_level: bool = False) -> Iterator[IO[bytes]]:
    """A binary file to write to, which takes the place of `path` when the block ends without an error.

    Until then whatever is at `path` stays as it is; afterwards it is the new content as a whole, also if the
    machine stops in the middle. The content is written to a file beside it, synced, and renamed. The new file
    has the permissions of the one that it replaces; a symbolic link stays, and its target is replaced. Pipes
    and devices are written to as they are. OutputError, with the path, if that cannot be done, or if a
    database would be lost by it, or a level by something else than a level.
    """
    with _named_errors(path):
        target = _target(path)
        if target is None:
            with Path(path).open("wb") as stream:
                yield stream
            return
        before = _replaceable(path, target, is_level)
        near = name_beside(target)
        try:
            with near.open("xb") as file:
                yield file
                _sync(file)
            _replace(near, target, before)
            sync_folder(target.parent)
        finally:
            with suppress(OSError):
                near.unlink(missing_ok=True)


def put_in_place(near: Path, path: str | Path) -> None:
    """Gives a file written beside `path` its place, as atomic_file does; OutputError if it cannot."""
    with _named_errors(path):
        target = Path(os.path.realpath(path))
        before = _replaceable(path, target, is_level=False)
        with near.open("rb+") as file:
            _sync(file)
        _replace(near, target, before)
        sync_folder(target.parent)


def write_texts(texts: Mapping[Path, str]) -> None:
    """Writes several files: none gets its place before all are on the disk; OutputError if one cannot be."""
    near: dict[Path, tuple[Path, os.stat_result | None]] = {}
    try:
        for path, text in texts.items():
            with _named_errors(path):
                target = Path(os.path.realpath(path))
                content = _encoded(path, text)
                near[path] = name_beside(target), _replaceable(path, target, _is_level(content))
                with near[path][0].open("xb") as file:
                    file.write(content)
                    _sync(file)
        for path, (written, before) in near.items():
            with _named_errors(path):
                _replace(written, Path(os.path.realpath(path)), before)
        for folder in {Path(os.path.realpath(path)).parent for path in near}:
            sync_folder(folder)
    finally:
        for written, _ in near.values():
            with suppress(OSError):
                written.unlink(missing_ok=True)


def write_bytes(path: str | Path, content: bytes | memoryview) -> None:
    """Writes a file whole or not at all; OutputError if it cannot be written."""
    with atomic_file(path, is_level=_is_level(bytes(content[:_LOOKED_AT]))) as file:
        file.write(content)


def write_text(path: str | Path, text: str) -> None:
    """Writes a text as UTF-8, its line ends as they are, whole or not at all; OutputError if it cannot."""
    write_bytes(path, _encoded(path, text))


def check_writable(path: str | Path, *, is_level: bool = False) -> None:
    """OutputError if a file cannot be written there: to be told before a long run rather than after it.

    `is_level` says that it will be a level, which may replace one. It tries: a file is made beside the place
    and removed again. What is at `path` is not touched.
    """
    with _named_errors(path):
        target = _target(path)
        if target is None:
            return
        if target.is_dir():
            raise OutputError(path, "a folder; expected a file to write to")
        if not target.parent.is_dir():
            folder = target.parent if Path(path).is_symlink() else Path(path).parent
            raise OutputError(path, f"cannot be written: there is no folder {folder}")
        _replaceable(path, target, is_level)
        near = name_beside(target)
        near.touch(exist_ok=False)
        near.unlink()


def name_beside(target: Path) -> Path:
    """A free name in the folder of a file; a short one, since the file's own may be as long as can be."""
    return target.with_name(f".levelsense-{os.urandom(8).hex()}.part")


def _target(path: str | Path) -> Path | None:
    """The file to replace, symbolic links followed; None for a pipe or a device, which is written to."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "a zero byte in its name")
    if _STREAMS.fullmatch(os.path.normpath(Path.cwd() / path)):
        return None
    target = Path(os.path.realpath(path))
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        return target
    return target if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None


def _replaceable(path: str | Path, target: Path, is_level: bool) -> os.stat_result | None:
    """What is known of the file that is to be replaced, None if there is none; OSError if it may not be.

    OutputError if it is a database, or a level that is to be replaced by something else.
    """
    try:
        before = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(before.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    with target.open("rb") as file:
        there = file.read(_LOOKED_AT)
    if there.startswith(_DATABASE):
        raise OutputError(path, "a database, which is never overwritten; expected another file to write to")
    if not is_level and _is_level(there):
        raise OutputError(path, "a level, which only a level may replace; expected another file to write to")
    return before


def _is_level(content: bytes) -> bool:
    """Whether the beginning of a file looks like that of a level."""
    return content.lstrip().startswith(b"{") and b'"board"' in content and b'"goals"' in content


def _encoded(path: str | Path, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        letter = ascii(error.object[error.start])
        raise OutputError(path, f"cannot be written: {letter} in the text is no Unicode character") from None


def _sync(file: IO[bytes]) -> None:
    """Brings all that was written to the disk."""
    file.flush()
    os.fsync(file.fileno())


def _replace(near: Path, target: Path, before: os.stat_result | None) -> None:
    """Gives a file the place of another, with its mode and, where that is allowed, its owner."""
    if before is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(near, before.st_uid, before.st_gid)
        near.chmod(stat.S_IMODE(before.st_mode))
    near.replace(target)


def sync_folder(folder: Path) -> None:
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
        raise OutputError(path, f"cannot be written: {error.strerror or error}") from None
