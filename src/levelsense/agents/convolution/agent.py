"""The onnx agent: it plays by the probabilities that a network over planes gives to swaps."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from levelsense.agents.attempt import GAME, AgentKernels
from levelsense.agents.convolution.network_file import NetworkFile, read_network_file
from levelsense.agents.convolution.planes import new_planes, refuse_large, swap_number, write_planes
from levelsense.agents.policy.network import soften
from levelsense.agents.simple import any_of_the_best
from levelsense.errors import AgentError
from levelsense.game.moves import MOST_MOVES, REVERSED, list_moves
from levelsense.game.state import Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below, draw_in_proportion, uniform

# The options of the agent, in the order of its table.
MODEL, PLAY, TEMPERATURE, EPSILON = range(4)
SAMPLE, GREEDY, EPSILON_GREEDY = range(3)
_LOG_2: Final = 0.6931471805599453


class Memory:
    """What a network is given and gives, of one position; calls on different threads share none."""

    def __init__(self, network: NetworkFile) -> None:
        self.network = network
        self.planes = new_planes()
        self.score = np.zeros(MOST_MOVES)

    def score_moves(self, level: LevelRecord, states: States, moves: Moves) -> int:
        """Lists the legal moves of states[GAME] and writes the logit of each to `score`; how many there are.

        One position at a time: results of ONNX Runtime differ in their last bits with the number of positions
        that it is given at once, and attempts would depend on which others are played beside them.
        """
        count = int(list_moves(states[GAME], moves))
        write_planes(level, states[GAME], moves, count, self.planes[0])
        pick_logits(self.network.logits(self.planes)[0], moves, count, self.score)
        best = float(self.score[:count].max())
        if not np.isfinite(best):
            raise AgentError(f"{self.network.source}: the network gives {best} for a legal move")
        return count


@kernel
def pick_logits(logits: Array, moves: Moves, count: int, score: Array) -> None:
    """Writes the logit of each move's swap. The score is modified in place."""
    for k in range(count):
        score[k] = logits[swap_number(moves[k])]


@kernel
def share_swaps(moves: Moves, score: Array, count: int, temperature: float) -> None:
    """Turns the logits of moves into probabilities; two moves that are one swap share its equally.

    Both have half of exp(score / temperature), which is that of a lower score. The score is modified.
    """
    for k in range(count - 1):
        if moves[k + 1] == moves[k] + REVERSED:
            score[k] -= temperature * _LOG_2
            score[k + 1] -= temperature * _LOG_2
    soften(score, count, temperature)


@kernel
def draw_move(rng: Rng, moves: Moves, score: Array, count: int, options: Array) -> int:
    """The move that is played, by the logits of the legal moves. The score is modified in place."""
    if options[PLAY] == SAMPLE:
        share_swaps(moves, score, count, options[TEMPERATURE])
        place = draw_in_proportion(rng, score, count)
    elif options[PLAY] == EPSILON_GREEDY and uniform(rng) < options[EPSILON]:
        place = below(rng, count)
    else:
        place = any_of_the_best(rng, score, count)
    return moves[place]  # type: ignore[no-any-return]


def choose_by_network(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Memory, options: Array
) -> int:
    """A move drawn by its probability, or the most probable one, or that one but for a share of any."""
    count = memory.score_moves(level, states, moves)
    return int(draw_move(rng, moves, memory.score, count, options))


def value_by_network(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Memory,
    options: Array,
    values: Array,
) -> None:
    """The probability of each legal move."""
    count = memory.score_moves(level, states, moves)
    share_swaps(moves, memory.score, count, options[TEMPERATURE])
    values[:count] = memory.score[:count]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The functions of this family; their memory is the network."""
    network = read_network_file(str(options["model"]))
    return AgentKernels(
        "onnx",
        choose_by_network,
        begin_in_python,
        value_by_network,
        memory=lambda level: Memory(network),
        compiled=False,
        check=refuse_large,
    )


def begin_in_python(level: LevelRecord, states: States, memory: Memory, options: Array) -> None:
    """Nothing to prepare; plain Python, since the memory is none that kernels take."""
