"""Writes players_sample.csv: 200 made-up results, in the columns and the quoting of a studio's export.

python -m tests.data.made_up_players
"""

import hashlib
from datetime import date, timedelta
from pathlib import Path

from levelsense.rng import Draws

FILE = Path(__file__).parent / "players_sample.csv"
ROWS, PLAYERS, LEVELS, DAYS = 200, 180, 15, 7
HEADING = '"player_id","dt","level","num_attempts","num_success"'


def lines() -> list[str]:
    """The file's lines: a player on a day at a level, attempts until one succeeds or patience ends."""
    draws = Draws("made-up players")
    rows: dict[tuple[str, date, int], str] = {}
    while len(rows) < ROWS:
        player = hashlib.blake2b(str(draws.integers(0, PLAYERS)).encode(), digest_size=16).hexdigest()
        day = date(2024, 3, 1) + timedelta(draws.integers(0, DAYS))
        level = draws.integers(1, LEVELS + 1)
        attempts, patience, success = 1, draws.integers(1, 20), 0.6 / level + 0.1
        won = draws.random() < success
        while not won and attempts < patience:
            attempts += 1
            won = draws.random() < success
        rows[player, day, level] = f'"{player}","{day}",{level},{attempts},{int(won)}'
    return [HEADING, *rows.values()]


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", encoding="utf-8", newline="\n")
