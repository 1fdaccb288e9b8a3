"""The edits of benchmarks/edits can be made to today's source, and its check says so when one cannot."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "mutants.py"


@pytest.fixture(scope="module")
def mutants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutants", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_edit_has_one_place_and_its_tests(mutants: ModuleType) -> None:
    edits = mutants.all_edits()
    assert len(edits) >= 60
    assert all(edit.old != edit.new and edit.tests for edit in edits)
    mutants.check(edits)


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("## tests/test_mutants.py\nnew\n- no such text\n+ x", "new: 'no such text' is nowhere"),
        ("## tests/test_mutants.py\nnew\n- import\n+ x", "new: 'import' is .*, .*; expected it once"),
        ("## tests/none.py\nnew\n- NEAR = 0.10\n+ NEAR = 0.2", "new: no tests tests/none.py; expected"),
        ("## tests/test_mutants.py::test_x\nnew\n- NEAR = 0.10\n+ NEAR = 0.2", "new: no tests .*::test_x"),
    ],
)
def test_an_edit_that_cannot_be_made_is_told(mutants: ModuleType, edit: str, complaint: str) -> None:
    with pytest.raises(mutants.BadEditError, match=complaint):
        mutants.check(mutants.parse_edits(edit))


def test_two_edits_of_one_name_are_told(mutants: ModuleType) -> None:
    edits = mutants.all_edits()[:1]
    with pytest.raises(mutants.BadEditError, match="given twice"):
        mutants.check(edits * 2)


def test_an_edit_is_made_of_lines_and_may_leave_nothing(mutants: ModuleType) -> None:
    text = (
        "## interpreted tests/a.py tests/b.py::c\none\n-     x = 1\n- y\n+\n\n## tests/d.py\ntwo\n- x\n+  z"
    )
    first, second = mutants.parse_edits(text)
    assert first == ("one", "    x = 1\ny", "", ("tests/a.py", "tests/b.py::c"), True)
    assert second == ("two", "x", " z", ("tests/d.py",), False)
