"""Training: a turn by hand, the same weights for the same seed and after a kill, and better play."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levelsense import defaults
from levelsense.agents.qlearning import training as module
from levelsense.agents.qlearning.features import ENCODING, FEATURES, UTILITY
from levelsense.agents.qlearning.games import (
    Table,
    Training,
    explore,
    learn_from_game,
    measure_scales,
    paper_board,
    training_level,
)
from levelsense.agents.qlearning.training import (
    BLOCK,
    Trainer,
    TrainingProgress,
    checkpoint_of,
    train,
    train_to_file,
)
from levelsense.agents.qlearning.values import LinearQ
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import Weights, read_weights
from levelsense.errors import AgentError, LevelError, OutputError, StoppedError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.rng import new_rng
from tests.agents.playing import seeds

KINDS = ("q-linear", "q-network")


def small_level(moves: int = 6) -> Level:
    return Level.model_validate(
        {
            "name": "small",
            "moves": moves,
            "colors": 4,
            "board": ["." + " ." * 5] * 6,
            "goals": {"score": 1_000_000_000},
            "rules": "plain",
        }
    )


# One legal move, c1c2, and one turn: every game is the same.
ONE_MOVE = Level.model_validate(
    {
        "name": "one move",
        "moves": 1,
        "colors": 6,
        "board": ["r r o y", "g y r p", "p o g b"],
        "goals": {"score": 1_000_000_000},
        "drops": [{"piece": "swirl", "rate": 1}],
        "rules": "plain",
    }
)


def small(kind: str, games: int = 7, **changes: Any) -> Training:
    """A training that takes a moment."""
    return replace(Training(kind, small_level(), games, seed=3, episodes=3, depth=2), **changes)


def same(some: Weights, others: Weights) -> bool:
    """Whether two trainings came to the same, to the last bit."""
    return some.digest == others.digest and some.card == others.card


# What is played and learned


def test_the_papers_game() -> None:
    level = paper_board()
    assert (level.rows, level.columns, len(level.color_table), level.moves) == (9, 9, 5, 50)
    assert (level.rules, level.scoring_scheme) == ("plain", "quadratic")
    assert training_level("paper-board") == level
    assert training_level("01-first-steps") == Level.load("01-first-steps")
    with pytest.raises(LevelError, match="no such level file"):
        training_level("no-board")


def test_scales_are_the_sizes_of_features() -> None:
    """The only move is in rows 1 and 2, within a column, gains 60 and takes three candies."""
    scales = measure_scales(Training("q-linear", ONE_MOVE, 1, episodes=1, depth=1))
    rows, columns = [2, 1, 1], [1, 1, 1, 1]
    # Lines that are not there have the feature 0, which no scale would change.
    assert scales.tolist() == [1, 2, 1, 1, 60, 3, *rows, *[1] * 6, *columns, *[1] * 5]


def test_a_turn_of_training_by_hand() -> None:
    """The last turn's target is its 60 points. Q was 0, and each weight is 1 % of 60 / its feature."""
    trainer = Trainer(Training("q-linear", ONE_MOVE, 2, episodes=1, depth=1))
    trainer.advance()
    expected = np.zeros(FEATURES)
    expected[:9] = 0.6 / np.array([1, 2, 1, 1, 60, 3, 2, 1, 1])
    expected[15:19] = 0.6
    assert trainer.q.learned["weights"] == pytest.approx(expected)
    assert trainer.games[0].tolist() == [60, 1, 60 * 60]
    trainer.advance()
    # All 13 features that are not 0 have their usual size: Q is 13 * 0.6 now.
    assert trainer.games[1].tolist() == pytest.approx([60, 1, (60 - 7.8) * (60 - 7.8)])


class NotedQ(LinearQ):
    """Values are simulated utilities, all above 0. All calls are noted, and nothing is learned."""

    def __init__(self) -> None:
        super().__init__({"weights": np.eye(FEATURES)[UTILITY]})
        self.looks: list[Any] = []
        self.best: list[float] = []
        self.lessons: list[tuple[Any, float, int]] = []

    def write_values(self, described: Any, count: int, values: Any) -> None:
        super().write_values(described, count, values)
        self.looks.append(described.features[:count].tolist())
        self.best.append(float(values[:count].max()))

    def learn(self, features: Any, target: float, turn: int) -> float:
        self.lessons.append((features.tolist(), target, turn))
        return 0.0


