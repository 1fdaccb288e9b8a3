"""How often 95 % intervals of success rates hold the truth, for simulated players who differ in skill.

Run it with `python benchmarks/player_intervals.py`; docs/players.md and docs/design.md quote it.

A line for each number of players, mean rate, correlation of a player's attempts, and mean number of attempts.
A cell is the share of 2,000 levels whose interval holds the mean rate, and the intervals' mean width:
all attempts as if independent; by player with the design effect as seen (1 if there is none); the same with
each player counted once where nobody or everybody succeeded; by player as levelsense does it.
"""

from itertools import product

import numpy as np
from scipy.stats import t

from levelsense.people.rates import design_effect
from levelsense.playtest.interval import NORMAL_95, wilson

LEVELS = 2000
SETTINGS = ((0.05, 5), (0.3, 10))  # correlation, attempts


def effects(attempts: np.ndarray, successes: np.ndarray) -> tuple[float, float, float, float]:
    """The design effects that are compared."""
    players, n, wins = len(attempts), int(attempts.sum()), int(successes.sum())
    aa, products, ss = int(attempts @ attempts), int(attempts @ successes), int(successes @ successes)
    used = design_effect(players, n, wins, aa, products, ss)
    fewer = min(wins, n - wins)
    # What levelsense uses is an average of this one and of aa / n, by weights `fewer` and 2.
    seen = (used * (fewer + 2) - 2 * aa / n) / fewer if fewer else 1.0
    return 1.0, seen, seen if fewer else aa / n, used


def main() -> None:
    rng = np.random.default_rng(1)
    print("players  rate  correlation  attempts   independent    as seen        once at ends   levelsense")
    for players, mean, (correlation, tries) in product((5, 20, 100, 500), (0.01, 0.05, 0.4), SETTINGS):
        odds = (1 - correlation) / correlation
        skill = rng.beta(mean * odds, (1 - mean) * odds, (LEVELS, players))
        attempts = 1 + rng.poisson(tries - 1, (LEVELS, players))
        successes = rng.binomial(attempts, skill)
        quantiles = (NORMAL_95, *[float(t.ppf(0.975, players - 1))] * 3)
        held, widths = np.zeros(4), np.zeros(4)
        for tried, won in zip(attempts, successes, strict=True):
            n, rate = tried.sum(), won.sum() / tried.sum()
            for way, (effect, quantile) in enumerate(zip(effects(tried, won), quantiles, strict=True)):
                low, high = wilson(rate * n / effect, n / effect, quantile)
                held[way] += low <= mean <= high
                widths[way] += high - low
        cells = (f"{held[way] / LEVELS:6.1%} {100 * widths[way] / LEVELS:5.1f}  " for way in range(4))
        print(f"{players:7}  {mean:4}  {correlation:11}  {tries:8}  " + " ".join(cells).rstrip())


if __name__ == "__main__":
    main()
