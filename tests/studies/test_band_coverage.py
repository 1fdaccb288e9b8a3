"""The study of coverage prints its table, and counts what it says it counts."""

from pathlib import Path

import pytest

from levelsense.studies import band_coverage
from levelsense.studies.run import StudyRun


def test_its_page_has_a_row_a_case(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(band_coverage, "CASES", ((10, 1, 0.4, 2), (12, 2, 0.0, 2)))
    page = band_coverage.study(StudyRun(tmp_path)).markdown
    lines = [line for line in page.splitlines() if line.startswith("|")]
    assert len(lines) == 4
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| 10", "| 12"]
    assert len({line.count("|") for line in lines}) == 1


def test_the_same_seed_counts_the_same() -> None:
    assert band_coverage.coverage(10, 1, 0.4, 2, seed=5) == band_coverage.coverage(10, 1, 0.4, 2, seed=5)
