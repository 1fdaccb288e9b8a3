"""Checks of a level as a whole: whether its keys fit together, each problem a sentence."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from levelsense.level.elements import COVERS
from levelsense.level.problems import Place, Problem, cell_problem, place_words
from levelsense.level.tokens import COLORLESS_PIECES, INGREDIENTS, Cell, cell_name, parse_cell, parse_token

if TYPE_CHECKING:
    from levelsense.level.level import Drop, Level


MAX_DROPS = 16
SHARES = 10_000  # the steps of a rate
_Named = tuple[Place, str]  # a place in the file, and the cell that it names


def find_problems(level: "Level") -> list[Problem]:
    """Everything that makes the level unplayable, given that each of its keys is well formed."""
    checks = (_limit, _overlays, _drops, _places, _goals, _stars)
    problems = [problem for check in checks for problem in check(level)]
    if problems:
        return problems
    # These read the board with its overlays and places, so they need those to be right.
    return [*_lines(level), *_ingredients_on_exits(level), *_loops(level)]


def _limit(level: "Level") -> Iterator[Problem]:
    if level.moves is not None and level.seconds is not None:
        words = f"moves is {level.moves} and seconds is {level.seconds:g}; expected only one of them"
        yield Problem("limit", ("moves",), words)
    if level.moves is None and level.seconds is None:
        yield Problem("limit", (), "neither moves nor seconds; expected one of them")
    if level.moves is not None and level.seconds is None and "pace" in level.model_fields_set:
        words = "pace: the level has moves; expected pace only in a level with seconds"
        yield Problem("limit", ("pace",), words)


def _overlays(level: "Level") -> Iterator[Problem]:
    for key, rows in (("jelly", level.jelly), ("locks", level.locks)):
        if not rows:
            continue
        if len(rows) != level.rows:
            words = f"{key}: {len(rows)} rows; expected {level.rows}, as many as the board"
            yield Problem("overlay-shape", (key,), words)
        for number, (row, board_row) in enumerate(zip(rows, level.board, strict=False)):
            yield from _overlay_row(key, number, row.split(), board_row.split())


def _overlay_row(key: str, row: int, tokens: list[str], board_tokens: list[str]) -> Iterator[Problem]:
    if len(tokens) != len(board_tokens):
        expected = f"expected {len(board_tokens)}, as many as the board's row"
        yield Problem("overlay-shape", (key, row), f"{key} row {row + 1}: {len(tokens)} tokens; {expected}")
        return
    for column, (token, under) in enumerate(zip(tokens, board_tokens, strict=True)):
        words = _overlay_words(token, under)
        if words:
            yield cell_problem("overlay-mismatch", key, row, column, words)


def _overlay_words(token: str, under: str) -> str | None:
    """What is wrong with an overlay's token over a token of the board; None if nothing is."""
    if under == "-" and token != "-":
        return f"{token!r} where the board has no tile; expected '-'"
    if token == "-" and under != "-":
        return f"'-' where the board has {under!r}; expected '-' only at gaps"
    if token in COVERS and (cell := parse_token(under)) and cell.blocker:
        return f"{token!r} on {cell.blocker}; expected a cell with a piece"
    return None


def _drops(level: "Level") -> Iterator[Problem]:
    lists: list[tuple[Place, str, Iterable[Drop]]] = [(("drops",), "drops", level.drops)]
    for number, dispenser in enumerate(level.dispensers):
        title = f"dispensers {number + 1} (at {', '.join(dispenser.at)}), drops"
        lists.append((("dispensers", number, "drops"), title, dispenser.drops))
    for place, title, drops in lists:
        for number, drop in enumerate(drops):
            here = (*place, number)
            yield from (Problem("drop", here, f"{place_words(here)}: {words}") for words in _drop(drop))
        yield from (Problem("drop-rates", place, f"{title}: {words}") for words in _rates(drops))
    if len(level.all_drops) > MAX_DROPS:
        words = f"drops: {len(level.all_drops)} with those of dispensers; expected at most {MAX_DROPS}"
        yield Problem("too-many-drops", ("drops",), words)


