"""An attempt in the terminal: where it starts, the board, cascades, the outcome."""

import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from levelsense.cli.terminal.board import draw_board, legend
from levelsense.cli.terminal.level_facts import goals_sentence
from levelsense.cli.terminal.screen import announce_compiling, print_drawing, shows_shades
from levelsense.errors import PositionError, printable
from levelsense.game.game import Game, GoalProgress, Outcome
from levelsense.game.turn import Round, Turn
from levelsense.level.level import Level
from levelsense.level.tokens import Cell, cell_name
from levelsense.level.words import counted, goal_words
from levelsense.rng import below, new_rng

FRAME_SECONDS = 0.35
_REASONS = {
    "goals met": "all goals are met",
    "moves": "no moves are left",
    "time": "no time is left",
    "bomb": "a countdown bomb went off",
    "no move possible": "no move is possible, not even after shuffling",
}


def board_drawing(console: Console, level: Level, cells: Sequence[Cell]) -> Text:
    """The board, shaded if the console has the colors, and spaced if it has the height too."""
    shaded = shows_shades(console)
    airy = shaded and console.height >= 2 * level.rows + 8
    return draw_board(level, cells, shaded=shaded, airy=airy)


def print_task(console: Console, level: Level) -> None:
    """Prints what is to be done: the level's name, its goals as a sentence, and what marks on it mean."""
    console.print(Text(printable(level.name), style="bold"))
    console.print(Text(goals_sentence(level)), soft_wrap=True)
    if marks := legend(level, shaded=shows_shades(console), width=console.width):
        print_drawing(console, marks)


def print_position(console: Console, game: Game) -> None:
    """Prints the board, then the progress of the attempt."""
    print_drawing(console, board_drawing(console, game.level, game.cells))
    console.print()
    print_drawing(console, progress(game))


def progress(game: Game, *, aligned: bool = False) -> Text:
    """What is left, the score and each goal: `24 moves left   score 540   jelly 2/10`."""
    parts = [Text(limit_left(game))]
    if "score" not in game.level.asked:
        parts.append(Text(f"score {game.score:,}"))
    for goal in game.goals:
        words = f"{goal.name} {goal.done:,}/{goal.asked:,}"
        parts.append(Text(words, style="green" if goal.met else ""))
    if aligned:
        width = len("99.9 seconds left" if game.moves_left is None else "99 moves left")
        for part in parts[:2]:
            part.align("left", max(len(part), width))
    return Text("   ").join(parts)


def limit_left(game: Game) -> str:
    """The moves or the time that is left."""
    if game.moves_left is not None:
        return f"{counted(game.moves_left, 'move')} left"
    return f"{game.time_left:.1f} seconds left"


def round_words(cascade_round: Round, level: Level) -> str:
    """A round in words: `round 2: 5 cells cleared, striped candy made on c4, +300`."""
    cells = "1 cell" if len(cascade_round.cleared) == 1 else f"{len(cascade_round.cleared)} cells"
    parts = [f"{cells} cleared"]
    for index in cascade_round.made:
        special = (cascade_round.cleared_board[index].piece or "special").split(" row")[0].split(" column")[0]
        name = special if special == "color bomb" else f"{special} candy"
        parts.append(f"{name} made on {cell_name(*divmod(index, level.columns))}")
    parts += [f"{name} brought down" for name in cascade_round.collected]
    return f"round {cascade_round.number}: {', '.join(parts)}, +{cascade_round.score:,}"


def show_turn(console: Console, level: Level, turn: Turn, speed: float) -> None:
    """Prints the cascade of a move, round by round; animated on a terminal unless the speed is 0."""
    if console.is_terminal and speed > 0:
        _animate(console, level, turn, FRAME_SECONDS / speed)
    else:
        for cascade_round in turn.rounds:
            console.print(Text(round_words(cascade_round, level)), soft_wrap=True)
    for sentence in turn.after:
        console.print(Text(sentence, style="italic"), soft_wrap=True)
    if turn.bonus:
        gained = sum(cascade_round.score for cascade in turn.bonus for cascade_round in cascade)
        console.print(
            Text(f"bonus: {counted(len(turn.bonus), 'move')} went off, +{gained:,}"), soft_wrap=True
        )


