"""The saga itself: level by level, each by its seed and number alone."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from levelsense.advice import advise
from levelsense.arithmetic import log
from levelsense.draws import Draws
from levelsense.errors import LevelError, SagaError
from levelsense.game.level import Level
from levelsense.playtest.plan import check_seed
from levelsense.playtest.runner import default_threads
from levelsense.saga.calibrate import LEAST_WINS, Calibrated, calibrate
from levelsense.saga.compose import draft
from levelsense.saga.draft import Draft
from levelsense.saga.schedule import elements_in, intention, introduced_at

MOST_LEVELS: Final = 9999
_DRAFTS: Final = 12
_GOOD: Final = log(1.15)  # the miss of a limit that is taken at once


@dataclass(frozen=True)
class SagaLevel:
    """A level of the saga.

    intended  the success rate it is meant to have
    shape     the family of its shape
    wins      how many of its attempts the heuristic agent won
    drafts    how many drafts were drawn
    """

    number: int
    level: Level
    intended: float
    shape: str
    wins: int
    attempts: int
    drafts: int

    @property
    def elements(self) -> tuple[str, ...]:
        """The elements of the schedule that it has."""
        return elements_in(self.level)

    @property
    def file_name(self) -> str:
        """The name of its file."""
        return file_name(self.number)


def file_name(number: int) -> str:
    """The name of a level's file: names sort as numbers do."""
    return f"saga-{number:04}.json"


def saga_level(seed: int, number: int) -> SagaLevel:
    """Level `number` of the saga with a seed; it depends on these two only."""
    intended = intention(seed, number)
    best: tuple[Calibrated, Draft] | None = None
    for again in range(_DRAFTS):
        found = _tried(seed, number, again, intended)
        if found is None:
            continue
        if best is None or found[0].miss < best[0].miss:
            best = found
        if best[0].miss <= _GOOD:
            break
    if best is None:
        raise SagaError(f"level {number} of the saga with seed {seed}: no draft of {_DRAFTS} can be won")
    done, drawn = best
    return SagaLevel(number, done.level, intended, drawn.shape.family, done.wins, done.attempts, again + 1)


def _tried(seed: int, number: int, again: int, intended: float) -> tuple[Calibrated, Draft] | None:
    """A draft, calibrated; None if it is no good level."""
    drawn = draft(seed, number, again)
    try:
        if not is_sound(drawn.level()):
            return None
        done = calibrate(drawn, intended, Draws("calibration", seed, number, again))
    except LevelError:
        return None
    new = introduced_at(number)
    if done.wins < LEAST_WINS or not is_sound(done.level) or (new and not new.seen(done.level)):
        return None
    return done, drawn


def is_sound(level: Level) -> bool:
    """Whether there is nothing to warn of."""
    return all(advice.severity == "note" for advice in advise(level))


def generate(
    seed: int,
    count: int,
    first: int = 1,
    threads: int | None = None,
    progress: Callable[[SagaLevel], None] = lambda level: None,
) -> Iterator[SagaLevel]:
    """Levels first, first + 1, ... of the saga with a seed; SagaError if they cannot be had."""
    check_request(seed, count, first)
    pool = ThreadPoolExecutor(threads or default_threads())
    try:
        for level in pool.map(lambda number: saga_level(seed, number), range(first, first + count)):
            progress(level)
            yield level
    finally:
        pool.shutdown(cancel_futures=True)


def check_request(seed: int, count: int, first: int) -> None:
    """SagaError unless such levels can be asked for."""
    check_seed(seed, error=SagaError)
    if count < 1:
        raise SagaError(f"count: {count}; expected at least 1")
    if first < 1:
        raise SagaError(f"first: {first}; expected at least 1, the first level of the saga")
    if first + count - 1 > MOST_LEVELS:
        raise SagaError(f"levels {first} to {first + count - 1}; expected none above {MOST_LEVELS}")
