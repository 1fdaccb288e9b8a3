"""The mcts agent: searches, move by move, in the kernels of growth.py and the modules beside it.

Its loop over moves is plain Python. A search takes milliseconds, a step of the loop microseconds, and what is
not compiled into one piece need not be optimized in one piece: the first move comes that much sooner.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, SCRATCH, AgentKernels, room_at
from levelsense.agents.mcts.choice import best_action
from levelsense.agents.mcts.growth import forget, grow_tree, plant_or_keep
from levelsense.agents.mcts.playouts import free_move, guided_move, learn_range
from levelsense.agents.mcts.tree import (
    CHOSEN,
    FINAL,
    FIRST_NODE,
    LAST_MOVE,
    NOISE,
    NONE,
    ROBUST,
    ROOT,
    SECONDS,
    SIMULATIONS,
    Tree,
    new_tree,
    nodes_for,
)
from levelsense.game.game import Game
from levelsense.game.moves import list_moves
from levelsense.game.state import Array, LevelRecord, Moves, States, Work
from levelsense.kernel import kernel_with
from levelsense.rng import Rng, below, new_rng, uniform

SIMULATIONS_A_LOOK_AT_THE_CLOCK = 16
NODES_FOR_A_TIMED_SEARCH = 20_000
SEARCHES_IN_A_KEPT_TREE = 4


@cache
def grow_kernel(playout: str, prior: str = "none") -> Any:
    """The kernel that grows a tree by a kind of playout and prior.

    Only what these need is compiled: free playouts no heuristic, and a search without the policy no network.
    """
    kind, parts = "free", {"playout_move": free_move}
    if playout in ("heuristic", "clouded"):
        from levelsense.agents.heuristic import heuristic_values

        move = kernel_with(guided_move, "guided_playout_move", heuristic_values=heuristic_values)
        kind, parts = "guided", {"playout_move": move}
    elif playout == "policy":
        from levelsense.agents.mcts.priors import policy_move

        kind, parts = "policy", {"playout_move": policy_move}
    if prior == "policy":
        from levelsense.agents.mcts.priors import descend_by_prior

        kind, parts = f"{kind}_by_prior", {**parts, "descend": descend_by_prior}
    return kernel_with(grow_tree, f"grow_{kind}", **parts)


def _new_memory(room: int, options: Mapping[str, Any]) -> Tree:
    """A tree with room for so many simulations, and with the policy's network if the search uses it."""
    tree = new_tree(room)
    if "policy" in (options["playout"], options["prior"]):
        from levelsense.agents.policy.network import read_network

        tree = tree._replace(network=read_network(str(options["model"])))
    if options["prior"] == "policy":
        tree = tree._replace(action_prior=np.zeros(len(tree.action_of)))
    return tree


def _room_of(options: Mapping[str, Any]) -> int:
    """How many simulations a tree must have room for."""
    # Robust-max may search as long again; a kept tree holds the searches of several moves.
    room = NODES_FOR_A_TIMED_SEARCH if options["seconds"] else 2 * int(options["simulations"])
    return room * SEARCHES_IN_A_KEPT_TREE if options["keep_tree"] else room


def _begin(level: LevelRecord, states: States, tree: Tree, options: Array) -> None:
    """Clears the statistics of the last attempt."""
    forget(tree)


def _search(
    grow: Any, level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, options: Array
) -> None:
    """Grows a tree from the game's state, as long as the budget lasts."""
    plant_or_keep(states, tree, options)
    seconds = options[SECONDS]
    if not seconds:
        grow(level, states, rng, work, tree, options, int(options[SIMULATIONS]))
        return
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        grow(level, states, rng, work, tree, options, SIMULATIONS_A_LOOK_AT_THE_CLOCK)


def _decide(
    grow: Any, level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, options: Array
) -> int:
    """The final move.

    Robust-max searches on, at most as long again, until one action is best by both measures.
    """
    final = int(options[FINAL])
    action = best_action(rng, tree, final)
    extra = int(options[SIMULATIONS])
    while action == NONE and extra > 0:
        grow(level, states, rng, work, tree, options, 1)
        extra -= 1
        action = best_action(rng, tree, final)
    if action == NONE:
        action = best_action(rng, tree, ROBUST)
    learn_range(tree)
    tree.number[CHOSEN] = action
    return int(tree.action_move[action])


def search_with(grow: Any) -> Any:
    """The agent's `choose`, with a kernel that grows its trees."""

    def choose(
        level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, tree: Tree, codes: Any
    ) -> int:
        noise = codes[NOISE]
        if noise and uniform(rng) < noise:
            tree.number[CHOSEN] = NONE
            move = int(moves[below(rng, list_moves(states[GAME], moves))])
        else:
            _search(grow, level, states, rng, work, tree, codes)
            move = _decide(grow, level, states, rng, work, tree, codes)
        tree.number[LAST_MOVE] = move
        return move

    return choose


def kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family."""
    grow = grow_kernel(str(options["playout"]), str(options["prior"]))

    def values(
        level: LevelRecord,
        states: States,
        rng: Rng,
        work: Work,
        moves: Moves,
        tree: Tree,
        codes: Any,
        worth: Any,
    ) -> None:
        _search(grow, level, states, rng, work, tree, codes)
        first = int(tree.node_first[tree.number[ROOT]])
        for k in range(int(tree.node_actions[tree.number[ROOT]])):
            visits = tree.action_visits[first + k]
            worth[k] = tree.action_value[first + k] / visits if visits else -np.inf

    room = _room_of(options)
    return AgentKernels(
        name="mcts",
        choose=search_with(grow),
        begin=_begin,
        values=values,
        scratch_states=FIRST_NODE - SCRATCH + nodes_for(room),
        memory=lambda level: _new_memory(room, options),
        compiled=False,
    )


def search_tree(game: Game, options: Mapping[str, Any], codes: Sequence[float], seed: int) -> Tree:
    """The tree of one search at a game's position, its move chosen; the game stays as it is.

    There is always a search: the share of moves that are random plays no part.
    """
    agent_kernels = kernels(options)
    searching = [0.0 if k == NOISE else code for k, code in enumerate(codes)]
    room = room_at(agent_kernels, searching, game)
    agent_kernels.choose(
        room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options
    )
    tree: Tree = room.memory
    return tree
