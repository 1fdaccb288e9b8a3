"""Evaluation of the model: fitted to the first levels of a saga, or before, and judged by players' results.

delta      predicted minus observed success rate
adjusted   delta / sqrt(p (1 - p)), p the observed rate: the same miss counts more at the extremes
outside    the observed rate lies outside the 95 % band of rates observed in as many attempts
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl
from scipy.special import logit, ndtri, stdtrit

from levelsense.agents.registry import agent_words
from levelsense.errors import PredictionError
from levelsense.prediction.covariates import Covariates
from levelsense.prediction.mixed.quadrature import LevelLikelihood
from levelsense.prediction.model import DifficultyModel
from levelsense.prediction.model_file import Origin
from levelsense.prediction.table import agent_column, agents_of, require, with_places

THIRDS: Final = ("hardest third", "middle third", "easiest third")
FEWEST_LEVELS: Final = 3
DENSITY_NODES: Final = 15
FEWEST_FOR_TREND: Final = 10  # levels
TREND_CHANCE: Final = 0.99  # of the intervals by which a model is warned of: two of them, each time
LEAST_OFF: Final = 0.005  # of success rate: less is not worth a warning
# Mean and standard deviation of deltas ("delta") and of adjusted deltas ("adjusted").
Spreads = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Figures:
    """The errors of a model's predictions at levels that it was not fitted to.

    mae             mean absolute delta
    outside         share of levels outside the 95 % band
    sigma           standard deviation of the random effect kappa, in logits
    width           mean width of the 95 % band
    delta           mean and standard deviation of the deltas
    adjusted        mean and standard deviation of the adjusted deltas
    outside_thirds  share outside in each third of the levels by observed rate, the hardest first
    mae_thirds      mean absolute delta in each
    """

    name: str
    levels: int
    mae: float
    outside: float
    sigma: float
    width: float
    delta: tuple[float, float]
    adjusted: tuple[float, float]
    outside_thirds: tuple[float, ...]
    mae_thirds: tuple[float, ...]


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference of two predictors over levels, with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Departure:
    """How far predictions are off, in success rate, with a 99 % interval; above 0 they are too high.

    The interval allows for chance and for the coefficients, which the fit knows only so well. That players
    may change, or be others than those of the fit, is what it is to show.
    """

    mean: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether it is more than the interval allows for, and large enough to matter."""
        return (self.low > 0 or self.high < 0) and abs(self.mean) >= LEAST_OFF


@dataclass(frozen=True)
class Departures:
    """Whether a model's predictions are off on one side, or more and more along the saga.

    side    the mean delta
    change  by how much delta changes from the first judged level to the last, on a straight line
    ends    delta at these two, on that line
    """

    side: Departure
    change: Departure
    ends: tuple[float, float]


