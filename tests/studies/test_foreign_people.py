"""Foreign people's data, in small: files as the import takes them, and weak players who leave."""

from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from levelsense.agents.attempt import AttemptRecords
from levelsense.errors import StoppedError
from levelsense.game.state import Array
from levelsense.level.level import Level
from levelsense.people.records import read_records
from levelsense.people.simulated.kinds import KIND_OF, Kind
from levelsense.people.simulated.leaving import Presence, visits_of_present
from levelsense.people.simulated.run import visit, visits
from levelsense.playtest import gather_levels
from levelsense.studies import foreign_people
from levelsense.studies.foreign_kinds import FOREIGN
from levelsense.studies.foreign_people import (
    POPULATIONS,
    draw_foreign,
    drawn_levels,
    play_foreign,
    players_at_first,
    results,
    results_of_present,
    run,
    summary,
    summary_of_many,
)
from levelsense.studies.registry import run_study
from levelsense.studies.run import StudyRun

LEVELS = drawn_levels()[3:9]
# Where many give up.
HARD = gather_levels(
    ["24-hourglass", "28-crossed-wires", "42-chocolate-cellar", "43-no-time", "45-last-stand"]
)


def test_at_least_seven_kinds_and_none_of_ours() -> None:
    assert len(FOREIGN) >= 7
    assert not set(FOREIGN) & set(KIND_OF)
    judged = [{kind for shares in part.values() for kind in shares} for part in POPULATIONS.values()]
    alone = [{name for name, shares in part.items() if len(shares) == 1} for part in POPULATIONS.values()]
    assert not alone[0] & alone[1]
    assert judged[0] | judged[1] == set(FOREIGN)


def test_drawn_levels_have_no_blocker_that_no_saga_has() -> None:
    names = {named.name for named in drawn_levels()}
    assert len(names) == 48
    assert names.isdisjoint({"46-movie-night", "47-sticky-fingers", "48-bittersweet"})


@pytest.mark.parametrize("kind", FOREIGN)
def test_players_play_alike_in_a_larger_population(kind: str) -> None:
    few, more = (draw_foreign(kind, {kind: 1.0}, players, 3) for players in (4, 9))
    assert np.array_equal(few.traits, more.traits[:4])
    rows, more_rows = (visit(population, LEVELS[0], play_foreign) for population in (few, more))
    assert np.array_equal(rows.rows["score"], more_rows.rows["score"][more_rows.player < 4])
    assert len(np.unique(rows.rows["score"])) > 1


def test_who_leaves_plays_no_more_and_the_others_as_before() -> None:
    population = draw_foreign("tired", {"tired": 1.0}, 40, 5, leave=1.0)
    everybody, survivors = results(LEVELS, population)
    kept = everybody.join(survivors, on=["level", "player"], how="semi").drop("cohort")
    assert kept.equals(survivors.drop("cohort"))
    assert set(survivors["cohort"]) == {"simulated foreign tired, seed 5, leaving"}
    order = [named.name for named in LEVELS]
    for player, rows in survivors.group_by("player"):
        last = rows["level"].to_list().index(rows["level"][-1])
        assert rows["level"].to_list() == order[: last + 1], player
        if last + 1 < len(order):
            assert rows["successes"][-1] == 0  # nobody leaves after a win
    assert survivors.height < everybody.height


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_who_has_left_is_not_simulated_and_nobody_else_notices(threads: int) -> None:
    shares = {"tired": 0.5, "rower": 0.3, "saver": 0.2}
    population = draw_foreign("some", shares, 40, 5, leave=1.0)
    presence = Presence(population, HARD)
    filtered = [presence.visit(visited) for visited in visits(population, HARD, 1, play_foreign)]
    asked: list[int] = []

    def play(
        kind: Kind, level: Level, seeds: Array, traits: Array
    ) -> tuple[AttemptRecords, NDArray[np.int16]]:
        asked.append(len(seeds))
        return play_foreign(kind, level, seeds, traits)

    skipped = list(visits_of_present(population, HARD, threads, play))
    for here, there in zip(filtered, skipped, strict=True):
        assert here.named == there.named
        assert here.after == there.after
        for column in ("player", "attempt", "game_seed", "rows", "moves"):
            assert np.array_equal(getattr(here, column), getattr(there, column)), column
    assert len(np.unique(skipped[-1].player)) < 20
    simulated = sum(asked)
    everything = sum(len(visited.player) for visited in visits(population, HARD, 1, play_foreign))
    kept = sum(len(visited.player) for visited in filtered)
    assert kept <= simulated < everything
    if threads == 1:
        assert simulated == kept


def test_files_of_many_hold_the_results_of_filtering() -> None:
    shares = POPULATIONS["sealed"]["mixed"]
    few, many = (draw_foreign("mixed", shares, players, 9, leave=1.0) for players in (15, 40))
    survivors = results_of_present(HARD, many, 1)
    assert survivors.drop("cohort").equals(results(HARD, many)[1].drop("cohort"))
    assert set(survivors["cohort"]) == {"simulated foreign mixed, seed 9, leaving, 40 at first"}
    # The first of them play and leave as if they were alone.
    first = survivors.filter(pl.col("player").str.strip_prefix("sim-").cast(pl.Int64) < 15)
    assert first.drop("cohort").equals(results(HARD, few)[1].drop("cohort"))
    assert first["player"].n_unique() == 15
    assert first.height < 15 * len(HARD)


