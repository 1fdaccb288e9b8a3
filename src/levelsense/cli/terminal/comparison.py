"""Two versions of a level in the terminal: what is different, and what it does; and a file's versions."""

import textwrap
from datetime import datetime

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.terminal.differences import print_difference
from levelsense.cli.terminal.screen import complain, note, print_rows, print_words
from levelsense.errors import printable
from levelsense.lab.changes import Saved
from levelsense.level.words import goal_words
from levelsense.playtest.words import limit_words, percent
from levelsense.prediction.compare import Comparison, Shift
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.levels import LevelPrediction

_AFTER_TIME = 10  # where words begin in a line with the time


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
    """What the change does to players and agents, in sentences: or what it would take to tell."""
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
    """What it would take to tell a difference."""
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
