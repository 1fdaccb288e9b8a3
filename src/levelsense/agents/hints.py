"""What to play next, for a person: a move and what it does for the goals."""

from typing import Final

from levelsense.advice.supply import SPECIALS
from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import sure_gains_of
from levelsense.game.game import Game, Move
from levelsense.level.words import counted, goal_words

STRONGEST: Final = "halving"
NEXT_GOAL: Final = "greedy:of=goals"


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
