"""A move from the swap to the last round of its cascade, and what follows when the board has come to rest.

play() is the compiled whole; Game.play() goes through the same steps one by one to tell what happened.
"""

from levelsense.game.deal import shuffle
from levelsense.game.effects import forget_hits, take_effect
from levelsense.game.gravity import remove_piece, settle
from levelsense.game.items import combine, is_combination, set_off_primed, set_off_stack, strike
from levelsense.game.lines import find_runs, strike_lines
from levelsense.game.moves import find_moves, first_cell, no_moves, rebuild_masks, refresh_masks, second_cell
from levelsense.game.score import REMAINING_MOVE, goals_met, score_saga
from levelsense.game.state import (
    BOMB_WENT_OFF,
    CANDY,
    CELLS,
    COLOR_BOMB,
    COUNT_SUGAR,
    COUNTDOWN,
    ELEMENT,
    GOALS_MET,
    GROWING,
    HIDES,
    HIT,
    LOST,
    MCADAMS,
    MOST_TIME,
    NO_BLOCKER,
    NO_CELL,
    NO_MOVE_POSSIBLE,
    OUT_OF_MOVES,
    OUT_OF_TIME,
    PLAYING,
    PRIMED,
    STRIDE,
    STRIPED_ROW,
    SWIRL,
    WON,
    LevelRecord,
    State,
    Work,
)
from levelsense.kernel import kernel
from levelsense.rng import Rng, below

MOST_ROUNDS = 200
MOST_ROUNDS_ONE_BY_ONE = 2_000
MOST_TIMED_MOVES = 999
MOST_BONUS_SPECIALS = 50


@kernel
def begin_cascade(work: Work) -> None:
    """Empties the working memory for a new cascade. Modified in place."""
    work.round_number = 0
    work.first = NO_CELL
    work.second = NO_CELL
    work.combination = 0
    work.pair_reach = 0
    work.spent_bombs = 0
    work.primed = 0
    work.columns = 0
    work.hits = 0
    work.top = 0


@kernel
def swap_pieces(state: State, first: int, second: int) -> None:
    """Swaps the pieces of two cells. The state is modified in place."""
    state.piece[first], state.piece[second] = state.piece[second], state.piece[first]
    state.color[first], state.color[second] = state.color[second], state.color[first]
    state.timer[first], state.timer[second] = state.timer[second], state.timer[first]


@kernel
def start_move(level: LevelRecord, state: State, rng: Rng, work: Work, move: int) -> None:
    """Pays for a legal move and swaps; a combination is set off. Modified in place."""
    begin_cascade(work)
    work.worn = 0
    work.bonus_left = 0
    work.bonus_specials = 0
    state.moves_made += 1
    # What a level does not limit costs nothing in it.
    state.time_left -= level.move_cost
    state.moves_left -= level.moves > 0
    first, second = first_cell(move), second_cell(move)
    swap_pieces(state, first, second)
    work.first = first
    work.second = second
    if level.has_specials and is_combination(
        state.piece[first], state.piece[second], state.color[first], state.color[second]
    ):
        work.combination = 1
        combine(level, state, rng, work, first, second)
    rebuild_masks(level, state, work)


