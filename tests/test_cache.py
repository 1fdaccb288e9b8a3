"""The cache of compiled code: where it cannot be used or is damaged, results are right all the same."""

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numba
import pytest

import levelsense
from levelsense import cache
from levelsense.errors import CacheWarning

PACKAGE = Path(levelsense.__file__).parent
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled with the JIT off")

Environment = Mapping[str, str | None]
NO_CHANGE: Environment = {}

PLAY = """
from levelsense.game.score import POINTS
from levelsense.kernel import kernel

@kernel
def _points(cells):
    return cells * POINTS

@kernel
def play(cells):
    return _points(cells) + 1
"""


class Small:
    """A levelsense of two small kernels, in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.package, self.cache, self.temporary = folder / "levelsense", folder / "cache", folder / "tmp"
        (self.package / "game").mkdir(parents=True)
        self.temporary.mkdir()
        for name in ("errors", "cache", "kernel", "arithmetic"):
            shutil.copy(PACKAGE / f"{name}.py", self.package)
        for name in ("__init__.py", "game/__init__.py"):
            (self.package / name).touch()
        # Sources that no earlier run has left compiled code of, in a temporary folder that outlasts the test.
        (self.package / "game" / "play.py").write_text(f"# {os.urandom(8).hex()}\n{PLAY}")
        self.set_points(60)

    def set_points(self, points: int) -> None:
        (self.package / "game" / "score.py").write_text(f"POINTS = {points}\n")

    def run(
        self, before: str = "", environment: Mapping[str, str | None] = {}
    ) -> subprocess.CompletedProcess[str]:
        """Plays three cells; says the score and how many kernels were found compiled."""
        program = f"{before}\nfrom levelsense.game.play import play\n"
        program += "print(play(3), sum(play.stats.cache_hits.values()))"
        places = {
            "PYTHONPATH": str(self.package.parent),
            "LEVELSENSE_CACHE_DIR": str(self.cache),
            "TMPDIR": str(self.temporary),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        changed = {**os.environ, **places, **environment}
        return subprocess.run(
            [sys.executable, "-c", program],
            env={name: value for name, value in changed.items() if value is not None},
            capture_output=True,
            text=True,
            timeout=120,
        )

    def files(self, folder: Path | None = None) -> list[Path]:
        """The files of compiled code."""
        return sorted((folder or self.cache).rglob("*.nb?"))


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small(tmp_path)


@compiled
def test_what_was_compiled_is_found_again(small: Small) -> None:
    assert (small.run().stdout, small.run().stdout) == ("181 0\n", "181 1\n")
    assert len(small.files()) == 2
    assert small.run().stderr == ""


@compiled
def test_an_edit_of_another_file_is_seen(small: Small) -> None:
    small.run()
    small.set_points(70)
    assert small.run().stdout == "211 0\n"


@compiled
@pytest.mark.parametrize("home", ["below a file", "below a file, and so is the temporary folder"])
def test_an_edit_is_seen_where_the_folder_cannot_be_used(small: Small, home: str) -> None:
    """Numba would keep the code beside the sources, where it sees one file's edits only."""
    (small.package.parent / "file").touch()
    places: dict[str, str | None] = {"LEVELSENSE_CACHE_DIR": str(small.package.parent / "file" / "cache")}
    # By the environment alone, Python would still find /tmp, and what an earlier run kept there.
    nowhere = f"import tempfile\ntempfile.tempdir = {str(small.package.parent / 'file')!r}"
    before = nowhere if "temporary" in home else ""
    first = small.run(before, places)
    assert first.stdout == "181 0\n"
    assert f"{places['LEVELSENSE_CACHE_DIR']}: cannot be used as the cache: Not a directory" in first.stderr
    assert first.stderr.count("CacheWarning: ") == 1
    small.set_points(70)
    assert small.run(before, places).stdout == "211 0\n"
    assert small.files(small.package) == []


@compiled
def test_a_temporary_folder_takes_the_place_of_one_that_cannot_be_used(small: Small) -> None:
    small.cache.touch()
    assert small.run().stdout == "181 0\n"
    assert small.run().stdout == "181 1\n"
    (folder,) = small.temporary.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(small.files(folder)) == 2


@compiled
def test_a_temporary_folder_that_others_can_write_to_is_not_used(small: Small) -> None:
    """Code from it would be run."""
    small.cache.touch()
    others = small.temporary / f"levelsense-{os.getuid()}"
    others.mkdir()
    others.chmod(0o777)
    done = small.run()
    assert done.stdout == "181 0\n"
    assert small.files(others) == []
    assert list(small.temporary.iterdir()) == [others], "the folder of one run goes with it"


