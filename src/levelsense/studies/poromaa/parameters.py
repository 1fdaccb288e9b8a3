"""Phase 2: the eight tests of table 4.2, a parameter of the search each, on three levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.level.level import Level
from levelsense.studies.poromaa.playing import Extent, Wins, play, read_wins
from levelsense.studies.run import StudyRun

LEVELS: Final = ("thesis-013", "thesis-077", "thesis-100")
GUIDED: Final = "signal=binary,playout=heuristic"  # tests 1, 2 and 4
FREE: Final = "signal=score"  # tests 3, 5 to 8: random playouts
# An attempt on level 77 costs more than one on each of the two others together.
CHEAP_LEVELS: Final = ("thesis-013", "thesis-100")
BATCH: Final = 100  # attempts that are kept together


@dataclass(frozen=True)
class Test:
    """A test of table 4.2: what it varies, and the agent for each value, as the thesis has them."""

    number: int
    varies: str
    short: str
    agents: dict[str, str]


def _with(base: str, option: str = "") -> str:
    """The canonical spec: a value that is the default is left out, so that tests share setups."""
    return parse_agent("mcts:" + ",".join(part for part in (base, option) if part)).spec


TESTS: Final = (
    Test(1, "branching", "branching", {str(b): _with(GUIDED, f"branching={b}") for b in (1, 3, 5, 10)}),
    Test(
        2,
        "C, binary signal, heuristic playouts",
        "C, guided",
        {f"{c}": _with(GUIDED, f"c={c}") for c in (0.2, 0.4, 0.6, 0.8)},
    ),
    Test(
        3,
        "C, score signal, random playouts",
        "C, random",
        {f"{c}": _with(FREE, f"c={c}") for c in (0.2, 0.4, 0.6, 0.8)},
    ),
    Test(
        4,
        "depth limit, binary signal, heuristic playouts",
        "depth, guided",
        {"none": _with(GUIDED), **{str(d): _with(GUIDED, f"depth={d}") for d in (1, 2, 3, 4)}},
    ),
    Test(
        5,
        "depth limit, score signal, random playouts",
        "depth, random",
        {"none": _with(FREE), **{str(d): _with(FREE, f"depth={d}") for d in (1, 2, 3)}},
    ),
    Test(
        6,
        "signal",
        "signal",
        {name: _with(f"signal={name}") for name in ("binary", "goals", "score", "combined")},
    ),
    Test(
        7,
        "shrinking",
        "shrinking",
        {
            "0": _with("signal=binary"),  # a loss is worth nothing: the same search
            **{f"{s}": _with(FREE, f"shrinking={s}") for s in (0.25, 0.5, 0.75)},
            "1": _with(FREE),
        },
    ),
    Test(
        8,
        "playout",
        "playout",
        {name: _with(FREE, f"playout={name}") for name in ("random", "to-mast", "clouded", "heuristic")},
    ),
)
SHRINKING: Final = TESTS[6].agents
GUIDED_SHRINKING: Final = {
    value: parse_agent(f"{spec},playout=heuristic").spec for value, spec in SHRINKING.items()
}

# The signal of the agent mcts, whose losses are worth nearly 1 where little of the goals is left.
GOALS_SHRINKING: Final = {"0.25": "mcts:shrinking=0.25", "0.5": "mcts:shrinking=0.5", "1": "mcts"}

# The smallest factor, with C a quarter of 0.6 as well: UCB explores as without shrinking.
SCALED_SHRINKING: Final = "mcts:c=0.15,signal=score,shrinking=0.25"


@dataclass(frozen=True)
class Setup:
    """What an agent did: its wins at each level, an entry an attempt, and seconds of processor time."""

    spec: str
    wins: dict[str, Wins]
    seconds: dict[str, float]

    @property
    def rates(self) -> dict[str, float]:
        """The success rate at each level."""
        return {level: float(won.mean()) for level, won in self.wins.items()}

    @property
    def stack(self) -> float:
        """The sum of the rates: the height of a bar in the thesis' figures."""
        return sum(self.rates.values())


def play_setups(
    run: StudyRun, part: str, specs: Sequence[str], levels: Sequence[str], attempts: range
) -> dict[str, Setup]:
    """Plays agents at levels, all from the same boards; kept in files of a part of the run, BATCH a file."""
    starts = range(attempts.start, attempts.stop, BATCH)
    keys = [(start, spec, level) for level in levels for start in starts for spec in specs]
    loaded = {level: Level.load(level) for level in levels}

    def make(number: int) -> dict[str, Any]:
        start, spec, level = keys[number]
        return play(spec, loaded[level], run.seed, start, min(BATCH, attempts.stop - start))

    names = [f"{level}-{file_name(spec)}-{start}" for start, spec, level in keys]
    rows = dict(zip(keys, run.collect(part, names, make), strict=True))
    return {
        spec: Setup(
            spec,
            {
                level: np.concatenate([read_wins(rows[start, spec, level]["won"]) for start in starts])
                for level in levels
            },
            {level: sum(rows[start, spec, level]["seconds"] for start in starts) for level in levels},
        )
        for spec in specs
    }


def file_name(spec: str) -> str:
    """A spec as the name of a file."""
    return spec.replace(":", "-").replace(",", "-").replace("=", "_")


def test_parameters(run: StudyRun, extent: Extent) -> dict[str, Setup]:
    """All setups of table 4.2, by spec; those of tests that share one are played once."""
    specs = list(dict.fromkeys(spec for test in TESTS for spec in test.agents.values()))
    return play_setups(run, "parameters", specs, LEVELS, range(extent.attempts))


@dataclass(frozen=True)
class ShrinkingSetups:
    """The setups of test 7 in further attempts, with heuristic playouts, with goals, with less C."""

    more: dict[str, Setup]
    guided: dict[str, Setup]
    goals: dict[str, Setup]
    scaled: Setup


def test_shrinking(run: StudyRun, extent: Extent) -> ShrinkingSetups:
    """More attempts where the factor differs."""
    both = extent.attempts + extent.more
    return ShrinkingSetups(
        play_setups(run, "shrinking", list(SHRINKING.values()), CHEAP_LEVELS, range(extent.attempts, both)),
        play_setups(
            run, "shrinking-guided", list(GUIDED_SHRINKING.values()), CHEAP_LEVELS, range(extent.guided)
        ),
        play_setups(run, "shrinking-goals", list(GOALS_SHRINKING.values()), CHEAP_LEVELS, range(both)),
        play_setups(run, "shrinking-scaled", [SCALED_SHRINKING], CHEAP_LEVELS, range(both))[SCALED_SHRINKING],
    )


def pooled(first: Setup, second: Setup) -> Setup:
    """The attempts of two parts of one setup together; the second may lack levels."""
    wins = dict(first.wins)
    for level, won in second.wins.items():
        wins[level] = np.concatenate([wins[level], won])
    seconds = {level: spent + second.seconds.get(level, 0.0) for level, spent in first.seconds.items()}
    return Setup(first.spec, wins, seconds)
