"""The examples of docs/python.md, run one after the other as a reader would."""

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_every_example_gives_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried > 30
    assert not failed


def test_every_action_of_the_lab_has_an_example() -> None:
    from levelsense import Lab

    actions = {name for name in vars(Lab) if not name.startswith("_")} - {"close"}
    text = PAGE.read_text("utf-8")
    assert [
        action for action in sorted(actions) if f">>> {action}" not in text and f"lab.{action}(" not in text
    ] == []
