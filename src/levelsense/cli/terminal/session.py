"""A person's attempt in the terminal: moves and commands are typed, also while an agent plays."""

import re
from collections.abc import Callable

from rich.console import Console
from rich.text import Text

from levelsense.agents.decisions import gain_words, hint, nearest_move
from levelsense.agents.registry import Agent, agent_words
from levelsense.cli.terminal.board import token_legend
from levelsense.cli.terminal.play import print_outcome, print_position, print_task, show_turn
from levelsense.errors import IllegalMoveError, LevelsenseError, OutputError
from levelsense.files import write_text
from levelsense.game.game import Game, Move
from levelsense.level.tokens import MAX_SIDE, parse_cell
from levelsense.rng import new_rng, next_word

HELP = """\
c4d4         swap c4 with d4, moving c4; `c4 d4` will do, and so will `c4 right` (left, up, down)
moves, m     list the legal moves
hint, h      name the move that the strongest agent would play, and what it does for the goals
undo, u      take back the last move
board, b     draw the board again
legend, l    tell what the tokens on the board mean
save [FILE]  print the position, or write it to a file that `play --position FILE` goes on from
quit, q      stop playing"""

_MOST_THOUGHTS = 3
_SHORT = ("moves", "hint", "undo", "board", "legend")  # commands that their first letter means, too
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


class Session:
    """A person's attempt in the terminal: reads moves and commands, plays them and shows the result."""

    def __init__(self, console: Console, game: Game, speed: float) -> None:
        self.console = console
        self.game = game
        self.speed = speed
        self.past: list[Game] = []
        self._has_looked_ahead = False
        self._explained: set[str] = set()  # the kinds of tokens that the legend has told
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self._help,
            "help": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "board": self._board,
            "legend": self._legend,
            "save": self._save,
        }
        self.commands |= {name[0]: self.commands[name] for name in _SHORT}

    def run(self) -> None:
        """Plays until the attempt is over or the player stops. EOFError if the input ends before."""
        print_task(self.console, self.game.level)
        self._board("")
        while self.game.status == "playing":
            text = self.read_line().strip()
            if text.lower() in ("quit", "q", "exit"):
                return
            self._answer(text)
        print_outcome(self.console, self.game)

    def read_line(self) -> str:
        """The next line that is typed. EOFError if there is none."""
        return self.console.input(Text("move (? for help): ", style="bold"))

    def _answer(self, text: str) -> None:
        """Runs a typed command or move; prints an error in one line."""
        word, _, rest = text.partition(" ")
        command = self.commands.get(word.lower())
        try:
            if command is not None:
                command(rest.strip())
            elif text:
                self.play(read_move(text))
            else:
                self.go_on()
        except LevelsenseError as error:
            self._say(str(error))

    def go_on(self) -> None:
        """The answer to an empty line."""

    def play(self, move: Move) -> None:
        """Plays a move and shows its cascade; IllegalMoveError if it is not legal."""
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
        move = hint(self.game)
        self._say(f"try {move}: {gain_words(self.game, move)}")
        nearest = nearest_move(self.game)
        if nearest != move:
            self._say(f"most for the goals at once: {nearest}: {gain_words(self.game, nearest)}")

    def _undo(self, _: str) -> None:
        if not self.past:
            self._say("there is no move to take back")
            return
        self.game = self.past.pop()
        self._board("")

    def _board(self, _: str) -> None:
        """Draws the board, and tells what tokens mean that have not been on it before."""
        self.console.print()
        print_position(self.console, self.game)
        kinds = token_legend(self.game.cells)
        new = [words for kind, words in kinds.items() if kind not in self._explained]
        self._explained |= set(kinds)
        if new:
            self._say("   ".join(new))

    def _legend(self, _: str) -> None:
        self._say("   ".join(token_legend(self.game.cells).values()))

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


class AgentSession(Session):
    """An attempt that an agent plays, a move for each empty line; its values of the best moves are shown.

    Other lines are answered as in any session: the player may play a move of theirs, or take moves back.
    If it does not wait for lines, the agent plays to the end.
    """

    def __init__(
        self, console: Console, game: Game, speed: float, agent: Agent, seed: int, *, waits: bool = True
    ) -> None:
        super().__init__(console, game, speed)
        self.agent, self._waits = agent, waits
        self._seed = seed
        self._choice: Move | None = None

    def read_line(self) -> str:
        """Shows what the agent would play and why, then waits for a line."""
        seed = self._choice_seed()
        self._choice = self.agent.choose(self.game, seed)
        values = self.agent.values(self.game, seed)
        self._say(thought_words(self.agent, self._choice, values))
        return self.console.input(Text("Enter plays it (? for help): ", style="bold")) if self._waits else ""

    def _choice_seed(self) -> int:
        """The agent's seed at this move: the same one whenever the attempt is at the move."""
        words = new_rng(~self._seed)  # the agent's randomness, apart from the game's
        return [int(next_word(words)) for _ in range(self.game.moves_made + 1)][-1]

    def go_on(self) -> None:
        """Plays the agent's move."""
        assert self._choice is not None
        self.play(self._choice)


def thought_words(agent: Agent, choice: Move, values: dict[Move, float] | None) -> str:
    """What an agent chooses, and its three best moves with what each is worth to it, if it has values."""
    words = f"{agent_words(agent.spec)} chooses {choice}"
    if values is None:
        return words
    best = sorted(values, key=lambda move: -values[move])[:_MOST_THOUGHTS]
    if choice not in best and choice in values:
        best.append(choice)
    kind = "probabilities" if agent.family.values_are_probabilities else "values"
    shown = (f"{move} {_worth(values[move], kind)}" for move in best)
    return f"{words}; its {kind}: {', '.join(shown)}"


def _worth(value: float, kind: str) -> str:
    return f"{value:.1%}" if kind == "probabilities" else f"{value:,.4g}"
