"""What the Lab does about changes of a level: suggests them, and compares versions."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from levelsense.edits import Difference, difference
from levelsense.edits.cells import parse_cells
from levelsense.edits.edit import Wish, parse_kinds
from levelsense.errors import LevelError, PredictionError, SagaError, StoppedError
from levelsense.lab.run import Run, Sinks
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, PlaytestResult
from levelsense.playtest.levels import gather_one
from levelsense.playtest.plan import MOST_ATTEMPTS, check_whole
from levelsense.prediction.compare import Comparison, compare_played
from levelsense.prediction.curve import CurveLevel, levels_for_curve
from levelsense.prediction.features import GROUPS
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Played, SameBoards
from levelsense.prediction.search import suggest_edits
from levelsense.prediction.suggestions import Suggestions
from levelsense.prediction.tuning import LimitRate, predict_limits
from levelsense.saga.generate import check_request

MOST_SUGGESTIONS: Final = 20
LOOK_SECONDS: Final = 0.1  # between two looks at a file
SETTLE_SECONDS: Final = 0.05  # a file that is being written changes again within that


def suggest(
    run: Run,
    model: DifficultyModel,
    named: NamedLevel,
    target: float,
    constraints: tuple[Sequence[str], str, int],
    sinks: Sinks,
) -> Suggestions:
    """The smallest changes of a level that reach a target; `constraints` are kinds, kept cells, most."""
    allow, keep, most = constraints
    check_whole("`most`", most, 1, MOST_SUGGESTIONS)
    wish = Wish(parse_kinds(allow), parse_cells(keep, named.level))
    agents = _agents_of(model)

    def play(levels: Sequence[NamedLevel]) -> PlaytestResult:
        return run.attempts(levels, agents, sinks, as_for_a_model=True)

    def boards(level: Level) -> SameBoards:
        return SameBoards(level, list(agents), run.seed, run.threads, run.stop)

    return suggest_edits(model, named, target, play, wish, most, boards, run.seed, run.threads)


def _agents_of(model: DifficultyModel) -> dict[str, int]:
    """How many attempts each agent of a model has; PredictionError if it has none."""
    if not model.origin_.attempts:
        raise PredictionError(
            "the model has no agents, so that no change can be tried; expected one with agents"
        )
    return dict(model.origin_.attempts)


def generate(
    run: Run, model: DifficultyModel, targets: Sequence[float], seed: int, first: int, sinks: Sinks
) -> list[CurveLevel]:
    """Levels of the saga with a seed that hold a curve of success rates, from number `first` on."""
    if not targets:
        raise SagaError("`targets`: none; expected a success rate for each level, such as 0.2, 0.4")
    check_request(seed, len(targets), first)
    agents = _agents_of(model)

    def play(levels: Sequence[NamedLevel]) -> PlaytestResult:
        quiet = replace(run, progress=None)  # levels are counted
        return quiet.attempts(levels, agents, sinks, as_for_a_model=True)

    def boards(level: Level) -> SameBoards:
        return SameBoards(level, list(agents), run.seed, run.threads, run.stop)

    levels_done, generated = run.levels_progress("generating", len(targets)), []
    for level in levels_for_curve(model, targets, seed, first, play, boards):
        generated.append(level)
        levels_done(len(generated))
    return generated


def compare(
    run: Run,
    model: DifficultyModel,
    old: NamedLevel,
    new: NamedLevel,
    attempts: int | None,
    sinks: Sinks,
) -> Comparison:
    """Two versions of a level on the same boards; what can be kept of the attempts is kept.

    The old one is played as `predict` plays it, unless `attempts` are given, and the new one as often.
    """
    agents = _agents_of(model)
    if attempts is not None:
        check_whole("`attempts`", attempts, max(GROUPS, *agents.values()), MOST_ATTEMPTS)
        agents = dict.fromkeys(agents, attempts)
    first = _by_agent(run.attempts([old], agents, sinks, as_for_a_model=attempts is None))
    agents = {agent: len(played) for agent, played in first.items()}
    if _seeds_of(old.level) == _seeds_of(new.level):
        second = _by_agent(run.attempts([new], agents, sinks))
    else:
        (second,) = SameBoards(old.level, list(agents), run.seed, run.threads, run.stop).play(
            [new.level], agents
        )
    names = (old.name, new.name)
    return compare_played(model, names, (old.level, new.level), (first, second))


def predicted_by_limit(
    run: Run,
    model: DifficultyModel,
    levels: Sequence[NamedLevel],
    expected: Mapping[str, LevelPrediction],
) -> dict[str, tuple[LimitRate, ...]]:
    """What is expected of levels with other limits, by their names; the attempts for that are not kept."""
    agents, levels_done = list(model.origin_.attempts), run.levels_progress("trying limits at", len(levels))
    rates = {}
    for done, named in enumerate(levels):
        run.go_on()
        levels_done(done)
        boards = SameBoards(named.level, agents, run.seed, run.threads, run.stop)
        rates[named.name] = predict_limits(model, named.level, expected[named.name], boards.play)
    return rates


def _seeds_of(level: Level) -> str:
    """The part of a level's digest that its attempts are seeded by."""
    return level.digest.partition("-")[2]


def _by_agent(played: PlaytestResult) -> Played:
    return {pair.agent: pair.played for pair in played.pairs}


@dataclass(frozen=True, eq=False)
class Saved:
    """A version of a level's file as it was saved.

    prediction  what is predicted of it; None if it is wrong
    problems    what is wrong with it, in sentences; nothing if it is right
    difference  what is different from the last version that was right; None for the first
    before      what was predicted of that
    seconds     how long after it was saved this was known
    """

    prediction: LevelPrediction | None
    problems: tuple[str, ...] = ()
    difference: Difference | None = None
    before: LevelPrediction | None = None
    seconds: float = 0.0


def watch(
    path: Path, predict: Callable[[NamedLevel], LevelPrediction], stop: threading.Event
) -> Iterator[Saved]:
    """A prediction of a level's file at once and after each change of it, until `stop` is set."""
    known: tuple[NamedLevel, LevelPrediction] | None = None
    for _ in _changes(path, stop):
        seen = time.monotonic()
        try:
            named = gather_one(path)
        except LevelError as error:
            yield Saved(None, error.sentences, seconds=time.monotonic() - seen)
            continue
        try:
            prediction = predict(named)
        except StoppedError:
            return
        before = None if known is None else known[1]
        changed = None if known is None else difference(known[0].level, named.level)
        known = named, prediction
        yield Saved(prediction, (), changed, before, time.monotonic() - seen)


def _changes(path: Path, stop: threading.Event) -> Iterator[bytes | None]:
    """The content of a file, None if it cannot be read: now, and whenever it is another one."""
    # The stamp is taken before the content is read: what is saved after that is seen by the next look.
    looked = _stamp(path)
    content = _settled(path)
    yield content
    while not stop.wait(LOOK_SECONDS):
        stamp = _stamp(path)
        if stamp == looked:
            continue
        looked = stamp
        latest = _settled(path)
        if latest != content:
            content = latest
            yield content


def _settled(path: Path) -> bytes | None:
    """The content once it does not change from one moment to the next: editors write a file in steps."""
    content = _content(path)
    while True:
        time.sleep(SETTLE_SECONDS)
        again = _content(path)
        if again == content:
            return content
        content = again


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
