"""Where a lost attempt was lost: how often players like the policy still win from each of its positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from levelsense.agents.registry import Agent
from levelsense.game.game import Game
from levelsense.playtest.plan import attempt_seeds

CONTINUATIONS: Final = 40  # from each position
LOST_SHARE: Final = 0.05  # of continuations that are won, at most: as good as lost
LARGE_DROP: Final = 0.15  # of them, by one move


@dataclass(frozen=True)
class TurningPoint:
    """When an attempt was as good as lost.

    turn      after so many moves: from then on hardly any continuation is won; None if it was open to the end
    before    the share of continuations won before the last of these moves; None if there is none before
    after     the largest share from then on
    sentence  all of it in words
    """

    turn: int | None
    before: float | None
    after: float | None
    sentence: str


def wins_from(agent: Agent, game: Game) -> int:
    """How many of CONTINUATIONS an agent wins from a position.

    What falls in, and what the agent draws, is the same from every position of a level, so that
    differences between them are due to the positions.
    """
    seeds = attempt_seeds(game.level.digest, f"continuations of {agent.spec}", 0, 0, CONTINUATIONS)
    return agent.count_wins(game, seeds)


def turning_point(wins: Sequence[int], of: int = CONTINUATIONS) -> TurningPoint:
    """The turning point of a lost attempt by the wins from each of its positions: as dealt, then after each
    move but the last, after which it is over."""
    moves = len(wins)
    open_turns = [turn for turn, won in enumerate(wins) if won > LOST_SHARE * of]
    if not open_turns:
        most = max(wins)
        return TurningPoint(
            0,
            None,
            most / of,
            f"It was as good as lost from the start: at most {most} of {of} continuations win from any "
            "position of it.",
        )
    last = open_turns[-1]
    if last == moves - 1:
        return TurningPoint(
            None,
            None,
            None,
            f"It was open to the last move: {wins[last]} of {of} continuations still win before it.",
        )
    turn, most = last + 1, max(wins[last + 1 :])
    sentence = (
        f"It was lost by move {turn} of {moves}: {wins[last]} of {of} continuations win before that move, "
        f"and at most {most} after it."
    )
    drops = [before - after for before, after in pairwise(wins)]
    worst = max(range(len(drops)), key=lambda k: drops[k])
    if worst != last and drops[worst] > LARGE_DROP * of:
        sentence += f" Move {worst + 1} cost most: from {wins[worst]} to {wins[worst + 1]}."
    return TurningPoint(turn, wins[last] / of, most / of, sentence)
