"""docs/playtests.md says what a playtest does."""

import re
from pathlib import Path

import pytest

from levelsense.playtest.attempts import ROW_SCHEMA
from levelsense.playtest.interval import half_width
from levelsense.playtest.plan import Extent
from levelsense.playtest.result import TABLE_SCHEMA
from levelsense.store.schema import ATTEMPTS, METADATA

PAGE = (Path(__file__).parents[2] / "docs" / "playtests.md").read_text()


def first_cells(after: str) -> list[str]:
    """What is in backticks in the first column of the table that follows a text."""
    table = PAGE.split(after)[1].split("\n\n")[1]
    return [
        name
        for cell in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall("`(.*?)`", cell)
    ]


def test_every_column_of_an_attempt_is_documented_and_stored() -> None:
    documented = first_cells("The key of `attempts` is")
    assert documented == [column.name for column in ATTEMPTS.columns]
    assert documented == [*(name for name in TABLE_SCHEMA if name != "name"), "checksum"]
    assert set(ROW_SCHEMA) < set(documented)


def test_every_table_is_documented() -> None:
    assert set(first_cells("written from then on would be found again.")) == set(METADATA.tables)
    for table in METADATA.tables.values():
        row = re.search(rf"^\| `{table.name}` \|.*$", PAGE, re.MULTILINE)
        assert row, table.name
        if table is not ATTEMPTS:
            assert set(re.findall("`(.*?)`", row[0])) | {"checksum"} == {
                table.name,
                "checksum",
                *table.columns.keys(),
            }


def test_the_checkpoints_are_those_of_the_page() -> None:
    first = ", ".join(map(str, Extent(100, 0.03).checkpoints[:4]))
    assert f"({first}, ...)" in PAGE
    for share in (0, 0.5):
        enough = next(n for n in Extent(100, 0.03).checkpoints if half_width(round(share * n), n) < 0.03)
        assert f"after {enough:,}" in PAGE


def test_the_example_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    exec(compile(example, "playtests.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)$", example, re.MULTILINE)
