"""A row tells what happened: each is checked against the attempt, played again move by move."""

import json
from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.errors import PlaytestError
from levelsense.game.game import Game
from levelsense.game.state import CELLS, RULES_VERSION, STRIDE
from levelsense.level.level import Level
from levelsense.playtest import playtest
from levelsense.playtest.attempts import ROW_SCHEMA, Attempts, pack_cells, unpack_cells
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.result import SUMMARY_SCHEMA, TABLE_SCHEMA, with_seeds
from levelsense.rng import below, new_rng
from tests.playtest.drawn_attempts import attempts_at, lost, small_level, won
from tests.playtest.players import CoinPlayer

# Moves and seconds, jelly and ingredients and orders, blockers that stay, bombs, stars, a bonus.
LEVELS = ("05-cherry-picking", "11-beat-the-clock", "20-short-fuses", "30-grand-tour", "45-last-stand")


def replay(level: Level, row: dict[str, Any]) -> tuple[Game, list[int], int, list[float]]:
    """The attempt of a row by the random agent, with what the game itself does not tell.

    These are the numbers of legal moves, the longest cascade and the time left before each move.
    """
    game, choice = Game(level, row["game_seed"]), new_rng(row["agent_seed"])
    legal: list[int] = []
    times: list[float] = []
    longest = 0
    while game.status == "playing":
        moves = game.legal_moves
        legal.append(len(moves))
        times.append(game.time_left or 0.0)
        turn = game.play(moves[below(choice, len(moves))])
        longest = max([longest, len(turn.rounds), *map(len, turn.bonus)])
    return game, legal, longest, times


