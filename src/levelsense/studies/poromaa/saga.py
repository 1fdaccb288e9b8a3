"""Phases 3 and 4: bots, simulated players and testers at early and later levels of a generated saga."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON
from levelsense.people.simulated.leaving import Presence
from levelsense.people.simulated.run import play_kind, visit
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.levels import NamedLevel
from levelsense.studies.poromaa.playing import Extent, play, read_wins, shared_seeds, write_wins
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import Study

HEURISTIC: Final = "heuristic"
EARLY_BOTS: Final = (HEURISTIC, "mcts-b1", "mcts-b2", "mcts-b3")
LATE_BOTS: Final = (HEURISTIC, "mcts-b2", "mcts-b4")
TESTERS: Final = 3
TESTER_MIX: Final = "veterans"
# How readily players who fail much leave the game; 0 is the population that nobody leaves.
LEAVING: Final = (0.0, 0.005, 0.01, 0.02)
MAIN_LEAVING: Final = LEAVING[-1]

RANDOM_ATTEMPTS: Final = 400  # of random play, for scores beside progress

Rates = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SagaPlayers:
    """What every player of a population would do at each level of the saga.

    attempts   a row a level, a column a player: how many were made, up to a win or the end of patience
    won        whether the last of them was won
    """

    levels: tuple[NamedLevel, ...]
    population: Population
    attempts: NDArray[np.int64]
    won: NDArray[np.bool_]

    @cache  # noqa: B019 - there is one a study
    def present(self, leave: float) -> NDArray[np.bool_]:
        """Which players play each level: a row a level, a column a player; some leave on the way."""
        players = replace(self.population, leave=leave)
        presence, rows = Presence(players, self.levels), []
        for number, named in enumerate(self.levels):
            rows.append(presence.is_present.copy())
            playing = presence.present
            presence.recall(named, _results(playing, self.won[number, playing]))
        return np.array(rows)

    def counts(self, numbers: slice, leave: float = 0.0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Successes and attempts at each of some levels, of the players who are still there."""
        present = self.present(leave)[numbers]
        return (self.won[numbers] & present).sum(axis=1), (self.attempts[numbers] * present).sum(axis=1)

    def rates(self, numbers: slice, leave: float = 0.0) -> Rates:
        """The success rate of all attempts at each of some levels, of the players who are still there."""
        successes, attempts = self.counts(numbers, leave)
        rates: Rates = successes / attempts
        return rates

    def skill(self) -> Rates:
        """The success rate of each player over all levels and attempts: how good it is, also if it leaves."""
        skill: Rates = self.won.sum(axis=0) / self.attempts.sum(axis=0)
        return skill


def _results(players: NDArray[np.int64], won: NDArray[np.bool_]) -> pl.DataFrame:
    """Results as stored ones, a row a player."""
    return pl.DataFrame({"player": players, "successes": won.astype(np.int64)}).select(
        pl.format("sim-{}", "player").alias("player"), "successes"
    )


def saga_levels(run: StudyRun, extent: Extent) -> tuple[NamedLevel, ...]:
    """The levels of the generated saga, from the first to the last that is played."""
    return Study(run, extent.last).levels()


def saga_players(run: StudyRun, extent: Extent, levels: Sequence[NamedLevel]) -> SagaPlayers:
    """Simulated players at all levels of the saga."""
    population = draw_population(extent.players, run.seed)

    def make(number: int) -> dict[str, Any]:
        visited = visit(population, levels[number])
        won = np.zeros(len(population), bool)
        won[visited.player[visited.won]] = True
        attempts = np.bincount(visited.player, minlength=len(population))
        return {"attempts": attempts.tolist(), "won": write_wins(won)}

    rows = run.collect("players", [named.name for named in levels], make)
    return SagaPlayers(
        tuple(levels),
        population,
        np.array([row["attempts"] for row in rows]),
        np.array([read_wins(row["won"]) for row in rows]),
    )


@dataclass(frozen=True)
class Stage:
    """What bots (and testers) did at some levels: their success rates level by level, by name."""

    numbers: slice  # of the levels, from 0
    rates: dict[str, Rates]
    seconds: dict[str, float]
    tries: int

    @property
    def count(self) -> int:
        """How many levels there are."""
        return int(self.numbers.stop - self.numbers.start)


def play_stage(
    run: StudyRun,
    extent: Extent,
    levels: Sequence[NamedLevel],
    part: str,
    bots: Sequence[str],
    place: tuple[int, int],
) -> Stage:
    """Bots at levels of the saga, as many as `place` says from a number on."""
    numbers = slice(place[0] - 1, place[0] - 1 + place[1])
    pairs = [(bot, named) for named in levels[numbers] for bot in bots]

    def make(number: int) -> dict[str, Any]:
        bot, named = pairs[number]
        return play(bot, named.level, run.seed, 0, extent.tries)

    rows = run.collect(part, [f"{named.name}-{bot}" for bot, named in pairs], make)
    of_bot: dict[str, list[dict[str, Any]]] = {bot: [] for bot in bots}
    for (bot, _), row in zip(pairs, rows, strict=True):
        of_bot[bot].append(row)
    return Stage(
        numbers,
        {bot: np.array([read_wins(row["won"]).mean() for row in kept]) for bot, kept in of_bot.items()},
        {bot: sum(row["seconds"] for row in kept) for bot, kept in of_bot.items()},
        extent.tries,
    )


def play_testers(run: StudyRun, extent: Extent, levels: Sequence[NamedLevel]) -> Rates:
    """The success rates of three testers at the later levels: a row a level, a column a tester.

    A tester makes all attempts at a level, won or lost, one after the other, and learns from one to the next.
    """
    testers = draw_population(TESTERS, run.seed + 1, TESTER_MIX)
    first = extent.late[0] - 1
    late = levels[first : first + extent.late[1]]

    def make(number: int) -> dict[str, Any]:
        level = late[number].level
        seeds = shared_seeds(level, run.seed, 0, TESTERS * extent.tester).reshape(extent.tester, TESTERS, 2)
        wins = np.zeros(TESTERS, np.int64)
        for attempt in range(extent.tester):
            for kind, of_kind in testers.kinds.items():
                traits = testers.at_attempt(of_kind, attempt)
                rows, _ = play_kind(kind, level, seeds[attempt, of_kind], traits)
                wins[of_kind] += rows["status"] == WON
        return {"wins": wins.tolist()}

    rows = run.collect("testers", [named.name for named in late], make)
    return np.array([row["wins"] for row in rows]) / extent.tester


def score_and_progress(
    run: StudyRun, extent: Extent, levels: Sequence[NamedLevel], place: tuple[int, int], part: str
) -> Rates:
    """At each of some levels, how far scores go along with progress in random attempts: a rank correlation.

    Levels where it is not defined, since all attempts made the same progress, are not a number.
    """
    chosen = levels[place[0] - 1 : place[0] - 1 + place[1]]

    def make(number: int) -> dict[str, Any]:
        level = chosen[number].level
        records = parse_agent("random").attempts(level, shared_seeds(level, run.seed, 0, RANDOM_ATTEMPTS))
        attempts = Attempts.from_records(level, 0, records)
        table = pl.DataFrame({"score": attempts.score, "progress": attempts.goal_shares.mean(1)})
        correlation = table.select(pl.corr("score", "progress", method="spearman")).item()
        return {"correlation": None if correlation is None or np.isnan(correlation) else float(correlation)}

    rows = run.collect(part, [named.name for named in chosen], make)
    return np.array([row["correlation"] for row in rows], float)
