"""The coverage of MixedBinomial's bands, measured on levels drawn from the model itself.

`levelsense study band-coverage` runs it; docs/prediction.md shows its table.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

COEFFICIENTS = np.array([-0.3, 0.8, 0.2, -0.15, -0.25])  # the intercept first
COLUMNS = len(COEFFICIENTS) - 1
ATTEMPTS = 150
NEW_LEVELS = 40

# Levels fitted to, columns used, sigma, and how many simulated games to average over.
CASES = (
    (3, 1, 0.4, 400),
    (10, 1, 0.4, 400),
    (10, 4, 0.4, 400),
    (10, 4, 0.0, 400),
    (40, 4, 0.4, 400),
    (40, 4, 0.0, 400),
    (800, 4, 0.4, 100),
)


@dataclass(frozen=True)
class Coverage:
    """Shares of new levels inside the bands, and the mean sigma fitted (true one: `sigma`)."""

    levels: int
    columns: int
    sigma: float
    games: int
    true_50: float
    true_95: float
    observed_50: float
    observed_95: float
    error_95: float  # the standard error of true_95, games taken as independent
    fitted_sigma: float
    width_95: float


def made_up(rng: np.random.Generator, levels: int, columns: int, sigma: float) -> tuple[Any, Any, Any]:
    """Columns, successes and true rates of levels drawn from the model."""
    x = rng.normal(size=(levels, columns))
    rates = expit(COEFFICIENTS[0] + x @ COEFFICIENTS[1 : columns + 1] + sigma * rng.normal(size=levels))
    return x, rng.binomial(ATTEMPTS, rates), rates


def coverage(levels: int, columns: int, sigma: float, games: int, seed: int) -> Coverage:
    """Shares of new levels inside the bands, over `games` fits to levels drawn from the model."""
    rng = np.random.default_rng(seed)
    inside, sigmas, widths = np.empty((games, 4)), np.empty(games), np.empty(games)
    for game in range(games):
        x, successes, _ = made_up(rng, levels, columns, sigma)
        model = MixedBinomial().fit(x, successes, ATTEMPTS)
        new, new_successes, rates = made_up(rng, NEW_LEVELS, columns, sigma)
        true, observed = model.predict(new), model.predict(new, ATTEMPTS)
        inside[game] = [
            np.mean((band.low <= value) & (value <= band.high))
            for prediction, value in ((true, rates), (observed, new_successes / ATTEMPTS))
            for band in (prediction.bands[0.5], prediction.bands[0.95])
        ]
        sigmas[game] = model.sigma_
        widths[game] = np.mean(true.bands[0.95].high - true.bands[0.95].low)
    error = float(inside[:, 1].std(ddof=1) / np.sqrt(games)) if games > 1 else float("nan")
    true_50, true_95, observed_50, observed_95 = (float(share) for share in inside.mean(axis=0))
    return Coverage(
        levels=levels,
        columns=columns,
        sigma=sigma,
        games=games,
        true_50=true_50,
        true_95=true_95,
        observed_50=observed_50,
        observed_95=observed_95,
        error_95=error,
        fitted_sigma=float(sigmas.mean()),
        width_95=float(widths.mean()),
    )


QUICK_GAMES = 20
HEADING = (
    "levels fitted",
    "columns",
    "sigma",
    "sigma fitted",
    "50 %, true",
    "95 %, true",
    "50 %, observed",
    "95 %, observed",
    "width of 95 %, true",
)


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page, with the table of docs/prediction.md."""
    run.claim("band-coverage")
    cases = [
        (levels, columns, sigma, min(games, QUICK_GAMES) if run.quick else games)
        for levels, columns, sigma, games in CASES
    ]
    keys = [f"{number}-{levels}-levels" for number, (levels, *_) in enumerate(cases, 1)]
    # The first seed that studies have is 1, and that of the first case has been 0.
    rows = run.collect("cases", keys, lambda number: asdict(coverage(*cases[number], run.seed - 1 + number)))
    page = StudyPage("band-coverage", "Coverage of the bands of MixedBinomial")
    page.text(
        "Levels are drawn from the model itself, a model is fitted to some, and others are predicted:",
        f"{NEW_LEVELS} new levels a fit, {ATTEMPTS} attempts a level; shares in per cent.",
    )
    page.table(HEADING, [_cells(Coverage(**row)) for row in rows])
    return page


def _cells(row: Coverage) -> tuple[str, ...]:
    return (
        str(row.levels),
        str(row.columns),
        f"{row.sigma:.1f}",
        f"{row.fitted_sigma:.3f}",
        f"{100 * row.true_50:.1f}",
        f"{100 * row.true_95:.1f} ± {100 * row.error_95:.1f}",
        f"{100 * row.observed_50:.1f}",
        f"{100 * row.observed_95:.1f}",
        f"{100 * row.width_95:.0f}",
    )
