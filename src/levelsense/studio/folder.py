"""The designer's folder of level files: read and saved by name, with drafts and all earlier versions."""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from levelsense.errors import LevelError, OutputError
from levelsense.files import write_bytes, write_text
from levelsense.level.text import read_level_file
from levelsense.studio.problems import RequestError

NAME: Final = r"^[A-Za-z0-9][A-Za-z0-9_.\-]{0,79}$"
MOST_LEVELS: Final = 5_000
_NAME: Final = re.compile(NAME)
_SUFFIX: Final = ".json"
_KEPT: Final = ".studio"  # beside the levels: drafts, versions, the order of the saga
# Devices on Windows, whatever comes behind a dot: a folder of levels is taken to other machines.
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def etag_of(text: str) -> str:
    """The tag of a text, as HTTP writes it: a change of a single letter gives another one."""
    return f'"{hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]}"'


@dataclass(frozen=True)
class Stamp:
    """By what a file that has changed is told from the one that was read: its time, size and number."""

    nanoseconds: int
    size: int
    number: int

    @property
    def changed(self) -> float:
        """When it was written, in seconds since 1970."""
        return self.nanoseconds / 1e9


@dataclass(frozen=True)
class Version:
    """An earlier version of a level: its key, and when it was saved, in seconds since 1970."""

    key: str
    saved: float


@dataclass(frozen=True)
class Draft:
    """A text that was being edited, the tag of the file that it began from, and when it was kept."""

    text: str
    base: str | None
    kept: float


