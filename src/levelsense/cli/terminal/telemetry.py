"""Telemetry in the terminal: what a file holds, what is wrong with it, and its export."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from levelsense.cli.app import print_json
from levelsense.cli.terminal.screen import counting, note, print_rows, screen
from levelsense.errors import PlayersError
from levelsense.lab import Lab
from levelsense.people.telemetry import TelemetryCheck


def show_check(file: Path, levels: Sequence[str] | None, as_json: bool) -> None:
    """Prints how much a file holds, in words or as JSON; PlayersError with what is wrong."""
    with counting() as counter:
        check = Lab().check_telemetry(file, levels, progress=counter.watch)
    if as_json:
        print_json(check_data(check))
    else:
        console = screen()
        rows = [("level", "moves"), *((name, f"{moves:,}") for name, moves in check.by_level.items())]
        print_rows(console, rows)
        console.print(check_words(check), soft_wrap=True)
    if check.wrong:
        raise PlayersError(check.sentences)


def check_words(check: TelemetryCheck) -> str:
    """What a file holds, in a sentence."""
    extent = check.extent
    counts = ", ".join(
        _counted(number, word)
        for number, word in zip(extent, ("level", "player", "attempt", "move"), strict=True)
    )
    words = f"{check.path}: {check.form}: {counts}"
    if check.simulated is not None:
        words += f"; simulated players of version {check.simulated}, not people"
    if check.own:
        words += f"; {check.own:,} with legal moves of their own"
    if check.unused:
        words += f"; not used: {', '.join(check.unused)}"
    return f"{words}; {_counted(check.wrong, 'wrong row')}" if check.wrong else f"{words}; all are right"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def check_data(check: TelemetryCheck) -> dict[str, Any]:
    """A check as `levelsense players check --json` prints it."""
    return {
        "file": str(check.path),
        "form": check.form,
        "simulated_players_version": check.simulated,
        **check.extent._asdict(),
        "own_legal_moves": check.own,
        "by_level": check.by_level,
        "unused": list(check.unused),
        "wrong": check.wrong,
        "problems": list(check.sentences),
    }


def export_watched(file: Path, output: Path, levels: Sequence[str] | None) -> None:
    """Runs Lab.export_positions with its progress on a terminal, and says how much was written."""
    with counting() as counter:
        rows = Lab().export_positions(file, output, levels, progress=counter.watch)
    note(f"{output} written: {rows:,} rows")
