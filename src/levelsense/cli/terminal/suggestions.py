"""Suggested changes of a level in the terminal: each with its prediction, its effects and its drawing."""

import textwrap

from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.comparison import print_difference
from levelsense.cli.terminal.screen import print_words
from levelsense.errors import printable
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.words import percent
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.suggestions import Feel, Suggestion, Suggestions

_INDENT = 3


def print_suggestions(console: Console, result: Suggestions) -> None:
    """Prints what is predicted now, and each suggestion with its figures and its drawing."""
    people = people_word(result.now.simulated)
    console.print(Text(printable(result.level.name), style="bold"), soft_wrap=True)
    console.print(f"success rates to expect of {people}, target {percent(result.target)}", soft_wrap=True)
    console.print(f"now {_rate_words(result.now)}", soft_wrap=True)
    for number, suggestion in enumerate(result.suggestions, start=1):
        console.print()
        _print_suggestion(console, f"{number:<{_INDENT}}", suggestion, result.feel)
    console.print()
    for sentence in conclusions(result):
        print_words(console, sentence)
    if not result.suggestions and result.nearest is not None:
        console.print()
        _print_suggestion(console, " " * _INDENT, result.nearest, result.feel)
    for sentence in cautions(result):
        print_words(console, Text(sentence, style="yellow"))


def cautions(result: Suggestions) -> list[str]:
    """How suggestions are unlike the levels of the model, each way once: `1, 3: unlike the ...`."""
    numbers: dict[str, list[str]] = {}
    for number, suggestion in enumerate(result.suggestions, start=1):
        if suggestion.prediction.unlike:
            numbers.setdefault(suggestion.prediction.unlike, []).append(str(number))
    if not result.suggestions and result.nearest is not None and result.nearest.prediction.unlike:
        return [f"It is {result.nearest.prediction.unlike}."]
    return [f"{', '.join(several)}: {words}." for words, several in numbers.items()]


def conclusions(result: Suggestions) -> list[str]:
    """What was tried and found, in sentences."""
    target = percent(result.target)
    if result.is_reached:
        return [f"It may stay as it is: that is within 2.5 points of {target}."]
    tried = f"{result.tried} changes were tried"
    if result.suggestions:
        number = len(result.suggestions)
        these = "this is the smallest" if number == 1 else f"these are the {number} smallest"
        return [f"{tried}; {these} that reach{'es' if number == 1 else ''} {target} within 2.5 points."]
    return [
        f"{tried}, and none reaches {target} within 2.5 points"
        + ("; the nearest:" if result.nearest is not None else ".")
    ]


def _print_suggestion(console: Console, label: str, suggestion: Suggestion, before: Feel) -> None:
    width = max(console.width - _INDENT, 20)
    lines = textwrap.wrap(suggestion.words, width)
    console.print(Text.assemble((label, "bold"), (lines[0], "bold")), soft_wrap=True)
    for line in lines[1:]:
        console.print(Text(" " * _INDENT + line, style="bold"), soft_wrap=True)
    sentences = [_rate_words(suggestion.prediction)]
    if suggestion.feel is not None:
        sentences.append(feel_words(before, suggestion.feel))
    for sentence in filter(None, sentences):
        for line in textwrap.wrap(sentence, width):
            console.print(Text(" " * _INDENT + line), soft_wrap=True)
    print_difference(console, suggestion.difference)


def _rate_words(prediction: LevelPrediction) -> str:
    return f"{percent(prediction.rate)} (95% band {band_words(prediction.row, 95)}), {prediction.verdict}"


def feel_words(before: Feel, after: Feel) -> str:
    """What changes for skill, luck and near misses, as far as it is known: `skill 42 to 78 points, ...`."""
    parts = (
        ("skill", before.skill, after.skill, " points"),
        ("luck", before.luck, after.luck, "%"),
        ("near misses", before.near_misses, after.near_misses, "% of losses"),
    )
    shifts = ((name, _shift(one, other), unit) for name, one, other, unit in parts)
    return ", ".join(f"{name} {shift}{unit}" for name, shift, unit in shifts if shift)


def _shift(before: Estimate | None, after: Estimate | None) -> str:
    if after is None or after.value is None:
        return ""
    new = f"{100 * after.value:.0f}"
    return new if before is None or before.value is None else f"{100 * before.value:.0f} to {new}"