@dataclass(frozen=True)
class ModelComparison:
    """A model beside another at the same levels: differences level by level, the model's less the other's.

    against  the other's name; its figures are among the baselines
    mae      of the absolute deltas: below 0, the model is nearer
    density  of the log predictive densities of players' counts: above 0, the model expected them more
    """

    against: str
    mae: PairedDifference
    density: PairedDifference


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A model and its predictions of levels that it was not fitted to, judged.

    fitted      the number of levels fitted to
    figures     the model's errors at the judged levels
    baselines   the errors of simpler models at the same levels, and of the one that it is compared with
    levels      a row a judged level: observed, the prediction with its bands, delta, adjusted, outside,
                third, and `AGENT`, the success rate of each agent
    origin      whose results it is judged by, and the agents' attempts
    saved       whether it was fitted before, rather than to the levels before the judged ones
    comparison  how it does beside another model, if there is one
    departures  of a model that was fitted before: whether it has gone off since
    """

    fitted: int
    model: DifficultyModel
    figures: Figures
    baselines: tuple[Figures, ...]
    levels: pl.DataFrame
    origin: Origin
    saved: bool = False
    comparison: ModelComparison | None = None
    departures: Departures | None = None

    @property
    def known(self) -> tuple[str, ...]:
        """The judged levels that the model was fitted to, by their names: no test of it."""
        return tuple(name for name in self.levels["level"] if self.saved and name in self.model.places_)


def evaluate(
    table: pl.DataFrame,
    first: int,
    players: str = "",
    simulated: bool = False,
    agents: Sequence[str] | None = None,
) -> Evaluation:
    """Fits to the first levels of a table, which is in saga order, and judges the rest.

    `players` and `simulated` say whose results those are; `agents` are all of the table's if left out.
    """
    require(table, ("attempts", "successes"))
    check_first(first, table.height)
    used = agents_of(table) if agents is None else tuple(agents)
    table = with_places(table, 1)
    past, rest = table.head(first), table.slice(first)
    model = DifficultyModel(used).fit(past, players, simulated)
    levels = judged(model, rest)
    return Evaluation(
        first,
        model,
        figures("the model", model, levels),
        tuple(_baseline(name, columns, past, rest) for name, columns in _baselines(used).items()),
        levels,
        model.origin_,
    )


def evaluate_model(
    model: DifficultyModel, table: pl.DataFrame, players: str = "", simulated: bool = False
) -> Evaluation:
    """Judges a model that was fitted before by all levels of a table; `players` are those of the table."""
    require(table, ("attempts", "successes"))
    check_judged(table.height)
    levels = judged(model, table)
    origin = replace(model.origin_, players=players, simulated=simulated)
    return Evaluation(
        model.origin_.levels,
        model,
        figures("the model", model, levels),
        (),
        levels,
        origin,
        saved=True,
        departures=departures(model, table, levels),
    )


def departures(model: DifficultyModel, table: pl.DataFrame, levels: pl.DataFrame) -> Departures | None:
    """Whether the deltas of a table's judged levels lie on one side, or change along it; None if few."""
    count, delta = levels.height, levels["delta"].to_numpy()
    if count < FEWEST_FOR_TREND:
        return None
    place = np.linspace(-0.5, 0.5, count)
    level, slope = np.full(count, 1 / count), place / (place @ place)
    mean, change = float(level @ delta), float(slope @ delta)
    noise = np.array([delta.var(ddof=1), ((delta - mean - change * place) ** 2).sum() / (count - 2)])
    rates, rows, intervals = levels["rate"].to_numpy(), model.rows(table), []
    for weights, value, variance, freedom in zip(
        (level, slope), (mean, change), noise, (count - 1, count - 2), strict=True
    ):
        # rate (1 - rate) is what a logit more adds to a rate.
        shared = model.mixed_.shared_error(rows, weights * rates * (1 - rates))
        half = stdtrit(freedom, (1 + TREND_CHANCE) / 2) * np.sqrt(variance * (weights @ weights) + shared**2)
        intervals.append(Departure(value, float(value - half), float(value + half)))
    return Departures(intervals[0], intervals[1], (mean - change / 2, mean + change / 2))


def compared(
    evaluation: Evaluation,
    table: pl.DataFrame,
    name: str,
    other: DifficultyModel,
    other_table: pl.DataFrame,
) -> Evaluation:
    """An evaluation with a second model beside the first, at the same levels in the same order.

    The tables hold what each model's agents did at the judged levels, with the same players' results.
    """
    levels = judged(other, other_table)
    if not levels["level"].equals(evaluation.levels["level"]):
        raise PredictionError("`against`: other levels than those that are judged; expected the same")
    successes, attempts = table["successes"].to_numpy(), table["attempts"].to_numpy()
    densities = [
        log_densities(
            of["rate"].to_numpy(), of["low_95"].to_numpy(), of["high_95"].to_numpy(), successes, attempts
        )
        for of in (evaluation.model.predict(table), other.predict(other_table))
    ]
    return replace(
        evaluation,
        baselines=(*evaluation.baselines, figures(name, other, levels)),
        comparison=ModelComparison(
            name,
            paired_difference(evaluation.levels["delta"].abs().to_numpy(), levels["delta"].abs().to_numpy()),
            paired_difference(*densities),
        ),
    )