@compiled
def test_a_user_without_a_home(small: Small) -> None:
    no_entry = "import pwd\ndef missing(uid): raise KeyError(uid)\npwd.getpwuid = missing"
    places: dict[str, str | None] = {"LEVELSENSE_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": None}
    assert small.run(no_entry, places).stdout == "181 0\n"
    again = small.run(no_entry, places)
    assert (again.stdout, again.stderr) == ("181 1\n", "")
    assert small.files(small.package) == []


DAMAGES = {
    "empty": lambda content: b"",
    "truncated": lambda content: content[: len(content) // 2],
    "one bit": lambda content: content[:-200] + bytes([content[-200] ^ 1]) + content[-199:],
    "garbled": lambda content: b"\x80\x05" + bytes(range(256)) * 20,
    "zeros": lambda content: bytes(len(content)),
}


@compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_discarded_and_compiled_again(small: Small, damage: str) -> None:
    small.run()
    for path in small.files():
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    second = small.run()
    assert (second.returncode, second.stdout) == (0, "181 0\n")
    assert second.stderr.count("CacheWarning: ") == 1
    assert "damaged, it is not what was written; discarded and compiled again" in second.stderr
    third = small.run()
    assert (third.stdout, third.stderr) == ("181 1\n", "")


@compiled
def test_code_of_another_key_is_not_run(small: Small) -> None:
    """A file in the place of another, whole though it is."""
    small.run()
    one, other = small.files()
    shutil.copy(one, other)
    assert small.run().stdout.startswith("181 ")
    assert small.run().stdout == "181 1\n"


@compiled
def test_a_full_disk_is_said_once_and_stops_nothing(small: Small) -> None:
    full = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
"""
    done = small.run(full)
    assert (done.returncode, done.stdout) == (0, "181 0\n")
    assert done.stderr.count("cannot be written: File too large; what is compiled now") == 1
    assert small.files() == []
    assert [path for path in small.cache.rglob("*") if path.suffix == ".part"] == []
    assert small.run().stderr == ""


def test_the_cache_may_be_put_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path))
    assert cache.user_cache() == tmp_path
    assert cache.usable_cache() == tmp_path


@pytest.fixture
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cache, "_said", set())
    cache._usable.cache_clear()
    yield
    cache._usable.cache_clear()


@pytest.mark.usefixtures("nothing_said")
def test_no_folder_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    with pytest.warns(CacheWarning, match="compiled code is not kept, and compiled in every run"):
        assert cache.usable_cache() is None
    assert cache.usable_cache() is None


def aged(folder: Path) -> Path:
    long_ago = time.time() - 40 * 86_400
    os.utime(folder, (long_ago, long_ago))
    return folder


def test_only_old_folders_that_levelsense_made_are_removed(tmp_path: Path) -> None:
    kernels, precious = tmp_path / "kernels", tmp_path / "precious"
    mine, fresh, old = (kernels / name for name in ("mine", "fresh", "old"))
    for folder in (mine, fresh, old, precious):
        cache.mark_folder(folder)
    others = [kernels / name for name in ("linux-6.1", "0123456789abcdef", "tagged-by-another")]
    for folder in others:
        folder.mkdir()
        (folder / "work.c").touch()
    (others[2] / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    (kernels / "file").touch()
    (kernels / "link").symlink_to(precious)
    for path in (mine, old, precious, *others, kernels / "file"):
        aged(path)
    cache.forget_others(mine)
    assert not old.exists()
    assert sorted(path.name for path in kernels.iterdir()) == sorted(
        ["mine", "fresh", "file", "link", *(folder.name for folder in others)]
    )
    assert (precious / "CACHEDIR.TAG").exists()
    assert mine.stat().st_mtime > time.time() - 86_400


@pytest.mark.parametrize("content", [b"", b"Signature: 8a47"])
def test_a_tag_that_was_cut_is_written_again(tmp_path: Path, content: bytes) -> None:
    """Else the folder would never be removed."""
    whole, compiled_into, used = (tmp_path / name for name in ("whole", "compiled-into", "used"))
    cache.mark_folder(whole)
    tag = (whole / "CACHEDIR.TAG").read_bytes()
    for folder in (compiled_into, used):
        folder.mkdir()
        (folder / "CACHEDIR.TAG").write_bytes(content)
    cache.mark_folder(compiled_into)
    cache.forget_others(used)
    assert [(folder / "CACHEDIR.TAG").read_bytes() for folder in (compiled_into, used)] == [tag, tag]


@pytest.mark.usefixtures("nothing_said")
def test_what_is_to_last_goes_into_no_folder_of_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    private = tmp_path / f"levelsense-{os.getuid()}"
    assert cache.lasting_cache() == private
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    private.chmod(0o777)
    cache._usable.cache_clear()
    assert cache.lasting_cache() is None
