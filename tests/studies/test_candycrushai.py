"""CandyCrush.ai's game as its program plays it: by hand, against a slow second one, and a small study."""

import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levelsense.rng import below, new_rng
from levelsense.studies.candycrushai import cells
from levelsense.studies.candycrushai import study as candycrushai
from levelsense.studies.candycrushai.cells import Course, play_theirs
from levelsense.studies.candycrushai.original_game import (
    AGENTS,
    DOWN_SWAP,
    SIZE,
    cascade,
    clear_biggest,
    list_legal,
    play_games,
)
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

# No line stands and none is a swap away: three diagonal stripes.
CALM = [
    [(row + column) % 5 + 1 if row % 2 else (row + column + 2) % 5 + 1 for column in range(9)]
    for row in range(9)
]


def grid_of(rows: list[list[int]]) -> Any:
    return np.array(rows, np.int64)


def test_the_biggest_group_goes_and_the_others_wait() -> None:
    """Four in row 9 go before three in row 8; what is above falls, and the three stand still after it."""
    grid = grid_of(CALM)
    grid[7, 0:3] = 7
    grid[8, 5:9] = 8
    before = grid.copy()
    assert clear_biggest(grid, new_rng(1)) == 4
    assert (grid[1:9, 5:9] == before[0:8, 5:9]).all()
    assert (grid[:, 0:5] == before[:, 0:5]).all()
    assert clear_biggest(grid, new_rng(1)) >= 3


def test_lines_across_and_down_through_a_cell_are_one_group() -> None:
    """Three across and three down share a cell: five cells, and the column falls by three."""
    grid = grid_of(CALM)
    grid[8, 2:5] = 9
    grid[6:9, 2] = 9
    before = grid.copy()
    assert clear_biggest(grid, new_rng(4)) == 5
    assert (grid[3:9, 2] == before[0:6, 2]).all()
    assert (grid[1:9, 3:5] == before[0:8, 3:5]).all()


def test_a_cell_with_a_legal_swap_to_the_right_does_not_offer_the_one_down() -> None:
    grid = grid_of(CALM)
    assert list_legal(grid, np.zeros(81, np.int64)) == 0
    grid[0, 0], grid[0, 2:4] = 9, 9  # a1 to the right makes three
    grid[1, 1] = grid[2, 0] = grid[3, 0] = 0
    grid[1, 0] = 9
    grid[2, 1] = 9
    moves = np.zeros(81, np.int64)
    legal = moves[: list_legal(grid, moves)].tolist()
    assert 0 in legal
    assert DOWN_SWAP not in legal


class Slow:
    """The same rules with sets, as a reader of the paper would write them."""

    def __init__(self, grid: list[list[int]], rng: Any) -> None:
        self.grid, self.rng = [list(row) for row in grid], rng

    def group(self, row: int, column: int) -> set[tuple[int, int]]:
        color, group = self.grid[row][column], set()
        for line in ([(r, column) for r in range(SIZE)], [(row, c) for c in range(SIZE)]):
            at = line.index((row, column))
            cells = {(row, column)}
            for side in (reversed(line[:at]), line[at + 1 :]):
                for r, c in side:
                    if self.grid[r][c] != color:
                        break
                    cells.add((r, c))
            if len(cells) >= 3:
                group |= cells
        return group

    def step(self) -> int:
        groups = [self.group(row, column) for row in range(SIZE) for column in range(SIZE)]
        best = max(groups, key=len)
        for column in range(SIZE):
            rows = [row for row in range(SIZE) if (row, column) not in best]
            gone = SIZE - len(rows)
            if gone:
                new = [1 + below(self.rng, 5) for _ in range(gone)]
                for row, color in enumerate(new + [self.grid[row][column] for row in rows]):
                    self.grid[row][column] = color
        return len(best)

    def score(self) -> int:
        total, combo, size = 0, 1, self.step()
        while size:
            total += 10 * (size * size - size) * combo
            combo, size = combo + 1, self.step()
        return total

    def is_legal(self, cell: tuple[int, int], other: tuple[int, int]) -> bool:
        if other[0] >= SIZE or other[1] >= SIZE:
            return False
        grid = self.grid
        (r, c), (r2, c2) = cell, other
        grid[r][c], grid[r2][c2] = grid[r2][c2], grid[r][c]
        legal = bool(self.group(r, c) or self.group(r2, c2))
        grid[r][c], grid[r2][c2] = grid[r2][c2], grid[r][c]
        return legal

    def legal(self) -> list[int]:
        scores = []
        for row in range(SIZE):
            for column in range(SIZE):
                if self.is_legal((row, column), (row, column + 1)):
                    scores.append(row * SIZE + column)
                elif self.is_legal((row, column), (row + 1, column)):
                    scores.append(row * SIZE + column + DOWN_SWAP)
        return scores


