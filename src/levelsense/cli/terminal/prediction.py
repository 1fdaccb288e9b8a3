"""Fits, predictions and evaluations in the terminal."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import agent_words
from levelsense.cli.terminal.export import output
from levelsense.cli.terminal.screen import note, print_rows, print_words
from levelsense.errors import printable
from levelsense.losses.explain import LevelExplanation
from levelsense.people.csv_text import safe_cells
from levelsense.playtest.words import percent
from levelsense.prediction.evaluation import (
    THIRDS,
    Evaluation,
    Figures,
    ModelComparison,
    PairedDifference,
    by_ends,
    spreads,
)
from levelsense.prediction.explain import (
    UNKNOWN_NOTE,
    average_band_words,
    band_words,
    cohort_offsets,
    cohort_words,
    drift_words,
    model_words,
    needed_words,
    rank_words,
)
from levelsense.prediction.levels import LevelPrediction, predictions_table
from levelsense.prediction.mixed.binomial import MixedBinomial
from levelsense.prediction.model import FEWEST_TO_CHOOSE, DifficultyModel
from levelsense.prediction.verdict import departure_sentences, trust_sentence

SIMULATED_NOTE = "fitted to simulated players, not to people: `levelsense fit` makes a model of your own"


def print_predictions(console: Console, predictions: Sequence[LevelPrediction]) -> None:
    """Prints a line a level with the predicted success rate and its bands, then the reasons of each."""
    is_simulated = any(prediction.simulated for prediction in predictions)
    has_target = any(prediction.target is not None for prediction in predictions)
    people = "simulated players, not of people" if is_simulated else "players"
    console.print(f"success rates to expect, of {people}", soft_wrap=True)
    is_unknown = any(prediction.average_95 for prediction in predictions)
    heading: tuple[str, ...] = (
        "level",
        "success",
        *(("against the target",) if has_target else ()),
        "95% band",
        "50% band",
        "attempts a success",
        "harder than",
        *(("95%, average population",) if is_unknown else ()),
    )
    rows = [heading]
    for prediction in predictions:
        row = prediction.row
        cells: tuple[str, ...] = (
            prediction.name,
            percent(prediction.rate),
            *((str(prediction.verdict),) if has_target else ()),
            band_words(row, 95),
            band_words(row, 50),
            needed_words(row),
            rank_words(row),
            *((average_band_words(row),) if is_unknown else ()),
        )
        rows.append(cells)
    print_rows(console, rows)
    console.print()
    for prediction in predictions:
        why = "; ".join(prediction.why)
        print_words(console, printable(f"{prediction.name}: {why}"), 2)
        if prediction.attempts is not None:
            print_words(console, f"  {prediction.attempts.words(prediction.simulated)}", 2)
        if prediction.unlike:
            print_words(console, Text(f"  {prediction.unlike}", "yellow"), 2)


def write_predictions(predictions: Sequence[LevelPrediction], path: Path, exact: bool) -> None:
    """Writes a row a level as CSV: figures, verdict, agents' rates, reasons; no formulas unless exact."""
    table = predictions_table(predictions)
    with output(path) as file:
        (table if exact else safe_cells(table)).write_csv(file)


def print_explanations(console: Console, explanations: Sequence[LevelExplanation]) -> None:
    """Prints each level's verdict, the reasons in order, and what these stand on."""
    for number, explanation in enumerate(explanations):
        if number:
            console.print()
        console.print(Text(printable(explanation.name), style="bold"), soft_wrap=True)
        print_words(console, explanation.verdict)
        for place, sentence in enumerate(explanation.sentences, start=1):
            print_words(console, Text.assemble((f"{place}. ", "bold"), printable(sentence)), 3)
        print_words(console, Text(explanation.losses.basis, style="dim"))


def note_model(model: DifficultyModel) -> None:
    """Notes what a model was fitted to, with a caution if that were simulated players."""
    note(f"model: {model_words(model.origin_)}")
    if model.populations_ is not None:
        note(UNKNOWN_NOTE)
    if model.origin_.simulated:
        note(SIMULATED_NOTE)
    for sentence in (*drift_words(model), *cohort_words(model)):
        note(sentence)


def _levels_words(number: int) -> str:
    return f"{number:,} {'level' if number == 1 else 'levels'}"


