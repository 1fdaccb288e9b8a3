"""Two versions of a level in the terminal: what is different, drawn and in words, and what it does."""

import textwrap
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.terminal.board import Grain, draw_board, grain_of
from levelsense.cli.terminal.screen import (
    complain,
    note,
    print_drawing,
    print_rows,
    print_words,
    shows_shades,
)
from levelsense.edits import Difference
from levelsense.errors import printable
from levelsense.lab.changes import Saved
from levelsense.level.level import Level
from levelsense.level.tokens import COLUMN_LETTERS
from levelsense.level.words import goal_words
from levelsense.playtest.words import limit_words, percent
from levelsense.prediction.compare import Comparison, Shift
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.levels import LevelPrediction

_AFTER_TIME = 10  # where words begin in a line with the time
MARK = "»"
_GAP = "    "
_INDENT = 3


def print_comparison(console: Console, compared: Comparison) -> None:
    """Prints what is different, the success rates before and after, and what can be told from them."""
    difference = compared.difference
    console.print(Text(printable(f"{compared.old.name} > {compared.new.name}"), style="bold"), soft_wrap=True)
    for change in difference.changes:
        for number, line in enumerate(textwrap.wrap(printable(change.words), max(console.width - 4, 20))):
            console.print(Text(("  " if number else "- ") + line), soft_wrap=True)
    if difference.cells or difference.is_other_board:
        console.print()
        print_difference(console, difference, both=True)
    for label, old, new in (
        ("goals", _goals(difference.old.asked), _goals(difference.new.asked)),
        ("limit", limit_words(difference.old), limit_words(difference.new)),
    ):
        if old != new:
            console.print(Text.assemble((f"{label:<8}", "bold"), f"{old} > {new}"), soft_wrap=True)
    console.print()
    people = people_word(compared.new.simulated)
    rows: list[tuple[str, ...]] = [("success of", "before", "after", "points", "95% interval")]
    rows.append(_cells(f"{people}, predicted", compared.players))
    rows += [_cells(agent_words(agent), shift) for agent, shift in compared.agents.items()]
    print_rows(console, rows)
    console.print()
    for sentence in shift_words(compared):
        print_words(console, sentence)
    if compared.new.unlike:
        print_words(console, Text(f"The new version is {compared.new.unlike}.", style="yellow"))


def note_boards(compared: Comparison) -> None:
    """Notes whose boards the new version was played on, where `predict` deals it others."""
    if any(change.kind != "moves" for change in compared.difference.changes):
        note(
            "both versions are played on the old one's boards, to tell the difference; `levelsense predict` "
            "deals the new one boards of its own, and its rate may differ a little from the one above"
        )


def _goals(asked: dict[str, int]) -> str:
    return ", ".join(goal_words(name, number) for name, number in asked.items())


def _cells(name: str, shift: Shift) -> tuple[str, ...]:
    points = shift.points
    value = _signed(points.value or 0.0)
    return name, percent(shift.old), percent(shift.new), value, _interval(shift)


def _interval(shift: Shift) -> str:
    return f"{_signed(shift.points.low)} to {_signed(shift.points.high or 0.0)}"


def _signed(share: float) -> str:
    """A share in points with its sign; what rounds to nothing is +0.0."""
    return f"{round(100 * share, 1) + 0.0:+.1f}"


def shift_words(compared: Comparison) -> list[str]:
    """What the change does to players and agents, in sentences, or how many attempts would show it."""
    people, shift = people_word(compared.new.simulated), compared.players
    sentences = []
    if shift.is_told:
        points = 100 * (shift.points.value or 0.0)
        easier = "easier" if points > 0 else "harder"
        sentences.append(
            f"It gets {easier} for {people}, by {abs(points):.1f} points (95% interval {_interval(shift)})."
        )
    elif compared.difference.plays_alike:
        sentences.append("Nothing is different that decides play.")
    else:
        sentences.append(
            f"Whether it gets easier or harder for {people} cannot be told yet: {_more(compared, shift)}."
        )
    unclear = {agent: shift for agent, shift in compared.agents.items() if not shift.is_told}
    if unclear and not compared.difference.plays_alike:
        parts = [
            f"{agent_words(agent)} ({_more(compared, shift, agent)})" for agent, shift in unclear.items()
        ]
        sentences.append(f"The same goes for {', '.join(parts)}.")
    return sentences


