"""Levels that hold a curve of success rates: the saga's generator as a source, then the search for edits."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from levelsense.edits.edit import Wish
from levelsense.errors import SagaError
from levelsense.level.level import Level
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import check_target
from levelsense.playtest.result import PlaytestResult
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import SameBoards
from levelsense.prediction.search import Play, Predicted, Search
from levelsense.prediction.suggestions import REACHED
from levelsense.saga.draft import SECONDS_A_MOVE
from levelsense.saga.generate import LEAST_MOVES, MOST_MOVES, SagaLevel, saga_candidates

MOST_DRAFTS: Final = 4  # that are tried for a target, unless one reaches it before
# A draft is adjusted by its numbers: its drawing has a pattern of its own.
_WISH: Final = Wish(frozenset({"moves", "goals"}))
_LONGER: Final = 1.15  # limits of the saga's own may be exceeded by so much


@dataclass(frozen=True, eq=False)
class CurveLevel:
    """A generated level with the rate it is meant to have, and what `predict` says of it."""

    saga: SagaLevel
    prediction: LevelPrediction

    @property
    def level(self) -> Level:
        """The level itself."""
        return self.saga.level

    @property
    def target(self) -> float:
        """The success rate it is meant to have."""
        return self.saga.intended

    @property
    def miss(self) -> float:
        """How far the predicted rate is from the target."""
        return abs(self.prediction.rate - self.target)


def levels_for_curve(
    model: DifficultyModel,
    targets: Sequence[float],
    seed: int,
    first: int,
    play: Play,
    boards: Callable[[Level], SameBoards],
) -> Iterator[CurveLevel]:
    """A level of the saga with a seed for each target, in their order, from number `first` on."""
    for target in targets:
        check_target(target)
    for number, target in enumerate(targets, start=first):
        yield _level_for(model, target, seed, number, play, boards)


def _level_for(
    model: DifficultyModel,
    target: float,
    seed: int,
    number: int,
    play: Play,
    boards: Callable[[Level], SameBoards],
) -> CurveLevel:
    best: CurveLevel | None = None
    for tries, draft in enumerate(saga_candidates(seed, number, target), start=1):
        for candidate in _adjusted(model, draft, target, play, boards):
            if best is None or candidate.miss < best.miss:
                best = candidate
        if tries == MOST_DRAFTS or (best is not None and best.miss <= REACHED):
            break
    if best is None:
        raise SagaError(f"level {number} of the saga with seed {seed}: no draft can be won")
    return best


def _adjusted(
    model: DifficultyModel,
    draft: SagaLevel,
    target: float,
    play: Play,
    boards: Callable[[Level], SameBoards],
) -> Iterator[CurveLevel]:
    """The draft as it is and, unless that reaches the target, with other numbers."""
    named = NamedLevel(draft.level, (draft.file_name.removesuffix(".json"),))
    played = play([named])
    search = Search(model, named, target, play, _WISH, played, boards(draft.level))
    now = CurveLevel(_with_attempts(draft, draft.level, played), search.now)
    yield now
    if now.miss > REACHED:
        for predicted in search.run(1):
            if _is_usual(predicted):
                level = predicted.candidate.edit.level
                yield CurveLevel(_with_attempts(draft, level, predicted.played), predicted.prediction)


def _is_usual(predicted: Predicted) -> bool:
    """Whether a limit is about one that levels of the saga have."""
    level = predicted.candidate.edit.level
    moves = level.moves or (level.seconds or 0) / SECONDS_A_MOVE
    return LEAST_MOVES / _LONGER <= moves <= MOST_MOVES * _LONGER


def _with_attempts(draft: SagaLevel, level: Level, played: PlaytestResult) -> SagaLevel:
    """The draft with another level, and what the strongest agent did there."""
    best = max(played.pairs, key=lambda pair: pair.wins)
    return replace(draft, level=level, wins=best.wins, attempts=best.attempts)
