"""Whose results count: the rows of a cohort or of several together, and rows with boosters apart."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

import polars as pl

from levelsense.errors import PlayersError
from levelsense.store import PlayerResults

_BOOSTED = pl.col("boosters").fill_null(0) > 0


def read_cohort(
    stored: PlayerResults, levels: Sequence[str] | None = None, cohort: str | None = None
) -> pl.DataFrame:
    """The stored rows of levels and of a cohort, all of both if left out.

    A cohort that is a pattern, such as `*` or `week-*`, takes all that match it together, unless it is the
    name of one. Rows without a cohort match `*`, and the empty text.
    """
    if cohort is None or cohort in stored.cohorts():
        return stored.read(levels, cohort)
    rows = stored.read(levels)
    names = [name for name in rows["cohort"].unique() if fnmatchcase(name or "", cohort)]
    return rows.filter(pl.col("cohort").is_in(names, nulls_equal=True))


def has_cohort(stored: PlayerResults, cohort: str) -> bool:
    """Whether there are results of a cohort, or of one that matches it."""
    return any(fnmatchcase(name, cohort) for name in stored.cohorts()) or bool(
        read_cohort(stored, cohort=cohort).height
    )


def cohort_words(cohorts: Sequence[str | None]) -> str:
    """Cohorts as a sentence lists them: `'DE', 'FR' and players without a cohort`."""
    names = ", ".join(f"'{name}'" for name in sorted(name for name in cohorts if name is not None))
    if None not in cohorts:
        return names
    return f"{names} and players without a cohort" if names else "players without a cohort"


def split_boosters(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows in which no booster was used, or in which nothing is known of any, and rows with boosters.

    PlayersError if those without add up to more successes than attempts at a level: a win that counts days
    may lie in another row than its attempt, and then the two kinds cannot be told apart.
    """
    without, boosted = rows.filter(~_BOOSTED), rows.filter(_BOOSTED)
    if not boosted.height:
        return without, boosted
    attempts, successes = pl.col("attempts").sum(), pl.col("successes").sum()
    sums = without.group_by("level", "cohort", maintain_order=True).agg(attempts, successes)
    wrong = sums.filter(pl.col("successes") > pl.col("attempts"))
    if wrong.height:
        level, _, attempts_left, successes_left = wrong.row(0)
        raise PlayersError(
            f"level {level!r}: rows without boosters add up to {attempts_left:,} attempts and "
            f"{successes_left:,} successes; expected no more successes than attempts, or `boosters`, with "
            "which all rows count"
        )
    return without, boosted
