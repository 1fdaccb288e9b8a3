"""The kernel that steps many games at once: moves, rewards, observations and masks of legal actions."""

from typing import Annotated, Any

from numpy.typing import NDArray

from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import REVERSED, first_cell, has_direction, is_legal, list_moves, second_cell
from levelsense.game.state import (
    COUNT_SUGAR,
    ELEMENT,
    I1,
    I8,
    LAYERS,
    PLAYING,
    STRIDE,
    WON,
    Array,
    LevelRecord,
    Moves,
    State,
    States,
    Work,
    record_dtype,
)
from levelsense.gym.layout import GOALS_REWARD, NO_PLANE, SCORE_REWARD, LayoutRecord
from levelsense.kernel import kernel
from levelsense.rng import Rng

NO_GAME = -1
Steps = NDArray[Any]  # of Step records, one a game


class Step:
    """One step of one game: what is asked for, and below that what came of it."""

    action: I8
    reward: Annotated[float, "f8"]
    score: I8
    begins: I1  # a new attempt is dealt; the action means nothing
    refused: I1  # the action was not legal and changed nothing
    status: I1


STEP_DTYPE = record_dtype(Step)


@kernel
def _is_listed(state: State, code: int) -> bool:
    """Whether a move is legal and listed by this number: the other direction only where it matters."""
    if not is_legal(state, code):
        return False
    return code < REVERSED or has_direction(state, first_cell(code), second_cell(code))


@kernel
def _goals_done(level: LevelRecord, state: State) -> float:
    """The part of the goals that is done, from 0 to 1: the mean of that of each."""
    done = 0.0
    goals = level.goals
    if level.asked_score:
        done += min(state.score, level.asked_score) / level.asked_score
        goals += 1
    for k in range(level.goals):
        count = level.goal_count[k]
        done += min(state.count[count], level.asked[count]) / level.asked[count]
    return done / goals


@kernel
def _write_board(level: LevelRecord, layout: LayoutRecord, state: State, board: Array) -> None:
    """Writes the planes of a position over the constant ones. The board is modified in place."""
    for row in range(level.rows):
        for column in range(level.columns):
            i = row * STRIDE + column
            plane = layout.plane_of_color[state.color[i]]
            if plane != NO_PLANE:
                board[plane, row, column] = 1
            plane = layout.plane_of_piece[state.piece[i]]
            if plane != NO_PLANE:
                board[plane, row, column] = 1
            if level.has_blockers:
                plane = layout.plane_of_element[ELEMENT[state.blocker[i]]]
                if plane != NO_PLANE:
                    board[plane, row, column] = LAYERS[state.blocker[i]]
            if layout.jelly_plane != NO_PLANE:
                board[layout.jelly_plane, row, column] = state.jelly[i]
            if layout.countdown_plane != NO_PLANE:
                board[layout.countdown_plane, row, column] = state.timer[i]


@kernel
def _write_numbers(level: LevelRecord, layout: LayoutRecord, state: State, numbers: Array) -> None:
    """Writes what is left of goals, limit and drops, as parts of the whole. Numbers are modified in place."""
    at = 0
    if level.asked_score:
        numbers[at] = max(level.asked_score - state.score, 0) / level.asked_score
        at += 1
    for k in range(level.goals):
        count = level.goal_count[k]
        numbers[at] = max(level.asked[count] - state.count[count], 0) / level.asked[count]
        at += 1
    if level.milliseconds:
        numbers[at] = max(state.time_left, 0) / level.milliseconds
    else:
        numbers[at] = state.moves_left / level.moves
    at += 1
    for k in range(layout.limited_drops):
        drop = layout.limited_drop[k]
        numbers[at] = max(level.drop_total[drop] - state.dropped[drop], 0) / level.drop_total[drop]
        at += 1
    if level.sugar_every:
        numbers[at] = state.count[COUNT_SUGAR] / level.sugar_every - state.paid


@kernel
def _write_mask(layout: LayoutRecord, state: State, moves: Moves, mask: Array) -> None:
    """Marks the legal actions in a mask of zeros. Moves are room for a list; both are modified in place."""
    for k in range(list_moves(state, moves)):
        mask[layout.action_of[moves[k]]] = 1


@kernel
def _play_action(
    level: LevelRecord, layout: LayoutRecord, state: State, rng: Rng, work: Work, step: Step, reward: int
) -> None:
    """Plays a step's action and rewards it, or refuses it. All but the level are modified in place."""
    code = layout.code[step.action]
    if not _is_listed(state, code):
        step.refused = 1
        return
    score = state.score
    done = _goals_done(level, state)
    play(level, state, rng, work, code)
    won = 1.0 if state.status == WON else 0.0
    if reward == SCORE_REWARD:
        step.reward = (state.score - score) / layout.line_of_three
    elif reward == GOALS_REWARD:
        step.reward = _goals_done(level, state) - done + won
    else:
        step.reward = won


@kernel
def _first_illegal(layout: LayoutRecord, states: States, steps: Steps) -> int:
    """The first game whose action is not legal, or NO_GAME."""
    for k in range(steps.shape[0]):
        is_played = not steps[k].begins and states[k].status == PLAYING
        if is_played and not _is_listed(states[k], layout.code[steps[k].action]):
            return k
    return NO_GAME


@kernel
def step_games(
    levels: Array,
    layouts: Array,
    states: States,
    rng: Array,
    works: Array,
    moves: Moves,
    steps: Steps,
    reward: int,
    strict: int,
    boards: Array,
    numbers: Array,
    masks: Array,
) -> int:
    """Steps every game, and writes what it looks like then; returns NO_GAME.

    states[k] and rng[k] are game k's, and the state behind the last game's is the level's start. With
    `strict` nothing is changed if an action is not legal, and the first such game is returned. Boards must
    hold the constant planes, and masks zeros. Levels, layouts and works are arrays of one record, because
    handing over a record by itself takes Python as long as ten moves. All but levels and layouts are
    modified in place.
    """
    level, layout, work = levels[0], layouts[0], works[0]
    games = steps.shape[0]
    if strict:
        illegal = _first_illegal(layout, states, steps)
        if illegal != NO_GAME:
            return illegal
    for k in range(games):
        step = steps[k]
        step.reward = 0.0
        step.refused = 0
        if step.begins:
            states[k] = states[games]
            deal(level, states[k], rng[k], work)
        elif states[k].status == PLAYING:
            _play_action(level, layout, states[k], rng[k], work, step, reward)
        step.score = states[k].score
        step.status = states[k].status
        _write_board(level, layout, states[k], boards[k])
        _write_numbers(level, layout, states[k], numbers[k])
        _write_mask(layout, states[k], moves, masks[k])
    return NO_GAME
