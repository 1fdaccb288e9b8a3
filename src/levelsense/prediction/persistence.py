"""What a predicted success rate means for players: attempts that they need, who is stuck, who gives up."""

from dataclasses import dataclass
from typing import Any, Self

from levelsense.people.details import AFTER
from levelsense.people.persistence import AttemptsLaw, Persistence
from levelsense.playtest.words import percent
from levelsense.prediction.explain import Row, people_word

_STUCK_AFTER = 10  # attempts, in the sentence


@dataclass(frozen=True)
class ExpectedAttempts:
    """Players' attempts at a level with a predicted success rate, and at both ends of its 95 % band."""

    expected: AttemptsLaw
    at_low: AttemptsLaw
    at_high: AttemptsLaw

    @classmethod
    def of(cls, row: Row, persistence: Persistence) -> Self:
        """By a row of a model's predictions, and the persistence of the players whom it was fitted to."""
        return cls(*(persistence.at(float(row[name])) for name in ("rate", "low_95", "high_95")))

    def as_data(self) -> dict[str, Any]:
        """As plain data for JSON: each figure with its 95 % band."""
        return {
            "needed": _banded(self.expected.needed(), self.at_high.needed(), self.at_low.needed()),
            **{f"stuck_{attempts}": self.stuck(attempts) for attempts in AFTER},
            "gave_up": _banded(self.expected.gave_up, self.at_high.gave_up, self.at_low.gave_up),
        }

    def stuck(self, attempts: int) -> dict[str, Any]:
        """The share of players still stuck after so many attempts, with its 95 % band."""
        laws = (self.expected, self.at_high, self.at_low)
        return _banded(*(law.stuck(attempts) for law in laws))

    def words(self, simulated: bool) -> str:
        """In a sentence: `half of players succeed within 3 attempts; 9.1% are still stuck after 10, ...`."""
        needed = self.expected.needed()
        within = (
            f"half of {people_word(simulated)} succeed within {needed:,} attempt{'' if needed == 1 else 's'}"
            if needed is not None
            else f"fewer than half of {people_word(simulated)} ever succeed"
        )
        stuck = self.stuck(_STUCK_AFTER)
        return (
            f"{within}; {percent(stuck['share'])} are still stuck after {_STUCK_AFTER} "
            f"(95% {100 * stuck['low_95']:.1f} - {percent(stuck['high_95'])}); "
            f"{percent(self.expected.gave_up)} give up"
        )


def _banded(expected: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    return {"share" if isinstance(expected, float) else "attempts": expected, "low_95": low, "high_95": high}
