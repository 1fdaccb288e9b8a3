"""The first board as McAdams' program makes it: any colors, and lines that stand are cleared before play."""

from levelsense.game.cascade import begin_cascade, clear_round, fall_round
from levelsense.game.moves import find_moves, rebuild_masks
from levelsense.game.state import CANDY, COUNT_NAMES, STRIDE, LevelRecord, State, Work
from levelsense.kernel import kernel
from levelsense.rng import Rng, below


@kernel
def deal_and_clear(level: LevelRecord, state: State, rng: Rng, work: Work) -> None:
    """Deals a full board without blockers, clears its lines as in play, and counts nothing of that.

    Striped candies and color bombs that the lines leave stay: the game begins with them. A board without a
    legal move is dealt again. All but the level are modified in place.
    """
    while True:
        for row in range(level.rows):
            for column in range(level.columns):
                state.piece[row * STRIDE + column] = CANDY
                state.color[row * STRIDE + column] = level.color_table[below(rng, level.table_size)]
        begin_cascade(work)
        rebuild_masks(level, state, work)
        while clear_round(level, state, rng, work):
            fall_round(level, state, rng, work)
        state.score = 0
        state.longest_cascade = 0
        for k in range(len(COUNT_NAMES)):
            state.count[k] = 0
        if find_moves(level, state, work):
            return
