"""How long players try: attempts up to the first success, the share still stuck after k, and who gives up.

Each player wins an attempt with a probability p of its own, which varies from player to player by a beta law:

    p ~ Beta(a, b),   a = 1 / (spread² (1 - mean)),   b = 1 / (spread² mean)

So `spread` is about the standard deviation of logit p whatever the mean, and one spread does for easy and
hard levels. Attempts up to the first success are then beta-geometric: after k attempts there is a share of

    stuck(k) = Π (b + i) / (a + b + i),   i = 0 .. k - 1

still stuck, in the long run more than the (1 - rate)^k of a geometric law, in which all players are alike.
After each lost attempt a player gives up with the probability `quits`.
"""

from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

_LEAST_SPREAD, _MOST_SPREAD = 0.01, 5.0
_LOGITS: Final = 14.0  # no mean is further from one half
_HALVINGS: Final = 30
_GOLDEN: Final = 0.6180339887498949
_STEPS: Final = 14  # of the search for a level's spread, which end within 1 % of it
_UNSURE: Final = 0.7  # how far, in logarithms, the spread at a level lies from that of the population
_MOST_LEVELS: Final = 100  # whose players tell the spread of a population: more would tell hardly more
_FEWEST_RETRIES: Final = 10  # players with a second attempt, below which nothing is told of their spread
MOST_ATTEMPTS: Final = 10_000  # beyond which it is not told how many a player needs

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Persistence:
    """The players of a population, whatever the level.

    spread  how unlike they are: about the standard deviation of the logit of their success rates
    quits   the probability to give up after a lost attempt
    """

    spread: float
    quits: float

    def at(self, rate: float) -> "AttemptsLaw":
        """The law of attempts at a level with this share of successes among all attempts.

        Weak players make more attempts: the mean over players is above the rate.
        """
        return AttemptsLaw.of_rate(rate, self.spread, self.quits)


@dataclass(frozen=True)
class AttemptsLaw:
    """Players' attempts at a level up to the first success, or until they give up.

    mean    the success rate of an attempt, the mean over players
    spread  as in Persistence
    quits   as in Persistence
    """

    mean: float
    spread: float
    quits: float

    @classmethod
    def of_rate(cls, rate: float, spread: float, quits: float) -> Self:
        """The law with this share of successes among all attempts, those of players who give up included."""
        low, high = -_LOGITS, _LOGITS
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if cls(_expit(middle), spread, quits).rate < rate:
                low = middle
            else:
                high = middle
        return cls(_expit((low + high) / 2), spread, quits)

    @property
    def _shape(self) -> tuple[float, float]:
        return _shape(self.mean, self.spread)

    def stuck(self, attempts: int) -> float:
        """The share of players that so many attempts, had they all made them, leave without a success."""
        return float(self._stuck_after(attempts)[-1])

    def _stuck_after(self, most: int) -> Floats:
        """The share still stuck after 0, 1, .. `most` attempts."""
        a, b = self._shape
        tries = np.arange(most)
        return np.concatenate([[1.0], np.cumprod((b + tries) / (a + b + tries))])

    def needed(self, share: float = 0.5) -> int | None:
        """The attempts after which this share of players has succeeded; None if beyond MOST_ATTEMPTS."""
        enough = np.flatnonzero(self._stuck_after(MOST_ATTEMPTS) <= 1 - share)
        return int(enough[0]) if len(enough) else None

    @property
    def attempts(self) -> float:
        """The mean number of attempts of a player, up to the first success or until giving up."""
        from scipy.special import hyp2f1

        a, b = self._shape
        return float(hyp2f1(1.0, b, a + b, 1.0 - self.quits))

    @property
    def gave_up(self) -> float:
        """The share of players who give up without a success."""
        # Each lost attempt but the last of who gives up is followed by another one.
        return min(1.0, self.quits * (self.attempts - 1.0) / (1.0 - self.quits))

    @property
    def rate(self) -> float:
        """The share of successes among all attempts."""
        return (1.0 - self.gave_up) / self.attempts


def _expit(logit: float) -> float:
    return float(1.0 / (1.0 + np.exp(-logit)))


def _shape(mean: Any, spread: Any) -> tuple[Any, Any]:
    """The parameters of the beta law; arrays give arrays."""
    variance = spread * spread
    return 1.0 / (variance * (1.0 - mean)), 1.0 / (variance * mean)


def tallies(rows: pl.DataFrame) -> pl.DataFrame:
    """How players fared at each level: how many lost so many attempts before the first success, or in all.

    level    its name
    lost     attempts lost before the first success, at most: a player's attempts less the successes
    won      whether there was a success
    players  how many players
    Rows without a player, and players of whom no attempt is known, are left out.
    """
    attempts, successes = pl.col("attempts"), pl.col("successes")
    players = (
        rows.filter(pl.col("player").is_not_null())
        .group_by("level", "cohort", "player")
        .agg(attempts.sum(), successes.sum())
        .filter(attempts > 0)
    )
    lost = (attempts - successes).clip(lower_bound=0)
    return (
        players.select("level", lost=lost, won=successes > 0)
        .group_by("level", "lost", "won")
        .agg(players=pl.len().cast(pl.Int64))
        .sort("level", "lost", "won")
    )


