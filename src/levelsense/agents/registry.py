"""Agents by their spec: the one way from a name to something that plays."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from levelsense.agents.families import FAMILIES, Family
from levelsense.agents.spec import Value, read_options, split_spec, write_spec
from levelsense.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from levelsense.agents.kernels import AgentKernels
    from levelsense.game.game import Game, Move
    from levelsense.game.level import Level

# What plays is imported when an agent first plays: it brings the compiler with it.


@dataclass(frozen=True, eq=False)
class Agent:
    """Somebody who plays: a family, and a value for each of its options. Equal if its spec is."""

    family: Family
    options: "Mapping[str, Value]"

    @cached_property
    def spec(self) -> str:
        """The one way to write this agent; parse_agent reads it."""
        return write_spec(self.family.name, self.family.options, self.options)

    def __str__(self) -> str:
        return self.spec

    def __eq__(self, other: object) -> bool:
        return self.spec == other.spec if isinstance(other, Agent) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return parse_agent, (self.spec,)

    def attempts(self, level: "Level", seeds: Any) -> Any:
        """Plays an attempt for each of n pairs of seeds, an (n, 2) array of uint64.

        The first of a pair is the game's and the second the agent's. Gives n rows of ATTEMPT_DTYPE. A call
        shares nothing with others and releases the GIL.
        """
        from levelsense.agents.kernels import play_attempts

        return play_attempts(self._kernels, self.codes, level, seeds)

    def choose(self, game: "Game", seed: int) -> "Move":
        """The move that it plays here, with randomness of its own; the game stays as it is.

        AgentError if the attempt is over.
        """
        from levelsense.agents.kernels import choose_move

        self._refuse_ended(game)
        return choose_move(self._kernels, self.codes, game, seed)

    def values(self, game: "Game", seed: int) -> "dict[Move, float] | None":
        """What it thinks each legal move is worth, the more the better; None if it does not think in values.

        AgentError if the attempt is over.
        """
        from levelsense.agents.kernels import value_moves

        self._refuse_ended(game)
        return value_moves(self._kernels, self.codes, game, seed)

    def _refuse_ended(self, game: "Game") -> None:
        if game.status != "playing":
            raise AgentError(f"{self.spec} has no move to choose from: the attempt is over ({game.status})")

    @cached_property
    def _kernels(self) -> "AgentKernels":
        made: AgentKernels = import_module(self.family.module).kernels(self.options)
        return made

    @property
    def codes(self) -> list[float]:
        """The options as kernels get them, in the table's order."""
        return [option.code(self.options[option.name]) for option in self.family.options]


def families() -> tuple[Family, ...]:
    """All families of agents, simple ones first."""
    return FAMILIES


def presets() -> dict[str, str]:
    """The names that stand for a whole spec, each with its spec."""
    return {preset.name: preset.spec for family in FAMILIES for preset in family.presets}


def parse_agent(spec: str) -> Agent:
    """The agent that a spec means; options after the name of a preset change the preset.

    AgentError says what is wrong with the spec.
    """
    name, written = split_spec(spec)
    if name in presets():
        base = parse_agent(presets()[name])
        family, values = base.family, base.options
    else:
        family = _family(name)
        values = {option.name: option.default for option in family.options}
    options = read_options(family.name, family.options, written, values)
    _refuse_apart(family, options)
    return Agent(family, MappingProxyType(options))


def _refuse_apart(family: Family, options: "Mapping[str, Value]") -> None:
    """AgentError if two options are set that cannot both be."""
    by_name = {option.name: option for option in family.options}
    for apart in family.apart:
        pair = [by_name[apart.one], by_name[apart.other]]
        if all(options[option.name] != option.default for option in pair):
            told = " and ".join(f"{option.name}={option.write(options[option.name])}" for option in pair)
            raise AgentError(f"{told} for {family.name}: {apart.reason}; expected only one of them")


def _family(name: str) -> Family:
    for family in FAMILIES:
        if family.name == name:
            return family
    names = [*(family.name for family in FAMILIES), *presets()]
    close = get_close_matches(name.lower(), names, 1)
    meant = f"did you mean {close[0]}? There are" if close else "there are"
    raise AgentError(f"unknown agent {name!r}; {meant}: {', '.join(names)}")
