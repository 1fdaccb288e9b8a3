"""How well a policy predicts the moves that players make, beside other agents."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

BINS: Final = 10


class Choices(Protocol):
    """Positions with the move made in each, in any form that a policy takes: Examples, Boards.

    The moves of position k have the places first[k] to first[k + 1] in the order of all; made[k] is the place
    of the one made among them.
    """

    @property
    def first(self) -> NDArray[np.int64]: ...

    @property
    def made(self) -> NDArray[np.int64]: ...

    @property
    def moves(self) -> NDArray[np.int64]: ...

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Judgement:
    """How often and how surely the moves that were made were predicted.

    top_1, top_3  the share of moves that were among the one, the three likeliest
    loss          the mean of minus the logarithm of the move's probability, in nats; None if it gives none
    """

    top_1: float
    top_3: float
    loss: float | None

    def share_of_gap(self, random: "Judgement", ceiling: "Judgement") -> float | None:
        """How much of the way from random choice to the ceiling it comes, by the loss."""
        if self.loss is None or random.loss is None or ceiling.loss is None or random.loss <= ceiling.loss:
            return None
        return (random.loss - self.loss) / (random.loss - ceiling.loss)


@dataclass(frozen=True)
class CalibrationBin:
    """Moves that a policy holds about equally likely: how likely on average, and how often they were made."""

    moves: int
    predicted: float
    made: float


def judge_probabilities(examples: Choices, probabilities: NDArray[Any]) -> Judgement:
    """The judgement of a probability for each move of the examples."""
    made = probabilities[examples.first[:-1] + examples.made].astype(np.float64)
    loss = float(-np.log(np.maximum(made, 1e-12)).mean())
    return Judgement(*_tops(examples, probabilities), loss)


def judge_values(examples: Choices, values: NDArray[Any]) -> Judgement:
    """The judgement of an agent that values moves and plays the best; of equals it plays any."""
    return Judgement(*_tops(examples, values), None)


def judge_random(examples: Choices) -> Judgement:
    """The judgement of choosing any legal move."""
    counts = examples.moves
    top_3 = np.minimum(1.0, 3.0 / counts)
    return Judgement(float((1.0 / counts).mean()), float(top_3.mean()), float(np.log(counts).mean()))


def _tops(examples: Choices, values: NDArray[Any]) -> tuple[float, float]:
    """The expected shares of made moves among the one and the three best, if equals are put in any order."""
    return float(told_shares(examples, values, 1).mean()), float(told_shares(examples, values, 3).mean())


def told_shares(examples: Choices, values: NDArray[Any], top: int) -> NDArray[np.float64]:
    """Of each position, the chance that the move made is among the best so many, equals in any order."""
    of = np.repeat(np.arange(len(examples)), examples.moves)
    made = values[examples.first[:-1] + examples.made][of]
    better = np.bincount(of, values > made, len(examples))
    equal = np.bincount(of, values == made, len(examples))
    shares: NDArray[np.float64] = np.clip((top - better) / equal, 0.0, 1.0)
    return shares


def calibration(examples: Choices, probabilities: NDArray[Any], bins: int = BINS) -> list[CalibrationBin]:
    """The moves in bins of equal width of their probability; empty bins are left out."""
    made = np.zeros(len(probabilities))
    made[examples.first[:-1] + examples.made] = 1.0
    bin_of = np.minimum((probabilities * bins).astype(int), bins - 1)
    counts = np.bincount(bin_of, minlength=bins)
    sums = {
        name: np.bincount(bin_of, column, bins) for name, column in (("p", probabilities), ("made", made))
    }
    return [
        CalibrationBin(int(n), float(sums["p"][k] / n), float(sums["made"][k] / n))
        for k, n in enumerate(counts)
        if n
    ]


def calibration_error(bins: list[CalibrationBin]) -> float:
    """The mean distance of predicted and made, weighted by the number of moves."""
    moves = sum(part.moves for part in bins)
    return sum(part.moves * abs(part.predicted - part.made) for part in bins) / moves if moves else 0.0


def as_card(judgements: Mapping[str, Judgement], ceiling: Judgement | None = None) -> dict[str, Any]:
    """Judgements by the name of what was judged, for a model card; random must be among them."""
    card: dict[str, Any] = {}
    for name, judgement in judgements.items():
        share = judgement.share_of_gap(judgements["random"], ceiling) if ceiling else None
        figures = {
            "top-1": judgement.top_1,
            "top-3": judgement.top_3,
            "log-loss": judgement.loss,
            "share of the gap": share,
        }
        card[name] = {key: round(value, 4) for key, value in figures.items() if value is not None}
    return card
