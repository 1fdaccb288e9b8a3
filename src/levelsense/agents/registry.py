"""Agents by their spec: the table of families, and the one way from a spec to an agent.

The table names the function that makes the kernels of each family and imports none, so that it can be read
without the compiler."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from levelsense.agents.spec import (
    Option,
    Value,
    choice,
    file,
    number,
    read_options,
    split_spec,
    switch,
    weights,
    whole,
    write_spec,
)
from levelsense.errors import AgentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from levelsense.agents.attempt import AgentKernels
    from levelsense.agents.decisions import Decision
    from levelsense.game.game import Game, Move
    from levelsense.game.state import States
    from levelsense.level.level import Level


MOST_SIMULATIONS = 1_000_000
_REFERENCE = re.compile(r"([^\W\d][\w.]*):[\w.<>]+(@[0-9a-f]{12})?")
SHIPPED_POLICY = "simulated-2"


@dataclass(frozen=True)
class Preset:
    """A name for a whole spec."""

    name: str
    spec: str
    summary: str


@dataclass(frozen=True)
class ExclusivePair:
    """Two options that cannot both be set, and why."""

    first: str
    second: str
    reason: str


@dataclass(frozen=True)
class Family:
    """Agents that play alike but for their options; `entry` names the function that makes their kernels."""

    name: str
    summary: str
    entry: str
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    exclusive: tuple[ExclusivePair, ...] = ()
    values_are_probabilities: bool = False

    @property
    def needs_options(self) -> bool:
        """Whether its name alone is no agent yet: an option has no default."""
        return any(option.is_required for option in self.options)


RANDOM = Family(
    "random", "Plays any legal move, each as likely as any other.", "levelsense.agents.simple:random_kernels"
)

FIRST = Family(
    "first",
    "Plays the first legal move in row-major order, the uppermost.",
    "levelsense.agents.simple:first_kernels",
)

GREEDY = Family(
    "greedy",
    "Plays the move that is sure to gain most before new pieces fall in.",
    "levelsense.agents.simple:greedy_kernels",
    (
        choice(
            "of", ("score", "goals"), "what is gained: score, or progress towards the goals and then score"
        ),
    ),
)

HEURISTIC = Family(
    "heuristic",
    "A hand-made bot: goals first, then special candies, then moves low on the board.",
    "levelsense.agents.heuristic:kernels",
)

BEAM = Family(
    "beam",
    "Looks some moves ahead along the best moves only (McAdams).",
    "levelsense.agents.beam:kernels",
    (
        whole("depth", 3, 1, 5, "how many moves it looks ahead; the first level keeps depth x depth moves"),
        choice("heuristic", ("h2", "h1"), "what a position is worth: score and board, or score alone"),
        choice("ties", ("lowest", "first"), "of equally good moves the lowest on the board, or the first"),
    ),
)

SAMPLING = Family(
    "sampling",
    "Simulates the rest of the attempt for each move, and plays the best mean score (Lee et al.).",
    "levelsense.agents.sampling:kernels",
    (
        whole("simulations", 25, 1, MOST_SIMULATIONS, "simulated ends of the attempt, each time it chooses"),
        choice(
            "per", ("move", "turn"), "so many simulations for each legal move, or for all of them together"
        ),
        number(
            "epsilon", 0.25, 0, 1, "the share of random moves in simulations; per=turn: of random first moves"
        ),
        choice(
            "of", ("score", "goals"), "what an end is worth: its score, or its progress towards the goals"
        ),
    ),
)

MCTS = Family(
    "mcts",
    "Monte Carlo tree search with chance nodes (Poromaa).",
    "levelsense.agents.mcts.search:kernels",
    (
        whole("simulations", 100, 1, MOST_SIMULATIONS, "simulations for each move"),
        number("seconds", 0, 0, 3_600, "time for each move instead of a number of simulations; 0: not used"),
        number("c", 0.6, 0, 100, "how much UCB explores; with a prior, how much PUCT does"),
        whole("branching", 3, 1, 1_000, "the most states that are sampled for each action"),
        whole("depth", 0, 0, 1_000, "the greatest depth of the tree; 0: no limit"),
        choice("signal", ("goals", "binary", "score", "combined"), "what a simulated end is worth"),
        number("shrinking", 1, 0, 1, "the factor on the worth of an end that is no win"),
        choice(
            "playout",
            ("random", "to-mast", "heuristic", "clouded", "policy"),
            "how a simulation goes on below the tree",
        ),
        choice("final", ("max", "robust", "robust-max"), "the move played: best mean, most visits, or both"),
        switch("keep_tree", False, "keep the part of the tree below the move that is played"),
        switch("settle", False, "stop when the rest of the simulations cannot change the choice"),
        number("noise", 0, 0, 1, "the share of moves that are random"),
        choice("prior", ("none", "policy"), "whose probabilities of moves guide the tree, if anybody's"),
        weights(
            "model",
            "policy",
            SHIPPED_POLICY,
            "the policy's weights, if prior or playout is the policy's",
            used_by=(("prior", "policy"), ("playout", "policy")),
        ),
    ),
    (
        Preset("mcts-b1", "mcts:simulations=50,signal=score", "bot B1 of the thesis"),
        Preset("mcts-b2", "mcts:simulations=100,signal=score", "bot B2 of the thesis"),
        Preset("mcts-b3", "mcts:simulations=100,signal=score,playout=heuristic", "bot B3 of the thesis"),
        Preset("mcts-b4", "mcts:simulations=150,signal=score", "bot B4 of the thesis"),
    ),
    (
        ExclusivePair(
            "seconds", "settle", "it is not known how many simulations the time that is left will allow"
        ),
    ),
)

HALVING = Family(
    "halving",
    "Simulates all moves, drops the worse half, and again, until one is left (Karnin et al.).",
    "levelsense.agents.halving:kernels",
    (
        whole(
            "simulations", 400, 1, MOST_SIMULATIONS, "simulations for each move, of all legal moves together"
        ),
        number(
            "epsilon", 0.1, 0, 1, "the share of random moves in simulations; the others are the heuristic's"
        ),
        choice(
            "signal", ("goals", "binary"), "what an end that is no win is worth: its progress, or nothing"
        ),
    ),
)

POLICY = Family(
    "policy",
    "A network that chooses moves as the players do that it learned from (after Gudmundsson et al.).",
    "levelsense.agents.policy.agent:kernels",
    (
        weights("model", "policy", SHIPPED_POLICY, "the network's weights"),
        choice(
            "play",
            ("sample", "greedy", "epsilon"),
            "a move drawn by its probability, the most probable one, or that one but for a share of any",
        ),
        number("temperature", 1, 0.01, 100, "play=sample: below 1 likelier moves are drawn more often"),
        number("epsilon", 0.05, 0, 1, "play=epsilon: the share of random moves"),
        choice(
            "persona",
            ("mix", "everyone", "1", "2", "3", "4", "5", "6", "7", "8"),
            "whom it plays as: a group drawn for each attempt, all players alike, or the group of a number",
        ),
    ),
    values_are_probabilities=True,
)

ONNX = Family(
    "onnx",
    "A network over planes of the board, of one's own or as Gudmundsson et al. have them (extra onnx).",
    "levelsense.agents.convolution.agent:kernels",
    (
        file("model", "ONNX", "the network: it takes planes of the board and gives logits of swaps"),
        choice(
            "play",
            ("sample", "greedy", "epsilon"),
            "a move drawn by its probability, the most probable one, or that one but for a share of any",
        ),
        number("temperature", 1, 0.01, 100, "play=sample: below 1 likelier moves are drawn more often"),
        number("epsilon", 0.05, 0, 1, "play=epsilon: the share of random moves"),
    ),
    values_are_probabilities=True,
)

# The paper's feature of simulated utility, which both families of learned values have.
_EPISODES = (
    whole("episodes", 25, 1, 200, "simulated episodes for each legal move"),
    whole("depth", 5, 1, 50, "the most moves of an episode"),
)

Q_LINEAR = Family(
    "q-linear",
    "Plays the move of the highest value, a learned sum of 24 features (Lee et al.).",
    "levelsense.agents.qlearning.playing:linear_kernels",
    (weights("model", "q-linear", "q-linear-1", "the weights that it plays by"), *_EPISODES),
)

Q_NETWORK = Family(
    "q-network",
    "Plays the move of the highest value, by a small network over 24 features (Lee et al.).",
    "levelsense.agents.qlearning.playing:network_kernels",
    (weights("model", "q-network", "q-network-1", "the weights that it plays by"), *_EPISODES),
)

FAMILIES = (
    *(RANDOM, FIRST, GREEDY, HEURISTIC),
    *(BEAM, SAMPLING, Q_LINEAR, Q_NETWORK, MCTS, HALVING),
    *(POLICY, ONNX),
)


# Kernels are imported when an agent first plays: they need the compiler.


@dataclass(frozen=True, eq=False)
class Agent:
    """An agent: a family with a value for each of its options. Agents with the same spec are equal."""

    family: Family
    options: "Mapping[str, Value]"

    @cached_property
    def spec(self) -> str:
        """The canonical spec of this agent; parse_agent reads it."""
        return write_spec(self.family.name, self.family.options, self.options)

    def __str__(self) -> str:
        return self.spec

    def __eq__(self, other: object) -> bool:
        return self.spec == other.spec if isinstance(other, Agent) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return parse_agent, (self.spec,)

    def attempts(self, level: "Level", seeds: Any, deal_board: Any = None) -> Any:
        """Plays an attempt for each of n pairs of seeds, an (n, 2) array of uint64.

        The first of a pair is the game's and the second the agent's. Gives n rows of ATTEMPT_DTYPE. A call
        shares nothing with others and releases the GIL. `deal_board` is a kernel that deals the first board
        in another way than the rules do.
        """
        from levelsense.agents.attempt import play_attempts
        from levelsense.game.deal import deal

        return play_attempts(self._kernels, self.codes, level, seeds, deal_board or deal)

    def follow(self, level: "Level", seeds: Any) -> "list[States]":
        """The attempts of `attempts` turn by turn: the states (STATE_DTYPE) as dealt and after each move."""
        from levelsense.agents.attempt import follow_attempts

        return follow_attempts(self._kernels, self.codes, level, seeds)

    def decide(self, level: "Level", seeds: Any, *, valued: bool = True) -> "Iterator[Decision]":
        """The attempt of one pair of seeds choice by choice, with what each legal move was worth in it."""
        from levelsense.agents.decisions import decide

        return decide(self._kernels, self.codes, level, seeds, valued=valued)

    def count_wins(self, game: "Game", seeds: Any) -> int:
        """How often the agent wins that plays on from a game's position, once with each pair of seeds."""
        from levelsense.agents.decisions import count_wins

        return count_wins(self._kernels, self.codes, game, seeds)

    def record(self, level: "Level", seeds: Any) -> "tuple[Any, Any, Any]":
        """The attempts of `attempts`, the numbers of the moves made in them, and where each attempt's begin.

        Attempt k made the moves codes[offsets[k]:offsets[k + 1]].
        """
        from levelsense.agents.attempt import record_moves

        return record_moves(self._kernels, self.codes, level, seeds)

    def choose(self, game: "Game", seed: int) -> "Move":
        """The move that the agent chooses at the game's position, its generator started by `seed`.

        The game is not changed.

        AgentError if the attempt is over.
        """
        from levelsense.agents.attempt import choose_move

        self._refuse_ended(game)
        return choose_move(self._kernels, self.codes, game, seed)

    def values(self, game: "Game", seed: int) -> "dict[Move, float] | None":
        """The agent's value of each legal move, the higher the better; None for an agent without values.

        AgentError if the attempt is over.
        """
        from levelsense.agents.attempt import value_moves

        self._refuse_ended(game)
        return value_moves(self._kernels, self.codes, game, seed)

    def _refuse_ended(self, game: "Game") -> None:
        if game.status != "playing":
            raise AgentError(f"{self.spec} has no move to choose from: the attempt is over ({game.status})")

    @cached_property
    def _kernels(self) -> "AgentKernels":
        module, _, function = self.family.entry.partition(":")
        kernels: AgentKernels = getattr(import_module(module), function)(self.options)
        return kernels

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


