"""How fast telemetry turns into states: played again in one call, and move by move; and rows of positions.

`python benchmarks/replay_speed.py` prints the figures of docs/telemetry.md. Ways are timed in turns, since
machines are noisy, and each is told by its best round.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from levelsense.game.cascade import play
from levelsense.game.deal import deal
from levelsense.game.moves import is_legal
from levelsense.game.record import level_record
from levelsense.game.state import PLAYING, STATE_DTYPE, new_state, new_work
from levelsense.lab import Lab
from levelsense.level.level import Level
from levelsense.people.moves import LevelMoves, read_moves
from levelsense.people.position_files import read_positions
from levelsense.people.replay import replay
from levelsense.rng import new_rng

LEVELS = ("04-jelly-garden", "15-breakfast", "24-hourglass", "30-grand-tour", "48-bittersweet")
PLAYERS = 100
ROUNDS = 3


def replay_by_move(level: Level, moves: LevelMoves) -> Any:
    """The states before each move, with one call of compiled code for each step."""
    record = level_record(level)
    states = np.zeros(len(moves.codes), STATE_DTYPE)
    state, work = new_state(), new_work()
    for attempt, seed in enumerate(moves.seeds):
        rng = new_rng(int(seed))
        state[0] = record.start
        deal(record.level, state[0], rng, work)
        for place in range(moves.offsets[attempt], moves.offsets[attempt + 1]):
            code = int(moves.codes[place])
            assert state[0].status == PLAYING
            assert is_legal(state[0], code)
            states[place] = state[0]
            play(record.level, state[0], rng, work, code)
    return states


def replay_at_once(level: Level, moves: LevelMoves) -> Any:
    """The same in one call."""
    return replay(level, moves.seeds, moves.codes, moves.offsets)


def read_one_by_one(rows_file: Path) -> int:
    """Reads a file of positions with a look at each board of its own."""

    def read_none(level: Level, drawn: Any, states: Any) -> Any:
        return np.zeros(len(states), bool)

    with patch("levelsense.people.position_rows.read_boards", read_none):
        return sum(map(len, read_positions(rows_file).positions(LEVELS)))


def best_of_rounds(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The fewest seconds of processor time that each way took, by its name."""
    for way in ways.values():
        way()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            way()
            seconds[name].append(time.process_time() - start)
    return {name: min(times) for name, times in seconds.items()}


def main() -> None:
    """Prints a line for each way."""
    with tempfile.TemporaryDirectory() as folder:
        moves_file, rows_file = Path(folder) / "moves.parquet", Path(folder) / "rows.parquet"
        Lab().simulate(LEVELS, PLAYERS, telemetry=moves_file)
        Lab().export_positions(moves_file, rows_file)
        log = read_moves(moves_file)
        levels = list(log.levels(LEVELS))
        for level, moves in levels:
            assert (replay_by_move(level, moves) == replay_at_once(level, moves)).all()
        best = best_of_rounds(
            {
                "move by move": lambda: sum(len(replay_by_move(*level)) for level in levels),
                "in one call": lambda: sum(len(replay_at_once(*level)) for level in levels),
                "file of moves": lambda: sum(map(len, read_moves(moves_file).positions(LEVELS))),
                "positions, board by board": lambda: read_one_by_one(rows_file),
                "file of positions": lambda: sum(map(len, read_positions(rows_file).positions(LEVELS))),
            }
        )
        for name, seconds in best.items():
            print(f"{name:26}{len(log) / seconds:10,.0f} states/s")
        print(f"in one call, against move by move: {best['move by move'] / best['in one call']:.1f} times")
        sizes = [path.stat().st_size / len(log) for path in (moves_file, rows_file)]
        print(f"bytes a move: {sizes[0]:.1f} as moves, {sizes[1]:.0f} as positions; {len(log):,} moves")


if __name__ == "__main__":
    main()
