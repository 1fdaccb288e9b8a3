"""docs/saga.md shows what is generated."""

import re

import pytest

from levelsense.saga.schedule import ELEMENTS
from levelsense.saga.shapes import FAMILIES
from tests.saga.page import DRAWING, PAGE, drawn

TEXT = PAGE.read_text(encoding="utf-8")
DRAWINGS = DRAWING.findall(TEXT)


def test_the_table_is_the_schedule() -> None:
    rows = re.findall(r"^\| ([a-z ]+) \| (\d+) \|", TEXT, re.MULTILINE)
    assert rows == [(element.name, str(element.first)) for element in ELEMENTS]


def test_every_family_of_shapes_is_named() -> None:
    assert f"{len(FAMILIES)} families: {', '.join(FAMILIES)}" in " ".join(TEXT.split())


def test_there_are_drawings() -> None:
    assert len(DRAWINGS) == 3


@pytest.mark.parametrize(("drawing", "number"), DRAWINGS)
def test_the_drawings_are_levels_of_the_saga(drawing: str, number: str) -> None:
    assert drawn(int(number)) == drawing, "if levels were meant to change, run python -m tests.golden"
