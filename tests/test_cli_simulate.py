"""`players simulate` again: what is known, what is replaced, and what an interruption leaves."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest

from levelsense.level.level import Level
from levelsense.people.move_form import MOVE_SCHEMA
from levelsense.people.simulated.run import Visit, visits
from levelsense.people.simulated.simulation import ATTEMPT_SCHEMA
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel
from levelsense.store import Database, PlayerResults
from tests.test_cli import assert_complaint, run

LEVELS = ("17-pocket-board", "07-order-up", "24-hourglass", "11-beat-the-clock", "05-cherry-picking")
FEW = ("players", "simulate", *LEVELS[:3], "--players", 20)
PATIENCE_SECONDS = 120
# So many that two levels are simulated between two savings.
MANY = ("players", "simulate", *LEVELS, "04-jelly-garden", "--players", "5000", "--threads", "1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Databases and files are made in folders of their own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of levels that are simulated, as it goes on."""
    from levelsense.people.simulated import simulation as simulating

    names: list[str] = []

    def listed(population: Population, levels: Sequence[NamedLevel], threads: int | None) -> Iterator[Visit]:
        names.extend(named.name for named in levels)
        return visits(population, levels, threads)

    monkeypatch.setattr(simulating, "visits", listed)
    return names


def stored(place: str = "levelsense.db") -> pl.DataFrame:
    with Database(place) as database:
        return PlayerResults(database).read()


# What is stored already


def test_known_levels_are_not_simulated_again(simulated: list[str]) -> None:
    first = run(*FEW)
    assert (simulated, first.stderr) == (list(LEVELS[:3]), "")
    before = stored()
    simulated.clear()
    more = run("players", "simulate", *LEVELS[:4], "--players", 20)
    assert simulated == [LEVELS[3]]
    assert more.stderr == "levelsense.db: has 3 of 4 levels already\n"
    assert stored().filter(pl.col("level") != LEVELS[3]).equals(before)
    anew = run("players", "simulate", *LEVELS[:4], "--players", 20, "--db", "other.db")
    assert anew.stdout == more.stdout
    assert stored("other.db").equals(stored())


def test_files_are_made_of_all_levels(simulated: list[str], folder: Path) -> None:
    files = ("--attempts", "a.csv", "--telemetry", "m.parquet")
    first = run(*FEW, *files)
    made = [(folder / name).read_bytes() for name in ("a.csv", "m.parquet")]
    before = stored()
    simulated.clear()
    again = run(*FEW, *files)
    assert simulated == list(LEVELS[:3])
    assert (again.stdout, again.stderr) == (first.stdout, first.stderr)
    assert [(folder / name).read_bytes() for name in ("a.csv", "m.parquet")] == made
    assert stored().equals(before)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_say_that_they_are_simulated(suffix: str) -> None:
    run(*FEW, "--seed", 4, "--mix", "veterans", "--attempts", f"a.{suffix}", "--telemetry", f"m.{suffix}")
    for name, schema in {"a": ATTEMPT_SCHEMA, "m": MOVE_SCHEMA}.items():
        path = f"{name}.{suffix}"
        table = pl.read_csv(path, schema=schema) if suffix == "csv" else pl.read_parquet(path)
        assert list(table.schema) == list(schema)
        assert set(table["cohort"]) == {"simulated veterans, seed 4"}


def test_two_files_are_not_one(folder: Path) -> None:
    (folder / "link").symlink_to(folder)
    for other in ("m.csv", "./m.csv", "link/m.csv"):
        assert_complaint(
            run(*FEW, "--attempts", "m.csv", "--telemetry", other),
            "m.csv: for --attempts and for --telemetry; expected two files",
        )
    assert [path.name for path in folder.iterdir()] == ["link"]


def test_fewer_players_do_not_replace_more() -> None:
    run(*FEW)
    before = stored()
    assert_complaint(
        run("players", "simulate", LEVELS[0], "--players", 5),
        "levelsense.db: cohort 'simulated everyone, seed 0' has results of 20 players, of 17-pocket-board, "
        "and 5 would replace them; expected --players of at least 20, or another --seed or --db",
    )
    assert stored().equals(before)
    assert run("players", "simulate", LEVELS[0], "--players", 5, "--seed", 1).exit_code == 0


def test_more_players_replace_fewer_and_say_so() -> None:
    run(*FEW)
    before = stored().filter(pl.col("level") == LEVELS[0])
    result = run("players", "simulate", LEVELS[0], "--players", 30)
    assert result.exit_code == 0
    assert result.stderr == (
        "levelsense.db: results of fewer players, or of another version of a level, of the rules or of the "
        "players, are replaced in cohort "
        "'simulated everyone, seed 0': 17-pocket-board\n"
    )
    after = stored().filter(pl.col("level") == LEVELS[0])
    assert after.height == 30
    # The first players are the same.
    assert after.join(before, on="player", how="semi").drop("source").equals(before.drop("source"))


