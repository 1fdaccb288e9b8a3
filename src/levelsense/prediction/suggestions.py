"""Suggested changes of a level: what each is, the prediction with it, and how the level feels then."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from levelsense.edits import Difference, Edit
from levelsense.edits.difference import difference
from levelsense.level.level import Level
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.figures import REPEATS, LevelFigures, Played, play_seeds, rank_agents
from levelsense.playtest.result import PlaytestResult
from levelsense.playtest.skill_and_luck import luck, luck_seeds
from levelsense.playtest.statistics import level_statistics
from levelsense.prediction.levels import LevelPrediction

REACHED = 0.025  # a predicted rate so near to the target reaches it
BOARDS = 100  # that luck is measured on


@dataclass(frozen=True)
class Feel:
    """How a level feels, by the agents of the model.

    skill        the strongest agent's success rate minus the weakest one's; None with a single agent
    luck         the share of the strongest agent's success that the board decides; None if it cannot be told
    near_misses  the share of its lost attempts, or of the next one's that lost often enough, by a hair
    """

    skill: Estimate | None
    luck: Estimate | None
    near_misses: Estimate | None

    def as_data(self) -> dict[str, Any]:
        """The figures as plain data."""
        figures = {"skill": self.skill, "luck": self.luck, "near_misses": self.near_misses}
        return {
            name: None if figure is None else {"value": figure.value, "low": figure.low, "high": figure.high}
            for name, figure in figures.items()
        }


def figures_of(played: PlaytestResult, ranking: tuple[str, ...] = ()) -> LevelFigures:
    """The figures of one level's attempts; agents ranked as they are, or as they were elsewhere."""
    first = played.pairs[0]
    parts = tuple(Played(pair.agent, pair.played, level_statistics(pair.played)) for pair in played.pairs)
    figures = LevelFigures(first.pair.name, first.level, parts, ranking)
    return figures if ranking else rank_agents([figures])[0]


def feel_of(
    played: PlaytestResult, ranking: tuple[str, ...], boards_of: Level, seed: int, threads: int | None
) -> Feel:
    """How a level feels by its attempts; luck is measured on the boards of another version of it."""
    figures = figures_of(played, ranking)
    strong = next(pair for pair in played.pairs if pair.agent == figures.strong.agent)
    seeds = luck_seeds(boards_of.digest, strong.agent, seed, BOARDS, REPEATS)
    share = luck(play_seeds(strong.pair.agent, strong.level, seeds, threads), REPEATS).share
    skill, telling = figures.skill, figures.telling
    return Feel(
        None if skill is None else skill.gain,
        share,
        None if telling is None else telling.statistics.near_misses,
    )


@dataclass(frozen=True, eq=False)
class Suggestion:
    """A changed level, what is changed, and what `predict` says of it."""

    edit: Edit
    prediction: LevelPrediction
    feel: Feel | None = None

    @property
    def level(self) -> Level:
        """The changed level."""
        return self.edit.level

    @cached_property
    def difference(self) -> Difference:
        """What is changed."""
        return difference(self.edit.origin, self.edit.level)

    @property
    def words(self) -> str:
        """What is changed, in words."""
        return self.edit.words

    @property
    def rate(self) -> float:
        """The success rate to expect with it."""
        return self.prediction.rate

    def as_data(self) -> dict[str, Any]:
        """The suggestion as plain data for JSON."""
        return {
            "change": self.words,
            "kinds": sorted(self.edit.kinds),
            "size": round(self.edit.size, 3),
            "digest": self.level.digest,
            "prediction": self.prediction.as_data(),
            "feel": None if self.feel is None else self.feel.as_data(),
            "level": self.level.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        }


@dataclass(frozen=True, eq=False)
class Suggestions:
    """The smallest changes of a level that reach a target.

    now          the level as it is
    suggestions  the changes that reach the target, the smallest first; none if the level reaches it now
    nearest      the change that comes nearest to the target, if none reaches it
    tried        how many different edits were played
    """

    level: Level
    target: float
    now: LevelPrediction
    feel: Feel
    suggestions: tuple[Suggestion, ...]
    nearest: Suggestion | None
    tried: int

    @property
    def is_reached(self) -> bool:
        """Whether the level reaches the target as it is."""
        return abs(self.now.rate - self.target) <= REACHED

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data: what `levelsense suggest --json` prints."""
        return {
            "level": self.level.name,
            "digest": self.level.digest,
            "target": self.target,
            "now": self.now.as_data(),
            "feel": self.feel.as_data(),
            "reached": self.is_reached,
            "tried": self.tried,
            "suggestions": [suggestion.as_data() for suggestion in self.suggestions],
            "nearest": None if self.nearest is None else self.nearest.as_data(),
        }
