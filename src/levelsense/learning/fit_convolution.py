"""Fitting networks over planes to players' moves: one recipe, or the grid of Gudmundsson et al."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, log_softmax

from levelsense.agents.convolution.planes import SWAPS
from levelsense.errors import TrainingError
from levelsense.learning.boards import Boards
from levelsense.learning.convolution import CONNECTED, FILTERS, new_network, seed_dropout
from levelsense.learning.loop import Epoch, Run, rise_and_fall, train_epochs
from levelsense.learning.muon import Muon
from levelsense.learning.symmetries import draw_symmetries

# Section IV.B of the paper, which found the last of the rates and of the batch sizes to be best.
GRID_RATES: Final = (5e-5, 1e-4, 5e-4)
GRID_BATCHES: Final = (128, 256, 512)
GRID_KEEPS: Final = (0.4, 0.5, 0.6)
_JUDGED_AT_ONCE: Final = 512


@dataclass(frozen=True)
class NetworkRecipe:
    """How a network over planes is trained, by Adam, or by Muon and Adam.

    network     its name in NETWORKS
    rate        the learning rate
    batch       positions at a time
    keep        the share of units that dropout keeps, in the network that has it
    legal_only  whether the loss is over the legal swaps, or over all 144 as the paper seems to have it
    epochs      times that all examples are gone through, at most
    patience    it stops after so many epochs in a row that were no better than the best
    legal_share  the share of a target that all legal swaps have alike, the move made having the rest; with 1
                the network learns which swaps are legal, and not which is made. A network that averages over
                cells takes long to tell swaps apart, and a position has several legal swaps to learn that by
                but one that is made
    cycle       whether the rate rises to its highest over the first tenth and falls to nothing, which is
                  best for short runs; it stays the same in the paper
    short_floats  whether sums of the training are in bfloat16, which takes three quarters of the time if
                  the processor has instructions for it, and twice the time if it has none
    muon_rate   the learning rate of Muon for hidden convolutions, the others having `rate`; all go by Adam
                if 0
    symmetries  whether each position is seen with its colors in another order every time, and every other
                time mirrored left to right
    """

    network: str = "conv12-elu-gap"
    rate: float = 5e-4
    batch: int = 512
    keep: float = 0.5
    legal_only: bool = True
    epochs: int = 12
    patience: int = 3
    legal_share: float = 0.0
    cycle: bool = False
    short_floats: bool = False
    muon_rate: float = 0.0
    symmetries: bool = False
    filters: int = FILTERS
    seed: int = 1


@dataclass(frozen=True)
class Trial:
    """A recipe of the grid, and the log-loss and accuracy at the validation positions that it came to."""

    recipe: NetworkRecipe
    loss: float
    accuracy: float


def fit_network(
    boards: Boards,
    validation: Boards,
    recipe: NetworkRecipe,
    *,
    start: Mapping[str, Tensor] | None = None,
    checkpoint: Path | None = None,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> nn.Module:
    """The network of the epoch that was best at the validation positions, by the log-loss over legal moves.

    One that only learns which swaps are legal is judged by its loss at these positions. It starts out with
    the weights of another network of its kind, if they are given (`state_dict`), as one that knows legal
    swaps. With a checkpoint, what is done is kept there after each epoch, and a run of the same positions and
    recipe goes on from it; it ends with the same weights.
    """
    for part, name in ((boards, "train on"), (validation, "validate by")):
        if not len(part):
            raise TrainingError(f"no moves to {name}; expected those of at least two levels")
    network = new_network(recipe.network, filters=recipe.filters, keep=recipe.keep, seed=recipe.seed)
    if start is not None:
        try:
            network.load_state_dict(start)
        except RuntimeError:  # a sentence a layer
            raise TrainingError(
                "weights of another network to start out with; expected those of "
                f"{recipe.network} with {recipe.filters} filters"
            ) from None
    # The same sums in an order of numbers that convolutions are a fifth faster with.
    network.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = _optimizer(network, recipe)
    steps = recipe.epochs * -(-len(boards) // recipe.batch)
    schedule = rise_and_fall(optimizer, steps) if recipe.cycle else None
    run = Run(network, optimizer, schedule)
    train_epochs(
        run,
        recipe.epochs,
        recipe.patience,
        lambda: _train_epoch(run, boards, recipe),
        lambda: (legal_loss if recipe.legal_share == 1 else mean_loss)(network, validation),
        key=_key(boards, recipe, start),
        checkpoint=checkpoint,
        on_epoch=on_epoch,
    )
    return network


def _optimizer(network: nn.Module, recipe: NetworkRecipe) -> torch.optim.Optimizer:
    if recipe.muon_rate:
        return Muon(network, recipe.rate, recipe.muon_rate)
    return torch.optim.Adam(network.parameters(), lr=recipe.rate)


def grid_of(recipe: NetworkRecipe) -> list[NetworkRecipe]:
    """The recipes of the paper's grid, otherwise as the one given."""
    keeps = GRID_KEEPS if recipe.network == CONNECTED else (recipe.keep,)
    return [
        replace(recipe, rate=rate, batch=batch, keep=keep)
        for rate, batch, keep in product(GRID_RATES, GRID_BATCHES, keeps)
    ]


