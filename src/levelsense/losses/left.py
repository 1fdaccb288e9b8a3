"""Findings about what was left on the board: jelly and blockers by cells, ingredients, blockers that grew."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from levelsense.advice.layout import Layout
from levelsense.game.state import CHERRY, GROWS, HAZELNUT
from levelsense.level.elements import BLOCKER
from levelsense.level.level import Level
from levelsense.level.tokens import INGREDIENTS, cell_name
from levelsense.losses.evidence import (
    LEAST_LOST,
    Evidence,
    Finding,
    ends,
    goal_weights,
    share_first,
    share_words,
)
from levelsense.losses.places import corner_words, joined, orbits, place_words

HOT: Final = 1.5  # times the mean share of the goal's cells, and at least LEAST_HOT
LEAST_HOT: Final = 0.25
LEAST_SHARE: Final = 0.40  # of lost attempts; cells left in fewer are not named
MOST_OF_GOAL: Final = 0.5  # of the goal's cells; more are no places of their own
SMALL_GOAL: Final = 0.25  # of the tiles; a goal on no more of them is a place as a whole
LEAST_ONLY: Final = 0.05  # of lost attempts, in which nothing else was left
STANDING: Final = 0.5  # of lost attempts, in which a blocker beside still stands
FEW_LINES, MANY_LINES = 3, 5
LEAST_GROWN: Final = 3  # cells
Boards = NDArray[np.bool_]


def cell_findings(evidence: Evidence) -> Iterator[Finding]:
    """Cells that hold what is left of a goal of jelly or blockers, one finding a goal at most."""
    level = evidence.level
    for goal, cells in _goal_cells(level).items():
        column = "left_jelly" if goal == "jelly" else "left_blocker"
        boards = evidence.left(column)
        hot = hot_cells(level, boards, cells)
        if hot and _share_of_rest(boards, cells, hot) >= LEAST_HOT:
            yield _cells_finding(evidence, goal, boards, cells, hot)


def _goal_cells(level: Level) -> dict[str, list[int]]:
    """The cells that a goal needs cleared, every one of them, by goals of jelly and of blockers."""
    asked, goals = level.asked, {}
    jelly = [index for index, cell in enumerate(level.cells) if cell.jelly]
    if asked.get("jelly") == sum(cell.jelly for cell in level.cells):
        goals["jelly"] = jelly
    for name in asked.keys() & BLOCKER.keys():
        drawn = [index for index, cell in enumerate(level.cells) if cell.blocker == name]
        if not BLOCKER[name].grows and asked[name] >= len(drawn):
            goals[name] = drawn
    return {goal: cells for goal, cells in goals.items() if cells}


def hot_cells(level: Level, boards: Boards, cells: list[int]) -> tuple[int, ...]:
    """The cells of a goal that are left far more often than its others; none if all are left alike.

    Mirrored cells count together. A goal that has few cells and is mostly left is a place as a whole.
    """
    shares = boards[:, cells].mean(axis=0)
    share_of = dict(zip(cells, shares.tolist(), strict=True))
    least = max(LEAST_HOT, HOT * float(shares.mean()))
    groups = orbits(level, cells)
    hot_groups = [group for group in groups if np.mean([share_of[cell] for cell in group]) >= least]
    hot = tuple(sorted(cell for group in hot_groups for cell in group))
    if not hot and shares.mean() >= STANDING and len(cells) <= SMALL_GOAL * len(Layout(level).tiles):
        return tuple(sorted(cells))
    if not hot or len(hot) > max(MOST_OF_GOAL * len(cells), 1):
        return ()
    return hot if boards[:, hot].any(axis=1).mean() >= LEAST_SHARE else ()


def _cells_finding(
    evidence: Evidence, goal: str, boards: Boards, cells: list[int], hot: tuple[int, ...]
) -> Finding:
    level, attempts = evidence.level, evidence.attempts
    share = float(boards[:, hot].any(axis=1).mean())
    others = [cell for cell in cells if cell not in hot]
    lost = ~attempts.won
    column = list(level.asked).index(goal)
    others_met = np.delete(attempts.goal_shares[lost], column, axis=1).min(axis=1, initial=1.0) >= 1
    only = float((others_met & ~boards[:, others].any(axis=1) & boards[:, hot].any(axis=1)).mean())
    what = goal if goal == "jelly" else _blockers_word(level, goal)
    corner = corner_words(level, hot)
    place = f"{place_words(level, hot, 'or')}{f', {corner}' if corner else ''}"
    sentence = (
        f"{share_first(share)} of lost attempts end with {what} left at {place}"
        f"{'' if others else ', where all of it is'}{_circumstance(evidence, goal, hot)}."
    )
    if others and only >= LEAST_ONLY:
        sentence += f" In {share_words(only)} nothing else was left: they were lost for {what} there alone."
    figures = {"share": share, "only": only, "lost": evidence.lost_count}
    weight = _share_of_rest(boards, cells, hot) * goal_weights(attempts)[goal]
    return Finding("cells", sentence, weight, figures, _names(level, hot))


def _share_of_rest(boards: Boards, cells: list[int], hot: tuple[int, ...]) -> float:
    """How much of what is left of a goal lies in hot cells, on average over lost attempts that lack it."""
    left = boards[:, cells].sum(axis=1)
    return float((boards[:, hot].sum(axis=1)[left > 0] / left[left > 0]).mean())


def _blockers_word(level: Level, name: str) -> str:
    """A blocker that a goal asks for; where others grow, what is left in its cell may be one of these."""
    return "blockers" if _growing(level) else BLOCKER[name].several


def _growing(level: Level) -> list[str]:
    names = dict.fromkeys(cell.blocker for cell in level.cells if cell.blocker)
    return [name for name in names if BLOCKER[name].grows]


def _circumstance(evidence: Evidence, goal: str, hot: tuple[int, ...]) -> str:
    """What is special about cells: a blocker on them, blockers beside them that stay, few lines there."""
    level, layout = evidence.level, Layout(evidence.level)
    blockers = {level.cells[cell].blocker for cell in hot}
    words = ""
    if goal == "jelly" and len(blockers) == 1 and None not in blockers:
        (blocker,) = blockers
        words = f", under the {BLOCKER[str(blocker)].several} there"
    beside = sorted({other for cell in hot for other in layout.neighbors(cell)} - set(hot))
    blocked = [cell for cell in beside if level.cells[cell].blocker]
    if blocked:
        standing = float(evidence.left("left_blocker")[:, blocked].any(axis=1).mean())
        if standing >= STANDING:
            kinds = joined(sorted({BLOCKER[str(level.cells[cell].blocker)].several for cell in blocked}))
            places = place_words(level, blocked)
            return f"{words}, beside the {kinds} at {places}, {_still_there(kinds, standing)}"
    lines = [layout.lines_through(cell) for cell in hot]
    most = max(layout.lines_through(cell) for cell in layout.tiles)
    if not words and np.mean(lines) <= FEW_LINES and most >= MANY_LINES:
        number = round(float(np.mean(lines)))
        places = f"{number} place{'' if number == 1 else 's'}"
        return f", where a line of three fits in {places} only (in up to {most} elsewhere)"
    return words


def _still_there(kinds: str, share: float) -> str:
    return f"which {'are' if kinds.endswith('s') else 'is'} still there in {share_words(share)}"


def _names(level: Level, cells: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(cell_name(*divmod(cell, level.columns)) for cell in cells)


def ingredient_findings(evidence: Evidence) -> Iterator[Finding]:
    """Where ingredients are stuck, what is below them, and whether they came in at all."""
    level = evidence.level
    names = [name for name in level.asked if name in INGREDIENTS]
    if not names:
        return
    attempts = evidence.attempts
    lost_shares = attempts.goal_shares[~attempts.won]
    columns = [list(level.asked).index(name) for name in names]
    unmet = float((lost_shares[:, columns] < 1).any(axis=1).mean())
    if unmet < LEAST_SHARE:
        return
    weights = goal_weights(attempts)
    weight = min(sum(weights[name] for name in names), 1.0)
    boards = evidence.left("left_ingredient")
    yield from _stuck(evidence, boards, joined(names, "or"), weight)
    yield from _never_came(evidence, names)


def _stuck(evidence: Evidence, boards: Boards, what: str, weight: float) -> Iterator[Finding]:
    level = evidence.level
    in_column = np.asarray(boards.reshape(len(boards), level.rows, level.columns).any(axis=1))
    shares = in_column.mean(axis=0)
    hottest = int(shares.argmax())
    groups = orbits(level, range(level.columns))  # the top row's: columns that mirror each other
    together = {cell % level.columns for group in groups if hottest in group for cell in group}
    chosen = sorted(column for column in together if shares[column] >= LEAST_HOT / 2) or [hottest]
    share = float(in_column[:, chosen].any(axis=1).mean())
    if share < LEAST_HOT:
        return
    cells = boards.mean(axis=0).reshape(level.rows, level.columns)
    places = [int(cells[:, column].argmax()) * level.columns + column for column in chosen]
    letters = joined([cell_name(0, column)[0] for column in chosen], "or")
    sentence = (
        f"{share_first(share)} of lost attempts end with a {what} still in column {letters}, most often at "
        f"{place_words(level, places, 'or')}{_below(evidence, places)}."
    )
    yield Finding(
        "ingredients",
        sentence,
        weight,
        {"share": share, "lost": evidence.lost_count},
        _names(level, tuple(places)),
    )


def _below(evidence: Evidence, places: list[int]) -> str:
    """What keeps ingredients at places from their exits: blockers that stay, or a column without an exit."""
    level = evidence.level
    standing = evidence.left("left_blocker").mean(axis=0)
    under = [
        cell
        for place in places
        for cell in range(place + level.columns, level.rows * level.columns, level.columns)
        if level.cells[cell].tile
    ]
    blocked = [cell for cell in under if level.cells[cell].blocker and standing[cell] >= STANDING]
    if blocked:
        kinds = joined(sorted({BLOCKER[str(level.cells[cell].blocker)].several for cell in blocked}))
        share = float(evidence.left("left_blocker")[:, blocked].any(axis=1).mean())
        return f", above the {kinds} at {place_words(level, blocked)}, {_still_there(kinds, share)}"
    exits = set(level.exit_cells)
    if not any(cell in exits for cell in [*under, *places]):
        return f", with no exit below (the exits are {place_words(level, sorted(exits))})"
    return ""


def _never_came(evidence: Evidence, names: list[str]) -> Iterator[Finding]:
    """That ingredients were not all on the board in time, if that is so in many lost attempts."""
    if len(evidence.lost) < LEAST_LOST:
        return
    pieces = ends(evidence.level, evidence.lost, "piece")
    on_board = ((pieces == CHERRY) | (pieces == HAZELNUT)).sum(axis=1)
    attempts = evidence.attempts
    goals = list(attempts.level.asked)
    columns = [goals.index(name) for name in names]
    done = attempts.goal_counts[~attempts.won][: len(evidence.lost), columns].sum(axis=1)
    asked = sum(attempts.level.asked[name] for name in names)
    share = float((done + on_board < asked).mean())
    if share >= LEAST_SHARE:
        yield Finding(
            "ingredients",
            f"In {share_words(share)} of {len(evidence.lost)} lost attempts not all of the {asked} that are "
            "asked for had come onto the board by the end.",
            share / 2,
            {"share": share, "lost": len(evidence.lost)},
        )


def growth_findings(evidence: Evidence) -> Iterator[Finding]:
    """Blockers that grew over the board in lost attempts."""
    level = evidence.level
    names = _growing(level)
    if not names or len(evidence.lost) < LEAST_LOST:
        return
    start = sum(cell.blocker in names for cell in level.cells)
    median_end = _median_growing(evidence, won=False)
    tiles = len(Layout(level).tiles)
    if median_end < start + max(LEAST_GROWN, 0.05 * tiles):
        return
    verb = "is seldom stopped" if len(names) == 1 else "are seldom stopped"
    sentence = (
        f"{joined(names).capitalize()} {verb}: from {start} cell{'' if start == 1 else 's'} to "
        f"{median_end:.0f} of {tiles} in the median of {len(evidence.lost)} lost attempts"
    )
    figures: dict[str, float | int | str] = {"start": start, "end": median_end, "lost": len(evidence.lost)}
    if len(evidence.won) >= LEAST_LOST:
        figures["end_won"] = _median_growing(evidence, won=True)
        sentence += f", to {figures['end_won']:.0f} in won ones"
    yield Finding("growth", f"{sentence}.", min(1.0, (median_end - start) / tiles), figures)


def _median_growing(evidence: Evidence, won: bool) -> float:
    codes = ends(evidence.level, evidence.won if won else evidence.lost, "blocker")
    return float(np.median((GROWS[codes] > 0).sum(axis=1)))
