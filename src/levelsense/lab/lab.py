"""What levelsense does, as a library: playtests, predictions, fits and pages, with one database behind them.

The command line, the studio, notebooks and clusters call these functions. Whatever they need from around them
is an argument: `progress` hears how far an action is, `note` hears sentences about what is being done, and
setting `stop` ends it early with everything kept that was played.
"""

import dataclasses
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import polars as pl

from levelsense import defaults
from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import PlayersError
from levelsense.files import check_writable
from levelsense.lab.contenders import Contenders
from levelsense.lab.run import (
    Levels,
    Model,
    Note,
    Run,
    Watch,
    check_wanted,
    read_model,
    read_prior,
    shown_agents,
)
from levelsense.level.level import Level, bundled_levels
from levelsense.playtest import NamedLevel, PlaytestResult, playtest
from levelsense.playtest.figures import LevelFigures, level_figures
from levelsense.playtest.plan import Sink
from levelsense.playtest.runner import check_asked
from levelsense.store import Counts, Database, PlayerResults, Recorder
from levelsense.store.address import IN_MEMORY, is_to_be_made, shown_name

if TYPE_CHECKING:
    from levelsense.lab.changes import Saved
    from levelsense.losses.explain import LevelExplanation
    from levelsense.people.records import Records
    from levelsense.people.simulated.simulation import Simulated
    from levelsense.people.telemetry import TelemetryCheck
    from levelsense.playtest.tuning import Tuning
    from levelsense.prediction.compare import Comparison
    from levelsense.prediction.curve import CurveLevel
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.prediction.levels import LevelPrediction
    from levelsense.prediction.model import DifficultyModel
    from levelsense.prediction.observed import Observed
    from levelsense.prediction.suggestions import Suggestions
    from levelsense.prediction.tuning import PlayersTuning
    from levelsense.report.page import Page

# What an action needs is imported when it is called: a playtest waits neither for SciPy nor for charts.


