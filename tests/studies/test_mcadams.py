"""McAdams' study: its first boards, its attempts, its published figures, and a small run from end to end."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from levelsense.game.deal import deal
from levelsense.game.lines import find_runs
from levelsense.game.moves import MOST_MOVES, list_moves, rebuild_masks
from levelsense.game.record import level_record
from levelsense.game.state import CANDY, PLAYING, new_state, new_work
from levelsense.rng import new_rng
from levelsense.studies.mcadams import cells, published
from levelsense.studies.mcadams import study as mcadams
from levelsense.studies.mcadams.cells import (
    BOARDS,
    RANDOM,
    SQUARES,
    TALL,
    Cell,
    Player,
    attempts_of,
    deal_and_clear,
    play,
    players_of,
    study_level,
)
from levelsense.studies.mcadams.compare import compared, means_agree
from levelsense.studies.run import StudyRun
from levelsense.studies.welch import Welch


def test_first_boards_have_specials_and_no_lines() -> None:
    record = level_record(study_level((9, 9)))
    states, work, moves = new_state(1), new_work(), np.zeros(MOST_MOVES, np.int64)
    specials = 0
    for seed in range(200):
        states[0] = record.start
        state = states[0]
        deal_and_clear(record.level, state, new_rng(seed), work)
        rebuild_masks(record.level, state, work)
        assert find_runs(record.level, work) == 0
        assert list_moves(state, moves) > 0
        assert (state.score, state.moves_made, state.status, state.count.sum()) == (0, 0, PLAYING, 0)
        specials += int((state.piece > CANDY).sum())
    assert specials > 40  # one board in three or so has one; ours are dealt without
    states[0] = record.start
    deal(record.level, states[0], new_rng(1), work)
    assert (states[0].piece <= CANDY).all()


def test_attempts_do_not_depend_on_how_they_are_batched() -> None:
    player = Player("h1", 1, "first")
    whole = play((5, 5), player, range(1, 9), 1)
    parts = [play((5, 5), player, numbers, 1) for numbers in (range(1, 4), range(4, 9))]
    assert whole["scores"] == parts[0]["scores"] + parts[1]["scores"]
    assert whole["scores"] != play((5, 5), player, range(1, 9), 2)["scores"]
    assert set(whole["moves"]) == {20}


def test_players_and_their_numbers_of_attempts() -> None:
    assert [player.label for player in players_of((5, 5))][:4] == ["R", "S.H1.1 (first)", "S.H2.1", "S.H1.1"]
    assert [player.label for player in players_of(TALL)][1:3] == ["S.H1.1", "S.H1.1 (first)"]
    deepest = {board: max(player.depth for player in players_of(board)) for board in BOARDS}
    assert deepest == {**SQUARES, TALL: 3}
    assert all(attempts_of(player, quick=False) >= 500 for board in BOARDS for player in players_of(board))


def test_mean_legal_moves_are_within_six_percent_of_the_published() -> None:
    for board, theirs in published.LEGAL_MOVES.items():
        rows = play(board, Player(), range(1, 401), 5)
        assert sum(rows["legal"]) / sum(rows["moves"]) == pytest.approx(theirs, rel=0.06), board


def test_players_are_compared_in_pairs_of_games_with_the_same_first_board() -> None:
    """Scores of players who begin with the same boards go along: what is shared tells no difference."""
    table = {}
    for player in (Player("h1", 1, "first"), Player("h2", 1)):
        scores = np.array(play((9, 9), player, range(1, 801), 1)["scores"], float)
        table[(9, 9), player.label] = Cell((9, 9), player, scores, scores, scores, 0.0)
    test = compared(table, (9, 9), "S.H2.1", "S.H1.1")
    assert np.corrcoef(test.first, test.second)[0, 1] > 0.08
    wide = Welch(test.first, test.second)
    assert test.t == wide.t
    assert np.ptp(test.interval) < 0.97 * np.ptp(wide.interval)
    assert np.ptp(test.t_range(500)) < 0.97 * np.ptp(wide.t_range(500))


def test_published_figures_agree_with_each_other() -> None:
    """The t of the text come out of the means and deviations that the charts show, to what can be read."""
    for board, t in published.AGAINST_RANDOM.items():
        (mean, _, deviation), (random, _, random_deviation) = (
            published.SCORES[board][label] for label in ("S.H1.1", "R")
        )
        t_value = (mean - random) / ((deviation**2 + random_deviation**2) / 500) ** 0.5
        assert t_value == pytest.approx(t, rel=0.02), board
    for board, values in published.HEURISTICS.items():
        for depth, t in enumerate(values, 1):
            (h2, _, s2), (h1, _, s1) = (published.SCORES[board][f"S.{h}.{depth}"] for h in ("H2", "H1"))
            assert (h2 - h1) / ((s1**2 + s2**2) / 500) ** 0.5 == pytest.approx(t, abs=0.15), (board, depth)
            words = published.VERDICTS[board][depth - 1]
            assert ("H2" in words, "H1" in words) in ((t > 0, t < 0), (False, False))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "ATTEMPTS", {True: {0: 8, 1: 6, 2: 4, 3: 3, 4: 2}})
    monkeypatch.setattr(mcadams, "ATTEMPTS", cells.ATTEMPTS)


@pytest.mark.parametrize(
    ("attempts", "gap", "agrees"),
    [
        # 84.2 with a deviation of 11.8 is published, of 500 games: 1.96 errors of the difference to as many
        # attempts are 2.53 or 1.06, and a bar is read to 0.12.
        (100, 2.6, True),
        (100, 2.8, False),
        (10_000, 1.1, True),
        (10_000, 1.3, False),
    ],
)
def test_published_means_agree_within_both_errors(attempts: int, gap: float, agrees: bool) -> None:
    mean, _, deviation = published.SCORES[5, 5]["R"]
    scores = mean + gap + deviation * np.tile([1.0, -1.0], attempts // 2)
    cell = Cell((5, 5), RANDOM, scores, scores, scores, 0.0)
    assert means_agree((5, 5), "R", {((5, 5), RANDOM.label): cell}) == agrees
    assert (
        means_agree((5, 5), "R", {((5, 5), RANDOM.label): replace(cell, scores=scores - 2 * gap)}) == agrees
    )


@pytest.mark.usefixtures("small")
def test_a_small_run_from_end_to_end(tmp_path: Path) -> None:
    page = mcadams.study(StudyRun(tmp_path, quick=True, threads=1))
    text = page.markdown
    assert set(page.charts) == {"mcadams-scores.svg", "mcadams-heuristics.svg"}
    assert text.count("\n| 9x9 | S.") == 8
    assert len(re.findall(r"^\| \d+x\d+, depth \d \|", text, re.M)) == 21
    assert "| 10x10 | 36.756 |" in text
    assert re.findall(r"^## (.*)$", text, re.M)[-1] == "What a designer may take from it"
    assert "nan" not in text
    assert max(len(line) for line in text.splitlines() if "|" not in line and "![" not in line) <= 110
    kept = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "attempts").iterdir()}
    assert mcadams.study(StudyRun(tmp_path, quick=True, threads=1)).markdown == text
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "attempts").iterdir()} == kept
