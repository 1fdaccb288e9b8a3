"""The one verdict on a level, and on the predictions it comes from: how far to trust them."""

from typing import Final

import numpy as np

from levelsense.playtest.estimate import quantiles
from levelsense.playtest.words import percent
from levelsense.prediction.evaluation import Departure, Evaluation
from levelsense.prediction.explain import average_band_words, band_words, people_word
from levelsense.prediction.levels import LevelPrediction

USUAL: Final = 0.9  # of the judged levels
MOST_OUTSIDE: Final = 0.15  # of the judged levels; 5 % should lie outside the 95 % band


def verdict_sentence(prediction: LevelPrediction) -> str:
    """The verdict in a sentence, the same in the terminal and on pages.

    For example: Harder than the target of 40%: 2.6% of simulated players' attempts are expected to succeed
    (95% band 1.5 - 4.4%).
    """
    rate = (
        f"{percent(prediction.rate)} of {people_word(prediction.simulated)}' attempts are expected to "
        f"succeed (95% band {band_words(prediction.row, 95)}{_average_words(prediction)})."
    )
    return rate if prediction.target is None else f"{against_target_words(prediction)}: {rate}"


def _average_words(prediction: LevelPrediction) -> str:
    """Whose band that is, of a model of several populations; else nothing."""
    if prediction.average_95 is None:
        return ""
    return (
        f" for players who are not known, {average_band_words(prediction.row)} for the average simulated ones"
    )


def against_target_words(prediction: LevelPrediction) -> str:
    """The verdict on the target, in words that begin a sentence."""
    verdict, target = str(prediction.verdict), target_words(prediction.target or 0.0)
    if verdict == "on target":
        return f"On the target of {target}"
    if verdict == "cannot tell":
        return f"Cannot tell whether it meets the target of {target}"
    return f"{verdict.capitalize()} than the target of {target}"


def target_words(target: float) -> str:
    """The success rate that is wanted: `40%`, `12.5%`."""
    return f"{100 * target:g}%"


def points(share: float) -> str:
    """A difference of rates, in percentage points."""
    return f"{100 * share:.1f} percentage points"


def trust_sentence(evaluation: Evaluation) -> str:
    """How far to trust predictions, in a plain sentence: how far off they were at the judged levels."""
    levels, figures = evaluation.levels, evaluation.figures
    (usual,) = quantiles(np.abs(levels["delta"].to_numpy()), (USUAL,))
    return (
        f"{_trust_words(evaluation, usual)}: at {levels.height:,} levels{_seen_words(evaluation)}, the "
        f"prediction was off by {points(figures.mae)} of the success rate of "
        f"{people_word(evaluation.origin.simulated)} on average, by at most {100 * usual:.1f} at "
        f"{USUAL:.0%} of them; {percent(1 - figures.outside)} lay in the 95% band."
    )


def departure_sentences(evaluation: Evaluation) -> list[str]:
    """That a saved model has gone off since it was fitted, in up to two sentences; none if it has not."""
    departures = evaluation.departures
    if departures is None:
        return []
    side, change, sentences = departures.side, departures.change, []
    if side.is_clear:
        high, delta = side.mean > 0, evaluation.levels["delta"]
        count = int((delta > 0).sum() if high else (delta < 0).sum())
        sentences.append(
            f"The model lies on one side: predictions are {_off_words(side.mean)} on average "
            f"(99% interval {_interval_words(side)}), at {count:,} of {len(delta):,} levels; "
            f"{_seldom_words(evaluation, high)} than it expects: fit it again with these results."
        )
    if change.is_clear:
        first, last = map(_off_words, departures.ends)
        sentences.append(
            f"The model drifts along the saga: predictions are {first} at the first of these levels and "
            f"{last} at the last, a change of {100 * change.mean:+.1f} (99% interval "
            f"{_interval_words(change)}): fit it again with these results, or to levels nearer to those that "
            "it is asked about."
        )
    return sentences


def _off_words(delta: float) -> str:
    return f"{points(abs(delta))} too {'high' if delta > 0 else 'low'}"


def _interval_words(departure: Departure) -> str:
    return f"{100 * departure.low:+.1f} to {100 * departure.high:+.1f}"


def _seldom_words(evaluation: Evaluation, high: bool) -> str:
    return f"{people_word(evaluation.origin.simulated)} succeed {'less' if high else 'more'} often"


def _seen_words(evaluation: Evaluation) -> str:
    """Whether the model has seen the judged levels; nothing if its file does not list those of its fit."""
    if evaluation.known:
        return f", {len(evaluation.known):,} of which it was fitted to"
    is_told = not evaluation.saved or evaluation.model.places_
    return " that it had not seen" if is_told else ""


def _trust_words(evaluation: Evaluation, usual: float) -> str:
    """What predictions are good for, by how far they are off, their bands, and what the mean alone gives."""
    the_mean = next(
        (baseline.mae for baseline in evaluation.baselines if baseline.name == "the mean"), np.inf
    )
    if evaluation.figures.mae >= the_mean:
        return "Do not trust it yet, the mean of all levels does as well"
    within = f"Trust it to within about {max(round(100 * usual), 1)} points"
    if evaluation.figures.outside > MOST_OUTSIDE:
        return f"{within}, but not its bands, which are too narrow"
    return within