def fit_grid(
    boards: Boards,
    validation: Boards,
    recipe: NetworkRecipe,
    *,
    checkpoint: Path | None = None,
    on_trial: Callable[[Trial], None] = lambda trial: None,
) -> tuple[nn.Module, list[Trial]]:
    """The network of the grid's recipe with the least log-loss at the validation positions, and all trials.

    With a checkpoint each recipe has one beside it, so that a run that was killed goes on where it was.
    """
    trials: list[Trial] = []
    best: nn.Module | None = None
    for number, candidate in enumerate(grid_of(recipe)):
        place = checkpoint and checkpoint.with_name(f"{checkpoint.name}-{number}")
        network = fit_network(boards, validation, candidate, checkpoint=place)
        trial = Trial(candidate, mean_loss(network, validation), accuracy(network, validation))
        if best is None or trial.loss < min(other.loss for other in trials):
            best = network
        trials.append(trial)
        on_trial(trial)
    assert best is not None  # no grid is empty
    return best, trials


def _train_epoch(run: Run, boards: Boards, recipe: NetworkRecipe) -> float:
    """Goes through all positions once.

    The mean loss on the way: among legal moves, as at the validation positions, whatever the targets are.
    """
    # Seeds for each epoch: one that goes on from a checkpoint draws as the one that was killed would.
    rng = np.random.default_rng((recipe.seed, run.epoch))
    seed_dropout(run.network, int(rng.integers(2**31)))
    total = 0.0
    run.network.train()
    order = rng.permutation(len(boards))
    for start in range(0, len(order), recipe.batch):
        places = order[start : start + recipe.batch]
        batch = boards.batch(places)
        if recipe.symmetries:
            batch = draw_symmetries(batch, boards.widths(places), rng)
        planes, mask, swaps = batch
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.short_floats):
            logits = run.network(torch.from_numpy(planes)).float()
        legal, made = torch.from_numpy(mask), torch.from_numpy(swaps)
        loss = _loss(logits, legal, made, recipe)
        among_legal = loss if recipe.legal_share == 1 else cross_entropy(_among(logits, legal), made)
        total += among_legal.item() * len(swaps)
        run.step(loss)
    return total / len(boards)


def _loss(logits: Tensor, legal: Tensor, made: Tensor, recipe: NetworkRecipe) -> Tensor:
    """The cross-entropy of a batch that a recipe makes less."""
    among = _among(logits, legal) if recipe.legal_only else logits
    if not recipe.legal_share:
        return cross_entropy(among, made)
    targets = recipe.legal_share * legal / legal.sum(1, keepdim=True)
    targets[torch.arange(len(made)), made] += 1 - recipe.legal_share
    # Swaps that are not legal have a target of 0, by which a logarithm of 0 cannot be multiplied.
    logs = log_softmax(among, 1).masked_fill(~legal, 0)
    return -(targets * logs).sum(1).mean()


