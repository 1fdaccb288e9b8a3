"""Transcripts of short games on bundled levels: a change of rules shows as a diff that a person can judge.

`python -m tests.golden` writes them anew.
"""

from collections.abc import Iterator
from pathlib import Path

from levelsense.game.game import Game
from levelsense.game.turn import Round, Turn
from levelsense.level.level import Level
from levelsense.level.tokens import cell_name
from tests.game.drawn import draw, text, word

FOLDER = Path(__file__).parent
SEED = 7
MOST_LINES = 150

# Every kind of goal, blocker, piece and rule set, and how many moves are shown at most.
LEVELS = {
    "01-first-steps": 8,
    "02-four-in-a-row": 6,
    "04-jelly-garden": 6,
    "05-cherry-picking": 8,
    "09-thin-ice": 6,
    "10-hazelnut-trail": 6,
    "11-beat-the-clock": 6,
    "12-locked-up": 6,
    "15-breakfast": 6,
    "16-licorice-walk": 6,
    "19-chocolate-box": 6,
    "20-short-fuses": 6,
    "21-one-at-a-time": 6,
    "23-sugar-rush": 6,
    "25-plain-arithmetic": 6,
    "28-crossed-wires": 6,
    "29-good-neighbors": 6,
    "33-wrapping-paper": 5,
    "34-rainbow-school": 5,
    "45-last-stand": 6,
    "46-movie-night": 5,
    "47-sticky-fingers": 5,
    "48-bittersweet": 5,
}


def _choose(game: Game, number: int) -> str:
    """A move by a rule that is easy to follow: combinations first, then another place each time."""

    def is_special(row: int, column: int) -> bool:
        piece = game.cells[row * game.level.columns + column].piece or ""
        return piece.split()[0] in ("striped", "wrapped", "color")

    pairs = [move for move in game.legal_moves if is_special(*move.first) and is_special(*move.second)]
    return str(pairs[0] if pairs else game.legal_moves[5 * number % len(game.legal_moves)])


def _names(level: Level, cells: tuple[int, ...]) -> str:
    return " ".join(cell_name(*divmod(cell, level.columns)) for cell in cells)


def _round(level: Level, one_round: Round) -> str:
    """What a round did, in a line."""
    made = [f"{one_round.cleared_board[k].piece} {_names(level, (k,))}" for k in one_round.made]
    parts = [f"cleared {_names(level, one_round.cleared)}"]
    parts += [f"made {', '.join(made)}"] if made else []
    parts += [f"collected {', '.join(one_round.collected)}"] if one_round.collected else []
    parts += [f"{len(one_round.fallen)} fell, {len(one_round.dropped)} came in", f"{one_round.score} points"]
    return f"  round {one_round.number}: {'; '.join(parts)}"


def _turn(level: Level, turn: Turn) -> Iterator[str]:
    yield from (_round(level, one_round) for one_round in turn.rounds)
    yield from (f"  {event}" for event in turn.after)
    for number, cascade in enumerate(turn.bonus, 1):
        yield f"  remaining move {number}"
        yield from (_round(level, one_round) for one_round in cascade)


def _position(game: Game) -> Iterator[str]:
    """The board and what is left, in as few lines as can be."""
    left = f"{game.time_left:g} seconds left" if game.moves_left is None else f"{game.moves_left} moves left"
    goals = ", ".join(f"{goal.name} {goal.done}/{goal.asked}" for goal in game.goals)
    status = game.status if game.outcome is None else f"{game.status} ({game.outcome.reason})"
    yield f"{status}, {left}, {game.score} points, {goals}, word {word(game):#018x}"
    yield from (f"    {line}" for line in text(draw(game.level, game.cells)).splitlines())


def transcript(name: str) -> str:
    """The transcript of a short game on a bundled level."""
    level = Level.load(name)
    game = Game(level, SEED)
    lines = [f"level: {name}", f"digest: {level.digest}", f"seed: {SEED}", "", *_position(game)]
    for number in range(1, LEVELS[name] + 1):
        if not game.legal_moves:
            break
        legal, move = len(game.legal_moves), _choose(game, number)
        lines += [
            "",
            f"move {number}: {move}, one of {legal} legal",
            *_turn(level, game.play(move)),
            *_position(game),
        ]
    return "\n".join(lines) + "\n"
