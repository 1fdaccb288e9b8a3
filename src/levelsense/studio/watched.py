"""An agent's attempt as data: which one it is, its choices with what moves were worth, its search trees."""

import math
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from levelsense import defaults
from levelsense.agents.decisions import Decision
from levelsense.agents.registry import Agent, parse_agent
from levelsense.errors import PlaytestError, StoppedError
from levelsense.game.game import Game, Move
from levelsense.level.tokens import cell_name
from levelsense.losses.evidence import on_level
from levelsense.playtest import NamedLevel
from levelsense.playtest.attempts import LEFT_COLUMNS
from levelsense.studio.agents import AGENT_NAMES
from levelsense.studio.context import Studio
from levelsense.studio.turn_data import played_level_data, state_data, turn_data

MOST_BEST: Final = 3  # moves that are shown with their values
SEARCHED_ATTEMPTS: Final = 100  # of an agent, among which one is looked for that ended at a cell

Choices = list[tuple[Game, int]]  # positions, each with the agent's generator before its choice there


@dataclass(frozen=True)
class Watched:
    """Which attempt is watched: the agent, the level, the pair of seeds, and its number if it has one."""

    agent: Agent
    named: NamedLevel
    seeds: NDArray[np.uint64]
    number: int | None

    @property
    def key(self) -> tuple[str, str, bytes]:
        """The key that its choices are kept under."""
        return self.agent.spec, self.named.level.digest, self.seeds.tobytes()


def decisions(watched: Watched, stop: threading.Event) -> Iterator[Decision]:
    """The choices of an attempt as they are made; StoppedError once it is stopped."""
    agent = watched.agent
    # The tree of a search has its values and visits; one that is kept from move to move is not drawn again.
    valued = agent.family.name != "mcts" or bool(agent.options["keep_tree"])
    for decision in agent.decide(watched.named.level, watched.seeds, valued=valued):
        if stop.is_set():
            raise StoppedError
        yield decision


def number_ending_at(
    studio: Studio, named: NamedLevel, agent: Agent, cell: str, stop: threading.Event
) -> int:
    """The number of the first lost attempt of a playtest that left something in a cell."""
    level = named.level
    names = [cell_name(*divmod(index, level.columns)) for index in range(level.rows * level.columns)]
    if cell not in names:
        raise PlaytestError(f"{cell}: no cell of the board; expected one from {names[0]} to {names[-1]}")
    explained = parse_agent(defaults.EXPLAINED_AGENT)
    attempts = defaults.EXPLAINED_ATTEMPTS if agent == explained else SEARCHED_ATTEMPTS
    tested = studio.lab.playtest(named, [agent], attempts, threads=studio.threads, stop=stop)
    if tested.interrupted:
        raise StoppedError
    played = tested.pairs[0].played
    left = np.zeros((len(played) - played.wins, len(names)), bool)
    for column in LEFT_COLUMNS:
        left |= on_level(level, played.boards_left(column))
    ending = np.flatnonzero(left[:, names.index(cell)])
    if not len(ending):
        raise PlaytestError(
            f"{cell}: none of {len(left):,} lost attempts of {len(played):,} of {agent.spec} left anything "
            "there; expected another cell or agent"
        )
    return int(played.numbers[~played.won][ending[0]])


def start_data(watched: Watched, game: Game) -> dict[str, Any]:
    """An attempt before its first move."""
    family = watched.agent.family
    return {
        "agent": {
            "spec": watched.agent.spec,
            "name": AGENT_NAMES.get(family.name, family.name),
            "values": "probabilities" if family.values_are_probabilities else "values",
            "tree": family.name == "mcts",
        },
        "attempt": watched.number,
        "seed": str(int(watched.seeds[0])),
        "level": played_level_data(watched.named.level),
        "state": state_data(game),
    }


def decision_data(agent: Agent, decision: Decision) -> dict[str, Any]:
    """A choice: the move, all that followed, and the best moves with what they were worth."""
    visits: dict[str, int] = {}
    values = {str(move): value for move, value in (decision.values or {}).items()}
    if agent.family.name == "mcts" and decision.values is None:
        values, visits = _root_of(agent, decision.before, decision.word)
    ranked = sorted(values, key=lambda move: -values[move])
    best = ranked[:MOST_BEST]
    chosen = decision.turn.move
    if chosen in values and chosen not in best:
        best.append(chosen)
    return {
        **turn_data(decision.turn),
        "state": state_data(decision.after),
        "best": [
            {
                "move": move,
                "value": values[move] if math.isfinite(values[move]) else None,
                "visits": visits.get(move),
                "rank": ranked.index(move) + 1,
            }
            for move in best
        ],
        "legal_moves": len(decision.before.legal_moves),
    }


def _root_of(agent: Agent, game: Game, word: int) -> tuple[dict[str, float], dict[str, int]]:
    """Mean value and visits of each move at the root of the tree that a search from a word grows."""
    from levelsense.agents.mcts.search import search_tree
    from levelsense.agents.mcts.tree import ROOT

    tree = search_tree(game, agent.options, agent.codes, word)
    root = int(tree.number[ROOT])
    first = int(tree.node_first[root])
    values, visits = {}, {}
    for action in range(first, first + int(tree.node_actions[root])):
        move, times = str(Move.from_code(int(tree.action_move[action]))), int(tree.action_visits[action])
        visits[move] = times
        values[move] = float(tree.action_value[action]) / times if times else -math.inf
    return values, visits


def tree_drawing(watched: Watched, choices: Choices | None, turn: int, stop: threading.Event) -> str:
    """The tree of an mcts agent's search at a turn, as SVG; PlaytestError if the attempt has no such turn.

    `choices` are those of the attempt, if it was watched before; else it is played as far as that.
    """
    from levelsense.agents.mcts.drawing import draw_tree
    from levelsense.agents.mcts.search import search_tree

    if choices is None:
        choices = []
        for decision in watched.agent.decide(watched.named.level, watched.seeds, valued=False):
            if stop.is_set():
                raise StoppedError
            choices.append((decision.before, decision.word))
            if len(choices) > turn:
                break
    if turn >= len(choices):
        raise PlaytestError(f"turn {turn}; expected 0 to {len(choices) - 1}, a move of the attempt")
    agent, (game, word) = watched.agent, choices[turn]
    title = f"The search of {agent.spec} before move {turn + 1}"
    return draw_tree(search_tree(game, agent.options, agent.codes, word), title)