@dataclass(frozen=True)
class _Counts:
    """Tallies as arrays: an entry a tally, with the number of its level."""

    level: NDArray[np.int64]
    lost: Floats
    won: Floats
    players: Floats
    levels: int

    @classmethod
    def of(cls, table: pl.DataFrame) -> Self:
        names = table["level"].unique(maintain_order=True)
        numbers = {name: number for number, name in enumerate(names)}
        lost, won, players = (
            table[column].cast(pl.Float64).to_numpy() for column in ("lost", "won", "players")
        )
        level = table["level"].replace_strict(numbers, return_dtype=pl.Int64).to_numpy()
        return cls(level, lost, won, players, len(names))

    def means(self, spread: Floats) -> Floats:
        """The mean of each level that is most likely with its spread."""
        low, high = np.full(self.levels, -_LOGITS), np.full(self.levels, _LOGITS)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            rising = self._slope(1.0 / (1.0 + np.exp(-middle)), spread) > 0
            low, high = np.where(rising, middle, low), np.where(rising, high, middle)
        means: Floats = 1.0 / (1.0 + np.exp(-(low + high) / 2))
        return means

    def _slope(self, means: Floats, spread: Floats) -> Floats:
        """The derivative of each level's log-likelihood by the logit of its mean."""
        from scipy.special import digamma

        mean = means[self.level]
        a, b = _shape(mean, spread[self.level])
        common = digamma(a + b) - digamma(a + b + self.won + self.lost)
        by_a = common + digamma(a + self.won) - digamma(a)
        by_b = common + digamma(b + self.lost) - digamma(b)
        slopes = self.players * (a * mean * by_a - b * (1 - mean) * by_b)
        return np.bincount(self.level, slopes, self.levels).astype(np.float64)

    def log_likelihood(self, spread: Floats) -> Floats:
        """The log-likelihood of each level with its spread, at the mean that is most likely then."""
        from scipy.special import betaln

        a, b = _shape(self.means(spread)[self.level], spread[self.level])
        likelihood = self.players * (betaln(a + self.won, b + self.lost) - betaln(a, b))
        return np.bincount(self.level, likelihood, self.levels).astype(np.float64)

    @property
    def quits(self) -> float:
        """How often a lost attempt was the last one without a success."""
        lost = float((self.players * self.lost).sum())
        unwon = float((self.players * (1 - self.won)).sum())
        # Between 0 and 1 even if nobody, or everybody, gave up.
        return (unwon + 0.5) / (lost + 1.0)


def fit_persistence(table: pl.DataFrame) -> Persistence | None:
    """The most likely persistence of the players of tallies; None if too few tried a level twice."""
    names = table["level"].unique(maintain_order=True)
    every = -(-len(names) // _MOST_LEVELS)
    some = table.filter(pl.col("level").is_in(names.gather_every(max(1, every)).implode()))
    counts = _Counts.of(some)
    again = (counts.lost + counts.won > 1).astype(float)
    if (counts.players * again).sum() < _FEWEST_RETRIES:
        return None
    return Persistence(_fit_spread(counts), _Counts.of(table).quits)


def _fit_spread(counts: _Counts) -> float:
    """The spread that is most likely for all levels together, each with a mean of its own."""
    from scipy.optimize import minimize_scalar

    def misfit(log_spread: float) -> float:
        return -float(counts.log_likelihood(np.full(counts.levels, np.exp(log_spread))).sum())

    bounds = float(np.log(_LEAST_SPREAD)), float(np.log(_MOST_SPREAD))
    optimum = minimize_scalar(misfit, bounds=bounds, method="bounded", options={"xatol": 0.01})
    return float(np.exp(optimum.x))


def fit_levels(table: pl.DataFrame, persistence: Persistence) -> dict[str, AttemptsLaw]:
    """The law of each level of tallies: the most likely mean, and the players' spread there.

    The logarithm of a level's spread varies around that of the population, with a standard deviation of
    _UNSURE: where few players tried twice, it is that of the population.
    """
    counts = _Counts.of(table)
    spreads = _fit_spreads(counts, persistence.spread)
    names = table["level"].unique(maintain_order=True)
    return {
        name: AttemptsLaw(mean, spread, persistence.quits)
        for name, mean, spread in zip(names, counts.means(spreads).tolist(), spreads.tolist(), strict=True)
    }


def _fit_spreads(counts: _Counts, common: float) -> Floats:
    """The most likely spread of each level, given that of all; by golden sections, all levels at once."""

    def density(log_spread: Floats) -> Floats:
        deviation = (log_spread - np.log(common)) / _UNSURE
        fitted: Floats = counts.log_likelihood(np.exp(log_spread)) - deviation * deviation / 2
        return fitted

    low = np.full(counts.levels, np.log(_LEAST_SPREAD))
    high = np.full(counts.levels, np.log(_MOST_SPREAD))
    for _ in range(_STEPS):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        is_left = density(left) > density(right)
        low, high = np.where(is_left, low, left), np.where(is_left, right, high)
    spreads: Floats = np.exp((low + high) / 2)
    return spreads


def stuck_seen(table: pl.DataFrame, attempts: int) -> float | None:
    """The share still stuck after so many attempts at the one level of tallies, by Kaplan and Meier (1958).

    Who gave up earlier counts as far as the attempts went; None if everybody who was stuck did.
    """
    share = 1.0
    for tried in range(attempts):
        wins = (pl.col("lost") == tried) & pl.col("won")
        winners = int(table.filter(wins)["players"].sum())
        trying = int(table.filter(wins | (pl.col("lost") > tried))["players"].sum())
        if not trying:
            return None
        share *= 1.0 - winners / trying
        if share == 0.0:
            break
    return share
