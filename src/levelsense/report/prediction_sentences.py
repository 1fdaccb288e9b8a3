"""The sentences of pages about predictions: one function a place in a template."""

from collections import Counter

from levelsense.playtest.words import counted, percent
from levelsense.prediction.evaluation import Evaluation, Figures, Spreads
from levelsense.prediction.explain import (
    Row,
    band_words,
    needed_words,
    people_word,
    players_words,
    rank_words,
)
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.verdict import (
    departure_sentences,
    points,
    target_words,
    trust_sentence,
    verdict_sentence,
)
from levelsense.report.forecast import FEWEST_TO_COMPARE, FEWEST_TO_SPREAD, Forecast, Judged
from levelsense.report.prediction_numbers import CLEARLY_OFF, coverage

# Templates call these here.
__all__ = ["departure_sentences", "needed_words", "players_words", "trust_sentence", "verdict_sentence"]


def headline(evaluation: Evaluation) -> list[str]:
    """The results of an evaluation in sentences: MAE, best baseline, bands, sigma."""
    figures, levels = evaluation.figures, evaluation.levels
    people = people_word(evaluation.origin.simulated)
    outside = round(figures.outside * figures.levels)
    best = min(evaluation.baselines, key=lambda baseline: baseline.mae, default=None)
    judged = f"{'' if evaluation.saved else 'the next '}{figures.levels:,}"
    sentences = [
        f"Fitted to {evaluation.fitted:,} levels and judged on {judged}, the model misses "
        f"the success rate of {people} by {points(figures.mae)} on average (MAE).",
        f"{outside:,} of {figures.levels:,} observed rates ({percent(figures.outside)}) lie outside the 95% "
        f"band, where 5% should; the 50% band holds {percent(coverage(levels, 50))}. "
        f"The 95% band is {points(figures.width)} wide on average.",
        f"Sigma, the standard deviation of what levels have of their own (the random effect), is "
        f"{figures.sigma:.2f} logits.",
    ]
    if best is not None:
        verdict = "better" if figures.mae < best.mae else "no better"
        sentences.insert(
            1,
            f"By MAE that is {verdict} than the best baseline, {best.name}: {points(best.mae)}, "
            f"with {percent(best.outside)} outside its 95% band.",
        )
    return sentences


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


def spread_cells(spreads: Spreads) -> list[str]:
    """Mean and standard deviation of the deltas, and of the adjusted deltas, of one rate."""
    return [spread_words(spreads["delta"], True), spread_words(spreads["adjusted"], False)]


def bands_title(row: Row) -> str:
    """A prediction with both bands, in short."""
    return f"{percent(row['rate'])}, 50% band {band_words(row, 50)}, 95% band {band_words(row, 95)}"


def delta_words(delta: float) -> str:
    """How far off, and to which side: `+3.1 points, too high`."""
    delta_points = round(100 * delta, 1)
    if delta_points == 0:
        return "less than 0.1 points"
    return f"{delta_points:+.1f} points, too {'high' if delta > 0 else 'low'}"


def misses_words(judged: Judged) -> str:
    """Which levels are listed as the worst misses, or that there are none."""
    off = f"{100 * CLEARLY_OFF:g} percentage points"
    if not judged.misses:
        return f"No level is off by {off} or more, and none is outside its 95% band."
    listed = len(judged.misses)
    subject = "The level" if listed == 1 else f"The {listed:,} levels"
    return (
        f"{subject} with the largest difference between the predicted rate and that of {judged.people}, "
        f"of those off by {off} or more, or outside the 95% band. A click on a heading sorts by it."
    )


def left_out_words(judged: Judged) -> str:
    """Which charts are left out for lack of levels; empty if none is."""
    order = f"with {FEWEST_TO_COMPARE} or more the worst misses, and differences by difficulty and added up"
    spread = f"with {FEWEST_TO_SPREAD} or more how differences spread, and how honest the bands are"
    missing = [*([] if judged.comparable else [order]), *([] if judged.spread else [spread])]
    return f"There is more to see with results of more levels: {'; '.join(missing)}." if missing else ""


