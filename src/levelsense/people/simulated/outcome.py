"""What an imagined outcome is worth to a planner: the position after some moves beside the one before.

Each part is about 1 for a good plain move. Unlike an impression, this is read off positions that were played
out by the rules: it takes in whatever a move set off.
"""

from typing import Final

import numpy as np

from levelsense.agents.swaps import is_wanted, moves_in_limit, wants_ingredients
from levelsense.arithmetic import log2
from levelsense.game.score import progress
from levelsense.game.state import (
    BOMB_WENT_OFF,
    CELLS,
    COLOR_BOMB,
    COUNT_CHERRY,
    COUNT_COLOR_BOMB,
    COUNT_HAZELNUT,
    COUNT_STRIPED,
    COUNT_WRAPPED,
    COUNTDOWN,
    HIDES,
    LAYERS,
    STRIDE,
    STRIPED_ROW,
    WON,
    Array,
    LevelRecord,
    State,
)
from levelsense.kernel import kernel

# The columns of a planner's traits in the array that kernels read; kinds.py says what they mean.
CONSIDERED, SAMPLES, DEEP, ERROR, POINTS, GOALS, LATE, BLOCKERS, HOARD, SPEND = range(10)
ACROSS, DOWN, REPEAT, WATCH, BOREDOM = range(10, 15)
TRAITS: Final = 15

WIN: Final = 1_000_000.0
FORGOTTEN: Final = 0.15  # of the weight of goals, as long as they are not minded
DISASTER: Final = 20.0  # a bomb that goes off
FUSE: Final = 4.0  # a bomb whose next move is the last, over its moves left
SECONDS: Final = 0.2  # a second won
# Points of a plain line, by scoring: saga, pieces, quadratic.
LINE_POINTS: Final = np.array([60.0, 3.0, 60.0])


@kernel
def is_special(state: State, i: int) -> bool:
    """Whether a cell holds a special."""
    return bool(STRIPED_ROW <= state.piece[i] <= COLOR_BOMB)


@kernel
def share_used(level: LevelRecord, state: State) -> float:
    """The share of the level's limit, moves or time, that is used up: from 0 to 1."""
    if level.milliseconds:
        return min(1.0, max(0.0, 1.0 - state.time_left / level.milliseconds))
    return min(1.0, max(0.0, 1.0 - state.moves_left / level.moves))


@kernel
def way_done(level: LevelRecord, state: State) -> float:
    """The progress of the goals, with ingredients on the board counted by how far down they are."""
    done = progress(level, state)
    if not wants_ingredients(level, state):
        return done
    rows_sunk = 0
    for i in range(CELLS):
        if is_wanted(level, state, i):
            rows_sunk += i // STRIDE
    ingredients = level.asked[COUNT_CHERRY] + level.asked[COUNT_HAZELNUT]
    goals = level.goals + (level.asked_score > 0)
    return float(done + rows_sunk / (level.rows * ingredients * goals))


@kernel
def layers_left(state: State) -> int:
    """The layers of all blockers."""
    layers = 0
    for i in range(CELLS):
        layers += LAYERS[state.blocker[i]]
    return layers


@kernel
def specials_kept(state: State) -> int:
    """The specials on the board."""
    specials = 0
    for i in range(CELLS):
        specials += is_special(state, i)
    return specials


@kernel
def specials_made(state: State) -> int:
    """The specials that were made so far."""
    return int(state.count[COUNT_STRIPED] + state.count[COUNT_WRAPPED] + state.count[COUNT_COLOR_BOMB])


@kernel
def _value_specials(before: State, after: State, traits: Array) -> float:
    """What it is worth that specials were made and kept, or set off."""
    more = specials_kept(after) - specials_kept(before)
    set_off = max(0, specials_made(after) - specials_made(before) - more)
    return float(traits[HOARD] * more + traits[SPEND] * set_off)


@kernel
def danger(state: State) -> float:
    """The countdown bombs in sight, each by the moves it leaves."""
    total = 0.0
    for i in range(CELLS):
        if state.piece[i] == COUNTDOWN and not HIDES[state.blocker[i]]:
            total += 1.0 / max(1, int(state.timer[i]))
    return total


@kernel
def _value_limits(level: LevelRecord, before: State, after: State) -> float:
    """What defused bombs and time won are worth to a planner that watches them."""
    value = 0.0
    if level.milliseconds:
        value += SECONDS * (after.time_left - before.time_left) / 1_000.0
    if level.has_countdowns:
        value += FUSE * (danger(before) - danger(after))
        if after.reason == BOMB_WENT_OFF:
            value -= DISASTER
    return value


@kernel
def value_outcome(level: LevelRecord, before: State, after: State, traits: Array, watching: bool) -> float:
    """What the position after some imagined moves is worth to a planner, beside the one before."""
    if after.status == WON:
        return WIN
    minded = 1.0 if share_used(level, before) >= traits[LATE] else FORGOTTEN
    steps = (way_done(level, after) - way_done(level, before)) * moves_in_limit(level)
    points = log2(1.0 + (after.score - before.score) / LINE_POINTS[level.scoring])
    value = traits[POINTS] * points + traits[GOALS] * minded * steps
    if level.has_blockers:
        value += traits[BLOCKERS] * (layers_left(before) - layers_left(after))
    if level.has_specials:
        value += _value_specials(before, after, traits)
    if watching:
        value += _value_limits(level, before, after)
    return float(value)
