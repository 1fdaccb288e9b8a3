"""Grouping players: from files of telemetry to personas with names, words, figures and weights.

A policy that predicts moves well still fails more often than its players: what it cannot predict of their
choices it plays as chance. So each persona has a sharpness, a factor on the scores of moves with which it
succeeds as often as its players: above 1 it makes likelier moves likelier still.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from threadpoolctl import threadpool_limits

from levelsense import defaults
from levelsense.agents.attempt import play_attempts
from levelsense.agents.policy.agent import OF_EVERYONE, SAMPLE, kernels_of
from levelsense.agents.policy.network import ENCODINGS, EVERYONE, KIND, MOST_PERSONAS, Network, check_shapes
from levelsense.agents.weights import Weights, read_weights, write_weights
from levelsense.errors import TrainingError
from levelsense.files import check_writable
from levelsense.game.state import WON
from levelsense.learning.mixture import (
    Groups,
    Mixture,
    belonging,
    cluster,
    fit_mixture,
    level_odds,
    marginal,
    player_likelihoods,
    reweighed,
)
from levelsense.learning.persona_words import (
    STYLES,
    differences,
    group_names,
    group_words,
    player_styles,
    standardized,
)
from levelsense.learning.personas import Persona, Personas, groups_of, persona_weights, shares_of
from levelsense.learning.player_moves import PlayerMoves, read_player_moves
from levelsense.level.level import Level, bundled_levels
from levelsense.people.telemetry import read_telemetry
from levelsense.playtest.levels import gather_levels

Floats = NDArray[np.float64]
Note = Callable[[str], None]

LEFT_OUT: Final = 3  # one player in so many is left out while the number of groups is chosen
MOVES_TO_CHOOSE_BY: Final = 300  # of each player
PLAYERS_A_GROUP: Final = 4  # at least, on average
LEAST_SHARE: Final = 0.01  # a group with less has died out
SHARPNESS_ATTEMPTS: Final = 4_000  # for each sharpness tried
SHARPNESS_LEVELS: Final = 80
SHARPNESS_BOUNDS: Final = (0.5, 3.0)  # a factor beyond them would make another player of it
CLOSE_RATE: Final = 0.002  # as near as the mean success rate has to come
_SHARPNESS_TRIES: Final = 7


def everyone(policy: Weights) -> Groups:
    """The row of everyone of a policy as a single group."""
    shift, out = (policy.arrays[name][[EVERYONE]].astype(np.float64) for name in ("shift", "out"))
    return Groups(shift, out, np.ones(1), np.zeros(1))


def fit_personas(
    moves: PlayerMoves,
    policy: Weights,
    *,
    most: int = defaults.MOST_GROUPS,
    seed: int = 1,
    note: Note | None = None,
) -> Personas:
    """Groups players by moves and success, in as many groups as the likelihood of left-out players supports.

    The policy's row of everyone is what groups are conditioned from; its other groups are forgotten.
    """
    if not 1 <= most <= MOST_PERSONAS:
        raise TrainingError(f"`groups`: {most}; expected 1 to {MOST_PERSONAS}")
    with threadpool_limits(1):
        gains = _gains(moves, policy, most, seed, note or (lambda sentence: None))
        number = smallest_good(gains) + 1
        mixture = _fitted(moves, policy, number, level_odds(moves.fares), seed)
    personas = _described(moves, policy, _living(mixture))
    return replace(
        sharpened(personas, moves, seed),
        gains=tuple(float((gain - gains[0]).mean()) for gain in gains),
    )


def _gains(moves: PlayerMoves, policy: Weights, most: int, seed: int, note: Note) -> list[Floats]:
    """The log-likelihoods of players left out, by mixtures of 1, 2 ... groups fitted to the others."""
    players = len(moves.players)
    is_left_out = np.random.default_rng(seed).permutation(players) % LEFT_OUT == 0
    others = moves.of_players(~is_left_out, MOVES_TO_CHOOSE_BY)
    left_out = moves.of_players(is_left_out, MOVES_TO_CHOOSE_BY)
    odds = level_odds(moves.fares)
    gains: list[Floats] = []
    for number in range(1, max(1, min(most, len(others.players) // PLAYERS_A_GROUP)) + 1):
        groups = _fitted(others, policy, number, odds, seed).groups
        gains.append(marginal(player_likelihoods(left_out, groups, odds), groups.share))
        gain = float((gains[-1] - gains[0]).mean())
        note(f"{number} of at most {most} groups: {gain:+.2f} nats for a player left out")
    return gains


def smallest_good(gains: Sequence[Floats]) -> int:
    """Which of several models to take, the simplest first, by the log-likelihoods of players left out.

    The first whose mean gain over the simplest is within one standard error of the best one's.
    """
    over_simplest = [gain - gains[0] for gain in gains]
    means = [float(gain.mean()) for gain in over_simplest]
    best = int(np.argmax(means))
    players = len(gains[0])
    error = float(over_simplest[best].std(ddof=1)) / players**0.5 if players > 1 else 0.0
    return next(k for k, mean in enumerate(means) if mean >= means[best] - error)


def _fitted(moves: PlayerMoves, policy: Weights, number: int, odds: Floats, seed: int) -> Mixture:
    """A mixture of so many groups, from clusters of the players' styles on."""
    of = cluster(standardized(player_styles(moves, odds)), number, seed)
    # Nobody is sure of a cluster: a player whose moves say otherwise must be able to leave it.
    return fit_mixture(moves, everyone(policy), 0.9 * np.eye(number)[of] + 0.1 / number, odds)


