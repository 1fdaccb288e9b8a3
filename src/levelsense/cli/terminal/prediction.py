"""Fits, predictions and evaluations in the terminal."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.interruption import Interruption
from levelsense.cli.terminal.playtests import command_words, levels_to_play
from levelsense.cli.terminal.progress import counting
from levelsense.cli.terminal.screen import note, print_rows, warn_if_cold
from levelsense.errors import printable
from levelsense.people.simulated.run import named_words
from levelsense.playtest import NamedLevel
from levelsense.playtest.runner import check_asked
from levelsense.playtest.words import percent
from levelsense.prediction.evaluation import THIRDS, Evaluation, Figures, by_ends, check_first, spreads
from levelsense.prediction.explain import (
    Reason,
    against_target,
    band_words,
    bottleneck_words,
    model_words,
    needed_words,
    reasons,
    unlike_words,
    why_words,
)
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.model import FEWEST_TO_CHOOSE, DifficultyModel
from levelsense.prediction.observed import Observed, observed_rates
from levelsense.prediction.table import StoppedError, parse_counted, play_table, with_players
from levelsense.store import Database, Recorder
from levelsense.store.address import shown_name

SIMULATED_NOTE = "fitted to simulated players, not to people: `levelsense fit` makes a model of your own"


def played_table(
    levels: Sequence[NamedLevel], agents: Mapping[str, int], place: str, seed: int, threads: int | None
) -> pl.DataFrame | None:
    """The table of agents at levels, with what is missing played and kept; None if it was interrupted."""
    check_asked(seed=seed, threads=threads)
    if sys.stderr.isatty():
        warn_if_cold()
    sentence = (
        f"interrupted: what was played is kept in {shown_name(place)}; the same command goes on from there"
    )
    interruption = Interruption(sentence)
    with Database(place) as database, interruption, counting(len(levels)) as told:
        try:
            return play_table(
                levels,
                agents,
                seed,
                threads,
                lambda: Recorder(database, command_words()),
                progress=told.attempts,
                stop=interruption.stop,
                tell=told.levels,
            )
        except StoppedError:
            interruption.conclude(sentence)
            return None


@dataclass(frozen=True, eq=False)
class ObservedTable:
    """The table of levels with players' results, and whose results those are."""

    table: pl.DataFrame
    players: str
    simulated: bool


def observed_table(
    levels: Sequence[str],
    agents: Sequence[str],
    attempts: int,
    cohort: str | None,
    place: str,
    seed: int,
    threads: int | None,
    first: int | None = None,
) -> ObservedTable | None:
    """The table of levels that players have results of, with what agents lack played; None if interrupted.

    `first` is how many of them will be fitted to, if others are to be judged: checked before anybody plays.
    """
    check_asked(seed=seed, threads=threads)
    counted, gathered = parse_counted(agents, attempts), levels_to_play(levels)
    with Database(place, make=False) as database:
        observed = observed_rates(database, gathered, cohort)
    tell_outdated(observed)
    known = set(observed.rates["level"])
    chosen = [named for named in gathered if named.name in known]
    if len(chosen) < len(gathered):
        left_out = len(gathered) - len(chosen)
        note(f"{left_out:,} of {len(gathered):,} levels have no players' results and are left out")
    if first is not None:
        check_first(first, len(chosen))
    table = played_table(chosen, counted, place, seed, threads)
    if table is None:
        return None
    return ObservedTable(with_players(table, observed.rates), observed.players, observed.simulated)


def tell_outdated(observed: Observed) -> None:
    """Says of which levels the players' results are of another version."""
    if observed.outdated:
        number = len(observed.outdated)
        note(
            f"simulated results of {number:,} level{'' if number == 1 else 's'} are not of today's level, "
            f"rules or simulated players: {named_words(observed.outdated)}; "
            "`levelsense players simulate` makes results of today's"
        )


