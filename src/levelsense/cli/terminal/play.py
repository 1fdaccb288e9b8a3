"""Play of a level in the terminal, by a person or by the random agent."""

import re
import secrets
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from levelsense.agents.registry import parse_agent
from levelsense.cli.terminal.attempt import print_outcome, print_position, show_turn, turn_line
from levelsense.cli.terminal.screen import announce_compiling
from levelsense.errors import IllegalMoveError, LevelsenseError, OutputError, PositionError
from levelsense.files import write_text
from levelsense.game.game import Game, Move
from levelsense.level.level import Level
from levelsense.level.tokens import MAX_SIDE, parse_cell
from levelsense.rng import below, new_rng

HELP = """\
c4d4         swap c4 with d4, moving c4; `c4 d4` will do, and so will `c4 right` (left, up, down)
moves        list the legal moves
hint         name the move that the strongest agent would play, which looks ahead
undo         take back the last move
board        draw the board again
save [FILE]  print the position, or write it to a file that `play --position FILE` goes on from
quit         stop playing"""

STRONGEST = "halving"
_SWAP = re.compile(r"([a-l]\d{1,2})[\s,-]*([a-l]\d{1,2})")
_STEP = re.compile(r"([a-l]\d{1,2})\s*(left|right|up|down)")
_STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def read_move(text: str) -> Move:
    """Parses a typed move: two cells, or a cell and a direction; IllegalMoveError if it is neither."""
    text = text.strip().lower()
    if swap := _SWAP.fullmatch(text):
        return Move.parse(swap[1] + swap[2])
    if step := _STEP.fullmatch(text):
        return _move_by_step(text, step[1], *_STEPS[step[2]])
    raise IllegalMoveError(text, "neither a move such as c4d4 nor a command; ? lists them")


def _move_by_step(text: str, cell: str, down: int, right: int) -> Move:
    try:
        row, column = parse_cell(cell)
    except ValueError as error:
        raise IllegalMoveError(text, str(error)) from None
    other = (row + down, column + right)
    if not all(0 <= part < MAX_SIDE for part in other):
        raise IllegalMoveError(text, "there is no cell that way")
    return Move((row, column), other)


def hint(game: Game) -> Move:
    """The move of the strongest agent, which does not know which candies will drop in."""
    return parse_agent(STRONGEST).choose(game, seed=0)


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


class Session:
    """A person's attempt in the terminal: reads moves and commands, plays them and shows the result."""

    def __init__(self, console: Console, game: Game, speed: float) -> None:
        self.console = console
        self.game = game
        self.speed = speed
        self.past: list[Game] = []
        self._has_looked_ahead = False
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "board": self._board,
            "save": self._save,
        }

    def run(self) -> None:
        """Plays until the attempt is over or the player stops. EOFError if the input ends before."""
        self._board("")
        while self.game.status == "playing":
            text = self.console.input(Text("move (? for help): ", style="bold")).strip()
            if text.lower() in ("quit", "q", "exit"):
                return
            self._answer(text)
        print_outcome(self.console, self.game)

    def _answer(self, text: str) -> None:
        """Runs a typed command or move; prints an error in one line."""
        word, _, rest = text.partition(" ")
        command = self.commands.get(word.lower())
        try:
            if command is not None:
                command(rest.strip())
            elif text:
                self._play(read_move(text))
        except LevelsenseError as error:
            self._say(str(error))

    def _play(self, move: Move) -> None:
        before = self.game.copy()
        turn = self.game.play(move)
        self.past.append(before)
        show_turn(self.console, self.game.level, turn, self.speed)
        self._board("")

    def _say(self, sentence: str) -> None:
        self.console.print(Text(sentence), soft_wrap=True)

    def _help(self, _: str) -> None:
        self._say(HELP)

    def _moves(self, _: str) -> None:
        self.console.print(Text(" ".join(map(str, self.game.legal_moves))))

    def _hint(self, _: str) -> None:
        if not self._has_looked_ahead:
            self._say(
                "looking ahead ... (the very first hint compiles the search, which takes half a minute)"
            )
            self._has_looked_ahead = True
        self._say(f"try {hint(self.game)}")

    def _undo(self, _: str) -> None:
        if not self.past:
            self._say("there is no move to take back")
            return
        self.game = self.past.pop()
        self._board("")

    def _board(self, _: str) -> None:
        self.console.print()
        print_position(self.console, self.game)

    def _save(self, path: str) -> None:
        if not path:
            self._say(str(self.game))
            return
        try:
            write_text(path, f"{self.game}\n")
        except OutputError as error:
            self._say(str(error))
        else:
            self._say(f"the position is in {path}")