def _living(mixture: Mixture) -> Mixture:
    """The groups that have players, the largest first."""
    order = np.argsort(-mixture.groups.share, kind="stable")
    order = order[mixture.groups.share[order] >= LEAST_SHARE]
    rows = {name: getattr(mixture.groups, name)[order] for name in ("shift", "out", "share", "odds")}
    belongs = mixture.belongs[:, order]
    rows["share"] = rows["share"] / rows["share"].sum()
    return Mixture(Groups(**rows), belongs / belongs.sum(1, keepdims=True), mixture.path)


def _described(moves: PlayerMoves, policy: Weights, mixture: Mixture) -> Personas:
    """The groups of a mixture in words and figures, and the weights that play them."""
    groups, belongs, odds = mixture.groups, mixture.belongs, level_odds(moves.fares)
    unlike = differences(player_styles(moves, odds), belongs)
    attempts = moves.attempts @ belongs
    personas = tuple(
        Persona(
            name,
            float(groups.share[k]),
            float(attempts[k] / attempts.sum()),
            group_words(unlike[k]),
            float(expit(odds + groups.odds[k]).mean()) if len(moves.fares) else None,
            float(expit(odds).mean()) if len(moves.fares) else None,
            float(attempts[k] / (moves.visits @ belongs[:, k])),
            float(groups.odds[k]),
            {style.key: float(unlike[k].effect[place]) for place, style in enumerate(STYLES)},
        )
        for k, name in enumerate(group_names(unlike))
    )
    return Personas(persona_weights(policy, groups, personas, moves), personas, moves.players, belongs)


def sharpened(personas: Personas, moves: PlayerMoves, seed: int) -> Personas:
    """The same groups, each played as surely of its moves as makes it succeed as often as its players do.

    Nothing changes where the ends of attempts are not known.
    """
    if not len(moves.fares):
        return personas
    odds, arrays = level_odds(moves.fares), dict(personas.weights.arrays)
    out, groups = arrays["out"].copy(), []
    levels = [named.level for named in moves.levels]
    for k, persona in enumerate(personas.groups, 1):
        sharpness = matching_sharpness(personas.weights, k, levels, expit(odds + persona.odds), seed)
        out[k] *= sharpness
        groups.append(replace(persona, sharpness=sharpness))
    card = {**personas.weights.card, "personas": [persona.card for persona in groups]}
    weights = replace(personas.weights, arrays={**arrays, "out": out}, card=card)
    return replace(personas, weights=weights, groups=tuple(groups))


def belongs_to(moves: PlayerMoves, weights: Weights, *, by_fares: bool = True) -> Floats:
    """How surely players belong to the groups in weights, by their moves and by how they fared.

    Success counts beside that of all these players, who should be a mix like the one that was grouped.
    """
    groups, _ = groups_of(weights)
    if by_fares:
        likelihoods = player_likelihoods(moves, groups, level_odds(moves.fares))
    else:
        likelihoods = _by_moves(moves, groups)
    return belonging(likelihoods, groups.share)


def _by_moves(moves: PlayerMoves, groups: Groups) -> Floats:
    # How attempts ended is left aside: that players succeed more often may be due to the levels.
    nothing = replace(moves, fares=moves.fares.chosen(np.zeros(len(moves.fares), bool)))
    return player_likelihoods(nothing, groups, np.zeros(0))


