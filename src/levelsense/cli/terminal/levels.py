"""Commands on levels in the terminal: checks, generated sagas, and the output file of a tuned level."""

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from levelsense.advice import advise
from levelsense.advice.findings import Checked, Finding, advice_words, check_level
from levelsense.cli.terminal.level_facts import goals_sentence
from levelsense.cli.terminal.screen import (
    announce_compiling,
    note,
    print_rows,
    print_words,
    screen,
    shows_progress,
)
from levelsense.errors import LevelError, OutputError, printable
from levelsense.files import check_writable, write_text
from levelsense.lab.level_files import changed_text
from levelsense.level.bundled import full_name, read_source
from levelsense.level.level import Level
from levelsense.playtest.levels import level_sources
from levelsense.saga.files import Written
from levelsense.saga.generate import SagaLevel, generate
from levelsense.saga.schedule import ELEMENTS

_SIZE = re.compile(r"\s*(\d{1,2})\s*[xX]\s*(\d{1,2})\s*")


def parse_size(text: str) -> tuple[int, int]:
    """The rows and columns of a size such as `9x9`; LevelError if it is none."""
    match = _SIZE.fullmatch(text)
    if match is None:
        raise LevelError([f"--size {text!r}: expected rows x columns, such as 9x9"])
    return int(match[1]), int(match[2])


def parse_goals(words: Sequence[str] | None) -> dict[str, int | None] | None:
    """Goals with their numbers from words such as `jelly` and `red=30`; LevelError if one has none."""
    if not words:
        return None
    goals: dict[str, int | None] = {}
    for word in words:
        name, equals, number = (part.strip() for part in word.partition("="))
        if equals and not number.isdecimal():
            raise LevelError([f"--goal {word!r}: expected a whole number behind =, such as red=30"])
        goals[name.lower().replace("-", " ")] = int(number) if equals else None
    return goals


def announce_file(path: Path, level: Level) -> None:
    """Prints what level a file holds, in a sentence, and what to do with it next."""
    file, console = shlex.quote(str(path)), screen()
    console.print(
        Text(f"{path}: {level.name}, {level.rows} x {level.columns}. {goals_sentence(level)}"),
        soft_wrap=True,
    )
    note(f"next: levelsense show {file}, check {file} after every edit, play {file}, predict {file}")


_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}


def check_levels(names: Iterable[str]) -> list[Checked]:
    """Findings of level files, of the .json files of folders, and of bundled levels."""
    announce_compiling()
    return [check_level(source) for name in names for source in level_sources(name)]


def note_unwinnable(source: str, level: Level) -> None:
    """Notes why a level can never be won, if that shows before a board is dealt."""
    for advice in advise(level, deals=0):
        if advice.severity == "error":
            note(f"{source}: this level cannot be won: {advice_words(advice, source)}")
            return


def to_data(checked: Iterable[Checked]) -> list[dict[str, Any]]:
    """The findings as data: what `levelsense check --json` prints."""
    return [
        {
            "level": result.source,
            "findings": [_finding_data(finding) for finding in result.findings],
        }
        for result in checked
    ]


def _finding_data(finding: Finding) -> dict[str, Any]:
    return {
        "severity": finding.severity,
        "code": finding.code,
        "cell": finding.cells[0] if finding.cells else None,
        "cells": list(finding.cells),
        "line": finding.line,
        "sentence": finding.sentence,
    }


def print_findings(console: Console, checked: Sequence[Checked]) -> None:
    """Prints the levels that have findings, a line a finding, and a last line that counts them."""
    for result in checked:
        if result.findings:
            console.print(Text(printable(result.source), style="bold"), soft_wrap=True)
        for item in result.findings:
            label = (f"  {item.severity}: ", _STYLES[item.severity])
            print_words(console, Text.assemble(label, printable(item.located)), 4)
            if item.excerpt:
                console.print(Text(item.excerpt), soft_wrap=True)
    console.print(Text(_summary(checked)), soft_wrap=True)


def _summary(checked: Sequence[Checked]) -> str:
    severities: list[str] = [item.severity for result in checked for item in result.findings]
    counts = [
        f"{severities.count(severity)} {severity}{'s' * (severities.count(severity) != 1)}"
        for severity in _STYLES
    ]
    levels = "1 level" if len(checked) == 1 else f"{len(checked)} levels"
    return f"{levels} checked: {', '.join(counts)}"


class LevelOutput:
    """The output file of a changed level: a new file, or one that holds the level with any limit.

    It is written as the file of the level is, but for the keys that change. OutputError if it cannot be
    written, or holds something else than the level.
    """

    def __init__(self, path: Path, source: str, level: Level) -> None:
        self._path, self._level = path, level
        self._text = read_source(full_name(source))
        check_writable(path, is_level=True)
        self._before = _content(path)
        if self._before is not None and not _holds(path, level):
            raise OutputError(
                path, "there is a file that is not this level; expected a new file, or the level's own"
            )

    def write(self, level: Level) -> None:
        """Writes the level; OutputError, with the file untouched, if it has changed since the start."""
        if _content(self._path) != self._before:
            raise OutputError(self._path, "not written, since the file has changed while agents played")
        write_text(self._path, changed_text(self._text, self._level, level))


def _content(path: Path) -> bytes | None:
    """The content of a file; None if there is none, or if it is a pipe or a device."""
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise OutputError(path, f"cannot be read: {error.strerror}") from None


def _holds(path: Path, level: Level) -> bool:
    """Whether a file holds a level with any limit."""
    try:
        return _is_same_but_for_limit(Level.load(path), level)
    except LevelError:
        return False


def _is_same_but_for_limit(one: Level, other: Level) -> bool:
    """Whether two levels have the same name and are the same but for their limits, by their digests."""
    return one.name == other.name and one.digest.partition("-")[2] == other.digest.partition("-")[2]


def generate_watched(seed: int, count: int, first: int) -> list[SagaLevel]:
    """Generates levels, with a progress bar on stderr if that is a terminal."""
    console = screen(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not shows_progress()) as bar:
        task = bar.add_task("levels", total=count)
        return list(generate(seed, count, first, progress=lambda level: bar.advance(task)))


def saga_data(levels: Sequence[SagaLevel], written: Written) -> dict[str, Any]:
    """Generated levels as data: what `levelsense generate --json` prints."""
    return {
        **asdict(written),
        "levels": [
            {
                "number": level.number,
                "file": level.file_name,
                "digest": level.level.digest,
                "shape": level.shape,
                "rows": level.level.rows,
                "columns": level.level.columns,
                "moves": level.level.moves,
                "seconds": level.level.seconds,
                "goals": level.level.asked,
                "elements": level.elements,
                "intended": round(level.intended, 4),
                "heuristic": {"wins": level.wins, "attempts": level.attempts},
            }
            for level in levels
        ],
    }


def print_saga(console: Console, folder: Path, levels: Sequence[SagaLevel], written: Written) -> None:
    """Prints how many levels have each element, and how many files were written to the folder."""
    level_counts = Counter(name for level in levels for name in level.elements)
    rows = [("element", "levels", "from level")]
    rows += [
        (element.name, str(level_counts[element.name]), str(element.first))
        for element in ELEMENTS
        if level_counts[element.name]
    ]
    print_rows(console, rows)
    console.print()
    print_written(console, folder, written)


def print_written(console: Console, folder: Path, written: Written) -> None:
    """Prints how many files were written to a folder."""
    known = f", {written.known} were there already" if written.known else ""
    console.print(Text(f"{folder}: {written.written} levels written{known}"), soft_wrap=True)
