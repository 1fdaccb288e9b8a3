"""Players' results at the levels of a fit as arrays: of one population, or of several together."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.prediction.table import with_players


class PlayerCounts(NamedTuple):
    """Players' results at each level of a fit: counts, their design effect, and the place in the saga."""

    successes: NDArray[np.int64]
    attempts: NDArray[np.int64]
    design_effect: NDArray[np.float64]
    places: NDArray[np.float64]

    @classmethod
    def of(cls, table: pl.DataFrame) -> "PlayerCounts":
        """The results of a table; attempts count as independent if it says nothing else."""
        effect = (
            table["design_effect"].to_numpy() if "design_effect" in table.columns else np.ones(table.height)
        )
        places = table["place"].to_numpy() if "place" in table.columns else np.arange(1, table.height + 1)
        return cls(table["successes"].to_numpy(), table["attempts"].to_numpy(), effect, places.astype(float))

    def head(self, first: int) -> "PlayerCounts":
        """The results of the first levels."""
        return PlayerCounts(
            self.successes[:first], self.attempts[:first], self.design_effect[:first], self.places[:first]
        )


def average_population(table: pl.DataFrame, populations: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The table with the results of populations together, each with the same weight at a level.

    Those count that have played the most levels. Of each the same number of attempts counts, at its rate: as
    many as the population with the fewest independent ones has.
    """
    joined = [
        with_players(table, results).select(
            "level",
            rate=pl.col("successes") / pl.col("attempts"),
            n=pl.col("attempts") / pl.col("design_effect"),
        )
        for results in populations.values()
    ]
    most = max(results.height for results in joined)
    counted = [results for results in joined if results.height == most]
    fewest = (
        pl.concat(counted)
        .group_by("level")
        .agg(pl.len().alias("count"), pl.col("n").min(), pl.col("rate").mean())
    )
    attempts = (pl.col("n").floor() * pl.col("count")).cast(pl.Int64)
    counts = fewest.filter(pl.col("count") == len(counted)).select(
        "level", attempts=attempts, successes=(attempts * pl.col("rate")).round().cast(pl.Int64)
    )
    return with_players(table, counts)


def population_counts(logits: pl.DataFrame, results: pl.DataFrame) -> tuple[Any, dict[str, Any]]:
    """The logits of the levels that a population has played, and its counts there."""
    joined = logits.join(results, on="level", maintain_order="left")
    counts = {name: joined[name].to_numpy() for name in ("successes", "attempts", "design_effect")}
    return joined["logit"].to_numpy(), counts