def paired_difference(ours: Any, theirs: Any) -> PairedDifference:
    """The mean of the differences of two figures a level, with its 95 % interval by Student's t."""
    differences = np.asarray(ours) - np.asarray(theirs)
    mean, count = float(differences.mean()), len(differences)
    half = float(stdtrit(count - 1, 0.975) * differences.std(ddof=1) / np.sqrt(count))
    return PairedDifference(mean, mean - half, mean + half)


def log_densities(rate: Any, low: Any, high: Any, successes: Any, attempts: Any) -> Any:
    """The log predictive density of each level's counts, by the median and the 95 % band of its true rate.

    The logit of the true rate is taken to be normal, which predictions nearly are; so predictions of any kind
    can be compared that have a band.
    """
    tiny = np.finfo(float).tiny
    ends = (logit(np.clip(of, tiny, 1 - np.finfo(float).eps)) for of in (rate, low, high))
    center, lower, upper = ends
    spread = (upper - lower) / (2 * ndtri(0.975))
    return (
        LevelLikelihood(np.asarray(successes), np.asarray(attempts), DENSITY_NODES)
        .slopes(center, spread)
        .value
    )


def check_judged(levels: int) -> None:
    """PredictionError unless so many levels are enough to judge a model by."""
    if levels < FEWEST_LEVELS:
        raise PredictionError(
            f"{levels} levels with players' results to judge by; expected at least {FEWEST_LEVELS}"
        )


def check_first(first: int, levels: int) -> None:
    """PredictionError unless `first` of so many `levels` can be fitted to, with enough left to judge."""
    if levels < 2 * FEWEST_LEVELS:
        raise PredictionError(
            f"{levels} levels with players' results; expected at least {2 * FEWEST_LEVELS}, "
            "some to fit to and some to judge"
        )
    if not FEWEST_LEVELS <= first <= levels - FEWEST_LEVELS:
        raise PredictionError(
            f"first: {first}; of {levels} levels with players' results, expected from {FEWEST_LEVELS} "
            f"to {levels - FEWEST_LEVELS} to fit to"
        )


def _baselines(agents: Sequence[str]) -> dict[str, Covariates]:
    """Columns of the baseline models: none (the mean), features alone, each agent's success rate alone."""
    return {
        "the mean": Covariates((), features=()),
        "features alone": Covariates(()),
        **{f"{agent_words(agent)} alone": Covariates((agent,), ("rate",), ()) for agent in agents},
    }


def _baseline(name: str, columns: Covariates, past: pl.DataFrame, rest: pl.DataFrame) -> Figures:
    model = DifficultyModel(columns=columns).fit(past)
    return figures(name, model, judged(model, rest))


def judged(model: DifficultyModel, table: pl.DataFrame) -> pl.DataFrame:
    """Predictions of levels beside players' results there, with deltas: `Evaluation.levels`."""
    attempts, successes = table["attempts"].to_numpy(), table["successes"].to_numpy()
    predictions = model.predict(model.placed(table), attempts)
    rate, predicted = successes / attempts, predictions["rate"].to_numpy()
    outside = (rate < predictions["low_95"].to_numpy()) | (rate > predictions["high_95"].to_numpy())
    return predictions.with_columns(
        attempts=pl.Series(attempts),
        successes=pl.Series(successes),
        observed=pl.Series(rate),
        delta=pl.Series(predicted - rate),
        adjusted=pl.Series(adjust(predicted - rate, successes, attempts)),
        outside=pl.Series(outside),
        third=thirds_of(rate),
        **{
            agent: table[agent_column(agent, "wins")] / table[agent_column(agent, "attempts")]
            for agent in agents_of(table)
        },
    )


