"""What is different between two levels, in words, by cells, and how much of a change it is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Final

from levelsense.edits.cells import cell_words
from levelsense.edits.changes import (
    COLOR_SIZE,
    END_SIZE,
    GOAL_STEP,
    LIMIT_STEP,
    MORE_SIZE,
    OTHER_SIZE,
    RATE_STEP,
    WHOLE_SIZE,
    Change,
    board_changes,
)
from levelsense.level.level import Drop, Level
from levelsense.level.words import color_words, counted, drop_words

MOST_WORDS: Final = 4  # changes that a summary names


@dataclass(frozen=True, eq=False)
class Difference:
    """The differences from one level to another, in the order in which a designer would tell them."""

    old: Level
    new: Level
    changes: tuple[Change, ...]

    @cached_property
    def size(self) -> float:
        """How much of a change it is: the sizes of its changes, and 1 for each beyond the first."""
        together = sum(change.size for change in self.changes)
        return together + MORE_SIZE * max(len(self.changes) - 1, 0)

    @cached_property
    def cells(self) -> frozenset[int]:
        """The cells that look different; none where the boards have other sizes."""
        return frozenset().union(*(change.cells for change in self.changes))

    @property
    def is_other_board(self) -> bool:
        """Whether the boards have other sizes, so that cells cannot be told apart one by one."""
        return _board_size(self.old) != _board_size(self.new)

    @property
    def plays_alike(self) -> bool:
        """Whether nothing is different that decides play: a name or a note at most."""
        return self.old.digest == self.new.digest

    @property
    def words(self) -> str:
        """All of it: `chocolate gone at a9, i9; 3 moves fewer`."""
        return "; ".join(change.words for change in self.changes) or "nothing is different"

    @property
    def summary(self) -> str:
        """The first changes, and how many more."""
        more = len(self.changes) - MOST_WORDS
        words = [change.words for change in self.changes[:MOST_WORDS]]
        return "; ".join([*words, *([f"and {more} more changes"] if more > 0 else [])]) or self.words


def difference(old: Level, new: Level) -> Difference:
    """What is different in a new version of a level."""
    parts = (_board, _limit, _goals, _colors, _drops, _teleporters, _rest)
    return Difference(old, new, tuple(change for part in parts for change in part(old, new)))


def _board_size(level: Level) -> tuple[int, int]:
    return level.rows, level.columns


def _limit(old: Level, new: Level) -> Iterator[Change]:
    before, after = (level.moves or level.seconds or 0 for level in (old, new))
    if (old.moves is None) != (new.moves is None):
        words = f"{_limit_words(new)} in place of {_limit_words(old)}"
        yield Change("moves", words, WHOLE_SIZE)
    elif before != after:
        much, unit = abs(after - before), "move" if new.moves is not None else "second"
        words = f"{much:g} {unit}{'' if much == 1 else 's'} {'more' if after > before else 'fewer'}"
        yield Change("moves", words, abs(log(after / before)) / LIMIT_STEP)


def _limit_words(level: Level) -> str:
    return counted(level.moves, "move") if level.moves is not None else f"{level.seconds:g} seconds"


def _goals(old: Level, new: Level) -> Iterator[Change]:
    if old.goals == new.goals:
        return  # where all jelly is asked for, less of it is no other goal
    before, after = old.asked, new.asked
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) == after.get(name):
            continue
        if name not in after:
            yield Change("goals", f"goal of {counted(before[name], name)} gone", WHOLE_SIZE)
        elif name not in before:
            yield Change("goals", f"new goal of {counted(after[name], name)}", WHOLE_SIZE)
        else:
            words = f"{counted(after[name], name)} to reach in place of {before[name]:,}"
            yield Change("goals", words, abs(log(after[name] / before[name])) / GOAL_STEP)


def _colors(old: Level, new: Level) -> Iterator[Change]:
    before, after = old.color_table, new.color_table
    if before == after:
        return
    gone, added = (
        tuple(dict.fromkeys(a for a in one if a not in other))
        for one, other in ((before, after), (after, before))
    )
    if not gone and not added:
        yield Change("colors", f"other shares of colors: {color_words(new)}", COLOR_SIZE / 2)
        return
    words = f"{len(set(after))} colors in place of {len(set(before))}"
    named = [*([f"no {', '.join(gone)}"] if gone else []), *([f"{', '.join(added)} too"] if added else [])]
    yield Change("colors", f"{words} ({', '.join(named)})", COLOR_SIZE * (len(gone) + len(added)))


def _drops(old: Level, new: Level) -> Iterator[Change]:
    before, after = _drop_lists(old), _drop_lists(new)
    for where in dict.fromkeys((*before, *after)):
        yield from _list_changes(where, before.get(where), after.get(where))


def _drop_lists(level: Level) -> dict[str, tuple[Drop, ...]]:
    """The drops of a level by where they enter."""
    lists = {f" at {', '.join(entry.at)}": entry.drops for entry in level.dispensers}
    return {"": level.drops, **lists} if level.drops else lists


def _list_changes(
    where: str, before: Sequence[Drop] | None, after: Sequence[Drop] | None
) -> Iterator[Change]:
    if before == after:
        return
    if (
        before is not None
        and after is not None
        and [_but_rate(drop) for drop in before] == [_but_rate(drop) for drop in after]
    ):
        for one, other in zip(before, after, strict=True):
            if one.rate != other.rate and one.rate is not None and other.rate is not None:
                share = f"{100 * other.rate:g}% of what enters in place of {100 * one.rate:g}%"
                words = f"{other.piece}{where}: {share}"
                yield Change("drops", words, abs(log(other.rate / one.rate)) / RATE_STEP)
        return
    gone = [drop for drop in before or () if drop not in (after or ())]
    added = [drop for drop in after or () if drop not in (before or ())]
    sentences = [
        *(f"no longer {drop_words(drop, where)}" for drop in gone),
        *(f"new: {drop_words(drop, where)}" for drop in added),
    ]
    for sentence in sentences or [f"dispenser{where} {'gone' if after is None else 'added'}"]:
        yield Change("drops", sentence, 2 * OTHER_SIZE)


def _but_rate(drop: Drop) -> Drop:
    return drop.model_copy(update={"rate": None if drop.rate is None else 1.0})


def _teleporters(old: Level, new: Level) -> Iterator[Change]:
    before, after = ([(entry.from_, entry.to) for entry in level.teleporters] for level in (old, new))
    gone = [pair for pair in before if pair not in after]
    added = [pair for pair in after if pair not in before]
    for pairs, word in ((gone, "gone"), (added, "added")):
        for start, end in pairs:
            cells = frozenset(level_index for level_index in (new.index(start), new.index(end)))
            yield Change("teleporters", f"teleporter {start} to {end} {word}", 2 * END_SIZE, cells)


def _rest(old: Level, new: Level) -> Iterator[Change]:
    for key in ("rules", "scoring_scheme"):
        before, after = getattr(old, key), getattr(new, key)
        if before != after:
            yield Change("rest", f"{key.split('_')[0]} {after} in place of {before}", WHOLE_SIZE)
    # Exits that are not written follow from the shape.
    if old.exits != new.exits and sorted(old.exit_cells) != sorted(new.exit_cells):
        cells = cell_words(new.exit_cells, new.columns) or "nowhere"
        yield Change("rest", f"exits at {cells}", OTHER_SIZE)
    for key in ("stars", "bonus", "pace", "sugar"):
        if getattr(old, key) != getattr(new, key):
            yield Change("rest", f"other {key}", OTHER_SIZE)
    if old.name != new.name:
        yield Change("rest", f"named {new.name!r}", 0.0)


def _board(old: Level, new: Level) -> Iterator[Change]:
    if _board_size(old) == _board_size(new):
        yield from board_changes(old, new)
    else:
        words = f"a board of {new.rows} x {new.columns} in place of {old.rows} x {old.columns}"
        yield Change("shape", words, WHOLE_SIZE)