def left(game: Game, is_left: Any) -> list[int]:
    """The kernels' numbers of cells that something is left on."""
    columns = game.level.columns
    return [k // columns * STRIDE + k % columns for k, cell in enumerate(game.cells) if is_left(cell)]


@pytest.mark.parametrize("name", LEVELS)
def test_rows_tell_what_happened(name: str) -> None:
    level = Level.load(name)
    table = with_seeds(playtest([level], ["random"], attempts=4, seed=1).attempts)
    for row in table.iter_rows(named=True):
        game, legal, longest, times = replay(level, row)
        outcome = game.outcome
        assert outcome is not None
        stored = {name: row[name] for name in outcome.__dataclass_fields__}
        assert stored == {name: getattr(outcome, name) for name in stored}
        assert json.loads(row["goals"]) == {goal.name: goal.done for goal in game.goals}
        assert row["legal_moves"] == sum(legal) / len(legal)
        assert row["longest_cascade"] == longest
        assert row["least_time"] == (None if level.seconds is None else min(times))
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
    table = playtest(LEVELS, ["random"], attempts=4, seed=1).attempts
    assert 0 < table["won"].sum() < table.height
    assert table["time_left"].drop_nulls().len() == table["moves_left"].null_count() > 0


def test_stars_are_earned_by_the_winner() -> None:
    level = Level.load("01-first-steps")
    records = parse_agent("random").attempts(level, np.arange(400, dtype=np.uint64).reshape(-1, 2))
    rows = Attempts.from_records(level, 0, records).frame
    assert level.stars is not None
    expected = [
        sum(score >= star for star in level.stars) if won else 0
        for score, won in rows.select("score", "won").iter_rows()
    ]
    assert rows["stars"].to_list() == expected
    assert set(expected) > {0}


def test_legal_moves_are_counted_from_their_mean_without_loss() -> None:
    """61 in 7 positions: the mean times 7 is a little less than 61."""
    level = small_level()
    attempts = attempts_at(level, won(level, moves_made=7, legal_moves=61), lost(level))
    assert 61 / 7 * 7 < 61
    assert attempts.legal_moves.tolist() == [61, 0]


def test_a_star_is_earned_by_its_very_score() -> None:
    level = small_level(stars=[1000, 2000, 3000])
    scores = (1000, 1999, 2000, 3000)
    attempts = attempts_at(level, *(won(level, score=score) for score in scores))
    assert attempts.frame["stars"].to_list() == [1, 1, 2, 3]
    assert attempts_at(level, lost(level, score=3000)).frame["stars"].to_list() == [0]


def test_a_board_that_cannot_be_dealt_makes_a_row_too() -> None:
    """Two colors in a checkerboard's gaps leave no move: lost before the first one."""
    records = np.zeros(
        1, parse_agent("random").attempts(Level.load("01-first-steps"), np.zeros((1, 2))).dtype
    )
    records["status"], records["reason"] = 2, 5
    row = Attempts.from_records(Level.load("01-first-steps"), 7, records).frame.row(0, named=True)
    assert (row["attempt"], row["won"], row["reason"]) == (7, False, "no move possible")
    assert row["legal_moves"] is None


def test_types_are_the_schemas_even_of_no_attempts() -> None:
    level = Level.load("01-first-steps")
    records = parse_agent("random").attempts(level, np.zeros((0, 2), np.uint64))
    assert Attempts.from_records(level, 0, records).frame.schema == pl.Schema(ROW_SCHEMA)
    assert playtest([level], ["random"], attempts=1).attempts.schema == pl.Schema(TABLE_SCHEMA)


def test_cells_are_packed_and_unpacked() -> None:
    boards = np.zeros((2, CELLS), np.int8)
    boards[0, [0, 9, 143]] = [1, 2, 1]
    packed = pack_cells(boards)
    assert packed[0][:2] == bytes([0b1000_0000, 0b0100_0000])
    assert len(packed[0]) == CELLS // 8
    assert np.array_equal(unpack_cells(packed), boards > 0)
    assert unpack_cells([]).shape == (0, CELLS)


def test_seeds_are_told_of_tables_with_holes_and_several_keys() -> None:
    table = playtest(["01-first-steps", "03-open-field"], ["random"], attempts=6, seed=2).attempts
    whole = with_seeds(table)
    assert with_seeds(table[[9, 7, 2, 4]]).equals(whole[[9, 7, 2, 4]])
    assert with_seeds(table[:0]).height == 0


def test_a_table_of_another_kind_is_refused() -> None:
    level = Level.load("01-first-steps")
    frame = playtest([level], ["random"], attempts=2).attempts
    assert len(Attempts.from_frame(level, frame)) == 2
    with pytest.raises(PlaytestError, match="column 'score' is missing; expected Int64"):
        Attempts.from_frame(level, frame.drop("score"))
    with pytest.raises(PlaytestError, match="column 'won' is Int8; expected Boolean"):
        Attempts.from_frame(level, frame.with_columns(pl.col("won").cast(pl.Int8)))


# Results


def test_a_summary_has_a_row_a_level_and_agent() -> None:
    result = playtest(["01-first-steps", "03-open-field"], ["random", "first"], attempts=6, seed=2)
    summary = result.summary
    assert summary.schema == pl.Schema(SUMMARY_SCHEMA)
    assert summary.select("name", "agent", "seed", "attempts", "finished").rows() == [
        ("01-first-steps", "random", 2, 6, True),
        ("01-first-steps", "first", 2, 6, True),
        ("03-open-field", "random", 2, 6, True),
        ("03-open-field", "first", 2, 6, True),
    ]
    counted = result.attempts.group_by("name", "level", "agent", maintain_order=True).agg(pl.col("won").sum())
    assert summary.select("name", "level", "agent", "wins").rows() == counted.rows()
    assert summary.select("rate", "low", "high").row(0) == (
        result.pairs[0].success_rate,
        *result.pairs[0].interval,
    )


def test_results_are_shown_in_short() -> None:
    result = playtest(["01-first-steps"], [CoinPlayer(1.0)], attempts=6)
    assert repr(result) == "PlaytestResult(levels=1, agents=1, attempts=6, wins=6, interrupted=False)"
    assert repr(result.pairs[0].played) == "Attempts(level='First steps', attempts=6, wins=6)"
    assert "<td>&quot;01-first-steps&quot;</td>" in result._repr_html_()
    assert "<td>&quot;goals met&quot;</td>" in result.pairs[0].played._repr_html_()


def test_seeds_are_those_of_the_rules_that_were_played_by() -> None:
    table = playtest(["01-first-steps"], ["random"], attempts=3, seed=2).attempts
    level = Level.load("01-first-steps").digest
    for rules in (1, RULES_VERSION):
        seeds = with_seeds(table.with_columns(rules=pl.lit(rules, pl.Int32))).select(
            "game_seed", "agent_seed"
        )
        assert seeds.rows() == list(map(tuple, attempt_seeds(level, "random", 2, 0, 3, rules).tolist()))
