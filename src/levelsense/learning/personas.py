"""Personas: groups of players, each a conditioned copy of one policy, and how files of weights hold them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.policy.network import ENCODINGS, EVERYONE, KIND, check_shapes
from levelsense.agents.weights import Weights, read_weights
from levelsense.errors import TrainingError
from levelsense.learning.mixture import Groups
from levelsense.learning.player_moves import PlayerMoves
from levelsense.people.simulated.traits import SIMULATED

Floats = NDArray[np.float64]
_SIMULATED_PLAYERS: Final = "simulated, not people"


@dataclass(frozen=True)
class Persona:
    """A group of players.

    share     of all players
    attempts  of all attempts
    words     phrases that a designer understands, the most telling first
    success   expected success rate, the mean over the levels played; None if no attempt's end is known
    of_all    the same of all players
    tries     attempts that a player of the group makes at a level, on average
    odds      log odds of success beside all players
    sharpness what scores are multiplied by, so that the persona succeeds as often as the group does
    style     differences from everyone in standard deviations among players, by the name of the style
    """

    name: str
    share: float
    attempts: float
    words: tuple[str, ...]
    success: float | None
    of_all: float | None
    tries: float
    odds: float
    style: Mapping[str, float]
    sharpness: float = 1.0

    @property
    def card(self) -> dict[str, Any]:
        """The group as data for a card of weights."""
        figures = {
            "share": self.share,
            "share of attempts": self.attempts,
            "success": self.success,
            "success of all": self.of_all,
            "tries a level": self.tries,
            "log odds of success beside all": self.odds,
            "sharpness": self.sharpness,
        }
        rounded = {name: None if value is None else round(value, 4) for name, value in figures.items()}
        style = {name: round(value, 2) for name, value in self.style.items()}
        return {"name": self.name, "words": list(self.words), **rounded, "style": style}

    @classmethod
    def from_card(cls, card: Mapping[str, Any]) -> "Persona":
        """The group that a card describes."""
        return cls(
            card["name"],
            card["share"],
            card["share of attempts"],
            tuple(card["words"]),
            card["success"],
            card["success of all"],
            card["tries a level"],
            card["log odds of success beside all"],
            card["style"],
            card["sharpness"],
        )


@dataclass(frozen=True)
class Personas:
    """Groups of players, and the weights that play them.

    belongs  how surely each player of the telemetry belongs to each group, in the order of `players`
    gains    by how much the moves of a player who was left out are likelier, in nats, with 1, 2 ... groups
             than with one; empty where the number of groups was not chosen
    """

    weights: Weights
    groups: tuple[Persona, ...]
    players: Sequence[tuple[str, str]]
    belongs: Floats
    gains: tuple[float, ...] = ()


def persona_weights(
    policy: Weights, groups: Groups, personas: Sequence[Persona], moves: PlayerMoves
) -> Weights:
    """The policy with a row of `shift` and `out` for each group, and the groups on its card."""
    arrays = dict(policy.arrays)
    for name in ("shift", "out"):
        rows = np.concatenate([arrays[name][[EVERYONE]], getattr(groups, name)])
        arrays[name] = rows.astype(np.float32)
    arrays["share"] = shares_of(personas)
    return Weights(policy.kind, policy.encoding, arrays, _card(policy, personas, moves))


def shares_of(personas: Sequence[Persona]) -> NDArray[np.float32]:
    """How often each persona is drawn for an attempt; row 0, everyone, never."""
    return np.array([0.0, *(persona.attempts for persona in personas)], np.float32)


def are_simulated(weights: Weights) -> bool:
    """Whether the players whose groups weights have are simulated ones."""
    return weights.card.get("grouped players") == _SIMULATED_PLAYERS


def _card(policy: Weights, personas: Sequence[Persona], moves: PlayerMoves) -> dict[str, Any]:
    return {
        **policy.card,
        "personas": [persona.card for persona in personas],
        "grouped players": _SIMULATED_PLAYERS
        if all(cohort.startswith(SIMULATED) for cohort, _ in moves.players)
        else "as the files say",
        "personas from": f"{len(moves.made):,} moves of {len(moves.players):,} players, "
        f"{len(moves.fares):,} attempts whose end is known; policy {policy.digest}",
    }


def groups_of(weights: Weights) -> tuple[Groups, tuple[Persona, ...]]:
    """The groups in weights, and how their card describes them; TrainingError if there are none."""
    check_shapes(weights)
    cards = weights.card.get("personas", [])
    number = len(weights.arrays["share"]) - 1
    if not number or len(cards) != number:
        raise TrainingError(
            f"weights with {number} groups of players, {len(cards)} of them described; expected those that "
            "`levelsense players personas` wrote"
        )
    try:
        personas = tuple(Persona.from_card(card) for card in cards)
    except (KeyError, TypeError, ValueError) as error:
        raise TrainingError(
            f"the card of the weights: a group of players lacks {error}; expected what "
            "`levelsense players personas` wrote"
        ) from None
    shift, out = (weights.arrays[name][1:].astype(np.float64) for name in ("shift", "out"))
    # Players are told apart by what they do, not by what makes a persona succeed as often.
    out = out / np.array([[persona.sharpness] for persona in personas])
    share, odds = (np.array([getattr(persona, name) for persona in personas]) for name in ("share", "odds"))
    return Groups(shift, out, share, odds), personas


def persona_agents(model: str) -> dict[str, str]:
    """The specs of the agents that play a file's groups of players, by name, and all of them together first.

    `model` is a file of weights; TrainingError if it has no groups.
    """
    _, personas = groups_of(read_weights(model, KIND, *ENCODINGS))
    who = {"all together": "mix"} | {persona.name: str(k) for k, persona in enumerate(personas, 1)}
    return {name: f"policy:model={model},persona={persona}" for name, persona in who.items()}
