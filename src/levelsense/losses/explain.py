"""A level's lost attempts explained: all findings, those that a designer would act on first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from levelsense.agents.registry import Agent, agent_words
from levelsense.losses.course import decided_findings, ending_findings, goal_findings, near_findings
from levelsense.losses.evidence import (
    LEAST_LOST,
    Evidence,
    Finding,
    Rival,
    gather_evidence,
    share_words,
)
from levelsense.losses.left import cell_findings, growth_findings, ingredient_findings
from levelsense.losses.places import joined
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.skill_and_luck import Skill, skill
from levelsense.playtest.statistics import HeatMap, endings, heat_maps
from levelsense.playtest.words import MATTERS
from levelsense.prediction.levels import LevelPrediction
from levelsense.prediction.verdict import verdict_sentence

# What can be changed in the level comes first, by how much of the losses it is about; then when and by what
# it is decided, which says how much a change can do.
_CUTTING: Final = ("bomb", "no move")
_CHANGEABLE: Final = (*_CUTTING, "cells", "ingredients", "growth", "goal", "near", "limit")
KINDS: Final = (*_CHANGEABLE, "decided", "skill", "luck")
_RAN_OUT: Final = {
    "moves": "the moves ran out",
    "time": "the time ran out",
    "bomb": "a bomb went off",
    "no move possible": "no move was left",
}
DECIDES: Final = MATTERS[-1][0]  # the share from which on luck decides
MATTERS_MUCH: Final = MATTERS[2][0]
MOST_GOALS: Final = 2
PAYS, HARDLY = 0.30, 0.10  # of the losses, that better play turns into wins


@dataclass(frozen=True, eq=False)
class Losses:
    """Why an agent loses at a level.

    agent     the spec of the agent whose attempts these are
    attempts  how many it made
    lost      how many of them it lost
    endings   how many of the lost ones ended for each reason, the most frequent first
    findings  what they show, what a designer would act on first; none if too few were lost
    heat      where something was left in lost attempts; nothing if too few were lost
    """

    agent: str
    attempts: int
    lost: int
    endings: Mapping[str, int]
    findings: tuple[Finding, ...]
    heat: tuple[HeatMap, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The findings in sentences."""
        return tuple(finding.sentence for finding in self.findings)

    @property
    def first(self) -> str | None:
        """The first thing to act on, in a sentence; None if nothing can be said."""
        return self.findings[0].sentence if self.findings else None

    @property
    def basis(self) -> str:
        """What the findings stand on, or why there are none, in a sentence."""
        made = f"{self.attempts:,} of {agent_words(self.agent)}"
        if self.lost < LEAST_LOST:
            return f"Too few attempts are lost to say why: {self.lost:,} of {made}; it takes {LEAST_LOST}."
        ran_out = joined(
            [
                f"{_RAN_OUT[reason]} in {share_words(count / self.lost)}"
                for reason, count in self.endings.items()
            ]
        )
        return f"By {self.lost:,} lost attempts of {made}; {ran_out} of them."

    def as_data(self) -> dict[str, Any]:
        """The losses as plain data for JSON."""
        return {
            "agent": self.agent,
            "attempts": self.attempts,
            "lost": self.lost,
            "endings": dict(self.endings),
            "findings": [
                {
                    "kind": finding.kind,
                    "sentence": finding.sentence,
                    "figures": dict(finding.figures),
                    "cells": list(finding.cells),
                }
                for finding in self.findings
            ],
        }


@dataclass(frozen=True, eq=False, repr=False)
class LevelExplanation:
    """A level's verdict, and why attempts at it are lost.

    name        the level's name
    prediction  the success rate to expect of players, with the verdict on the target
    losses      what the lost attempts of an agent show, which plays as players do
    """

    name: str
    prediction: LevelPrediction
    losses: Losses

    @property
    def verdict(self) -> str:
        """The verdict on the level, in a sentence."""
        return verdict_sentence(self.prediction)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The reasons, what a designer would act on first; none if too few attempts were lost."""
        return self.losses.sentences

    def as_data(self) -> dict[str, Any]:
        """The explanation as plain data for JSON."""
        return {
            "level": self.name,
            "verdict": self.verdict,
            **self.losses.as_data(),
            "prediction": self.prediction.as_data(),
        }

    def __repr__(self) -> str:
        return f"<LevelExplanation {self.name}: {self.losses.first or self.losses.basis}>"


def strongest(prediction: LevelPrediction, attempts: Mapping[str, int], other_than: str) -> Rival | None:
    """The agent of a prediction's model that wins most, besides one; `attempts` are those that each made."""
    rates = {agent: rate for agent, rate in prediction.agents.items() if agent != other_than}
    if not rates:
        return None
    agent = max(rates, key=lambda spec: rates[spec])
    return Rival(agent, round(rates[agent] * attempts[agent]), attempts[agent])


