"""A finding of the thesis beside ours, and the words for whether they agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from levelsense.studies.page import StudyPage
from levelsense.studies.poromaa.intervals import Interval

UNSURE: Final = "cannot be told"
PARTLY: Final = "in part"
SURE: Final = 0.05  # a probability below which differences are not taken for chance


@dataclass(frozen=True)
class Check:
    """A published finding, ours with its interval, and whether they agree: yes, no, or it cannot be told."""

    finding: str
    published: str
    ours: str
    verdict: str


def check_sign(finding: str, published: str, estimate: Interval, expected: int, why: str = "") -> Check:
    """A difference that should be above 0 (1) or below (-1)."""
    if estimate.sign == expected:
        verdict = "yes"
    elif estimate.sign == 0:
        toward = "the same" if estimate.value * expected > 0 else "the other"
        verdict = f"{UNSURE}: {toward} way, and the interval holds 0"
    else:
        verdict = f"no{': ' + why if why else ''}"
    return Check(finding, published, f"{estimate.points} points", verdict)


def check_value(
    finding: str, published: float, estimate: Interval, text: str, ours: str, why: str, near: float = 0.0
) -> Check:
    """A figure that should be in our interval, or not further from it than `near`."""
    agrees = estimate.low - near <= published <= estimate.high + near
    return Check(finding, text, ours, "yes" if agrees else f"no: {why}")


def check_alike(finding: str, published: str, probability: float, spread: float, why: str) -> Check:
    """Setups that should be equally good, by the probability of differences as large by chance alone."""
    ours = f"means differ by up to {100 * spread:.1f} points (chance alone: p = {probability:.2f})"
    return Check(finding, published, ours, "yes" if probability >= SURE else f"no: {why}")


def add_checks(page: StudyPage, checks: Sequence[Check]) -> None:
    """Adds a table of findings to a page."""
    page.table(
        ("finding", "published", "ours, with 95 % intervals", "agrees"),
        [(check.finding, check.published, check.ours, check.verdict) for check in checks],
    )


def summary(checks: Sequence[Check]) -> str:
    """How many findings agree, do not, cannot be told, and hold in part."""
    words = {"yes": "agree", "no": "do not", UNSURE: "cannot be told", PARTLY: "in part"}
    counts = {word: sum(check.verdict.startswith(word) for check in checks) for word in words}
    return ", ".join(
        f"{counts[word]} {phrase}" for word, phrase in words.items() if counts[word] or word != PARTLY
    )