def print_predictions(
    console: Console, model: DifficultyModel, table: pl.DataFrame, target: float | None
) -> None:
    """A line a level: what success rate to expect, how sure that is, and why."""
    found = model.predict(table)
    whose = "simulated players, not of people" if model.origin_.simulated else "players"
    console.print(f"success rates to expect, of {whose}", soft_wrap=True)
    heading = ("level", "success", "50% band", "95% band", "attempts a success")
    rows = [heading + (("against the target",) if target is not None else ())]
    for row in found.iter_rows(named=True):
        cells = (
            row["level"],
            percent(row["rate"]),
            band_words(row, 50),
            band_words(row, 95),
            needed_words(row),
        )
        rows.append(cells + ((against_target(row, target),) if target is not None else ()))
    print_rows(console, rows)
    console.print()
    told = zip(found["level"], why_words(model, table), unlike_words(model, table), strict=True)
    for name, why, unlike in told:
        console.print(Text(printable(f"{name}: {'; '.join(why)}")), soft_wrap=True)
        if unlike:
            console.print(Text(f"  {unlike}", "yellow"), soft_wrap=True)


def tell_of_model(model: DifficultyModel) -> None:
    """Says what a model was fitted to, and if that were simulated players."""
    note(f"model: {model_words(model.origin_)}")
    if model.origin_.simulated:
        note(SIMULATED_NOTE)


def predictions_data(
    model: DifficultyModel, table: pl.DataFrame, target: float | None
) -> list[dict[str, Any]]:
    """Predictions as `levelsense predict --json` prints them."""
    found = model.predict(table)
    return [
        {
            key: value if not isinstance(value, float) or np.isfinite(value) else None
            for key, value in row.items()
        }
        | ({"target": target, "verdict": against_target(row, target)} if target is not None else {})
        | {
            "reasons": [_reason_data(reason) for reason in why],
            "bottleneck": bottleneck_words(model, table, number),
            "unlike": unlike,
            "simulated": model.origin_.simulated,
        }
        for number, (row, why, unlike) in enumerate(
            zip(found.iter_rows(named=True), reasons(model, table), unlike_words(model, table), strict=True)
        )
    ]


def _reason_data(reason: Reason) -> dict[str, Any]:
    return {"what": reason.what, "effect": reason.effect, "points": reason.points}


def print_fit(console: Console, model: DifficultyModel, table: pl.DataFrame) -> None:
    """What a statistician wants to know of a fit."""
    mixed = model.mixed_
    console.print(
        Text(
            "logit(success rate) = b0 + sum of b_j x_j + kappa,  kappa ~ N(0, sigma^2 + v) per level", "bold"
        ),
        soft_wrap=True,
    )
    attempts, successes = int(table["attempts"].sum()), int(table["successes"].sum())
    simulated = " of simulated players" if model.origin_.simulated else ""
    console.print(
        f"{mixed.n_levels_:,} levels, {attempts:,} attempts{simulated}, "
        f"{successes / attempts:.1%} successful",
        soft_wrap=True,
    )
    console.print(
        "maximum likelihood, adaptive Gauss-Hermite quadrature with "
        f"{mixed.nodes} nodes; ridge penalty {model.penalty_:g} on standardized columns, "
        + (
            "chosen by predicting forward in saga order"
            if model.chosen_
            else "too few levels, or too alike, to choose it"
        ),
        soft_wrap=True,
    )
    console.print(
        f"sigma {_sigma_words(mixed)}, log-likelihood {mixed.loglik_:,.1f}, "
        f"{'converged' if mixed.converged_ else 'NOT CONVERGED'}",
        soft_wrap=True,
    )
    console.print()
    rows = [("column", "slope", "error", "z", "spread")]
    errors = mixed.se_[1:] * model.scale_.freedom
    rows.append(("(intercept)", *_slope_cells(mixed.coef_[0], mixed.se_[0]), ""))
    constant = model.seen_.least == model.seen_.most
    for number, name in enumerate(model.columns_.names):
        if not constant[number]:
            cells = _slope_cells(model.slopes_[number], errors[number])
            rows.append((name, *cells, f"{model.scale_.spread[number]:.3g}"))
    print_rows(console, rows)
    told = [
        "slopes are logits for one spread (standard deviation) of a column; errors are of the penalized fit",
        "v is the sampling variance of the agents' attempts, "
        f"{np.sqrt(np.median(model.sampling_variance(table))):.3f} squared at the median level",
    ]
    if constant.any():
        alike = ", ".join(np.array(model.columns_.names)[constant])
        told.append(f"the same at all levels, so that nothing is known of them: {alike}")
    if table.height < FEWEST_TO_CHOOSE:
        told.append(
            f"{table.height:,} levels are few: bands are wide, and little counts beside agents' success rates"
        )
    if model.choice_ is not None:
        tried = zip(model.choice_.penalties, model.choice_.means, strict=True)
        scores = ", ".join(f"{penalty:g}: {mean:.3f}" for penalty, mean in tried)
        told.append(f"mean log predictive density of later levels by penalty: {scores}")
    for sentence in told:
        console.print(sentence, soft_wrap=True, highlight=False)


