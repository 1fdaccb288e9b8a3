"""The prediction of a level as one object, for programs, the terminal, pages and the search for a limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import polars as pl

from levelsense.agents.registry import agent_words
from levelsense.people.details import AFTER
from levelsense.people.persistence import AttemptsLaw, Persistence
from levelsense.playtest.words import percent
from levelsense.prediction.explain import (
    Reason,
    Row,
    against_target,
    band_words,
    bottleneck_words,
    is_of_unknown,
    people_word,
    playing_words,
    reasons,
    success_rate,
    unlike_words,
)
from levelsense.prediction.model import DifficultyModel

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


@dataclass(frozen=True, eq=False, repr=False)
class LevelPrediction:
    """The success rate to expect of players at a level, how sure that is, and why.

    name        the level's name
    row         the model's figures: a row of DifficultyModel.predict
    reasons     differences from the average level of the model, the agents' results first
    bottleneck  the goal most often unmet in lost attempts, in a sentence, or None
    why         the reasons and what agents' attempts show, in sentences
    unlike      how it is unlike the levels that the model was fitted to, in a sentence; None if it is not
    agents      the success rate of each agent of the model
    simulated   whether the model was fitted to results of simulated players
    target      the success rate that is wanted, or None
    verdict     the verdict on the target: on target, harder, probably easier, cannot tell ...
    attempts    what players' attempts come to; None if the model does not know how players try again
    """

    name: str
    row: Row
    reasons: tuple[Reason, ...]
    bottleneck: str | None
    why: tuple[str, ...]
    unlike: str | None
    agents: Mapping[str, float]
    simulated: bool
    target: float | None = None
    verdict: str | None = None
    attempts: ExpectedAttempts | None = None

    @property
    def rate(self) -> float:
        """The success rate to expect: the median of the predicted distribution."""
        return float(self.row["rate"])

    @property
    def band_50(self) -> tuple[float, float]:
        """The true rate of half of such levels lies in this band."""
        return self.row["low_50"], self.row["high_50"]

    @property
    def band_95(self) -> tuple[float, float]:
        """The true rate of 95 of 100 such levels lies in this band."""
        return self.row["low_95"], self.row["high_95"]

    @property
    def needed(self) -> float:
        """Attempts per success at the median, 1 / rate."""
        return float(self.row["needed"])

    @property
    def needed_95(self) -> tuple[float, float]:
        """The 95 % band of the attempts per success; its upper end may be infinite."""
        return self.row["needed_low_95"], self.row["needed_high_95"]

    @property
    def harder_than(self) -> float:
        """The share of the levels of the model that are easier, by players' success rate."""
        return float(self.row["harder_than"])

    @property
    def average_95(self) -> tuple[float, float] | None:
        """The 95 % band for the average of the populations of the model; None for a model of one population.

        `band_95` is then that of a population that is not known.
        """
        if not is_of_unknown(self.row):
            return None
        return self.row["average_low_95"], self.row["average_high_95"]

    def as_data(self) -> dict[str, Any]:
        """The prediction as plain data for JSON; infinite numbers are None."""
        figures = {
            key: value if not isinstance(value, float) or isfinite(value) else None
            for key, value in self.row.items()
        }
        target = {} if self.target is None else {"target": self.target, "verdict": self.verdict}
        return {
            **figures,
            **target,
            "reasons": [
                {"what": reason.what, "effect": reason.effect, "points": reason.points}
                for reason in self.reasons
            ],
            "bottleneck": self.bottleneck,
            "unlike": self.unlike,
            "simulated": self.simulated,
            "players": None if self.attempts is None else self.attempts.as_data(),
        }

    def __repr__(self) -> str:
        people = people_word(self.simulated)
        verdict = "" if self.verdict is None else f", {self.verdict}"
        return (
            f"<LevelPrediction {self.name}: {percent(self.rate)} of {people}, "
            f"95% band {band_words(self.row, 95)}{verdict}>"
        )


def predictions_table(predictions: Sequence[LevelPrediction]) -> pl.DataFrame:
    """A row a level: figures, verdict, agents' rates, reasons. The CSV file of predictions is made of it."""
    rows = [
        {
            **prediction.row,
            **(
                {}
                if prediction.target is None
                else {"target": prediction.target, "verdict": prediction.verdict}
            ),
            **{f"{agent_words(agent)}: success": rate for agent, rate in prediction.agents.items()},
            "why": "; ".join(prediction.why),
            "unlike": prediction.unlike,
            "simulated": prediction.simulated,
        }
        for prediction in predictions
    ]
    return pl.DataFrame(rows, schema_overrides={"unlike": pl.String}, infer_schema_length=None)


def predict_levels(
    model: DifficultyModel, table: pl.DataFrame, target: float | None = None
) -> list[LevelPrediction]:
    """A prediction of each level of a table, in its order; with a verdict if there is a target."""
    predicted = zip(
        model.predict(table).to_dicts(), reasons(model, table), unlike_words(model, table), strict=True
    )
    persistence = model.origin_.persistence
    return [
        LevelPrediction(
            name=row["level"],
            row=row,
            reasons=tuple(level_reasons),
            bottleneck=bottleneck_words(model, table, number),
            why=(*(reason.words for reason in level_reasons), *playing_words(model, table, number)),
            unlike=unlike,
            agents={agent: success_rate(table, agent, number) for agent in model.origin_.attempts},
            simulated=model.origin_.simulated,
            target=target,
            verdict=None if target is None else against_target(row, target),
            attempts=None if persistence is None else ExpectedAttempts.of(row, persistence),
        )
        for number, (row, level_reasons, unlike) in enumerate(predicted)
    ]


def _banded(expected: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    return {"share" if isinstance(expected, float) else "attempts": expected, "low_95": low, "high_95": high}
