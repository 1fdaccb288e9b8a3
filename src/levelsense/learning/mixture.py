"""A mixture of conditioned copies of one policy, fitted to players by likelihood (EM).

Player j belongs to group k with a probability in proportion to

    share_k * product over moves of p_k(move made) * product over attempts of f_k(won or lost)

p_k is the policy with the shift and the weights of group k in its last layer; all other layers are as they
were trained. f_k is a coin with the log odds of the level, from all players, plus those of the group. Each
step of EM raises the likelihood less a penalty for groups that differ from everyone.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from levelsense.arithmetic import exp, log
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import Array
from levelsense.kernel import kernel

if TYPE_CHECKING:
    from levelsense.learning.player_moves import Fares, PlayerMoves

Floats = NDArray[np.float64]

# How sure it is beforehand that a group is as everyone: half the squared distance of its numbers counts so
# many nats. A few hundred moves say more.
STIFFNESS: Final = 20.0
FARE_STIFFNESS: Final = 1.0
MOST_STEPS: Final = 30  # of EM
ENOUGH: Final = 0.02  # nats a player: a step that gains less is the last
_FIRST_ITERATIONS: Final = 20  # of the optimizer, in the first step of EM and in later ones
_ITERATIONS: Final = 6
_NOTHING: Final = 1e-4  # players who belong to a group with less than this do not shape it


@kernel
def _score(units: Array, start: int, end: int, shift: Array, out: Array, score: Array) -> float:
    """Writes the scores of a position's moves, less the logarithm of their sum of exponentials."""
    best = -1e300
    for m in range(start, end):
        total = 0.0
        for j in range(shift.shape[0]):
            total += max(units[m, j] + shift[j], 0.0) * out[j]
        score[m - start] = total
        best = max(best, total)
    sum_of_all = 0.0
    for m in range(end - start):
        sum_of_all += exp(score[m] - best)
    normal = best + log(sum_of_all)
    for m in range(end - start):
        score[m] -= normal
    return normal


@kernel
def _write_logs(units: Array, first: Array, shift: Array, out: Array, score: Array, logs: Array) -> None:
    """Writes the logarithm of the probability of every move. Modified in place."""
    for i in range(first.shape[0] - 1):
        start, end = first[i], first[i + 1]
        _score(units, start, end, shift, out, score)
        for m in range(start, end):
            logs[m] = score[m - start]


@kernel
def _write_made(
    units: Array, first: Array, made: Array, shift: Array, out: Array, score: Array, logs: Array
) -> None:
    """Writes the logarithm of the probability of each move made. Modified in place."""
    for i in range(made.shape[0]):
        _score(units, first[i], first[i + 1], shift, out, score)
        logs[i] = score[made[i]]


@kernel
def _weighted_loss(
    units: Array,
    first: Array,
    made: Array,
    weight: Array,
    shift: Array,
    out: Array,
    score: Array,
    of_shift: Array,
    of_out: Array,
) -> float:
    """The weighted sum of minus the logarithms of moves made; its gradient is written to the last two."""
    loss = 0.0
    of_shift[:] = 0.0
    of_out[:] = 0.0
    for i in range(made.shape[0]):
        if weight[i] <= 0.0:
            continue
        start, end = first[i], first[i + 1]
        _score(units, start, end, shift, out, score)
        loss -= weight[i] * score[made[i]]
        for m in range(start, end):
            change = weight[i] * exp(score[m - start])
            if m - start == made[i]:
                change -= weight[i]
            for j in range(shift.shape[0]):
                unit = units[m, j] + shift[j]
                of_out[j] += change * max(unit, 0.0)
                of_shift[j] += change * out[j] * (unit > 0.0)
    return loss


def log_probabilities(
    units: NDArray[np.float32], first: NDArray[np.int64], shift: NDArray[Any], out: NDArray[Any]
) -> Floats:
    """The logarithm of the probability of every move, by the shift and the weights of one persona."""
    logs = np.zeros(len(units))
    arrays = shift.astype(np.float64), out.astype(np.float64)
    _write_logs(units, first, *arrays, np.zeros(MOST_MOVES), logs)
    return logs


@dataclass(frozen=True)
class Groups:
    """Groups of players: rows of shift and out, share among players, and log odds of success beside all."""

    shift: Floats
    out: Floats
    share: Floats
    odds: Floats

    def __len__(self) -> int:
        return len(self.share)


@dataclass(frozen=True)
class Mixture:
    """A fitted mixture.

    belongs   how surely each player belongs to each group
    path      the likelihood less the penalty after each step of EM, in nats; it never falls
    """

    groups: Groups
    belongs: Floats
    path: tuple[float, ...]


def level_odds(fares: "Fares") -> Floats:
    """The log odds of success at each level, by all attempts; half a success and half a failure are added."""
    levels = int(fares.level.max()) + 1 if len(fares) else 0
    wins = np.bincount(fares.level, fares.won, levels) + 0.5
    return np.log(wins / (np.bincount(fares.level, minlength=levels) + 1.0 - wins))


def player_likelihoods(moves: "PlayerMoves", groups: Groups, odds: Floats) -> Floats:
    """The log-likelihood of each player's moves and attempts in each group; `odds` are those of levels."""
    size, fares, logs = len(moves.players), moves.fares, np.zeros(len(moves.made))
    columns = []
    for k in range(len(groups)):
        rows = groups.shift[k], groups.out[k]
        _write_made(moves.units, moves.first, moves.made, *rows, np.zeros(MOST_MOVES), logs)
        sign = np.where(fares.won, 1.0, -1.0)
        of_fares = -np.logaddexp(0.0, -sign * (odds[fares.level] + groups.odds[k]))
        columns.append(np.bincount(moves.player, logs, size) + np.bincount(fares.player, of_fares, size))
    return np.stack(columns, 1)


