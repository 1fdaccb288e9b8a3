"""What the tests of learning share: moves of simulated players at a few bundled levels."""

from pathlib import Path

from levelsense.lab import Lab
from levelsense.playtest.levels import NamedLevel, gather_levels

LEVELS = (
    "01-first-steps",
    "04-jelly-garden",
    "05-cherry-picking",
    "12-locked-up",
    "24-hourglass",
    "30-grand-tour",
)


def levels() -> tuple[NamedLevel, ...]:
    """The levels of the moves, in order."""
    return tuple(gather_levels(LEVELS))


def write_moves(path: Path, players: int = 12, mix: str = "both", seed: int = 3) -> Path:
    """A file of moves of simulated players at the levels."""
    Lab().simulate(LEVELS, players=players, mix=mix, seed=seed, telemetry=path)
    return path