class LevelFolder:
    """Level files by name. A name is a file's without its ending: no path leads out of the folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._writing = threading.Lock()

    def names(self) -> list[str]:
        """The names of all levels, sorted; none if there is no such folder."""
        if not self.path.is_dir():
            return []
        names = sorted(
            path.stem
            for path in self.path.iterdir()
            if path.suffix == _SUFFIX and _is_name(path.stem) and self._is_inside(path) and path.is_file()
        )
        return names[:MOST_LEVELS]

    def __contains__(self, name: str) -> bool:
        return self._file(name).is_file()

    def read(self, name: str) -> str:
        """The text of a level; RequestError if there is none, LevelError if it cannot be read."""
        path = self._file(name)
        if not path.is_file():
            raise RequestError(404, "no-such-level", f"{name}: no such level in {self.path}")
        return read_level_file(path)

    def stamp(self, name: str) -> Stamp:
        """The stamp of a level's file; RequestError if there is none."""
        path = self._file(name)
        try:
            status = path.stat()
        except OSError:
            raise RequestError(404, "no-such-level", f"{name}: no such level in {self.path}") from None
        return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)

    def save(self, name: str, text: str, expected: str | None) -> str:
        """Writes a level and gives its tag; what it replaces is kept as a version.

        `expected` is the tag of what is to be replaced, None for a level that is not there yet. If somebody
        else has saved another version meanwhile, nothing is written: RequestError holds their text.
        """
        path = self._file(name)
        with self._writing:
            present = self._present(path)
            tag = None if present is None else etag_of(present)
            if tag != expected and present != text:
                self._refuse(name, present, tag)
            self._make(self.path)
            if present is not None and present != text:
                self._keep_version(name, present)
            if present != text:
                write_text(path, text)
            with suppress(OutputError):  # the level is saved, whatever becomes of the draft
                self.drop_draft(name)
        return etag_of(text)

    def _present(self, path: Path) -> str | None:
        """The text that is there, whatever it says, as `read` gives it; None if there is no file."""
        try:
            return path.read_bytes().decode("utf-8-sig", "surrogateescape")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LevelError(f"{path.name}: cannot be read: {error.strerror}") from None

    def _refuse(self, name: str, present: str | None, tag: str | None) -> None:
        if present is None:
            raise RequestError(
                412,
                "conflict",
                f"{name}: the file is gone; nothing was written",
                {"text": None, "etag": None},
            )
        shown = present.encode("utf-8", "replace").decode()
        raise RequestError(
            412,
            "conflict",
            f"{name}: the file is another version than the one that was opened; nothing was written",
            {"text": shown, "etag": tag},
        )

    # ---- what is kept beside the levels

    def versions(self, name: str) -> list[Version]:
        """The earlier versions of a level, the newest first."""
        self._file(name)
        folder = self._kept_folder("versions", name)
        if not folder.is_dir():
            return []
        keys = sorted((path.stem for path in folder.glob(f"*{_SUFFIX}")), reverse=True)
        return [Version(key, int(key.partition("-")[0]) / 1000) for key in keys if _VERSION.match(key)]

    def version(self, name: str, key: str) -> str:
        """The text of an earlier version."""
        self._file(name)
        path = self._kept_folder("versions", name) / f"{key}{_SUFFIX}"
        if not _VERSION.match(key) or not path.is_file():
            raise RequestError(404, "no-such-version", f"{name}: no version {key}")
        return path.read_bytes().decode("utf-8", "replace")

    def _keep_version(self, name: str, text: str) -> None:
        folder = self._kept_folder("versions", name)
        self._make(folder)
        key = f"{time.time_ns() // 1_000_000}-{etag_of(text).strip(chr(34))[:8]}"
        write_bytes(folder / f"{key}{_SUFFIX}", text.encode("utf-8", "surrogateescape"))

    def drafts(self) -> list[str]:
        """The names of levels that were edited and not saved."""
        folder = self._kept_folder("drafts")
        return sorted(path.stem for path in folder.glob(f"*{_SUFFIX}") if _is_name(path.stem))

    def draft(self, name: str) -> Draft | None:
        """What was being edited and not saved; None if there is nothing."""
        kept = self.kept(f"drafts/{self._file(name).stem}")
        try:
            return None if kept is None else Draft(str(kept["text"]), kept["base"], float(kept["kept"]))
        except (KeyError, TypeError, ValueError):
            return None

    def keep_draft(self, name: str, text: str, base: str | None) -> None:
        """Keeps what is being edited."""
        self.keep(f"drafts/{self._file(name).stem}", {"text": text, "base": base, "kept": time.time()})

    def drop_draft(self, name: str) -> None:
        """Forgets what was being edited; OutputError if it stays."""
        path = self._kept_path(f"drafts/{self._file(name).stem}")
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(path, f"cannot be removed: {error.strerror}") from None

    def kept(self, key: str) -> dict[str, Any] | None:
        """What was kept beside the levels under a key of the studio's own; None if nothing can be read."""
        try:
            content = json.loads(self._kept_path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return content if isinstance(content, dict) else None

    def keep(self, key: str, content: dict[str, Any]) -> None:
        """Keeps data beside the levels."""
        path = self._kept_path(key)
        self._make(path.parent)
        write_text(path, json.dumps(content, indent=1) + "\n")

    def set_aside(self, key: str) -> None:
        """Renames what is kept under a key, if there is anything, so that it is not written over."""
        path = self._kept_path(key)
        try:
            if path.exists():
                path.rename(path.with_name(f"{path.stem}-{time.time_ns()}{_SUFFIX}"))
        except OSError as error:
            raise OutputError(path, f"cannot be renamed: {error.strerror}") from None

    @property
    def games(self) -> Path:
        """The folder of the games that testers play."""
        return self._kept_folder("games")

    @property
    def reports(self) -> Path:
        """The folder of the pages that were made of the saga."""
        return self._kept_folder("reports")

    def keep_report(self, key: str, html: str, most: int) -> None:
        """Keeps a page under a key, and only so many of those before it."""
        self._make(self.reports)
        write_text(self.reports / f"{key}.html", html)
        with suppress(OSError):  # another report may be clearing up as well
            pages = sorted(self.reports.glob("*.html"), key=lambda path: path.stat().st_mtime_ns)
            for path in pages[:-most]:
                path.unlink(missing_ok=True)

    def _kept_path(self, key: str) -> Path:
        *folders, name = key.split("/")
        return self._kept_folder(*folders) / f"{name}{_SUFFIX}"

    def _kept_folder(self, *parts: str) -> Path:
        """A folder of what is kept; OutputError if a link there leads somewhere else."""
        folder = self.path.joinpath(_KEPT, *parts)
        if os.path.realpath(folder) != os.path.join(os.path.realpath(self.path), _KEPT, *parts):  # noqa: PTH118
            raise OutputError(folder, "a link out of the folder of levels; expected a folder")
        return folder

    # ---- paths

    def _make(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(folder, f"cannot be made: {error.strerror}") from None

    def _file(self, name: str) -> Path:
        if not _is_name(name):
            raise RequestError(
                422,
                "bad-name",
                f"{name[:80]!r}: expected a name of letters, digits, - _ and ., a letter or digit first, "
                "that is no device's",
            )
        path = self.path / f"{name}{_SUFFIX}"
        if not self._is_inside(path):
            raise RequestError(404, "no-such-level", f"{name}: no such level in {self.path}")
        return path

    def _is_inside(self, path: Path) -> bool:
        """Whether a file lies in the folder itself, links followed."""
        return os.path.dirname(os.path.realpath(path)) == os.path.realpath(self.path)  # noqa: PTH120

    def texts(self) -> Iterator[tuple[str, str | None]]:
        """Each level's name with its text; None where it cannot be read."""
        for name in self.names():
            try:
                yield name, self.read(name)
            except (LevelError, RequestError):
                yield name, None


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not name.endswith(".") and not _DEVICES.fullmatch(name)


_VERSION: Final = re.compile(r"^\d{13}-[0-9a-f]{8}$")
