"""The cache of compiled code: where it cannot be used or is damaged, results are right all the same."""

import json
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
from levelsense.cli.terminal import screen
from levelsense.compiled import times
from levelsense.errors import CacheWarning

PACKAGE = Path(levelsense.__file__).parent
compiled = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled with the JIT off")

PLAY = """
from levelsense.game.score import points
from levelsense.kernel import kernel

@kernel
def _points(cells):
    return points(cells)

@kernel
def play(cells):
    return _points(cells) + 1
"""

SCORE = """
from typing import NamedTuple

import numpy as np

from levelsense.kernel import kernel


class Weights(NamedTuple):
    plain: int
    special: int


POINTS = 60
PAIR = (0, 5)
TABLE = np.array([0, 7])
WEIGHTS = Weights(0, 9)
FLOOR = -0.0


class ScoreError(Exception):
    \"\"\"Raised in words that no kernel knows of.\"\"\"


def check(cells):
    if cells < 0:
        raise ScoreError("cells are never fewer than none")


@kernel
def _worth(cells: int) -> int:
    \"\"\"What cells are worth.\"\"\"
    return cells * POINTS


@kernel
def points(cells: int) -> int:
    extra = TABLE[0] + PAIR[0] + WEIGHTS.plain + int(FLOOR)
    return _worth(cells) + extra
"""


# Runs programs, each in a child of its own that need not load Numba: the half of what such a small one takes.
PARENT = """
import json, os, signal, sys, traceback
import numba

numba.njit(lambda cells: cells + 1)(1)
sys.dont_write_bytecode = True
for line in sys.stdin:
    program, environment, paths = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.alarm(120)
    for number, path in enumerate(paths, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, environment["PYTHONPATH"])
    code = 0
    try:
        exec(program, {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
"""
Parent = subprocess.Popen[str]


@pytest.fixture(scope="module")
def parent() -> Iterator[Parent]:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.communicate()


