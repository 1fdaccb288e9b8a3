"""Levels in numbers, for covariates: features known without play, and measures of agents' attempts.

Every attempt has a margin: what is left of the limit if it was won, as a share of it, and if it was lost
minus the share of the goals that was left. It tells two levels apart that an agent always wins, or never.

    rate      log((wins + 1/2) / (losses + 1/2))
    margin    mean of the margins
    best      mean of the best 5 % of the margins
    worst     mean of the worst 5 %
    left      mean share of the limit left, 0 for lost attempts
    progress  mean share of the goals done at the end

Each is known with a sampling error, since attempts are few. It is found by leaving out one part of the
attempts after the other (delete-a-group jackknife), for all measures of a level together.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import PredictionError
from levelsense.level.elements import ELEMENTS, Element
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS, COUNTS, INGREDIENTS, LATER_ELEMENTS, Cell
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.limits import limit_of
from levelsense.playtest.statistics import bottleneck

_BLOCKER_ORDERS: Final = tuple(element.name for element in ELEMENTS)
# Columns keep their places, so that fits stay as they were: blockers as the saga shows them, then pieces.
_FIRST_ELEMENTS: Final = sorted(
    (element for element in ELEMENTS if element not in LATER_ELEMENTS),
    key=lambda element: (element.place == "piece", element.saga.first if element.saga else 0),
)
FLAG: Final = 0.2  # the usual spread of a yes or no
_SHARE: Final = 0.05  # of a share of the tiles
_LOG: Final = 0.2
_USUAL_ROUNDS: Final = 2  # of a cascade, for what a move in a level with seconds costs


class Feature(NamedTuple):
    """How a feature is computed, and its usual spread, for fits whose levels do not differ in it."""

    amount: "Callable[[LevelFacts], float]"
    usual: float


class LevelFacts:
    """What the features are counted from."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.asked = level.asked
        self.tiles = [cell for cell in level.cells if cell.tile]
        self.drops = Counter[str]()
        for drop in level.all_drops:
            self.drops[drop.piece] += 1
        pace = level.pace
        self.turns = level.moves or (level.seconds or 0) / (pace.move + _USUAL_ROUNDS * pace.round)

    def share(self, test: Callable[[Cell], float]) -> float:
        """What cells have of something, on average over the tiles."""
        return sum(test(cell) for cell in self.tiles) / len(self.tiles)

    def ordered(self, *names: str) -> float:
        """How many of some counts the goals ask for, for each turn of the limit."""
        return sum(self.asked.get(name, 0) for name in names) / max(self.turns, 1)


def _is_special(count: str) -> bool:
    """Whether a count is of special candies, or of two combined."""
    return "striped" in count or "wrapped" in count or "color bomb" in count


def _element(element: Element) -> Feature:
    """How much of an element a level has: layers of a blocker, or pieces, for each tile."""
    if element.place == "piece":
        return Feature(lambda facts: facts.share(lambda cell: cell.piece == element.name), _SHARE)
    return Feature(
        lambda facts: facts.share(lambda cell: (cell.layers or 1) if cell.blocker == element.name else 0),
        _SHARE,
    )


def _drops(*names: str) -> Callable[[LevelFacts], float]:
    return lambda facts: float(any(facts.drops[name] for name in names))


# Each feature by its name, in the words that reasons use.
FEATURES: Final[MappingProxyType[str, Feature]] = MappingProxyType(
    {
        "score goal": Feature(lambda facts: float("score" in facts.asked), FLAG),
        "jelly goal": Feature(lambda facts: float("jelly" in facts.asked), FLAG),
        "ingredients goal": Feature(
            lambda facts: float(any(name in facts.asked for name in INGREDIENTS)), FLAG
        ),
        "color orders": Feature(lambda facts: float(any(name in facts.asked for name in COLORS)), FLAG),
        "special orders": Feature(lambda facts: float(any(_is_special(name) for name in facts.asked)), FLAG),
        "blocker orders": Feature(
            lambda facts: float(any(name in facts.asked for name in _BLOCKER_ORDERS)), FLAG
        ),
        "several goals": Feature(lambda facts: float(len(facts.asked) > 1), FLAG),
        "seconds for a limit": Feature(lambda facts: float(facts.level.seconds is not None), FLAG),
        "turns (log)": Feature(lambda facts: log(max(facts.turns, 1)), _LOG),
        "colors": Feature(lambda facts: float(len(set(facts.level.color_table))), 0.5),
        "tiles (log)": Feature(lambda facts: log(len(facts.tiles)), _LOG),
        "holes": Feature(
            lambda facts: 1 - len(facts.tiles) / (facts.level.rows * facts.level.columns), _SHARE
        ),
        "jelly a turn": Feature(lambda facts: facts.ordered("jelly"), 0.5),
        "ingredients a turn": Feature(lambda facts: facts.ordered(*INGREDIENTS), 0.1),
        "color orders a turn": Feature(lambda facts: facts.ordered(*COLORS), 0.5),
        "jelly": Feature(lambda facts: facts.share(lambda cell: cell.jelly > 0), _SHARE),
        "double jelly": Feature(lambda facts: facts.share(lambda cell: cell.jelly > 1), _SHARE),
        "jelly under blockers": Feature(
            lambda facts: facts.share(lambda cell: bool(cell.jelly and cell.blocker)), _SHARE
        ),
        **{element.several: _element(element) for element in _FIRST_ELEMENTS},
        "swirls drop": Feature(_drops("swirl"), FLAG),
        "countdown bombs drop": Feature(_drops("countdown"), FLAG),
        "sugar": Feature(lambda facts: float(facts.level.sugar is not None), FLAG),
        "teleporters": Feature(lambda facts: float(bool(facts.level.teleporters)), FLAG),
        "dispensers": Feature(lambda facts: float(bool(facts.level.dispensers)), FLAG),
        **{element.several: _element(element) for element in LATER_ELEMENTS},
    }
)


