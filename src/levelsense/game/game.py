"""A game for people and programs: the one public class over the kernels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from levelsense.errors import IllegalMoveError
from levelsense.game.cascade import clear_round, fall_round, finish_move, start_bonus, start_move
from levelsense.game.deal import deal
from levelsense.game.moves import (
    MOST_MOVES,
    REVERSED,
    find_moves,
    first_cell,
    list_moves,
    no_moves,
    rebuild_masks,
    second_cell,
)
from levelsense.game.record import level_record
from levelsense.game.state import (
    CELLS,
    COUNT_NAMES,
    EMPTY,
    NO_CELL,
    NO_MOVE_POSSIBLE,
    PLAYING,
    REASON_NAMES,
    STATUS_NAMES,
    STRIDE,
    new_state,
    new_work,
)
from levelsense.game.text import format_position, parse_position, read_cells
from levelsense.game.turn import Fall, Round, Turn
from levelsense.level.elements import BLOCKERS
from levelsense.level.level import Level
from levelsense.level.tokens import Cell, cell_name, parse_cell
from levelsense.rng import new_rng

_SHUFFLE_FAILED = "no shuffle gave a board with a legal move"


class Move(NamedTuple):
    """A swap: the piece of the first cell is taken to the second, a neighbor; cells are (row, column) from 0.

    Which piece was moved matters in some combinations only (docs/rules.md, section 4); other swaps are listed
    with the left or upper cell first.
    """

    first: tuple[int, int]
    second: tuple[int, int]

    def __str__(self) -> str:
        return cell_name(*self.first) + cell_name(*self.second)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move that a text such as `c4d4` names: the piece of c4 is taken to d4."""
        for cut in range(2, len(text) - 1):
            try:
                return cls(parse_cell(text[:cut]), parse_cell(text[cut:]))
            except ValueError:
                continue
        raise IllegalMoveError(text, "not a move; expected two neighboring cells, as in c4d4")

    @classmethod
    def from_code(cls, code: int) -> Self:
        """The move that the kernels number so."""
        return cls(divmod(first_cell(code), STRIDE), divmod(second_cell(code), STRIDE))

    @property
    def code(self) -> int:
        """The kernels' number of the move."""
        (row, column), (other_row, _) = sorted(self)
        swap = 2 * (row * STRIDE + column) + (other_row != row)
        return swap if self.first < self.second else swap + REVERSED

    @property
    def reversed(self) -> Self:
        """The same swap with the other piece as the one that is moved."""
        return type(self)(self.second, self.first)