def _among(logits: Tensor, legal: Tensor) -> Tensor:
    """The logits of legal swaps; all others have no chance."""
    return logits.masked_fill(~legal, -torch.inf)


def legal_loss(network: nn.Module, boards: Boards) -> float:
    """How well a network knows which swaps are legal: the cross-entropy of all swaps, in nats a position.

    One that gives all legal swaps the same chance and others none has `least_legal_loss`.
    """
    total = 0.0
    for logits, legal, _ in _logits(network, boards):
        total -= (log_softmax(logits, 1) * legal / legal.sum(1, keepdim=True)).sum().item()
    return total / len(boards)


def least_legal_loss(boards: Boards) -> float:
    """The mean logarithm of the number of legal swaps."""
    position, swap, _ = boards.swaps(0, len(boards))
    counts = np.bincount(np.unique(position * SWAPS + swap) // SWAPS)
    return float(np.log(counts).mean())


def log_probabilities(network: nn.Module, boards: Boards) -> NDArray[np.float32]:
    """The logarithm of each legal move's probability, in the order of the boards' moves.

    Of two moves that are one swap, each has half of its probability, as the agent plays it.
    """
    logs = np.zeros(len(boards.legal), np.float32)
    for start, end, of_swaps, _ in _logs_of_swaps(network, boards):
        position, swap, moves = boards.swaps(start, end)
        of_moves = of_swaps[position, swap] - np.log(moves)
        logs[boards.first[start] : boards.first[end]] = of_moves
    return logs


def _logs_of_swaps(
    network: nn.Module, boards: Boards
) -> Iterator[tuple[int, int, NDArray[np.float32], NDArray[np.int64]]]:
    """The logarithms of the probabilities of all swaps, and the swaps made, of some positions at a time."""
    start = 0
    for logits, legal, swaps in _logits(network, boards):
        end = start + len(swaps)
        yield start, end, log_softmax(_among(logits, legal), 1).numpy(), swaps
        start = end


def _logits(network: nn.Module, boards: Boards) -> Iterator[tuple[Tensor, Tensor, NDArray[np.int64]]]:
    """The logits of all swaps, which of them are legal, and the swaps made, of some positions at a time."""
    network.eval()
    with torch.no_grad():
        for start in range(0, len(boards), _JUDGED_AT_ONCE):
            end = min(start + _JUDGED_AT_ONCE, len(boards))
            planes, mask, swaps = boards.batch(np.arange(start, end))
            yield network(torch.from_numpy(planes)), torch.from_numpy(mask), swaps


def mean_loss(network: nn.Module, boards: Boards) -> float:
    """The mean of minus the logarithm of the probability of the move made, in nats."""
    logs = log_probabilities(network, boards)
    return float(-logs[boards.first[:-1] + boards.made].mean(dtype=np.float64))


def accuracy(network: nn.Module, boards: Boards) -> float:
    """The share of positions whose likeliest swap was the one made, as the paper's table I has it."""
    hits = sum(int((logs.argmax(1) == swaps).sum()) for _, _, logs, swaps in _logs_of_swaps(network, boards))
    return hits / len(boards)


def _key(boards: Boards, recipe: NetworkRecipe, start: Mapping[str, Tensor] | None) -> str:
    """What a checkpoint must have in common with the run that goes on from it."""
    begun = sha256()
    for weights in (start or {}).values():
        begun.update(weights.numpy().tobytes())
    content = len(boards), int(boards.legal.sum()), int(boards.made.sum()), int(boards.states["score"].sum())
    return f"{sorted(asdict(recipe).items())} {content} {begun.hexdigest()}"
