"""Success rates of players by level, with intervals that account for the clustering of attempts by player."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from levelsense.errors import PlayersError
from levelsense.level.bundled import full_name
from levelsense.people.details import DETAILS_SCHEMA, level_details
from levelsense.people.selection import has_cohort, read_cohort, split_boosters
from levelsense.playtest.interval import wilson
from levelsense.playtest.levels import natural
from levelsense.store import Database, PlayerResults
from levelsense.store.players import SIMULATED

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
    "design_effect": pl.Float64,
}
_PRIOR_SUCCESSES: Final = 2
_ALIKE_LOGITS: Final = 0.5  # apart, levels tell three fifths as much of each other as of themselves
_EFFECT_SUMS: Final = ("clusters", "attempts", "successes", "aa", "as", "ss")
_MOST_SHOWN: Final = 8


def success_rates(frame: pl.DataFrame, level: float = 0.95) -> pl.DataFrame:
    """The success rate of each level (RATES_SCHEMA), all attempts together, with an interval of a level.

    `design_effect` is how many attempts say as much as one independent one; 1 where players are not known.

    Without players: Wilson's interval. With players, attempts of one player are correlated, so that they say
    less than as many independent ones: Wilson's interval for the effective number of attempts,
    attempts / deff, with the quantile of Student's t for players - 1 degrees of freedom. deff is the
    variance of the ratio estimator, linearized, with players as clusters, over the variance of independent
    attempts; at least 1.

    Near rates of 0 and 1 there is little to estimate deff from, and nothing at all at 0 and 1. So deff is
    averaged with its value if all attempts of a player ended alike, which weighs as much as two successes
    (or failures, if these are fewer). Wilson's form stays within 0 and 1, where a symmetric one or one on the
    logit scale does not, or has no width. One player alone says nothing of others: 0 to 1.

    A row without a player, in a level where other rows have one, counts as a player of its own. Counts of a
    day may leave a player with more successes than attempts, which the estimator takes as they are; one with
    neither did not play. A level must not have more successes than attempts; without attempts it is left out.
    """
    if not 0 < level < 1:
        raise ValueError(f"level: {level}; expected a number between 0 and 1")
    rows = [_rate(sums, level) for sums in _sums(frame).iter_rows(named=True)]
    return sorted_rates(pl.DataFrame(rows, schema=RATES_SCHEMA))


def rates_to_fit(frame: pl.DataFrame) -> pl.DataFrame:
    """As `success_rates`, but with design effects pooled over levels of similar success rates.

    A level by itself has to allow for the worst case, and where few attempts succeed that is much too wary:
    attempts count as if they said a quarter less than they do. All levels of a fit have the same players, and
    how alike attempts of one player are goes with the success rate. So a level's design effect is the mean
    over all levels, weighted by their successes (or failures, if these are fewer) and by how near their
    success rates are; the worst case weighs as much as two successes, as it does for a single level.
    """
    sums = _sums(frame).filter((pl.col("players") > 0) & (pl.col("clusters") > 1))
    rates = success_rates(frame)
    if not sums.height:
        return rates
    parts = [_effect_parts(*(row[name] for name in _EFFECT_SUMS)) for row in sums.iter_rows(named=True)]
    fewer, observed, highest = np.array(parts).T
    attempts, successes = sums["attempts"].to_numpy(), sums["successes"].to_numpy()
    logits = np.log((successes + 0.5) / (attempts - successes + 0.5))
    weights = np.exp(-(((logits[:, None] - logits) / _ALIKE_LOGITS) ** 2) / 2) * fewer
    together = (weights @ observed + _PRIOR_SUCCESSES * highest) / (weights.sum(1) + _PRIOR_SUCCESSES)
    effects = pl.DataFrame({"level": sums["level"], "together": np.maximum(together, 1.0)})
    joined = rates.join(effects, on="level", how="left", maintain_order="left")
    return joined.with_columns(design_effect=pl.coalesce("together", "design_effect")).drop("together")


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
    row = {
        "level": sums["level"],
        "players": sums["players"] or None,
        "attempts": n,
        "successes": successes,
        "rate": successes / n,
    }
    tail = (1 + level) / 2
    if not sums["players"]:
        low, high = wilson(successes, n, float(norm.ppf(tail)))
        return row | {"low": low, "high": high, "method": WILSON, "design_effect": 1.0}
    low, high, effect = 0.0, 1.0, float(n)
    if clusters > 1:
        effect = design_effect(clusters, n, successes, sums["aa"], sums["as"], sums["ss"])
        effective = n / effect
        # Without rounding where the ends are exact.
        wins = effective if successes == n else effective * successes / n
        low, high = wilson(wins, effective, float(t.ppf(tail, clusters - 1)))
    return row | {"low": low, "high": high, "method": CLUSTERED, "design_effect": max(effect, 1.0)}


def design_effect(clusters: int, n: int, successes: int, aa: int, asum: int, ss: int) -> float:
    """The design effect: how many attempts say as much as one independent one.

    `aa`, `asum` and `ss` are sums over players: of attempts squared, of attempts times successes, and of
    successes squared.
    """
    fewer, observed, highest = _effect_parts(clusters, n, successes, aa, asum, ss)
    return (fewer * max(observed, 1.0) + _PRIOR_SUCCESSES * highest) / (fewer + _PRIOR_SUCCESSES)


def _effect_parts(
    clusters: int, n: int, successes: int, aa: int, asum: int, ss: int
) -> tuple[int, float, float]:
    """The successes (or failures, if fewer), the design effect that they show, and the highest there can be.

    What is shown may be below 1 by chance; it is 1 if all attempts ended alike.
    """
    rate, highest = successes / n, aa / n
    fewer = min(successes, n - successes)
    if not fewer:
        return 0, 1.0, highest
    residuals = ss - 2 * rate * asum + rate * rate * aa
    return fewer, clusters / (clusters - 1) * residuals / (n * rate * (1 - rate)), highest


BOOSTED_SCHEMA: Final = {"boosted_attempts": pl.Int64, "boosted_successes": pl.Int64}


def stored_rates(
    database: Database,
    levels: Sequence[str] = (),
    cohort: str | None = None,
    *,
    boosters: bool = False,
    details: bool = False,
) -> pl.DataFrame:
    """Success rates of people and, apart from them, of simulated players, from a database.

    Each cohort has rates of its own, unless `cohort` is a pattern such as `*`: people of cohorts that match
    it are taken together. `levels` are names or patterns such as `0*`, all if there are none. Rows with
    boosters do not count, but are told apart (BOOSTED_SCHEMA); with `boosters` all rows count. With `details`
    there is more of each level (DETAILS_SCHEMA). PlayersError if nothing is stored of a level or of the
    cohort.
    """
    tables = []
    for part in _stored_parts(database, levels, cohort):
        without, boosted = (part.rows, part.rows.clear()) if boosters else split_boosters(part.rows)
        rates = _with_boosted(success_rates(without), boosted)
        if details:
            more = level_details(without, simulated=part.simulated)
            rates = rates.join(more, on="level", how="left", maintain_order="left")
        tables.append(
            rates.with_columns(simulated=pl.lit(part.simulated), cohort=pl.lit(part.cohort, pl.String))
        )
    kinds = {**RATES_SCHEMA, **BOOSTED_SCHEMA, **(DETAILS_SCHEMA if details else {})}
    empty = pl.DataFrame(schema={**kinds, "simulated": pl.Boolean, "cohort": pl.String})
    return pl.concat([empty, *tables])


class _Part(NamedTuple):
    """Stored rows with one success rate a level: of a cohort, or of people's cohorts taken together."""

    rows: pl.DataFrame
    cohort: str | None
    simulated: bool


