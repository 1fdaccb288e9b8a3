"""Playtests: levels x agents x attempts -> attempts, and their figures."""

from levelsense.playtest.attempts import Attempts
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.playtest.plan import AgentLike, Pair, Sink
from levelsense.playtest.result import PairProgress, PairResult, PlaytestResult
from levelsense.playtest.runner import playtest

__all__ = [
    "AgentLike",
    "Attempts",
    "NamedLevel",
    "Pair",
    "PairProgress",
    "PairResult",
    "PlaytestResult",
    "Sink",
    "gather_levels",
    "playtest",
]
