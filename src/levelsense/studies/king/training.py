"""Networks and policies trained on moves: a file each that an agent plays, and how well they tell moves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import stdtrit
from torch import Tensor

from levelsense.agents.convolution.network_file import read_network_file
from levelsense.agents.registry import Agent, parse_agent
from levelsense.agents.weights import write_weights
from levelsense.learning import fit, fit_convolution, require_torch
from levelsense.learning.boards import Boards
from levelsense.learning.convolution import write_network
from levelsense.learning.fit import Recipe, fit_policy
from levelsense.learning.fit_convolution import NetworkRecipe, fit_network, legal_loss
from levelsense.learning.judge import Choices, told_shares
from levelsense.learning.loop import Epoch, epochs_in
from levelsense.studies.king.moves import MoveSet
from levelsense.studies.king.plan import KEPT
from levelsense.studies.run import StudyRun

OURS: Final = "ours"  # the move-centered policy, beside the names of the networks
RANDOM: Final = "random"
PART: Final = "networks"
MOST_LOOKED_AT: Final = 300  # positions that a spread of logits is computed by


@dataclass(frozen=True)
class Share:
    """A share with its 95 % interval, levels taken as independent and their positions not."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f})"


@dataclass(frozen=True)
class MoveScores:
    """How well moves were told at each level of a set: positions, moves told, and summed log-losses."""

    names: tuple[str, ...]
    positions: NDArray[np.float64]
    hits: NDArray[np.float64]
    losses: NDArray[np.float64]

    @classmethod
    def of(cls, names: Sequence[str], choices: Any, hits: Any, losses: Any) -> "MoveScores":
        """The sums by level of figures a position."""
        count = len(names)
        return cls(
            tuple(names),
            np.bincount(choices.level, minlength=count).astype(np.float64),
            np.bincount(choices.level, hits, count).astype(np.float64),
            np.bincount(choices.level, losses, count).astype(np.float64),
        )

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "MoveScores":
        """What `asdict` and JSON made of it."""
        sums = (np.array(data[name]) for name in ("positions", "hits", "losses"))
        return cls(tuple(data["names"]), *sums)

    def at(self, names: Sequence[str]) -> "MoveScores":
        """The same at some of the levels."""
        places = [number for number, name in enumerate(self.names) if name in set(names)]
        return MoveScores(
            tuple(self.names[place] for place in places),
            self.positions[places],
            self.hits[places],
            self.losses[places],
        )

    @property
    def accuracy(self) -> Share:
        """The share of moves that were the likeliest."""
        return Share(*_ratio(self.hits, self.positions))

    @property
    def loss(self) -> tuple[float, float, float]:
        """The log-loss a move, with its 95 % interval."""
        return _ratio(self.losses, self.positions)

    def gain(self, other: "MoveScores") -> tuple[float, float, float]:
        """How many nats a move it is better than another at the same positions, with the 95 % interval."""
        return _ratio(other.losses - self.losses, self.positions)

    def more(self, other: "MoveScores") -> tuple[float, float, float]:
        """How much higher its accuracy is than another's at the same positions, with the 95 % interval."""
        return _ratio(self.hits - other.hits, self.positions)


def _ratio(sums: NDArray[np.float64], positions: NDArray[np.float64]) -> tuple[float, float, float]:
    """A ratio of sums over levels, with its 95 % interval: levels are clusters (linearized, Student's t)."""
    levels, total = len(positions), positions.sum()
    ratio = float(sums.sum() / total)
    if levels < 2:
        return ratio, ratio, ratio
    residuals = sums - ratio * positions
    error = np.sqrt(levels / (levels - 1) * (residuals**2).sum()) / total
    half = float(stdtrit(levels - 1, 0.975) * error)
    return ratio, ratio - half, ratio + half


@dataclass(frozen=True)
class Trained:
    """A network or policy in a file, and what it came to.

    scores   how well it tells the moves of each set that it was judged by
    seconds  of processor time that its training took
    passes   positions that it was trained on, each as often as it came up
    """

    path: Path
    scores: Mapping[str, MoveScores]
    seconds: float
    passes: int
    epoch_losses: Sequence[tuple[float, float]]

    def agent(self, **options: str) -> Agent:
        """The agent that plays it."""
        family = "policy" if self.path.suffix == ".json" else "onnx"
        written = "".join(f",{name}={value}" for name, value in options.items())
        return parse_agent(f"{family}:model={self.path}{written}")


@dataclass(frozen=True)
class Start:
    """The weights of a network that was taught which swaps are legal, and how that went.

    loss     at positions that it was not trained on, in nats
    seconds  of processor time that its training took
    passes   positions that it was trained on, each as often as it came up
    """

    path: Path
    loss: float
    seconds: float
    passes: int

    def weights(self) -> dict[str, Tensor]:
        """The weights, for other trainings to start out with."""
        return dict(torch.load(self.path, weights_only=True))


@dataclass(frozen=True)
class Training:
    """What a network or policy is trained on and validated by, and how.

    start  the weights that a network starts out with
    """

    recipe: NetworkRecipe | Recipe
    moves: MoveSet
    validation: MoveSet
    start: Start | None = None


