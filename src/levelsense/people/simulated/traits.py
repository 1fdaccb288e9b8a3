"""Populations of simulated players: mixes of types, and the traits that players are drawn with.

Each trait of a player is drawn around its type's middle, partly by one common skill, partly on its own:

    log trait = log middle + spread * (load * skill + sqrt(1 - load^2) * own),   skill, own ~ N(0, 1)

(probabilities: logit instead of log; signed traits: the trait itself, around 0). The tables are in kinds.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.arithmetic import exp, log2
from levelsense.errors import PlayersError
from levelsense.people.simulated.kinds import GROWS, KIND_OF, Kind, Trait
from levelsense.playtest.plan import check_seed
from levelsense.rng import Draws

Mix = str | Mapping[str, float]  # a name, shares of types as text, or shares by type

_GLANCERS: Final = {"casual": 0.40, "steady": 0.35, "keen": 0.15, "expert": 0.05, "sparkler": 0.05}
_PLANNERS: Final = {"drifter": 0.35, "hoarder": 0.25, "spender": 0.25, "strategist": 0.15}
MIXES: Final[MappingProxyType[str, dict[str, float]]] = MappingProxyType(
    {
        "everyone": _GLANCERS,
        "newcomers": {"casual": 0.65, "steady": 0.20, "keen": 0.05, "sparkler": 0.10},
        "veterans": {"casual": 0.10, "steady": 0.35, "keen": 0.35, "expert": 0.15, "sparkler": 0.05},
        "planners": _PLANNERS,
        "both": {name: share / 2 for name, share in (_GLANCERS | _PLANNERS).items()},
    }
)
DEFAULT_MIX: Final = "everyone"
MOST_PLAYERS: Final = 100_000  # of one population: they are drawn one by one, and all play a level at once
SIMULATED: Final = "simulated"  # the first word of every simulated cohort
_WRITTEN: Final = "casual=0.4,hoarder=0.6"  # an example for errors
_ROUNDING: Final = 1e-6  # that shares may miss 1 by, together


@dataclass(frozen=True)
class Population:
    """Simulated players: a row of traits each, by the table of its kind, and the type of each.

    Rows are as long as the longest of them needs, with zeros behind shorter ones. `kind_of` says of which
    kind each type is. `leave` is how readily players who fail much leave the game (leaving.py).
    """

    mix: str
    seed: int
    types: tuple[str, ...]
    traits: NDArray[np.float64]
    kind_of: Mapping[str, Kind] = field(default_factory=lambda: KIND_OF)
    leave: float = 0.0

    def __len__(self) -> int:
        return len(self.types)

    @property
    def cohort(self) -> str:
        """The cohort that their results are stored under, apart from people's and other populations'."""
        leaving = f", leave {self.leave:g}" if self.leave else ""
        return f"{SIMULATED} {self.mix}, seed {self.seed}{leaving}"

    @property
    def kinds(self) -> dict[Kind, NDArray[np.int64]]:
        """The players of each kind that there are any of, by number."""
        players = {
            kind: np.array([k for k, name in enumerate(self.types) if name in kind.types], np.int64)
            for kind in dict.fromkeys(self.kind_of.values())
        }
        return {kind: numbers for kind, numbers in players.items() if len(numbers)}

    @property
    def patience(self) -> NDArray[np.float64]:
        """How many attempts each player makes at a level before giving up."""
        columns = np.array([self.kind_of[name].patience for name in self.types])
        patience: NDArray[np.float64] = self.traits[np.arange(len(self)), columns]
        return patience

    def at_attempt(self, players: NDArray[np.int64], attempt: int) -> NDArray[np.float64]:
        """The traits that kernels read, of players of one kind at their attempt of this number (from 0)."""
        kind = self.kind_of[self.types[players[0]]]
        traits = self.traits[players, : kind.columns].copy()
        growth = 1.0 + self.traits[players, kind.learning] * log2(1.0 + attempt)
        for trait in kind.table.values():
            if trait.learned:
                column = traits[:, trait.code]
                learned = column * growth if trait.learned == GROWS else column / growth
                traits[:, trait.code] = np.round(learned) if trait.whole else learned
        return traits


def draw_population(players: int, seed: int, mix: Mix = DEFAULT_MIX, leave: float = 0.0) -> Population:
    """So many players of a mix of types: player k of a seed is the same in any larger population.

    `mix` is a name of MIXES, or shares of types: by type, or as text such as `casual=0.4,hoarder=0.6`.
    PlayersError if there is no such mix or type, if the shares do not add up to 1, if there is no player, or
    more than MOST_PLAYERS, or if `leave` is no probability.
    """
    name, shares = read_mix(mix)
    return draw_of(name, shares, KIND_OF, players, seed, leave)


def draw_of(
    name: str,
    shares: Mapping[str, float],
    kind_of: Mapping[str, Kind],
    players: int,
    seed: int,
    leave: float = 0.0,
) -> Population:
    """So many players of a mix with this name, by shares of types that are of these kinds."""
    if not 1 <= players <= MOST_PLAYERS:
        raise PlayersError(f"players: {players:,}; expected a whole number from 1 to {MOST_PLAYERS:,}")
    check_seed(seed, error=PlayersError)
    if not 0 <= leave <= 1:  # not a number is none either
        raise PlayersError(f"leave: {leave:g}; expected a number from 0 to 1")
    drawn = [_draw_player(Draws("player", seed, number), shares, kind_of) for number in range(players)]
    traits = np.zeros((players, max(len(row) for _, row in drawn)))
    for k, (_, row) in enumerate(drawn):
        traits[k, : len(row)] = row
    return Population(name, seed, tuple(kind for kind, _ in drawn), traits, kind_of, leave)


def read_mix(mix: Mix) -> tuple[str, dict[str, float]]:
    """A mix's name and its shares by type; PlayersError if it is none.

    The name of shares is their text, with types in the order of the tables: equal shares have one name.
    """
    if isinstance(mix, str):
        if mix in MIXES:
            return mix, MIXES[mix]
        if "=" not in mix:
            raise PlayersError(
                f"mix: {mix!r}; expected one of: {', '.join(MIXES)}; or shares of types such as {_WRITTEN}"
            )
        mix = _parse_shares(mix)
    for name in mix:
        if name not in KIND_OF:
            raise PlayersError(f"mix: type {name!r}; expected one of: {', '.join(KIND_OF)}")
        if not (isinstance(mix[name], int | float) and 0 <= mix[name] <= 1):
            raise PlayersError(f"mix: share of {name}: {mix[name]}; expected a number from 0 to 1")
    shares = {name: float(mix[name]) for name in KIND_OF if mix.get(name)}
    total = sum(shares.values())
    if abs(total - 1) > _ROUNDING:
        raise PlayersError(f"mix: shares add up to {total:g}; expected 1")
    return ",".join(f"{name}={share!r}" for name, share in shares.items()), shares


def _parse_shares(text: str) -> dict[str, float]:
    """Shares by type, from text such as casual=0.4,hoarder=0.6; PlayersError if it is none."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = (word.strip() for word in part.partition("="))
        if name in shares:
            raise PlayersError(f"mix: type {name!r} is given twice; expected each type once")
        try:
            shares[name] = float(share)
        except ValueError:
            raise PlayersError(
                f"mix: {part.strip()!r}; expected a type and its share, as in {_WRITTEN}"
            ) from None
    return shares


def _draw_player(
    rng: Draws, shares: Mapping[str, float], kind_of: Mapping[str, Kind]
) -> tuple[str, NDArray[np.float64]]:
    type_name = rng.choice(list(shares), list(shares.values()))
    kind = kind_of[type_name]
    skill = rng.normal()
    traits = np.zeros(len(kind.table))
    for name, trait in kind.table.items():
        deviation = trait.load * skill + sqrt(1 - trait.load * trait.load) * rng.normal()
        traits[trait.code] = _value(trait, kind.types[type_name].get(name, 1.0), deviation)
    return type_name, traits


def _value(trait: Trait, factor: float, deviation: float) -> float:
    """A trait's value, so many deviations from its middle."""
    if trait.signed:
        return factor * trait.spread * deviation
    grown = factor * exp(trait.spread * deviation)
    if trait.probability:
        odds = trait.middle / (1 - trait.middle) * grown
        return odds / (1 + odds)
    value = min(trait.middle * grown, trait.most)
    return max(1, round(value)) if trait.whole else value