def thirds_of(rates: Any) -> pl.Series:
    """The third that each level is in, by its observed rate among all of them."""
    rank = np.argsort(np.argsort(rates, kind="stable"), kind="stable")
    third = np.minimum(rank * len(THIRDS) // len(rates), len(THIRDS) - 1)
    return pl.Series([THIRDS[k] for k in third])


def adjust(delta: Any, successes: Any, attempts: Any) -> Any:
    """Deltas over sqrt(p (1 - p)), p the rate at which players succeed.

    Half a success and half a failure are added to the counts, since at rates of 0 and 1 the divisor is 0.
    """
    middle = (successes + 0.5) / (attempts + 1)
    return delta / np.sqrt(middle * (1 - middle))


def figures(name: str, model: DifficultyModel, levels: pl.DataFrame) -> Figures:
    """The figures of a model's predictions at judged levels."""
    thirds = [levels.filter(pl.col("third") == third) for third in THIRDS]
    return Figures(
        name,
        levels.height,
        _mean(levels["delta"].abs()),
        _mean(levels["outside"]),
        model.mixed_.sigma_,
        _mean(levels["high_95"] - levels["low_95"]),
        (_mean(levels["delta"]), _deviation(levels["delta"])),
        (_mean(levels["adjusted"]), _deviation(levels["adjusted"])),
        tuple(_mean(third["outside"]) for third in thirds),
        tuple(_mean(third["delta"].abs()) for third in thirds),
    )


def by_ends(levels: pl.DataFrame, agents: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Judged levels split by whether some agent won all or none of its attempts, where its rate says less."""
    at_end = pl.any_horizontal(pl.lit(value=False), *(pl.col(agent).is_in([0.0, 1.0]) for agent in agents))
    return {
        "some agent always or never won": levels.filter(at_end),
        "no agent did": levels.filter(~at_end),
    }


def _mean(column: pl.Series) -> float:
    return float(np.mean(column.to_numpy())) if len(column) else float("nan")


def _deviation(column: pl.Series) -> float:
    return float(np.std(column.to_numpy(), ddof=1))


def accumulated(levels: pl.DataFrame, agents: Sequence[str]) -> pl.DataFrame:
    """Cumulative success rates in the order of levels: columns `players`, `predicted` and one an agent."""
    columns: dict[str, Any] = {"players": levels["observed"], "predicted": levels["rate"]}
    columns |= {agent: levels[agent] for agent in agents}
    return pl.DataFrame(
        {"level": levels["level"], **{name: rates.cum_sum() for name, rates in columns.items()}}
    )


def spreads(levels: pl.DataFrame, rates: str) -> Spreads:
    """Mean and standard deviation of how far a column's rates are from the observed ones at judged levels.

    The column is `rate`, the prediction, or an agent's: its success rate taken as a prediction.
    """
    deltas = levels[rates] - levels["observed"]
    adjusted = adjust(deltas.to_numpy(), levels["successes"].to_numpy(), levels["attempts"].to_numpy())
    return {
        name: (_mean(column), _deviation(column))
        for name, column in (("delta", deltas), ("adjusted", pl.Series(adjusted)))
    }


def _short_figures(levels: pl.DataFrame) -> dict[str, float]:
    return {"mae": _mean(levels["delta"].abs()), "outside": _mean(levels["outside"])}


def evaluation_data(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as `levelsense evaluate --json` prints it."""
    origin, comparison = evaluation.origin, evaluation.comparison
    return {
        "fitted": evaluation.fitted,
        "saved": evaluation.saved,
        "judged": evaluation.levels.height,
        "players": origin.players,
        "simulated": origin.simulated,
        "penalty": evaluation.model.penalty_,
        "figures": asdict(evaluation.figures),
        "baselines": [asdict(baseline) for baseline in evaluation.baselines],
        "comparison": None if comparison is None else asdict(comparison),
        "departures": None if evaluation.departures is None else asdict(evaluation.departures),
        "ends": {
            name: {"levels": group.height} | ({} if group.is_empty() else _short_figures(group))
            for name, group in by_ends(evaluation.levels, evaluation.model.columns_.agents).items()
        },
        "own_rates": {agent: spreads(evaluation.levels, agent) for agent in evaluation.model.columns_.agents},
        "levels": [
            {key: None if value in (float("inf"), None) else value for key, value in row.items()}
            for row in evaluation.levels.to_dicts()
        ],
    }
