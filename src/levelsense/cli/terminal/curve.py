"""Levels generated for success rates of players, in the terminal and as JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.levels import print_written, saga_data
from levelsense.cli.terminal.screen import print_rows
from levelsense.level.words import goal_words
from levelsense.playtest.words import limit_words, percent
from levelsense.prediction.curve import CurveLevel
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.suggestions import REACHED
from levelsense.saga.files import Written


def curve_data(levels: Sequence[CurveLevel], written: Written) -> dict[str, Any]:
    """What `levelsense generate --target --json` prints: the levels as without it, and the predictions."""
    data = saga_data([level.saga for level in levels], written)
    for entry, level in zip(data["levels"], levels, strict=True):
        entry.pop("heuristic")
        entry["prediction"] = level.prediction.as_data()
    return data


def print_curve(console: Console, folder: Path, levels: Sequence[CurveLevel], written: Written) -> None:
    """Prints each level's target and what is predicted of it, and how many files were written."""
    is_simulated = any(level.prediction.simulated for level in levels)
    people = f"{people_word(is_simulated)}{', not of people' if is_simulated else ''}"
    console.print(f"success rates to expect, of {people}", soft_wrap=True)
    rows: list[tuple[str, ...]] = [("level", "target", "success", "95% band", "limit", "goals")]
    for level in levels:
        goals = ", ".join(goal_words(*goal) for goal in level.level.asked.items())
        band = band_words(level.prediction.row, 95)
        figures = (percent(level.target), percent(level.prediction.rate), band)
        rows.append((level.saga.file_name, *figures, limit_words(level.level), goals))
    print_rows(console, rows, cuts_last=True)
    console.print()
    missed = [level.saga.file_name for level in levels if level.miss > REACHED]
    if missed:
        console.print(Text(f"not within 2.5 points of the target: {', '.join(missed)}"), soft_wrap=True)
    print_written(console, folder, written)
