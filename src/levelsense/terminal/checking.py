"""Checks levels and tells what was found: what is wrong with the file, and advice about the level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.advice import advise
from levelsense.errors import LevelError
from levelsense.game.level import Level, bundled_levels
from levelsense.game.level_files import level_sources
from levelsense.printable import printable
from levelsense.terminal.screen import announce_compiling

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}


@dataclass(frozen=True)
class Finding:
    """One thing to say about a level; the severity is error, warning or note."""

    severity: str
    sentence: str
    excerpt: str = ""  # the line of the file that is wrong, with a caret


@dataclass(frozen=True)
class Checked:
    """A level by the name it was given, and what was found."""

    source: str
    findings: tuple[Finding, ...]
    missing: bool = False  # there is no such file, nor a bundled level of that name


def check_levels(names: Iterable[str]) -> list[Checked]:
    """What is to be said about files, about the .json files of folders, and about bundled levels."""
    announce_compiling()
    return [check_level(source) for name in names for source in level_sources(name)]


def check_level(source: str) -> Checked:
    """What is to be said about one level: its errors, or if it has none, advice."""
    try:
        level = Level.load(source)
    except LevelError as error:
        problems = (sentence.removeprefix(f"{source}: ") for sentence in error.problems)
        return Checked(
            source,
            tuple(Finding("error", problem, error.excerpt) for problem in problems),
            not _is_there(source),
        )
    return Checked(source, tuple(Finding(advice.severity, advice.sentence) for advice in advise(level)))


def _is_there(source: str) -> bool:
    try:
        return Path(source).exists() or source in bundled_levels()
    except (OSError, ValueError):
        return False


def to_data(checked: Iterable[Checked]) -> list[dict[str, Any]]:
    """The findings as data: what `levelsense check --json` prints."""
    return [
        {
            "level": result.source,
            "findings": [{"severity": item.severity, "sentence": item.sentence} for item in result.findings],
        }
        for result in checked
    ]


def print_findings(console: Console, checked: Sequence[Checked]) -> None:
    """The levels that have findings, a line each finding, and a last line that counts them."""
    for result in checked:
        if result.findings:
            console.print(Text(printable(result.source), style="bold"), soft_wrap=True)
        for item in result.findings:
            label = (f"  {item.severity}: ", _STYLES[item.severity])
            console.print(Text.assemble(label, printable(item.sentence)), soft_wrap=True)
            if item.excerpt:
                console.print(Text(item.excerpt), soft_wrap=True)
    console.print(Text(_summary(checked)), soft_wrap=True)


def _summary(checked: Sequence[Checked]) -> str:
    found = [item.severity for result in checked for item in result.findings]
    counts = [
        f"{found.count(severity)} {severity}{'s' * (found.count(severity) != 1)}" for severity in _STYLES
    ]
    levels = "1 level" if len(checked) == 1 else f"{len(checked)} levels"
    return f"{levels} checked: {', '.join(counts)}"