def _rates(drops: Iterable["Drop"]) -> Iterator[str]:
    # In whole steps of a rate, for 0.7, 0.2 and 0.1 add up to exactly 1 only there.
    together = sum(round(drop.rate * SHARES) for drop in drops if drop.rate is not None)
    if together > SHARES:
        yield (
            f"the rates add up to {together / SHARES:g}; "
            "expected at most 1, since each is a share of the new pieces"
        )


def _drop(drop: "Drop") -> Iterator[str]:
    if drop.rate is not None and drop.keep is not None:
        yield f"rate is {drop.rate:g} and keep is {drop.keep}; expected only one of them"
    if drop.rate is None and drop.keep is None:
        yield "neither rate nor keep; expected one of them"
    if drop.color is not None and drop.piece in COLORLESS_PIECES:
        yield f"color is {drop.color!r}, but a {drop.piece} has no color; expected no color"
    if drop.piece == "countdown" and drop.timer is None:
        yield "no timer; expected one from 1 to 99 for a countdown"
    if drop.piece != "countdown" and drop.timer is not None:
        yield f"timer is {drop.timer}, but the piece is {drop.piece}; expected a timer only for countdown"


def _places(level: "Level") -> Iterator[Problem]:
    exits: list[tuple[Place, str]] = [(("exits", n), name) for n, name in enumerate(level.exits or ())]
    dispensers: list[tuple[Place, str]] = [
        (("dispensers", n), at) for n, entry in enumerate(level.dispensers) for at in entry.at
    ]
    teleporters = list(enumerate(level.teleporters))
    entrances: list[tuple[Place, str]] = [
        (("teleporters", n, "from"), entry.from_) for n, entry in teleporters
    ]
    ways_out: list[tuple[Place, str]] = [(("teleporters", n, "to"), entry.to) for n, entry in teleporters]
    for place, name in (*exits, *dispensers, *entrances, *ways_out):
        yield from _not_a_tile(level, place, name)
    for places, twice in (
        (exits, "is listed twice"),
        (dispensers, "already has a dispenser"),
        (entrances, "already is the entrance of a teleporter"),
        (ways_out, "already is the exit of a teleporter"),
    ):
        yield from _repeated(places, twice)
    for number, entry in teleporters:
        if entry.from_ == entry.to:
            words = f"from and to are both {entry.to}; expected two different cells"
            yield _at_cell("teleporter-to-itself", ("teleporters", number), entry.to, words)
    out = {name for _, name in ways_out}
    for place, name in dispensers:
        if name in out:
            words = f"{name} is the exit of a teleporter; expected a cell that nothing else falls into"
            yield _at_cell("dispenser-at-exit", place, name, words)


def _at_cell(code: str, place: Place, name: str, words: str) -> Problem:
    """A problem with a cell that an entry of the file names; an exit stands for the list that it is in."""
    where = "exits" if place[0] == "exits" else place_words(place)
    return Problem(code, place, f"{where}: {words}", name)


def _not_a_tile(level: "Level", place: Place, name: str) -> Iterator[Problem]:
    row, column = parse_cell(name)
    if row >= level.rows or column >= level.columns:
        last = cell_name(level.rows - 1, level.columns - 1)
        words = f"{name} is off the board; expected a cell from a1 to {last}"
        yield _at_cell("off-board", place, name, words)
    elif level.board[row].split()[column] == "-":
        yield _at_cell("no-tile", place, name, f"{name} has no tile; expected a cell with one")


def _repeated(places: Iterable[_Named], twice: str) -> Iterator[Problem]:
    names = set()
    for place, name in places:
        if name in names:
            yield _at_cell("repeated-cell", place, name, f"{name} {twice}; expected each cell once")
        names.add(name)


