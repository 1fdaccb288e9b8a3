"""How many mistakes in the statistics the tests notice: each edit is made, and its tests have to fail.

The edits are the texts of benchmarks/edits, a file a subject. A heading (##) names the tests of the edits
below it. An edit is a name, lines of old text (-) and new ones (+).

Run it with `python benchmarks/mutants.py`, or with `--only NAME...` for some edits; `--list` shows them, and
checks that all can be made. An edit is made in a temporary copy of the tree, and its old text has to occur
exactly once in the package.
Kernels that are edited run as plain Python; what else is compiled goes to a temporary copy of the cache.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from levelsense.cache import user_cache

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = Path("src", "levelsense")
LEFT_OUT = (".*", "__pycache__", "*.egg-info", "build", "docs")
MOST_SECONDS, MOST_SECONDS_OF_ALL = 120, 900
INTERPRETED = "interpreted"
PASSED, FAILED = 0, 1  # what pytest returns
EDITS = ROOT / "benchmarks" / "edits"


class Edit(NamedTuple):
    """A mistake: text of the package, what stands in its place, and the tests that are to notice it."""

    name: str
    old: str
    new: str
    tests: tuple[str, ...]
    interpreted: bool


class BadEditError(Exception):
    """An edit that cannot be made, or says nothing."""


def all_edits() -> list[Edit]:
    """The edits of all subjects."""
    return [edit for path in sorted(EDITS.glob("*.txt")) for edit in parse_edits(path.read_text("utf-8"))]


def parse_edits(text: str) -> list[Edit]:
    """The edits of a subject's text."""
    edits: list[Edit] = []
    heading: list[str] = []
    name, old, new = "", [], []
    for line in [*text.splitlines(), "## "]:
        if line.startswith("- "):
            old.append(line[2:])
        elif line.startswith("+"):
            new.append(line[2:])
        else:
            if old:
                tests = tuple(word for word in heading if word != INTERPRETED)
                edits.append(Edit(name, "\n".join(old), "\n".join(new), tests, INTERPRETED in heading))
            old, new = [], []
            if line.startswith("## "):
                heading = line[3:].split()
            else:
                name = line
    return edits


def check(edits: Sequence[Edit]) -> None:
    """BadEditError unless every edit can be made: with a name, a place and tests of its own."""
    twice = [name for name, count in Counter(edit.name for edit in edits).items() if count > 1]
    if twice:
        raise BadEditError(f"{twice[0]}: given twice; expected a name for each edit")
    texts = package_texts(ROOT)
    for edit in edits:
        place(texts, edit)
        for test in edit.tests:
            file, _, function = test.partition("::")
            is_there = (ROOT / file).is_file()
            if not is_there or (function and f"\ndef {function}(" not in (ROOT / file).read_text()):
                raise BadEditError(f"{edit.name}: no tests {test}; expected a file, or a test in it")


def package_texts(tree: Path) -> dict[Path, str]:
    """The texts of the package's files by their paths in a tree."""
    return {path.relative_to(tree): path.read_text() for path in sorted((tree / PACKAGE).rglob("*.py"))}


def place(texts: Mapping[Path, str], edit: Edit) -> Path:
    """The file that an edit is to be made in; BadEditError unless its old text is there exactly once."""
    holding = [path for path, text in texts.items() for _ in range(text.count(edit.old))]
    if len(holding) != 1:
        places = ", ".join(str(path) for path in holding) or "nowhere"
        raise BadEditError(f"{edit.name}: {edit.old!r} is {places}; expected it once in {PACKAGE}")
    return holding[0]


def run_tests(tree: Path, tests: Sequence[str], interpreted: bool, seconds: float) -> int | None:
    """What pytest returns; None if it takes too long."""
    environment = os.environ | {
        "PYTHONPATH": str(tree / "src"),
        "LEVELSENSE_CACHE_DIR": str(tree / "cache"),
        "LEVELSENSE_SAME_EXAMPLES": "1",
    }
    environment |= {"NUMBA_DISABLE_JIT": "1"} if interpreted else {}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    try:
        return subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, timeout=seconds
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def write_anew(path: Path, text: str) -> None:
    """Writes a file with a time that it never had: by seconds and size, Python knows stale bytecode."""
    later = path.stat().st_mtime + 10
    path.write_text(text)
    os.utime(path, (later, later))


def outcome(tree: Path, edit: Edit) -> str:
    """Whether the tests notice an edit; the tree is afterwards as before."""
    path = tree / place(package_texts(tree), edit)
    before = path.read_text()
    try:
        write_anew(path, before.replace(edit.old, edit.new))
        code = run_tests(tree, edit.tests, edit.interpreted, MOST_SECONDS)
    finally:
        write_anew(path, before)
    if code not in (PASSED, FAILED, None):
        raise BadEditError(f"{edit.name}: pytest returns {code}; expected an edit that can be imported")
    return {PASSED: "survived", FAILED: "killed", None: "timeout"}[code]


def copy_tree(tree: Path) -> None:
    """A copy to edit, with a cache of what is compiled already."""
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT), dirs_exist_ok=True)
    if user_cache().is_dir():
        shutil.copytree(user_cache(), tree / "cache")


def outcomes(edits: Sequence[Edit]) -> Iterator[tuple[Edit, str, float]]:
    """Each edit with what came of it and the seconds it took; BadEditError if tests fail without any."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        for interpreted in (False, True):
            tests = {test: None for edit in edits if edit.interpreted == interpreted for test in edit.tests}
            if tests and run_tests(tree, list(tests), interpreted, MOST_SECONDS_OF_ALL) != PASSED:
                raise BadEditError(f"tests fail without any edit, among {', '.join(tests)}")
        for edit in edits:
            start = time.perf_counter()
            yield edit, outcome(tree, edit), time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="How many mistakes in the statistics the tests notice.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these edits only")
    parser.add_argument("--list", action="store_true", help="list and check the edits, and make none")
    asked = parser.parse_args()
    edits = all_edits()
    unknown = {*(asked.only or [])} - {edit.name for edit in edits}
    if unknown:
        sys.exit(f"--only: no edit {', '.join(sorted(unknown))}; --list shows all")
    chosen = [edit for edit in edits if not asked.only or edit.name in asked.only]
    try:
        check(edits)
        if asked.list:
            for edit in chosen:
                print(f"{edit.name:40} {' '.join(edit.tests)}")
            return
        counts = Counter[str]()
        for edit, result, seconds in outcomes(chosen):
            counts[result] += 1
            print(f"{result:10}{edit.name:44}{seconds:6.1f} s", flush=True)
    except BadEditError as error:
        sys.exit(str(error))
    noticed = counts["killed"] + counts["timeout"]
    print(f"{noticed} of {len(chosen)} noticed ({noticed / len(chosen):.1%})", dict(counts))
    sys.exit(int(counts["survived"] > 0))


if __name__ == "__main__":
    main()
