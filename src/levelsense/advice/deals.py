"""Advice from dealing: whether the first board can be dealt."""

from collections.abc import Iterator

from levelsense.advice.item import Advice
from levelsense.game.level import Level


def failing_deals(level: Level, deals: int) -> Iterator[Advice]:
    """First boards, of seeds from 0, that have no legal move or cannot be dealt without a line."""
    if deals == 0:
        return
    # Imported here because the game's kernels are slow to load and not needed for the rest.
    from levelsense.game.game import Game

    failed = sum(Game(level, seed).status == "lost" for seed in range(deals))
    if failed == deals:
        yield Advice("error", "board", f"none of {deals} first boards could be dealt with a legal move")
    elif failed:
        yield Advice(
            "warning", "board", f"{failed} of {deals} first boards could not be dealt with a legal move"
        )
