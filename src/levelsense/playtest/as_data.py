"""Statistics as plain data: what `--json` prints and the studio sends."""

from dataclasses import fields, is_dataclass
from math import isnan
from typing import Any

import numpy as np

from levelsense.playtest.limits import LimitCurve


def as_data(figure: Any) -> Any:
    """A statistic as dicts, lists, numbers and texts; no tile, and no value, is None."""
    if isinstance(figure, LimitCurve):
        low, high = figure.band
        parts = {"limit": figure.limits, "rate": figure.rates, "low": low, "high": high}
        return {"unit": figure.unit, "attempts": figure.attempts, **as_data(parts)}
    if is_dataclass(figure):
        return {field.name: as_data(getattr(figure, field.name)) for field in fields(figure)}
    if isinstance(figure, dict):
        return {name: as_data(part) for name, part in figure.items()}
    if isinstance(figure, np.ndarray):
        return as_data(figure.tolist())
    if isinstance(figure, list | tuple):
        return [as_data(part) for part in figure]
    return None if isinstance(figure, float) and isnan(figure) else figure
