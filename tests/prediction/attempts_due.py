"""How many attempts an agent owes a model at a level, counted once more from the attempts it played."""

from collections.abc import Sequence
from math import ceil

import polars as pl


def attempts_due(won: Sequence[bool], asked: int) -> int:
    """As many as asked for, twice as many while fewer than 3 % of that are won, ten times as many at most.

    `won` are the attempts in order, at least as many as are due.
    """
    due = asked
    while due < 10 * asked and sum(won[:due]) < ceil(0.03 * asked):
        due = min(2 * due, 10 * asked)
    return due


def assert_all_due(attempts: pl.DataFrame, asked: dict[tuple[str, str], int]) -> None:
    """That there are the attempts that are due for each level and agent, no more, and no others.

    `asked` says how many were asked for, by the level's name and the agent's spec.
    """
    pairs = attempts.sort("attempt").group_by("name", "agent").agg("attempt", "won")
    played = {(row["name"], row["agent"]): row for row in pairs.iter_rows(named=True)}
    assert played.keys() == asked.keys()
    for pair, row in played.items():
        due = attempts_due(row["won"], asked[pair])
        assert row["attempt"] == list(range(due)), pair