def explain_losses(
    agent: Agent,
    attempts: Attempts,
    seed: int = 0,
    threads: int | None = None,
    rival: Rival | None = None,
) -> Losses:
    """Why an agent's attempts at a level were lost; plays some of them again, and a few hundred more.

    `seed` is that of the run the attempts are of, `rival` the strongest other agent that played the level.
    """
    return losses_from(gather_evidence(agent, attempts, seed, threads, rival))


def losses_from(evidence: Evidence) -> Losses:
    """The findings of evidence, in order; none from too few lost attempts."""
    attempts = evidence.attempts
    ended = {reason: count for reason, count in endings(attempts).items() if reason in _RAN_OUT}
    counts = evidence.agent, len(attempts), evidence.lost_count, ended
    if not evidence.is_enough:
        return Losses(*counts, ())
    return Losses(*counts, tuple(ordered(all_findings(evidence))), heat_maps(attempts))


def all_findings(evidence: Evidence) -> list[Finding]:
    """Every finding of evidence with enough lost attempts, in no particular order."""
    goals = sorted(goal_findings(evidence), key=lambda finding: -finding.weight)
    return [
        *ending_findings(evidence),
        *cell_findings(evidence),
        *ingredient_findings(evidence),
        *growth_findings(evidence),
        *goals[:MOST_GOALS],
        *near_findings(evidence),
        *decided_findings(evidence),
        *luck_findings(evidence),
        *skill_findings(evidence),
    ]


def ordered(findings: Sequence[Finding]) -> list[Finding]:
    """Findings by what a designer would act on: what can be changed, the weightiest first, then the rest.

    Where luck decides, that comes before all else. Where a bomb, or no move, cuts attempts short, what they
    had not done by then is no reason of its own.
    """
    cut_short = sum(finding.weight for finding in findings if finding.kind in _CUTTING)

    def place(finding: Finding) -> tuple[bool, float, int]:
        is_cut = finding.kind in _CHANGEABLE and finding.kind not in _CUTTING
        weight = finding.weight * (max(1 - cut_short, 0.01) if is_cut else 1)
        decides = finding.kind == "luck" and weight > 0
        return not decides, -weight, KINDS.index(finding.kind)

    return sorted(findings, key=place)


def luck_findings(evidence: Evidence) -> list[Finding]:
    """How much the board's seed decides, if that can be told; it comes first where it decides."""
    luck = evidence.luck
    if luck is None or luck.share is None or luck.share.value is None or luck.share.high is None:
        return []
    share = max(luck.share.value, 0.0)
    interval = f"95% interval {luck.share.low:.0%} to {luck.share.high:.0%}, {luck.boards} boards"
    figures = {"share": share, "low": luck.share.low, "high": luck.share.high, "boards": luck.boards}
    if luck.share.low < MATTERS_MUCH <= luck.share.high:
        return []
    decides = luck.share.low >= DECIDES
    much = "decides" if decides else "matters much" if luck.share.low >= MATTERS_MUCH else "matters little"
    sentence = (
        f"Luck {much}: the deal settles {share_words(share)} of whether {evidence.name} wins ({interval})."
    )
    return [Finding("luck", sentence, 1.0 if decides else 0.0, figures)]


def skill_findings(evidence: Evidence) -> list[Finding]:
    """What better play brings: a stronger agent against this one."""
    rival, attempts = evidence.rival, evidence.attempts
    if rival is None:
        return []
    gained = skill(attempts.wins, len(attempts), rival.wins, rival.attempts)
    if gained is None or gained.gain.value is None or gained.gain.high is None:
        return []
    win_rate = attempts.wins / len(attempts)
    rates = (
        f"{agent_words(rival.agent)} wins {share_words(rival.rate)} of {rival.attempts:,} attempts, "
        f"{evidence.name} {share_words(win_rate)} of {len(attempts):,}"
    )
    figures = {"gain": gained.gain.value, "low": gained.gain.low, "high": gained.gain.high}
    return [Finding("skill", f"{_skill_words(gained, win_rate)}: {rates}.", 0.0, figures)]


def _skill_words(gained: Skill, win_rate: float) -> str:
    """How much better play helps, by the share of losses that it turns into wins."""
    losses = max(1 - win_rate, 1e-9)
    if gained.gain.low <= 0:
        return "Better play does not help"
    if gained.gain.low >= PAYS * losses:
        return "Better play pays"
    return (
        "Better play hardly helps"
        if (gained.gain.high or 1.0) < HARDLY * losses
        else "Better play helps a little"
    )