def test_so_many_begin_that_as_many_are_left_as_are_to_be() -> None:
    players = [f"sim-{number}" for number in range(30)]
    survivors = pl.DataFrame({"level": ["a"] * 30 + ["b"] * 7, "player": players + players[:7]})
    assert players_at_first(survivors, 30) == 129  # 128 would leave 29.87
    assert players_at_first(survivors, 5) == 30  # no fewer than before
    assert players_at_first(survivors, 1000) == 2000


def test_it_writes_files_that_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_people, "drawn_levels", lambda: LEVELS[:1])
    asked = partial(run, tmp_path, count=3, seed=4, players=6, enough=6, only=("rower", "mixed"))
    paths = asked()
    assert [path.name for path in paths] == [
        "rower.csv",
        "rower-drift.csv",
        "bundled-rower.csv",
        "rower-drift-many.csv",
        "mixed.csv",
        "mixed-drift.csv",
        "bundled-mixed.csv",
        "mixed-drift-many.csv",
    ]
    assert {path.parent.name for path in paths} == {"sealed"}
    for path in paths:
        records = read_records(path)
        assert set(records.columns) == {"level", "player", "attempts", "successes", "moves_left", "cohort"}
        assert records.rows["player"].n_unique() == 6
    # The same numbers on every machine.
    table = pl.read_csv(paths[0])
    assert (table["attempts"].sum(), table["successes"].sum()) == (23, 17)
    assert asked() == []
    told = [line.split(" | ") for line in summary(tmp_path).splitlines()[2:]]
    assert [line[0] for line in told] == ["| sealed/mixed", "| sealed/rower"]
    assert told[1][3] == f"{23 / 18:.2f}"
    assert told[1][5] == "100.0%"


def test_more_begin_where_players_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_people, "drawn_levels", lambda: LEVELS[:1])
    asked = partial(run, tmp_path, count=5, seed=4, players=20, enough=20, leave=1.0, only=("tired",))
    *_, many = asked()
    before = {path: path.read_bytes() for path in (tmp_path / "sealed").iterdir()}
    few = pl.read_csv(tmp_path / "sealed" / "tired-drift.csv")
    table = pl.read_csv(many)
    left = [rows.filter(pl.col("level") == rows["level"][-1]).height for rows in (few, table)]
    at_first = players_at_first(few, 20)
    assert 20 < at_first == table["player"].n_unique()
    assert left[0] < 15 <= left[1]
    told = summary_of_many(tmp_path).splitlines()
    late = table.filter(pl.col("level").is_in(["saga-0004", "saga-0005"]))
    tried, won = (int(late[name].sum()) for name in ("attempts", "successes"))
    figures = f"{late.height / 2:.0f} | {tried / 2:.0f} | {won / tried:.1%}"
    assert told[2:] == [f"| sealed/tired | {at_first} | {left[1]} | {figures} |"]
    # A folder from before there were such files gets them, and nothing else is made again.
    many.unlink()
    assert asked() == [many]
    assert {path: path.read_bytes() for path in (tmp_path / "sealed").iterdir()} == before


def test_the_study_goes_on_where_it_was_and_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_people, "drawn_levels", lambda: LEVELS[:1])
    monkeypatch.setattr(foreign_people, "EXTENT", {True: (2, 5, 5)})
    monkeypatch.setattr(
        foreign_people,
        "POPULATIONS",
        {"dev": {"scanner": {"scanner": 1.0}}, "sealed": {"rower": {"rower": 1.0}}},
    )
    stop = Event()
    heard: list[tuple[str, int, int]] = []

    def hear(doing: str, done: int, total: int) -> None:
        heard.append((doing, done, total))
        if doing.startswith("simulating rower"):
            stop.set()

    with pytest.raises(StoppedError):
        run_study("foreign-people", StudyRun(tmp_path, quick=True, threads=1, progress=hear, stop=stop))
    assert heard == [
        ("simulating scanner,", 1, 2),
        ("simulating scanner,", 2, 2),
        ("simulating scanner with leavers,", 1, 2),
        ("simulating scanner with leavers,", 2, 2),
        ("simulating rower,", 1, 2),
    ]
    assert (tmp_path / "dev" / "scanner.csv").exists()
    assert not (tmp_path / "sealed").exists()
    heard.clear()
    page = run_study("foreign-people", StudyRun(tmp_path, quick=True, threads=1, progress=hear))
    assert [doing for doing, _, _ in heard] == [
        *["simulating rower,"] * 2,
        *["simulating rower with leavers,"] * 2,
    ]
    text = page.read_text()
    assert "`levelsense generate --count 2 --seed 21`" in " ".join(text.split())
    assert [line.split(" | ")[0] for line in text.splitlines() if "/" in line and "|" in line] == [
        "| dev/scanner",
        "| sealed/rower",
    ] * 2
    table = pl.read_csv(tmp_path / "sealed" / "rower.csv")
    assert (table["level"].n_unique(), table["player"].n_unique()) == (2, 5)
