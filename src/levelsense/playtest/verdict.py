"""A success rate in a word."""

from levelsense.playtest.estimate import Estimate

# From which success rate on a level is called what, for the agent that played it.
VERDICTS = (
    (0.90, "very easy"),
    (0.65, "easy"),
    (0.35, "medium"),
    (0.15, "hard"),
    (0.03, "very hard"),
    (0.00, "hardly possible"),
)


def word_for(rate: float) -> str:
    """What a level with this success rate is called."""
    return next(word for least, word in VERDICTS if rate >= least)


def verdict(success: Estimate, wins: int) -> str:
    """A word for a success rate, a range of words where the interval spans several; or `never won`."""
    if success.value is None or success.high is None:
        return "not played"
    if wins == 0:
        return "never won"
    hardest, easiest = word_for(success.low), word_for(success.high)
    return hardest if hardest == easiest else f"{hardest} to {easiest}"
