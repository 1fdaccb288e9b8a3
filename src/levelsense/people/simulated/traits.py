"""The traits of simulated players, the types of player, and the mixes of types.

Each trait of a player is drawn around its type's middle, partly by one common skill, partly on its own:

    log trait = log middle + spread * (load * skill + sqrt(1 - load^2) * own),   skill, own ~ N(0, 1)

(probabilities: logit instead of log). These numbers are assumptions. They were chosen so that players see
part of the board, err and differ, as people do; they were fitted to no person's play.
"""

from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsense.arithmetic import exp, log2
from levelsense.errors import PlayersError
from levelsense.people.simulated.mind import (
    ACUITY,
    ALARM,
    CONTENT,
    ERROR,
    GOALS,
    HASTE,
    LOOKS,
    OBVIOUS,
    PURPOSE,
    SPAN,
    SPECIALS,
    TRAITS,
)
from levelsense.playtest.plan import check_seed
from levelsense.rng import Draws


class Trait(NamedTuple):
    """How a trait varies among players of one type."""

    code: int
    middle: float
    spread: float  # of its logarithm or logit
    load: float  # how much of it comes with skill, from -1 to 1
    probability: bool = False
    most: float = float("inf")


TRAIT_TABLE: Final = MappingProxyType(
    {
        "looks": Trait(LOOKS, 5.0, 0.45, 0.8, most=24),  # places looked at, at most, before a move
        "span": Trait(SPAN, 2.0, 0.25, 0.3, most=5),  # cells around the eye in which swaps are seen
        "acuity": Trait(ACUITY, 0.6, 0.6, 0.6, True),  # share of the swaps there that are noticed
        "purpose": Trait(PURPOSE, 0.35, 0.8, 0.6, True),  # how often the eye goes where there is work
        "goals": Trait(GOALS, 0.8, 0.6, 0.6),  # what a step towards a goal is worth
        "specials": Trait(SPECIALS, 1.0, 0.6, 0.4),  # what a special is worth
        "obvious": Trait(OBVIOUS, 1.0, 0.5, -0.4),  # what it is worth that a move is near to the eye
        "alarm": Trait(ALARM, 3.0, 0.7, 0.5),  # what defusing a bomb is worth
        "error": Trait(ERROR, 0.8, 0.4, -0.5),  # of an impression
        "content": Trait(CONTENT, 3.0, 0.4, 0.5),  # how good is good enough
        "haste": Trait(HASTE, 0.10, 0.7, -0.4, True),  # how often the first swap noticed is made
        # The change from one attempt at a level to the next, and the number of attempts.
        "learning": Trait(TRAITS, 0.12, 0.6, 0.2),  # looks and goals grow so much with log2(attempt)
        "patience": Trait(TRAITS + 1, 3.0, 0.5, 0.0, most=8),  # attempts at a level before giving up
    }
)
COLUMNS: Final = len(TRAIT_TABLE)
LEARNING, PATIENCE = TRAITS, TRAITS + 1

# How types differ from the table: factors of the middles (of the odds, if a probability).
TYPES: Final[MappingProxyType[str, dict[str, float]]] = MappingProxyType(
    {
        "casual": {"looks": 0.7, "goals": 0.7, "obvious": 1.4, "content": 0.8, "haste": 1.8},
        "steady": {},
        "keen": {"looks": 1.4, "goals": 1.3, "specials": 1.2, "error": 0.8, "haste": 0.6, "patience": 1.3},
        "expert": {
            "looks": 2.2,
            "acuity": 2.5,
            "goals": 1.6,
            "specials": 1.4,
            "obvious": 0.6,
            "error": 0.6,
            "content": 1.5,
            "haste": 0.3,
            "patience": 1.5,
        },
        "sparkler": {"specials": 2.5, "goals": 0.35, "purpose": 0.5, "content": 1.2},
    }
)
MIXES: Final[MappingProxyType[str, dict[str, float]]] = MappingProxyType(
    {
        "everyone": {"casual": 0.40, "steady": 0.35, "keen": 0.15, "expert": 0.05, "sparkler": 0.05},
        "newcomers": {"casual": 0.65, "steady": 0.20, "keen": 0.05, "sparkler": 0.10},
        "veterans": {"casual": 0.10, "steady": 0.35, "keen": 0.35, "expert": 0.15, "sparkler": 0.05},
    }
)
DEFAULT_MIX: Final = "everyone"
MOST_PLAYERS: Final = 100_000  # of one population: they are drawn one by one, and all play a level at once
SIMULATED: Final = "simulated"  # the first word of every simulated cohort


@dataclass(frozen=True)
class Population:
    """Simulated players: a row of traits each, and the type of each."""

    mix: str
    seed: int
    types: tuple[str, ...]
    traits: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.types)

    @property
    def cohort(self) -> str:
        """The cohort that their results are stored under, apart from people's and other populations'."""
        return f"{SIMULATED} {self.mix}, seed {self.seed}"

    def at_attempt(self, players: NDArray[np.int64], attempt: int) -> NDArray[np.float64]:
        """The traits that kernels read, of some players at their attempt of this number (from 0)."""
        traits = self.traits[players, :TRAITS].copy()
        growth = 1.0 + self.traits[players, LEARNING] * log2(1.0 + attempt)
        traits[:, LOOKS] = np.round(traits[:, LOOKS] * growth)
        traits[:, GOALS] *= growth
        return traits


def draw_population(players: int, seed: int, mix: str = DEFAULT_MIX) -> Population:
    """So many players of a mix of types: player k of a seed is the same in any larger population.

    PlayersError if there is no such mix, no player, or more than MOST_PLAYERS.
    """
    if mix not in MIXES:
        raise PlayersError(f"mix: {mix!r}; expected one of: {', '.join(MIXES)}")
    if not 1 <= players <= MOST_PLAYERS:
        raise PlayersError(f"players: {players:,}; expected a whole number from 1 to {MOST_PLAYERS:,}")
    check_seed(seed, error=PlayersError)
    drawn = [_draw_player(Draws("player", seed, number), mix) for number in range(players)]
    return Population(mix, seed, tuple(kind for kind, _ in drawn), np.array([row for _, row in drawn]))


def _draw_player(rng: Draws, mix: str) -> tuple[str, NDArray[np.float64]]:
    shares = MIXES[mix]
    kind = rng.choice(list(shares), list(shares.values()))
    skill = rng.normal()
    traits = np.zeros(COLUMNS)
    for name, trait in TRAIT_TABLE.items():
        deviation = trait.load * skill + sqrt(1 - trait.load * trait.load) * rng.normal()
        traits[trait.code] = _value(trait, TYPES[kind].get(name, 1.0), deviation)
    traits[LOOKS] = max(1, round(traits[LOOKS]))
    traits[PATIENCE] = max(1, round(traits[PATIENCE]))
    return kind, traits


def _value(trait: Trait, factor: float, deviation: float) -> float:
    """A trait's value, so many deviations from its middle."""
    grown = factor * exp(trait.spread * deviation)
    if not trait.probability:
        return min(trait.middle * grown, trait.most)
    odds = trait.middle / (1 - trait.middle) * grown
    return odds / (1 + odds)
