"""The 800/200 study, in small: it runs to its tables, and goes on where it was."""

from pathlib import Path

import polars as pl
import pytest

from levelsense import defaults
from levelsense.playtest import gather_levels
from levelsense.prediction.model import default_model
from levelsense.prediction.table import parse_counted, play_table
from levelsense.store import Database, PlayerResults, results
from levelsense.studies import saga_prediction
from levelsense.studies.run import StudyRun
from levelsense.studies.saga_prediction import PARTS, POPULATIONS, SEARCH, join, study
from tests.prediction.attempts_due import assert_all_due

BUNDLED = ("04-jelly-garden", "24-hourglass", "30-grand-tour")


@pytest.fixture(autouse=True)
def little_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saga_prediction, "PLAYERS", 30)
    monkeypatch.setattr(saga_prediction, "bundled_levels", lambda: BUNDLED)
    monkeypatch.setattr(saga_prediction, "FEWER", (3, 4, 7))
    monkeypatch.setattr(saga_prediction, "NEXT", 4)
    monkeypatch.setattr(saga_prediction, "EXTENT", {False: (12, 8, 40)})


def tables(text: str) -> list[list[str]]:
    """The cells of all rows but the times, which differ from run to run."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line
    ]
    return [row for row in rows if len(row) > 2]


def stored(folder: Path) -> tuple[pl.DataFrame, int]:
    """The attempts of agents, and the number of players' results."""
    with Database(folder / "study.db") as database:
        return results.attempts(database), PlayerResults(database).read().height


def attempts_asked() -> dict[tuple[str, str], int]:
    """How many attempts are asked for, by level and agent: of twelve levels of the saga, and bundled ones."""
    saga = [f"saga-{number:04}" for number in range(1, 13)]
    of_saga = parse_counted(defaults.MODEL_AGENTS, 40) | {SEARCH: 20}
    of_bundled = default_model().origin_.attempts
    return {(level, agent): n for level in saga for agent, n in of_saga.items()} | {
        (level, agent): n for level in BUNDLED for agent, n in of_bundled.items()
    }


def test_it_runs_and_goes_on_where_it_was(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    run = StudyRun(tmp_path, progress=lambda *call: calls.append(call))
    rows = tables(study(run, search_attempts=20).markdown)
    assert ("generating", 12, 12) in calls
    assert ("playing, bundled levels,", 3, 3) in calls
    heads = [row for row in rows if row[0] == "players (simulated)"]
    assert len(heads) == 3
    cohorts = {row[0] for row in rows if row[0].startswith("simulated")}
    assert cohorts == {f"simulated {mix}, seed {seed}" for mix, seed in POPULATIONS}
    assert {row[0] for row in rows} >= {*PARTS, "the default model", "levels with"}
    assert {row[1] for row in rows} >= {"the model", "the mean", "features alone", f"{SEARCH} alone"}
    fewer = next(number for number, row in enumerate(rows) if row[0] == "levels fitted")
    assert [row[0] for row in rows[fewer + 2 : fewer + 4]] == ["3", "4"]  # 7 would leave too few to judge
    assert all(cell.endswith(" %") for cell in rows[fewer + 2][1:])
    assert rows[fewer + 4][0] not in {"7", "3", "4"}
    attempts, players = stored(tmp_path)
    assert_all_due(attempts, attempts_asked())
    assert players == 30 * (12 * len(POPULATIONS) + len(BUNDLED))
    # A level, and what was known of it, lost: only that is done again, and all is as before.
    (tmp_path / "saga" / "saga-0012.json").unlink()
    assert tables(study(run, search_attempts=20).markdown) == rows
    again, players_again = stored(tmp_path)
    assert again.equals(attempts)
    assert players_again == players


def test_tables_of_different_agents_are_joined() -> None:
    levels = gather_levels(["04-jelly-garden", "24-hourglass"])
    both = play_table(levels, {"random": 20, "greedy": 20})
    joined = join([play_table(levels, {"random": 20}), play_table(levels, {"greedy": 20})])
    assert joined.select(pl.exclude("level")).equals(both.select(joined.columns).select(pl.exclude("level")))
    assert set(joined.columns) == set(both.columns)
