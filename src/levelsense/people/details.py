"""More than a rate: figures of a level from players' rows, besides the share of successes."""

from typing import Final

import polars as pl

from levelsense.people.persistence import (
    AttemptsLaw,
    Persistence,
    fit_levels,
    fit_persistence,
    stuck_seen,
    tallies,
)

AFTER: Final = (5, 10, 20)  # attempts after which it is told who is still stuck
DETAILS_SCHEMA: Final = {
    "needed": pl.Int64,  # attempts after which half of the players have succeeded
    **{f"stuck_{attempts}": pl.Float64 for attempts in AFTER},
    **{f"stuck_seen_{attempts}": pl.Float64 for attempts in AFTER},
    "player_spread": pl.Float64,
    "gave_up": pl.Float64,
    "moves_left": pl.Float64,
}


def level_details(rows: pl.DataFrame, *, simulated: bool = False) -> pl.DataFrame:
    """What rows of players (RESULTS_SCHEMA) tell of each level: `level` and DETAILS_SCHEMA.

    needed         attempts after which half of the players have succeeded, by the law of persistence.py
    stuck_K        the share still stuck after K attempts, by that law
    stuck_seen_K   the same by Kaplan and Meier's estimate: what was seen, with its noise
    player_spread  how unlike the players are at the level, about in logits
    gave_up        the share of players who gave up, if rows tell who did
    moves_left     moves left of those who won, on average
    What rows do not tell is null.
    """
    table = tallies(rows)
    persistence = fit_persistence(table)
    laws = {} if persistence is None else fit_levels(table, persistence)
    seen = [_law_row(name, part, laws.get(name)) for (name,), part in table.group_by("level")]
    schema = {
        "level": pl.String,
        **{name: DETAILS_SCHEMA[name] for name in DETAILS_SCHEMA if name not in _OTHERS},
    }
    return (
        rows.select("level")
        .unique(maintain_order=True)
        .join(pl.DataFrame(seen, schema=schema), on="level", how="left")
        .join(_gave_up(rows, simulated), on="level", how="left")
        .join(_moves_left(rows), on="level", how="left")
        .select("level", *DETAILS_SCHEMA)
    )


_OTHERS: Final = ("gave_up", "moves_left")


def persistence_of(rows: pl.DataFrame) -> Persistence | None:
    """The persistence of the players of rows; None if it is not known who played, or if few tried twice."""
    return fit_persistence(tallies(rows))


def _law_row(name: str, table: pl.DataFrame, law: AttemptsLaw | None) -> dict[str, object]:
    """A level's row of figures, from its tallies and its law."""
    return {
        "level": name,
        "needed": None if law is None else law.needed(),
        **{f"stuck_{attempts}": None if law is None else law.stuck(attempts) for attempts in AFTER},
        **{f"stuck_seen_{attempts}": stuck_seen(table, attempts) for attempts in AFTER},
        "player_spread": None if law is None else law.spread,
    }


def _gave_up(rows: pl.DataFrame, simulated: bool) -> pl.DataFrame:
    """The share of players of each level who gave up.

    Simulated players try until they succeed or give up. Of people it is known where rows have dates: who has
    no success, and no row of the level on the last day of all, has given up; who was there on that day
    without a success is still trying, and counts neither way.
    """
    played = rows.filter(pl.col("player").is_not_null())
    players = played.group_by("level", "cohort", "player").agg(
        won=pl.col("successes").sum() > 0, last=pl.col("date").max()
    )
    if not simulated:
        players = players.filter(
            pl.col("last").is_not_null(), pl.col("won") | (pl.col("last") < pl.col("last").max())
        )
    return players.group_by("level").agg(gave_up=(~pl.col("won")).mean())


def _moves_left(rows: pl.DataFrame) -> pl.DataFrame:
    """The moves left in attempts that succeeded, on average, where rows tell them."""
    known = rows.filter(pl.col("moves_left").is_not_null(), pl.col("successes") > 0)
    total = (pl.col("moves_left") * pl.col("successes")).sum() / pl.col("successes").sum()
    return known.group_by("level").agg(moves_left=total)
