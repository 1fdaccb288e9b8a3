"""Two versions of a level, played on the same boards: what the change does to agents and to players."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.edits.difference import Difference, difference
from levelsense.level.level import Level
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.interval import NORMAL_95
from levelsense.prediction.levels import LevelPrediction, predict_levels
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.paired import Played, paired_covariance, replicate_logits, table_of

LEAST_TOLD: Final = 1e-6  # less than any rounding of a rate
MOST_NEEDED: Final = 1_000_000  # attempts; more are not worth naming
# How fast two versions of a level come to share nothing of kappa as their columns move apart: measured on
# edited levels (docs/suggest.md, "How sure is a difference?").
KAPPA_REACH: Final = 0.3


def is_told(low: float, high: float) -> bool:
    """Whether an interval of a difference leaves no doubt on which side of 0 it is."""
    return low > LEAST_TOLD or high < -LEAST_TOLD


@dataclass(frozen=True)
class Shift:
    """A success rate before and after a change, on the same boards.

    points  after minus before, with its 95 % interval
    needed  how many attempts would tell that from nothing; None if these do, or if no number would
    """

    old: float
    new: float
    points: Estimate
    needed: int | None

    @property
    def is_told(self) -> bool:
        """Whether the change can be told from none."""
        return is_told(self.points.low, self.points.high or 0.0)

    def as_data(self) -> dict[str, Any]:
        """The shift as plain data."""
        interval = (self.points.low, self.points.high)
        return {
            "old": self.old,
            "new": self.new,
            "difference": self.points.value,
            "interval": interval,
            "told": self.is_told,
            "attempts_needed": self.needed,
        }


@dataclass(frozen=True, eq=False)
class Comparison:
    """What a change of a level does.

    difference  what is different
    old, new    what is predicted of each; the new version is dealt the old one's boards
    players     the shift of the predicted success rate
    agents      the shift of each agent's
    attempts    how many attempts each agent had at each version
    """

    difference: Difference
    old: LevelPrediction
    new: LevelPrediction
    players: Shift
    agents: Mapping[str, Shift]
    attempts: Mapping[str, int]

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data: what `levelsense compare --json` prints."""
        return {
            "old": {"name": self.old.name, "digest": self.difference.old.digest},
            "new": {"name": self.new.name, "digest": self.difference.new.digest},
            "changes": [change.words for change in self.difference.changes],
            "simulated": self.new.simulated,
            "players": self.players.as_data(),
            "agents": {agent: shift.as_data() for agent, shift in self.agents.items()},
            "attempts": dict(self.attempts),
            "unlike": self.new.unlike,
        }


def compare_played(
    model: DifficultyModel, names: tuple[str, str], levels: tuple[Level, Level], played: tuple[Played, Played]
) -> Comparison:
    """Compares two levels by agents' attempts on the same boards."""
    table = table_of(levels, played).with_columns(pl.Series("level", names))
    (old,), (new,) = (predict_levels(model, table[row : row + 1]) for row in (0, 1))
    attempts = {agent: len(of_agent) for agent, of_agent in played[0].items()}
    return Comparison(
        difference(*levels),
        old,
        new,
        _players_shift(model, table, (old, new), min(attempts.values())),
        {agent: agent_shift(played[0][agent], played[1][agent]) for agent in attempts},
        attempts,
    )


def _players_shift(
    model: DifficultyModel,
    table: pl.DataFrame,
    predicted: tuple[LevelPrediction, LevelPrediction],
    attempts: int,
) -> Shift:
    sampling = _sampling_covariance(model, table)
    unlike = np.diag(model.unlike_variance(table))
    unlike[0, 1] = unlike[1, 0] = model.unlike_covariance(table)
    rows = model.rows(table)
    difference = model.players_fit().predict_difference(
        rows, sampling + unlike, shared_kappa(model, table), stretch=model.stretch(rows)
    )
    sides = np.array([-1.0, 1.0])
    fixed, by_chance = difference.variance + sides @ unlike @ sides, float(sides @ sampling @ sides)
    old, new = (prediction.rate for prediction in predicted)
    excludes_zero = is_told(difference.low, difference.high)
    # The rates are those that are shown; the band is moved along, by less than it can tell.
    off = (new - old) - difference.value
    points = Estimate(new - old, difference.low + off, difference.high + off)
    return Shift(
        old, new, points, None if excludes_zero else _needed(difference.logit, fixed, by_chance, attempts)
    )


def shared_kappa(model: DifficultyModel, table: pl.DataFrame) -> float:
    """How far what the columns do not tell is the same for two levels: from 1, the same level, to 0.

    It falls with the distance of the columns, in spreads; two levels of the fit are 1 apart on average.
    """
    values = model.columns_.values(table)
    apart = float(np.mean(((values[1] - values[0]) / model.scale_.spread) ** 2) / 2)
    return float(np.exp(-apart / KAPPA_REACH))


def _sampling_covariance(model: DifficultyModel, table: pl.DataFrame) -> NDArray[np.float64]:
    """Of the logits of two levels, from agents' finite attempts on the same boards.

    Of an agent that wins no attempt at either level, or every one, replicates do not tell how often it would
    win in the long run. That is the same for both levels as far as they are alike, as with kappa.
    """
    matrix = np.diag(model.sampling_variance(table))
    ends = model.end_variance(table)
    at_ends = shared_kappa(model, table) * float(np.sqrt(ends[0] * ends[1]).sum())
    covariance = paired_covariance(*replicate_logits(model, table)) + at_ends
    most = sqrt(matrix[0, 0] * matrix[1, 1])
    matrix[0, 1] = matrix[1, 0] = min(max(covariance, -most), most)
    return matrix


def _needed(logit: float, fixed: float, by_chance: float, attempts: int) -> int | None:
    """How many attempts would tell a difference from none, if what attempts do not change lets them."""
    room = (logit / NORMAL_95) ** 2 - fixed
    if room <= 0:
        return None
    number = attempts * by_chance / room
    return ceil(number) if number <= MOST_NEEDED else None


def agent_shift(old: Attempts, new: Attempts) -> Shift:
    """The difference of an agent's success rates on the same boards.

    The interval is Agresti and Min's for matched pairs (Statistics in Medicine 24, 2005): the normal one
    after half a pair is added to each of the four ways in which two attempts can end.
    """
    number = len(old)
    gained, lost = int((new.won & ~old.won).sum()), int((old.won & ~new.won).sum())
    total, more, less = number + 2, gained + 0.5, lost + 0.5
    center = (more - less) / total
    error = sqrt(max(more + less - (more - less) ** 2 / total, 0.0)) / total
    low, high = center - NORMAL_95 * error, center + NORMAL_95 * error
    excludes_zero = is_told(low, high)
    needed = None
    if not excludes_zero and center:
        wanted = number * (NORMAL_95 * error / center) ** 2
        needed = ceil(wanted) if wanted <= MOST_NEEDED else None
    points = Estimate((gained - lost) / number, max(low, -1.0), min(high, 1.0))
    return Shift(old.wins / number, new.wins / number, points, needed)
