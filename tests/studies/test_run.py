"""What all studies share: folders that go on where they were, pages, and the list of studies."""

import json
import threading
from pathlib import Path

import altair as alt
import pytest

from levelsense.errors import StoppedError, StudyError
from levelsense.studies.page import Finding, StudyPage
from levelsense.studies.registry import STUDIES, find_study, run_study
from levelsense.studies.run import StudyRun
from tests.test_cli import assert_complaint
from tests.test_cli import run as run_command


def test_what_is_kept_is_not_made_again(tmp_path: Path) -> None:
    made: list[int] = []

    def make(number: int) -> dict[str, int]:
        made.append(number)
        return {"square": number * number}

    calls: list[tuple[str, int, int]] = []
    run = StudyRun(tmp_path, threads=1, progress=lambda *call: calls.append(call))
    run.claim("x")
    rows = run.collect("part", ["a", "b", "c"], make)
    assert [row["square"] for row in rows] == [0, 1, 4]
    assert calls == [("part", 1, 3), ("part", 2, 3), ("part", 3, 3)]
    (tmp_path / "part" / "b.json").unlink()
    assert run.collect("part", ["a", "b", "c"], make) == rows
    assert made == [0, 1, 2, 1]
    assert calls[-1] == ("part", 3, 3)
    assert run.seconds["part"] > 0


def test_a_run_that_is_stopped_keeps_what_it_has(tmp_path: Path) -> None:
    stop = threading.Event()

    def make(number: int) -> dict[str, int]:
        if number == 1:
            stop.set()
        return {"number": number}

    run = StudyRun(tmp_path, threads=1, stop=stop)
    run.claim("x")
    with pytest.raises(StoppedError):
        run.collect("part", ["a", "b", "c", "d"], make)
    assert sorted(path.name for path in (tmp_path / "part").iterdir()) == ["a.json", "b.json"]
    assert len(StudyRun(tmp_path).collect("part", ["a", "b", "c", "d"], make)) == 4


def test_a_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    StudyRun(tmp_path).claim("x", attempts=5)
    StudyRun(tmp_path).claim("x", attempts=5)
    for run, settings, sentence in (
        (StudyRun(tmp_path), {"attempts": 6}, "results with attempts 5, not 6; expected another folder"),
        (StudyRun(tmp_path, quick=True), {"attempts": 5}, "results with quick False, not True"),
        (StudyRun(tmp_path, seed=2), {"attempts": 5}, "results with seed 1, not 2"),
    ):
        with pytest.raises(StudyError, match=sentence):
            run.claim("x", **settings)
    (tmp_path / "settings.json").write_text("{")
    with pytest.raises(StudyError, match=r"settings\.json: no JSON; expected the settings of a study"):
        StudyRun(tmp_path).claim("x", attempts=5)


def test_a_page_is_markdown_with_charts_beside_it(tmp_path: Path) -> None:
    page = StudyPage("x", "A study")
    page.text("It was " + "long " * 30, "and is wrapped.")
    page.heading("Figures")
    page.findings(
        [
            Finding("a", "1", "1.0", agrees=True),
            Finding("b", "2", "3", agrees=False, why="another level"),
            Finding("c", "2", "4", agrees=False),
        ]
    )
    chart = alt.Chart(alt.InlineData(values=[{"x": 1}])).mark_point().encode(x="x:Q").properties(title="Only")
    page.chart("points", chart, "A point")
    path = page.save(tmp_path)
    lines = path.read_text().splitlines()
    assert (path.name, lines[0]) == ("x.md", "# A study")
    assert max(map(len, lines)) <= 110
    assert [line for line in lines if line.startswith("| ")][2:] == [
        "| a | 1 | 1.0 | yes |",
        "| b | 2 | 3 | no: another level |",
        "| c | 2 | 4 | no |",
    ]
    assert lines[-1] == "![A point](x-points.svg)"
    assert "Only" in (tmp_path / "x-points.svg").read_text()


def test_every_study_of_the_list_can_be_run() -> None:
    assert all(callable(entry.study) for entry in STUDIES.values())


def test_a_study_that_there_is_not_and_files_that_are_not_wanted(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="unknown study 'sokobann'; did you mean sokoban"):
        find_study("sokobann")
    with pytest.raises(StudyError, match="sokoban: no file; expected the study's file as `data`"):
        run_study("sokoban", StudyRun(tmp_path))
    with pytest.raises(StudyError, match=r"`data` x\.csv: the study band-coverage takes no file"):
        run_study("band-coverage", StudyRun(tmp_path, data=Path("x.csv")))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [line.split()[0] for line in run_command("study").stdout.splitlines()[1:]] == list(STUDIES)
    assert_complaint(run_command("study", "sokoban"), "sokoban: no file; expected the study's file as --data")
    assert_complaint(run_command("study", "nothing"), "unknown study 'nothing'; there are: band-coverage")
    monkeypatch.setattr("levelsense.studies.band_coverage.CASES", ((3, 1, 0.4, 2), (10, 1, 0.0, 2)))
    result = run_command("study", "band-coverage", "--quick")
    assert result.exit_code == 0, result.stderr
    assert "study-band-coverage/band-coverage.md written" in result.stderr
    page = Path("study-band-coverage/band-coverage.md").read_text()
    assert page.count("\n| ") == 4
    assert json.loads(Path("study-band-coverage/settings.json").read_text())["quick"] is True
