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

# Names of streams that this process holds open: they are written to, even if they lead to a file.
_STREAMS: Final = re.compile(r"/+(dev/(stdout|stderr|fd/[^/]+)|proc/[^/]+/fd/[^/]+)")


_DATABASE: Final = b"SQLite format 3\0"
_LOOKED_AT: Final = 100_000  # bytes at the start of a file, by which its kind is found


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
        temporary = name_beside(target)
        try:
            with temporary.open("xb") as file:
                yield file
                _sync(file)
            _replace(temporary, target, before)
            sync_folder(target.parent)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def put_in_place(written: Path, path: str | Path) -> None:
    """Moves a file written beside `path` to it, as atomic_file does; OutputError if it cannot."""
    with _named_errors(path):
        target = Path(os.path.realpath(path))
        before = _replaceable(path, target, is_level=False)
        with written.open("rb+") as file:
            _sync(file)
        _replace(written, target, before)
        sync_folder(target.parent)


def write_texts(texts: Mapping[Path, str]) -> None:
    """Writes several files: none is replaced before all are on the disk; OutputError if one cannot be."""
    temporary_files: dict[Path, tuple[Path, os.stat_result | None]] = {}
    try:
        for path, text in texts.items():
            with _named_errors(path):
                target = Path(os.path.realpath(path))
                content = _encoded(path, text)
                temporary_files[path] = name_beside(target), _replaceable(path, target, _is_level(content))
                with temporary_files[path][0].open("xb") as file:
                    file.write(content)
                    _sync(file)
        for path, (written, before) in temporary_files.items():
            with _named_errors(path):
                _replace(written, Path(os.path.realpath(path)), before)
        for folder in {Path(os.path.realpath(path)).parent for path in temporary_files}:
            sync_folder(folder)
    finally:
        for written, _ in temporary_files.values():
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
    """OutputError if a file cannot be written there, for a check before a long run.

    `is_level` says that it will be a level, which may replace one. A temporary file is made beside `path` and
    removed again; a file at `path` is not touched.
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
        temporary = name_beside(target)
        temporary.touch(exist_ok=False)
        temporary.unlink()


def name_beside(target: Path) -> Path:
    """A free name in the folder of a file; a short one, since the file's may be as long as names can be."""
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
    """The status of the file that is to be replaced, None if there is none; OSError if it may not be.

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
        content = file.read(_LOOKED_AT)
    if content.startswith(_DATABASE):
        raise OutputError(path, "a database, which is never overwritten; expected another file to write to")
    if not is_level and _is_level(content):
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
    """Flushes a file to the disk."""
    file.flush()
    os.fsync(file.fileno())


def _replace(written: Path, target: Path, before: os.stat_result | None) -> None:
    """Replaces a file by another, which gets its mode and, where that is allowed, its owner."""
    if before is not None:
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(written, before.st_uid, before.st_gid)
        written.chmod(stat.S_IMODE(before.st_mode))
    written.replace(target)


def sync_folder(folder: Path) -> None:
    """Flushes the entries of a folder to the disk, where the platform can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _named_errors(path: str | Path) -> Iterator[None]:
    """Turns an OSError of its block into an OutputError with the path."""
    try:
        yield
    except OSError as error:
        raise OutputError(path, f"cannot be written: {error.strerror or error}") from None