def _more(compared: Comparison, shift: Shift, agent: str | None = None) -> str:
    """How many attempts would show a difference."""
    if shift.needed is None:
        return "no number of attempts would tell"
    attempts = compared.attempts[agent] if agent else min(compared.attempts.values())
    more = max(shift.needed - attempts, 1)
    return f"about {more:,} more attempts would"


def print_saved(console: Console, saved: Saved) -> None:
    """Prints the verdict on a version of a file, and what is different from the one before."""
    now = f"{datetime.now():%H:%M:%S}"
    if saved.prediction is None:
        for sentence in saved.problems:
            complain(f"{now}  {sentence}")
        return
    prediction = saved.prediction
    people = people_word(prediction.simulated)
    words = f"{_verdict(prediction)} of {people}' attempts (95% band {band_words(prediction.row, 95)})"
    print_words(console, Text.assemble((f"{now}  ", "dim"), (words, "bold")), _AFTER_TIME)
    if saved.difference is not None and saved.before is not None:
        points = 100 * (prediction.rate - saved.before.rate)
        summary = f"{saved.difference.summary}: {points:+.1f} points"
        print_words(console, " " * _AFTER_TIME + printable(summary), _AFTER_TIME)
    if prediction.unlike:
        print_words(console, Text(" " * _AFTER_TIME + prediction.unlike, style="yellow"), _AFTER_TIME)


def _verdict(prediction: LevelPrediction) -> str:
    if prediction.verdict is None:
        return percent(prediction.rate)
    return f"{prediction.verdict}: {percent(prediction.rate)}"


def print_difference(console: Console, difference: Difference, both: bool = False) -> None:
    """Draws the rows of the board in which cells changed, before and after side by side if there is room.

    Where there is none, the new rows alone, or one below the other if `both` are wanted. Boards of other
    sizes are drawn whole.
    """
    shaded = shows_shades(console)
    if difference.is_other_board:
        for title, level in (("before", difference.old), ("after", difference.new)):
            console.print(Text(title, style="bold"))
            print_drawing(console, draw_board(level, level.cells, shaded=shaded))
        return
    if not difference.cells:
        return
    grain = grain_of([difference.old, difference.new], shaded)
    old, new = (_drawn(level, difference, grain) for level in (difference.old, difference.new))
    width = max(map(len, (*old, *new)))
    lines: list[Text] = []
    if 2 * width + len(_GAP) + _INDENT <= console.width:
        lines = [_side_by_side(one, other, width) for one, other in zip(old, new, strict=True)]
        lines.insert(0, Text.assemble((f"    {'before':<{width}}{_GAP}after", "bold")))
    elif both:
        lines = [Text("    before", style="bold"), *old, Text("    after", style="bold"), *new]
    else:
        lines += new
    indented = [Text.assemble(" " * _INDENT, line) for line in lines]
    print_drawing(console, Text("\n", no_wrap=True).join(indented))


def _side_by_side(one: Text, other: Text, width: int) -> Text:
    return Text.assemble(one, " " * (width - len(one)), _GAP, other)


def _drawn(level: Level, difference: Difference, grain: Grain) -> Sequence[Text]:
    """The column letters and the rows from the first that changed to the last."""
    rows = {cell // level.columns for cell in difference.cells}
    header = "".join(f" {grain.label(letter)}" for letter in COLUMN_LETTERS[: level.columns])
    lines = [Text.assemble("    ", (header, "bold"))]
    for row in range(min(rows), max(rows) + 1):
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for index in range(row * level.columns, (row + 1) * level.columns):
            line.append(MARK if index in difference.cells else " ", style="bold yellow")
            line.append_text(grain.cell(level.cells[index]))
        lines.append(line)
    return lines
