"""Success rates of people by level, with intervals that know that one player's attempts go together."""

from typing import Any, Final

import polars as pl

from levelsense.playtest.interval import wilson
from levelsense.playtest.levels import natural

WILSON: Final = "Wilson"
CLUSTERED: Final = "Wilson, by player"
RATES_SCHEMA: Final = {
    "level": pl.String,
    "players": pl.Int64,
    "attempts": pl.Int64,
    "successes": pl.Int64,
    "rate": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "method": pl.String,
}
_PRIOR_SUCCESSES: Final = 2


def success_rates(frame: pl.DataFrame, level: float = 0.95) -> pl.DataFrame:
    """The success rate of each level (RATES_SCHEMA), all attempts together, with an interval of a level.

    Without players: Wilson's interval. With players, attempts of one player are alike, so that they tell
    less than as many independent ones: Wilson's interval for the effective number of attempts,
    attempts / deff, with the quantile of Student's t for players - 1 degrees of freedom. deff is the
    variance of the ratio estimator, linearized, with players as clusters, over the variance of independent
    attempts; at least 1.

    Near rates of 0 and 1 there is little to see how alike players are from, and none at all at 0 and 1. So
    deff is averaged with its value if all attempts of a player ended alike, which weighs as much as two
    successes (or failures, if these are fewer). Wilson's form stays within 0 and 1, where a symmetric one or
    one on the logit scale does not, or has no width. One player alone tells nothing of others: 0 to 1.

    A row without a player, in a level where other rows have one, counts as a player of its own. Counts of a
    day may leave a player with more successes than attempts, which the estimator takes as they are; one with
    neither did not play. A level must not have more successes than attempts; without attempts it is left out.
    """
    if not 0 < level < 1:
        raise ValueError(f"level: {level}; expected a number between 0 and 1")
    rows = [_rate(sums, level) for sums in _sums(frame).iter_rows(named=True)]
    return sorted_rates(pl.DataFrame(rows, schema=RATES_SCHEMA))


def sorted_rates(rates: pl.DataFrame) -> pl.DataFrame:
    """Success rates in the order of levels, as people count (2 before 10)."""
    names = rates["level"].to_list()
    return rates[sorted(range(len(names)), key=lambda row: natural(names[row]))]


def _sums(frame: pl.DataFrame) -> pl.DataFrame:
    """A row a level: sums over players, of squares and products too. The integers are exact."""
    numbered = frame.with_columns(
        pl.when(pl.col("player").is_null()).then(pl.int_range(pl.len())).alias("alone")
    )
    attempts, successes = pl.col("attempts"), pl.col("successes")
    clusters = numbered.group_by("level", "player", "alone").agg(attempts.sum(), successes.sum())
    played = clusters.filter((attempts > 0) | (successes > 0))
    sums = played.group_by("level").agg(
        pl.len().alias("clusters"),
        pl.col("player").drop_nulls().n_unique().alias("players"),
        attempts.sum(),
        successes.sum(),
        (attempts * attempts).sum().alias("aa"),
        (attempts * successes).sum().alias("as"),
        (successes * successes).sum().alias("ss"),
    )
    return sums.filter(attempts > 0)


def _rate(sums: dict[str, Any], level: float) -> dict[str, Any]:
    from scipy.stats import norm, t

    n, successes, clusters = sums["attempts"], sums["successes"], sums["clusters"]
    found = {
        "level": sums["level"],
        "players": sums["players"] or None,
        "attempts": n,
        "successes": successes,
        "rate": successes / n,
    }
    tail = (1 + level) / 2
    if not sums["players"]:
        low, high = wilson(successes, n, float(norm.ppf(tail)))
        return found | {"low": low, "high": high, "method": WILSON}
    low, high = 0.0, 1.0
    if clusters > 1:
        effective = n / design_effect(clusters, n, successes, sums["aa"], sums["as"], sums["ss"])
        # Without rounding where the ends are exact.
        wins = effective if successes == n else effective * successes / n
        low, high = wilson(wins, effective, float(t.ppf(tail, clusters - 1)))
    return found | {"low": low, "high": high, "method": CLUSTERED}


def design_effect(clusters: int, n: int, successes: int, aa: int, asum: int, ss: int) -> float:
    """How many attempts tell as much as one independent one, by the sums of squares and products of players.

    `aa`, `asum` and `ss` are sums over players: of attempts squared, of attempts times successes, and of
    successes squared.
    """
    rate, utmost = successes / n, aa / n
    fewer = min(successes, n - successes)
    seen = 1.0
    if fewer:
        residuals = ss - 2 * rate * asum + rate * rate * aa
        seen = max(1.0, clusters / (clusters - 1) * residuals / (n * rate * (1 - rate)))
    return (fewer * seen + _PRIOR_SUCCESSES * utmost) / (fewer + _PRIOR_SUCCESSES)
