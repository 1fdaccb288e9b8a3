"""Which edits of its cells, colors and teleporters a level offers, the most promising of each kind first."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

from levelsense.edits.cells import Canvas, changed, in_the_way, is_plain
from levelsense.edits.edit import Edit, Wish, different, made
from levelsense.edits.symmetry import Orbit, Symmetry
from levelsense.level.elements import BLOCKER, COUNTDOWN, SWIRL, Element
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS

MOST_OF_A_KIND: Final = 14
MOST_ADDED: Final = 6  # places where a blocker or jelly is added
_STEPS: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))  # to the side and up, before down
_USUAL_BLOCKER: Final = BLOCKER["icing"]  # what is added where a level has no blocker
_ELEMENT: Final = {**BLOCKER, SWIRL.name: SWIRL, COUNTDOWN.name: COUNTDOWN}
_TIMER_STEP: Final = 2


def offers(level: Level, wish: Wish) -> list[Edit]:
    """Edits in the wished direction, kind by kind; those whose direction cannot be foreseen in both."""
    makers = {
        "jelly": _jelly,
        "blockers": _blockers,
        "colors": _colors,
        "teleporters": _teleporters,
        "shape": _shape,
    }
    edits = []
    for kind, maker in makers.items():
        if kind in wish.allow:
            edits += list(islice(different(maker(level, wish)), MOST_OF_A_KIND))
    return edits


def _free_orbits(cells: Collection[int], symmetry: Symmetry, wish: Wish) -> list[Orbit]:
    """The orbits of cells that no kept cell is in: those first that attempts are lost by most."""
    orbits = [orbit for orbit in symmetry.orbits(sorted(cells)) if not wish.keep.intersection(orbit)]
    return sorted(orbits, key=lambda orbit: (-wish.warmth(orbit), len(orbit)))


def _jelly(level: Level, wish: Wish) -> Iterator[Edit | None]:
    if level.goals.jelly is None:
        return
    cells = level.cells
    with_jelly = [index for index, cell in enumerate(cells) if cell.jelly]
    symmetry = Symmetry(level, "jelly")
    orbits = _free_orbits(with_jelly, symmetry, wish)
    if wish.easier:
        for orbit in orbits:
            yield _jelly_edit(level, {cell: cells[cell].jelly - 1 for cell in orbit})
            yield _jelly_edit(level, dict.fromkeys(orbit, 0))
        free = [cell for cell in with_jelly if cell not in wish.keep]
        yield _jelly_edit(level, {cell: 1 for cell in free if cells[cell].jelly == 2})
        return
    for orbit in orbits:
        yield _jelly_edit(level, {cell: min(cells[cell].jelly + 1, 2) for cell in orbit})
    bare = [index for index, cell in enumerate(cells) if is_plain(cell) and not cell.jelly]
    for orbit in _spread(_free_orbits(bare, symmetry, wish), MOST_ADDED):
        yield _jelly_edit(level, dict.fromkeys(orbit, 1))


def _jelly_edit(level: Level, layers: dict[int, int]) -> Edit | None:
    goals = level.goals.model_dump(mode="json", exclude_defaults=True)
    after = sum(layers.get(index, cell.jelly) for index, cell in enumerate(level.cells))
    if isinstance(level.goals.jelly, int):
        goals["jelly"] = max(min(level.goals.jelly, after), 1)
    return made(level, partial(Canvas(level).cover_with_jelly(layers).level, goals=goals))


def _spread(orbits: list[Orbit], most: int) -> list[Orbit]:
    """So many orbits at most, evenly from a list."""
    step = max(len(orbits) / most, 1)
    return [orbits[int(number * step)] for number in range(min(most, len(orbits)))]


def _blockers(level: Level, wish: Wish) -> Iterator[Edit | None]:
    return (
        chain(_fewer_blockers(level, wish), _moved(level, wish))
        if wish.easier
        else chain(_more_blockers(level, wish), _moved(level, wish))
    )


def _blocked_orbits(level: Level, wish: Wish) -> list[tuple[Orbit, Element]]:
    cells = level.cells
    blocked = [index for index, cell in enumerate(cells) if in_the_way(cell)]
    orbits = _free_orbits(blocked, Symmetry(level, "blockers"), wish)
    return [(orbit, _ELEMENT[in_the_way(cells[orbit[0]]) or ""]) for orbit in orbits]


def _fewer_blockers(level: Level, wish: Wish) -> Iterator[Edit | None]:
    of_element: dict[Element, list[int]] = defaultdict(list)
    for orbit, element in _blocked_orbits(level, wish):
        of_element[element] += orbit
        yield made(level, Canvas(level).clear(orbit).level)
        yield _relayered(level, orbit, element, -1)
    for element, cells in of_element.items():
        yield _relayered(level, cells, element, -1)
        yield made(level, Canvas(level).clear(cells).level)


def _more_blockers(level: Level, wish: Wish) -> Iterator[Edit | None]:
    blocked = _blocked_orbits(level, wish)
    of_element: dict[Element, list[int]] = defaultdict(list)
    for orbit, element in blocked:
        of_element[element] += orbit
        yield _relayered(level, orbit, element, 1)
    for element, cells in of_element.items():
        yield _relayered(level, cells, element, 1)
    bare = [index for index, cell in enumerate(level.cells) if is_plain(cell)]
    orbits = _free_orbits(bare, Symmetry(level, "blockers"), wish)
    # Over jelly first: that is where a blocker is most in the way.
    orbits.sort(key=lambda orbit: not level.cells[orbit[0]].jelly)
    elements = [element for element in of_element if element is not COUNTDOWN] or [_USUAL_BLOCKER]
    for element in elements[:2]:
        for orbit in _spread(orbits, MOST_ADDED):
            yield made(level, Canvas(level).put(orbit, element).level)


def _relayered(level: Level, cells: Collection[int], element: Element, more: int) -> Edit | None:
    """A layer more or less in cells of an element; for bombs, moves fewer or more."""

    def make() -> Level:
        canvas = Canvas(level)
        for index in cells:
            cell = level.cells[index]
            if element is COUNTDOWN:
                letter = canvas.board[index][0]
                canvas.board[index] = f"{letter}{max(cell.timer - more * _TIMER_STEP, 1)}"
            else:
                layers = min(max(cell.layers + more, 1), element.most_layers)
                canvas.put([index], element, layers)
        return canvas.level()

    has_layers = element is COUNTDOWN or element.most_layers > 1
    return made(level, make) if has_layers else None


def _moved(level: Level, wish: Wish) -> Iterator[Edit | None]:
    """Blockers a step away, where there is a plain candy."""
    symmetry = Symmetry(level, "blockers")
    for orbit, element in _blocked_orbits(level, wish)[:4]:
        layers = level.cells[orbit[0]].layers or 1
        if element is COUNTDOWN:
            continue
        for step in _STEPS:
            place = symmetry.image(orbit, step, level.columns, level.rows)
            if place is None or wish.keep.intersection(place):
                continue
            if all(is_plain(level.cells[cell]) for cell in place):
                yield made(level, Canvas(level).clear(orbit).put(place, element, layers).level)


def _colors(level: Level, wish: Wish) -> Iterator[Edit | None]:
    table = list(dict.fromkeys(level.color_table))
    needed = (
        {cell.color for cell in level.cells} | set(level.asked) | {drop.color for drop in level.all_drops}
    )
    if wish.easier:
        spare = [color for color in table if color not in needed]
        if len(table) > 3 and spare:
            yield made(level, partial(changed, level, colors=_without(level, spare[-1])))
        return
    more = [color for color in COLORS if color not in table]
    if more:
        yield made(level, partial(changed, level, colors=_with(level, more[0])))


def _without(level: Level, color: str) -> object:
    if isinstance(level.colors, int) and color == COLORS[level.colors - 1]:
        return level.colors - 1
    if isinstance(level.colors, dict):
        return {name: weight for name, weight in level.colors.items() if name != color}
    return [name for name in level.color_table if name != color]


def _with(level: Level, color: str) -> object:
    if isinstance(level.colors, int):
        return level.colors + 1
    if isinstance(level.colors, dict):
        weights = {str(name): weight for name, weight in level.colors.items()}
        return {**weights, color: max(round(sum(weights.values()) / len(weights)), 1)}
    return [*level.colors, color]


def _teleporters(level: Level, wish: Wish) -> Iterator[Edit | None]:
    """Each teleporter gone, with those whose ends mirror its ends; and all of them."""
    data = [entry.model_dump(mode="json", by_alias=True) for entry in level.teleporters]
    ends = [(level.index(entry.from_), level.index(entry.to)) for entry in level.teleporters]
    if any(wish.keep.intersection(pair) for pair in ends):
        return
    symmetry = Symmetry(level, "shape")
    groups = dict.fromkeys(
        tuple(
            number
            for number, pair in enumerate(ends)
            if pair[0] in symmetry.orbit(start) and pair[1] in symmetry.orbit(end)
        )
        for start, end in ends
    )
    for group in (*groups, tuple(range(len(ends)))):
        rest = [entry for number, entry in enumerate(data) if number not in group]
        yield made(level, partial(changed, level, teleporters=rest))


def _shape(level: Level, wish: Wish) -> Iterator[Edit | None]:
    """Tiles at the edge away, and gaps beside tiles filled: either may make a level easier or harder."""
    symmetry, cells = Symmetry(level, "shape"), level.cells
    named = {level.index(name) for name in _named_cells(level)}
    neighbors = {index: _beside(level, index) for index in range(len(cells))}
    gaps = [i for i, cell in enumerate(cells) if not cell.tile and any(cells[n].tile for n in neighbors[i])]
    edge = [
        i
        for i, cell in enumerate(cells)
        if is_plain(cell)
        and not cell.jelly
        and i not in named
        and (len(neighbors[i]) < 4 or any(not cells[n].tile for n in neighbors[i]))
    ]
    for orbit in _spread(_free_orbits(gaps, symmetry, wish), MOST_ADDED):
        if not named.intersection(orbit):
            yield made(level, Canvas(level).add_tiles(orbit).level)
    corners = [i for i in edge if sum(cells[n].tile for n in neighbors[i]) <= 2]
    for orbit in _spread(_free_orbits(corners, symmetry, wish), MOST_ADDED):
        if all(index in edge for index in orbit):
            yield made(level, Canvas(level).cut(orbit).level)


def _named_cells(level: Level) -> Iterator[str]:
    """The cells that dispensers, teleporters and exits name."""
    yield from (name for entry in level.dispensers for name in entry.at)
    yield from (name for entry in level.teleporters for name in (entry.from_, entry.to))
    yield from level.exits or ()


def _beside(level: Level, index: int) -> list[int]:
    row, column = divmod(index, level.columns)
    return [
        (row + down) * level.columns + column + right
        for down, right in _STEPS
        if 0 <= row + down < level.rows and 0 <= column + right < level.columns
    ]
