"""The random agent: every legal move is as likely as any other."""

from collections.abc import Mapping
from typing import Any

from levelsense.agents.attempt import GAME
from levelsense.agents.kernels import AgentKernels
from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import list_moves
from levelsense.game.rng import below
from levelsense.game.state import PLAYING, WON
from levelsense.kernel import kernel


@kernel
def play_randomly(level: Any, state: Any, rng: Any, work: Any, choice: Any, moves: Any) -> int:
    """Plays an attempt to its end by random legal moves; returns how many were legal, all in all.

    `choice` is the player's own randomness, `moves` an array of MOST_MOVES numbers. All but the level are
    modified in place.
    """
    legal = 0
    while state.status == PLAYING:
        count = list_moves(state, moves)
        legal += count
        play(level, state, rng, work, moves[below(choice, count)])
    return legal


@kernel
def play_attempts(
    level: Any, states: Any, rng: Any, work: Any, choice: Any, moves: Any, attempts: int
) -> tuple[int, int, int]:
    """Plays so many attempts by random legal moves; returns moves made, legal moves seen and attempts won.

    states[0] is the level's start; states[1] is played on and modified in place, like rng, work and choice.
    """
    made = 0
    legal = 0
    won = 0
    for _ in range(attempts):
        states[1] = states[0]
        state = states[1]
        deal(level, state, rng, work)
        legal += play_randomly(level, state, rng, work, choice, moves)
        made += state.moves_made
        won += state.status == WON
    return made, legal, won


@kernel
def choose_random(level: Any, states: Any, rng: Any, work: Any, moves: Any, memory: Any, options: Any) -> int:
    """Any legal move."""
    return moves[below(rng, list_moves(states[GAME], moves))]  # type: ignore[no-any-return]


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """What plays for this family."""
    return AgentKernels("random", choose_random)
