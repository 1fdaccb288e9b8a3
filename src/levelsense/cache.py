"""The user's cache folder, and the temporary one that is used where that cannot be written to."""

import atexit
import functools
import os
import shutil
import stat
import tempfile
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from levelsense.errors import CacheWarning

_DAYS_KEPT: Final = 30
DAY_SECONDS: Final = 86_400
# The tag by which backups know a cache (bford.info/cachedir), with a line that says whose it is.
_TAG_NAME: Final = "CACHEDIR.TAG"
_TAG: Final = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Compiled code of levelsense; it can be removed.\n"
)


def user_cache() -> Path:
    """The user's cache folder, by each platform's custom; a temporary one for a user without a home."""
    if override := os.environ.get("LEVELSENSE_CACHE_DIR"):
        return Path(override)
    try:
        folder = user_cache_path("levelsense", appauthor=False)
    except RuntimeError:  # the home is not known
        return _temporary_place()
    # Earlier versions of platformdirs leave the sign of a home that is not known in the path.
    return _temporary_place() if folder.parts[0] == "~" else folder


def usable_cache() -> Path | None:
    """A cache folder that can be written to: the user's, else a temporary one, with a warning; else None."""
    return _usable(user_cache())


def lasting_cache() -> Path | None:
    """The folder of `usable_cache` if files in it outlast this run, else None; without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CacheWarning)
        folder = usable_cache()
    return None if folder in _of_this_run else folder


_of_this_run: set[Path] = set()  # temporary folders that go with it


@functools.cache
def _usable(folder: Path) -> Path | None:
    try:
        if folder == _temporary_place():
            _make_private(folder)
        _try_to_write(folder)
    except (OSError, ValueError) as error:
        instead = _temporary_cache()
        kept = f"is kept in {instead}" if instead else "is not kept, and compiled in every run"
        reason = getattr(error, "strerror", None) or error
        warn_once(
            f"{folder}: cannot be used as the cache: {reason}; compiled code {kept} "
            "(LEVELSENSE_CACHE_DIR names another folder)"
        )
        return instead
    return folder


def _try_to_write(folder: Path) -> None:
    """Makes a folder and writes into it, for trial; OSError if that cannot be done."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as trial:
        trial.write(b"x")


def _temporary_place() -> Path:
    """The one temporary folder of this user, in which compiled code can be found again."""
    user = os.getuid() if hasattr(os, "getuid") else "cache"
    return Path(tempfile.gettempdir()) / f"levelsense-{user}"


def _temporary_cache() -> Path | None:
    """A temporary folder that only this user can write to; if there is none, one for this run; or None."""
    with suppress(OSError):
        folder = _temporary_place()
        _make_private(folder)
        _try_to_write(folder)
        return folder
    with suppress(OSError):
        folder = Path(tempfile.mkdtemp(prefix="levelsense-"))
        _of_this_run.add(folder)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        return folder
    return None


def _make_private(folder: Path) -> None:
    """Makes a folder in a place that all may write to; PermissionError if it exists and another user owns it.

    Compiled code is read from it and run: no other user may have written there.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700, parents=True)
    status = folder.lstat()
    is_private = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    if not (stat.S_ISDIR(status.st_mode) and is_private):
        raise PermissionError(13, "another user could have written it")


def mark_folder(folder: Path) -> None:
    """Makes a folder of the cache, with the tag by which `forget_unused` knows that levelsense made it."""
    folder.mkdir(parents=True, exist_ok=True)
    tag = folder / _TAG_NAME
    if not _has_tag(folder):
        # There is none, or a run that was stopped, or a full disk, left part of one.
        with tag.open("wb") as file:
            file.write(_TAG)


def forget_unused(folder: Path, pattern: str) -> None:
    """Removes the files of a folder of the cache, by a pattern of names, that no run has used for a month.

    Folders within it that levelsense made, which earlier versions did, go the same way.
    """
    if not _is_ours(folder):
        return
    oldest = time.time() - _DAYS_KEPT * DAY_SECONDS
    for path in folder.iterdir():
        with suppress(OSError):
            if path.lstat().st_mtime >= oldest:
                continue
            if path.is_dir() and _is_ours(path):
                shutil.rmtree(path, ignore_errors=True)
            elif path.match(pattern) and path.is_file():
                path.unlink()


def _is_ours(folder: Path) -> bool:
    """Whether levelsense made a folder: it has the tag, and is no link to somewhere else."""
    return not folder.is_symlink() and _has_tag(folder)


def _has_tag(folder: Path) -> bool:
    try:
        return (folder / _TAG_NAME).read_bytes() == _TAG
    except OSError:
        return False


_warned_about: set[str] = set()


def warn_once(sentence: str, about: str = "") -> None:
    """A CacheWarning, which is not repeated: neither the sentence nor, if given, what it is about."""
    if (about or sentence) not in _warned_about:
        _warned_about.add(about or sentence)
        warnings.warn(sentence, CacheWarning, stacklevel=2)
