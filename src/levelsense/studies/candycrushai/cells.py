"""What the study of CandyCrush.ai plays: its agents in our game, in the authors', and in training."""

import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.qlearning.features import ENCODING, FEATURES, UTILITY
from levelsense.agents.qlearning.games import Training, paper_board
from levelsense.agents.qlearning.training import Trainer
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import Weights, write_weights
from levelsense.rng import Draws
from levelsense.studies.candycrushai.original_game import AGENTS, TURNS, play_games
from levelsense.studies.run import StudyRun

UTILITY_ALONE: Final = "utility alone"
# Agents in our game, with attempts of a full and of a quick run. The paper has 1,000 for the baseline and for
# greedy, 100 for each of the others; the two whose equality it claims have more here.
OURS: Final = {
    "first": (1000, 200),
    "random": (1000, 200),
    "greedy": (1000, 200),
    "sampling:per=turn": (100, 20),
    "sampling:epsilon=1": (30, 2),
    "q-linear": (400, 20),
    "q-network": (400, 20),
    UTILITY_ALONE: (100, 20),
}
# The same in the authors' game.
THEIRS: Final = dict(
    zip(AGENTS, ((1000, 200), (1000, 200), (1000, 200), (1000, 200), (400, 50), (100, 5)), strict=True)
)
AT_ONCE: Final = 10  # attempts a file, of agents that take time; others have 500
FAST: Final = ("first", "random", "greedy", "greedy by row", "sampling")
AT_ONCE_FAST: Final = 500


@dataclass(frozen=True)
class Course:
    """A training, after how many games it is tried, and with how many attempts."""

    kind: str
    seed: int
    games: tuple[int, ...]
    attempts: int

    @property
    def key(self) -> str:
        """The name of its file."""
        return f"{self.kind}-seed-{self.seed}"


COURSES: Final = {
    False: (
        *(Course(kind, 0, (0, 1, 5, 20, 100, 400), 40) for kind in ("q-linear", "q-network")),
        *(Course("q-network", seed, (0, 20, 60), 30) for seed in (1, 2, 3)),
    ),
    True: tuple(Course(kind, 0, (0, 5, 20), 10) for kind in ("q-linear", "q-network")),
}


@dataclass(frozen=True)
class Sample:
    """The scores of an agent, and the seconds of a processor that a turn took it."""

    scores: NDArray[np.float64]
    turn_seconds: float

    @cached_property
    def mean(self) -> float:
        """The mean score."""
        return float(self.scores.mean())

    @cached_property
    def variance(self) -> float:
        """The variance of scores, of the sample."""
        return float(self.scores.var(ddof=1))


@dataclass(frozen=True)
class Results:
    """All that was played: our game and the authors' by agent, and trainings by games of training."""

    ours: dict[str, Sample]
    theirs: dict[str, Sample]
    courses: list[tuple[Course, list[Sample]]]


def _seeds(numbers: range, seed: int, *purpose: str | int) -> NDArray[np.uint64]:
    """Pairs of seeds: the game's, the same for every agent, and the agent's."""
    rows = []
    for number in numbers:
        draws = Draws("candycrushai", seed, number), Draws("candycrushai", seed, *purpose, number)
        rows.append([stream.word() for stream in draws])
    return np.array(rows, np.uint64)


def play_ours(spec: str, numbers: range, seed: int, name: str) -> dict[str, Any]:
    """Attempts in our game of the agent that `spec` is, known as `name`."""
    start = time.thread_time()
    rows = parse_agent(spec).attempts(paper_board(), _seeds(numbers, seed, "ours", name))
    seconds = time.thread_time() - start
    return {"scores": rows["score"].tolist(), "turns": int(rows["moves_made"].sum()), "seconds": seconds}


def play_theirs(agent: str, numbers: range, seed: int) -> dict[str, Any]:
    """Attempts in the authors' game."""
    start = time.thread_time()
    scores = play_games(agent, _seeds(numbers, seed, "theirs", agent))
    return {"scores": scores, "turns": TURNS * len(scores), "seconds": time.thread_time() - start}


def write_utility_alone(folder: Path) -> Path:
    """The file of an agent that plays the move of the largest feature 5, and has learned nothing."""
    alone = np.zeros(FEATURES, np.float32)
    alone[UTILITY] = 1
    path = folder / "utility-alone.json"
    write_weights(path, Weights("q-linear", ENCODING, {"weights": alone}))
    return path


def train(course: Course, folder: Path, seed: int) -> dict[str, Any]:
    """Trains, and plays by what was learned after some numbers of games."""
    trainer = Trainer(Training(course.kind, paper_board(), course.games[-1], course.seed + seed - 1))
    tried = []
    for games in course.games:
        while trainer.done < games:
            trainer.advance()
        path = folder / f"{course.key}-{games}.json"
        write_weights(path, trainer.weights())
        spec = f"{course.kind}:model={path}"
        tried.append(play_ours(spec, range(1, course.attempts + 1), seed, f"{course.key}-{games}"))
        path.unlink()
    return {"tried": tried}


def _collect(run: StudyRun, part: str, agents: dict[str, tuple[int, int]], play: Any) -> dict[str, Sample]:
    """The samples of some agents, played in batches where they are not kept yet."""
    batches = []
    for agent, counts in agents.items():
        attempts = counts[run.quick]
        step = AT_ONCE_FAST if agent in FAST else AT_ONCE
        batches += [
            (agent, range(first, min(first + step, attempts + 1))) for first in range(1, attempts + 1, step)
        ]
    keys = [f"{agent.replace(':', '-').replace(' ', '-')}-{numbers.start:04}" for agent, numbers in batches]
    kept = run.collect(part, keys, lambda number: play(*batches[number]))
    samples = {}
    for agent in agents:
        samples[agent] = _sample([row for row, batch in zip(kept, batches, strict=True) if batch[0] == agent])
    return samples


def _sample(rows: list[dict[str, Any]]) -> Sample:
    seconds, turns = (sum(row[name] for row in rows) for name in ("seconds", "turns"))
    return Sample(np.concatenate([row["scores"] for row in rows]).astype(float), seconds / turns)


def play_all(run: StudyRun) -> Results:
    """Everything, played and trained where it is not kept yet."""
    run.claim("candycrushai")
    specs = {name: name for name in OURS} | {
        UTILITY_ALONE: f"q-linear:model={write_utility_alone(run.folder)}"
    }
    level = paper_board().model_copy(update={"moves": 1})
    for spec in specs.values():  # what is compiled is compiled before time is taken
        parse_agent(spec).attempts(level, _seeds(range(1), run.seed))
    play_games("first", _seeds(range(1), run.seed))
    theirs = _collect(
        run, "the authors' game", THEIRS, lambda agent, numbers: play_theirs(agent, numbers, run.seed)
    )
    ours = _collect(
        run, "our game", OURS, lambda name, numbers: play_ours(specs[name], numbers, run.seed, name)
    )
    courses = COURSES[run.quick]
    kept = run.collect(
        "training",
        [course.key for course in courses],
        lambda number: train(courses[number], run.folder, run.seed),
    )
    tried = [[_sample([row]) for row in training["tried"]] for training in kept]
    return Results(ours, theirs, list(zip(courses, tried, strict=True)))