def print_fit(console: Console, model: DifficultyModel) -> None:
    """Prints the statistics of a fit: sigma, penalty, log-likelihood, slopes with standard errors."""
    mixed, table = model.mixed_, model.table_
    console.print(
        Text(
            "logit(success rate) = b0 + sum of b_j x_j + kappa,  kappa ~ N(0, sigma^2 + v) per level", "bold"
        ),
        soft_wrap=True,
    )
    attempts, successes = int(table["attempts"].sum()), int(table["successes"].sum())
    simulated = " of simulated players" if model.origin_.simulated else ""
    console.print(
        f"{_levels_words(mixed.n_levels_)}, {attempts:,} attempts{simulated}, "
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
    constant = model.known_range_.least == model.known_range_.most
    for number, name in enumerate(model.columns_.names):
        if not constant[number]:
            cells = _slope_cells(model.slopes_[number], errors[number])
            rows.append((name, *cells, f"{model.scale_.spread[number]:.3g}"))
    print_rows(console, rows)
    sentences = [] if model.prior is None else [f"prior: {model_words(model.prior.origin_)}"]
    sentences += [
        "slopes are logits for one spread (standard deviation) of a column; errors are of the penalized fit",
        "v is the sampling variance of the agents' attempts, "
        f"{np.sqrt(np.median(model.sampling_variance(table))):.3f} squared at the median level",
    ]
    if constant.any():
        names = ", ".join(np.array(model.columns_.names)[constant])
        sentences.append(f"the same at all levels, so that nothing is known of them: {names}")
    if table.height < FEWEST_TO_CHOOSE:
        sentences.append(
            f"{_levels_words(table.height)} {'is' if table.height == 1 else 'are'} few: bands are wide, and "
            "little counts beside agents' success rates"
        )
    sentences += [f"{name}: {words}" for name, words in cohort_offsets(model).items()]
    if model.choice_ is not None:
        tried = zip(model.choice_.penalties, model.choice_.means, strict=True)
        scores = ", ".join(f"{penalty:g}: {mean:.3f}" for penalty, mean in tried)
        sentences.append(f"mean log predictive density of later levels by penalty: {scores}")
    for sentence in sentences:
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
    """Prints the errors of the model and of its baselines on the levels after those they were fitted to."""
    judged, origin = f"{evaluation.levels.height:,} levels", evaluation.origin
    next_levels = f"the next {evaluation.levels.height:,}"
    print_words(console, Text(trust_sentence(evaluation), style="bold"))
    for sentence in departure_sentences(evaluation):
        print_words(console, Text(sentence, style="yellow"))
    console.print(
        f"fitted to {evaluation.fitted:,} levels, judged on {judged if evaluation.saved else next_levels}; "
        f"players: {origin.players or 'all'}" + (" (simulated)" if origin.simulated else ""),
        soft_wrap=True,
    )
    console.print()
    heading = ("prediction by", "MAE", "outside 95%", "sigma", "band", "delta", "adjusted delta")
    rows = [heading, *(_figure_cells(predictor) for predictor in (evaluation.figures, *evaluation.baselines))]
    print_rows(console, rows)
    if evaluation.comparison is not None:
        console.print()
        _print_comparison(console, evaluation.comparison)
    console.print()
    by_third = [("by difficulty", "MAE", "outside 95%")]
    figures = evaluation.figures
    for third, mae, outside in zip(THIRDS, figures.mae_thirds, figures.outside_thirds, strict=True):
        by_third.append((third, percent(mae), percent(outside)))
    print_rows(console, by_third)
    console.print()
    _print_agents(console, evaluation)
    console.print()
    total = evaluation.levels["observed"].sum()
    console.print(
        f"accumulated success rate: players {total:.1f}, predicted {evaluation.levels['rate'].sum():.1f}, "
        + ", ".join(
            f"{agent_words(agent)} {evaluation.levels[agent].sum():.1f}" for agent in origin.attempts
        ),
        soft_wrap=True,
    )


def _print_comparison(console: Console, comparison: ModelComparison) -> None:
    """Prints the differences of two models, level by level, and what they mean."""
    mae, density = comparison.mae, comparison.density
    rows = [
        (f"the model less {comparison.against}", "difference", "95% interval", ""),
        (
            "MAE, percentage points",
            f"{100 * mae.mean:+.2f}",
            f"{100 * mae.low:+.2f} to {100 * mae.high:+.2f}",
            _verdict(mae, "nearer", "farther off"),
        ),
        (
            "log predictive density a level",
            f"{density.mean:+.3f}",
            f"{density.low:+.3f} to {density.high:+.3f}",
            _verdict(density, "less likely to it", "more likely to it"),
        ),
    ]
    print_rows(console, rows)


def _verdict(difference: PairedDifference, below: str, above: str) -> str:
    if difference.high < 0:
        return below
    return above if difference.low > 0 else "cannot tell them apart"


def _print_agents(console: Console, evaluation: Evaluation) -> None:
    """Prints errors by whether some agent's rate is 0 or 1, then how far agents' rates are from players'."""
    agents = evaluation.model.columns_.agents
    parts = [("levels where", "levels", "MAE", "outside 95%")]
    for name, group in by_ends(evaluation.levels, agents).items():
        errors = (
            percent(float(np.mean(np.abs(group[column].to_numpy())))) for column in ("delta", "outside")
        )
        parts.append((name, f"{group.height:,}", *(errors if group.height else ("-", "-"))))
    print_rows(console, parts)
    console.print()
    rows = [("agents' own rates", "delta", "adjusted delta")]
    for agent in agents:
        agent_spreads = spreads(evaluation.levels, agent)
        rows.append((agent_words(agent), *_spread_cells(agent_spreads["delta"], agent_spreads["adjusted"])))
    print_rows(console, rows)


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