class Lab:
    """Agents, players and predictions for levels, kept in one database.

    Levels are given as Level objects, files, folders, or names of bundled levels; agents by their specs.
    """

    def __init__(self, database: str | Path | None = None, *, command: str | None = None) -> None:
        """`database` is a file or a PostgreSQL URL; without one all is kept in memory, as long as this lives.

        `command` is noted with runs in the database, so that they can be told apart later.
        """
        self.database = IN_MEMORY if database is None else str(database)
        self._memory = Database(IN_MEMORY) if database is None else None
        self._turn = threading.RLock()  # threads use what is in memory one after the other
        self._command = command

    def __repr__(self) -> str:
        return "<Lab in memory>" if self._memory else f"<Lab {shown_name(self.database)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Forgets what is kept in memory; a database file needs no closing."""
        if self._memory is not None:
            self._memory.close()

    @contextmanager
    def _open(self, make: bool = True) -> Iterator[Database]:
        """The database, for one action: between actions no file is held open."""
        if self._memory is not None:
            with self._turn:
                yield self._memory
            return
        with Database(self.database, make=make) as database:
            yield database

    def _sinks(self, database: Database) -> Callable[[], Sink]:
        return lambda: Recorder(database, self._command)

    # ---- agents

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

    def figures(
        self,
        tested: PlaytestResult,
        *,
        threads: int | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> list[LevelFigures]:
        """Every figure of a playtest, level by level: statistics, success by limit, skill and luck.

        Some take attempts beyond the playtest's own: `note` hears of them, and what can be kept is kept. An
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

    # ---- predictions

    def predict(
        self,
        levels: Levels,
        *,
        target: float | None = None,
        model: Model = None,
        place: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[LevelPrediction]":
        """What success rate to expect of players at each level, how sure that is, and why.

        The model's agents play what the database does not have. StoppedError if they are stopped. `place` is
        that of the first level in the saga, others follow: players change along it. Left out, levels that the
        model was fitted to have their places, by name, and others come next after these.
        """
        from levelsense.prediction.levels import predict_levels
        from levelsense.prediction.table import with_places

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        gathered = run.gather(levels)
        with self._open() as database:
            table = run.table(gathered, chosen.origin_.attempts, self._sinks(database), database)
        return predict_levels(chosen, table if place is None else with_places(table, place), target)

    def explain(
        self,
        levels: Levels,
        *,
        target: float | None = None,
        model: Model = None,
        agent: str | Agent = defaults.EXPLAINED_AGENT,
        attempts: int = defaults.EXPLAINED_ATTEMPTS,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[LevelExplanation]":
        """What to expect of players at each level, and why attempts are lost, in sentences.

        The losses are those of `agent`; the one that is taken if none is given draws its moves as players
        make them. Nothing is said from fewer than 30 lost attempts. StoppedError if it is stopped.
        """
        check_wanted(target)
        check_asked(attempts, seed, threads)
        parsed = parse_agent(agent) if isinstance(agent, str) else agent
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        gathered = run.gather(levels)
        predictions = self.predict(
            gathered, target=target, model=chosen, seed=seed, threads=threads, progress=progress, stop=stop
        )
        return self._explanations(run, gathered, predictions, chosen, parsed, attempts)

    def _explanations(
        self,
        run: Run,
        levels: Sequence[NamedLevel],
        predictions: "Sequence[LevelPrediction]",
        model: "DifficultyModel",
        agent: Agent,
        attempts: int,
    ) -> "list[LevelExplanation]":
        """Explanations of predicted levels, from so many attempts of an agent."""
        from levelsense.losses.explain import LevelExplanation, explain_losses, strongest

        with self._open() as database:
            tested = run.attempts(levels, {agent.spec: attempts}, self._sinks(database))
        explanations = []
        explained = run.levels_progress("explaining", len(levels))
        for done, (prediction, pair) in enumerate(zip(predictions, tested.pairs, strict=True)):
            run.go_on()
            explained(done)
            rival = strongest(prediction, model.origin_.attempts, agent.spec)
            losses = explain_losses(agent, pair.played, run.seed, run.threads, rival)
            explanations.append(LevelExplanation(prediction.name, prediction, losses))
        return explanations

    def tune(
        self,
        level: Level | NamedLevel | str | Path,
        target: float,
        *,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "PlayersTuning":
        """Finds the limit with which players' predicted success rate is nearest to a target.

        Every limit that is looked at is predicted as `predict` does. StoppedError if it is stopped.
        """
        from levelsense.prediction.tuning import tune_for_players

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        named = run.gather_one(level)
        with self._open() as database:

            def play(levels: Sequence[NamedLevel]) -> pl.DataFrame:
                return run.table(levels, chosen.origin_.attempts, self._sinks(database), database)

            return tune_for_players(chosen, named, target, seed, threads, play)

    def suggest(
        self,
        level: Level | NamedLevel | str | Path,
        target: float,
        *,
        allow: Sequence[str] = (),
        keep: str = "",
        most: int = defaults.SUGGESTIONS,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "Suggestions":
        """Finds the smallest changes of a level with which players' predicted success rate is a target.

        `allow` are the kinds of changes that may be made (`levelsense.edits.KINDS`; all if left out), `keep`
        cells that stay as they are, as `a1:c3,e5`. Each suggestion is predicted as `predict` does.
        StoppedError if it is stopped.
        """
        from levelsense.lab.changes import suggest

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        named = run.gather_one(level)
        with self._open() as database:
            return suggest(run, chosen, named, target, (allow, keep, most), self._sinks(database))

    def compare(
        self,
        old: Level | NamedLevel | str | Path,
        new: Level | NamedLevel | str | Path,
        *,
        model: Model = None,
        attempts: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "Comparison":
        """What a new version of a level changes: for players, as predicted, and for each agent.

        Both are played on the boards of the old one, so that chance does the same to both; with as many
        `attempts` as the model asks for, or more. StoppedError if it is stopped.
        """
        from levelsense.lab.changes import compare

        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        first, second = run.gather_one(old), run.gather_one(new)
        with self._open() as database:
            return compare(run, chosen, first, second, attempts, self._sinks(database))

    def generate(
        self,
        targets: Sequence[float],
        *,
        saga: int = 1,
        first: int = 1,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
    ) -> "list[CurveLevel]":
        """Generates a level for each target, with which players' predicted success rate is about that.

        They are levels of the saga with the seed `saga`, from number `first` on, with other limits and goals.
        Each is predicted as `predict` does. StoppedError if it is stopped.
        """
        from levelsense.lab.changes import generate

        run, chosen = Run(seed, threads, progress, stop), read_model(model)
        with self._open() as database:
            return generate(run, chosen, targets, saga, first, self._sinks(database))

    def watch(
        self,
        file: str | Path,
        *,
        target: float | None = None,
        model: Model = None,
        seed: int = 0,
        threads: int | None = None,
        stop: threading.Event | None = None,
    ) -> "Iterator[Saved]":
        """Predicts the level of a file now, and again each time it is saved, until `stop` is set.

        A version that is wrong gives its problems, and the watch goes on.
        """
        from levelsense.lab.changes import watch

        check_wanted(target)
        Run(seed, threads)  # what makes no sense is an error now, not with the first version
        chosen = read_model(model)

        def predict(named: NamedLevel) -> "LevelPrediction":
            (prediction,) = self.predict(
                named, target=target, model=chosen, seed=seed, threads=threads, stop=stop
            )
            return prediction

        return watch(Path(file), predict, stop or threading.Event())

    def fit(
        self,
        levels: Levels,
        *,
        agents: Sequence[str | Agent] | None = None,
        attempts: int = defaults.MODEL_ATTEMPTS,
        cohort: str | None = None,
        boosters: bool = False,
        prior: "DifficultyModel | str | Path | None" = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "DifficultyModel":
        """Fits a model to players' results at levels, in saga order; agents play what is missing.

        `agents` may say how many attempts they have, as in `mcts@100`; others have `attempts`. Levels without
        players' results are left out, of which `note` hears. Of several cohorts one is to be chosen; `*` is
        all people together. Rows with boosters count only with `boosters`. StoppedError if it is stopped.

        With a `prior`, a model of several populations or `default`, the fit starts from what it says of
        players who are not known, with its agents: a few levels are enough then, and many take over.
        """
        from levelsense.prediction.explain import drift_words
        from levelsense.prediction.model import DifficultyModel
        from levelsense.prediction.table import parse_counted

        run, earlier = Run(seed, threads, progress, stop, note), read_prior(prior, agents)
        played_by = (
            parse_counted(agents or defaults.MODEL_AGENTS, attempts)
            if earlier is None
            else earlier.origin_.attempts
        )
        (table,), observed = self._observed_tables(run, levels, [played_by], cohort, boosters=boosters)
        fitted = DifficultyModel(prior=earlier).fit(table, observed.players, observed.simulated)
        fitted.origin_ = dataclasses.replace(fitted.origin_, persistence=observed.persistence)
        for sentence in drift_words(fitted):
            run.notify(sentence)
        return fitted

    def evaluate(
        self,
        levels: Levels,
        first: int | None = None,
        *,
        model: Model = None,
        agents: Sequence[str | Agent] = defaults.MODEL_AGENTS,
        attempts: int = defaults.MODEL_ATTEMPTS,
        against: "DifficultyModel | Path | Sequence[str] | None" = None,
        cohort: str | None = None,
        boosters: bool = False,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "Evaluation":
        """Fits to the `first` levels of a saga, predicts the next, and compares with players' results.

        With a `model` that was fitted before, nothing is fitted: it is judged by all levels, or by those
        after the `first`. `against` is another model, or the agents of one that is fitted to the first
        levels: the two are compared at the judged levels.
        """
        from levelsense.prediction.evaluation import compared, evaluate, evaluate_model
        from levelsense.prediction.table import parse_counted

        contenders = Contenders(model, parse_counted(agents, attempts), against, attempts, first)
        run = Run(seed, threads, progress, stop, note)
        tables, observed = self._observed_tables(
            run, levels, contenders.agents, cohort, contenders.first, boosters=boosters
        )
        if contenders.model is None:
            assert first is not None
            evaluation = evaluate(tables[0], first, observed.players, observed.simulated)
        else:
            rest = tables[0].slice(first or 0)
            evaluation = evaluate_model(contenders.model, rest, observed.players, observed.simulated)
        if len(tables) == 1:
            return evaluation
        name, other = contenders.fitted_other(tables[1])
        return compared(evaluation, tables[0].slice(first or 0), name, other, tables[1].slice(first or 0))

    # ---- pages

    def report(
        self,
        levels: Levels,
        *,
        model: Model = None,
        target: float | None = None,
        cohort: str | None = None,
        boosters: bool = False,
        agents: Sequence[str | Agent] | None = None,
        attempts: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "Page":
        """A page about levels: what to expect of players, why attempts are lost, how agents fared.

        The attempts of the model's agents are shown, unless others are asked for. StoppedError if stopped.
        """
        from levelsense.prediction.observed import known_rates, observed_rates
        from levelsense.report.forecast import forecast_of
        from levelsense.report.page import Page, page_origin, report_page

        check_wanted(target)
        run, chosen = Run(seed, threads, progress, stop, note), read_model(model)
        shown_attempts = shown_agents(chosen, agents, attempts)
        gathered = run.gather(levels)
        with self._open(make=cohort is None) as database:
            observed = (
                known_rates(database, gathered, boosters=boosters)
                if cohort is None
                else observed_rates(database, gathered, cohort, boosters=boosters)
            )
            if observed is not None:
                run.note_outdated(observed)
            table = run.table(gathered, chosen.origin_.attempts, self._sinks(database), database)
            of_model = agents is None and attempts is None  # the very attempts of the prediction
            tested = run.attempts(gathered, shown_attempts, self._sinks(database), as_for_a_model=of_model)
        watched = note if progress is not None else None  # which figures are under way is no remark
        figures = self.figures(tested, threads=threads, stop=stop, note=watched)
        forecast = forecast_of(chosen, table, observed, target)
        explanations = self._explanations(
            run,
            gathered,
            [forecast.expected[named.name] for named in gathered],
            chosen,
            parse_agent(defaults.EXPLAINED_AGENT),
            defaults.EXPLAINED_ATTEMPTS,
        )
        losses = {explanation.name: explanation.losses for explanation in explanations}
        return Page(report_page(figures, page_origin(seed), forecast, losses))

    # ---- players

    def import_players(
        self,
        files: str | Path | Sequence[str | Path],
        *,
        columns: Mapping[str, str] | None = None,
        cohort: str | None = None,
        replace: bool = False,
        skip_wrong: bool = False,
    ) -> "list[tuple[Records, Counts]]":
        """Takes in people's results from CSV or Parquet files: what each file held, and what was stored.

        `columns` says which column holds what where that is not clear, as {"level": "stage"}. Nothing is
        stored if anything is wrong; what is stored already is not stored again.
        """
        from levelsense.people.records import read_all

        paths = [Path(files)] if isinstance(files, str | Path) else [Path(path) for path in files]
        records = read_all(paths, columns or {}, cohort, skip_wrong=skip_wrong)
        frames = [read.rows for read in records]
        if self._memory is None and is_to_be_made(self.database):
            # Tried before: what cannot be stored leaves no empty database behind.
            with Database(IN_MEMORY) as trial:
                PlayerResults(trial).add_all(frames, replace=replace)
        with self._open() as database:
            counts = PlayerResults(database).add_all(frames, replace=replace)
        return list(zip(records, counts, strict=True))

    def rates(
        self,
        levels: Sequence[str] = (),
        *,
        cohort: str | None = None,
        boosters: bool = False,
        details: bool = False,
    ) -> pl.DataFrame:
        """Players' success rate at each level with its interval, simulated players apart from people.

        `levels` are names or patterns such as `0*` of what is stored; all if there are none. Each cohort has
        rates of its own; a pattern such as `*` takes people's cohorts that match it together. Rows with
        boosters are told apart, unless `boosters` lets them count. `details` adds how many attempts a player
        needs, who is still stuck after 5, 10 and 20, who gave up, and moves left.
        """
        from levelsense.people.rates import stored_rates

        with self._open(make=False) as database:
            return stored_rates(database, levels, cohort, boosters=boosters, details=details)

    def simulate(
        self,
        levels: Levels,
        players: int = defaults.SIMULATED_PLAYERS,
        *,
        mix: str | Mapping[str, float] = defaults.MIX,
        leave: float = 0.0,
        seed: int = 0,
        threads: int | None = None,
        attempts: str | Path | None = None,
        telemetry: str | Path | None = None,
        progress: Watch | None = None,
        stop: threading.Event | None = None,
        note: Note | None = None,
    ) -> "Simulated":
        """Lets simulated players try levels, and keeps their results as those of a cohort of their own.

        They are no people, and every figure from them says so. `mix` is a name such as `both`, or shares of
        types: by type, or as text such as `casual=0.4,hoarder=0.6`. Who gives up at a level leaves the game
        with the probability `leave` times the share of levels given up so far: later levels are played by
        those who are left. `attempts` and `telemetry` are files for every attempt and every move, as CSV or
        Parquet by suffix. The result says whether it was interrupted.
        """
        from levelsense.people.simulated.simulation import Simulation, simulate_levels
        from levelsense.people.simulated.traits import draw_population

        run = Run(seed, threads, progress, stop, note)
        population = draw_population(players, seed, mix, leave)
        gathered = run.gather(levels)
        simulation = Simulation(gathered, population, threads, _path(attempts), _path(telemetry))
        for path in simulation.paths:
            check_writable(path)
        levels_done = run.levels_progress("simulating", len(gathered))
        return simulate_levels(simulation, self._open, levels_done, stop or threading.Event(), run.notify)

    def check_telemetry(
        self,
        file: str | Path,
        levels: Levels | None = None,
        *,
        progress: Watch | None = None,
    ) -> "TelemetryCheck":
        """Reads a file of moves or of positions row by row: how much it holds, and what is wrong with it.

        `levels` are those that it is of; the bundled ones if left out. PlayersError if it cannot be read.
        """
        from levelsense.people.telemetry import check_telemetry, read_telemetry

        run, telemetry = Run(progress=progress), read_telemetry(file)
        gathered = run.gather(bundled_levels() if levels is None else levels)
        return check_telemetry(telemetry, gathered, run.levels_progress("checking", telemetry.extent.levels))

    def export_positions(
        self,
        file: str | Path,
        output: str | Path,
        levels: Levels | None = None,
        *,
        progress: Watch | None = None,
    ) -> int:
        """Writes the positions of a file of moves as rows, CSV or Parquet by suffix; gives their number.

        `levels` are those that the file is of; the bundled ones if left out.
        """
        from levelsense.people.telemetry import export_positions, read_telemetry

        if Path(output).resolve() == Path(file).resolve():
            raise PlayersError(f"{output}: the file that is read; expected another to write to")
        check_writable(output)
        run, telemetry = Run(progress=progress), read_telemetry(file)
        gathered = run.gather(bundled_levels() if levels is None else levels)
        levels_done = run.levels_progress("exporting", telemetry.extent.levels)
        return export_positions(telemetry, gathered, Path(output), levels_done)

    def _observed_tables(
        self,
        run: Run,
        levels: Levels,
        agents: Sequence[Mapping[str, int]],
        cohort: str | None,
        first: int | None = None,
        *,
        boosters: bool = False,
    ) -> "tuple[list[pl.DataFrame], Observed]":
        """Tables of levels that players have results of, one a set of agents, and whose results these are.

        `first` is how many of them will be fitted to, if others are to be judged: checked before any agent
        plays.
        """
        from levelsense.prediction.evaluation import check_first
        from levelsense.prediction.observed import observed_rates
        from levelsense.prediction.table import with_players

        gathered = run.gather(levels)
        with self._open(make=False) as database:
            observed = observed_rates(database, gathered, cohort, boosters=boosters)
            run.note_outdated(observed)
            names_with_results = set(observed.rates["level"])
            chosen = [named for named in gathered if named.name in names_with_results]
            if len(chosen) < len(gathered):
                left_out = len(gathered) - len(chosen)
                run.notify(
                    f"{left_out:,} of {len(gathered):,} levels have no players' results and are left out"
                )
            if first is not None:
                check_first(first, len(chosen))
            tables = [run.table(chosen, numbers, self._sinks(database), database) for numbers in agents]
        return [with_players(table, observed.rates) for table in tables], observed


def _path(path: str | Path | None) -> Path | None:
    return None if path is None else Path(path)


def playtest_page(figures: Sequence[LevelFigures], seed: int = 0) -> "Page":
    """The page about a playtest alone, from the figures of `Lab.figures`."""
    from levelsense.report.page import Page, page_origin, report_page

    return Page(report_page(figures, page_origin(seed)))


def evaluation_page(evaluation: "Evaluation", seed: int = 0) -> "Page":
    """The page about how good predictions are, from `Lab.evaluate`."""
    from levelsense.report.page import Page, page_origin, prediction_page

    return Page(prediction_page(evaluation, page_origin(seed)))
