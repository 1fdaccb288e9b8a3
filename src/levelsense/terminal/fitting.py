"""What a fit is, in the terminal."""

import numpy as np
import polars as pl
from rich.console import Console
from rich.text import Text

from levelsense.prediction.difficulty import FEWEST_TO_CHOOSE, DifficultyModel
from levelsense.prediction.mixed_binomial import MixedBinomial
from levelsense.terminal.listing import print_rows


def print_fit(console: Console, model: DifficultyModel, table: pl.DataFrame) -> None:
    """What a statistician wants to know of a fit."""
    mixed = model.mixed_
    console.print(
        Text(
            "logit(success rate) = b0 + sum of b_j x_j + kappa,  kappa ~ N(0, sigma^2 + v) per level", "bold"
        ),
        soft_wrap=True,
    )
    attempts, successes = int(table["attempts"].sum()), int(table["successes"].sum())
    simulated = " of simulated players" if model.origin_.simulated else ""
    console.print(
        f"{mixed.n_levels_:,} levels, {attempts:,} attempts{simulated}, "
        f"{successes / attempts:.1%} successful",
        soft_wrap=True,
    )
    console.print(
        "maximum likelihood, adaptive Gauss-Hermite quadrature with "
        f"{mixed.nodes} nodes; ridge penalty {model.penalty_:g} on standardized columns, "
        + (
            "chosen by predicting forward in saga order"
            if model.chosen_
            else "too few levels, or too alike, to choose it"
        ),
        soft_wrap=True,
    )
    console.print(
        f"sigma {_sigma_words(mixed)}, log-likelihood {mixed.loglik_:,.1f}, "
        f"{'converged' if mixed.converged_ else 'NOT CONVERGED'}",
        soft_wrap=True,
    )
    console.print()
    rows = [("column", "slope", "error", "z", "spread")]
    errors = mixed.se_[1:] * model.scale_.freedom
    rows.append(("(intercept)", *_slope_cells(mixed.coef_[0], mixed.se_[0]), ""))
    constant = model.seen_.least == model.seen_.most
    for number, name in enumerate(model.columns_.names):
        if not constant[number]:
            cells = _slope_cells(model.slopes_[number], errors[number])
            rows.append((name, *cells, f"{model.scale_.spread[number]:.3g}"))
    print_rows(console, rows)
    told = [
        "slopes are logits for one spread (standard deviation) of a column; errors are of the penalized fit",
        "v is the sampling variance of the agents' attempts, "
        f"{np.sqrt(np.median(model.sampling_variance(table))):.3f} squared at the median level",
    ]
    if constant.any():
        alike = ", ".join(np.array(model.columns_.names)[constant])
        told.append(f"the same at all levels, so that nothing is known of them: {alike}")
    if table.height < FEWEST_TO_CHOOSE:
        told.append(
            f"{table.height:,} levels are few: bands are wide, and little counts beside agents' success rates"
        )
    if model.choice_ is not None:
        tried = zip(model.choice_.penalties, model.choice_.means, strict=True)
        scores = ", ".join(f"{penalty:g}: {mean:.3f}" for penalty, mean in tried)
        told.append(f"mean log predictive density of later levels by penalty: {scores}")
    for sentence in told:
        console.print(sentence, soft_wrap=True, highlight=False)


def _slope_cells(slope: float, error: float) -> tuple[str, str, str]:
    return f"{slope:.3f}", f"{error:.3f}", f"{slope / error:.1f}"


def _sigma_words(mixed: MixedBinomial) -> str:
    """Sigma with its 95 % interval."""
    low, high = mixed.sigma_interval()
    if mixed.sigma_ == 0:
        return f"0 (the likelihood is highest there; 95% below {mixed.sigma_interval(0.9)[1]:.3f})"
    return f"{mixed.sigma_:.3f} (95% {low:.3f} - {high:.3f})"
