"""How well laws of attempts tell who is still stuck, fitted to half of the players and judged on the others.

Run it with `python benchmarks/player_persistence.py FILE`, where FILE is what `players import` takes, with
players; docs/players.md quotes it. Players are split in halves 20 times. A cell is the mean absolute
difference between a law's share still stuck after so many attempts and what is seen of the other half (Kaplan
and Meier), over levels and splits, in points, and behind it the mean difference. Left out are levels of a
split at which, in either half, nobody who was stuck tried so often:

geometric        all players alike, with the share of successes among all attempts
from the rate    the same rate with the players' spread and quitting, as for a predicted level
beta-geometric   each level's own mean and spread, as `players rates --details` tells it
as seen          Kaplan and Meier's estimate of the half that laws are fitted to: the same with its noise
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

from levelsense.people.details import AFTER
from levelsense.people.persistence import fit_levels, fit_persistence, stuck_seen, tallies
from levelsense.people.rates import success_rates
from levelsense.people.records import read_records
from levelsense.people.selection import split_boosters

SPLITS = 20
WAYS = ("geometric", "from the rate", "beta-geometric", "as seen")


def differences(fitted: pl.DataFrame, judged: pl.DataFrame) -> np.ndarray:
    """What each way says of each level less what is seen of the others: by way, level and attempts."""
    table, others = tallies(fitted), tallies(judged)
    persistence = fit_persistence(table)
    assert persistence is not None
    laws = fit_levels(table, persistence)
    rates = dict(success_rates(fitted).select("level", "rate").iter_rows())
    rows = []
    for level, law in laws.items():
        seen, others_seen = (part.filter(pl.col("level") == level) for part in (table, others))
        from_rate = persistence.at(rates[level])
        predicted = [
            [(1 - rates[level]) ** k, from_rate.stuck(k), law.stuck(k), stuck_seen(seen, k)] for k in AFTER
        ]
        truth = np.array([stuck_seen(others_seen, k) for k in AFTER], float)
        rows.append(np.array(predicted, float).T - truth)
    return np.array(rows).swapaxes(0, 1)


def main() -> None:
    rows, _ = split_boosters(read_records(Path(sys.argv[1])).rows)
    players = rows["player"].drop_nulls().unique().sort()
    rng, by_split = np.random.default_rng(1), []
    for _ in range(SPLITS):
        half = players.filter(pl.Series(rng.permutation(len(players)) % 2 == 0))
        inside = pl.col("player").is_in(half.implode())
        by_split.append(differences(rows.filter(inside), rows.filter(~inside)))
    errors = 100 * np.array(by_split)  # by split, way, level and attempts
    errors[np.broadcast_to(np.isnan(errors).any(axis=1, keepdims=True), errors.shape)] = np.nan
    print(f"| law | {' | '.join(f'stuck after {k}' for k in AFTER)} |\n| --- |{' --- |' * len(AFTER)}")
    for number, way in enumerate(WAYS):
        part = errors[:, number]
        cells = (
            f"{np.nanmean(np.abs(part[..., k])):.2f} ({np.nanmean(part[..., k]):+.2f})"
            for k in range(len(AFTER))
        )
        print(f"| {way} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
