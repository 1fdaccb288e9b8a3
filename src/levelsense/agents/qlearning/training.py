"""Q-learning: games are played epsilon-greedily, and Q learns from every turn (Lee et al., sections 4.6 and 4.7)."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, START
from levelsense.agents.qlearning.checkpoint import read_checkpoint, write_checkpoint
from levelsense.agents.qlearning.features import (
    DEPTH,
    DISCOUNT,
    ENCODING,
    EPISODES,
    FEATURES,
    SCRATCH_STATES,
)
from levelsense.agents.qlearning.playing import Q_FUNCTIONS, Memory, QFunction, value_legal_moves
from levelsense.agents.simple import any_of_the_best
from levelsense.agents.weights import Weights, write_weights
from levelsense.errors import AgentError, StoppedError
from levelsense.files import check_writable
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, RULES_VERSION, Array, new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import Draws, Rng, below, new_rng

PAPER_BOARD: Final = "paper-board"
MOST_GAMES: Final = 1_000_000
EPSILON: Final = 0.5
MEASURING_GAMES: Final = 10  # played at random before training, for the scales of features
BLOCK: Final = 20  # games that a row of the learning curve is about
CHECKPOINT_EVERY: Final = 10  # games


def paper_board() -> Level:
    """The game of the paper: 9x9, five colors, 50 turns, no specials, quadratic scores, nothing to win."""
    return Level.model_validate(
        {
            "name": "Paper board",
            "moves": 50,
            "colors": 5,
            "board": [" ".join("." * 9)] * 9,
            "goals": {"score": 1_000_000_000},
            "rules": "plain",
        }
    )


def training_level(name: str) -> Level:
    """The level that a text names: paper-board, a file, or a bundled level; LevelError if it cannot be read."""
    return paper_board() if name == PAPER_BOARD else Level.load(name)


@dataclass(frozen=True)
class Training:
    """What is trained, on what and how long: the same training gives the same weights.

    kind      the family of agents: q-linear or q-network
    games     how many games are played
    episodes  and depth: those of the feature of simulated utility
    """

    kind: str
    level: Level
    games: int
    seed: int = 0
    episodes: int = EPISODES
    depth: int = DEPTH

    def __post_init__(self) -> None:
        """AgentError for a number of games that makes no sense."""
        if not 1 <= self.games <= MOST_GAMES:
            raise AgentError(f"`games` {self.games:,}: expected 1 to {MOST_GAMES:,}")

    @property
    def key(self) -> dict[str, Any]:
        """Everything but the number of games that decides about weights."""
        return {
            "kind": self.kind,
            "level": self.level.digest,
            "rules": RULES_VERSION,
            "encoding": ENCODING,
            "seed": self.seed,
            "episodes": self.episodes,
            "depth": self.depth,
        }

    def draws(self, *purpose: str | int) -> Draws:
        """A stream of random draws of this training."""
        return Draws("q-learning", self.seed, *purpose)


@dataclass(frozen=True)
class TrainingProgress:
    """How far a training is; `score` is the mean of the latest games, at most as many as a block has."""

    games: int
    of: int
    score: float


class _Table:
    """A level to play games on, with the buffers that this takes."""

    def __init__(self, training: Training, q: QFunction) -> None:
        self._training = training
        records = level_record(training.level)
        self._level = records.level
        self._states = new_state(SCRATCH + SCRATCH_STATES)
        self._states[START] = records.start
        self._work, self._moves = new_work(), np.zeros(MOST_MOVES, np.int64)
        self.state = self._states[GAME]
        self.memory = Memory(q)

    def deal(self, draws: Draws) -> None:
        """A new game, with generators of its own."""
        self._game_rng, self.rng = new_rng(draws.word()), new_rng(draws.word())
        self._states[GAME] = self._states[START]
        deal(self._level, self.state, self._game_rng, self._work)

    def look(self) -> int:
        """Describes and values the legal moves; returns how many there are."""
        training = self._training
        return value_legal_moves(
            self._level,
            self._states,
            self.rng,
            self._work,
            self._moves,
            self.memory,
            training.episodes,
            training.depth,
        )

    def play(self, place: int) -> int:
        """Plays the legal move at a place in the list; returns the reward, which is the score gained."""
        before = int(self.state.score)
        play(self._level, self.state, self._game_rng, self._work, int(self._moves[place]))
        return int(self.state.score) - before


def explore(rng: Rng, values: Array, count: int, epsilon: float) -> int:
    """The place of a move: with probability epsilon any, otherwise one of the highest value."""
    if below(rng, 1 << 30) < epsilon * (1 << 30):
        return int(below(rng, count))
    return int(any_of_the_best(rng, values, count))


def measure_scales(training: Training) -> Array:
    """The root mean square of each feature over the legal moves of games played at random; 1 for 0."""
    table = _Table(training, Q_FUNCTIONS["q-linear"].untrained(np.ones(FEATURES), training.draws()))
    squares, moves = np.zeros(FEATURES), 0
    for game in range(MEASURING_GAMES):
        table.deal(training.draws("measuring", game))
        while table.state.status == PLAYING:
            count = table.look()
            for features in table.memory.described.features[:count]:
                squares += features * features
            moves += count
            table.play(int(below(table.rng, count)))
    return np.sqrt(np.where(squares > 0, squares / moves, 1.0))


def learn_from_game(table: _Table, turn: int) -> tuple[int, float]:
    """Plays a game that was dealt and learns from each of its turns, the first being `turn` of the training.

    Returns how many turns there were, and the sum of their squared errors. Q is modified in place.
    """
    memory, state = table.memory, table.state
    squared_errors, first_turn = 0.0, turn
    count = table.look()
    while state.status == PLAYING:
        place = explore(table.rng, memory.values, count, EPSILON)
        features = memory.described.features[place].copy()
        target = float(table.play(place))
        if state.status == PLAYING:
            count = table.look()
            target += DISCOUNT * float(memory.values[:count].max())
        error = memory.q.learn(features, target, turn)
        squared_errors += error * error
        turn += 1
        if state.status == PLAYING:
            memory.q.write_values(memory.described, count, memory.values)
    return turn - first_turn, squared_errors


class Trainer:
    """A training under way: `advance` plays one more game, `record` is all that it needs to go on."""

    def __init__(self, training: Training) -> None:
        self.training = training
        self.scales = measure_scales(training)
        self.q: QFunction = Q_FUNCTIONS[training.kind].untrained(self.scales, training.draws("parameters"))
        # One row a game: its score, its turns, and the sum of their squared errors.
        self.games = np.zeros((training.games, 3))
        self.done = 0
        self._table = _Table(training, self.q)

    def advance(self) -> None:
        """Plays a game and learns from it; AgentError if weights grew beyond all numbers."""
        self._table.deal(self.training.draws("game", self.done))
        turn = int(self.games[: self.done, 1].sum())
        turns, squared_errors = learn_from_game(self._table, turn)
        self.games[self.done] = self._table.state.score, turns, squared_errors
        self.done += 1
        if not all(np.isfinite(array).all() for array in self.q.arrays.values()):
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
        """For each block of games: how many have been played, their mean score, the error's root mean square."""
        rows = []
        for start in range(0, self.done, BLOCK):
            block = self.games[start : min(start + BLOCK, self.done)].tolist()
            score, turns, squares = (sum(column) for column in zip(*block, strict=True))
            rows.append([start + len(block), round(score / len(block), 1), round(sqrt(squares / turns), 1)])
        return rows

    def weights(self) -> Weights:
        """What it has learned so far, with its model card."""
        card = {
            "trained on": self.training.level.name,
            **self.training.key,
            "games": self.done,
            "discount": DISCOUNT,
            "epsilon": EPSILON,
            "scales": [round(float(scale), 4) for scale in self.scales],
            "curve": {"columns": ["games", "mean score", "error"], "rows": self.curve()},
        }
        return Weights(self.training.kind, ENCODING, self.q.arrays, card)


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
