"""Findings of level files: codes, cells, and the lines that they are in."""

import ast
import json
import re
from pathlib import Path

import pytest

from levelsense.advice.findings import check_level
from levelsense.errors import LevelError, LevelProblem
from levelsense.level.bundled import bundled_text
from levelsense.level.level import Level
from levelsense.level.text import line_at
from levelsense.playtest.levels import gather_levels

ROOT = Path(__file__).parents[2]
LEVEL = """\
{
  "name": "t",
  "moves": 5,
  "colors": 4,
  "board": [
    ". . . .",
    ". . . .",
    ". . . .",
    ". . . ."
  ],
  "jelly": [
    ". . . .",
    ". . 1 .",
    ". . . .",
    ". . . ."
  ],
  "goals": {
    "jelly": "all",
    "score": 100
  },
  "teleporters": [
    {"from": "a2", "to": "c3"}
  ],
  "stars": [100, 200, 300]
}
"""


def findings_of(
    tmp_path: Path, *changes: tuple[str, str]
) -> list[tuple[str, str, int | None, tuple[str, ...]]]:
    """Severity, code, line and cells of what is found in the level above with some texts replaced."""
    text = LEVEL
    for before, after in changes:
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    file = tmp_path / "level.json"
    file.write_text(text)
    return [(one.severity, one.code, one.line, one.cells) for one in check_level(str(file)).findings]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (('". . 1 ."', '". . q ."'), ("error", "unknown-token", 13, ("c2",))),
        (('". . 1 ."', '". . - ."'), ("error", "overlay-mismatch", 13, ("c2",))),
        (('". . 1 ."', '". . 1"'), ("error", "overlay-shape", 13, ())),
        (('"moves": 5', '"moves": "x"'), ("error", "wrong-value", 3, ())),
        (('"moves": 5', '"mooves": 5'), ("error", "unknown-key", 3, ())),
        (('"moves": 5', '"moves": 5, "seconds": 9'), ("error", "limit", 3, ())),
        (('  "moves": 5,\n', ""), ("error", "limit", 1, ())),
        (('"to": "c3"', '"to": "e3"'), ("error", "off-board", 22, ("e3",))),
        (('"to": "c3"', '"to": "a2"'), ("error", "teleporter-to-itself", 22, ("a2",))),
        (("[100, 200, 300]", "[100, 300, 200]"), ("error", "stars", 24, ())),
        (('"jelly": "all"', '"jelly": 2'), ("error", "jelly-goal", 18, ())),
        (('"score": 100', '"orders": {"icing": 1}'), ("error", "goal-out-of-supply", 19, ())),
        (('"score": 100', '"orders": {"iceing": 1}'), ("error", "unknown-name", 19, ())),
        (("300]", "300"), ("error", "not-json", 25, ())),
        (("[100, 200, 300]", "[1, 2, 3]"), ("warning", "stars-below-goal", 24, ())),
    ],
)
def test_findings_name_code_line_and_cell(
    tmp_path: Path, change: tuple[str, str], finding: tuple[str, str, int | None, tuple[str, ...]]
) -> None:
    assert finding not in findings_of(tmp_path)
    assert finding in findings_of(tmp_path, change)


def test_advice_about_cells_is_in_the_line_of_the_first(tmp_path: Path) -> None:
    """A teleporter takes what falls out of a2: a3 and a4 are filled from the side only."""
    assert ("note", "fed-sideways", 8, ("a3", "a4")) in findings_of(tmp_path)


def test_what_cannot_be_read_has_no_line() -> None:
    checked = check_level("no-such-level")
    assert checked.missing
    assert [(one.code, one.line) for one in checked.findings] == [("no-such-level", None)]


def test_every_command_shows_each_wrong_line_with_its_caret(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text('{\n  "name": "x"\n  "moves": 3\n}')
    with pytest.raises(LevelError) as caught:
        gather_levels([tmp_path])
    assert len(caught.value.parts) == 2
    for sentence, excerpt in caught.value.parts:
        assert sentence.endswith(
            "line 2, column 14: not JSON: no comma between two entries; expected one here"
        )
        assert excerpt.splitlines()[1].strip() == "^"


def test_a_place_that_is_not_there_is_in_the_line_of_what_is_around_it() -> None:
    assert line_at(LEVEL, ("goals", "jelly")) == 18
    assert line_at(LEVEL, ("goals", "orders", "red")) == 17
    assert line_at(LEVEL, ("drops", 3)) == 1


def test_a_level_from_data_has_no_lines() -> None:
    with pytest.raises(LevelError) as caught:
        Level.model_validate(json.loads(LEVEL) | {"moves": "x"})
    assert [(one.line, one.code) for one in caught.value.details] == [(None, "wrong-value")]
    assert caught.value.problems == ('level: moves: "x"; expected a whole number from 1 to 999',)


# Which argument of a call is the code of a finding.
CODE_AT = {"Problem": 0, "cell_problem": 0, "_at_cell": 0, "partial": 1, "Advice": 1, "LevelProblem": 2}


def codes_in(file: Path) -> set[str]:
    """The codes that a module gives to findings."""
    codes: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_AT:
            arguments = node.args[CODE_AT[node.func.id] :][:1]
            arguments += [keyword.value for keyword in node.keywords if keyword.arg == "code"]
            codes |= {str(part.value) for part in arguments if isinstance(part, ast.Constant)}
    return codes


def test_every_code_is_documented_and_no_other() -> None:
    package = ROOT / "src" / "levelsense"
    files = [*(package / "level").glob("*.py"), *(package / "advice").glob("*.py")]
    used = set().union(*map(codes_in, files)) | {LevelProblem("").code}
    assert len(used) > 40
    page = (ROOT / "docs" / "levels.md").read_text()
    section = page[page.index("## Codes of findings") :].split("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.MULTILINE)) == used


def test_bundled_levels_have_no_errors_and_their_text_is_found() -> None:
    assert all(one.severity == "note" for one in check_level("30").findings)
    assert line_at(bundled_text("30-grand-tour"), ("board", 8)) == 14
