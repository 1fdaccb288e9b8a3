"""What a hit or a touch does to a cell: pieces go, layers go, jelly goes, and all of it is counted."""

from levelsense.game.gravity import remove_piece
from levelsense.game.lines import place_special
from levelsense.game.score import BLOCKER_LAYER, COUNTDOWN_REMOVED, JELLY_LAYER, score_piece, score_saga
from levelsense.game.state import (
    BLOCKER_COUNT,
    BLOW,
    CHERRY,
    COLOR_BOMB,
    COUNT_COLOR,
    COUNT_COUNTDOWN,
    COUNT_JELLY,
    COUNT_SUGAR,
    COUNT_SWIRL,
    COUNT_TIME,
    COUNTDOWN,
    ELEMENT,
    EMPTY,
    HAZELNUT,
    HIT,
    IN_LINE,
    IS_TOUCHED,
    LARGE_PRIMED,
    LAYERS,
    LEAVES_BOMB,
    NO_BLOCKER,
    PLAYING,
    PRIMED,
    STRIDE,
    SUGAR,
    SWIRL,
    TIME,
    WRAPPED,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel


@kernel
def _changed(level: LevelRecord, work: Work, i: int) -> None:
    """Notes that pieces may now fall in a cell's chain and that its column's masks are out of date."""
    work.dirty[level.chain_of[i]] = 1
    work.columns |= 1 << (i % STRIDE)


@kernel
def _strip_blocker(level: LevelRecord, state: State, work: Work, i: int, how: int) -> None:
    """A blocker loses a layer a blow, and goes with the last one. Modified in place."""
    blocker = state.blocker[i]
    if how & HIT == 0 and IS_TOUCHED[blocker] == 0:
        return
    layers = min(LAYERS[blocker], how // BLOW)
    score_saga(level, state, BLOCKER_LAYER * layers)
    work.worn |= 1 << ELEMENT[blocker]
    if layers < LAYERS[blocker]:
        state.blocker[i] = blocker - layers
        return
    state.blocker[i] = NO_BLOCKER
    state.count[BLOCKER_COUNT[blocker]] += 1
    _changed(level, work, i)
    if LEAVES_BOMB[blocker]:
        state.piece[i] = COLOR_BOMB


@kernel
def _strip_jelly(level: LevelRecord, state: State, i: int) -> None:
    """A layer of jelly goes, if there is one. Modified in place."""
    if state.jelly[i]:
        state.jelly[i] -= 1
        state.count[COUNT_JELLY] += 1
        score_saga(level, state, JELLY_LAYER)


@kernel
def _count_piece(level: LevelRecord, state: State, i: int, in_line: bool) -> None:
    """Counts and scores a piece that is removed. Modified in place."""
    piece, color = state.piece[i], state.color[i]
    score_piece(level, state, in_line)
    if color:
        state.count[COUNT_COLOR + color] += 1
    if piece < SUGAR:
        return
    if piece == SWIRL:
        state.count[COUNT_SWIRL] += 1
    elif piece == COUNTDOWN:
        state.count[COUNT_COUNTDOWN] += 1
        score_saga(level, state, COUNTDOWN_REMOVED)
    elif piece == SUGAR:
        state.count[COUNT_SUGAR] += 1
    elif piece == TIME:
        state.count[COUNT_TIME] += 1
        if state.status == PLAYING:
            state.time_left += level.time_bonus


@kernel
def _prime(state: State, work: Work, i: int, piece: int) -> None:
    """A wrapped candy waits for its second blast. Modified in place."""
    state.piece[i] = piece
    state.color[i] = 0
    work.primed += 1


@kernel
def _strike_piece(level: LevelRecord, state: State, work: Work, i: int, how: int) -> None:
    """A piece without blocker is hit, or touched, and goes if that removes it. Modified in place."""
    piece = state.piece[i]
    if piece == EMPTY or piece == CHERRY or piece == HAZELNUT or (piece != SWIRL and not how & HIT):
        return
    _changed(level, work, i)
    _strip_jelly(level, state, i)
    if piece >= PRIMED:
        remove_piece(state, i)
        return
    _count_piece(level, state, i, how & IN_LINE != 0)
    if work.born[i]:
        place_special(state, i, work.born[i], state.color[i])
    elif piece != WRAPPED:
        remove_piece(state, i)
    elif work.pair_reach == 0 or (i != work.first and i != work.second):
        _prime(state, work, i, PRIMED)
    elif work.pair_reach == 2:
        _prime(state, work, i, LARGE_PRIMED)
    else:
        remove_piece(state, i)  # spent in a combination with a striped candy


@kernel
def take_effect(level: LevelRecord, state: State, work: Work) -> None:
    """Changes every cell that was struck this round, once. Modified in place."""
    work.primed = 0
    for k in range(work.hits):
        i = work.hit_cell[k]
        how = work.hit[i]
        work.hit[i] = 0
        if state.blocker[i] != NO_BLOCKER:
            _strip_blocker(level, state, work, i, how)
        else:
            _strike_piece(level, state, work, i, how)


@kernel
def forget_hits(work: Work) -> None:
    """Clears the notes of a round: which cells were struck and where specials appeared. Modified in place."""
    for k in range(work.hits):
        work.born[work.hit_cell[k]] = EMPTY
        work.touched_by[work.hit_cell[k]] = 0
    work.hits = 0
