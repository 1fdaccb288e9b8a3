"""Advice about falling: ingredients without a way out, and what nothing falls into."""

from collections.abc import Iterable, Iterator
from typing import Final

from levelsense.advice.advice import Advice, Severity
from levelsense.advice.supply import Supply, reachable_drops
from levelsense.level.fields import Drop
from levelsense.level.tokens import INGREDIENTS


def drawn_ingredients(supply: Supply) -> Iterator[Advice]:
    """Ingredients on the board with no exit on their way down."""
    level, layout = supply.level, supply.layout
    exits = set(level.exit_cells)
    for piece in INGREDIENTS:
        asked = level.asked.get(piece, 0)
        cells = [index for index, cell in enumerate(level.cells) if cell.piece == piece]
        stuck = [cell for cell in cells if exits.isdisjoint(layout.reached([cell], swaps=True))]
        beside = [cell for cell in cells if cell not in stuck and exits.isdisjoint(layout.way_down(cell))]
        if not asked or not exits:
            continue
        if stuck:
            severity: Severity = "error" if asked > supply.most(piece) - len(stuck) else "warning"
            finding = f"this {piece} can never get to an exit"
            yield Advice(severity, "ingredient-stuck", ("board",), finding, layout.cell_names(stuck))
        if beside:
            finding = f"no exit below this {piece}: it has to be moved sideways"
            yield Advice("warning", "ingredient-beside-exit", ("board",), finding, layout.cell_names(beside))


def dropped_ingredients(supply: Supply) -> Iterator[Advice]:
    """Ingredients that enter where no exit is below."""
    level, layout = supply.level, supply.layout
    exits = set(level.exit_cells)
    for piece in INGREDIENTS:
        cells = _entries_of(supply, piece)
        away = [cell for cell in cells if exits.isdisjoint(layout.way_down(cell))]
        drawn = sum(cell.piece == piece for cell in level.cells)
        if not away or not exits or level.asked.get(piece, 0) <= drawn:
            continue
        if exits.isdisjoint(layout.reached(cells, swaps=True)):
            finding = f"a {piece} that enters can never get to an exit"
            yield Advice("error", "ingredient-stuck", ("drops", piece), finding)
        elif len(away) == len(cells):
            finding = f"no exit below any entry: every {piece} has to be moved sideways"
            yield Advice("warning", "ingredient-beside-exit", ("drops", piece), finding)
        else:
            finding = f"a {piece} may enter at {layout.names(away)}, with no exit below"
            yield Advice("note", "ingredient-beside-exit", ("drops", piece), finding)


def _entries_of(supply: Supply, piece: str) -> list[int]:
    return [
        cell
        for cell, drops in supply.layout.entries.items()
        if any(drop.piece == piece for drop in reachable_drops(drops))
    ]


def idle_exits(supply: Supply) -> Iterator[Advice]:
    """Exits listed by the level that no ingredient can get to."""
    level, layout = supply.level, supply.layout
    if not level.exits:
        return
    starts = {index for index, cell in enumerate(level.cells) if cell.piece in INGREDIENTS}
    starts.update(cell for piece in INGREDIENTS for cell in _entries_of(supply, piece))
    if not starts:
        yield Advice("warning", "idle-exit", ("exits",), "the level has no ingredient to leave by them")
        return
    idle = set(level.exit_cells) - layout.reached(starts, swaps=True)
    if idle:
        yield Advice(
            "warning", "idle-exit", ("exits",), "no ingredient can get here", layout.cell_names(idle)
        )


def dry_cells(supply: Supply) -> Iterator[Advice]:
    """Cells that are not filled again as others are."""
    layout = supply.layout
    never = layout.tiles - layout.fed
    if never:
        finding = "nothing can fall in here: once empty, it stays empty"
        yield Advice("warning", "dry-cell", ("board",), finding, layout.cell_names(never))
    aside = layout.dry - never
    if aside:
        finding = "cut off by a teleporter: filled only by pieces that slide in from the side"
        yield Advice("note", "fed-sideways", ("board",), finding, layout.cell_names(aside))


def idle_teleporters(supply: Supply) -> Iterator[Advice]:
    """Teleporters that no new piece gets to."""
    for number, entry in enumerate(supply.level.teleporters):
        if supply.level.index(entry.from_) not in supply.layout.fed:
            finding = f"no new piece gets to its entrance, {entry.from_}"
            yield Advice("warning", "idle-teleporter", ("teleporters", number), finding)


def leaving_at_once(supply: Supply) -> Iterator[Advice]:
    """Ingredients kept without a total that fall from their entry to an exit with nothing to clear.

    Once such ingredients fill the way from the entry to the exit, each that leaves lets the next one in.
    """
    layout, exits = supply.layout, set(supply.level.exit_cells)
    for piece in INGREDIENTS:
        at_once = [
            (entry, way[-1])
            for entry, drops in layout.entries.items()
            if piece in (kept := _kept_ingredients(drops))
            and (way := _way_to_exit(layout.way_down(entry), exits))
            and len(way) <= sum(kept.values())
        ]
        if at_once:
            entries, ways_out = (layout.names({pair[end] for pair in at_once}) for end in (0, 1))
            finding = (
                f"a {piece} may leave at {ways_out} as soon as the next enters at {entries}, with nothing to "
                "clear, up to 100 times a round; a total would end that"
            )
            yield Advice("warning", "ingredient-leaves-at-once", ("drops", piece), finding)


def _way_to_exit(way: list[int], exits: set[int]) -> list[int]:
    """The cells from an entry down to the first exit; none if there is no exit on the way."""
    first = next((number for number, cell in enumerate(way) if cell in exits), None)
    return [] if first is None else way[: first + 1]


def _kept_ingredients(drops: Iterable[Drop]) -> dict[str, int]:
    """How many of each ingredient an entry keeps on the board for ever, before anything else may enter."""
    kept: dict[str, int] = {}
    for drop in drops:
        if drop.keep is None or drop.total is not None:
            continue
        if drop.piece not in INGREDIENTS:
            break
        kept[drop.piece] = max(kept.get(drop.piece, 0), drop.keep)
    return kept


def circling_slides(supply: Supply) -> Iterator[Advice]:
    """Teleporters that lead upwards, below whose entrance a dry tile lets pieces slide in and out again."""
    level, layout = supply.level, supply.layout
    for number, entry in enumerate(level.teleporters):
        entrance, way_out = level.index(entry.from_), level.index(entry.to)
        around = layout.sliding_back(entrance, way_out)
        if around:
            finding = (
                f"leads up from {entry.from_} to {entry.to}: pieces that slide into {layout.names(around)} "
                "may come round again and again, up to 500 slides"
            )
            yield Advice("warning", "circling-slides", ("teleporters", number), finding)


FALLING_RULES: Final = (
    drawn_ingredients,
    dropped_ingredients,
    leaving_at_once,
    idle_exits,
    dry_cells,
    circling_slides,
    idle_teleporters,
)
