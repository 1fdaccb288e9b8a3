"""Training from the first game to the file of weights, with a checkpoint on the way."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from levelsense.agents.qlearning.features import DISCOUNT, ENCODING
from levelsense.agents.qlearning.games import EPSILON, Table, Training, learn_from_game, measure_scales
from levelsense.agents.qlearning.playing import Q_FUNCTIONS, QFunction
from levelsense.agents.weights import Weights, write_weights
from levelsense.compiled.times import compiling_for
from levelsense.errors import AgentError, StoppedError
from levelsense.files import check_writable, write_bytes
from levelsense.game.state import Array

BLOCK: Final = 20  # games that a row of the learning curve is about
CHECKPOINT_EVERY: Final = 10  # games
_LARGEST: Final = float(np.finfo(np.float32).max)  # that a file of weights holds
_KEY: Final = "key"  # of a checkpoint: what is trained
_PAPER: Final = "Lee et al., CandyCrush.ai: An AI Agent for Candy Crush"
ABOUT: Final = {
    "q-linear": f"values of moves, linear in 24 features, by Q-learning ({_PAPER}, section 4.6)",
    "q-network": f"values of moves, by a network over 24 features, by Q-learning ({_PAPER}, section 4.7)",
}


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is; `score` is the mean of the latest games, at most as many as a block has."""

    games: int
    of: int
    score: float


class Trainer:
    """A training under way: `advance` plays one more game, `record` is all that it needs to go on."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.scales = measure_scales(training)
        self.q: QFunction = Q_FUNCTIONS[training.kind].untrained(self.scales, training.draws("parameters"))
        # One row a game: its score, its turns, and the sum of their squared errors.
        self.games = np.zeros((training.games, 3))
        self.done = 0
        self._table = Table(training, self.q)

    def advance(self) -> None:
        """Plays a game and learns from it; AgentError if weights grew beyond all numbers."""
        self._table.deal(self.training.draws("game", self.done))
        turn = int(self.games[: self.done, 1].sum())
        turns, squared_errors = learn_from_game(self._table, turn)
        self.games[self.done] = self._table.state.score, turns, squared_errors
        self.done += 1
        if not all((np.abs(array) < _LARGEST).all() for array in self.q.learned.values()):
            raise AgentError(
                f"{self.training.kind}: weights beyond all numbers after {self.done:,} games on "
                f"{self.training.level.name!r}; expected a level whose scores differ less"
            )

    @property
    def record(self) -> dict[str, Array]:
        """The arrays that training changes, and the games so far."""
        return {**self.q.learned, "games": self.games[: self.done]}

    def restore(self, record: dict[str, Array]) -> None:
        """Goes on from a record of this training."""
        for name, array in self.q.learned.items():
            array[...] = record[name]
        self.done = len(record["games"])
        self.games[: self.done] = record["games"]

    @property
    def progress(self) -> TrainingProgress:
        """How far it is."""
        latest = self.games[max(0, self.done - BLOCK) : self.done, 0]
        return TrainingProgress(self.done, self.training.games, float(latest.mean()) if self.done else 0.0)

    def curve(self) -> list[list[float]]:
        """For each block: the games played by then, its mean score, its root mean square error."""
        rows = []
        for start in range(0, self.done, BLOCK):
            block = self.games[start : min(start + BLOCK, self.done)].tolist()
            score, turns, squares = (sum(column) for column in zip(*block, strict=True))
            rows.append([start + len(block), round(score / len(block), 1), round(sqrt(squares / turns), 1)])
        return rows

    def weights(self) -> Weights:
        """What it has learned so far, with its model card."""
        card = {
            "about": ABOUT[self.training.kind],
            "limits": "trained for the score of one level: goals and other scores had no part in it",
            "trained on": self.training.level.name,
            **self.training.key,
            "games": self.done,
            "discount": DISCOUNT,
            "epsilon": EPSILON,
            "scales": [round(float(scale), 4) for scale in self.scales],
            "curve": {"columns": ["games", "mean score", "error"], "rows": self.curve()},
        }
        return Weights(self.training.kind, ENCODING, self.q.arrays, card)


def write_checkpoint(path: Path, key: Mapping[str, Any], record: Mapping[str, Array]) -> None:
    """Writes the arrays of the training that `key` identifies; OutputError if the file cannot be written."""
    content = BytesIO()
    arrays: dict[str, Any] = {_KEY: np.array(json.dumps(key)), **record}
    np.savez(content, **arrays)
    write_bytes(path, content.getvalue())


def read_checkpoint(path: Path, key: Mapping[str, Any], games: int) -> dict[str, Array] | None:
    """The arrays of a training; None if there is no file.

    AgentError if it is of another training than `key`, of one with more games, or damaged.
    """
    if not path.exists():
        return None
    advice = "remove it to start anew"
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            record = {name: file[name] for name in file.files}
        written = dict(json.loads(str(record.pop(_KEY))))
        done = len(record["games"])
    except (BadZipFile, EOFError, KeyError, OSError, TypeError, ValueError):
        raise AgentError(f"{path}: not a checkpoint of a training; {advice}") from None
    others = [name for name in key if written.get(name) != key[name]]
    if others:
        name = others[0]
        raise AgentError(
            f"{path}: of a training with {name} {written.get(name)}; expected {name} {key[name]}, or {advice}"
        )
    if done > games:
        raise AgentError(
            f"{path}: of a training of {done:,} games already; expected at most {games:,}, or {advice}"
        )
    return record


def train(
    training: Training,
    checkpoint: Path | None = None,
    *,
    progress: Callable[[TrainingProgress], None] | None = None,
    stop: threading.Event | None = None,
) -> Weights:
    """Trains, from where the checkpoint is if there is one, and gives the weights.

    The checkpoint is replaced every few games. StoppedError if `stop` is set: then it holds all games that
    were finished. AgentError if it is one of another training.
    """
    record = None if checkpoint is None else read_checkpoint(checkpoint, training.key, training.games)
    with compiling_for(training.kind):
        trainer = Trainer(training)
        if record is not None:
            trainer.restore(record)
        while trainer.done < training.games:
            trainer.advance()
            if progress is not None:
                progress(trainer.progress)
            is_stopped = stop is not None and stop.is_set()
            if checkpoint is not None and (is_stopped or trainer.done % CHECKPOINT_EVERY == 0):
                write_checkpoint(checkpoint, training.key, trainer.record)
            if is_stopped and trainer.done < training.games:
                raise StoppedError
    return trainer.weights()


def checkpoint_of(output: Path) -> Path:
    """Where the checkpoint of a training is whose weights go to `output`."""
    return output.with_name(f"{output.name}.checkpoint")


def train_to_file(training: Training, output: Path, **watching: Any) -> Weights:
    """Trains and writes the weights; a checkpoint beside them lasts until they are written.

    `watching` are the other arguments of `train`. OutputError if the file cannot be written.
    """
    check_writable(output)
    weights = train(training, checkpoint_of(output), **watching)
    write_weights(output, weights)
    checkpoint_of(output).unlink(missing_ok=True)
    return weights
