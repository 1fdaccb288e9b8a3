"""What a check finds in level files: errors of the file, or advice on the level, each with its line."""

from dataclasses import dataclass
from pathlib import Path

from levelsense.advice import advise
from levelsense.advice.advice import Advice, Severity
from levelsense.errors import LevelError, LevelProblem
from levelsense.level.bundled import bundled_levels, full_name, read_source
from levelsense.level.level import Level
from levelsense.level.problems import Place
from levelsense.level.text import ROWS, line_at
from levelsense.level.tokens import parse_cell


@dataclass(frozen=True)
class Finding:
    """A problem of a level file, or advice.

    severity  error, warning or note
    code      the kind of finding, for programs; docs/levels.md lists the codes
    sentence  what was found where, and what was expected
    line      of the file, from 1; None if it could not be read
    column    of the line, for what is no JSON
    cells     the names of the cells that it is about
    excerpt   the line of the file with a caret below, for what is no JSON
    """

    severity: Severity
    code: str
    sentence: str
    line: int | None = None
    column: int | None = None
    cells: tuple[str, ...] = ()
    excerpt: str = ""

    @property
    def located(self) -> str:
        """The sentence with the line in front of it."""
        return LevelProblem(self.sentence, line=self.line, column=self.column).sentence


@dataclass(frozen=True)
class Checked:
    """A level, by the name or file it was given as, and its findings."""

    source: str
    findings: tuple[Finding, ...]
    missing: bool = False  # there is no such file, nor a bundled level of that name


def check_level(source: str) -> Checked:
    """The findings of a level file or a bundled level: its errors or, if it has none, advice."""
    name = full_name(source)
    try:
        text = read_source(name)
    except LevelError as error:
        return Checked(source, problem_findings(error), not _is_there(name))
    return Checked(source, check_text(text, name))


def check_text(text: str, name: str) -> tuple[Finding, ...]:
    """The findings of a level file's text: its errors or, if it has none, advice."""
    try:
        level = Level.from_json(text, name)
    except LevelError as error:
        return problem_findings(error)
    return tuple(_of_advice(advice, text) for advice in advise(level))


def problem_findings(error: LevelError) -> tuple[Finding, ...]:
    """What keeps a text from being a level, as findings."""
    return tuple(map(_of_problem, error.details))


def _of_problem(problem: LevelProblem) -> Finding:
    cells = () if problem.cell is None else (problem.cell,)
    return Finding("error", problem.code, problem.words, problem.line, problem.column, cells, problem.excerpt)


def _of_advice(advice: Advice, text: str) -> Finding:
    line = line_at(text, place_in_file(advice))
    return Finding(advice.severity, advice.code, advice.sentence, line, cells=advice.cells)


def place_in_file(advice: Advice) -> Place:
    """Where the subject of advice is in the file: the row of its first cell, if its key is drawn in rows."""
    if advice.cells and advice.place[0] in ROWS:
        return *advice.place, parse_cell(advice.cells[0])[0]
    return advice.place


def advice_words(advice: Advice, source: str | Path) -> str:
    """A piece of advice with the line of the level's file or bundled level that it is about."""
    text = read_source(full_name(source) if isinstance(source, str) else source)
    return _of_advice(advice, text).located


def _is_there(source: str) -> bool:
    try:
        return Path(source).exists() or source in bundled_levels()
    except (OSError, ValueError):
        return False
