"""docs/agents.md says of every agent what the table of families and the code say."""

import re
from pathlib import Path

import pytest

from levelsense.agents.heuristic import WEIGHTS
from levelsense.agents.registry import Family, families, parse_agent
from levelsense.agents.spec import Option

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()


def section(name: str) -> str:
    match = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert match, f"no section {name!r}"
    return match[1]


def table(text: str, heading: str) -> dict[str, list[str]]:
    """The rows of the table whose first heading is so named, by their first cell, without backticks."""
    match = re.search(rf"^\| {heading} \|.*\n\|.*\n((?:\|.*\n)*)", text, re.MULTILINE)
    lines = match[1].splitlines() if match else []
    rows = [[cell.strip().replace("`", "") for cell in line.strip("| ").split(" | ")] for line in lines]
    return {first: rest for first, *rest in rows}


def documented(option: Option) -> tuple[str, set[str]]:
    return option.default_text, set(re.split(", | or ", option.range.replace("`", "")))


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_options_are_documented_with_their_defaults_and_values(family: Family) -> None:
    rows = table(section(family.name), "option")
    assert list(rows) == [option.name for option in family.options]
    for option in family.options:
        default, values, meaning = rows[option.name]
        assert (default, set(re.split(", ", values))) == documented(option)
        assert meaning


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_presets_are_documented_with_their_specs(family: Family) -> None:
    rows = table(section(family.name), "preset")
    assert {name: row[0] for name, row in rows.items()} == {
        preset.name: parse_agent(preset.spec).spec for preset in family.presets
    }


def test_the_weights_of_the_heuristic_are_documented() -> None:
    rows = table(section("heuristic"), "weight")
    assert {name: int(row[0].replace(",", "")) for name, row in rows.items()} == WEIGHTS._asdict()


def test_specs_on_the_page_are_specs() -> None:
    specs = re.findall(r"`((?:random|greedy|q-linear|q-network|mcts|mcts-b\d|halving)(?::[^`]*)?)`", PAGE)
    assert len(specs) > 10
    for spec in specs:
        assert parse_agent(spec).spec


def test_the_example_runs() -> None:
    example = re.search(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert example
    settings: dict[str, object] = {}
    exec(compile(example[1], "docs/agents.md", "exec"), settings)
    assert settings["move"] in settings["values"]  # type: ignore[operator]
