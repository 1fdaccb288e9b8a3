"""Files of moves: what simulated players write is read back, and nothing else is taken for it."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from levelsense.errors import PlayersError
from levelsense.game.state import RULES_VERSION
from levelsense.lab import Lab
from levelsense.level.level import Level
from levelsense.people.move_form import FORM_VERSION, MOVE_SCHEMA, move_metadata
from levelsense.people.moves import MoveLog, read_moves
from levelsense.people.simulated.run import PLAYERS_VERSION
from levelsense.people.simulated.traits import draw_population

NAMES = ("04-jelly-garden", "24-hourglass", "11-beat-the-clock")
PLAYERS = 12


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("moves") / "moves.parquet"
    Lab().simulate(NAMES, PLAYERS, seed=5, telemetry=path)
    return path


@pytest.fixture(scope="module")
def table(file: Path) -> pl.DataFrame:
    return pl.read_parquet(file)


@pytest.fixture(scope="module")
def log(file: Path) -> MoveLog:
    return read_moves(file)


def written(folder: Path, table: pl.DataFrame, metadata: dict[str, str] | None = None) -> Path:
    path = folder / "other.parquet"
    table.write_parquet(path, metadata=move_metadata(PLAYERS_VERSION) if metadata is None else metadata)
    return path


def complaint(folder: Path, table: pl.DataFrame, metadata: dict[str, str] | None = None) -> str:
    """What is said of a file, without its path."""
    path = written(folder, table, metadata)
    with pytest.raises(PlayersError) as caught:
        read_moves(path)
    assert all(problem.startswith(f"{path}: ") for problem in caught.value.problems)
    return str(caught.value).replace(f"{path}: ", "")


def test_a_file_says_what_it_was_made_from(file: Path, table: pl.DataFrame, log: MoveLog) -> None:
    assert table.schema == MOVE_SCHEMA
    metadata = pl.read_parquet_metadata(file)
    assert {key: text for key, text in metadata.items() if key.startswith("levelsense")} == {
        "levelsense.moves": str(FORM_VERSION),
        "levelsense.rules": str(RULES_VERSION),
        "levelsense.players": str(PLAYERS_VERSION),
    }
    assert log.players_version == PLAYERS_VERSION
    assert len(log) == table.height


def test_levels_come_in_the_order_given_with_all_their_attempts(table: pl.DataFrame, log: MoveLog) -> None:
    order = ("11-beat-the-clock", "24-hourglass", "01-first-steps", "04-jelly-garden")
    given = [(level.digest, moves) for level, moves in log.levels(order)]
    assert [digest for digest, _ in given] == [
        Level.load(name).digest for name in order if name != "01-first-steps"
    ]
    types = draw_population(PLAYERS, 5).types
    for digest, moves in given:
        rows = table.filter(pl.col("digest") == digest)
        assert moves.codes.tolist() == rows["move"].to_list()
        attempts = rows.filter(pl.col("turn") == 0)
        assert moves.seeds.tolist() == attempts["game_seed"].to_list()
        assert moves.player.tolist() == attempts["player"].to_list()
        assert moves.attempt.tolist() == attempts["attempt"].to_list()
        assert moves.type.tolist() == [types[player] for player in moves.player]
        assert np.diff(moves.offsets).tolist() == [
            part.height for part in rows.partition_by("player", "attempt", maintain_order=True)
        ]


@pytest.mark.parametrize("at_once", [1, 100, 50_000])
def test_positions_are_the_same_however_many_at_once(log: MoveLog, at_once: int) -> None:
    levels = [Level.load(name) for name in NAMES]
    whole = {moves.named.name: moves.positions() for _, moves in log.levels(levels)}
    parts: dict[str, list[Any]] = {}
    for positions in log.positions(levels, at_once):
        assert positions.turn[0] == 0
        attempts = len(np.flatnonzero(positions.turn == 0))
        assert len(positions) <= at_once or attempts == 1
        parts.setdefault(positions.level.name, []).append(positions)
    assert parts.keys() == whole.keys()
    for name, positions in whole.items():
        for field in ("states", "codes", "player", "type", "attempt", "turn"):
            joined = np.concatenate([getattr(part, field) for part in parts[name]])
            assert np.array_equal(joined, getattr(positions, field))


def test_positions_tell_who_made_which_move_among_which(log: MoveLog) -> None:
    for positions in log.positions(NAMES):
        assert positions.turn.tolist() == positions.states["moves_made"].tolist()
        assert set(positions.player) == {f"sim-{player}" for player in range(PLAYERS)}
        codes, offsets = positions.legal
        assert len(offsets) == len(positions) + 1
        for number, code in enumerate(positions.codes):
            assert code in codes[offsets[number] : offsets[number + 1]]
        assert positions.record.rows == positions.level.rows


def test_rows_may_come_in_any_order(tmp_path: Path, table: pl.DataFrame, log: MoveLog) -> None:
    shuffled = read_moves(written(tmp_path, table.sample(fraction=1, shuffle=True, seed=1)))
    for (_, here), (_, there) in zip(log.levels(NAMES), shuffled.levels(NAMES), strict=True):
        assert here.seeds.tolist() == there.seeds.tolist()
        assert here.codes.tolist() == there.codes.tolist()


def test_levels_that_are_not_given_are_counted(file: Path, table: pl.DataFrame, log: MoveLog) -> None:
    level = Level.load("24-hourglass")
    changed = level.model_copy(update={"moves": (level.moves or 0) + 1})
    missing = table.filter(pl.col("level") != "04-jelly-garden").height
    with pytest.raises(PlayersError) as caught:
        list(log.levels(["04-jelly-garden", changed]))
    assert str(caught.value) == (
        f"{file}: 2 of 3 levels, with {missing:,} of {table.height:,} moves, are not among the levels given: "
        "24-hourglass, 11-beat-the-clock; expected their level files among `levels`"
    )


def test_other_rules_are_refused(tmp_path: Path, table: pl.DataFrame) -> None:
    today = move_metadata(PLAYERS_VERSION)
    again = "make it again by `levelsense players simulate --telemetry`"
    assert complaint(tmp_path, table, today | {"levelsense.rules": "1"}) == (
        f"version 1 of the rules; expected {RULES_VERSION}: {again}"
    )
    assert complaint(tmp_path, table, today | {"levelsense.moves": "7"}) == (
        f"version 7 of the form of moves; expected {FORM_VERSION}: {again}"
    )
    del today["levelsense.rules"]
    assert (
        complaint(tmp_path, table, today) == f"version none of the rules; expected {RULES_VERSION}: {again}"
    )
    assert complaint(tmp_path, table, move_metadata(1) | {"levelsense.players": "x"}) == (
        "version 'x' of the simulated players; expected a number"
    )


def test_moves_of_older_simulated_players_are_read(tmp_path: Path, table: pl.DataFrame) -> None:
    assert read_moves(written(tmp_path, table, move_metadata(1))).players_version == 1


def test_a_file_of_before_there_were_versions(tmp_path: Path, table: pl.DataFrame) -> None:
    old = table.drop("type").with_columns(move=pl.lit("c4d4"))
    assert complaint(tmp_path, old, {}) == (
        "moves without a version of their form; make it again by `levelsense players simulate --telemetry`"
    )


def test_csv_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "moves.csv"
    Lab().simulate(["01-first-steps"], 2, telemetry=path)
    assert pl.read_csv(path, schema=MOVE_SCHEMA).height > 0
    with pytest.raises(PlayersError, match=r"moves\.csv: moves as CSV, .*; expected a Parquet file"):
        read_moves(path)


def test_columns_that_are_missing_or_of_another_type(tmp_path: Path, table: pl.DataFrame) -> None:
    wrong = table.drop("turn").with_columns(pl.col("move").cast(pl.String))
    assert complaint(tmp_path, wrong).split("\n") == [
        "no column turn; there is level, digest, cohort, player, type, attempt, game_seed, move",
        "column move: values of type String; expected Int16",
    ]


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("move", 576, "row 5: move: 576; expected a number from 0 to 575"),
        ("move", -1, "row 5: move: -1; expected a number from 0 to 575"),
        ("turn", -1, "row 5: turn: -1; expected a number from 0 to 2147483647"),
        ("player", None, "row 5: player: nothing; expected a value"),
        ("digest", None, "row 5: digest: nothing; expected a value"),
        (
            "turn",
            1,
            "row 5: player 1, attempt 0: turn 1; expected 2, the turns of an attempt from 0 on, each once",
        ),
        (
            "turn",
            99,
            "row 6: player 1, attempt 0: turn 3; expected 2, the turns of an attempt from 0 on, each once",
        ),
        (
            "game_seed",
            1,
            "row 5: player 1, attempt 0: game_seed 1, another than before; "
            "expected one game_seed in an attempt",
        ),
        (
            "type",
            "x",
            "row 5: player 1, attempt 0: type x, another than before; expected one type in an attempt",
        ),
    ],
)
def test_values_that_are_wrong(
    tmp_path: Path, table: pl.DataFrame, column: str, value: Any, sentence: str
) -> None:
    wrong = pl.when(pl.int_range(pl.len()) == 4).then(pl.lit(value, MOVE_SCHEMA[column])).otherwise(column)
    changed = table.with_columns(wrong.alias(column))
    if value is None and column != "digest":
        sentence = sentence.replace("a value", "a number from 0 to 2147483647")
    assert complaint(tmp_path, changed) == sentence


def test_a_move_that_is_not_legal_is_named_by_its_row(tmp_path: Path, table: pl.DataFrame) -> None:
    rows = table.with_row_index("row")
    row, player, attempt = (
        rows.filter(pl.col("level") == NAMES[1], pl.col("turn") == 3)
        .select("row", "player", "attempt")
        .row(4)
    )
    other = pl.when(pl.int_range(pl.len()) == row).then(pl.lit(287, pl.Int16)).otherwise("move")
    log = read_moves(written(tmp_path, table.with_columns(move=other)))
    with pytest.raises(PlayersError) as caught:
        list(log.positions(NAMES))
    assert str(caught.value) == (
        f"{log.path}: row {row + 1}: level {NAMES[1]}, player {player}, attempt {attempt}, turn 3: "
        "move 287 (l12l13) is not legal there; expected the moves of an attempt at this level with this seed"
    )


def test_files_that_cannot_be_read(tmp_path: Path, table: pl.DataFrame) -> None:
    with pytest.raises(PlayersError, match=r"none\.parquet: cannot be read: No such file"):
        read_moves(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("level,move\n")
    with pytest.raises(PlayersError, match=r"text\.parquet: cannot be read: "):
        read_moves(tmp_path / "text.parquet")
    assert complaint(tmp_path, table.clear()) == "no rows"