@pytest.mark.parametrize("game", range(8))
def test_a_later_position_counts_half(game: int) -> None:
    """The target of a turn is its reward, and half of the best value of the position that it led to."""
    q, training = NotedQ(), small("q-linear", level=small_level(moves=2))
    table = Table(training, q)
    table.deal(training.draws(game))
    assert learn_from_game(table, turn=7) == (2, 0.0)
    # Values are written at the first position, at the second, and there again when Q has learned.
    assert len(q.looks) == 3
    assert q.best[1] == q.best[2] > 0
    (first, first_target, first_turn), (second, second_target, second_turn) = q.lessons
    assert first_target - 0.5 * q.best[1] + second_target == table.state.score
    assert second_target > 0
    assert first in q.looks[0]
    assert first not in q.looks[1]
    assert second in q.looks[2]
    assert (first_turn, second_turn) == (7, 8)


def test_turns_are_counted_through_all_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step size goes by them."""
    trainer, turns = Trainer(small("q-linear", level=small_level(moves=2))), list[int]()

    def note_turn(features: Any, target: float, turn: int) -> float:
        turns.append(turn)
        return 0.0

    monkeypatch.setattr(trainer.q, "learn", note_turn)
    trainer.advance()
    trainer.advance()
    assert turns == [0, 1, 2, 3]


def test_half_of_the_moves_are_explored() -> None:
    rng, values = new_rng(1), np.array([1.0, 5.0, 2.0, 0.0])
    places = [explore(rng, values, 4, 0.5) for _ in range(4_000)]
    assert places.count(1) / 4_000 == pytest.approx(0.5 + 0.5 / 4, abs=0.03)
    assert {explore(rng, values, 4, 0.0) for _ in range(50)} == {1}
    assert {explore(rng, values, 4, 1.0) for _ in range(80)} == {0, 1, 2, 3}


@pytest.mark.parametrize(("kind", "games"), [("q-linear", 60), ("q-network", 300)])
def test_training_improves_play(kind: str, games: int, tmp_path: Path) -> None:
    """Against random play, which untrained linear values are, on the same deals."""
    path = tmp_path / "weights.json"
    train_to_file(small(kind, games=games), path)
    agent = parse_agent(f"{kind}:model={path},episodes=3,depth=2")
    trained = agent.attempts(small_level(), seeds(150))["score"]
    at_random = parse_agent("random").attempts(small_level(), seeds(150))["score"]
    gains = trained - at_random
    assert gains.mean() > 4 * gains.std() / 150**0.5


# The same weights


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_weights(kind: str) -> None:
    assert same(train(small(kind)), train(small(kind)))
    assert train(small(kind)).digest != train(small(kind, seed=4)).digest


@pytest.mark.parametrize("kind", KINDS)
def test_a_longer_training_begins_like_a_shorter_one(kind: str) -> None:
    trainer = Trainer(small(kind, games=9))
    for _ in range(7):
        trainer.advance()
    assert same(trainer.weights(), train(small(kind, games=7)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_that_was_stopped_goes_on_to_the_same_weights(kind: str, tmp_path: Path) -> None:
    stop, path = threading.Event(), tmp_path / "checkpoint"

    def stop_after_three(progress: TrainingProgress) -> None:
        if progress.games == 3:
            stop.set()

    with pytest.raises(StoppedError):
        train(small(kind), path, progress=stop_after_three, stop=stop)
    calls: list[TrainingProgress] = []
    assert same(train(small(kind), path, progress=calls.append), train(small(kind)))
    assert [progress.games for progress in calls] == [4, 5, 6, 7]


@pytest.mark.parametrize("kind", KINDS)
def test_a_training_that_was_killed_goes_on_from_the_last_checkpoint(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKPOINT_EVERY", 2)

    def kill_at_five(progress: TrainingProgress) -> None:
        if progress.games == 5:
            raise SystemExit

    path = tmp_path / "checkpoint"
    with pytest.raises(SystemExit):
        train(small(kind), path, progress=kill_at_five)
    calls: list[TrainingProgress] = []
    assert same(train(small(kind), path, progress=calls.append), train(small(kind)))
    assert [progress.games for progress in calls] == [5, 6, 7]


# Files


def test_weights_are_written_with_their_card(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    weights = train_to_file(small("q-linear", games=BLOCK + 3), path)
    assert list(tmp_path.iterdir()) == [path]
    back = read_weights(str(path), "q-linear", 1)
    assert same(back, weights)
    card = back.card
    assert (card["trained on"], card["games"], card["seed"]) == ("small", BLOCK + 3, 3)
    assert (card["level"], card["rules"]) == (small_level().digest, RULES_VERSION)
    assert (card["discount"], card["epsilon"]) == (0.5, 0.5)
    assert len(card["scales"]) == FEATURES
    assert [row[0] for row in card["curve"]["rows"]] == [BLOCK, BLOCK + 3]
    assert all(score > 0 and error > 0 for _, score, error in card["curve"]["rows"])


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    stop = threading.Event()
    stop.set()
    with pytest.raises(StoppedError):
        train_to_file(small("q-linear"), path, stop=stop)
    assert list(tmp_path.iterdir()) == [checkpoint_of(path)]
    for other, reason in (
        (small("q-network"), "of a training with kind q-linear; expected kind q-network, or remove it"),
        (small("q-linear", seed=8), "of a training with seed 3; expected seed 8"),
        (small("q-linear", level=ONE_MOVE), "of a training with level "),
    ):
        with pytest.raises(AgentError, match=rf"weights\.json\.checkpoint: {reason}"):
            train_to_file(other, path)
    assert same(train_to_file(small("q-linear"), path), train(small("q-linear")))


def test_a_checkpoint_with_more_games_is_refused(tmp_path: Path) -> None:
    stop, path = threading.Event(), tmp_path / "checkpoint"
    with pytest.raises(StoppedError):
        train(small("q-linear"), path, progress=lambda now: stop.set() if now.games == 3 else None, stop=stop)
    with pytest.raises(AgentError, match="a training of 3 games already; expected at most 2"):
        train(small("q-linear", games=2), path)
    assert same(train(small("q-linear", games=3), path), train(small("q-linear", games=3)))


@pytest.mark.parametrize("content", [b"", b"something", b"PK\x03\x04", b"\x93NUMPY"])
def test_a_damaged_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "checkpoint"
    path.write_bytes(content)
    with pytest.raises(AgentError, match="checkpoint: not a checkpoint of a training; remove it"):
        train(small("q-linear"), path)


def test_what_cannot_be_written_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no folder"):
        train_to_file(small("q-linear", games=1_000_000), tmp_path / "no" / "weights.json")


@pytest.mark.parametrize("games", [0, -3, 1_000_001])
def test_a_number_of_games_that_makes_no_sense_is_refused(games: int) -> None:
    with pytest.raises(AgentError, match=rf"`games`: {games:,}; expected 1 to 1,000,000"):
        small("q-linear", games=games)


def test_a_seed_that_makes_no_sense_is_refused() -> None:
    for seed in (-1, 2**63):
        with pytest.raises(AgentError, match=rf"`seed`: {seed:,}; expected a whole number from 0 to 9,223"):
            small("q-linear", seed=seed)


def test_the_shipped_weights_are_those_of_the_documented_command() -> None:
    """Of today's rules and features on the paper's board: a change of these asks for training anew."""
    for kind in KINDS:
        card = read_weights(f"{kind}-1", kind, ENCODING).card
        training = Training(kind, paper_board(), 400)
        assert {name: card[name] for name in training.key} == training.key
        assert card["games"] == training.games == defaults.TRAINING_GAMES


def test_weights_beyond_all_numbers_are_not_written() -> None:
    trainer = Trainer(small("q-linear"))
    trainer.q.learned["weights"][:] = np.inf
    with pytest.raises(AgentError, match="q-linear: weights beyond all numbers after 1 games on 'small'"):
        trainer.advance()
