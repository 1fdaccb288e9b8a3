"""How long a fit, a prediction and the choice of a penalty take on made-up levels.

Run it with `python benchmarks/mixed_binomial.py`; docs/prediction.md quotes it.
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from levelsense.prediction import MixedBinomial, choose_penalty, rolling_folds

LEVELS, COLUMNS = 800, 30
PENALTIES = np.logspace(-1, 4, 10)
ROUNDS = 5


def seconds(work: Callable[[], Any]) -> float:
    """The median time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main() -> None:
    """Prints a line for each kind of work."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(LEVELS, COLUMNS))
    n = rng.integers(100, 5000, LEVELS)
    logits = x @ rng.normal(0, 0.2, COLUMNS) + 0.5 * rng.normal(size=LEVELS)
    k = rng.binomial(n, expit(logits))
    folds = rolling_folds(LEVELS, LEVELS // 2, 5)
    model = MixedBinomial().fit(x, k, n)
    for name, work in (
        (f"fit, {LEVELS} levels, {COLUMNS} columns", lambda: MixedBinomial().fit(x, k, n)),
        ("predict 200 levels, true rate", lambda: model.predict(x[:200])),
        ("predict 200 levels, observed rate", lambda: model.predict(x[:200], n[:200])),
        (
            f"{len(PENALTIES)} penalties, 5 folds",
            lambda: choose_penalty(x, k, n, None, list(PENALTIES), folds),
        ),
    ):
        sys.stdout.write(f"{name}: {seconds(work):.2f} s\n")


if __name__ == "__main__":
    main()