def teach_legal(
    run: StudyRun, recipes: Mapping[str, NetworkRecipe], training: Boards, validation: Boards
) -> dict[str, Start]:
    """Teaches networks which swaps are legal, unless their files are there; several at once, on threads."""
    paths = {f"legal-{name}": _file(run, f"legal-{name}.pt") for name in recipes}

    def fit(key: str, progress: _Progress) -> dict[str, Any]:
        recipe = recipes[key.removeprefix("legal-")]
        network = fit_network(training, validation, recipe, checkpoint=progress.checkpoint, on_epoch=progress)
        torch.save(network.state_dict(), paths[key])
        return {"loss": legal_loss(network, validation), "passes": recipe.epochs * len(training)}

    kept = _kept(run, paths, fit)
    return {
        name: Start(paths[key], kept[key]["loss"], kept[key]["seconds"], kept[key]["passes"])
        for name, key in zip(recipes, paths, strict=True)
    }


def train(
    run: StudyRun, whose: str, trainings: Mapping[str, Training], judged: Mapping[str, MoveSet]
) -> dict[str, Trained]:
    """Networks and policies trained on somebody's moves, unless their files are there; several at once.

    All are judged by the same sets of moves.
    """
    paths = {
        f"{whose}-{name}": _file(run, f"{whose}-{name}.{_suffix(training.recipe)}")
        for name, training in trainings.items()
    }

    def fit(key: str, progress: _Progress) -> dict[str, Any]:
        training = trainings[key.removeprefix(f"{whose}-")]
        logs_of = _fit(paths[key], training, progress)
        return {
            KEPT: {name: asdict(_judge(logs_of(moves), moves)) for name, moves in judged.items()},
            "passes": training.recipe.epochs * len(training.moves),
        }

    kept = _kept(run, paths, fit)
    return {
        name: Trained(
            paths[key],
            {name: MoveScores.read(data) for name, data in kept[key][KEPT].items()},
            kept[key]["seconds"],
            kept[key]["passes"],
            [(epoch["loss"], epoch["validation"]) for epoch in kept[key]["epochs"]],
        )
        for name, key in zip(trainings, paths, strict=True)
    }


def _suffix(recipe: NetworkRecipe | Recipe) -> str:
    return "json" if isinstance(recipe, Recipe) else "onnx"


def _file(run: StudyRun, name: str) -> Path:
    """The path of a trained network or policy."""
    folder = run.folder / "files"
    folder.mkdir(exist_ok=True)
    return folder / name


class _Progress:
    """Tells the run of the epochs of a training as they end; and the file that a killed one goes on from."""

    def __init__(self, run: StudyRun, name: str, path: Path) -> None:
        self.run, self.name = run, name
        self.checkpoint = path.with_name(f"{path.name}.checkpoint")

    def __call__(self, epoch: Epoch) -> None:
        self.run.hear(f"training {self.name}, epoch", epoch.number, epoch.of)


def _kept(
    run: StudyRun, paths: Mapping[str, Path], fit: Callable[[str, _Progress], Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """What trainings give, with their epochs and seconds: kept in the run's folder, and done once."""
    names = list(paths)
    followed = {name: _Progress(run, name, path) for name, path in paths.items()}

    def make(number: int) -> dict[str, Any]:
        require_torch()
        name = names[number]
        progress = followed[name]
        figures = fit(name, progress)
        epochs = epochs_in(progress.checkpoint)
        result = {
            **figures,
            "epochs": [asdict(epoch) for epoch in epochs],
            "seconds": epochs[-1].seconds,
        }
        return {key: _as_lists(value) for key, value in result.items()}

    kept = run.collect(PART, names, make)
    for progress in followed.values():
        progress.checkpoint.unlink(missing_ok=True)
    return dict(zip(names, kept, strict=True))


def _fit(path: Path, training: Training, progress: _Progress) -> Callable[[MoveSet], NDArray[np.float32]]:
    """Trains, writes the file, and gives the function from positions to the logs of moves' probabilities."""
    recipe, moves, validation = training.recipe, training.moves, training.validation
    card = {"moves": len(moves), "recipe": asdict(recipe)}
    checkpoint = progress.checkpoint
    if isinstance(recipe, Recipe):
        policy = fit_policy(
            moves.examples, validation.examples, recipe, checkpoint=checkpoint, on_epoch=progress
        )
        write_weights(path, policy.weights(card))
        return lambda moves: fit.log_probabilities(policy, moves.examples)
    network = fit_network(
        moves.boards,
        validation.boards,
        recipe,
        start=training.start.weights() if training.start else None,
        checkpoint=checkpoint,
        on_epoch=progress,
    )
    write_network(path, network, card)
    return lambda moves: fit_convolution.log_probabilities(network, moves.boards)


def _judge(logs: NDArray[np.float32], moves: MoveSet) -> MoveScores:
    choices: Choices = moves.boards
    made = logs[choices.first[:-1] + choices.made].astype(np.float64)
    return MoveScores.of(moves.names, moves.boards, told_shares(choices, logs, 1), -made)


def logit_spread(network: Trained, moves: MoveSet) -> float:
    """How much a network's logits differ from position to position: the mean standard deviation of a swap's.

    One that has stopped to look at the board has next to none.
    """
    places = np.linspace(0, len(moves) - 1, min(len(moves), MOST_LOOKED_AT)).round().astype(np.int64)
    planes, _, _ = moves.boards.batch(places)
    return float(read_network_file(str(network.path)).logits(planes).std(axis=0).mean())


def random_scores(moves: MoveSet) -> MoveScores:
    """How well any legal move tells the moves of a set."""
    counts = moves.boards.moves
    return MoveScores.of(moves.names, moves.boards, 1 / counts, np.log(counts))


def _as_lists(data: Any) -> Any:
    """Data with arrays turned into lists, for JSON."""
    if isinstance(data, np.ndarray):
        return data.tolist()
    if isinstance(data, Mapping):
        return {key: _as_lists(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_as_lists(value) for value in data]
    return data
