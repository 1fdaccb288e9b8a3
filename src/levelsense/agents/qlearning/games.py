"""The games that Q learns from: dealt, played epsilon-greedily, and each turn a lesson (Lee et al., 4.6)."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, START
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
from levelsense.errors import AgentError
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import MOST_MOVES
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, RULES_VERSION, Array, new_state, new_work
from levelsense.level.level import Level
from levelsense.rng import Draws, Rng, below, new_rng, uniform

PAPER_BOARD: Final = "paper-board"
MOST_GAMES: Final = 1_000_000
MOST_SEED: Final = (1 << 63) - 1
EPSILON: Final = 0.5
MEASURING_GAMES: Final = 10  # played at random before training, for the scales of features


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
    """The level that a text names: paper-board, a file, or a bundled level; LevelError if there is none."""
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
        """AgentError for a number of games or a seed that makes no sense."""
        if not 1 <= self.games <= MOST_GAMES:
            raise AgentError(f"`games`: {self.games:,}; expected 1 to {MOST_GAMES:,}")
        if not 0 <= self.seed <= MOST_SEED:
            raise AgentError(f"`seed`: {self.seed:,}; expected a whole number from 0 to {MOST_SEED:,}")

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


class Table:
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
    if uniform(rng) < epsilon:
        return int(below(rng, count))
    return int(any_of_the_best(rng, values, count))


def measure_scales(training: Training) -> Array:
    """The root mean square of each feature over the legal moves of games played at random; 1 for 0."""
    table = Table(training, Q_FUNCTIONS["q-linear"].untrained(np.ones(FEATURES), training.draws()))
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


def learn_from_game(table: Table, turn: int) -> tuple[int, float]:
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
