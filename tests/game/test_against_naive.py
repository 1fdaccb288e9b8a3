"""The engine and the slow second implementation must agree on every position, draw by draw."""

import json
import os
import random
from typing import Any

import pytest

from levelsense.game.game import Game
from levelsense.level.level import Level, bundled_levels
from levelsense.level.tokens import format_token
from tests.naive import NaiveGame
from tests.random_levels import random_level

pytestmark = pytest.mark.no_cover

# Every run plays a twentieth of the 200,000 moves that a release is checked with (make compare).
SHARE = float(os.environ.get("LEVELSENSE_COMPARE", "0.05"))
RANDOM_LEVELS = round(6_000 * SHARE)
BATCHES = 20
# Rounds of cascades after which a game is left, unless all is played: those of few levels go on and on.
MOST_ROUNDS = 150 if SHARE < 1 else 10**9
GAMES_PER_BUNDLED_LEVEL = max(1, round(140 * SHARE))


def snapshot(game: Game) -> dict[str, Any]:
    """The engine's state in the words of the second implementation."""
    width, cells = game.level.columns, game.cells

    def rows(values: list[Any]) -> list[list[Any]]:
        return [values[k : k + width] for k in range(0, len(values), width)]

    outcome = game.outcome
    return {
        "board": rows([format_token(cell) for cell in cells]),
        "jelly": rows([cell.jelly for cell in cells]),
        "locks": rows([{"lock": "L", "marmalade": "M"}.get(cell.blocker or "", ".") for cell in cells]),
        "score": game.score,
        "moves": game.moves_left,
        "time": None if game.time_left is None else round(game.time_left * 1000),
        "played": game.moves_made,
        "shuffles": game.shuffles,
        "paid": int(game.state.paid),
        "dropped": game.state.dropped[: len(game.level.all_drops)].tolist(),
        "status": game.status,
        "reason": outcome.reason if outcome else None,
        "counts": {name: n for name, n in game.counts.items() if n},
        "word": int(str(game).split("word: ")[1].split()[0], 16),
    }


def play_both(data: dict[str, Any], seed: int) -> int:
    """Plays a random game on both and compares after each move; returns the number of moves."""
    game, naive = Game(Level.model_validate(data), seed), NaiveGame(data, seed)
    choice = random.Random(seed)
    moves = rounds = 0
    while True:
        assert snapshot(game) == naive.snapshot(), (data, seed, moves)
        legal = [str(move) for move in game.legal_moves]
        assert legal == naive.legal_moves(), (data, seed, moves)
        if not legal or moves >= 60:
            return moves
        move = choice.choice(legal)
        rounds += len(game.play(move).rounds)
        if rounds > MOST_ROUNDS:
            return moves
        naive.play(move)
        moves += 1


@pytest.mark.parametrize("name", bundled_levels())
def test_bundled_levels(name: str) -> None:
    data = json.loads(Level.load(name).to_json())
    for seed in range(GAMES_PER_BUNDLED_LEVEL):
        play_both(data, seed)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_levels(batch: int) -> None:
    moves = 0
    for k in range(batch, RANDOM_LEVELS, BATCHES):
        moves += play_both(random_level(random.Random(k)), seed=k)
    assert moves > 0
