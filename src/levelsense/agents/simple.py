"""Agents that look one move ahead at most: random, first and greedy (Lee et al., sections 4.2 and 4.3)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from levelsense.agents.attempt import GAME, AgentKernels
from levelsense.game.cascade import clear_round, play, start_move
from levelsense.game.deal import deal
from levelsense.game.effects import forget_hits
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.score import progress
from levelsense.game.state import PLAYING, WON, Array, LevelRecord, Moves, State, States, Work, new_work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below, new_rng


@kernel
def play_randomly(level: LevelRecord, state: State, rng: Rng, work: Work, choice: Rng, moves: Moves) -> int:
    """Plays an attempt to its end by random legal moves; returns how many were legal, all in all.

    `choice` is the agent's generator, `moves` an array of MOST_MOVES numbers. All but the level are
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
    level: LevelRecord, states: States, rng: Rng, work: Work, choice: Rng, moves: Moves, attempts: int
) -> tuple[int, int, int]:
    """Plays attempts by random legal moves; returns moves made, legal moves over all positions, attempts won.

    states[0] is the level's start; states[1] is played on and modified in place, like rng, work and choice.
    """
    moves_made = 0
    legal = 0
    won = 0
    for _ in range(attempts):
        states[1] = states[0]
        state = states[1]
        deal(level, state, rng, work)
        legal += play_randomly(level, state, rng, work, choice, moves)
        moves_made += state.moves_made
        won += state.status == WON
    return moves_made, legal, won


@kernel
def choose_random(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """Any legal move."""
    return moves[below(rng, list_moves(states[GAME], moves))]  # type: ignore[no-any-return]


def random_kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family."""
    return AgentKernels("random", choose_random)


@kernel
def choose_first(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """The first legal move in the order of the rules: the uppermost row, from the left."""
    list_moves(states[GAME], moves)
    return moves[0]  # type: ignore[no-any-return]


def first_kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family."""
    return AgentKernels("first", choose_first)


OF_GOALS = 1
# A million of score is a thousandth of a goal: score decides between moves that bring goals equally far.
SCORE_SHARE = 1e-9


@kernel
def clear_first_round(level: LevelRecord, state: State, rng: Rng, work: Work, move: int) -> None:
    """Plays a move as far as it is certain: the swap and the clearing of round 1. Nothing falls.

    The state, which cannot be played on, and work are modified in place; rng only where a color bomb meets a
    striped candy, whose stripes are drawn.
    """
    start_move(level, state, rng, work, move)
    clear_round(level, state, rng, work)
    # What comes next on this board does not concern the next one that is played with this working memory.
    forget_hits(work)
    for chain in range(level.chains):
        work.dirty[chain] = 0


@kernel
def sure_gains(
    level: LevelRecord,
    states: States,
    at: int,
    rng: Rng,
    work: Work,
    moves: Moves,
    count: int,
    of: int,
    values: Array,
) -> None:
    """The sure gain of each of the moves of states[at]: of score, or of progress and then score.

    The moves are tried in states[at + 1]. All but the level, states[at] and moves are modified in place.
    """
    score = states[at].score
    done = progress(level, states[at])
    for k in range(count):
        states[at + 1] = states[at]
        clear_first_round(level, states[at + 1], rng, work, moves[k])
        gain = float(states[at + 1].score - score)
        if of == OF_GOALS:
            gain = progress(level, states[at + 1]) - done + SCORE_SHARE * gain
        values[k] = gain


@kernel
def any_of_the_best(rng: Rng, values: Array, count: int) -> int:
    """The place of the largest value; of equals any, each as likely as any other."""
    best = 0
    equals = 1
    for k in range(1, count):
        if values[k] > values[best]:
            best = k
            equals = 1
        elif values[k] == values[best]:
            equals += 1
            if below(rng, equals) == 0:
                best = k
    return best


@kernel
def value_greedily(
    level: LevelRecord,
    states: States,
    rng: Rng,
    work: Work,
    moves: Moves,
    memory: Any,
    options: Array,
    values: Array,
) -> None:
    """The sure gain of each legal move: of score, or of progress and then score."""
    count = list_moves(states[GAME], moves)
    sure_gains(level, states, GAME, rng, work, moves, count, int(options[0]), values)


@kernel
def choose_greedily(
    level: LevelRecord, states: States, rng: Rng, work: Work, moves: Moves, memory: Any, options: Array
) -> int:
    """A move of the largest sure gain; of equals any, each as likely as any other."""
    count = list_moves(states[GAME], moves)
    sure_gains(level, states, GAME, rng, work, moves, count, int(options[0]), memory)
    return moves[any_of_the_best(rng, memory, count)]  # type: ignore[no-any-return]


def sure_gains_of(game: Game, move: Move) -> dict[str, int]:
    """What round 1 of a move adds to the score and to each count, by name; the game stays as it is."""
    twin = game.copy()
    clear_first_round(level_record(game.level).level, twin.state, new_rng(0), new_work(), move.code)
    gained = {name: number - game.counts[name] for name, number in twin.counts.items()}
    return {"score": twin.score - game.score, **gained}


def greedy_kernels(options: Mapping[str, Any]) -> AgentKernels:
    """The kernels of this family; their memory holds the values of the legal moves."""
    return AgentKernels(
        "greedy",
        choose_greedily,
        values=value_greedily,
        scratch_states=1,
        memory=lambda level: np.zeros(MOST_MOVES),
    )
