"""The search for edits that reach a target: raced on the level's own boards, combined, and predicted.

All edits have few attempts, the promising ones, alone and combined, more, and the best as many as `predict`
gives them. The limit, where it may be changed, makes up for what an edit leaves to the target. Of those that
reach it, `suggest_edits` gives the smallest.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import hypot, pi, sqrt
from typing import Final

import numpy as np
from scipy.special import expit

from levelsense.edits.dials import Dial, dials, next_value, slope_of
from levelsense.edits.edit import Edit, Wish, is_sound, merged
from levelsense.edits.offers import offers
from levelsense.level.level import Level
from levelsense.playtest.interval import NORMAL_95
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.limits import limit_of
from levelsense.playtest.plan import check_target
from levelsense.playtest.result import PlaytestResult
from levelsense.playtest.statistics import heat_maps
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Race, SameBoards
from levelsense.prediction.suggestions import REACHED, Feel, Suggestion, Suggestions, feel_of, figures_of
from levelsense.prediction.table import difficulty_table
from levelsense.prediction.tuning import log_odds

FIRST, SECOND, THIRD = 80, 200, 400  # attempts of each agent in the rounds of the race
MOST_SECOND: Final = 12  # edits that are played more often
LEAST_PREDICTED: Final = 4  # so that there is a choice
MOST_PREDICTED: Final = 12  # edits that are predicted as `predict` does
AT_ONCE: Final = 3  # of these
PROBE: Final = 1.25  # by this factor a dial is turned to see what it does
MOST_MISS: Final = 0.08  # an edit is predicted if the race has it no farther from the target
LEAST_HELP: Final = 0.15  # logits: an edit that helps by less is not combined with others
MOST_PAIRED: Final = 8  # edits that are combined with each other
MOST_OVER: Final = 0.7  # logits: two edits that overshoot the target by more are not combined
OFF_COST: Final = 50.0  # what being off the target costs, in sizes of edits: 1 for each two points
LEAST_SLOPE: Final = 0.2  # logits for a limit e times as long; less is no way to a target


Core = frozenset[tuple[str, int | None]]  # cells by the kind of their change, and changes without cells
Play = Callable[[Sequence[NamedLevel]], PlaytestResult]


@dataclass(frozen=True, eq=False)
class Candidate:
    """An edit and the race's estimate of its logit."""

    edit: Edit
    logit: float

    @cached_property
    def core(self) -> Core:
        """What it changes beside the limit: of those that differ in the limit only, one is suggested."""
        changes = [change for change in self.edit.difference.changes if change.kind != "moves"]
        cells = {(change.kind, cell) for change in changes for cell in change.cells}
        return frozenset(cells | {(change.words, None) for change in changes if not change.cells})

    def adds_to(self, cores: Iterable[Core]) -> bool:
        """Whether it changes more than one of these does, which would do without the rest."""
        return any(core and core < self.core for core in cores)


@dataclass(frozen=True, eq=False)
class Predicted:
    """A candidate that was predicted as `predict` does."""

    candidate: Candidate
    prediction: LevelPrediction
    played: PlaytestResult
    target: float

    @property
    def miss(self) -> float:
        """How far the predicted rate is from the target."""
        return abs(self.prediction.rate - self.target)

    @property
    def cost(self) -> float:
        """The size of the edit, and a size more for each two points that it is expected to be off."""
        low, high = self.prediction.band_95
        error = (high - low) / (2 * NORMAL_95)
        return self.candidate.edit.size + OFF_COST * sqrt(2 / pi) * hypot(self.miss, error)

    def suggestion(self, feel: Callable[[PlaytestResult], Feel]) -> Suggestion:
        """The same as a suggestion, with how the level feels."""
        return Suggestion(self.candidate.edit, self.prediction, feel(self.played))