def _goals(level: "Level") -> Iterator[Problem]:
    goals = level.goals
    if goals.score is None and goals.jelly is None and not goals.ingredients and not goals.orders:
        words = "goals: empty; expected at least one of score, jelly, ingredients, orders"
        yield Problem("no-goal", ("goals",), words)
    layers = sum(row.count("1") + 2 * row.count("2") for row in level.jelly)
    problem = partial(Problem, "jelly-goal", ("goals", "jelly"))
    if goals.jelly is not None and layers == 0:
        yield problem(
            f"goals, jelly: {goals.jelly}, but the level has no jelly; expected a jelly key with layers"
        )
    elif isinstance(goals.jelly, int) and goals.jelly > layers:
        yield problem(
            f"goals, jelly: {goals.jelly}, but the level has {layers} layers; expected at most {layers}"
        )


def _stars(level: "Level") -> Iterator[Problem]:
    if level.stars is not None and not level.stars[0] < level.stars[1] < level.stars[2]:
        words = f"stars: {list(level.stars)}; expected three scores, each above the one before"
        yield Problem("stars", ("stars",), words)


def _lines(level: "Level") -> Iterator[Problem]:
    for color, names in drawn_lines(level.cells, level.columns):
        words = (
            f"board, {names[0]} to {names[-1]}: {len(names)} {color} candies are drawn in a line; "
            "expected no line among the pieces that are drawn with a color"
        )
        yield Problem("drawn-line", ("board", parse_cell(names[0])[0]), words, names[0])


def drawn_lines(cells: Sequence[Cell], columns: int) -> Iterator[tuple[str, list[str]]]:
    """The lines on a board given in row-major order: the color and the names of the cells of each."""
    rows = len(cells) // columns
    for row in range(rows):
        for start, end, color in _runs(cells[row * columns : (row + 1) * columns]):
            yield color, [cell_name(row, column) for column in range(start, end)]
    for column in range(columns):
        for start, end, color in _runs(cells[column::columns]):
            yield color, [cell_name(row, column) for row in range(start, end)]


def _runs(cells: Iterable[Cell]) -> Iterator[tuple[int, int, str]]:
    """The lines among cells in a row or column: (first, past the last, color)."""
    colors = [cell.visible_color for cell in cells]
    start = 0
    for end in range(1, len(colors) + 1):
        color = colors[start]
        if end < len(colors) and colors[end] == color:
            continue
        if color is not None and end - start >= 3:
            yield start, end, color
        start = end


def _ingredients_on_exits(level: "Level") -> Iterator[Problem]:
    for index in level.exit_cells:
        cell = level.cells[index]
        if cell.piece in INGREDIENTS and cell.blocker is None:
            row, column = divmod(index, level.columns)
            words = f"a {cell.piece} stands on an exit; expected it elsewhere, or other exits"
            yield cell_problem("ingredient-on-exit", "board", row, column, words)


def fall_sources(level: "Level") -> dict[int, int | None]:
    """For each tile, by row-major index, the tile that pieces fall into it from (docs/rules.md, section 8).

    None where nothing falls in from another tile: at entries, and at dry tiles.
    """
    columns = level.columns
    came_from = {level.index(entry.to): level.index(entry.from_) for entry in level.teleporters}
    entrances = set(came_from.values())
    dispensers = {level.index(name) for entry in level.dispensers for name in entry.at}
    sources: dict[int, int | None] = {}
    lowest: dict[int, int] = {}
    for index, cell in enumerate(level.cells):
        if not cell.tile:
            continue
        above = lowest.get(index % columns)
        if index in came_from:
            sources[index] = came_from[index]
        elif index in dispensers or above in entrances:
            sources[index] = None
        else:
            sources[index] = above
        lowest[index % columns] = index
    return sources


def _loops(level: "Level") -> Iterator[Problem]:
    sources = fall_sources(level)
    entered: set[int] = set()
    for entry in level.teleporters:
        path = [level.index(entry.from_)]
        while (above := sources[path[-1]]) is not None and above not in path:
            path.append(above)
        if above == path[0] and entered.isdisjoint(path):
            entered.update(path)
            names = [cell_name(*divmod(index, level.columns)) for index in reversed(path)]
            words = (
                f"teleporters: pieces would fall in a circle, {' > '.join(names)} > {names[0]}; "
                "expected every way down to end"
            )
            yield Problem("teleporter-circle", ("teleporters",), words, names[0])
