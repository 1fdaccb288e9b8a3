"""Phase 1, second part: search trees from one board with two values of C, and the same over many boards."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from levelsense.agents.mcts.drawing import draw_tree
from levelsense.agents.mcts.search import search_tree
from levelsense.agents.mcts.tree import CHOSEN, NODES, ROOT, Tree
from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game, Move
from levelsense.level.level import Level
from levelsense.studies.run import StudyRun

LEVEL: Final = "thesis-013"
C_VALUES: Final = (0.6, 0.1)
PLAYOUTS: Final = ("random", "heuristic")
BOARDS: Final = {False: 100, True: 10}
SEEDS_TO_LOOK_AT: Final = 5_000


@dataclass(frozen=True)
class TreeFigures:
    """A search: simulations won, the chosen move with its visits and wins, and how deep the tree is."""

    won: int
    visits: int
    wins: int
    depth: int
    nodes: int
    makes_bomb: bool


def tree_spec(c: float, playout: str) -> str:
    """The agent whose tree is grown: 100 simulations, and a signal that is 1 for a win and 0 for a loss."""
    return parse_agent(f"mcts:signal=binary,c={c},playout={playout}").spec


def five_in_a_row(level: Level, first: int) -> int:
    """The first seed, from one on, whose board has a move that lines up five and leaves a color bomb."""
    for seed in range(first, first + SEEDS_TO_LOOK_AT):
        game = Game(level, seed)
        if any(makes_bomb(game, move) for move in game.legal_moves):
            return seed
    return first


def makes_bomb(game: Game, move: Move) -> bool:
    """Whether a move makes a color bomb at once."""
    turn = game.copy().play(move)
    first = turn.rounds[0]
    return any(first.cleared_board[cell].piece == "color bomb" for cell in first.made)


def grow(level: Level, seed: int, c: float, playout: str) -> Tree:
    """The tree of the first search of an attempt."""
    agent = parse_agent(tree_spec(c, playout))
    return search_tree(Game(level, seed), agent.options, agent.codes, seed)


def describe(tree: Tree, game: Game) -> TreeFigures:
    """The figures of a tree."""
    root, chosen, nodes = (int(tree.number[key]) for key in (ROOT, CHOSEN, NODES))
    move = Move.from_code(int(tree.action_move[chosen]))
    return TreeFigures(
        int(tree.node_wins[root]),
        int(tree.action_visits[chosen]),
        int(tree.action_wins[chosen]),
        int(tree.node_depth[:nodes].max()),
        nodes,
        makes_bomb(game, move),
    )


def grow_trees(run: StudyRun) -> dict[tuple[float, str], dict[str, Any]]:
    """The trees of one board with a five in a row, and mean figures of the trees of many boards."""
    level = Level.load(LEVEL)
    pairs = [(c, playout) for playout in PLAYOUTS for c in C_VALUES]

    def make(number: int) -> dict[str, Any]:
        c, playout = pairs[number]
        seed = five_in_a_row(level, run.seed)
        tree = grow(level, seed, c, playout)
        others = []
        for board in range(BOARDS[run.quick]):
            other = grow(level, 10_000 + board, c, playout)
            others.append(describe(other, Game(level, 10_000 + board)))
        return {
            "seed": seed,
            "one": vars(describe(tree, Game(level, seed))),
            "boards": len(others),
            "mean": {
                name: float(np.mean([getattr(other, name) for other in others]))
                for name in ("won", "visits", "depth")
            },
            "svg": draw_tree(tree, f"C {c}, {playout} playouts"),
        }

    keys = [f"c_{c}-{playout}" for c, playout in pairs]
    return dict(zip(pairs, run.collect("trees", keys, make), strict=True))