def shares_for(moves: PlayerMoves, weights: Weights) -> Personas:
    """The same groups with the shares that they have among other players, by the moves of these.

    Names, words and how the groups play stay as they are.
    """
    groups, personas = groups_of(weights)
    likelihoods = _by_moves(moves, groups)
    share = reweighed(likelihoods, groups.share)
    belongs = belonging(likelihoods, share)
    attempts = moves.attempts @ belongs
    changed = tuple(
        replace(persona, share=float(share[k]), attempts=float(attempts[k] / attempts.sum()))
        for k, persona in enumerate(personas)
    )
    arrays = {**weights.arrays, "share": shares_of(changed)}
    card = {
        **weights.card,
        "personas": [persona.card for persona in changed],
        "shares from": f"{len(moves.made):,} moves of {len(moves.players):,} players",
    }
    return Personas(Weights(weights.kind, weights.encoding, arrays, card), changed, moves.players, belongs)


def personas_from_files(
    files: Sequence[Path],
    levels: Sequence[str | Path] | None,
    policy: str,
    output: Path,
    *,
    reweigh: bool = False,
    most: int = defaults.MOST_GROUPS,
    moves_per_level: int = defaults.PERSONA_MOVES,
    seed: int = 1,
    note: Note = lambda sentence: None,
    progress: Callable[[str], None] = lambda level: None,
) -> Personas:
    """Groups the players of telemetry files (docs/telemetry.md) and writes the policy with them to `output`.

    Levels are the bundled ones if left out. `policy` is a file of weights or the name of shipped ones. With
    `reweigh`, its groups stay and only their shares are estimated anew. `note` is called with what is done,
    `progress` with each level that is read.
    """
    check_writable(output)
    weights = read_weights(policy, KIND, *ENCODINGS)
    check_shapes(weights)
    if reweigh:
        groups_of(weights)
    telemetry = [read_telemetry(file) for file in files]
    gathered = gather_levels(bundled_levels() if levels is None else levels)
    moves = read_player_moves(
        telemetry, gathered, weights, moves_per_level=moves_per_level, seed=seed, progress=progress
    )
    note(f"{len(moves.made):,} moves of {len(moves.players):,} players")
    personas = (
        shares_for(moves, weights)
        if reweigh
        else fit_personas(moves, weights, most=most, seed=seed, note=note)
    )
    write_weights(output, personas.weights)
    return personas


def success_rates(
    weights: Weights, persona: int, levels: Sequence[Level], attempts: int, sharpness: float, seed: int
) -> NDArray[np.float64]:
    """A persona's success rate at each level, sampled; a seed deals the same boards at any sharpness."""
    kernels = kernels_of(lambda: Network.from_weights(weights))
    codes = (0.0, SAMPLE, 1.0 / sharpness, 0.0, OF_EVERYONE + persona)
    rng = np.random.default_rng(seed)
    rates = []
    for level in levels:
        seeds = rng.integers(0, 2**64, (attempts, 2), np.uint64)
        rates.append((play_attempts(kernels, codes, level, seeds)["status"] == WON).mean())
    return np.array(rates)


def matching_sharpness(
    weights: Weights, persona: int, levels: Sequence[Level], target: NDArray[np.float64], seed: int
) -> float:
    """The sharpness with which a persona's mean success rate is that of its players, within bounds.

    `target` holds their success rates at the levels. At most SHARPNESS_LEVELS are played, evenly spread.
    """
    places = np.unique(
        np.linspace(0, len(levels) - 1, min(len(levels), SHARPNESS_LEVELS)).round().astype(int)
    )
    played = [levels[place] for place in places]
    attempts, wanted = -(-SHARPNESS_ATTEMPTS // len(played)), float(target[places].mean())

    def excess(value: float) -> float:
        return float(success_rates(weights, persona, played, attempts, exp(value), seed).mean()) - wanted

    low, high, value = log(SHARPNESS_BOUNDS[0]), log(SHARPNESS_BOUNDS[1]), 0.0
    for _ in range(_SHARPNESS_TRIES):
        apart = excess(value)
        if abs(apart) <= CLOSE_RATE:
            break
        # Success rises with sharpness: halve what is left of the bounds.
        low, high = (value, high) if apart < 0 else (low, value)
        value = (low + high) / 2
    return exp(value)
