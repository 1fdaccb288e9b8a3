"""Fitting a policy to examples: what is trained, in which batches, and how good it is."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import cross_entropy

from levelsense import defaults
from levelsense.agents.policy.network import EVERYONE
from levelsense.errors import TrainingError
from levelsense.learning.examples import Examples, rows_of
from levelsense.learning.loop import Epoch, Run, drawn_by, rise_and_fall, train_epochs
from levelsense.learning.network import MoveNetwork, input_scale

_SORTED_AT_ONCE: Final = (
    64  # batches: positions with about as many moves come together, so that few are padded
)
_JUDGED_AT_ONCE: Final = 4096


@dataclass(frozen=True)
class Recipe:
    """How a policy is trained.

    moves, context, mixed   hidden units: of a move, of the position, of a move in its position
    rivals                  hidden units of rivals; none if 0
    rate                    the highest learning rate; it rises over the first tenth and falls to nothing
    batch                   positions at a time
    epochs                  times that all examples are gone through, at most
    patience                it stops after so many epochs in a row that were no better than the best; the
                            last epochs, at low rates, gain most, so that few are worth stopping for
    """

    moves: int = defaults.HIDDEN_UNITS
    context: int = defaults.HIDDEN_UNITS
    mixed: int = defaults.HIDDEN_UNITS
    rate: float = defaults.TRAINING_RATE
    batch: int = defaults.TRAINING_BATCH
    epochs: int = defaults.TRAINING_EPOCHS
    patience: int = 6
    decay: float = 1e-4
    seed: int = 1
    rivals: int = 0


def fit_policy(
    examples: Examples,
    validation: Examples,
    recipe: Recipe,
    *,
    checkpoint: Path | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> MoveNetwork:
    """The network of the epoch that was best at the validation examples.

    With a checkpoint, what is done is kept there after each epoch, and a run of the same examples and recipe
    goes on from it; it ends with the same weights.
    """
    _refuse_nothing(examples, validation)
    network = _new_network(examples, recipe)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    steps = recipe.epochs * _batch_count(len(examples), recipe.batch)
    run = Run(network, optimizer, rise_and_fall(optimizer, steps))
    train_epochs(
        run,
        recipe.epochs,
        recipe.patience,
        lambda: _train_epoch(run, network, examples, recipe),
        lambda: mean_loss(network, validation),
        key=_key(examples, recipe),
        checkpoint=checkpoint,
        on_epoch=on_epoch,
    )
    return network


def _refuse_nothing(examples: Examples, validation: Examples) -> None:
    for part, name in ((examples, "train on"), (validation, "validate by")):
        if not len(part):
            raise TrainingError(f"no moves to {name}; expected those of at least two levels")


def _new_network(examples: Examples, recipe: Recipe) -> MoveNetwork:
    with drawn_by(recipe.seed):
        return MoveNetwork(
            input_scale(examples.inputs),
            moves=recipe.moves,
            context=recipe.context,
            mixed=recipe.mixed,
            rivals=recipe.rivals,
        )


def _train_epoch(run: Run, network: MoveNetwork, examples: Examples, recipe: Recipe) -> float:
    """Goes through all examples once; the mean loss on the way."""
    # A generator for each epoch: one that goes on from a checkpoint draws as the one that was killed would.
    rng = np.random.default_rng((recipe.seed, run.epoch))
    total = 0.0
    network.train()
    for places in batches(examples, recipe.batch, rng):
        everyone = np.full(len(places), EVERYONE, np.int64)
        inputs, mask, position, made = padded(examples, places)
        loss = cross_entropy(network(inputs, mask, position, torch.from_numpy(everyone)), made)
        total += loss.item() * len(places)
        run.step(loss)
    return total / len(examples)


def _batch_count(examples: int, batch: int) -> int:
    whole, rest = divmod(examples, batch * _SORTED_AT_ONCE)
    return whole * _SORTED_AT_ONCE + -(-rest // batch)


def batches(examples: Examples, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """The places of all examples in random order, batch by batch."""
    order = rng.permutation(len(examples))
    counts = examples.moves
    parts: list[NDArray[np.int64]] = []
    for start in range(0, len(order), size * _SORTED_AT_ONCE):
        part = order[start : start + size * _SORTED_AT_ONCE]
        part = part[np.argsort(counts[part], kind="stable")]
        parts += [part[k : k + size] for k in range(0, len(part), size)]
    for k in rng.permutation(len(parts)):
        yield parts[k]


def padded(examples: Examples, places: NDArray[np.int64]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Inputs, mask, positions and moves made of some examples; all have as many moves as the longest."""
    counts = examples.moves[places]
    mask = np.arange(counts.max())[None] < counts[:, None]
    inputs = np.zeros((*mask.shape, examples.inputs.shape[1]), np.float32)
    inputs[mask] = examples.inputs[rows_of(examples.first, places)]
    return (
        torch.from_numpy(inputs),
        torch.from_numpy(mask.astype(np.float32)),
        torch.from_numpy(examples.position[places]),
        torch.from_numpy(examples.made[places]),
    )


def log_probabilities(
    network: MoveNetwork, examples: Examples, persona: int = EVERYONE
) -> NDArray[np.float32]:
    """The logarithm of each move's probability, in the order of the examples' rows."""
    all_logs = np.zeros(len(examples.inputs), np.float32)
    network.eval()
    with torch.no_grad():
        for start in range(0, len(examples), _JUDGED_AT_ONCE):
            places = np.arange(start, min(start + _JUDGED_AT_ONCE, len(examples)))
            inputs, mask, position, _ = padded(examples, places)
            scores = network(inputs, mask, position, torch.full((len(places),), persona))
            logs = torch.log_softmax(scores, 1).numpy()
            all_logs[examples.first[start] : examples.first[places[-1] + 1]] = logs[mask.numpy() > 0]
    return all_logs


def mean_loss(network: MoveNetwork, examples: Examples, persona: int = EVERYONE) -> float:
    """The mean of minus the logarithm of the probability of the move made, in nats."""
    logs = log_probabilities(network, examples, persona)
    return float(-logs[examples.first[:-1] + examples.made].mean(dtype=np.float64))


def _key(examples: Examples, recipe: Recipe) -> str:
    """What a checkpoint must have in common with the run that goes on from it."""
    content = (len(examples), int(examples.first[-1]), int(examples.made.sum()), float(examples.inputs.sum()))
    return f"{sorted(asdict(recipe).items())} {content}"
