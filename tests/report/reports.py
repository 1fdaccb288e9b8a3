"""Small reports to test with: two agents, levels of every kind, few attempts."""

from functools import cache

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.playtest.figures import LevelFigures, Played, play_extra, play_seeds, played_from
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import Pair, attempt_seeds

AGENTS = ("random", "greedy")
# Jelly and blockers; ingredients; seconds and gaps; never lost by a greedy agent.
LEVELS = ("30-grand-tour", "18-fruit-and-nut", "27-clockwork", "04-jelly-garden")
ATTEMPTS = 80


@cache
def report_of(name: str) -> LevelFigures:
    """What both agents did on a bundled level."""
    level = Level.load(name)
    return LevelFigures(name, level, tuple(_played(level, agent) for agent in AGENTS), AGENTS)


def _played(level: Level, agent: str) -> Played:
    player = parse_agent(agent)
    attempts = play_seeds(player, level, attempt_seeds(level.digest, agent, 0, 0, ATTEMPTS))
    pair = Pair(NamedLevel(level, (level.name,)), player, 0)
    return played_from(agent, attempts, play_extra(pair, attempts))


def all_reports() -> list[LevelFigures]:
    """The reports of all levels."""
    return [report_of(name) for name in LEVELS]
