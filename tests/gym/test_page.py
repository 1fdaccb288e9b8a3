"""The examples of docs/gymnasium.md, run one after the other as a reader would."""

import doctest
import re
from pathlib import Path

import pytest

from levelsense.gym.layout import REWARDS, layout_of
from levelsense.level.level import Level, bundled_levels

PAGE = Path(__file__).parents[2] / "docs" / "gymnasium.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_every_example_gives_what_it_says() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert tried > 15
    assert not failed


def test_every_reward_is_described() -> None:
    assert set(re.findall(r'^\| `"(\w+)"` \|', PAGE.read_text("utf-8"), re.MULTILINE)) == set(REWARDS)


@pytest.mark.parametrize(
    "plane", ["tile", "exit", "dispenser", "teleporter from", "teleporter to", "countdown"]
)
def test_planes_that_no_table_of_elements_names_are_described(plane: str) -> None:
    assert f"`{plane}`" in PAGE.read_text("utf-8")
    assert any(plane in layout_of(Level.load(name)).planes for name in bundled_levels())
