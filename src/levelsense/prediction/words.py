"""Predictions in words, the same in the terminal and on pages."""

from collections.abc import Mapping
from typing import Any, Final

from levelsense.playtest.words import number_words, percent
from levelsense.prediction.model_file import Origin
from levelsense.prediction.verdict import verdict_words

Row = Mapping[str, Any]  # of DifficultyModel.predict
MOST_ATTEMPTS: Final = 10_000  # what lies beyond says no more than that hardly anybody will succeed


def whose(players: str, simulated: bool) -> str:
    """Whose success rates are meant; simulated players are always called so."""
    people = people_word(simulated)
    return f"{people} ({players})" if players else people


def people_word(simulated: bool) -> str:
    """What somebody whose results were looked at is called, in the plural."""
    return "simulated players" if simulated else "players"


def band_words(row: Row, band: int) -> str:
    """A band in per cent: `12.0 - 45.0%`."""
    return f"{100 * row[f'low_{band}']:.1f} - {percent(row[f'high_{band}'])}"


def needed_words(row: Row) -> str:
    """Attempts per success with their 95 % band: `2.5 (1.8 - 4)`."""
    low, high = row["needed_low_95"], row["needed_high_95"]
    if low > MOST_ATTEMPTS:
        return attempts_words(low)
    return f"{attempts_words(row['needed'])} ({attempts_words(low)} - {attempts_words(high)})"


def attempts_words(number: float) -> str:
    """A number of attempts per success, which has no end where the rate may be 0."""
    if number > MOST_ATTEMPTS:
        return f"more than {MOST_ATTEMPTS:,}"
    return number_words(round(number, 1))


def model_words(origin: Origin) -> str:
    """What a model was fitted to: `40 levels, players (cohort A); agents random (400 attempts)`."""
    agents = ", ".join(f"{agent} ({number:,} attempts)" for agent, number in origin.attempts.items())
    return f"{origin.levels:,} levels, {whose(origin.players, origin.simulated)}; agents {agents or 'none'}"


def against_target(row: Row, target: float) -> str:
    """What a prediction says of the success rate that is wanted."""
    return verdict_words(target, (row["low_50"], row["high_50"]), (row["low_95"], row["high_95"]))
