"""Searches watched from outside: where their time goes, and what shrinking could change in them."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense.agents.attempt import GAME, play_attempts
from levelsense.agents.mcts.growth import grow_tree
from levelsense.agents.mcts.playouts import free_move
from levelsense.agents.mcts.search import kernels, search_with
from levelsense.agents.mcts.tree import NODES, ROOT, Tree
from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON, LevelRecord, States, Work
from levelsense.kernel import kernel, kernel_with
from levelsense.level.level import Level
from levelsense.rng import Rng
from levelsense.studies.poromaa.parameters import LEVELS
from levelsense.studies.poromaa.playing import Extent, shared_seeds
from levelsense.studies.run import StudyRun

TIMED: Final = "mcts:signal=binary"  # of figure 4.4: 100 simulations, random playouts
TIMED_LEVEL: Final = "thesis-013"
SHRUNK: Final = (0.25, 0.5, 0.75)
WATCHED: Final = 20  # attempts at each level whose searches are looked at for shrinking

# What is told of a finished search: its tree, the number of moves made before it, and the seconds it took.
Look = Callable[[Tree, int, float], None]


@kernel
def counted_move(
    level: LevelRecord, states: States, rng: Rng, work: Work, tree: Tree, kind: int, last: int
) -> int:
    """A playout's random move; how many there were is counted where a search by a policy has its network."""
    tree.network[0] += 1.0
    return free_move(level, states, rng, work, tree, kind, last)


def watch(spec: str, level: Level, seeds: NDArray[np.uint64], look: Look, counted: bool = False) -> int:
    """Plays attempts of an mcts agent and shows each search when it is over; gives the number of wins.

    With `counted`, moves of playouts, which have to be random, are counted in `tree.network[0]`.
    """
    agent = parse_agent(spec)
    plain = kernels(agent.options)
    if counted:
        grow = kernel_with(grow_tree, "grow_counted", playout_move=counted_move)
        plain = replace(plain, choose=search_with(grow))

    def choose(record: LevelRecord, states: States, *others: Any) -> int:
        made = int(states[GAME].moves_made)
        begun = time.thread_time()
        move = plain.choose(record, states, *others)
        look(others[3], made, time.thread_time() - begun)
        return move

    def memory(of: Level) -> Tree:
        tree: Tree = plain.memory(of)
        return tree._replace(network=np.zeros(1)) if counted else tree

    watched = replace(plain, name=f"{plain.name} watched", choose=choose, memory=memory)
    return int((play_attempts(watched, agent.codes, level, seeds)["status"] == WON).sum())


# Where the time goes


def time_searches(run: StudyRun, extent: Extent) -> dict[str, Any]:
    """Of each search at level 13: moves made before, seconds, simulations, moves of playouts, depth."""
    level = Level.load(TIMED_LEVEL)

    def make(_: int) -> dict[str, Any]:
        rows: list[tuple[int, float, float, float, float]] = []

        def look(tree: Tree, made: int, seconds: float) -> None:
            nodes = int(tree.number[NODES])
            rows.append(
                (
                    made,
                    seconds,
                    float(tree.node_visits[tree.number[ROOT]]),
                    float(tree.network[0]),
                    float(tree.node_depth[1:nodes].mean()) if nodes > 1 else 0.0,
                )
            )
            tree.network[0] = 0.0

        warm_up = shared_seeds(level, run.seed, extent.timed, 1)
        watch(TIMED, level, warm_up, look, counted=True)
        rows.clear()
        wins = watch(TIMED, level, shared_seeds(level, run.seed, 0, extent.timed), look, counted=True)
        columns = [list(column) for column in zip(*rows, strict=True)]
        names = ("made", "seconds", "simulations", "playout_moves", "depth")
        return {"wins": wins, "attempts": extent.timed, **dict(zip(names, columns, strict=True))}

    return run.collect("time", [TIMED_LEVEL], make)[0]


def time_by_part(timed: dict[str, Any]) -> list[dict[str, float]]:
    """For each number of moves made before: seconds a simulation in the tree, in playouts, and for replays.

    Seconds of searches are fitted as a x simulations + b x moves of playouts. To replay a move that was
    chosen would cost what a playout's move does; a simulation would replay all that were made before.
    """
    made = np.array(timed["made"])
    seconds, simulations, playout_moves = (
        np.array(timed[name]) for name in ("seconds", "simulations", "playout_moves")
    )
    columns = np.stack([simulations, playout_moves], axis=1)
    # Searches that something else on the machine held up would pull at a fit by squares.
    kept = seconds <= np.quantile(seconds, 0.99)
    (tree, move), *_ = np.linalg.lstsq(columns[kept], seconds[kept], rcond=None)
    parts = []
    for number in range(int(made.max()) + 1):
        there = made == number
        if there.any():
            total = simulations[there].sum()
            parts.append(
                {
                    "made": float(number),
                    "measured": float(np.minimum(seconds, seconds[kept].max())[there].sum() / total),
                    "tree": float(tree),
                    "playout": float(move * playout_moves[there].sum() / total),
                    "replay": float(move * number),
                    "searches": float(there.sum()),
                }
            )
    return parts


# What shrinking could change


def look_at_shrinking(run: StudyRun, extent: Extent) -> list[dict[str, float]]:
    """Of the searches of B2 without shrinking, at each level: how many have wins and losses, and how often
    another move would have had the highest mean if losses had counted less."""
    attempts = min(WATCHED, extent.attempts)

    def make(number: int) -> dict[str, Any]:
        level = Level.load(LEVELS[number])
        counts = dict.fromkeys(("searches", "all lost", "mixed", "all won"), 0)
        changed = dict.fromkeys(map(str, SHRUNK), 0)
        losses: list[float] = []

        def look(tree: Tree, made: int, seconds: float) -> None:
            visits, wins, values = root_actions(tree)
            total, won = visits.sum(), wins.sum()
            counts["searches"] += 1
            counts["all lost" if not won else "all won" if won == total else "mixed"] += 1
            if 0 < won < total:
                losses.append(float((values - wins).sum() / (total - won)))
                best = best_by_mean(visits, wins, values, 1.0)
                for shrinking in SHRUNK:
                    changed[str(shrinking)] += not best & best_by_mean(visits, wins, values, shrinking)

        wins = watch("mcts-b2", level, shared_seeds(level, run.seed, 0, attempts), look)
        return {
            **counts,
            "attempts": attempts,
            "changed": changed,
            "loss": float(np.mean(losses or [0.0])),
            "wins": wins,
        }

    return run.collect("shrinking-searches", LEVELS, make)


def root_actions(tree: Tree) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Visits, wins and sums of signals of the actions at the root."""
    root = int(tree.number[ROOT])
    first = int(tree.node_first[root])
    actions = slice(first, first + int(tree.node_actions[root]))
    return (
        tree.action_visits[actions].astype(float),
        tree.action_wins[actions].astype(float),
        tree.action_value[actions].copy(),
    )


def best_by_mean(
    visits: NDArray[np.float64], wins: NDArray[np.float64], values: NDArray[np.float64], shrinking: float
) -> set[int]:
    """The actions with the highest mean if each loss had counted so many times what it did."""
    means = np.where(visits > 0, (wins + shrinking * (values - wins)) / np.maximum(visits, 1), -1.0)
    return set(np.flatnonzero(means >= means.max() - 1e-12).tolist())