class Search:
    """The edits that were raced, combined and predicted so far."""

    def __init__(
        self,
        model: DifficultyModel,
        named: NamedLevel,
        target: float,
        play: Play,
        wish: Wish,
        played: PlaytestResult,
        boards: SameBoards,
    ) -> None:
        self._model, self._named, self._target, self._play = model, named, target, play
        self.now = _prediction(model, played, target)
        by_agent = {pair.agent: pair.played for pair in played.pairs}
        self._race = Race(model, named.level, by_agent, boards)
        self._wanted = log_odds(target)
        self._wish = replace(wish, easier=self.now.rate < target, heat=_heat(played))
        self._limit = next((dial for dial in dials(named.level, self._wish) if dial.kind == "moves"), None)
        self._slope = 0.0  # of the logit over the logarithm of the limit
        self._by_limit: dict[Core, dict[float, float]] = {
            frozenset(): {limit_of(named.level)[0]: self._race.logit}
        }
        self._levels: set[str] = set()

    @property
    def tried(self) -> int:
        """How many different edits were played."""
        return len(self._levels)

    def run(self, most: int) -> list[Predicted]:
        """Races edits, and predicts those of them that seem to reach the target with the least change."""
        turned = [
            candidate for dial in dials(self._named.level, self._wish) for candidate in self._turn(dial)
        ]
        singles = self._estimated(offers(self._named.level, self._wish), FIRST)
        shortlist = self._shortlist([*turned, *singles, *self._combined(singles, turned)], MOST_SECOND)
        again = self._estimated([candidate.edit for candidate in shortlist], THIRD)
        completed = [*again, *self._estimated(self._completed(again), THIRD)]
        return self._predict(completed, most)

    def _estimated(self, edits: Iterable[Edit | None], attempts: int) -> list[Candidate]:
        chosen = [edit for edit in edits if edit is not None]
        if not chosen:
            return []
        self._levels |= {edit.level.digest for edit in chosen}
        logits = self._race.logits([edit.level for edit in chosen], attempts)
        return [Candidate(edit, logit) for edit, logit in zip(chosen, logits.tolist(), strict=True)]

    def _turn(self, dial: Dial) -> list[Candidate]:
        """The dial's values around the one that reaches the target, found along a line in log odds."""
        level = self._named.level
        upward = dial.eases == self._wish.easier
        known = {dial.present: self._race.logit}
        value = dial.value(dial.present * (PROBE if upward else 1 / PROBE))
        tries: list[Candidate] = []
        for attempts in (FIRST, SECOND, THIRD):
            edit = dial.edit(level, value) if value not in known else None
            if edit is None:
                break
            tries += self._estimated([edit], attempts)
            known[value] = tries[-1].logit
            slope = slope_of(known)
            if dial.kind == "moves":
                self._slope = slope
            if abs(slope) < LEAST_SLOPE:
                break
            value = dial.value(next_value(known, self._wanted, slope))
        last = dial.edit(level, value) if value not in known else None
        return tries if last is None else [*tries, Candidate(last, self._wanted)]

    def _combined(self, singles: Sequence[Candidate], turned: Sequence[Candidate]) -> list[Candidate]:
        """Edits that help, two at a time or with another limit; their logits are added up, not played."""
        gap = self._wanted - self._race.logit
        helping = [
            candidate
            for candidate in (*singles, *(one for one in turned if "moves" not in one.edit.kinds))
            if self._help(candidate) >= LEAST_HELP
        ]
        helping.sort(key=lambda candidate: candidate.edit.size / self._help(candidate))
        pairs = [
            Candidate(both, one.logit + other.logit - self._race.logit)
            for one, other in combinations(helping[:MOST_PAIRED], 2)
            if self._help(one) + self._help(other) < abs(gap) + MOST_OVER
            if (both := merged(one.edit, other.edit)) is not None
        ]
        with_limit = [
            Candidate(edit, self._wanted)
            for candidate in (*helping, *self._shortlist(pairs, MOST_PAIRED))
            if (edit := self._with_limit(candidate)) is not None
        ]
        return [*pairs, *with_limit]

    def _help(self, candidate: Candidate) -> float:
        """How far an edit moves the logit towards the target."""
        change = candidate.logit - self._race.logit
        return change if self._wish.easier else -change

    def _with_limit(self, candidate: Candidate) -> Edit | None:
        """The edit with the limit that makes up for what it leaves to the target."""
        dial = self._limit
        if dial is None or self._slope < LEAST_SLOPE:
            return None
        level = candidate.edit.level
        present = limit_of(level)[0]
        known = {**self._by_limit.get(candidate.core, {}), present: candidate.logit}
        value = dial.value(next_value(known, self._wanted, self._slope))
        return None if value in known else dial.edit(level, value, self._named.level)

    def _completed(self, candidates: Sequence[Candidate]) -> list[Edit | None]:
        """The limits that make up for what the race, after more attempts, finds missing."""
        return [self._with_limit(one) for one in candidates if self._miss(one) > REACHED / 2]

    def _miss(self, candidate: Candidate) -> float:
        return abs(float(expit(candidate.logit)) - self._target)

    def _shortlist(self, pool: Sequence[Candidate], number: int) -> list[Candidate]:
        """The candidates that are nearest to the target for their size, and sound."""
        by_digest = {candidate.edit.level.digest: candidate for candidate in pool}
        ordered = sorted(by_digest.values(), key=self._cost)
        sound: list[Candidate] = []
        reaching: list[Core] = []
        for candidate in ordered:
            if len(sound) == number:
                break
            if candidate.adds_to(reaching) or not is_sound(candidate.edit):
                continue
            sound.append(candidate)
            if self._miss(candidate) <= REACHED:
                reaching.append(candidate.core)
        return sound

    def _cost(self, candidate: Candidate) -> float:
        """The size of an edit, and a size more for each two points that it is off the target."""
        return candidate.edit.size + OFF_COST * self._miss(candidate)

    def _predict(self, pool: Sequence[Candidate], most: int) -> list[Predicted]:
        """Predicts candidates that seem to reach the target, the smallest first, until enough of them do."""
        waiting = self._shortlist(pool, len(pool))
        waiting = [one for one in waiting if self._miss(one) <= MOST_MISS] or waiting[:AT_ONCE]
        predictions: list[Predicted] = []
        done: set[str] = set()
        while waiting and len(predictions) < MOST_PREDICTED:
            batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
            batch = [one for one in batch if one.edit.level.digest not in done]
            done |= {one.edit.level.digest for one in batch}
            predicted = [self._predicted(one) for one in batch]
            predictions += predicted
            reached = {one.candidate.core for one in predictions if one.miss <= REACHED}
            if len(reached) >= most and len(predictions) >= LEAST_PREDICTED:
                break
            missed = [one for one in predicted if one.miss > REACHED and one.candidate.core not in reached]
            waiting = [
                one
                for one in (*self._corrected(missed), *waiting)
                if one.core not in reached and not one.adds_to(reached)
            ]
        return predictions

    def _corrected(self, missed: Sequence[Predicted]) -> list[Candidate]:
        """Predicted edits that miss the target, with the limit that makes up for it."""
        corrected = []
        for one in missed:
            edit = self._with_limit(Candidate(one.candidate.edit, log_odds(one.prediction.rate)))
            if edit is not None and is_sound(edit):
                corrected.append(Candidate(edit, self._wanted))
        return corrected

    def _predicted(self, candidate: Candidate) -> Predicted:
        names = tuple(f"{name} with {candidate.edit.words}" for name in self._named.names)
        played = self._play([NamedLevel(candidate.edit.level, names)])
        self._levels.add(candidate.edit.level.digest)
        prediction = _prediction(self._model, played, self._target)
        limit = limit_of(candidate.edit.level)[0]
        self._by_limit.setdefault(candidate.core, {})[limit] = log_odds(prediction.rate)
        return Predicted(candidate, prediction, played, self._target)


