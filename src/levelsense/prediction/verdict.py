"""The one verdict on a level: the success rate to expect of players, against the target if there is one."""

from levelsense.playtest.words import percent
from levelsense.prediction.explain import band_words, people_word
from levelsense.prediction.levels import LevelPrediction


def verdict_sentence(prediction: LevelPrediction) -> str:
    """The verdict in a sentence, the same wherever a level is spoken of.

    For example: Harder than the target of 40%: 2.6% of simulated players' attempts are expected to succeed
    (95% band 1.5 - 4.4%).
    """
    rate = (
        f"{percent(prediction.rate)} of {people_word(prediction.simulated)}' attempts are expected to "
        f"succeed (95% band {band_words(prediction.row, 95)})."
    )
    return rate if prediction.target is None else f"{against_target_words(prediction)}: {rate}"


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
