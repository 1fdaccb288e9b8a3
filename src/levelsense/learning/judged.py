"""Judging a policy, one just trained or one in a file, on the moves of players at levels it never saw."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from levelsense import defaults
from levelsense.agents.policy.network import ENCODINGS, EVERYONE, KIND, check_shapes
from levelsense.agents.weights import Weights, read_weights
from levelsense.errors import StoppedError
from levelsense.learning.corpus import Corpus, Split, read_corpus
from levelsense.learning.examples import Examples
from levelsense.learning.judge import (
    CalibrationBin,
    Judgement,
    calibration,
    calibration_error,
    judge_probabilities,
    judge_random,
    judge_values,
)
from levelsense.learning.mixture import log_probabilities
from levelsense.learning.player_moves import mixed_units
from levelsense.level.level import bundled_levels
from levelsense.people.telemetry import read_telemetry
from levelsense.playtest.levels import gather_levels

POLICY: Final = "policy"
CEILING: Final = "players' own ceiling"
_EXAMPLES_AT_ONCE: Final = 20_000


@dataclass(frozen=True)
class JudgedPolicy:
    """How well a policy predicts players' moves.

    later    judgements at levels that come after those trained on, by the name of what was judged
    bins     calibration of the policy's probabilities there
    ceiling  the most that could be told there; None if the players were not simulated
    at_ceiling  judgements at the positions of which the ceiling is known
    """

    later: Mapping[str, Judgement]
    bins: Sequence[CalibrationBin]
    ceiling: Judgement | None
    at_ceiling: Mapping[str, Judgement]

    @property
    def share_of_gap(self) -> float | None:
        """How much of the way from random choice to the ceiling the policy comes, by the log-loss."""
        if self.ceiling is None:
            return None
        return self.at_ceiling[POLICY].share_of_gap(self.at_ceiling["random"], self.ceiling)

    @property
    def calibration_error(self) -> float:
        """How far probabilities are from how often such moves are made, on average."""
        return calibration_error(list(self.bins))


def judge_policy(
    corpus: Corpus, logs: NDArray[np.floating], ceiling_logs: NDArray[np.floating] | None
) -> JudgedPolicy:
    """How good a policy is at the later levels of a corpus.

    `logs` are the logarithms of its probabilities of all moves there, `ceiling_logs` those at the positions
    whose ceiling is known.
    """
    later, probabilities = corpus.later, np.exp(logs)
    judgements = {POLICY: judge_probabilities(later, probabilities)}
    judgements |= {name: judge_values(later, values) for name, values in corpus.baselines.items()}
    judgements["random"] = judge_random(later)
    ceiling, at_ceiling = None, {}
    if corpus.ceiling is not None and ceiling_logs is not None:
        ceiling = corpus.ceiling.judgement
        at_ceiling = {
            POLICY: corpus.ceiling.judge(np.exp(ceiling_logs)),
            "random": judge_random(corpus.ceiling.examples),
        }
    return JudgedPolicy(judgements, calibration(later, probabilities), ceiling, at_ceiling)


def weights_logs(weights: Weights, examples: Examples) -> NDArray[np.float64]:
    """The logarithms of the probabilities that weights give to all moves, as all players alike."""
    arrays, parts = weights.arrays, []
    with threadpool_limits(1):
        for start in range(0, len(examples), _EXAMPLES_AT_ONCE):
            some = examples.chosen(np.arange(start, min(start + _EXAMPLES_AT_ONCE, len(examples))))
            rows = arrays["shift"][EVERYONE], arrays["out"][EVERYONE]
            parts.append(log_probabilities(mixed_units(arrays, some), some.first, *rows))
    return np.concatenate(parts)


def judge_from_files(
    files: Sequence[Path],
    levels: Sequence[str | Path] | None,
    policy: str,
    *,
    moves_per_level: int = defaults.MOVES_PER_LEVEL,
    seed: int = 1,
    note: Callable[[str], None] = lambda sentence: None,
    stop: threading.Event | None = None,
) -> JudgedPolicy:
    """Judges a policy on files of telemetry (docs/telemetry.md): all levels that they have moves of count.

    `policy` is a file of weights or the name of shipped ones; levels are the bundled ones if left out. The
    probabilities are those of all players alike, since nothing is known of a player. StoppedError if `stop`
    is set.
    """
    weights = read_weights(policy, KIND, *ENCODINGS)
    check_shapes(weights)
    corpus = read_corpus(
        [read_telemetry(file) for file in files],
        gather_levels(bundled_levels() if levels is None else levels),
        split=lambda number: Split(0, 0, number),
        moves_per_level=moves_per_level,
        seed=seed,
        progress=lambda level: refuse_stopped(stop),
    )
    note(
        f"{len(corpus.examples):,} moves of {len(corpus.players):,} players at {corpus.split.judge:,} levels"
    )
    ceiling = corpus.ceiling
    return judge_policy(
        corpus,
        weights_logs(weights, corpus.later),
        None if ceiling is None else weights_logs(weights, ceiling.examples),
    )


def refuse_stopped(stop: threading.Event | None) -> None:
    """StoppedError if an event is set."""
    if stop is not None and stop.is_set():
        raise StoppedError
