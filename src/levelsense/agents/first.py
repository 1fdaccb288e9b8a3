"""The first agent: the first legal move it comes across (Lee et al., section 4.2: the baseline)."""

from collections.abc import Mapping
from typing import Any

from levelsense.agents.attempt import GAME
from levelsense.agents.kernels import AgentKernels
from levelsense.game.moves import list_moves
from levelsense.kernel import kernel


@kernel
def choose_first(level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any) -> int:
    """The first legal move in the order of the rules: the uppermost row, from the left."""
    list_moves(states[GAME], moves)
    return moves[0]  # type: ignore[no-any-return]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """What plays for this family."""
    return AgentKernels("first", choose_first)
