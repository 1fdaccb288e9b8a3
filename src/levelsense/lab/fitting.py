"""What the Lab does with models: fits them to players' results, and evaluates one or two."""

import dataclasses
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Union

import polars as pl

from levelsense import defaults
from levelsense.agents.registry import Agent
from levelsense.errors import PredictionError
from levelsense.lab.run import Levels, Model, Note, Run, Watch, read_model, read_prior
from levelsense.lab.store import LabStore

if TYPE_CHECKING:
    from levelsense.prediction.evaluation import Evaluation
    from levelsense.prediction.model import DifficultyModel
    from levelsense.prediction.observed import Observed

# Another model, its file, or the agents of a model that is to be fitted.
Against = Union["DifficultyModel", Path, Sequence[str], None]


class Fitting(LabStore):
    """Models are fitted and judged."""

    def fit(
        self,
        levels: Levels,
        *,
        agents: Sequence[str | Agent] | None = None,
        attempts: int = defaults.MODEL_ATTEMPTS,
        cohort: str | None = None,
        by_cohort: bool = False,
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
        players' results are left out, and `note` says which. Of several cohorts one is to be chosen; `*` is
        all people together. With `by_cohort` all cohorts count, or those that match `cohort`, each with an
        offset of its own; the model's `for_cohort` gives that of one. Rows with boosters count only with
        `boosters`. StoppedError if it is stopped.

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
        (table,), observed = self._observed_tables(
            run, levels, [played_by], cohort, boosters=boosters, by_cohort=by_cohort
        )
        fitted = DifficultyModel(prior=earlier)
        if by_cohort:
            fitted.fit_cohorts(table, observed.cohorts, observed.players, observed.simulated)
        else:
            fitted.fit(table, observed.players, observed.simulated)
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
        levels: the two are compared at the judged levels. A model that tells cohorts apart is judged as that
        of the `cohort` whose results count.
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
            rest, judged = tables[0].slice(first or 0), contenders.model
            if cohort in judged.cohorts_:
                judged = judged.for_cohort(cohort)
            evaluation = evaluate_model(judged, rest, observed.players, observed.simulated)
            run.note_known(evaluation)
        if len(tables) == 1:
            return evaluation
        name, other = contenders.fitted_other(tables[1])
        return compared(evaluation, tables[0].slice(first or 0), name, other, tables[1].slice(first or 0))

    def _observed_tables(
        self,
        run: Run,
        levels: Levels,
        agents: Sequence[Mapping[str, int]],
        cohort: str | None,
        first: int | None = None,
        *,
        boosters: bool = False,
        by_cohort: bool = False,
    ) -> "tuple[list[pl.DataFrame], Observed]":
        """Tables of levels that players have results of, one a set of agents, and whose results these are.

        `first` is how many of them will be fitted to, if others are to be judged: checked before any agent
        plays.
        """
        from levelsense.prediction.cohorts import check_cohorts
        from levelsense.prediction.evaluation import check_first
        from levelsense.prediction.observed import observed_rates
        from levelsense.prediction.table import with_players

        gathered = run.gather(levels)
        with self._open(make=False) as database:
            observed = observed_rates(database, gathered, cohort, boosters=boosters, apart=by_cohort)
            if by_cohort:
                check_cohorts(len(observed.cohorts))
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


class Contenders:
    """The model that is judged (None: it is to be fitted), and the one that it is compared with.

    agents  how many attempts each agent has: of the first model and, if there is one, of the other
    first   how many levels are fitted to; None if nothing is
    """

    def __init__(
        self, model: Model, agents: Mapping[str, int], against: Against, attempts: int, first: int | None
    ) -> None:
        """PredictionError if there is nothing to fit to, and something to fit."""
        from levelsense.prediction.table import parse_counted

        self.model = None if model is None else read_model(model)
        self.agents = [agents if self.model is None else dict(self.model.origin_.attempts)]
        self._other: DifficultyModel | None = None
        self._name = ""
        needs_first = self.model is None
        if against is not None:
            if isinstance(against, Sequence) and not isinstance(against, str):
                numbers = parse_counted(against, attempts)
                self._name, needs_first = " and ".join(against), True
            else:
                self._other = read_model(against)
                numbers = dict(self._other.origin_.attempts)
                self._name = against.name if isinstance(against, Path) else "the other model"
            self.agents.append(numbers)
        if needs_first and first is None:
            raise PredictionError("`first`: none; expected how many levels to fit to, or a saved `model`")
        self._first = first
        self.first = first if needs_first else None

    def fitted_other(self, table: pl.DataFrame) -> "tuple[str, DifficultyModel]":
        """The other model with its name, fitted to the first levels of its table if it is not fitted yet."""
        from levelsense.prediction.model import DifficultyModel

        if self._other is None:
            return self._name, DifficultyModel().fit(table.head(self._first or 0))
        return self._name, self._other