@kernel
def _stop_cascade(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Ends a cascade that exceeds the limit of rounds: primed candies become plain ones and all is shuffled.

    Modified in place.
    """
    for i in range(CELLS):
        if state.piece[i] >= PRIMED:
            state.piece[i] = CANDY
            state.color[i] = level.color_table[below(rng, level.table_size)]
    if not shuffle(level, state, rng, work) and state.status == PLAYING:
        state.reason = NO_MOVE_POSSIBLE


@kernel
def clear_round(level: LevelRecord, state: State, rng: Rng, work: Work) -> bool:
    """One round up to its clearing; False, and nothing cleared, when the cascade is over.

    Modified in place.
    """
    is_combination_round = work.round_number == 0 and work.combination
    runs = 0 if is_combination_round else find_runs(level, work)
    if not is_combination_round:
        if runs == 0 and work.primed == 0:
            return False
        if work.round_number >= (MOST_ROUNDS_ONE_BY_ONE if level.rules == MCADAMS else MOST_ROUNDS):
            _stop_cascade(level, state, rng, work)
            return False
    work.round_number += 1
    if runs:
        strike_lines(level, state, work)
    if work.primed:
        set_off_primed(level, state, work)
    set_off_stack(level, state, work)
    take_effect(level, state, work)
    work.first = NO_CELL
    work.second = NO_CELL
    work.spent_bombs = 0
    work.pair_reach = 0
    if state.status == PLAYING:
        state.time_left = min(state.time_left - level.round_cost, MOST_TIME)
    state.longest_cascade = max(state.longest_cascade, work.round_number)
    return True


@kernel
def fall_round(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """The falling that ends a round. Modified in place."""
    forget_hits(work)
    settle(level, state, rng, work)
    refresh_masks(level, state, work, work.columns)
    work.columns = 0


@kernel
def _choose_plain(state: State, rng: Rng) -> int:
    """A plain candy without blocker, drawn; NO_CELL if there is none."""
    count = 0
    for i in range(CELLS):
        if state.piece[i] == CANDY and state.blocker[i] == NO_BLOCKER:
            count += 1
    if count == 0:
        return NO_CELL
    skip = below(rng, count)
    for i in range(CELLS):
        if state.piece[i] == CANDY and state.blocker[i] == NO_BLOCKER:
            if skip == 0:
                return i
            skip -= 1
    return NO_CELL


@kernel
def _become(state: State, rng: Rng, i: int, special: int) -> None:
    """A candy becomes special; a striped one draws its direction. The state is modified in place."""
    if special == STRIPED_ROW:
        special += below(rng, 2)
    state.piece[i] = special
    if special == COLOR_BOMB:
        state.color[i] = 0


@kernel
def _pay_sugar(level: LevelRecord, state: State, rng: Rng) -> bool:
    """Pays out the specials that collected sugar drops have earned; returns whether any.

    The state is modified in place.
    """
    paid = False
    while state.count[COUNT_SUGAR] // level.sugar_every > state.paid:
        i = _choose_plain(state, rng)
        if i == NO_CELL:
            break
        _become(state, rng, i, level.pay[min(state.paid, level.pays - 1)])
        state.paid += 1
        paid = True
    return paid


@kernel
def _is_beside(level: LevelRecord, state: State, i: int, element: int) -> bool:
    """Whether a neighbor of a cell has a blocker of an element."""
    row, column = i // STRIDE, i % STRIDE
    if row > 0 and ELEMENT[state.blocker[i - STRIDE]] == element:
        return True
    if row + 1 < level.rows and ELEMENT[state.blocker[i + STRIDE]] == element:
        return True
    if column > 0 and ELEMENT[state.blocker[i - 1]] == element:
        return True
    return column + 1 < level.columns and bool(ELEMENT[state.blocker[i + 1]] == element)


@kernel
def _grow_one(level: LevelRecord, state: State, rng: Rng, work: Work, code: int) -> bool:
    """A blocker of one layer takes the place of a candy beside its kind, if there is any.

    Modified in place.
    """
    count = 0
    for i in range(CELLS):
        if state.piece[i] != 0 and state.piece[i] < SWIRL and state.blocker[i] == NO_BLOCKER:
            if _is_beside(level, state, i, ELEMENT[code]):
                work.list[count] = i
                count += 1
    if count:
        i = work.list[below(rng, count)]
        remove_piece(state, i)
        state.blocker[i] = code
    return count > 0


@kernel
def _grow(level: LevelRecord, state: State, rng: Rng, work: Work) -> bool:
    """What grows and lost no layer in the move does so; returns whether any could. Modified in place."""
    grown = False
    for code in GROWING:
        if (level.growing & ~work.worn) >> ELEMENT[code] & 1:
            grown = _grow_one(level, state, rng, work, code) or grown
    return grown


@kernel
def _tick(state: State) -> bool:
    """Countdown bombs lose one; returns whether any has gone off. The state is modified in place."""
    gone_off = False
    for i in range(CELLS):
        if state.piece[i] == COUNTDOWN and not HIDES[state.blocker[i]]:
            state.timer[i] -= 1
            if state.timer[i] == 0:
                gone_off = True
    return gone_off


@kernel
def _end(state: State, status: int, reason: int) -> None:
    """The attempt is over. The state is modified in place."""
    state.status = status
    state.reason = reason
    no_moves(state)


@kernel
def _out_of_limit(level: LevelRecord, state: State) -> int:
    """The reason why no further move may be made, or 0."""
    if level.milliseconds:
        # Time candies may pay for more moves than they cost: some number of moves must be the last.
        return OUT_OF_TIME if state.time_left <= 0 or state.moves_made >= MOST_TIMED_MOVES else 0
    return OUT_OF_MOVES if state.moves_left <= 0 else 0


@kernel
def finish_move(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """What follows the cascade: won, sugar, growth, countdowns, limit, shuffle. Modified in place."""
    if goals_met(level, state):
        _end(state, WON, GOALS_MET)
        if level.bonus:
            work.bonus_specials = MOST_BONUS_SPECIALS
            work.bonus_left = state.moves_left if level.moves else 0
        return
    if state.reason:
        _end(state, LOST, state.reason)
        return
    changed = level.sugar_every > 0 and _pay_sugar(level, state, rng)
    if level.growing:
        changed = _grow(level, state, rng, work) or changed
    if level.has_countdowns and _tick(state):
        _end(state, LOST, BOMB_WENT_OFF)
        return
    reason = _out_of_limit(level, state)
    if reason:
        _end(state, LOST, reason)
        return
    if changed:
        rebuild_masks(level, state, work)
    if not find_moves(level, state, work) and not shuffle(level, state, rng, work):
        _end(state, LOST, NO_MOVE_POSSIBLE)


@kernel
def _strike_specials(state: State, work: Work) -> bool:
    """Hits all specials without blocker; returns whether there is any. Work is modified in place."""
    for i in range(CELLS):
        if STRIPED_ROW <= state.piece[i] <= COLOR_BOMB and state.blocker[i] == NO_BLOCKER:
            strike(state, work, i, HIT)
    return work.hits > 0


@kernel
def start_bonus(level: LevelRecord, state: State, rng: Rng, work: Work) -> bool:
    """After a win the specials go off, then one remaining move; False when the bonus is over.

    Modified in place.
    """
    if work.bonus_specials <= 0 and work.bonus_left <= 0:
        return False
    begin_cascade(work)
    work.combination = 1
    if work.bonus_specials > 0 and _strike_specials(state, work):
        work.bonus_specials -= 1
        rebuild_masks(level, state, work)
        return True
    if work.bonus_left <= 0:
        return False
    work.bonus_left -= 1
    i = _choose_plain(state, rng)
    if i == NO_CELL:
        work.bonus_left = 0
        return False
    _become(state, rng, i, STRIPED_ROW)
    score_saga(level, state, REMAINING_MOVE)
    strike(state, work, i, HIT)
    rebuild_masks(level, state, work)
    return True


@kernel
def play(level: LevelRecord, state: State, rng: Rng, work: Work, move: int) -> None:
    """Plays a legal move to its end. State, rng and work are modified in place."""
    start_move(level, state, rng, work, move)
    # One call of each step: a second one would be compiled in twice.
    goes_on = True
    while goes_on:
        while clear_round(level, state, rng, work):
            fall_round(level, state, rng, work)
        if state.status == PLAYING:
            finish_move(level, state, rng, work)
        goes_on = start_bonus(level, state, rng, work)
    if state.status != PLAYING:
        no_moves(state)
