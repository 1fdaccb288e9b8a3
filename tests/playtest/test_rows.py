"""A row tells what happened: each is checked against the attempt, played again move by move."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.game.game import Game
from levelsense.game.level import Level
from levelsense.game.rng import below, new_rng
from levelsense.game.state import CELLS, STRIDE
from levelsense.game.version import RULES_VERSION
from levelsense.playtest import playtest
from levelsense.playtest.rows import (
    ROW_SCHEMA,
    TABLE_SCHEMA,
    attempt_rows,
    pack_cells,
    unpack_cells,
    with_seeds,
)
from levelsense.playtest.seeds import attempt_seeds
from tests.playtest.drawn_rows import lost, rows_of, small_level, won

# Moves and seconds, jelly and ingredients and orders, blockers that stay, bombs, stars, a bonus.
LEVELS = ("05-cherry-picking", "11-beat-the-clock", "20-short-fuses", "30-grand-tour", "45-last-stand")


def replay(level: Level, row: dict[str, Any]) -> tuple[Game, list[int], int]:
    """The attempt of a row by the random agent, with the numbers of legal moves and the longest cascade."""
    game, choice = Game(level, row["game_seed"]), new_rng(row["agent_seed"])
    legal: list[int] = []
    longest = 0
    while game.status == "playing":
        moves = game.legal_moves
        legal.append(len(moves))
        turn = game.play(moves[below(choice, len(moves))])
        longest = max([longest, len(turn.rounds), *map(len, turn.bonus)])
    return game, legal, longest


def left(game: Game, is_left: Any) -> list[int]:
    """The kernels' numbers of cells that something is left on."""
    columns = game.level.columns
    return [k // columns * STRIDE + k % columns for k, cell in enumerate(game.cells) if is_left(cell)]


@pytest.mark.parametrize("name", LEVELS)
def test_rows_tell_what_happened(name: str) -> None:
    level = Level.load(name)
    table = with_seeds(playtest([level], ["random"], attempts=4, seed=1).table)
    for row in table.iter_rows(named=True):
        game, legal, longest = replay(level, row)
        outcome = game.outcome
        assert outcome is not None
        told = {name: row[name] for name in outcome.__dataclass_fields__}
        assert told == {name: getattr(outcome, name) for name in told}
        assert json.loads(row["goals"]) == {goal.name: goal.done for goal in game.goals}
        assert row["legal_moves"] == sum(legal) / len(legal)
        assert row["longest_cascade"] == longest
        assert row["shuffles"] == game.shuffles
        made = [row["striped"], row["wrapped"], row["color_bomb"]]
        assert made == [game.counts[kind] for kind in ("striped", "wrapped", "color bomb")]
        check_left(game, row)


def check_left(game: Game, row: dict[str, Any]) -> None:
    kinds = {
        "left_jelly": lambda cell: cell.jelly > 0,
        "left_blocker": lambda cell: cell.blocker is not None,
        "left_ingredient": lambda cell: cell.piece in ("cherry", "hazelnut"),
    }
    for column, is_left in kinds.items():
        if row["won"]:
            assert row[column] is None
        else:
            assert np.flatnonzero(unpack_cells([row[column]])[0]).tolist() == left(game, is_left)


def test_the_levels_above_have_wins_and_losses() -> None:
    """Or the test above would say little."""
    table = playtest(LEVELS, ["random"], attempts=4, seed=1).table
    assert 0 < table["won"].sum() < table.height
    assert table["time_left"].drop_nulls().len() == table["moves_left"].null_count() > 0


def test_stars_are_earned_by_the_winner() -> None:
    level = Level.load("01-first-steps")
    raw = parse_agent("random").attempts(level, np.arange(400, dtype=np.uint64).reshape(-1, 2))
    rows = attempt_rows(level, 0, raw)
    assert level.stars is not None
    expected = [
        sum(score >= star for star in level.stars) if won else 0
        for score, won in rows.select("score", "won").iter_rows()
    ]
    assert rows["stars"].to_list() == expected
    assert set(expected) > {0}


def test_a_star_is_earned_by_its_very_score() -> None:
    level = small_level(stars=[1000, 2000, 3000])
    scores = (1000, 1999, 2000, 3000)
    rows = attempt_rows(level, 0, rows_of(*(won(level, score=score) for score in scores)))
    assert rows["stars"].to_list() == [1, 1, 2, 3]
    assert attempt_rows(level, 0, rows_of(lost(level, score=3000)))["stars"].to_list() == [0]


def test_a_board_that_cannot_be_dealt_makes_a_row_too() -> None:
    """Two colors in a checkerboard's gaps leave no move: lost before the first one."""
    raw = np.zeros(1, parse_agent("random").attempts(Level.load("01-first-steps"), np.zeros((1, 2))).dtype)
    raw["status"], raw["reason"] = 2, 5
    row = attempt_rows(Level.load("01-first-steps"), 7, raw).row(0, named=True)
    assert (row["attempt"], row["won"], row["reason"]) == (7, False, "no move possible")
    assert row["legal_moves"] is None


def test_types_are_the_schemas_even_of_no_attempts() -> None:
    level = Level.load("01-first-steps")
    raw = parse_agent("random").attempts(level, np.zeros((0, 2), np.uint64))
    assert attempt_rows(level, 0, raw).schema == pl.Schema(ROW_SCHEMA)
    assert playtest([level], ["random"], attempts=1).table.schema == pl.Schema(TABLE_SCHEMA)


def test_cells_are_packed_and_unpacked() -> None:
    boards = np.zeros((2, CELLS), np.int8)
    boards[0, [0, 9, 143]] = [1, 2, 1]
    packed = pack_cells(boards)
    assert packed[0][:2] == bytes([0b1000_0000, 0b0100_0000])
    assert len(packed[0]) == CELLS // 8
    assert np.array_equal(unpack_cells(packed), boards > 0)
    assert unpack_cells([]).shape == (0, CELLS)


def test_seeds_are_told_of_tables_with_holes_and_several_keys() -> None:
    table = playtest(["01-first-steps", "03-open-field"], ["random"], attempts=6, seed=2).table
    whole = with_seeds(table)
    assert with_seeds(table[[9, 7, 2, 4]]).equals(whole[[9, 7, 2, 4]])
    assert with_seeds(table[:0]).height == 0


def test_seeds_are_those_of_the_rules_that_were_played_by() -> None:
    table = playtest(["01-first-steps"], ["random"], attempts=3, seed=2).table
    level = Level.load("01-first-steps").digest
    for rules in (1, RULES_VERSION):
        seeds = with_seeds(table.with_columns(rules=pl.lit(rules, pl.Int32))).select(
            "game_seed", "agent_seed"
        )
        assert seeds.rows() == list(map(tuple, attempt_seeds(level, "random", 2, 0, 3, rules).tolist()))