def needed_sentence(expected: LevelPrediction) -> str:
    """How many attempts a success is expected to take, and how the level ranks, in a sentence."""
    row = expected.row
    return f"{needed_words(row)} attempts per success; harder than {rank_words(row)} of the model."


def page_verdict(forecast: Forecast) -> str:
    """The verdict of a page: on its only level, or on how many of them are harder, easier and on target."""
    ordered = sorted(forecast.expected.values(), key=lambda prediction: prediction.rate)
    if len(ordered) == 1:
        return verdict_sentence(ordered[0])
    if forecast.target is None:
        hardest, easiest = ordered[0], ordered[-1]
        return (
            f"{len(ordered):,} levels: {percent(hardest.rate)} ({hardest.name}) to {percent(easiest.rate)} "
            f"({easiest.name}) of {people_word(forecast.origin.simulated)}' attempts are expected to succeed."
        )
    counts = [f"{number:,} {verdict}" for verdict, number in _verdict_counts(forecast).items()]
    return (
        f"Against the target of {target_words(forecast.target)}, by the expected success of "
        f"{people_word(forecast.origin.simulated)}: {', '.join(counts)}."
    )


def verdicts(forecast: Forecast) -> list[str]:
    """The verdicts on the target that levels of a page have, from the hardest to the easiest."""
    return list(_verdict_counts(forecast))


def _verdict_counts(forecast: Forecast) -> Counter[str]:
    ordered = sorted(forecast.expected.values(), key=lambda prediction: prediction.rate)
    # A Counter keeps the order in which keys first came, here from the hardest to the easiest.
    return Counter(str(prediction.verdict) for prediction in ordered)


def target_side(verdict: str) -> str:
    """The side of the target that a verdict names: on, harder or easier; empty if it names none."""
    sides = [side for side in ("on", "harder", "easier") if side in verdict.split()]
    return sides[0] if len(sides) == 1 else ""


def reasons_sentence(expected: LevelPrediction) -> str:
    """The reasons of a level's prediction, in a sentence."""
    why = "; ".join(expected.why) or "nothing out of the ordinary"
    return f"The model: {why}."


def unlike_sentence(expected: LevelPrediction) -> str:
    """How a level is unlike those that the model was fitted to, in a sentence; empty if it is not."""
    words = expected.unlike or ""
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def against_words(forecast: Forecast) -> str:
    """How far predictions are from observed rates, in a sentence; empty without players' results."""
    observed = forecast.observed
    if observed is None:
        return ""
    mae = float(observed["delta"].abs().to_numpy().mean())
    people = players_words(forecast.players, forecast.simulated)
    outside = int(observed["outside"].sum())
    if observed.height == 1:
        (row,) = observed.to_dicts()
        return (
            f"1 level with results of {people}: the prediction is off by {points(mae)}; the observed rate is "
            f"{'outside' if outside else 'inside'} the 95% band of rates that {row['attempts']:,} attempts "
            f"may show, {band_words(row, 95)}."
        )
    return (
        f"{counted(observed.height, 'levels')} with results of {people}: predictions are off by "
        f"{points(mae)} on average, {outside:,} outside the 95% band of what so many attempts "
        f"may show; the 50% band holds {percent(coverage(observed, 50))}."
    )


def no_test_words(forecast: Forecast) -> str:
    """Why predictions beside results are no test: the model may be fitted to these, or to other players."""
    sentences = (
        "A model keeps no list of the levels it was fitted to. If these are among them, it has seen these "
        "results, and is likely to be further off at new levels."
    )
    fitted_to, observed = (
        population_word(simulated) for simulated in (forecast.origin.simulated, forecast.simulated)
    )
    if fitted_to != observed:
        sentences += f" And it was fitted to {fitted_to}, while the results here are those of {observed}."
    return sentences


def population_word(simulated: bool) -> str:
    """`people` or `simulated players`."""
    return "simulated players" if simulated else "people"
