"""A prediction held against the success rate that a designer wants."""

from typing import Final

TOLERANCE: Final = 0.01  # a target so near to the 50 % band is met
TELLS_NOTHING: Final = 0.6  # the width of a 95 % band that says next to nothing


def verdict_words(target: float, band_50: tuple[float, float], band_95: tuple[float, float]) -> str:
    """What the bands of a prediction say of a target."""
    is_possible = band_95[0] <= target <= band_95[1]
    if is_possible and band_95[1] - band_95[0] > TELLS_NOTHING:
        return "cannot tell"
    if band_50[0] - TOLERANCE <= target <= band_50[1] + TOLERANCE:
        return "on target"
    side = "harder" if band_50[1] < target else "easier"
    return f"probably {side}" if is_possible else side
