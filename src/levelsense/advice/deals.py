"""Advice from dealing: whether the first board can be dealt."""

from collections.abc import Iterator

from levelsense.advice.item import Advice
from levelsense.game.level import Level


def failing_deals(level: Level, deals: int) -> Iterator[Advice]:
    """First boards, of seeds from 0, that have no legal move or cannot be dealt without a line."""
    failed = sum(not _is_dealt(level, seed) for seed in range(deals))
    if failed and failed == deals:
        yield _none_dealt(deals)
    elif failed:
        yield Advice(
            "warning", "board", f"{failed} of {deals} first boards could not be dealt with a legal move"
        )


def no_deal(level: Level, deals: int) -> Advice | None:
    """The error of a level of whose first boards none can be dealt; None as soon as one can."""
    return None if any(_is_dealt(level, seed) for seed in range(deals)) else _none_dealt(deals)


def _none_dealt(deals: int) -> Advice:
    return Advice("error", "board", f"none of {deals} first boards could be dealt with a legal move")


def _is_dealt(level: Level, seed: int) -> bool:
    # Imported here because the game's kernels are slow to load and not needed for the rest.
    from levelsense.game.game import Game

    return Game(level, seed).status != "lost"