class Small:
    """A levelsense of two small kernels, in processes of their own: new ones, or children of a parent."""

    parent: Parent | None = None

    def __init__(self, folder: Path) -> None:
        self.package, self.cache, self.temporary = folder / "levelsense", folder / "cache", folder / "tmp"
        (self.package / "game").mkdir(parents=True)
        self.temporary.mkdir()
        for name in ("errors", "files", "cache", "kernel"):
            shutil.copy(PACKAGE / f"{name}.py", self.package)
        shutil.copytree(PACKAGE / "compiled", self.package / "compiled")
        for name in ("__init__.py", "game/__init__.py"):
            (self.package / name).touch()
        (self.package / "game" / "play.py").write_text(PLAY)
        (self.package / "game" / "score.py").write_text(SCORE)

    def edit(self, name: str, old: str, new: str) -> None:
        """Puts a new text in the place of an old one in a source."""
        path = self.package / name
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def set_points(self, points: int) -> None:
        self.edit("game/score.py", "POINTS = 60", f"POINTS = {points}")

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
        found = {name: value for name, value in changed.items() if value is not None}
        if self.parent is not None and not before and not environment:
            return self.run_below(self.parent, program, found)
        return subprocess.run(
            [sys.executable, "-c", program],
            env=found,
            capture_output=True,
            text=True,
            timeout=120,
        )

    def run_below(
        self, parent: Parent, program: str, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[str]:
        assert parent.stdin is not None
        assert parent.stdout is not None
        said = [self.temporary.parent / name for name in ("stdout", "stderr")]
        parent.stdin.write(json.dumps([program, environment, list(map(str, said))]) + "\n")
        parent.stdin.flush()
        code = int(parent.stdout.readline())
        return subprocess.CompletedProcess([], code, *(path.read_text() for path in said))

    def wholes(self) -> list[Path]:
        """The files of machine code that Python calls."""
        return [path for path in self.files() if not path.name.endswith(".part.nbc")]

    def files(self, folder: Path | None = None) -> list[Path]:
        """The files of compiled code."""
        return sorted((folder or self.cache).rglob("*.nb?"))


@pytest.fixture
def small(tmp_path: Path, parent: Parent) -> Small:
    found = Small(tmp_path)
    found.parent = parent
    return found


@pytest.fixture(scope="module")
def first_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache that a first run leaves, made once: nothing in it depends on the folder of the package."""
    first = Small(tmp_path_factory.mktemp("first"))
    assert first.run().stdout == "181 0\n"
    return first.cache


@pytest.fixture
def used(small: Small, first_cache: Path) -> Small:
    """One that has run before."""
    shutil.copytree(first_cache, small.cache)
    return small


@compiled
def test_what_was_compiled_is_found_again(small: Small) -> None:
    small.parent = None  # as users start it
    assert (small.run().stdout, small.run().stdout) == ("181 0\n", "181 1\n")
    assert len(small.files()) == 5, "a part for each of four kernels, and a whole for the one that is called"
    assert small.run().stderr == ""


SCORE_FILE, PLAY_FILE = "game/score.py", "game/play.py"
EDITS = {  # and the score of three cells after them
    "the kernel": (PLAY_FILE, "_points(cells) + 1", "_points(cells) + 2", 182),
    "a kernel that it calls": (PLAY_FILE, "return points(cells)", "return points(cells) + 1", 182),
    "one in another file that this one calls": (SCORE_FILE, "_worth(cells) +", "2 * _worth(cells) +", 361),
    "one that this calls in turn": (SCORE_FILE, "cells * POINTS", "cells + POINTS", 64),
    "a number": (SCORE_FILE, "POINTS = 60", "POINTS = 70", 211),
    "a number's type": (SCORE_FILE, "POINTS = 60", "POINTS = 60.0", "181.0"),
    "a tuple": (SCORE_FILE, "(0, 5)", "(1, 5)", 182),
    "an array": (SCORE_FILE, "[0, 7]", "[1, 7]", 182),
    "an array's type": (SCORE_FILE, "np.array([0, 7])", "np.array([0.0, 7.0])", "181.0"),
    "a named tuple": (SCORE_FILE, "Weights(0, 9)", "Weights(1, 9)", 182),
    "the order of its fields": (
        SCORE_FILE,
        "plain: int\n    special: int",
        "special: int\n    plain: int",
        190,
    ),
    "the sign of nothing": (SCORE_FILE, "FLOOR = -0.0", "FLOOR = 0.0", 181),
}


@compiled
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_can_change_an_answer_compiles_anew(used: Small, edit: str) -> None:
    name, old, new, score = EDITS[edit]
    used.edit(name, old, new)
    assert used.run().stdout == f"{score} 0\n"
    used.edit(name, new, old)
    assert used.run().stdout == "181 1\n", "code from before the edit is still there"


EDITS_OF_NO_WEIGHT = {
    "a docstring": (SCORE_FILE, "What cells are worth", "What some cells are worth"),
    "a comment": (SCORE_FILE, "    return cells * POINTS", "    # Each.\n    return cells * POINTS"),
    "lines above": (PLAY_FILE, "@kernel\ndef _points", "\n\n\n@kernel\ndef _points"),
    "an annotation": (SCORE_FILE, "_worth(cells: int) -> int", "_worth(cells) -> 'int'"),
    "the sentence of an error": (SCORE_FILE, "never fewer than none", "never fewer than 0"),
    "another function": (SCORE_FILE, "def check(cells):", "def also():\n    return 1\n\n\ndef check(cells):"),
    "a constant that none reads": (SCORE_FILE, "POINTS = 60", "SPARE = 5\nPOINTS = 60"),
}


@compiled
@pytest.mark.parametrize("edit", EDITS_OF_NO_WEIGHT)
def test_other_edits_compile_nothing(used: Small, edit: str) -> None:
    files = used.files()
    used.edit(*EDITS_OF_NO_WEIGHT[edit])
    assert used.run().stdout == "181 1\n"
    assert used.files() == files


@compiled
def test_a_kernel_may_move_to_another_module(used: Small) -> None:
    """The first module is no longer there; a kernel that is new calls what was compiled in it."""
    (used.package / "game" / "score.py").rename(used.package / "game" / "points.py")
    used.edit(PLAY_FILE, "game.score", "game.points")
    assert used.run().stdout == "181 1\n"
    files = used.files()
    used.edit(PLAY_FILE, "_points(cells) + 1", "_points(cells) + 2")
    assert used.run().stdout == "182 0\n"
    assert len(used.files()) == len(files) + 2, "a part and a whole"


@compiled
def test_another_flag_of_numba_compiles_anew(small: Small) -> None:
    assert small.run().stdout == "181 0\n"
    assert small.run(environment={"NUMBA_OPT": "1"}).stdout == "181 0\n"
    assert small.run(environment={"OTHER_OPT": "1"}).stdout == "181 1\n"


@compiled
def test_code_for_another_processor_is_not_run(used: Small) -> None:
    other = "import llvmlite.binding\nllvmlite.binding.get_host_cpu_name = lambda: 'x86-64'"
    assert used.run(other).stdout == "181 0\n"


@compiled
def test_a_copy_with_another_kernel_in_it_is_another_kernel(small: Small) -> None:
    """Under one name in one module; the code of both is linked into one."""
    small.edit(
        PLAY_FILE, "from levelsense.kernel import kernel", "from levelsense.kernel import kernel, kernel_with"
    )
    copies = """
def add(cells):
    return cells

def _loop(cells):
    return add(cells) * 10

@kernel
def _one(cells):
    return cells + 1

@kernel
def _two(cells):
    return cells + 2

first, second = kernel_with(_loop, "loop", add=_one), kernel_with(_loop, "loop", add=_two)

@kernel
def play(cells):
    return first(cells) * 1000 + second(cells)
"""
    with (small.package / "game" / "play.py").open("a") as file:
        file.write(copies)
    assert (small.run().stdout, small.run().stdout) == ("40050 0\n", "40050 1\n")


@compiled
def test_what_cannot_be_hashed_with_certainty_is_not_kept(small: Small) -> None:
    """Nor are kernels that call one which reads it: a member of an enumeration may mean anything."""
    small.edit(
        SCORE_FILE, "PAIR = (0, 5)", "from enum import IntEnum\nPAIR = (IntEnum('Low', {'ONE': 0}).ONE, 5)"
    )
    assert (small.run().stdout, small.run().stdout) == ("181 0\n", "181 0\n")
    assert [path.name.split("-")[0] for path in small.files()] == ["_worth"]


@compiled
def test_an_error_in_a_kernel_that_a_kernel_calls_reaches_python(small: Small) -> None:
    """Compiled anew, and from the cache; only with bounds checks is there such an error."""
    small.edit(SCORE_FILE, "TABLE[0]", "TABLE[cells]")
    for _ in range(2):
        done = small.run(environment={"NUMBA_BOUNDSCHECK": "1"})
        assert done.stderr.endswith("IndexError: index is out of bounds\n")
    assert len(small.wholes()) == 1


@compiled
def test_a_kernel_that_calls_itself_is_refused(small: Small) -> None:
    small.edit(SCORE_FILE, "return cells * POINTS", "return _worth(cells - 1) if cells else 0")
    done = small.run()
    assert done.returncode == 1
    assert "a kernel cannot call itself" in done.stderr


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
    assert len(small.files(folder)) == 5


@compiled
def test_a_temporary_folder_that_others_can_write_to_is_not_used(small: Small) -> None:
    """Code from it would be run."""
    small.parent = None  # a child of it leaves without what Python does at its end
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
def test_a_damaged_file_is_discarded_and_compiled_again(used: Small, damage: str) -> None:
    for path in used.files():
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    second = used.run()
    assert (second.returncode, second.stdout) == (0, "181 0\n")
    assert second.stderr.count("CacheWarning: ") == 1
    assert "damaged, it is not what was written; discarded and compiled again" in second.stderr
    third = used.run()
    assert (third.stdout, third.stderr) == ("181 1\n", "")


@compiled
def test_code_of_another_key_is_not_run(used: Small) -> None:
    """A file in the place of another, whole though it is."""
    (whole,) = used.wholes()
    used.edit(PLAY_FILE, "_points(cells) + 1", "_points(cells) + 2")
    used.run()
    (other,) = set(used.wholes()) - {whole}
    shutil.copy(whole, other)
    done = used.run()
    assert done.stdout == "182 0\n"
    assert "damaged, it was written as play-" in done.stderr
    assert used.run().stdout == "182 1\n"


@compiled
def test_a_part_that_is_gone_is_compiled_again(used: Small) -> None:
    """Other parts, which name it, are still there."""
    for path in used.files():
        if path.name.startswith(("_worth", "play")):
            path.unlink()
    assert (used.run().stdout, used.run().stdout) == ("181 0\n", "181 1\n")


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
    monkeypatch.setattr(cache, "_warned_about", set())
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


def test_only_what_is_old_and_ours_is_removed(tmp_path: Path) -> None:
    kernels, precious = tmp_path / "kernels", tmp_path / "precious"
    old_version, new_version = kernels / "0123456789abcdef", kernels / "fedcba9876543210"
    for folder in (kernels, precious, old_version, new_version):
        cache.mark_folder(folder)
    files = [kernels / name for name in ("new.nbc", "old.nbc", "seconds.json", "work.c")]
    for file in files:
        file.touch()
    (kernels / "linux-6.1").mkdir()
    (kernels / "link").symlink_to(precious)
    for path in (old_version, precious, kernels / "linux-6.1", *files[1:]):
        aged(path)
    cache.forget_unused(kernels, "*.nbc")
    left = ["CACHEDIR.TAG", "fedcba9876543210", "link", "linux-6.1", "new.nbc", "seconds.json", "work.c"]
    assert sorted(path.name for path in kernels.iterdir()) == left
    assert (precious / "CACHEDIR.TAG").exists()


def test_nothing_is_removed_from_a_folder_of_others(tmp_path: Path) -> None:
    aged_file = tmp_path / "old.nbc"
    aged_file.touch()
    aged(aged_file)
    cache.forget_unused(tmp_path, "*.nbc")
    assert aged_file.exists()


@compiled
def test_a_use_is_noted_once_a_day(used: Small) -> None:
    (whole,) = used.wholes()
    aged(whole)
    used.run()
    noted = whole.stat().st_mtime
    assert noted > time.time() - 3600
    hour_ago = noted - 3600
    os.utime(whole, (hour_ago, hour_ago))
    used.run()
    assert whole.stat().st_mtime == hour_ago


@pytest.mark.parametrize("content", [b"", b"Signature: 8a47"])
def test_a_tag_that_was_cut_is_written_again(tmp_path: Path, content: bytes) -> None:
    """Else the folder would never be removed."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    cache.mark_folder(whole)
    cut.mkdir()
    (cut / "CACHEDIR.TAG").write_bytes(content)
    cache.mark_folder(cut)
    assert (cut / "CACHEDIR.TAG").read_bytes() == (whole / "CACHEDIR.TAG").read_bytes()


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


# What is said of it

LISTENING = """
from levelsense.compiled.times import compiling_for, listen
from levelsense.game.play import play
listen(lambda subject, seconds: print(subject, None if seconds is None else seconds > 0))
"""


@compiled
def test_what_compiles_is_told_once_with_the_time_that_it_took_before(small: Small) -> None:
    twice = f"{LISTENING}play(3.0)"  # another signature: compiles, too
    assert small.run(twice).stdout == "the rules None\n181 0\n"
    assert small.run(twice).stdout == "181 2\n"
    small.edit(PLAY_FILE, "_points(cells) + 1", "_points(cells) + 2")
    assert small.run(twice).stdout == "the rules True\n182 0\n"


@compiled
def test_an_agent_is_told_apart_from_the_rules(small: Small) -> None:
    agents = f"{LISTENING}with compiling_for('greedy'):\n    play(3.0)\n"
    assert small.run(agents).stdout == "greedy None\nthe rules None\n181 0\n"
    seconds = json.loads((small.cache / "kernels" / "seconds.json").read_text())
    assert sorted(seconds) == ["greedy", "the rules"]


@compiled
@pytest.mark.parametrize("content", ["", "[]", '{"the rules": "long"}', '{"the rules": null}'])
def test_a_time_that_cannot_be_read_is_not_told(small: Small, content: str) -> None:
    (small.cache / "kernels").mkdir(parents=True)
    (small.cache / "kernels" / "seconds.json").write_text(content)
    assert small.run(LISTENING).stdout == "the rules None\n181 0\n"


@pytest.mark.parametrize(
    ("seconds", "about"), [(None, ""), (0.2, " (about 1 s)"), (8.6, " (about 9 s)"), (61.0, " (about 61 s)")]
)
def test_what_is_said_on_a_terminal(
    seconds: float | None, about: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    screen.announce_compiling()
    try:
        for listener in times._listeners:
            listener("heuristic", seconds)
    finally:
        times.listen(None)
    assert f"compiling heuristic, first run only{about} ..." in capsys.readouterr().err


def test_nothing_is_said_where_nobody_looks_on() -> None:
    screen.announce_compiling()
    assert times._listeners == []


RECORDS = """
import numpy as np
from levelsense.kernel import kernel

CELL = np.zeros(1, np.dtype((np.record, np.dtype([("layers", "i8")]))))[0]


@kernel
def inner(cell):
    return cell.layers + 1


@kernel
def middle(cell):
    return inner(cell) * 2


@kernel
def outer(cell):
    return middle(cell) + 5
"""
# Numba numbers records as it meets them, and writes the numbers into the names of compiled functions.
OTHER_NUMBERS = """
import numpy as np
from numba import from_dtype
others = [from_dtype(np.dtype([(f"field_{k}", "i8")])) for k in range(40)]
"""


@compiled
def test_a_part_that_another_process_named_otherwise_is_not_called_by_its_old_name(small: Small) -> None:
    """As when two processes compile the same kernels at once: code would call what is not there."""
    (small.package / "game" / "records.py").write_text(RECORDS)

    def call(kernel: str, before: str = "") -> str:
        words = f"from levelsense.game.records import CELL, {kernel}\nprint({kernel}(CELL), end=' ')"
        done = small.run(f"{before}\n{words}")
        assert done.returncode == 0, done.stderr
        return done.stdout.split()[0]

    assert call("middle") == "2"
    for path in small.files():
        if path.name.startswith("inner"):
            path.unlink()
    assert call("inner", OTHER_NUMBERS) == "1"
    assert call("outer") == "7"
