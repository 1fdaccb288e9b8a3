"""What the pages say of predictions in words: one function a place in a template."""

from collections.abc import Mapping
from typing import Any

from levelsense.playtest.words import counted, number_words, percent
from levelsense.prediction.evaluation import Evaluation, Figures
from levelsense.prediction.model_file import Origin
from levelsense.report.forecast import Expected, Forecast
from levelsense.report.prediction_numbers import coverage

Row = Mapping[str, Any]


def whose(players: str, simulated: bool) -> str:
    """Whose success rates are meant; simulated players are always called so."""
    if not simulated:
        return f"players ({players})" if players else "players"
    return f"simulated players ({players})" if players else "simulated players"


def people_word(simulated: bool) -> str:
    """What somebody whose results were looked at is called, in the plural."""
    return "simulated players" if simulated else "players"


def headline(evaluation: Evaluation) -> list[str]:
    """How good predictions are, in sentences."""
    found, levels = evaluation.figures, evaluation.levels
    people = people_word(evaluation.model.origin_.simulated)
    outside = round(found.outside * found.levels)
    best = min(evaluation.baselines, key=lambda baseline: baseline.mae, default=None)
    told = [
        f"Fitted to {evaluation.fitted:,} levels and judged on the next {found.levels:,}, the model misses "
        f"the success rate of {people} by {points(found.mae)} on average (MAE).",
        f"{outside:,} of {found.levels:,} observed rates ({percent(found.outside)}) lie outside the 95% "
        f"band, where 5% should; the 50% band holds {percent(coverage(levels, 50))}. "
        f"The 95% band is {points(found.width)} wide on average.",
        f"Sigma, the standard deviation of what levels have of their own (the random effect), is "
        f"{found.sigma:.2f} logits.",
    ]
    if best is not None:
        verdict = "better" if found.mae < best.mae else "no better"
        told.insert(
            1,
            f"By MAE that is {verdict} than the best baseline, {best.name}: {points(best.mae)}, "
            f"with {percent(best.outside)} outside its 95% band.",
        )
    return told


def points(share: float) -> str:
    """A difference of rates, in percentage points."""
    return f"{100 * share:.1f} percentage points"


def spread_words(pair: tuple[float, float], as_points: bool) -> str:
    """A mean with its standard deviation: `-3.0 (SD 6.2)`, in percentage points, or as they are."""
    mean, deviation = pair
    # Adding 0 makes +0 of -0, which a small negative mean would be rounded to.
    if as_points:
        return f"{round(100 * mean, 1) + 0.0:+.1f} (SD {100 * deviation:.1f})"
    return f"{round(mean, 3) + 0.0:+.3f} (SD {deviation:.3f})"


def figure_cells(figures: Figures) -> list[str]:
    """A row of the table of the model and its baselines, without the name."""
    return [
        percent(figures.mae),
        percent(figures.outside),
        f"{figures.sigma:.2f}",
        percent(figures.width),
        spread_words(figures.delta, True),
        spread_words(figures.adjusted, False),
    ]


def third_cells(figures: Figures) -> list[str]:
    """MAE and share outside in each third of the levels."""
    pairs = zip(figures.mae_thirds, figures.outside_thirds, strict=True)
    return [cell for mae, outside in pairs for cell in (percent(mae), percent(outside))]


def band_words(row: Row, band: int) -> str:
    """A band in per cent: `12.0 - 45.0%`."""
    return f"{100 * row[f'low_{band}']:.1f} - {percent(row[f'high_{band}'])}"


def needed_words(row: Row) -> str:
    """Attempts per success with their 95 % band; without an end where the rate may be 0."""
    low, high = row["needed_low_95"], row["needed_high_95"]
    return f"{_attempts(row['needed'])} ({_attempts(low)} - {_attempts(high)})"


def _attempts(number: float) -> str:
    return "any number" if number == float("inf") else number_words(round(number, 1))


def delta_words(delta: float) -> str:
    """How far off, and to which side: `+3.1 points, too high`."""
    return f"{100 * delta:+.1f} points, too {'high' if delta > 0 else 'low'}"


def expected_sentence(expected: Expected, simulated: bool) -> str:
    """A level's prediction in a sentence; a model of simulated players says what those would do."""
    row = expected.row
    who = "simulated players" if simulated else "players"
    return (
        f"{percent(row['rate'])} of {who}' attempts succeed "
        f"(50% band {band_words(row, 50)}, 95% band {band_words(row, 95)}); "
        f"{needed_words(row)} attempts per success."
    )


def reasons_sentence(expected: Expected) -> str:
    """Why a level is predicted to be as hard as it is."""
    why = "; ".join(expected.reasons) or "nothing out of the ordinary"
    return f"Why: {why}."


def unlike_sentence(expected: Expected) -> str:
    """What to mind where the model has met no level of the kind."""
    words = expected.unlike or ""
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def model_words(origin: Origin) -> str:
    """Where a model comes from."""
    agents = ", ".join(f"{agent} ({number:,} attempts)" for agent, number in origin.attempts.items())
    return f"{origin.levels:,} levels, {whose(origin.players, origin.simulated)}; agents {agents or 'none'}"


def against_words(forecast: Forecast) -> str:
    """How far predictions are from what was observed."""
    seen = forecast.observed
    if seen is None:
        return ""
    mae = float(seen["delta"].abs().to_numpy().mean())
    outside = int(seen["outside"].sum())
    people = whose(forecast.players, forecast.simulated)
    return (
        f"{counted(seen.height, 'levels')} with results of {people}: "
        f"predictions are off by {points(mae)} on average, {outside:,} outside the 95% band."
    )
