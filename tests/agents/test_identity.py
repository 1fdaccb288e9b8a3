"""The digest of a function's code: it changes with all that the function reaches, and with nothing else."""

import functools
import re
import sys
import threading
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from levelsense import parse_agent
from levelsense.agents.identity import chooser_digest
from levelsense.errors import AgentError


def made(source: str, name: str = "f", **values: Any) -> Any:
    """The object of a name after a source was run, in a module without a file."""
    space: dict[str, Any] = {"__name__": "__main__", **values}
    exec(compile(source, "<source>", "exec"), space)
    return space[name]


BASE = "def helper(x):\n    return x + 1\ndef f(game):\n    return helper(LIMIT)\n"


def test_the_same_code_has_the_same_digest_wherever_it_stands() -> None:
    assert chooser_digest(made(BASE, LIMIT=3)) == chooser_digest(made("\n\n# moved\n" + BASE, LIMIT=3))
    assert re.fullmatch(r"[0-9a-f]{12}", chooser_digest(made(BASE, LIMIT=3)))


@pytest.mark.parametrize(
    ("source", "values"),
    [
        (BASE.replace("x + 1", "x + 2"), {"LIMIT": 3}),  # a function that it calls
        (BASE, {"LIMIT": 4}),  # a value that it reads
        (BASE, {"LIMIT": 3.0}),
        (BASE, {"LIMIT": "3"}),
        (BASE.replace("def f(game)", "def f(game, depth=2)"), {"LIMIT": 3}),
        (BASE.replace("return helper(LIMIT)", "return [helper(LIMIT) for _ in range(2)]"), {"LIMIT": 3}),
    ],
)
def test_what_it_reaches_is_part_of_the_digest(source: str, values: dict[str, Any]) -> None:
    assert chooser_digest(made(source, **values)) != chooser_digest(made(BASE, LIMIT=3))


READS = "def f(game):\n    return VALUE\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [1, 3]),
        ({"a": 1}, {"a": 2}),
        ({1, 2}, {1, 3}),
        (np.arange(3), np.arange(4)),
        (np.arange(3), np.arange(3.0)),
        (re.compile("a"), re.compile("b")),
        (Counter("aab"), Counter("abb")),
        (parse_agent("greedy"), parse_agent("greedy:of=goals")),
        (functools.partial(max, 1), functools.partial(max, 2)),
        (functools.lru_cache(made(BASE, LIMIT=1)), functools.lru_cache(made(BASE, LIMIT=2))),
        ((made(BASE, LIMIT=1),), (made(BASE, LIMIT=2),)),
    ],
)
def test_values_of_many_kinds_are_told_apart(one: Any, other: Any) -> None:
    digest = chooser_digest(made(READS, VALUE=one))
    assert digest == chooser_digest(made(READS, VALUE=one))
    assert digest != chooser_digest(made(READS, VALUE=other))


CLASS = """
class Player:
    def __init__(self, depth):
        self.depth = depth
    @property
    def twice(self):
        return 2 * self.depth
    def __call__(self, game):
        return self.twice
f = Player(DEPTH)
"""


def test_objects_are_their_class_and_what_they_hold() -> None:
    digests = {
        chooser_digest(made(CLASS, DEPTH=1)),
        chooser_digest(made(CLASS, DEPTH=2)),
        chooser_digest(made(CLASS.replace("2 * ", "3 * "), DEPTH=1)),
    }
    assert len(digests) == 3
    assert chooser_digest(made(CLASS, DEPTH=1)) in digests


def test_closures_are_what_they_hold() -> None:
    make = made("def make(n):\n    def f(game):\n        return n\n    return f\n", "make")
    assert chooser_digest(make(1)) == chooser_digest(make(1)) != chooser_digest(make(2))


def test_functions_that_call_themselves_have_a_digest() -> None:
    source = "def f(game):\n    return g(game)\ndef g(game):\n    return f(game) + %d\n"
    assert chooser_digest(made(source % 1)) != chooser_digest(made(source % 2))


def test_what_cannot_be_known_asks_for_a_version() -> None:
    function = made(READS, VALUE=threading.Lock())
    with pytest.raises(AgentError, match=r"^VALUE: it is a _thread.lock, .*expected `version`"):
        chooser_digest(function)
    assert chooser_digest(function, "1") == chooser_digest(function, "1") != chooser_digest(function, "2")


def test_modules_of_ones_own_are_their_files(tmp_path: Path) -> None:
    def digest(text: str) -> str:
        file = tmp_path / "helper_of_mine.py"
        file.write_text(text)
        module = ModuleType("helper_of_mine")
        module.__file__ = str(file)
        sys.modules["helper_of_mine"] = module
        try:
            return chooser_digest(made("def f(game):\n    return helper.g(game)\n", helper=module))
        finally:
            del sys.modules["helper_of_mine"]

    assert digest("g = max\n") == digest("g = max\n") != digest("g = min\n")


def test_installed_modules_are_their_names() -> None:
    assert chooser_digest(made(READS, VALUE=np)) != chooser_digest(made(READS, VALUE=re))
    assert chooser_digest(made(READS, VALUE=np.mean)) != chooser_digest(made(READS, VALUE=np.median))
