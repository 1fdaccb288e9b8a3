"""An agent's choices as people see them: an attempt move by move with values, and hints for the next move."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from levelsense.advice.supply import SPECIALS
from levelsense.agents.attempt import GAME, AgentKernels, room_at
from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import sure_gains_of
from levelsense.compiled.times import compiling_for
from levelsense.game.cascade import play
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.state import PLAYING, WON, Array, new_work
from levelsense.game.turn import Turn
from levelsense.level.level import Level
from levelsense.level.words import counted, goal_words
from levelsense.rng import new_rng

STRONGEST: Final = "halving"
NEXT_GOAL: Final = "greedy:of=goals"


@dataclass(frozen=True)
class Decision:
    """A choice in an attempt.

    before  the game before the move
    after   the game after it
    turn    the move and all that followed
    word    the agent's generator before the choice: a search that starts from it is the one that chose
    values  what each legal move was worth to the agent in this very choice; None if it has no values
    """

    before: Game
    after: Game
    turn: Turn
    word: int
    values: dict[Move, float] | None


def decide(
    kernels: AgentKernels, codes: Sequence[float], level: Level, seeds: Array, *, valued: bool = True
) -> Iterator[Decision]:
    """The choices of the attempt with a pair of seeds, one after the other, as they are made.

    The moves are those of the agent's attempts with these seeds. `valued` asks for values, for which
    a search is made once more.
    """
    game, rng = Game(level, int(seeds[0])), new_rng(int(seeds[1]))
    with compiling_for(kernels.name), kernels.turn:
        room = room_at(kernels, codes, game)
    while game.status == "playing":
        room.states[GAME] = game.state
        word, memory = int(rng[0]), deepcopy(room.memory) if valued and kernels.values else None
        with compiling_for(kernels.name), kernels.turn:
            code = kernels.choose(
                room.level, room.states, rng, room.work, room.moves, room.memory, room.options
            )
            values = None if memory is None else _values(kernels, room, word, memory)
        before = game.copy()
        turn = game.play(Move.from_code(int(code)))
        yield Decision(before, game.copy(), turn, word, values)


def _values(kernels: AgentKernels, room: Any, word: int, memory: Any) -> dict[Move, float]:
    """What the legal moves were worth in a choice, by making it again: from the same word and memory."""
    assert kernels.values is not None
    count = list_moves(room.states[GAME], room.moves)
    legal = room.moves[:count].copy()
    values = np.zeros(MOST_MOVES)
    kernels.values(
        room.level, room.states, new_rng(word), new_work(), room.moves, memory, room.options, values
    )
    return {Move.from_code(int(code)): float(value) for code, value in zip(legal, values, strict=False)}


def count_wins(kernels: AgentKernels, codes: Sequence[float], game: Game, seeds: Array) -> int:
    """How often an agent wins that plays on from a game's position, once with each pair of seeds.

    What falls in is drawn from the first seed of a pair, whatever the game would have drawn.
    """
    room, wins = room_at(kernels, codes, game), 0
    with compiling_for(kernels.name), kernels.turn:
        for game_seed, agent_seed in seeds:
            room.states[GAME] = game.state
            state = room.states[GAME]
            kernels.begin(room.level, room.states, room.memory, room.options)
            of_game, of_agent = new_rng(int(game_seed)), new_rng(int(agent_seed))
            while state.status == PLAYING:
                code = kernels.choose(
                    room.level, room.states, of_agent, room.work, room.moves, room.memory, room.options
                )
                play(room.level, state, of_game, room.work, code)
            wins += int(state.status == WON)
    return wins


def hint(game: Game) -> Move:
    """The move of the strongest agent, which does not know which candies will drop in."""
    return parse_agent(STRONGEST).choose(game, seed=0)


def nearest_move(game: Game) -> Move:
    """The move whose first round brings the goals furthest."""
    return parse_agent(NEXT_GOAL).choose(game, seed=0)


def gain_words(game: Game, move: Move) -> str:
    """What the first round of a move does for the goals, and which specials it makes: no luck is in it."""
    gains, unmet = sure_gains_of(game, move), [goal.name for goal in game.goals if not goal.met]
    towards = [goal_words(name, gains[name]) for name in unmet if gains[name]]
    made = [counted(gains[name], name) for name in SPECIALS if gains[name] and name not in unmet]
    words = ", ".join(towards) or f"nothing for the goals at once, {gains['score']:,} points"
    return words + (f"; it makes {' and '.join(made)}" if made else "")
