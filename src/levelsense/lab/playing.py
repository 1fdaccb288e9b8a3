"""What the Lab does with agents: playtests, their figures, and limits for an agent."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from levelsense import defaults
from levelsense.agents.registry import Agent, parse_agent
from levelsense.lab.run import Levels, Note, Run, Watch
from levelsense.lab.store import LabStore
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, PlaytestResult, playtest
from levelsense.playtest.figures import LevelFigures, level_figures
from levelsense.playtest.runner import check_asked

if TYPE_CHECKING:
    from levelsense.playtest.tuning import Tuning
    from levelsense.store.results import Summary


class Playing(LabStore):
    """Agents play levels."""

    def playtest(
        self,
        levels: Levels,
        agents: Sequence[str | Agent] = (defaults.AGENT,),
        attempts: int = defaults.ATTEMPTS,
        *,
        precision: float | None = None,
        ceiling: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        keep_rows: bool = True,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> PlaytestResult:
        """Lets every agent play every level; what the database has already is not played again.

        With a `precision`, each level and agent go on after `attempts` until the 95 % interval of the success
        rate reaches no further than that to either side, or up to the `ceiling`. The result says whether it
        was interrupted by `stop`. Without `keep_rows`, it has counts only, and the attempts stay in the
        database: memory does not grow with their number.
        """
        check_asked(attempts, seed, threads, precision, ceiling)
        parsed = [parse_agent(agent) if isinstance(agent, str) else agent for agent in agents]
        run = Run(seed, threads, progress, stop, note)
        gathered = run.gather(levels)
        with self._open() as database:
            return playtest(
                gathered,
                parsed,
                attempts,
                seed,
                threads,
                precision,
                ceiling,
                sink=self._sinks(database)(),
                progress=run.pairs_progress(len(gathered)),
                stop=stop,
                keep_rows=keep_rows,
            )

    def results(self, levels: Sequence[Level] = ()) -> "list[Summary]":
        """What agents have done so far at levels; at all that are stored if none are given."""
        from levelsense.store.results import Selection, summaries

        if self.is_new:
            return []
        with self._open(make=False) as database:
            return summaries(database, Selection(digests=tuple(level.digest for level in levels)))

    def figures(
        self,
        tested: PlaytestResult,
        *,
        threads: int | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> list[LevelFigures]:
        """Every figure of a playtest, level by level: statistics, success by limit, skill and luck.

        Some take attempts beyond the playtest's own: `note` says so, and what can be kept is kept. An
        interrupted playtest gets none of these. StoppedError if it is stopped.
        """
        if tested.interrupted:
            return level_figures(tested, extra=False)
        run = Run(threads=threads, stop=stop, note=note)
        with self._open() as database:
            return level_figures(tested, threads, run.note_or_stop, sinks=self._sinks(database))

    def tune_for_agent(
        self,
        level: Level | NamedLevel | str | Path,
        agent: str | Agent,
        target: float,
        attempts: int = defaults.TUNING_ATTEMPTS,
        *,
        seed: int = 0,
        threads: int | None = None,
        note: Note | None = None,
    ) -> "Tuning":
        """Finds the limit with which an agent's success rate is nearest to a target; nothing is stored."""
        from levelsense.playtest.tuning import tune as tune_for_agent

        parsed = parse_agent(agent) if isinstance(agent, str) else agent
        run = Run(seed, threads, note=note)
        named = run.gather_one(level)
        return tune_for_agent(named.level, parsed, target, attempts, seed, threads, run.notify)