def _stored_parts(database: Database, levels: Sequence[str], cohort: str | None) -> list[_Part]:
    """The parts of the stored rows, people's first; arguments and errors as in `stored_rates`."""
    stored = PlayerResults(database)
    if cohort is not None and not has_cohort(stored, cohort):
        raise PlayersError(_no_results(database, "cohort", cohort, stored.cohorts()))
    names = _stored_names(database, stored, levels) if levels else None
    rows = read_cohort(stored, names, cohort)
    is_simulated = pl.col("source").str.starts_with(SIMULATED)
    # Cohorts in their order; players without one come first.
    rows = rows.sort("cohort", maintain_order=True)
    people, simulated = rows.filter(~is_simulated), rows.filter(is_simulated)
    together = [people] if cohort is not None and people.height else people.partition_by("cohort")
    # Players of two populations may have the same names, so that these are never taken together.
    return [
        *(_Part(part, part["cohort"][0] if cohort is None else cohort, False) for part in together),
        *(_Part(part, part["cohort"][0], True) for part in simulated.partition_by("cohort")),
    ]


def _with_boosted(rates: pl.DataFrame, boosted: pl.DataFrame) -> pl.DataFrame:
    """Success rates with what was done with boosters beside them, also at levels that have nothing else."""
    apart = boosted.group_by("level").agg(
        pl.col("attempts").sum().alias("boosted_attempts"),
        pl.col("successes").sum().alias("boosted_successes"),
    )
    counts = pl.col(*BOOSTED_SCHEMA, "attempts", "successes")
    joined = rates.join(apart, on="level", how="full", coalesce=True).with_columns(counts.fill_null(0))
    return sorted_rates(joined)


def _stored_names(database: Database, stored: PlayerResults, levels: Sequence[str]) -> list[str]:
    """The stored names that match names or patterns; PlayersError if one matches none."""
    names = stored.levels()
    matching: list[str] = []
    for word in levels:
        level = full_name(word)
        matches = [name for name in names if name in (word, level) or fnmatchcase(name, word)]
        if not matches:
            raise PlayersError(_no_results(database, "level", word, names))
        matching += matches
    return list(dict.fromkeys(matching))


def _no_results(database: Database, kind: str, word: str, stored: Sequence[str]) -> str:
    names = sorted(stored, key=natural)
    listed = ", ".join(names[:_MOST_SHOWN]) or "none yet"
    rest = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"{database.name}: no results of {kind} {word!r}; there is {listed}{rest}"