def test_a_changed_level_is_simulated_again_and_that_is_said(folder: Path, simulated: list[str]) -> None:
    level = Level.load("24-hourglass")
    level.save(folder / "mine.json")
    run("players", "simulate", "mine.json", "--players", 20)
    level.model_copy(update={"moves": 6}).save(folder / "mine.json")
    result = run("players", "simulate", "mine.json", "--players", 10)
    assert (
        "or of another version of a level, of the rules or of the players, are replaced in cohort"
        in result.stderr
    )
    assert (simulated, stored().height) == (["mine", "mine"], 10)


def test_people_under_such_a_cohort_are_not_lost(folder: Path) -> None:
    (folder / "x.csv").write_text(f"level,tries,wins\n{LEVELS[0]},3,1\n")
    run("players", "import", "x.csv", "--cohort", "simulated everyone, seed 0")
    assert_complaint(run(*FEW), "has results that were not simulated, of 17-pocket-board; expected another")
    assert stored().height == 1


# Interruptions


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "levelsense", *words]
    patient = {**os.environ, "LEVELSENSE_STOP_SECONDS": str(PATIENCE_SECONDS)}  # on a busy machine
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=patient)


def interrupted_after_some(*words: str) -> tuple[str, list[str]]:
    """Sends Ctrl-C after the first saving; what is said on stderr, and the levels that are stored."""
    with start(*MANY, *words) as process:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while process.poll() is None and not (Path("x.db").exists() and stored("x.db").height):
                assert time.monotonic() < deadline, "it stores nothing"
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
    assert process.returncode == 130
    there = set(stored("x.db")["level"])
    names = [name for name in MANY[2:8] if name in there]
    assert 0 < len(names) < 6
    return said, names


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what nobody interrupted."""
    place = tmp_path_factory.mktemp("whole")
    files = ("--attempts", place / "a.csv", "--telemetry", place / "m.parquet")
    result = run(*MANY, "--db", place / "x.db", *files, "--json")
    (place / "told.json").write_text(result.stdout)
    return place


def test_ctrl_c_keeps_whole_levels_in_files_and_the_same_command_makes_them_all(whole: Path) -> None:
    files = ("--db", "x.db", "--attempts", "a.csv", "--telemetry", "m.parquet", "--json")
    said, names = interrupted_after_some(*files)
    assert said == (
        f"interrupted: {len(names)} of 6 levels are kept in x.db and in a.csv and m.parquet; "
        "the same command makes files anew, from the first level\n"
    )
    assert sorted(path.name for path in Path().iterdir()) == ["a.csv", "m.parquet", "x.db"]
    for name, read in {"a.csv": pl.read_csv, "m.parquet": pl.read_parquet}.items():
        records, expected = read(name), read(whole / name)  # type: ignore[operator]
        assert records.equals(expected.filter(pl.col("level").is_in(names)))
    expected = stored(str(whole / "x.db"))
    assert stored("x.db").equals(expected.filter(pl.col("level").is_in(names)))
    again = run(*MANY, *files)
    assert json.loads(again.stdout) == json.loads((whole / "told.json").read_text())
    assert Path("a.csv").read_bytes() == (whole / "a.csv").read_bytes()
    assert Path("m.parquet").read_bytes() == (whole / "m.parquet").read_bytes()
    assert stored("x.db").equals(expected)


def test_ctrl_c_without_files_and_the_same_command_goes_on(whole: Path, simulated: list[str]) -> None:
    said, names = interrupted_after_some("--db", "x.db")
    assert (
        said
        == f"interrupted: {len(names)} of 6 levels are kept in x.db; the same command goes on from there\n"
    )
    again = run(*MANY, "--db", "x.db", "--json")
    assert simulated == [name for name in MANY[2:8] if name not in names]
    assert json.loads(again.stdout) == json.loads((whole / "told.json").read_text())
    assert stored("x.db").equals(stored(str(whole / "x.db")))


@pytest.fixture
def ctrl_c(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ctrl-C while the second of levels is simulated, which are saved one by one."""
    from levelsense.people.simulated import simulation as simulating

    names: list[str] = []

    def interrupting(
        population: Population, levels: Sequence[NamedLevel], threads: int | None
    ) -> Iterator[Visit]:
        names.extend(named.name for named in levels)
        if len(names) == 2:
            signal.raise_signal(signal.SIGINT)
        return visits(population, levels, threads)

    monkeypatch.setattr(simulating, "visits", interrupting)
    monkeypatch.setattr(simulating, "LEVELS_AT_ONCE", 1)
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_keeps_the_levels_that_were_finished_since_the_last_saving(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from levelsense.people.simulated import simulation as simulating

    def interrupting(
        population: Population, levels: Sequence[NamedLevel], threads: int | None
    ) -> Iterator[Visit]:
        for number, visit in enumerate(visits(population, levels, threads), 1):
            if number == 2:
                signal.raise_signal(signal.SIGINT)
            yield visit

    monkeypatch.setattr(simulating, "visits", interrupting)
    before = signal.getsignal(signal.SIGINT)
    try:
        result = run(*FEW, "--threads", 1, "--attempts", "a.csv")
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130
    assert result.stderr.startswith("interrupted: 2 of 3 levels are kept in levelsense.db and in a.csv; ")
    assert set(stored()["level"]) == set(LEVELS[:2]) == set(pl.read_csv("a.csv")["level"])


def test_ctrl_c_leaves_files_that_were_there(folder: Path, request: pytest.FixtureRequest) -> None:
    files = ("--threads", 1, "--attempts", "a.csv", "--telemetry", "m.parquet")
    run(*FEW, *files)
    made, before = [(folder / name).read_bytes() for name in ("a.csv", "m.parquet")], stored()
    request.getfixturevalue("ctrl_c")
    again = run(*FEW, *files)
    assert again.exit_code == 130
    assert again.stderr == (
        "interrupted: 3 of 3 levels are kept in levelsense.db and 2 of them in a.csv.part and "
        "m.parquet.part; a.csv and m.parquet not replaced; "
        "the same command makes files anew, from the first level\n"
    )
    assert [(folder / name).read_bytes() for name in ("a.csv", "m.parquet")] == made
    assert stored().equals(before)
    first = pl.col("level").is_in(LEVELS[:2])
    rows = pl.read_csv((folder / "a.csv.part").read_bytes())
    assert rows.equals(pl.read_csv("a.csv").filter(first))
    moves = pl.read_parquet((folder / "m.parquet.part").read_bytes())
    assert moves.equals(pl.read_parquet("m.parquet").filter(first))


def test_ctrl_c_with_one_file_that_was_there(folder: Path, ctrl_c: None) -> None:
    (folder / "a.csv").write_text("mine")
    result = run(*FEW, "--threads", 1, "--attempts", "a.csv", "--telemetry", "m.csv")
    assert result.stderr == (
        "interrupted: 2 of 3 levels are kept in levelsense.db and in a.csv.part and m.csv; "
        "a.csv not replaced; the same command makes files anew, from the first level\n"
    )
    assert (folder / "a.csv").read_text() == "mine"
    assert set(pl.read_csv("m.csv")["level"]) == set(LEVELS[:2])


def test_ctrl_c_counts_what_was_known(request: pytest.FixtureRequest) -> None:
    run("players", "simulate", LEVELS[3], "--players", 20)
    request.getfixturevalue("ctrl_c")
    result = run("players", "simulate", *LEVELS[:4], "--players", 20, "--threads", 1)
    assert result.stderr.splitlines()[-1] == (
        "interrupted: 3 of 4 levels are kept in levelsense.db; the same command goes on from there"
    )
    assert set(stored()["level"]) == {*LEVELS[:2], LEVELS[3]}


# What other commands say of it


def test_fit_tells_which_levels_were_changed_since(folder: Path) -> None:
    names = ("04-jelly-garden", "07-order-up", "24-hourglass", "17-pocket-board")
    saga = folder / "saga"
    saga.mkdir()
    for name in names:
        Level.load(name).save(saga / f"{name}.json")
    run("players", "simulate", "saga", "--players", 20)
    fit = ("fit", "saga", "--agent", "random@20")
    assert "are not of today" not in run(*fit).stderr
    for name in names[:2]:
        level = Level.load(name)
        level.model_copy(update={"moves": (level.moves or 0) + 1}).save(saga / f"{name}.json")
    assert run(*fit).stderr.splitlines()[0] == (
        "simulated results of 2 levels are not of today's level, rules or simulated players: "
        "04-jelly-garden, 07-order-up; "
        "`levelsense players simulate` makes results of today's"
    )
    run("players", "simulate", "saga", "--players", 20)
    assert "are not of today" not in run(*fit).stderr


def test_help_says_what_threads_do() -> None:
    printed = " ".join(run("players", "simulate", "--help").stdout.replace("│", " ").split())
    assert "How many levels are played at once" in printed
    assert "attempts are played at once" not in printed