def _prediction(model: DifficultyModel, played: PlaytestResult, target: float) -> LevelPrediction:
    (prediction,) = predict_levels(model, difficulty_table(played.pairs), target)
    return prediction


def _heat(played: PlaytestResult) -> dict[int, float]:
    """How often each cell is among what is left, by the strongest agent that lost often enough."""
    figures = figures_of(played)
    if figures.telling is None:
        return {}
    maps = [np.nan_to_num(heat.shares).ravel() for heat in heat_maps(figures.telling.attempts)]
    return dict(enumerate(np.max(maps, axis=0).tolist())) if maps else {}


def suggest_edits(
    model: DifficultyModel,
    named: NamedLevel,
    target: float,
    play: Play,
    wish: Wish,
    most: int,
    boards: Callable[[Level], SameBoards],
    seed: int = 0,
    threads: int | None = None,
) -> Suggestions:
    """The smallest edits of a level that reach a target success rate between 0 and 1, at most so many.

    `play` gives the attempts that `predict` looks at, `boards` what plays other levels on a level's boards.
    """
    check_target(target)
    played = play([named])
    search = Search(model, named, target, play, wish, played, boards(named.level))
    ranking = figures_of(played).ranking

    def feel(of_level: PlaytestResult) -> Feel:
        return feel_of(of_level, ranking, named.level, seed, threads)

    predictions = [] if abs(search.now.rate - target) <= REACHED else search.run(most)
    reaching = [predicted for predicted in predictions if predicted.miss <= REACHED]
    chosen = _best_first(reaching)[:most]
    nearest = min(predictions, key=lambda predicted: predicted.miss, default=None)
    return Suggestions(
        named.level,
        target,
        search.now,
        feel(played),
        tuple(predicted.suggestion(feel) for predicted in chosen),
        None if chosen or nearest is None else nearest.suggestion(feel),
        search.tried,
    )


def _best_first(predictions: Iterable[Predicted]) -> list[Predicted]:
    """The least cost first: each change beside the limit once, and none that only adds to another."""
    best: dict[Core, Predicted] = {}
    for predicted in sorted(predictions, key=lambda one: one.cost):
        best.setdefault(predicted.candidate.core, predicted)
    return [one for one in best.values() if not one.candidate.adds_to(best)]