def _slope_cells(slope: float, error: float) -> tuple[str, str, str]:
    return f"{slope:.3f}", f"{error:.3f}", f"{slope / error:.1f}"


def _sigma_words(mixed: MixedBinomial) -> str:
    """Sigma with its 95 % interval."""
    low, high = mixed.sigma_interval()
    if mixed.sigma_ == 0:
        return f"0 (the likelihood is highest there; 95% below {mixed.sigma_interval(0.9)[1]:.3f})"
    return f"{mixed.sigma_:.3f} (95% {low:.3f} - {high:.3f})"


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """How well the model did on the levels after those it was fitted to, and how others would have done."""
    judged, origin = evaluation.levels.height, evaluation.model.origin_
    console.print(
        f"fitted to {evaluation.fitted:,} levels, judged on the next {judged:,}; "
        f"players: {origin.players or 'all'}" + (" (simulated)" if origin.simulated else ""),
        soft_wrap=True,
    )
    console.print()
    heading = ("prediction by", "MAE", "outside 95%", "sigma", "band", "delta", "adjusted delta")
    rows = [heading, *(_figure_cells(each) for each in (evaluation.figures, *evaluation.baselines))]
    print_rows(console, rows)
    console.print()
    by_third = [("by difficulty", "MAE", "outside 95%")]
    own = evaluation.figures
    for third, mae, outside in zip(THIRDS, own.mae_thirds, own.outside_thirds, strict=True):
        by_third.append((third, percent(mae), percent(outside)))
    print_rows(console, by_third)
    console.print()
    _print_agents(console, evaluation)
    console.print()
    total = evaluation.levels["observed"].sum()
    console.print(
        f"accumulated success rate: players {total:.1f}, predicted {evaluation.levels['rate'].sum():.1f}, "
        + ", ".join(f"{agent} {evaluation.levels[agent].sum():.1f}" for agent in origin.attempts),
        soft_wrap=True,
    )


def _print_agents(console: Console, evaluation: Evaluation) -> None:
    """Levels where an agent's rate is at an end apart, then agents' own rates beside the players'."""
    agents = evaluation.model.columns_.agents
    parts = [("levels where", "levels", "MAE", "outside 95%")]
    for name, some in by_ends(evaluation.levels, agents).items():
        told = (percent(float(np.mean(np.abs(some[column].to_numpy())))) for column in ("delta", "outside"))
        parts.append((name, f"{some.height:,}", *(told if some.height else ("-", "-"))))
    print_rows(console, parts)
    console.print()
    own = [("agents' own rates", "delta", "adjusted delta")]
    for agent in agents:
        found = spreads(evaluation.levels, agent)
        own.append((agent, *_spread_cells(found["delta"], found["adjusted"])))
    print_rows(console, own)


def _spread_cells(delta: tuple[float, float], adjusted: tuple[float, float]) -> tuple[str, str]:
    return (
        f"{100 * delta[0]:+.1f}% (SD {100 * delta[1]:.1f}%)",
        f"{adjusted[0]:+.3f} (SD {adjusted[1]:.3f})",
    )


def _figure_cells(figures: Figures) -> tuple[str, ...]:
    return (
        figures.name,
        percent(figures.mae),
        percent(figures.outside),
        f"{figures.sigma:.2f}",
        percent(figures.width),
        *_spread_cells(figures.delta, figures.adjusted),
    )