def _animate(console: Console, level: Level, turn: Turn, pause: float) -> None:
    """Draws the boards of a cascade in one place, with what each round did under them."""
    last_rounds: list[Text] = []
    with Live(console=console, auto_refresh=False, transient=True) as live:

        def frame(cells: Sequence[Cell]) -> None:
            live.update(Group(board_drawing(console, level, cells), Text(), *last_rounds), refresh=True)
            time.sleep(pause)

        frame(turn.swapped)
        for cascade in (turn.rounds, *turn.bonus):
            for cascade_round in cascade:
                last_rounds[:] = [*last_rounds, Text(round_words(cascade_round, level))][-3:]
                frame(cascade_round.cleared_board)
                frame(cascade_round.after)
    for cascade_round in turn.rounds:
        console.print(Text(round_words(cascade_round, level)), soft_wrap=True)


def turn_line(number: int, turn: Turn, game: Game) -> Text:
    """One line for a whole move: its number, the swap, the rounds, what it scored, what is left."""
    rounds = "1 round" if len(turn.rounds) == 1 else f"{len(turn.rounds)} rounds"
    line = Text(f"{number:>3}  {turn.move:<6} {rounds:<9} {turn.score:>+8,}   ")
    line.append_text(progress(game, aligned=True))
    for sentence in turn.after:
        line.append(f"   ({sentence})", style="italic")
    return line


def outcome_words(game: Game, outcome: Outcome) -> str:
    """The outcome of an attempt, in a few sentences."""
    reason = _REASONS.get(outcome.reason, outcome.reason)
    words = f"{'Won' if outcome.won else 'Lost'}: {reason}. {counted(outcome.moves_made, 'move')} made"
    words += f", {limit_left(game)}. Score {outcome.score:,}"
    if outcome.won and game.level.stars:
        words += f", {outcome.stars} of 3 stars"
    missing = [_missing_words(goal) for goal in game.goals if not goal.met]
    return f"{words}." + (f" Still to do: {', '.join(missing)}." if missing else "")


def _missing_words(goal: GoalProgress) -> str:
    missing = goal.asked - goal.done
    return f"score {missing:,} more" if goal.name == "score" else goal_words(goal.name, missing)


def print_outcome(console: Console, game: Game) -> None:
    """Prints the outcome of an attempt; nothing while it goes on."""
    if game.outcome is not None:
        style = "bold green" if game.outcome.won else "bold red"
        console.print(Text(outcome_words(game, game.outcome), style=style), soft_wrap=True)


def start(console: Console, level: Level, seed: int | None, position: Path | None) -> tuple[Game, int]:
    """A new attempt, or one from a saved position, and its seed: drawn, and printed, if None."""
    announce_compiling()
    if seed is None:
        seed = secrets.randbelow(2**32)
        if position is None:
            console.print(Text(f"seed {seed}: `--seed {seed}` plays this attempt again"), soft_wrap=True)
    if position is None:
        return Game(level, seed), seed
    try:
        text = position.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PositionError(
            f"{position}: cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from None
    return Game.parse(text, level), seed


def play_randomly(console: Console, game: Game, seed: int) -> None:
    """Plays an attempt to its end by random legal moves; prints a line a move, and the outcome."""
    choice = new_rng(~seed)  # the agent's randomness, apart from the game's
    while game.status == "playing":
        moves = game.legal_moves
        turn = game.play(moves[below(choice, len(moves))])
        console.print(turn_line(game.moves_made, turn, game), soft_wrap=True)
    console.print()
    print_position(console, game)
    print_outcome(console, game)