def marginal(likelihoods: Floats, share: Floats) -> Floats:
    """The log-likelihood of each player, whatever the group."""
    result: Floats = logsumexp(likelihoods + np.log(np.maximum(share, 1e-300)), axis=1)
    return result


def belonging(likelihoods: Floats, share: Floats) -> Floats:
    """How surely each player belongs to each group."""
    weighted = likelihoods + np.log(np.maximum(share, 1e-300))
    result: Floats = np.exp(weighted - logsumexp(weighted, axis=1, keepdims=True))
    return result


def reweighed(likelihoods: Floats, share: Floats, steps: int = 200) -> Floats:
    """The shares by which players are likeliest, the groups being as they are; EM from `share` on."""
    share = np.maximum(share, 1e-3) / np.maximum(share, 1e-3).sum()
    for _ in range(steps):
        share = belonging(likelihoods, share).mean(0)
    return share


def penalty(groups: Groups, base: Groups) -> float:
    """What the distance of groups from everyone costs, in nats."""
    squares = np.square(groups.shift - base.shift).sum() + np.square(groups.out - base.out).sum()
    return float(STIFFNESS * squares + FARE_STIFFNESS * np.square(groups.odds).sum()) / 2


def fit_mixture(moves: "PlayerMoves", base: Groups, belongs: Floats, odds: Floats) -> Mixture:
    """Fits as many groups as `belongs` has columns, by EM from there on.

    `base` is everyone as a single group, `odds` are the log odds of success at each level.
    """
    size = belongs.shape[1]
    groups = Groups(
        np.repeat(base.shift, size, 0), np.repeat(base.out, size, 0), belongs.mean(0), np.zeros(size)
    )
    path: list[float] = []
    while True:
        groups = _maximize(moves, groups, base, belongs, odds, _ITERATIONS if path else _FIRST_ITERATIONS)
        likelihoods = player_likelihoods(moves, groups, odds)
        path.append(float(marginal(likelihoods, groups.share).sum()) - penalty(groups, base))
        belongs = belonging(likelihoods, groups.share)
        gained = path[-1] - path[-2] if len(path) > 1 else np.inf
        if gained < ENOUGH * len(moves.players) or len(path) == MOST_STEPS:
            return Mixture(groups, belongs, tuple(path))


def _maximize(
    moves: "PlayerMoves", groups: Groups, base: Groups, belongs: Floats, odds: Floats, iterations: int
) -> Groups:
    """The M-step: the groups of highest likelihood, given how surely each player belongs to each."""
    shifts, outs, group_odds = [], [], []
    for k in range(len(groups)):
        of_player = np.where(belongs[:, k] < _NOTHING, 0.0, belongs[:, k])
        shift, out = _maximize_moves(moves, groups, base, k, of_player, iterations)
        shifts.append(shift)
        outs.append(out)
        group_odds.append(_maximize_fares(moves.fares, odds, float(groups.odds[k]), belongs[:, k]))
    return Groups(np.stack(shifts), np.stack(outs), belongs.mean(0), np.array(group_odds))


def _maximize_moves(
    moves: "PlayerMoves", groups: Groups, base: Groups, k: int, of_player: Floats, iterations: int
) -> tuple[Floats, Floats]:
    """The shift and the weights of group k after some steps of the optimizer."""
    weight, score = of_player[moves.player], np.zeros(MOST_MOVES)
    everyone = np.concatenate([base.shift[0], base.out[0]])
    half = len(everyone) // 2
    slope = np.zeros_like(everyone)

    def loss(values: Floats) -> tuple[float, Floats]:
        total = _weighted_loss(
            moves.units,
            moves.first,
            moves.made,
            weight,
            values[:half].copy(),
            values[half:].copy(),
            score,
            slope[:half],
            slope[half:],
        )
        apart = values - everyone
        return total + STIFFNESS * float(apart @ apart) / 2, slope + STIFFNESS * apart

    start = np.concatenate([groups.shift[k], groups.out[k]])
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": iterations}).x
    return best[:half], best[half:]


def _maximize_fares(fares: "Fares", odds: Floats, start: float, of_player: Floats) -> float:
    """The log odds of success of a group beside all players: Newton's method, which is sure to rise here."""
    weight, value = of_player[fares.player], start
    for _ in range(20):
        p = expit(odds[fares.level] + value)
        slope = float((weight * (fares.won - p)).sum()) - FARE_STIFFNESS * value
        bend = float((weight * p * (1.0 - p)).sum()) + FARE_STIFFNESS
        # A step of at most 1: the logistic curve is nearly a parabola within.
        value += float(np.clip(slope / bend, -1.0, 1.0))
    return value


def cluster(points: Floats, number: int, seed: int, starts: int = 10) -> NDArray[np.int64]:
    """The cluster of each point by k-means, the best of several starts."""
    best, least = np.zeros(len(points), np.int64), np.inf
    rng = np.random.default_rng(seed)
    for _ in range(starts):
        centers = points[rng.choice(len(points), number, replace=False)]
        of = best
        for _ in range(50):
            distances = np.square(points[:, None] - centers[None]).sum(2)
            of, before = distances.argmin(1), of
            if (of == before).all():
                break
            centers = np.stack(
                [points[of == k].mean(0) if (of == k).any() else centers[k] for k in range(number)]
            )
        spread = float(np.square(points - centers[of]).sum())
        if spread < least:
            best, least = of, spread
    return best
