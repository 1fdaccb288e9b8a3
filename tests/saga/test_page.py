"""docs/saga.md shows what is generated."""

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from levelsense.saga.generate import saga_level
from levelsense.saga.schedule import ELEMENTS
from levelsense.saga.shapes import FAMILIES
from levelsense.terminal.sheet import print_sheet

PAGE = (Path(__file__).parents[2] / "docs" / "saga.md").read_text()
DRAWINGS = re.findall(r"^```text\n(Saga (\d+)\n.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_table_is_the_schedule() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \|", PAGE, re.MULTILINE)
    assert rows == [(element.name, str(element.first)) for element in ELEMENTS]


def test_every_family_of_shapes_is_named() -> None:
    assert f"{len(FAMILIES)} families: {', '.join(FAMILIES)}" in PAGE


def test_there_are_drawings() -> None:
    assert len(DRAWINGS) == 3


@pytest.mark.parametrize(("drawing", "number"), DRAWINGS)
def test_the_drawings_are_levels_of_the_saga(drawing: str, number: str) -> None:
    level = saga_level(1, int(number)).level
    printed = StringIO()
    print_sheet(Console(file=printed, width=80, emoji=False, highlight=False), level, level.cells)
    assert [line.rstrip() for line in printed.getvalue().splitlines()] == drawing.splitlines()