def level_features(level: Level) -> dict[str, float]:
    """Every feature of a level by its name."""
    facts = LevelFacts(level)
    return {name: float(feature.amount(facts)) for name, feature in FEATURES.items()}


def level_parts(level: Level) -> list[str]:
    """What a level has that a model should have met, and that no feature shows by itself.

    So are elements that came later than the first models, whose files have no column for them.
    """
    goals = [name for name in level.asked if name not in (*COLORS, *INGREDIENTS, "score", "jelly")]
    blockers = {cell.blocker for cell in level.cells}
    later = [element.several for element in LATER_ELEMENTS if element.name in blockers]
    return [*later, *(_goal(name) for name in goals), f"{level.rules} rules"]


def parts_of(feature: str) -> list[str]:
    """The parts that only levels with a feature can have: unknown to a model if the feature is."""
    goals = {
        "special orders": [name for name in COUNTS if _is_special(name)],
        "blocker orders": list(_BLOCKER_ORDERS),
        "sugar": ["sugar"],
    }
    later = [element.name for element in LATER_ELEMENTS if element.several == feature]
    return [*(feature for _ in later), *(_goal(name) for name in (*goals.get(feature, []), *later))]


def _goal(name: str) -> str:
    return f"a goal of {name}"


_SUFFIXES: Final = (" goal", " orders a turn", " a turn", " orders", " drop", " under blockers")


def element_of(feature: str) -> str:
    """What a feature is about: that of `jelly goal` and `jelly a turn` is jelly."""
    return next((feature.removesuffix(end) for end in _SUFFIXES if feature.endswith(end)), feature)


def is_number(feature: str) -> bool:
    """Whether a feature is a number of things, rather than a share or a yes or no."""
    return feature == "colors" or feature.endswith(" (log)")


def amount_words(feature: str, value: float) -> str:
    """How much of a feature a level has; of one that is a logarithm, `value` is the number itself."""
    if feature == "turns (log)":
        return f"room for {value:,.0f} move{'' if round(value) == 1 else 's'}"
    if is_number(feature):
        return f"{value:,.0f} {feature.removesuffix(' (log)')}"
    return f"{feature} {value:.2g}"


MEASURES: Final = ("rate", "margin", "best", "worst", "left", "progress")
TAIL: Final = 0.05
GROUPS: Final = 20
MOST_LEFT: Final = 1.0  # time candies can leave more than the limit


@dataclass(frozen=True, eq=False)
class AgentMeasures:
    """An agent's measures of a level, in the order of MEASURES.

    `replicates` has a row for each part of the attempts left out: their spread is the sampling error's.
    `bottleneck` is the goal that was most often the furthest from done in lost attempts, if any was lost.
    """

    wins: int
    attempts: int
    values: NDArray[np.float64]
    replicates: NDArray[np.float64]
    bottleneck: str | None


def measure(attempts: Attempts) -> AgentMeasures:
    """The measures of an agent's attempts at a level; PredictionError if they are too few."""
    if len(attempts) < GROUPS:
        raise PredictionError(
            f"{attempts.level.name}: {len(attempts)} attempts of an agent; expected at least {GROUPS}"
        )
    won = attempts.won
    left = np.where(won, np.clip(attempts.limit_left / limit_of(attempts.level)[0], 0.0, MOST_LEFT), 0.0)
    progress = np.where(won, 1.0, attempts.goal_shares.mean(axis=1))
    group = np.arange(len(attempts)) % GROUPS
    parts = [tuple(part[group != k] for part in (won, left, progress)) for k in range(GROUPS)]
    return AgentMeasures(
        attempts.wins,
        len(attempts),
        _values(won, left, progress),
        np.array([_values(*part) for part in parts]),
        bottleneck(attempts),
    )


def _values(
    won: NDArray[np.bool_], left: NDArray[np.float64], progress: NDArray[np.float64]
) -> NDArray[np.float64]:
    margin = np.sort(left + progress - 1.0)
    tail = max(1, round(TAIL * len(margin)))
    wins = int(won.sum())
    return np.array(
        [
            np.log((wins + 0.5) / (len(won) - wins + 0.5)),
            margin.mean(),
            margin[-tail:].mean(),
            margin[:tail].mean(),
            left.mean(),
            progress.mean(),
        ]
    )


def replicate_variance(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sampling variance of figures from their replicates along the first axis."""
    groups = len(replicates)
    spread = ((replicates - replicates.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray((groups - 1) / groups * spread)
