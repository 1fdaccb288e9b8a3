"""Foreign people's data, in small: files as the import takes them, and weak players who leave."""

from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import polars as pl
import pytest

from levelsense.errors import StoppedError
from levelsense.people.records import read_records
from levelsense.people.simulated.kinds import KIND_OF
from levelsense.people.simulated.run import visit
from levelsense.studies import foreign_people
from levelsense.studies.foreign_kinds import FOREIGN
from levelsense.studies.foreign_people import (
    POPULATIONS,
    draw_foreign,
    drawn_levels,
    play_foreign,
    results,
    run,
    summary,
)
from levelsense.studies.registry import run_study
from levelsense.studies.run import StudyRun

LEVELS = drawn_levels()[3:9]


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


def test_it_writes_files_that_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_people, "drawn_levels", lambda: LEVELS[:1])
    asked = partial(run, tmp_path, count=3, seed=4, players=6, only=("rower", "mixed"))
    paths = asked()
    assert [path.name for path in paths] == [
        "rower.csv",
        "rower-drift.csv",
        "bundled-rower.csv",
        "mixed.csv",
        "mixed-drift.csv",
        "bundled-mixed.csv",
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


def test_the_study_goes_on_where_it_was_and_writes_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_people, "drawn_levels", lambda: LEVELS[:1])
    monkeypatch.setattr(foreign_people, "EXTENT", {True: (2, 5)})
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
        ("simulating rower,", 1, 2),
    ]
    assert (tmp_path / "dev" / "scanner.csv").exists()
    assert not (tmp_path / "sealed").exists()
    heard.clear()
    page = run_study("foreign-people", StudyRun(tmp_path, quick=True, threads=1, progress=hear))
    assert [doing for doing, _, _ in heard] == ["simulating rower,"] * 2
    text = page.read_text()
    assert "`levelsense generate --count 2 --seed 21`" in " ".join(text.split())
    assert [line.split(" | ")[0] for line in text.splitlines() if "/" in line and "|" in line] == [
        "| dev/scanner",
        "| sealed/rower",
    ]
    table = pl.read_csv(tmp_path / "sealed" / "rower.csv")
    assert (table["level"].n_unique(), table["player"].n_unique()) == (2, 5)
