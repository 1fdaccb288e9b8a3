"""A prediction held against the success rate that a designer wants."""

from levelsense.errors import PredictionError


def check_target(target: float) -> None:
    """PredictionError unless a target is a share between 0 and 1."""
    if not 0 < target < 1:
        raise PredictionError(f"target: {target:g}; expected a success rate between 0 and 1")


def verdict_words(target: float, band_50: tuple[float, float], band_95: tuple[float, float]) -> str:
    """What the bands of a prediction say of a target."""
    side = "harder" if band_50[1] < target else "easier"
    if band_50[0] <= target <= band_50[1]:
        return "on target"
    if band_95[0] <= target <= band_95[1]:
        return f"probably {side}"
    return side
