"""What every action of the Lab is given beside its subject, and the parts that several actions share."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from levelsense import defaults
from levelsense.agents.registry import Agent, agent_words
from levelsense.errors import LevelError, PlaytestError, PredictionError, StoppedError
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, PairProgress, PairResult, PlaytestResult, gather_levels, playtest
from levelsense.playtest.levels import named_words
from levelsense.playtest.plan import Sink, check_target
from levelsense.playtest.runner import check_asked
from levelsense.store import Database, KeptMeasures

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.prediction.model import DifficultyModel
    from levelsense.prediction.observed import Observed


@dataclass(frozen=True)
class Progress:
    """How far an action is.

    doing   what it does: playing or simulating
    done    how many levels are done, of `levels`
    pairs   how far the levels and agents are that are being played
    """

    doing: str
    done: int
    levels: int
    pairs: Sequence[PairProgress] = ()


Levels = Level | NamedLevel | str | Path | Iterable[Level | NamedLevel | str | Path]
Model: TypeAlias = "DifficultyModel | str | Path | None"  # a file that was saved; None: levelsense's own
DEFAULT_MODEL = "default"  # the name of the model that comes with levelsense
Watch = Callable[[Progress], None]
Note = Callable[[str], None]
Sinks = Callable[[], Sink]


@dataclass(frozen=True)
class Run:
    """The common arguments of an action: seed, threads, callbacks for progress and notes, and `stop`."""

    seed: int = 0
    threads: int | None = None
    progress: Watch | None = None
    stop: threading.Event | None = None
    note: Note | None = None

    def __post_init__(self) -> None:
        """PlaytestError for a seed or a number of threads that makes no sense."""
        check_asked(seed=self.seed, threads=self.threads)

    def notify(self, sentence: str) -> None:
        """Calls `note` with a sentence, if there is one."""
        if self.note is not None:
            self.note(sentence)

    def go_on(self) -> None:
        """Called between two parts of an action: StoppedError if `stop` is set."""
        if self.stop is not None and self.stop.is_set():
            raise StoppedError

    def note_or_stop(self, sentence: str) -> None:
        """Notes a sentence between two parts of an action; StoppedError if `stop` is set."""
        self.go_on()
        self.notify(sentence)

    def note_outdated(self, observed: "Observed") -> None:
        """Notes of which levels the simulated players' results are of another version."""
        if observed.outdated:
            number = len(observed.outdated)
            levels = f"{number:,} level{'' if number == 1 else 's'}"
            self.notify(
                f"simulated results of {levels} are not of today's level, "
                f"rules or simulated players: {named_words(observed.outdated)}; "
                "`levelsense players simulate` makes results of today's"
            )

    def note_known(self, evaluation: "Evaluation") -> None:
        """Notes which judged levels the judged model was fitted to."""
        if evaluation.known:
            number = f"{len(evaluation.known):,} of {evaluation.levels.height:,}"
            self.notify(
                f"{number} judged levels have names that the model was fitted to "
                f"({named_words(evaluation.known)}): how it does there says little of others"
            )

    def gather(self, levels: Levels) -> tuple[NamedLevel, ...]:
        """The levels that are meant, each of which can be won; notes which play alike."""
        several = [levels] if isinstance(levels, Level | NamedLevel | str | Path) else levels
        gathered = gather_levels(several)
        if not gathered:
            raise PlaytestError("no levels: expected level files, folders or names of bundled levels")
        for named in gathered:
            if len(named.names) > 1:
                first, *others = named.names
                self.notify(f"{', '.join(others)}: the same level as {first}, played once")
        return gathered

    def gather_one(self, level: Level | NamedLevel | str | Path) -> NamedLevel:
        """The one level that is meant; LevelError if it is a folder of several."""
        gathered = self.gather(level)
        if len(gathered) != 1:
            raise LevelError([f"{level}: {len(gathered)} levels; expected one"])
        return gathered[0]

    def pairs_progress(self, levels: int) -> Callable[[Sequence[PairProgress]], None] | None:
        """Progress of a playtest of so many levels, for the runner; None without a `progress` callback."""
        watch = self.progress
        if watch is None:
            return None

        def report(pairs: Sequence[PairProgress]) -> None:
            unfinished = {pair.pair.name for pair in pairs if not pair.finished}
            watch(Progress("playing", levels - len(unfinished), levels, pairs))

        return report

    def levels_progress(self, doing: str, levels: int) -> Callable[[int], None]:
        """Progress by the number of levels that are done."""

        def report(done: int) -> None:
            if self.progress is not None:
                self.progress(Progress(doing, done, levels))

        return report

    def table(
        self, levels: Sequence[NamedLevel], agents: Mapping[str, int], sinks: Sinks, database: Database
    ) -> pl.DataFrame:
        """The table of agents at levels, with what is missing played and kept; StoppedError if stopped."""
        from levelsense.prediction.table import MEASURES_VERSION, play_table

        watch, done = self.progress, 0

        def hear_levels(number: int) -> None:
            nonlocal done
            done = number
            assert watch is not None
            watch(Progress("playing", done, len(levels)))

        def hear_pairs(pairs: Sequence[PairProgress]) -> None:
            assert watch is not None
            watch(Progress("playing", done, len(levels), pairs))

        progress, levels_done = (None, None) if watch is None else (hear_pairs, hear_levels)
        kept = KeptMeasures(database, self.seed, MEASURES_VERSION)
        return play_table(
            levels, agents, self.seed, self.threads, sinks, progress, self.stop, levels_done, kept
        )

    def attempts(
        self,
        levels: Sequence[NamedLevel],
        agents: Mapping[str, int],
        sinks: Sinks,
        *,
        as_for_a_model: bool = False,
    ) -> PlaytestResult:
        """So many attempts of each agent, level by level and in the order of the agents.

        As for a model's table, they play more where they hardly win.
        """
        from levelsense.prediction.table import more_where_hard

        pairs: dict[tuple[str, str], PairResult] = {}
        for attempts in sorted(set(agents.values())):
            specs = [spec for spec, number in agents.items() if number == attempts]
            goes_on = more_where_hard(attempts) if as_for_a_model else None
            played = playtest(
                levels,
                specs,
                attempts,
                self.seed,
                self.threads,
                sink=sinks(),
                progress=self.pairs_progress(len(levels)),
                stop=self.stop,
                ceiling=goes_on.ceiling if goes_on else None,
                wins=goes_on.wins if goes_on else None,
            )
            if played.interrupted:
                raise StoppedError
            pairs |= {(pair.pair.name, pair.agent): pair for pair in played.pairs}
        names = dict.fromkeys(name for name, _ in pairs)
        return PlaytestResult(tuple(pairs[name, spec] for name in names for spec in agents))


