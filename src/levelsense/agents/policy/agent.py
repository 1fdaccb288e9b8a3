"""The policy agent: it plays by the probabilities that its network gives to moves."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from levelsense.agents.attempt import GAME, AgentKernels
from levelsense.agents.policy.network import (
    EVERYONE,
    LAST_CELL,
    PERSONA,
    Network,
    read_network,
    score_moves,
    soften,
)
from levelsense.agents.simple import any_of_the_best
from levelsense.errors import AgentError
from levelsense.game.moves import first_cell, list_moves
from levelsense.game.state import NO_CELL, Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below, draw_in_proportion, uniform

# The options of the agent, in the order of its table.
MODEL, PLAY, TEMPERATURE, EPSILON, WHO = range(5)
SAMPLE, GREEDY, EPSILON_GREEDY = range(3)
OF_MIX, OF_EVERYONE = 0, 1  # and from 2 on the groups of players, from the first on
_UNDRAWN: Final = -1  # the persona before the first move


@kernel
def begin_policy(level: LevelRecord, states: States, memory: Network, options: Array) -> None:
    """Clears the last move and the persona of the last attempt. The network's memory is modified."""
    memory.number[LAST_CELL] = NO_CELL
    if options[WHO] != OF_MIX:
        memory.number[PERSONA] = EVERYONE + options[WHO] - OF_EVERYONE
    elif memory.share.shape[0] > 1:
        memory.number[PERSONA] = _UNDRAWN
    else:
        memory.number[PERSONA] = EVERYONE


@kernel
def _draw_persona(rng: Rng, network: Network) -> None:
    """Draws the persona that plays an attempt, by the personas' shares. The network's memory is modified."""
    network.number[PERSONA] = draw_in_proportion(rng, network.share, network.share.shape[0])


@kernel
def value_by_policy(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Network,
    options: Array,
    values: Array,
) -> None:
    """The probability of each legal move."""
    count = list_moves(states[GAME], moves)
    if memory.number[PERSONA] == _UNDRAWN:
        _draw_persona(rng, memory)
    score_moves(level, states, GAME, work, moves, count, memory)
    soften(memory.score, count, options[TEMPERATURE])
    for k in range(count):
        values[k] = memory.score[k]


@kernel
def choose_by_policy(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Network, options: Array
) -> int:
    """A move drawn by its probability, or the most probable one, or that one but for a share of any."""
    count = list_moves(states[GAME], moves)
    if memory.number[PERSONA] == _UNDRAWN:
        _draw_persona(rng, memory)
    score_moves(level, states, GAME, work, moves, count, memory)
    if options[PLAY] == SAMPLE:
        soften(memory.score, count, options[TEMPERATURE])
        place = draw_in_proportion(rng, memory.score, count)
    elif options[PLAY] == EPSILON_GREEDY and uniform(rng) < options[EPSILON]:
        place = below(rng, count)
    else:
        place = any_of_the_best(rng, memory.score, count)
    memory.number[LAST_CELL] = first_cell(moves[place])
    return moves[place]  # type: ignore[no-any-return]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; their memory is the network.

    AgentError if the persona is none of the weights' groups of players.
    """
    source = str(options["model"])
    _refuse_nobody(str(options["persona"]), read_network(source).share.shape[0] - 1)
    return kernels_of(lambda: read_network(source))


def kernels_of(new_network: Callable[[], Network]) -> AgentKernels:
    """The kernels of this family; `new_network` makes the network for each batch of attempts."""
    return AgentKernels(
        "policy", choose_by_policy, begin_policy, value_by_policy, memory=lambda level: new_network()
    )


def _refuse_nobody(persona: str, groups: int) -> None:
    if persona in ("mix", "everyone") or int(persona) <= groups:
        return
    if groups == 0:
        raise AgentError(
            f"persona={persona} for policy: the weights have no groups of players; expected none, or "
            "weights that `levelsense players personas` wrote"
        )
    numbers = "1" if groups == 1 else f"1 to {groups}"
    raise AgentError(
        f"persona={persona} for policy: the weights have {groups} group{'s' * (groups > 1)} of players; "
        f"expected {numbers}, mix or everyone"
    )