def test_cascades_and_legal_moves_agree_with_a_slow_second_game() -> None:
    rng, moves = random.Random(2), np.zeros(81, np.int64)
    for seed in range(40):
        start = [[rng.randint(1, 5) for _ in range(SIZE)] for _ in range(SIZE)]
        grid, slow = grid_of(start), Slow(start, new_rng(seed))
        assert cascade(grid, new_rng(seed)) == slow.score()
        assert grid.tolist() == slow.grid
        assert moves[: list_legal(grid, moves)].tolist() == slow.legal()


def test_the_published_order_in_the_authors_game() -> None:
    """The baseline is below random play; greedy by row, sampling and the whole greedy are far above."""
    means = {agent: np.mean(play_theirs(agent, range(1, 121), 1)["scores"]) for agent in AGENTS[:5]}
    assert means["first"] == pytest.approx(8456.76, rel=0.15)
    assert means["greedy by row"] == pytest.approx(42889.54, rel=0.15)
    assert means["sampling"] == pytest.approx(61724.55, rel=0.15)
    assert means["first"] < means["random"] < means["greedy by row"] < means["greedy"]
    assert play_theirs("utility", range(1, 3), 1)["scores"] > [2 * means["random"]] * 2


@pytest.mark.parametrize(
    ("baseline", "greedy", "linear", "network", "verdicts"),
    [
        (100, 200, 400, 401, ["yes", "yes", "yes", "yes"]),
        (200, 100, 400, 401, ["no", "yes", "yes", "yes"]),  # a difference, the other way round
        (100, 101, 400, 430, ["no", "yes", "yes", "no"]),  # too small to tell, and too large to be equal
    ],
)
def test_an_order_agrees_by_its_direction_and_its_test(
    baseline: float, greedy: float, linear: float, network: float, verdicts: list[str]
) -> None:
    def sample(mean: float) -> cells.Sample:
        return cells.Sample(mean + np.tile([10.0, -10.0], 20), 1.0)

    means = {"first": baseline, "greedy": greedy, "sampling:per=turn": 300, "q-linear": linear}
    ours = {name: sample(mean) for name, mean in {**means, "q-network": network}.items()}
    theirs = {name: sample(100.0 * place) for place, name in enumerate(AGENTS)}
    page = StudyPage("x", "x")
    candycrushai.tell_order(page, cells.Results({**ours, "sampling:epsilon=1": sample(1)}, theirs, []))
    rows = [line.split(" | ") for line in page.parts[1].splitlines() if line.startswith("| ours")]
    assert [row[-1].removesuffix(" |") for row in rows] == verdicts


def test_games_depend_on_their_seeds_alone() -> None:
    seeds = np.array([[1, 2], [3, 4]], np.uint64)
    scores = play_games("greedy", seeds)
    assert play_games("greedy", seeds[1:]) == scores[1:]
    assert scores[0] != scores[1]


def test_a_small_run_from_end_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for agents in (cells.OURS, cells.THEIRS):
        monkeypatch.setattr(candycrushai, "OURS" if agents is cells.OURS else "THEIRS", agents)
        for name in agents:
            monkeypatch.setitem(agents, name, (3, 3))
    courses = (Course("q-linear", 0, (0, 1), 2), Course("q-network", 3, (0, 1), 2))
    monkeypatch.setattr(cells, "COURSES", {True: courses})
    page = candycrushai.study(StudyRun(tmp_path, quick=True, threads=1))
    text = page.markdown
    assert set(page.charts) == {"candycrushai-averages.svg", "candycrushai-training.svg"}
    for published in ("8,456.76", "42,889.54", "61,724.55", "85,198.18", "84,668.18"):
        assert f"| {published} |" in text
    assert "| `q-network`, seed 3 | 2 |" in text
    assert re.findall(r"^## (.*)$", text, re.M)[-1] == "What a designer may take from it"
    assert "nan" not in text
    assert max(len(line) for line in text.splitlines() if "|" not in line and "![" not in line) <= 110
    assert (
        candycrushai.study(StudyRun(tmp_path, quick=True, threads=1)).markdown.split("## Time")[0]
        == text.split("## Time")[0]
    )