def agent_words(spec: str) -> str:
    """An agent's spec as it is told to people: shipped weights that are taken if none are named are left out.

    >>> agent_words("policy:model=simulated-2"), agent_words("mcts:c=1,prior=policy,model=simulated-2")
    ('policy', 'mcts:c=1,prior=policy')
    """
    name, _, options = spec.partition(":")
    named = [option for option in options.split(",") if option and option != f"model={SHIPPED_POLICY}"]
    return f"{name}:{','.join(named)}" if named else name


def parse_agent(spec: str) -> Agent:
    """The agent that a spec means; options after the name of a preset change the preset.

    A function of one's own is written `module:name`. AgentError says what is wrong with the spec.
    """
    if _is_reference(spec):
        from levelsense.agents.chooser import find_chooser

        return find_chooser(spec.strip())
    name, written = split_spec(spec)
    if name in presets():
        base = parse_agent(presets()[name])
        family, values = base.family, base.options
    else:
        family = _family(name)
        values = {option.name: option.default for option in family.options}
    options = read_options(family.name, family.options, written, values)
    _refuse_exclusive(family, options)
    return Agent(family, MappingProxyType(options))


def _is_reference(spec: str) -> bool:
    """Whether a spec names a function of a module, and no family or preset."""
    match = _REFERENCE.fullmatch(spec.strip())
    return match is not None and match[1] not in {*presets(), *(family.name for family in FAMILIES)}


def _refuse_exclusive(family: Family, options: "Mapping[str, Value]") -> None:
    """AgentError if both options of an exclusive pair are set."""
    by_name = {option.name: option for option in family.options}
    for pair in family.exclusive:
        both = [by_name[pair.first], by_name[pair.second]]
        if all(options[option.name] != option.default for option in both):
            settings = " and ".join(f"{option.name}={option.write(options[option.name])}" for option in both)
            raise AgentError(f"{settings} for {family.name}: {pair.reason}; expected only one of them")


def _family(name: str) -> Family:
    for family in FAMILIES:
        if family.name == name:
            return family
    names = [*(family.name for family in FAMILIES), *presets()]
    close = get_close_matches(name.lower(), names, 1)
    hint = f"did you mean {close[0]}? There are" if close else "there are"
    raise AgentError(f"unknown agent {name!r}; {hint}: {', '.join(names)}")