class GoalProgress(NamedTuple):
    """A goal of the level and how far it has come."""

    name: str
    asked: int
    done: int

    @property
    def met(self) -> bool:
        """Whether it is reached."""
        return self.done >= self.asked


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended."""

    won: bool
    reason: str
    score: int
    stars: int
    moves_made: int
    moves_left: int | None
    time_left: float | None


def _differ(before: Any, after: Any) -> Any:
    """Which cells differ between two states."""
    same = np.ones(CELLS, bool)
    for field in ("piece", "color", "blocker", "jelly"):
        same &= before[field] == after[field]
    return ~same


class Game:
    """An attempt at a level. The same level, seed and moves give the same game."""

    def __init__(self, level: Level, seed: int = 0) -> None:
        self.level = level
        self._record = level_record(level)
        self._rng = new_rng(seed)
        self._work = new_work()
        self._states = new_state()
        self._states[0] = self._record.start
        deal(self._record.level, self.state, self._rng, self._work)

    @classmethod
    def parse(cls, text: str, level: Level) -> Self:
        """The game at a position in text form; what the text leaves out is as at the start of an attempt."""
        game = cls.__new__(cls)
        game.level = level
        game._record = level_record(level)
        game._work = new_work()
        game._states = new_state()
        game._states[0] = game._record.start
        game._rng = new_rng(parse_position(level, text, game.state))
        rebuild_masks(game._record.level, game.state, game._work)
        find_moves(game._record.level, game.state, game._work)
        if game.state.status != PLAYING:
            no_moves(game.state)
        return game

    @classmethod
    def at(cls, level: Level, state: Any, seed: int) -> Self:
        """The game at a copy of a state of the kernels; what falls in from now on is drawn from a seed."""
        game = cls.__new__(cls)
        game.level = level
        game._record = level_record(level)
        game._work = new_work()
        game._states = new_state()
        game._states[0] = state
        game._rng = new_rng(seed)
        return game

    @property
    def state(self) -> Any:
        """The record that the kernels play on."""
        return self._states[0]

    def copy(self) -> Self:
        """An independent copy: the same position and the same state of the generator."""
        twin = type(self).__new__(type(self))
        twin.level = self.level
        twin._record = self._record
        twin._work = new_work()
        twin._states = self._states.copy()
        twin._rng = self._rng.copy()
        return twin

    def __str__(self) -> str:
        return format_position(self.level, self.state, int(self._rng[0]))

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """The legal moves in order; none once the attempt is over."""
        codes = np.empty(MOST_MOVES, np.int64)
        return tuple(Move.from_code(int(code)) for code in codes[: list_moves(self.state, codes)])

    @property
    def cells(self) -> tuple[Cell, ...]:
        """What each cell holds, in row-major order."""
        return read_cells(self._record, self.state)

    @property
    def status(self) -> str:
        """playing, won or lost."""
        return STATUS_NAMES[self.state.status]

    @property
    def score(self) -> int:
        """The score so far."""
        return int(self.state.score)

    @property
    def moves_made(self) -> int:
        """How many moves have been played."""
        return int(self.state.moves_made)

    @property
    def moves_left(self) -> int | None:
        """How many moves are left; None in a level with seconds."""
        return None if self.level.moves is None else int(self.state.moves_left)

    @property
    def time_left(self) -> float | None:
        """How many seconds are left; None in a level with moves."""
        return None if self.level.seconds is None else int(self.state.time_left) / 1000

    @property
    def shuffles(self) -> int:
        """How often the board had to be shuffled."""
        return int(self.state.shuffles)

    @property
    def counts(self) -> dict[str, int]:
        """What has been counted over the attempt, by name."""
        return dict(zip(COUNT_NAMES, self.state.count.tolist(), strict=True))

    @property
    def goals(self) -> tuple[GoalProgress, ...]:
        """Each goal with the number asked for and the number done."""
        done = {"score": self.score, **self.counts}
        return tuple(GoalProgress(name, asked, done[name]) for name, asked in self.level.asked.items())

    @property
    def outcome(self) -> Outcome | None:
        """How the attempt ended; None while it goes on."""
        reason = REASON_NAMES[self.state.reason]
        if reason is None:
            return None
        won = self.status == "won"
        stars = sum(self.score >= star for star in self.level.stars or ()) if won else 0
        return Outcome(won, reason, self.score, stars, self.moves_made, self.moves_left, self.time_left)

    def play(self, move: Move | str) -> Turn:
        """Plays a legal move and tells what happened.

        An illegal one raises IllegalMoveError and changes nothing.
        """
        code = self._legal_code(move)
        level, state, rng, work = self._record.level, self.state, self._rng, self._work
        score_before, shuffles_before = self.score, self.shuffles
        start_move(level, state, rng, work, code)
        swapped = self.cells
        rounds = self._cascade()
        after = [*self._cascade_cut(shuffles_before)]
        resting, paid, shuffles_before = self.cells, int(state.paid), self.shuffles
        finish_move(level, state, rng, work)
        after += self._what_followed(resting, paid, shuffles_before)
        bonus = []
        while start_bonus(level, state, rng, work):
            bonus.append(self._cascade())
            no_moves(state)
        return Turn(
            str(Move.from_code(code)), swapped, rounds, tuple(after), tuple(bonus), self.score - score_before
        )

    def _legal_code(self, move: Move | str) -> int:
        """The number of a move, if it is legal here."""
        move = Move.parse(move) if isinstance(move, str) else move
        if self.status != "playing":
            raise IllegalMoveError(move, f"the attempt is over ({self.status})")
        legal = self.legal_moves
        for named in (move, move.reversed):
            if named in legal:
                return named.code
        raise IllegalMoveError(move, f"not legal here{self._refusal(move)}")

    def _refusal(self, move: Move) -> str:
        """Why a move is not legal."""
        level = self.level
        for row, column in (move.first, move.second):
            if row >= level.rows or column >= level.columns:
                corner = cell_name(level.rows - 1, level.columns - 1)
                return f": {cell_name(row, column)} is off the board; expected cells from a1 to {corner}"
        rows, columns = zip(move.first, move.second, strict=True)
        if abs(rows[0] - rows[1]) + abs(columns[0] - columns[1]) != 1:
            return ": these cells are not neighbors; expected two that are, as in c4d4"
        return "; a move must make a line or set off special candies"

    def _cascade(self) -> tuple[Round, ...]:
        """Plays the rounds of a cascade one by one."""
        rounds = []
        while (played := self._round()) is not None:
            rounds.append(played)
        return tuple(rounds)

    def _round(self) -> Round | None:
        """Plays one round and tells what it did; None when the cascade is over."""
        level, state, rng, work = self._record.level, self.state, self._rng, self._work
        before, score = self._states[0].copy(), self.score
        if not clear_round(level, state, rng, work):
            return None
        cleared_state, cleared_board = self._states[0].copy(), self.cells
        has_new_special = work.born != EMPTY
        work.came[:] = np.arange(CELLS)
        fall_round(level, state, rng, work)
        return Round(
            number=int(work.round_number),
            cleared=self._where(has_new_special | _differ(before, cleared_state)),
            made=self._where(has_new_special),
            fallen=self._fallen(),
            dropped=self._where((work.came == NO_CELL) & (state.piece != EMPTY)),
            collected=self._collected(before),
            score=self.score - score,
            cleared_board=cleared_board,
            after=self.cells,
        )

    def _where(self, chosen: Any) -> tuple[int, ...]:
        """Row-major indexes on the level's board of the cells that are chosen."""
        return tuple(self._row_major(np.nonzero(chosen)[0]))

    def _row_major(self, cells: NDArray[np.int64]) -> list[int]:
        """Row-major indexes on the level's board of the cells with these numbers in the kernels."""
        indexes: list[int] = (cells // STRIDE * self.level.columns + cells % STRIDE).tolist()
        return indexes

    def _fallen(self) -> tuple[Fall, ...]:
        came = self._work.came
        targets = np.nonzero((came != NO_CELL) & (came != np.arange(CELLS)) & (self.state.piece != EMPTY))[0]
        return tuple(map(Fall, self._row_major(came[targets]), self._row_major(targets)))

    def _collected(self, before: Any) -> tuple[str, ...]:
        names = ("cherry", "hazelnut")
        left = {name: int((self.state.count - before.count)[COUNT_NAMES.index(name)]) for name in names}
        return tuple(name for name in names for _ in range(left[name]))

    def _cascade_cut(self, shuffles: int) -> Iterator[str]:
        """That a cascade was cut short, in words, if it was: the board was shuffled before it rested."""
        if self.shuffles > shuffles:
            cut = f"the cascade did not end: it was stopped after round {int(self._work.round_number)}"
            failed = self.state.reason == NO_MOVE_POSSIBLE
            yield f"{cut}, {_SHUFFLE_FAILED if failed else 'and the candies were shuffled'}"

    def _what_followed(self, resting: tuple[Cell, ...], paid: int, shuffles: int) -> Iterator[str]:
        """What happened after the cascade, in words and in order (docs/rules.md, section 9)."""
        columns, cells = self.level.columns, self.cells
        names = [cell_name(*divmod(k, columns)) for k in range(len(cells))]
        if self.state.paid > paid:
            specials = int(self.state.paid) - paid
            yield f"sugar drops paid out {specials} special{'' if specials == 1 else 's'}"
        for grown in (element.name for element in BLOCKERS if element.grows):
            for name, before, now in zip(names, resting, cells, strict=True):
                if now.blocker == grown != before.blocker:
                    yield f"{grown} spread to {name}"
        for name, now in zip(names, cells, strict=True):
            if now.piece == "countdown" and now.timer == 0:
                yield f"the countdown bomb on {name} went off"
        if self.shuffles > shuffles:
            failed = self.state.reason == NO_MOVE_POSSIBLE
            yield f"no legal move was left: {_SHUFFLE_FAILED if failed else 'the candies were shuffled'}"