def check_wanted(target: float | None) -> None:
    """PlaytestError for a target that is no success rate, before anything is played."""
    if target is not None:
        check_target(target)


def read_model(model: Model) -> "DifficultyModel":
    """The model itself, that of a file, or the one that comes with levelsense: for None and `default`."""
    from levelsense.prediction.model import DifficultyModel, default_model

    if isinstance(model, DifficultyModel):
        return model
    if model is None or str(model) == DEFAULT_MODEL:
        return default_model()
    return DifficultyModel.load(model)


def read_prior(
    prior: "DifficultyModel | str | Path | None", agents: Sequence[str | Agent] | None
) -> "DifficultyModel | None":
    """The model that a fit starts from: itself, of a file, or levelsense's own for `default`.

    PredictionError if it is of one population only, or if other agents are asked for than it has.
    """
    if prior is None:
        return None
    model = read_model(prior)
    model.population_prior()
    if agents is not None:
        raise PredictionError(
            f"`agents` {', '.join(map(str, agents))}: expected none beside a prior, whose agents play: "
            f"{', '.join(map(agent_words, model.origin_.attempts))}"
        )
    return model


def shown_agents(
    model: "DifficultyModel", agents: Sequence[str | Agent] | None, attempts: int | None
) -> dict[str, int]:
    """How many attempts of each agent a page shows: those of the model's agents, unless others are asked for.

    An agent of the model is shown with as many attempts as the model needs, another one as a playtest is.
    """
    from levelsense.prediction.table import parse_counted

    needed = model.origin_.attempts
    words = [str(agent) for agent in agents or needed or (defaults.AGENT,)]
    if attempts is not None:
        return parse_counted(words, attempts)
    numbers = parse_counted(words, defaults.ATTEMPTS)
    counted = {spec for word in words if "@" in word for spec in parse_counted([word], defaults.ATTEMPTS)}
    return {spec: number if spec in counted else needed.get(spec, number) for spec, number in numbers.items()}
