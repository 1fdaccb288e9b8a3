"""Changes from one version of a level to another: how large each is, and those of the board, cell by cell.

The size of a change is about how many small things a designer touches:

    a fifth more or less of the limit                             1
    a tenth more or less of a goal's number                       1
    a quarter more or less of the share that drops in             1
    a cell that gains, loses or moves jelly or a blocker          1
    a layer more or less in a cell                                0.5
    a tile added or taken away                                    1.5
    an end of a teleporter                                        1.5
    a color more or less                                          4
    each change beyond the first                                  1
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import Final

from levelsense.edits.cells import cell_words, in_the_way
from levelsense.level.level import Level
from levelsense.level.tokens import Cell

LIMIT_STEP: Final = log(1.2)
GOAL_STEP: Final = log(1.1)
RATE_STEP: Final = log(1.25)
CELL_SIZE, LAYER_SIZE, TILE_SIZE, END_SIZE, COLOR_SIZE, OTHER_SIZE = 1.0, 0.5, 1.5, 1.5, 4.0, 1.0
MORE_SIZE: Final = 1.0
WHOLE_SIZE: Final = 10.0  # a goal, a rule or a kind of limit that is new or gone


@dataclass(frozen=True)
class Change:
    """One difference.

    kind   which part of a level it is of, as in edits.KINDS; `rest` for what no edit touches
    words  what is different, as `3 moves fewer` or `chocolate gone at a9, i9`
    size   about how many small things were changed
    cells  the cells that look different
    """

    kind: str
    words: str
    size: float
    cells: frozenset[int] = frozenset()


def board_changes(old: Level, new: Level) -> Iterator[Change]:
    """The changes of tiles, blockers, pieces and jelly between two boards of the same size, kind by kind."""
    yield from _tiles(old, new)
    yield from _elements(old, new)
    yield from _pieces(old, new)
    yield from _jelly(old, new)


def _pairs(old: Level, new: Level) -> list[tuple[int, Cell, Cell]]:
    return [
        (index, before, after)
        for index, (before, after) in enumerate(zip(old.cells, new.cells, strict=True))
        if before != after
    ]


def _tiles(old: Level, new: Level) -> Iterator[Change]:
    for word, has_tile in (("taken away", False), ("added", True)):
        cells = [
            index
            for index, before, after in _pairs(old, new)
            if (before.tile, after.tile) == (not has_tile, has_tile)
        ]
        if cells:
            noun = "a tile" if len(cells) == 1 else f"{len(cells)} tiles"
            words = f"{noun} {word} at {cell_words(cells, new.columns)}"
            yield Change("shape", words, TILE_SIZE * len(cells), frozenset(cells))


Content = tuple[str, int]  # an element's name, and its layers or its timer


def _content(cell: Cell) -> Content | None:
    name = in_the_way(cell)
    return None if name is None else (name, cell.layers or cell.timer or 1)


def _elements(old: Level, new: Level) -> Iterator[Change]:
    """Blockers and pieces in the way: moved, gone, added, of more or fewer layers, or others."""
    gone: dict[Content, list[int]] = defaultdict(list)
    added: dict[Content, list[int]] = defaultdict(list)
    layered: dict[tuple[str, int], list[int]] = defaultdict(list)
    for index, before_cell, after_cell in _pairs(old, new):
        before, after = _content(before_cell), _content(after_cell)
        if before == after:
            continue
        if before is not None and after is not None and before[0] == after[0]:
            layered[before[0], after[1] - before[1]].append(index)
            continue
        if before is not None:
            gone[before].append(index)
        if after is not None:
            added[after].append(index)
    columns = new.columns
    for content in list(gone):
        if len(gone[content]) == len(added.get(content, ())):
            starts, ends = gone.pop(content), added.pop(content)
            words = (
                f"{_name(content[0])} moved from {cell_words(starts, columns)} to {cell_words(ends, columns)}"
            )
            yield Change("blockers", words, CELL_SIZE * len(ends), frozenset((*starts, *ends)))
    for cells_by, word in ((gone, "gone"), (added, "added")):
        for name, cells in _by_name(cells_by).items():
            words = f"{_name(name)} {word} at {cell_words(cells, columns)}"
            yield Change("blockers", words, CELL_SIZE * len(cells), frozenset(cells))
    for (name, more), cells in layered.items():
        words = f"{_amount_words(name, more)} at {cell_words(cells, columns)}"
        yield Change(
            "blockers",
            words,
            LAYER_SIZE * abs(more) * len(cells) / (2 if name == "countdown" else 1),
            frozenset(cells),
        )


def _by_name(cells_by: dict[Content, list[int]]) -> dict[str, list[int]]:
    by_name: dict[str, list[int]] = defaultdict(list)
    for (name, _), cells in cells_by.items():
        by_name[name] += cells
    return by_name


def _name(name: str) -> str:
    """The element in a sentence about several cells."""
    return {"lock": "locks", "swirl": "swirls", "countdown": "countdown bombs"}.get(name, name)


def _amount_words(name: str, more: int) -> str:
    much, word = abs(more), "more" if more > 0 else "less"
    if name == "countdown":
        return f"countdown bombs of {much} move{'' if much == 1 else 's'} {'more' if more > 0 else 'fewer'}"
    return f"{'a layer' if much == 1 else f'{much} layers'} of {name} {word}"


def _pieces(old: Level, new: Level) -> Iterator[Change]:
    """Pieces other than those in the way: ingredients, specials, candies of a drawn color."""
    by_words: dict[str, list[int]] = defaultdict(list)
    for index, before, after in _pairs(old, new):
        if not (before.tile and after.tile) or (before.piece, before.color) == (after.piece, after.color):
            continue
        one, other = (
            None if in_the_way(cell) and not cell.blocker else cell.piece for cell in (before, after)
        )
        if one == other and before.color == after.color:
            continue
        if other in (None, "candy") and one not in (None, "candy"):
            by_words[f"{one} gone"].append(index)
        elif other not in (None, "candy"):
            by_words[f"{other} added" if one in (None, "candy") else f"{other} in place of {one}"].append(
                index
            )
        elif one == other == "candy":
            by_words["candies of another color"].append(index)
    for words, cells in by_words.items():
        sentence = f"{words} at {cell_words(cells, new.columns)}"
        yield Change("rest", sentence, CELL_SIZE * len(cells), frozenset(cells))


def _jelly(old: Level, new: Level) -> Iterator[Change]:
    by_words: dict[tuple[str, float], list[int]] = defaultdict(list)
    for index, before, after in _pairs(old, new):
        if before.jelly == after.jelly or not (before.tile and after.tile):
            continue
        if not after.jelly:
            key = ("jelly gone", CELL_SIZE)
        elif not before.jelly:
            key = ("double jelly added" if after.jelly == 2 else "jelly added", CELL_SIZE)
        else:
            key = (f"a layer of jelly {'more' if after.jelly > before.jelly else 'less'}", LAYER_SIZE)
        by_words[key].append(index)
    for (words, size), cells in by_words.items():
        yield Change(
            "jelly", f"{words} at {cell_words(cells, new.columns)}", size * len(cells), frozenset(cells)
        )
