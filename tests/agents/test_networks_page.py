"""docs/networks.md says what the planes, the swaps and the networks are, and its examples run."""

import re
from pathlib import Path

import pytest

from levelsense.agents.convolution.network_file import (
    CARD_KEY,
    ENCODING_KEY,
    INPUT,
    INPUT_SHAPE,
    OUTPUT,
    OUTPUT_SHAPE,
    read_network_file,
)
from levelsense.agents.convolution.planes import ENCODING, PLANE_NAMES, PLANES, swap_number
from levelsense.game.game import Move
from levelsense.lab import Lab
from levelsense.learning import require_torch
from levelsense.learning.convolution import NETWORKS, new_network

PAGE = (Path(__file__).parents[2] / "docs" / "networks.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without backticks."""
    text = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("| ").split(" | ")] for line in lines]


def test_inputs_and_outputs_are_documented() -> None:
    for name, shape in ((INPUT, INPUT_SHAPE), (OUTPUT, OUTPUT_SHAPE)):
        assert f"`{name}` | float32 | (N, {', '.join(map(str, shape))})" in PAGE
    assert f"`{ENCODING_KEY}`" in PAGE
    assert f"`{CARD_KEY}`" in PAGE
    assert f"`{ENCODING}` today" in PAGE


def test_every_plane_is_in_the_table_once_and_in_order() -> None:
    planes: list[int] = []
    for first, *_ in rows("The planes"):
        ends = [int(number) for number in re.findall(r"\d+", first)]
        planes += range(ends[0], ends[-1] + 1)
    assert planes == list(range(PLANES))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("candies striped along the row", "red candy striped along the row"),
        ("color bomb, sugar candy", "color bomb"),
        ("countdown bombs with at most", "countdown bomb with at most 2 moves left"),
        ("jelly; two layers", "jelly"),
        ("tiles, empty tiles, exits", "tile"),
        ("icing", "icing, layers: 1"),
        ("chocolate, marmalade, lock", "chocolate"),
        ("popcorn", "popcorn, layers: 1"),
        ("toffee", "toffee, layers: 1"),
        ("dark chocolate with", "dark chocolate, layers: 1"),
        ("nothing yet", ""),
        ("goals, each plane", "goal: score"),
        ("cells that a legal move swaps", "cell of a legal move"),
    ],
)
def test_groups_begin_where_the_table_says(words: str, name: str) -> None:
    first = next(cells[0] for cells in rows("The planes") if cells[1].startswith(words))
    assert PLANE_NAMES.index(name) == int(first.split()[0].strip(","))


def test_the_numbers_of_swaps_are_right() -> None:
    numbers = re.findall(r"([a-i]\d[a-i]\d) is (\d+)", PAGE.replace("\n", " "))
    assert len(numbers) == 4
    assert all(swap_number(Move.parse(move).code) == int(number) for move, number in numbers)


def test_the_networks_are_documented_with_their_sizes() -> None:
    assert [cells[0] for cells in rows("The four of the paper")] == list(NETWORKS)
    sizes = {cells[0]: int(cells[1].replace(",", "")) for cells in rows("How fast they are")}
    assert sizes == {
        name: sum(weights.numel() for weights in new_network(name).parameters()) for name in NETWORKS
    }


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, on the moves of few simulated players."""
    monkeypatch.chdir(tmp_path)
    Lab().simulate(["01-first-steps"], players=2, telemetry=Path("moves.parquet"))
    require_torch()
    names: dict[str, object] = {}
    for example in re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        exec(compile(example, "docs/networks.md", "exec"), names)
    assert read_network_file("mine.onnx").card == {"data": "moves.parquet"}
