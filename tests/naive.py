"""The slow twin of the compiled engine: docs/rules.md section by section, for tests to compare the two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Place = tuple[int, int]  # (row, column) from 0; comparing two places compares them in row-major order

COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "cyan", "magenta")
COLOR_OF = {color[0]: color for color in COLORS}
CARRIED = {"=": "striped row", "|": "striped column", "+": "wrapped", "~": "sugar", "@": "time"}
COLORLESS = {
    "*": "color bomb",
    "S": "swirl",
    "C": "cherry",
    "H": "hazelnut",
    "(primed)": "primed",
    "(large primed)": "large primed",
}

STRIPED = ("striped row", "striped column")
SPECIAL = (*STRIPED, "wrapped", "color bomb")
PRIMED = ("primed", "large primed")
INGREDIENTS = ("cherry", "hazelnut")
IN_PAIRS = ("color bomb", "striped", "wrapped")  # the order of the words in "color bomb+striped"

SCORING = {"saga": "saga", "mcadams": "pieces", "plain": "quadratic"}
PACE = {"move": 2.0, "round": 0.5, "time_candy": 5.0}
LONGEST_CASCADE = {"saga": 200, "mcadams": 2000, "plain": 200}
DEALS, ROW_TRIES, SHUFFLE_TRIES, SLIDES, LEAVINGS = 100, 100, 50, 500, 100
TIMED_MOVES, MOST_TIME = 999, 1_000_000_000
BONUS_BLASTS = 50
SHARES = 10_000


@dataclass(frozen=True)
class Blocker:
    """The row of a blocker in the table of elements; what all blockers have in common is not in it."""

    token: str  # without the number of layers
    numbered: bool = False  # whether the token has that number; a blocker without has one layer
    overlay: bool = False  # whether it is drawn over a piece, which it holds
    line_on: bool = False
    line_beside: bool = False
    hides: bool = True
    grows: bool = False
    left: str | None = None  # the kind of piece that appears when the last layer is gone


BLOCKERS = {
    "icing": Blocker("#", numbered=True, line_beside=True),
    "toffee": Blocker("T", numbered=True, line_beside=True),
    "chocolate": Blocker("X", line_beside=True, grows=True),
    "dark chocolate": Blocker("D", numbered=True, line_beside=True, grows=True),
    "popcorn": Blocker("P", numbered=True, left="color bomb"),
    "marmalade": Blocker("M", overlay=True, line_beside=True),
    "lock": Blocker("L", overlay=True, line_on=True, hides=False),
}
DRAWN = {blocker.token: name for name, blocker in BLOCKERS.items() if not blocker.overlay}
COVERS = {blocker.token: name for name, blocker in BLOCKERS.items() if blocker.overlay}


@dataclass
class Piece:
    """What a tile holds; a kind that has a color may be colorless only while the board is dealt."""

    kind: str
    color: str | None = None
    timer: int = 0

    @property
    def special(self) -> bool:
        return self.kind in SPECIAL

    @property
    def candy(self) -> bool:
        return self.color is not None

    @property
    def plain_kind(self) -> str:
        """The kind, striped of either direction being "striped"."""
        return "striped" if self.kind in STRIPED else self.kind


@dataclass
class Cell:
    """A gap, or a tile with its piece, its blocker and its jelly."""

    tile: bool = True
    piece: Piece | None = None
    blocker: str | None = None  # a name of BLOCKERS
    layers: int = 0  # of the blocker
    jelly: int = 0

    @property
    def free(self) -> Piece | None:
        """The piece, if no blocker covers it."""
        return self.piece if self.blocker is None else None

    @property
    def empty(self) -> bool:
        """Whether a piece may fall in."""
        return self.tile and self.piece is None and self.blocker is None

    @property
    def shown(self) -> str | None:
        """The visible color."""
        if self.piece is None or (self.blocker is not None and BLOCKERS[self.blocker].hides):
            return None
        return self.piece.color


@dataclass
class Line:
    """A run of three or more cells of one visible color, from the left or the top."""

    places: list[Place]
    horizontal: bool

    @property
    def middle(self) -> Place:
        return self.places[(len(self.places) - 1) // 2]

    def __len__(self) -> int:
        return len(self.places)


@dataclass
class Group:
    """Lines of one color that hang together."""

    color: str
    lines: list[Line]

    @property
    def places(self) -> set[Place]:
        return {place for line in self.lines for place in line.places}

    @property
    def beside(self) -> set[Place]:
        """The neighbors of the cells of the lines, on the board or not."""
        return {place for inside in self.places for place in neighbors(inside)}

    @property
    def longest(self) -> Line:
        return min(self.lines, key=lambda line: (-len(line), not line.horizontal, line.places[0]))

    @property
    def crossings(self) -> list[Place]:
        across = {place for line in self.lines if line.horizontal for place in line.places}
        down = {place for line in self.lines if not line.horizontal for place in line.places}
        return sorted(across & down)


@dataclass
class Round:
    """What happens in one round of a cascade."""

    number: int = 1
    groups: list[Group] = field(default_factory=list)
    hit: set[Place] = field(default_factory=set)
    touched: set[Place] = field(default_factory=set)
    blasts: list[set[Place]] = field(default_factory=list)  # the cells that each one hits
    silent: set[Place] = field(default_factory=set)  # specials here have no blast of their own
    large: set[Place] = field(default_factory=set)  # wrapped candies here become large primed
    removed: dict[Place, Piece] = field(default_factory=dict)
    jelly: int = 0  # layers removed
    blockers: int = 0  # layers removed

    def strike(self, blast: set[Place]) -> None:
        """Hit the cells of one blast."""
        self.hit |= blast
        self.blasts.append(blast)

    def blows(self, place: Place, blocker: Blocker) -> int:
        """How many blows the blocker takes in the cell."""
        blows = sum(place in blast for blast in self.blasts)
        if blocker.line_on:
            blows += sum(place in group.places for group in self.groups)
        if blocker.line_beside:
            blows += sum(place in group.beside for group in self.groups)
        return blows


def parse_place(name: str) -> Place:
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def place_name(place: Place) -> str:
    return f"{chr(ord('a') + place[1])}{place[0] + 1}"


def parse_cell(token: str) -> Cell:
    """The cell a token draws, without jelly and overlay; "." is a candy without color."""
    if token == "-":
        return Cell(tile=False)
    if token == ":":
        return Cell()
    if token[0] in DRAWN:
        return Cell(blocker=DRAWN[token[0]], layers=int(token[1:] or 1))
    if token in COLORLESS:
        return Cell(piece=Piece(COLORLESS[token]))
    color, carried = COLOR_OF.get(token[0]), token[1:]
    if carried.isdigit():
        return Cell(piece=Piece("countdown", color, int(carried)))
    return Cell(piece=Piece(CARRIED[carried] if carried else "candy", color))


def draw_cell(cell: Cell) -> str:
    """The token of a cell, without jelly and overlay."""
    if not cell.tile:
        return "-"
    blocker = BLOCKERS[cell.blocker] if cell.blocker else None
    if blocker and not blocker.overlay:
        return f"{blocker.token}{cell.layers}" if blocker.numbered else blocker.token
    if cell.piece is None:
        return ":"
    piece = cell.piece
    for token, kind in COLORLESS.items():
        if piece.kind == kind:
            return token
    letter = piece.color[0] if piece.color else "."
    if piece.kind == "countdown":
        return f"{letter}{piece.timer}"
    return letter + next((mark for mark, kind in CARRIED.items() if kind == piece.kind), "")


def color_table(colors: int | list[str] | dict[str, int]) -> list[str]:
    if isinstance(colors, int):
        return list(COLORS[:colors])
    if isinstance(colors, list):
        return list(colors)
    return [color for color, weight in colors.items() for _ in range(weight)]


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def neighbors(place: Place) -> list[Place]:
    row, column = place
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


class NaiveGame:
    """An attempt at a level, after docs/rules.md."""

    word: int
    worn: Counter[str]  # the layers that the move has taken off blockers of each name

    def __init__(self, level: dict[str, Any], seed: int) -> None:
        """A new attempt at the valid level that the JSON object `level` states."""
        self._read_level(level)
        self._start(seed)

    @classmethod
    def from_snapshot(cls, level: dict[str, Any], snapshot: dict[str, Any]) -> NaiveGame:
        """The attempt at `level` that `snapshot` was taken of."""
        game = cls.__new__(cls)
        game._read_level(level)
        game._read_board(snapshot["board"], snapshot["jelly"], snapshot["locks"])
        game.word = snapshot["word"]
        game.score, game.moves, game.time = snapshot["score"], snapshot["moves"], snapshot["time"]
        game.played, game.shuffles, game.paid = snapshot["played"], snapshot["shuffles"], snapshot["paid"]
        game.dropped, game.counts = list(snapshot["dropped"]), Counter(snapshot["counts"])
        game.status, game.reason = snapshot["status"], snapshot["reason"]
        return game

    def snapshot(self) -> dict[str, Any]:
        """Everything that decides how the attempt goes on, in JSON values."""
        overlay = {name: token for token, name in COVERS.items()}
        return {
            "board": [[draw_cell(cell) for cell in row] for row in self._rows()],
            "jelly": [[cell.jelly for cell in row] for row in self._rows()],
            "locks": [[overlay.get(cell.blocker or "", ".") for cell in row] for row in self._rows()],
            "score": self.score,
            "moves": self.moves,
            "time": self.time,
            "played": self.played,
            "shuffles": self.shuffles,
            "paid": self.paid,
            "dropped": list(self.dropped),
            "status": self.status,
            "reason": self.reason,
            "counts": {name: number for name, number in self.counts.items() if number},
            "word": self.word,
        }

    # The level (docs/levels.md)

    def _read_level(self, level: dict[str, Any]) -> None:
        level = {key: value for key, value in level.items() if value is not None}
        board = [row.split() for row in level["board"]]
        self.level = level
        self.rows, self.columns = len(board), len(board[0])
        self.tokens = board
        self.jelly = [row.split() for row in level.get("jelly", [])]
        self.locks = [row.split() for row in level.get("locks", [])]
        self.tiles = [
            (row, column)
            for row in range(self.rows)
            for column in range(self.columns)
            if board[row][column] != "-"
        ]
        self.rules: str = level.get("rules", "saga")
        self.scoring: str = level.get("scoring", SCORING[self.rules])
        self.table = color_table(level.get("colors", 6))
        self.pace = {name: milliseconds(s) for name, s in {**PACE, **level.get("pace", {})}.items()}
        drawn = {DRAWN.get(token[0]) for row in board for token in row}
        self.growing = [name for name, blocker in BLOCKERS.items() if blocker.grows and name in drawn]
        lowest = {column: (row, column) for row, column in self.tiles}
        self.exits = {*lowest.values()}
        if "exits" in level:
            self.exits = {parse_place(name) for name in level["exits"]}
        self._read_goals(level["goals"])
        self._read_entries(level)

    def _read_goals(self, goals: dict[str, Any]) -> None:
        goals = {key: value for key, value in goals.items() if value is not None}
        self.asked: dict[str, int] = {**goals.get("ingredients", {}), **goals.get("orders", {})}
        if "jelly" in goals:
            layers = sum(int(token) for row in self.jelly for token in row if token.isdigit())
            self.asked["jelly"] = layers if goals["jelly"] == "all" else goals["jelly"]
        self.asked_score: int = goals.get("score", 0)

    def _read_entries(self, level: dict[str, Any]) -> None:
        """The teleporters; and all drops in one list, with the numbers of those that each entry uses."""
        teleporters = level.get("teleporters", [])
        self.teleporters = {parse_place(pipe["to"]): parse_place(pipe["from"]) for pipe in teleporters}
        self.drops: list[dict[str, Any]] = list(level.get("drops", []))
        self.level_drops = range(len(self.drops))
        self.dispensers: dict[Place, range] = {}
        for dispenser in level.get("dispensers", []):
            first = len(self.drops)
            self.drops += dispenser.get("drops", [])
            for name in dispenser["at"]:
                self.dispensers[parse_place(name)] = range(first, len(self.drops))
        self.chains = self._link_chains()
        self.entries = {chain[0] for chain in self.chains if self.is_entry(chain[0])}

    def _read_board(self, board: list[list[str]], jelly: list[list[Any]], locks: list[list[str]]) -> None:
        """Set the cells from rows of tokens; `jelly` and `locks` may be empty."""
        self.cells: dict[Place, Cell] = {}
        for row in range(self.rows):
            for column in range(self.columns):
                cell = self.cells[row, column] = parse_cell(board[row][column])
                if jelly and str(jelly[row][column]).isdigit():
                    cell.jelly = int(jelly[row][column])
                if locks and locks[row][column] in COVERS:
                    cell.blocker, cell.layers = COVERS[locks[row][column]], 1

    def _rows(self) -> Iterator[list[Cell]]:
        for row in range(self.rows):
            yield [self.cells[row, column] for column in range(self.columns)]

    # 2. Randomness

    def next(self) -> int:
        mask = (1 << 64) - 1
        self.word = (self.word + 0x9E3779B97F4A7C15) & mask
        z = self.word
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def draw_color(self) -> str:
        return self.table[self.below(len(self.table))]

    def draw_stripes(self) -> str:
        return "striped row" if self.below(2) == 0 else "striped column"

    # 3. The first board

    def _start(self, seed: int) -> None:
        self._read_board(self.tokens, self.jelly, self.locks)
        self.word = seed % 2**64
        self.score = self.played = self.shuffles = self.paid = 0
        self.moves: int | None = self.level.get("moves")
        seconds = self.level.get("seconds")
        self.time: int | None = None if seconds is None else milliseconds(seconds)
        self.dropped = [0] * len(self.drops)
        self.counts: Counter[str] = Counter()
        self.status, self.reason = "playing", None if self.deal() else "no move possible"
        if self.reason:
            self.status = "lost"

    def deal(self) -> bool:
        """Color the dealt cells; False if no deal gave a board with a legal move."""
        dealt = [place for place in self.tiles if self.tokens[place[0]][place[1]][0] == "."]
        for _ in range(DEALS):
            self._make_colorless(dealt)
            rows = [[place for place in dealt if place[0] == row] for row in range(self.rows)]
            if all(self._deal_row(places) for places in rows) and self.can_move():
                return True
        return False

    def _deal_row(self, places: list[Place]) -> bool:
        for _ in range(ROW_TRIES):
            self._make_colorless(places)
            if all(self._deal_cell(place) for place in places):
                return True
        return False

    def _deal_cell(self, place: Place) -> bool:
        piece = self.cells[place].piece
        assert piece is not None
        allowed = [color for color in self.table if not self._would_line(place, piece, color)]
        piece.color = allowed[self.below(len(allowed))] if allowed else None
        return bool(allowed)

    def _would_line(self, place: Place, piece: Piece, color: str) -> bool:
        """Whether the piece would be part of a line if it had the color."""
        piece.color = color
        line = self.in_line(place)
        piece.color = None
        return line

    def _make_colorless(self, places: Iterable[Place]) -> None:
        for place in places:
            piece = self.cells[place].piece
            assert piece is not None
            piece.color = None

    # 4. Moves

    def legal_moves(self) -> list[str]:
        """The names of the legal moves in their order; none when the attempt is over."""
        return list(self._possible_moves()) if self.status == "playing" else []

    def _possible_moves(self) -> Iterator[str]:
        for row, column in self.tiles:
            for second in ((row, column + 1), (row + 1, column)):
                if self.is_legal((row, column), second):
                    yield place_name((row, column)) + place_name(second)
                    if self.is_directed((row, column), second):
                        yield place_name(second) + place_name((row, column))

    def can_move(self) -> bool:
        return any(self._possible_moves())

    def is_legal(self, first: Place, second: Place) -> bool:
        if second not in self.cells or not self.cells[first].free or not self.cells[second].free:
            return False
        if self.is_combination(first, second):
            return True
        self.swap(first, second)
        line = self.in_line(first) or self.in_line(second)
        self.swap(first, second)
        return line

    def is_combination(self, first: Place, second: Place) -> bool:
        """Whether the free pieces are two specials, or a color bomb and a candy."""
        one, other = self.cells[first].free, self.cells[second].free
        assert one is not None
        assert other is not None
        if one.special and other.special:
            return True
        return (one.kind == "color bomb" and other.candy) or (other.kind == "color bomb" and one.candy)

    def is_directed(self, first: Place, second: Place) -> bool:
        """Whether it matters which of the two free pieces is the one that is moved."""
        one, other = self.cells[first].free, self.cells[second].free
        assert one is not None
        assert other is not None
        kinds = sorted((one.plain_kind, other.plain_kind))
        return kinds in (["striped", "striped"], ["striped", "wrapped"])

    def swap(self, first: Place, second: Place) -> None:
        one, other = self.cells[first], self.cells[second]
        one.piece, other.piece = other.piece, one.piece

    def play(self, move: str) -> None:
        """Play a legal move to its end; ValueError, and nothing changed, if it is not legal."""
        first, second = self._listed_move(move)
        self.worn = Counter()
        self.played += 1
        if self.moves is not None:
            self.moves -= 1
        self._spend(self.pace["move"])
        opening = self.combination(first, second) if self.is_combination(first, second) else None
        if opening is None:
            self.swap(first, second)
        ended_well = self.cascade(opening, (first, second))
        self.after_cascade(ended_well)

    def _listed_move(self, name: str) -> tuple[Place, Place]:
        """The cells of a legal move, that of the piece that is moved first, as the list of moves has them."""
        names = re.fullmatch(r"([a-l]\d+)([a-l]\d+)", name)
        if names is not None and self.status == "playing":
            named = parse_place(names[1]), parse_place(names[2])
            first, second = sorted(named)
            if first in self.cells and second in neighbors(first) and self.is_legal(first, second):
                return named if self.is_directed(first, second) else (first, second)
        raise ValueError(f"{name!r} is not a legal move")

    def _spend(self, time: int) -> None:
        """Take the time off what is left, which is never more than there may be; a bonus takes none."""
        if self.time is not None and self.status == "playing":
            self.time = min(self.time - time, MOST_TIME)

    # 5. Lines and what they leave

    def shown(self, place: Place) -> str | None:
        """The visible color of a cell; None off the board."""
        cell = self.cells.get(place)
        return cell.shown if cell else None

    def in_line(self, place: Place) -> bool:
        """Whether the cell is part of a line."""
        if len(self._alike(place, 0, -1)) + 1 + len(self._alike(place, 0, 1)) >= 3:
            return True
        return len(self._alike(place, -1, 0)) + 1 + len(self._alike(place, 1, 0)) >= 3

    def _alike(self, place: Place, down: int, across: int) -> list[Place]:
        """The cells beyond this one in a direction, as far as they show its color; none if it shows none."""
        color = self.shown(place)
        row, column = place[0] + down, place[1] + across
        alike = []
        while color and self.shown((row, column)) == color:
            alike.append((row, column))
            row, column = row + down, column + across
        return alike

    def lines(self) -> list[Line]:
        """All lines, in row-major order of their first cells, the horizontal one before the vertical one."""
        colors = {place: self.cells[place].shown for place in self.tiles}
        swaps = []
        for place, color in colors.items():
            for down, across in ((0, 1), (1, 0)) if color else ():
                before, after = (place[0] - down, place[1] - across), (place[0] + down, place[1] + across)
                if colors.get(before) != color and colors.get(after) == color:
                    places = [place, *self._alike(place, down, across)]
                    if len(places) >= 3:
                        swaps.append(Line(places, horizontal=across == 1))
        return swaps

    def groups(self) -> list[Group]:
        """The groups a round resolves: all there are, or under the mcadams rules the first line alone."""
        lines = self.lines()
        if self.rules == "mcadams":
            lines = lines[:1]
        groups: list[Group] = []
        for line in lines:
            joined = [group for group in groups if group.places & set(line.places)]
            groups = [group for group in groups if group not in joined]
            color = self.shown(line.places[0])
            assert color is not None
            groups.append(Group(color, [old for group in joined for old in group.lines] + [line]))
        return groups

    def left_by(self, group: Group) -> Piece | None:
        """The special that a group leaves."""
        longest = group.longest
        if self.rules == "plain":
            return None
        if len(longest) >= 5:
            return Piece("color bomb")
        if group.crossings:
            return Piece("wrapped", group.color)
        if len(longest) == 4:
            return Piece("striped column" if longest.horizontal else "striped row", group.color)
        return None

    def spot(self, group: Group, swap: tuple[Place, Place] | None) -> Place:
        """Where a group is to leave its special; `swap` is given in the first round of a move."""
        if self.rules == "mcadams":
            return group.lines[0].places[0]
        swapped = [place for place in swap or () if place in group.places]
        if swapped:
            return swapped[0]
        if len(group.longest) < 5 and group.crossings:
            return group.crossings[0]
        return group.longest.middle

    def make_special(self, group: Group, this: Round, swap: tuple[Place, Place] | None) -> None:
        piece = self.left_by(group)
        if piece is None:
            return
        wanted = self.spot(group, swap)
        for place in (wanted, *sorted(group.places)):
            if place in this.removed:
                self.cells[place].piece = piece
                self.counts[piece.plain_kind] += 1
                return

    # 6. A round

    def cascade(self, opening: Round | None, swap: tuple[Place, Place] | None) -> bool:
        """Play rounds, the first one `opening` if given, until none takes place.

        False if the cascade had to be ended by a shuffle and the shuffle failed.
        """
        number = 1
        while True:
            this = opening if number == 1 and opening else self.next_round(number)
            if this is None:
                return True
            if number > LONGEST_CASCADE[self.rules]:
                for place in sorted(self._primed()):
                    self.cells[place].piece = Piece("candy", self.draw_color())
                return self.shuffle()
            self.play_round(this, swap if number == 1 else None)
            number += 1

    def next_round(self, number: int) -> Round | None:
        """The round that lines and primed candies bring about, if any."""
        groups = self.groups()
        if not groups and not self._primed():
            return None
        this = Round(number, groups)
        for group in groups:
            this.hit |= group.places
            this.touched |= group.beside
        return this

    def _primed(self) -> set[Place]:
        return {place for place in self.tiles if (p := self.cells[place].piece) and p.kind in PRIMED}

    def play_round(self, this: Round, swap: tuple[Place, Place] | None) -> None:
        self.blasts(this)
        self.effects(this)
        for group in this.groups:
            self.make_special(group, this, swap)
        self.score += self.round_score(this)
        timers = sum(piece.kind == "time" for piece in this.removed.values())
        self._spend(self.pace["round"] - timers * self.pace["time_candy"])
        self.settle()

    def blasts(self, this: Round) -> None:
        """Add to the hits of a round all that follows from them."""
        this.hit |= self._primed()
        waiting, gone_off = set(this.hit), set()
        while waiting:
            place = waiting.pop()
            gone_off.add(place)
            this.strike(self.blast(place, this.silent))
            waiting = this.hit - gone_off

    def effects(self, this: Round) -> None:
        for place in self.tiles:
            cell = self.cells[place]
            hit = place in this.hit
            if not hit and place not in this.touched:
                continue
            if cell.blocker is not None:
                self._wear(cell, this.blows(place, BLOCKERS[cell.blocker]), this)
            elif cell.piece is not None and (hit or cell.piece.kind == "swirl"):
                self._remove(place, this)

    def _wear(self, cell: Cell, blows: int, this: Round) -> None:
        """Take a layer off the cell's blocker for each blow, and the blocker away with the last one."""
        assert cell.blocker is not None
        layers = min(blows, cell.layers)
        this.blockers += layers
        self.worn[cell.blocker] += layers
        cell.layers -= layers
        if cell.layers == 0:
            left = BLOCKERS[cell.blocker].left
            self.counts[cell.blocker] += 1
            cell.blocker = None
            # All blasts of the round are known by now, so the piece does not go off in it.
            cell.piece = Piece(left) if left else cell.piece

    def _remove(self, place: Place, this: Round) -> None:
        """Remove the free piece of a cell that is hit, and a layer of jelly; a wrapped one becomes primed."""
        cell = self.cells[place]
        piece = cell.piece
        assert piece is not None
        if piece.kind in INGREDIENTS:
            return
        cell.piece = None
        if piece.kind not in PRIMED:
            this.removed[place] = piece
            self._count_removed(piece)
        if piece.kind == "wrapped" and place in this.large:
            cell.piece = Piece("large primed")
        elif piece.kind == "wrapped" and place not in this.silent:
            cell.piece = Piece("primed")
        if cell.jelly:
            cell.jelly -= 1
            this.jelly += 1
            self.counts["jelly"] += 1

    def _count_removed(self, piece: Piece) -> None:
        if piece.color is not None:
            self.counts[piece.color] += 1
        if piece.kind in ("swirl", "countdown", "sugar", "time"):
            self.counts[piece.kind] += 1

    # 7. Specials

    def blast(self, place: Place, silent: set[Place]) -> set[Place]:
        """The cells that are hit when the cell is."""
        piece = self.cells[place].free
        if piece is None or place in silent:
            return set()
        match piece.kind:
            case "striped row":
                return self.row_stripe(place)
            case "striped column":
                return self.column_stripe(place)
            case "wrapped" | "primed":
                return self.square(place, 1)
            case "large primed":
                return self.square(place, 2)
            case "color bomb":
                return self.showing(self.most_seen())
        return set()

    def row_stripe(self, place: Place) -> set[Place]:
        return self._stripe(place, ((0, -1), (0, 1)))

    def column_stripe(self, place: Place) -> set[Place]:
        return self._stripe(place, ((-1, 0), (1, 0)))

    def _stripe(self, place: Place, steps: tuple[Place, Place]) -> set[Place]:
        hit = {place}
        for down, across in steps:
            row, column = place
            while (row, column) in self.cells:
                hit.add((row, column))
                piece = self.cells[row, column].piece
                if piece and piece.kind == "swirl":
                    break
                row, column = row + down, column + across
        return hit

    def square(self, place: Place, reach: int) -> set[Place]:
        """The cells at most `reach` rows and columns away, on the board."""
        return {
            (row, column)
            for row, column in self.cells
            if abs(row - place[0]) <= reach and abs(column - place[1]) <= reach
        }

    def showing(self, color: str | None) -> set[Place]:
        """The cells that show the color; none for None."""
        return {place for place in self.tiles if color and self.shown(place) == color}

    def most_seen(self) -> str | None:
        """The color that most cells show, the first of equals; None if no cell shows one."""
        seen = Counter(self.shown(place) for place in self.tiles)
        color = max(COLORS, key=lambda color: seen[color])
        return color if seen[color] else None

    def combination(self, first: Place, second: Place) -> Round:
        """Swap the pieces of a combination, and begin the round in which it goes off around `second`."""
        self.swap(first, second)
        one, other = self.cells[first].piece, self.cells[second].piece
        assert one is not None
        assert other is not None
        kinds = (one.plain_kind, other.plain_kind)
        pair = [kind for kind in IN_PAIRS for _ in range(kinds.count(kind))]
        if len(pair) == 2:
            self.counts["+".join(pair)] += 1
        this = Round(hit={first, second}, silent={first, second})
        match pair:
            case ["striped", "striped"]:
                this.strike(self.row_stripe(second))
                this.strike(self.column_stripe(second))
            case ["striped", "wrapped"]:
                for stripe in self._six_stripes(second):
                    this.strike(stripe)
            case ["wrapped", "wrapped"]:
                this.strike(self.square(first, 2))
                this.strike(self.square(second, 2))
                this.large = {first, second}
            case ["color bomb", "color bomb"]:
                this.strike(set(self.tiles))
                this.silent = {p for p in self.tiles if (c := self.cells[p].piece) and c.kind == "color bomb"}
            case _:
                bomb, partner = (first, other) if one.kind == "color bomb" else (second, one)
                this.silent = {bomb}
                self._spread(partner)
                this.strike(self.showing(partner.color))
        return this

    def _six_stripes(self, center: Place) -> list[set[Place]]:
        """Three rows and three columns around the center, as far as they begin on the board."""
        row, column = center
        stripes = []
        for step in (-1, 0, 1):
            if (row + step, column) in self.cells:
                stripes.append(self.row_stripe((row + step, column)))
            if (row, column + step) in self.cells:
                stripes.append(self.column_stripe((row, column + step)))
        return stripes

    def _spread(self, partner: Piece) -> None:
        """Make the plain candies of the color that a color bomb was swapped with what its partner is."""
        if not partner.special:
            return
        for place in self.plain_candies():
            piece = self.cells[place].piece
            assert piece is not None
            if piece.color == partner.color:
                piece.kind = "wrapped" if partner.kind == "wrapped" else self.draw_stripes()

    def plain_candies(self) -> list[Place]:
        """The plain candies without blocker, in row-major order."""
        return [place for place in self.tiles if (p := self.cells[place].free) and p.kind == "candy"]

    # 8. Falling

    def source(self, place: Place) -> Place | None:
        """The cell that pieces fall into the tile from."""
        if place in self.teleporters:
            return self.teleporters[place]
        if place in self.dispensers:
            return None
        above = self._tile_above(place)
        return None if above in self.teleporters.values() else above

    def _tile_above(self, place: Place) -> Place | None:
        return max(((r, c) for r, c in self.tiles if c == place[1] and r < place[0]), default=None)

    def is_entry(self, place: Place) -> bool:
        """Whether new pieces enter at this tile without a source."""
        return place in self.dispensers or self._tile_above(place) is None

    def _link_chains(self) -> list[list[Place]]:
        """The chains in their order, each from its top."""
        below = {source: place for place in self.tiles if (source := self.source(place)) is not None}
        tops = [place for place in self.tiles if self.source(place) is None]
        chains = []
        for top in sorted(tops, key=lambda place: (place[1], place[0])):
            chain = [top]
            while chain[-1] in below:
                chain.append(below[chain[-1]])
            chains.append(chain)
        return chains

    def settle(self) -> None:
        slides = leavings = 0
        while True:
            for chain in self.chains:
                self.fall_straight(chain)
            if slides < SLIDES and self.slide():
                slides += 1
            elif leavings < LEAVINGS and self.ingredients_leave():
                slides = 0
                leavings += 1
            else:
                return

    def fall_straight(self, chain: list[Place]) -> None:
        if not any(self.cells[place].empty for place in chain):
            return
        for number in reversed(range(len(chain))):
            if self.cells[chain[number]].empty:
                self._pull(chain, number)
        if chain[0] in self.entries:
            for place in reversed(self._open_stretch(chain)):
                if self.cells[place].empty:
                    self.cells[place].piece = self.new_piece(chain[0])

    def _pull(self, chain: list[Place], number: int) -> None:
        """Take the nearest piece upstream into the empty tile, if no blocker is in the way."""
        for place in reversed(chain[:number]):
            if self.cells[place].blocker is not None:
                return
            if self.cells[place].piece is not None:
                self.swap(place, chain[number])
                return

    def _open_stretch(self, chain: list[Place]) -> list[Place]:
        """The tiles of the chain above its first blocker."""
        stretch = []
        for place in chain:
            if self.cells[place].blocker is not None:
                break
            stretch.append(place)
        return stretch

    def slide(self) -> bool:
        """Let one piece slide diagonally; False if none can."""
        for row in reversed(range(self.rows)):
            for column in range(self.columns):
                if not self.cells[row, column].empty:
                    continue
                for above in ((row - 1, column - 1), (row - 1, column + 1)):
                    if above in self.cells and self.cells[above].free:
                        self.swap(above, (row, column))
                        return True
        return False

    def ingredients_leave(self) -> bool:
        """Let all free ingredients on exits leave; False if there are none."""
        leaving = [p for p in self.exits if (c := self.cells[p].free) and c.kind in INGREDIENTS]
        for place in leaving:
            piece = self.cells[place].piece
            assert piece is not None
            self.counts[piece.kind] += 1
            self.score += 10_000 if self.scoring == "saga" else 0
            self.cells[place].piece = None
        return bool(leaving)

    def new_piece(self, entry: Place) -> Piece:
        drawn: int | None = None  # of the 10,000 shares, those of the drops already looked at taken off
        for number in self.dispensers.get(entry, self.level_drops):
            drop = self.drops[number]
            if drop.get("total") is not None and self.dropped[number] >= drop["total"]:
                continue
            if drop.get("keep") is not None:
                taken = self._on_board(drop["piece"]) < drop["keep"]
            else:
                drawn = self.below(SHARES) if drawn is None else drawn
                share = round(drop["rate"] * SHARES)
                taken = drawn < share
                drawn -= share
            if taken:
                self.dropped[number] += 1
                return self._dropped_piece(drop)
        return Piece("candy", self.draw_color())

    def _on_board(self, kind: str) -> int:
        """How many pieces of the kind are on the board, the covered ones too."""
        return sum(cell.piece is not None and cell.piece.plain_kind == kind for cell in self.cells.values())

    def _dropped_piece(self, drop: dict[str, Any]) -> Piece:
        kind = drop["piece"]
        if kind in COLORLESS.values():
            return Piece(kind)
        color = drop.get("color") or self.draw_color()
        if kind == "striped":
            kind = self.draw_stripes()
        return Piece(kind, color, drop["timer"] + 1 if kind == "countdown" else 0)

    # 9. After the cascade

    def after_cascade(self, ended_well: bool) -> None:
        """`ended_well` is False if the cascade was ended by a shuffle that failed."""
        if self.goals_met():
            self._finish("won", "goals met")
            if self.level.get("bonus", False):
                self.bonus()
            return
        if not ended_well:
            self._finish("lost", "no move possible")
            return
        self.pay_sugar()
        for name in self.growing:
            if self.worn[name] == 0:
                self.grow(name)
        if self.tick():
            self._finish("lost", "bomb")
        elif self.moves == 0:
            self._finish("lost", "moves")
        elif self.time is not None and (self.time <= 0 or self.played >= TIMED_MOVES):
            self._finish("lost", "time")
        elif not self.can_move() and not self.shuffle():
            self._finish("lost", "no move possible")

    def _finish(self, status: str, reason: str) -> None:
        self.status, self.reason = status, reason

    def pay_sugar(self) -> None:
        sugar = self.level.get("sugar")
        if sugar is None:
            return
        pays = sugar.get("pays", ["striped", "wrapped", "color bomb"])
        while self.counts["sugar"] // sugar.get("every", 10) > self.paid:
            plain = self.plain_candies()
            if not plain:
                return
            piece = self.cells[plain[self.below(len(plain))]].piece
            assert piece is not None
            kind = pays[min(self.paid, len(pays) - 1)]
            piece.kind = self.draw_stripes() if kind == "striped" else kind
            if kind == "color bomb":
                piece.color = None
            self.paid += 1

    def grow(self, name: str) -> None:
        """Let the blocker of this name, chocolate or dark chocolate, take the place of a piece beside it."""
        eaten = [
            place
            for place in self.loose_pieces()
            if any(self.cells[p].blocker == name for p in neighbors(place) if p in self.cells)
        ]
        if eaten:
            cell = self.cells[eaten[self.below(len(eaten))]]
            cell.piece, cell.blocker, cell.layers = None, name, 1

    def loose_pieces(self) -> list[Place]:
        """The uncovered candies and color bombs, in row-major order."""
        return [p for p in self.tiles if (c := self.cells[p].free) and (c.candy or c.kind == "color bomb")]

    def tick(self) -> bool:
        """Count down the bombs; True if one is at 0."""
        bombs = [
            cell.piece
            for cell in self.cells.values()
            if cell.piece and cell.piece.kind == "countdown" and cell.blocker != "marmalade"
        ]
        for bomb in bombs:
            bomb.timer -= 1
        return any(bomb.timer == 0 for bomb in bombs)

    def shuffle(self) -> bool:
        """Shuffle the board; False, and the pieces where they stood, if no try is good."""
        self.shuffles += 1
        places = self.loose_pieces()
        stood = [self.cells[place].piece for place in places]
        order = list(stood)
        for _ in range(SHUFFLE_TRIES):
            for i in range(len(order) - 1, 0, -1):
                j = self.below(i + 1)
                order[i], order[j] = order[j], order[i]
            if self._lay_out(places, list(order)) and self.can_move():
                return True
        for place, piece in zip(places, stood, strict=True):
            self.cells[place].piece = piece
        return False

    def _lay_out(self, places: list[Place], remaining: list[Piece | None]) -> bool:
        """Give each place the first remaining piece that makes no line; False if a place finds none."""
        for place in places:
            self.cells[place].piece = None
        for place in places:
            for number, piece in enumerate(remaining):
                self.cells[place].piece = piece
                if not self.in_line(place):
                    del remaining[number]
                    break
            else:
                return False
        return True

    # 10. Goals and counts

    def goals_met(self) -> bool:
        met = all(self.counts[name] >= number for name, number in self.asked.items())
        return met and self.score >= self.asked_score

    # 11. Score

    def round_score(self, this: Round) -> int:
        """The score of a round, ingredients that leave at its end aside."""
        if self.scoring == "pieces":
            return len(this.removed)
        if self.scoring == "quadratic":
            longest = max((len(group.longest) for group in this.groups), default=0)
            return (10 * longest**2 - 10 * longest) * this.number
        in_lines = {place for group in this.groups for place in group.places}
        return (
            sum(self.group_score(group) for group in this.groups) * this.number
            + 60 * len(this.removed.keys() - in_lines)
            + 1000 * this.jelly
            + 20 * this.blockers
            + 3000 * sum(piece.kind == "countdown" for piece in this.removed.values())
        )

    def group_score(self, group: Group) -> int:
        if len(group.longest) >= 5 or group.crossings:
            return 200
        return 120 if len(group.longest) == 4 else 60

    # 12. The bonus

    def bonus(self) -> None:
        blasts = 0
        remaining = self.moves or 0
        while True:
            specials = {place for place in self.tiles if (p := self.cells[place].free) and p.special}
            if specials and blasts < BONUS_BLASTS:
                blasts += 1
                self.cascade(Round(hit=specials), swap=None)
                continue
            plain = self.plain_candies()
            if not remaining or not plain:
                return
            remaining -= 1
            place = plain[self.below(len(plain))]
            piece = self.cells[place].piece
            assert piece is not None
            piece.kind = self.draw_stripes()
            self.score += 3000 if self.scoring == "saga" else 0
            self.cascade(Round(hit={place}), swap=None)
