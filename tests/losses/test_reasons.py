"""Levels that are hard for a known reason: that reason comes first; and an easy one has none."""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from levelsense.agents.registry import parse_agent
from levelsense.game.state import LOST, WON
from levelsense.level.level import Level
from levelsense.losses.course import _progress_by_turn, decisive_turn, near_findings, share_ahead
from levelsense.losses.evidence import (
    FOLLOWED,
    LEAST_LOST,
    Evidence,
    Finding,
    Rival,
    gather_evidence,
    goal_weights,
    progress,
    share_words,
)
from levelsense.losses.explain import (
    Losses,
    explain_losses,
    losses_from,
    luck_findings,
    ordered,
    skill_findings,
)
from levelsense.losses.left import _share_of_rest, cell_findings, hot_cells
from levelsense.playtest.attempts import Attempts
from levelsense.playtest.estimate import Estimate
from levelsense.playtest.figures import play_seeds
from levelsense.playtest.limits import Check
from levelsense.playtest.plan import attempt_seeds
from levelsense.playtest.skill_and_luck import Luck

ATTEMPTS = 120
OPEN = ". . . . . . ."


def drawn(rows: list[str], goals: dict[str, Any], moves: int = 20, **keys: Any) -> Level:
    return Level.model_validate(
        {"name": "drawn", "moves": moves, "board": rows, "goals": goals, "colors": 5, **keys}
    )


def jelly(*named: str, rows: int = 7) -> list[str]:
    places = set(named)
    return [
        " ".join("1" if f"{letter}{row}" in places else "." for letter in "abcdefg")
        for row in range(1, rows + 1)
    ]


# Jelly in the open and in a corner, which icing of five layers closes.
WALLED_CORNER = drawn(
    [*[OPEN] * 5, "#5 . . . . . .", ". #5 . . . . ."],
    {"jelly": "all"},
    jelly=jelly("a7", "c3", "d3", "e3", "c4", "d4", "e4"),
)
# A cherry above icing of five layers, which is above the only exit.
BLOCKED_EXIT = drawn(
    [". . . C . . .", *[OPEN] * 4, ". . . #5 . . .", OPEN],
    {"ingredients": {"cherry": 1}},
    moves=12,
    exits=["d7"],
)
# Bombs that go off after four moves.
BOMBS = drawn([OPEN, ". .4 . . . .4 .", *[OPEN] * 5], {"score": 12_000}, moves=40)
TOO_MUCH = drawn([OPEN] * 7, {"orders": {"red": 250}})
# One move on a board with a move or two: whether it takes a red line is a matter of the deal.
DEAL_ONLY = drawn([". . . .", ". . . .", ". . . ."], {"orders": {"red": 3}}, moves=1, colors=4)
EASY = drawn([OPEN] * 7, {"score": 300})
# Jelly everywhere, too much for the moves, and no cell is worse than the others.
EVEN = drawn([OPEN] * 7, {"jelly": "all"}, moves=9, jelly=["1 1 1 1 1 1 1"] * 7)


def attempts_of(level: Level, agent: str = "random", count: int = ATTEMPTS) -> Attempts:
    return play_seeds(parse_agent(agent), level, attempt_seeds(level.digest, agent, 0, 0, count), 1)


@cache
def losses_of(level: Level) -> Losses:
    return explain_losses(parse_agent("random"), attempts_of(level), threads=1)


def test_cells_that_can_hardly_be_reached() -> None:
    first = losses_of(WALLED_CORNER).findings[0]
    assert (first.kind, first.cells) == ("cells", ("a7",))
    assert "jelly left at a7, the bottom left corner, beside the icing at a6 and b7" in first.sentence
    boards = attempts_of(WALLED_CORNER).boards_left("left_jelly")
    corner = 6 * 12
    assert first.figures["share"] == pytest.approx(boards[:, corner].mean())
    alone = boards[:, corner] & (boards.sum(axis=1) == 1)
    assert first.figures["only"] == pytest.approx(alone.mean())
    assert (
        f"In {share_words(alone.mean())} nothing else was left: they were lost for jelly there alone."
        in first.sentence
    )


def test_an_ingredient_whose_way_out_is_blocked() -> None:
    first = losses_of(BLOCKED_EXIT).findings[0]
    assert first.kind == "ingredients"
    (cell,) = first.cells
    assert f"a cherry still in column d, most often at {cell}, above the icing at d6" in first.sentence


def test_bombs_that_end_it() -> None:
    first = losses_of(BOMBS).findings[0]
    attempts = attempts_of(BOMBS)
    by_bomb = (attempts.frame["reason"] == "bomb").to_numpy()[~attempts.won].mean()
    assert first.kind == "bomb"
    assert first.figures["share"] == pytest.approx(by_bomb)
    assert by_bomb > 0.5
    assert "after move 4 (40 moves are allowed)" in first.sentence
    assert "the shortest of those drawn are at b2 and f2, with 4 moves" in first.sentence


def test_a_goal_that_asks_for_too_much() -> None:
    first = losses_of(TOO_MUCH).findings[0]
    done = np.median(attempts_of(TOO_MUCH).goal_counts)
    assert first.kind == "goal"
    assert f"{done:.0f} of 250 red candies" in first.sentence
    assert f"it takes {20 * 250 / done:.0f} moves, and there are 20" in first.sentence


def test_a_board_that_luck_decides() -> None:
    first = losses_of(DEAL_ONLY).findings[0]
    assert first.kind == "luck"
    assert first.sentence.startswith("Luck decides")
    assert re.search("the deal settles .* of whether [a-z]+ wins ", first.sentence)  # not whether people do
    assert float(first.figures["low"]) >= 0.5


def test_nothing_is_claimed_of_an_easy_level() -> None:
    losses = losses_of(EASY)
    assert (losses.lost, losses.findings, losses.first) == (0, (), None)
    assert losses.basis == "Too few attempts are lost to say why: 0 of 120 of random; it takes 30."


def test_what_ran_out_is_told() -> None:
    assert losses_of(TOO_MUCH).basis == (
        "By 120 lost attempts of 120 of random; the moves ran out in 100% of them."
    )
    losses = Losses("random", 200, 100, {"bomb": 72, "moves": 28}, ())
    assert losses.basis == (
        "By 100 lost attempts of 200 of random; a bomb went off in 72% and the moves ran out in 28% of them."
    )


def test_no_cell_is_named_where_all_are_alike() -> None:
    kinds = {finding.kind for finding in losses_of(EVEN).findings}
    assert "cells" not in kinds
    assert "goal" in kinds


@pytest.mark.parametrize("lost", [LEAST_LOST - 1, LEAST_LOST])
def test_it_takes_thirty_lost_attempts(lost: int) -> None:
    attempts = attempts_of(TOO_MUCH, count=lost)
    assert attempts.wins == 0
    assert bool(losses_from(Evidence("random", attempts)).findings) is (lost >= LEAST_LOST)


def test_every_sentence_has_a_figure() -> None:
    for level in (WALLED_CORNER, BLOCKED_EXIT, BOMBS, TOO_MUCH, DEAL_ONLY, EVEN):
        for finding in losses_of(level).findings:
            assert any(letter.isdigit() for letter in finding.sentence), finding
            assert finding.figures
            assert finding.sentence.endswith(".")
            assert "player" not in finding.sentence


def test_better_play_is_told_by_a_rival() -> None:
    attempts = attempts_of(TOO_MUCH)
    for wins, words in ((0, "does not help"), (10, "hardly helps"), (40, "helps a little"), (80, "pays")):
        evidence = Evidence("random", attempts, rival=Rival("heuristic", wins, 200))
        (finding,) = [one for one in losses_from(evidence).findings if one.kind == "skill"]
        assert finding.sentence.startswith(f"Better play {words}: heuristic wins"), finding.sentence


def test_followed_attempts_end_as_they_were_recorded() -> None:
    agent, attempts = parse_agent("random"), attempts_of(WALLED_CORNER, count=20)
    seeds = attempt_seeds(WALLED_CORNER.digest, "random", 0, 0, 20)
    for number, states in enumerate(agent.follow(WALLED_CORNER, seeds)):
        assert len(states) - 1 == attempts.moves_made[number]
        assert states["score"][-1] == attempts.score[number]
        assert progress(WALLED_CORNER, states)[-1] == pytest.approx(attempts.goal_shares[number].mean())
        assert progress(WALLED_CORNER, states)[0] == 0
        assert (np.diff(progress(WALLED_CORNER, states)) >= 0).all()


def test_pairs_of_won_and_lost() -> None:
    won, lost = np.array([0.5, 0.9]), np.array([0.5, 0.2, 0.95])
    # Of six pairs: 0.5 is level with one, ahead of one, behind one; 0.9 is ahead of two, behind one.
    assert share_ahead(won, lost) == pytest.approx((0.5 + 1 + 2) / 6)


@pytest.mark.parametrize(
    ("ahead", "turn"),
    [
        ([0.5, 0.6, 0.8, 0.9, 1.0], 2),
        ([0.5, 0.8, 0.6, 0.9, 1.0], 3),  # ahead for a while only
        ([0.5, 0.8, 0.72, 0.9, 1.0], 1),  # a dip that is still ahead
        ([0.5, 0.5, 0.6, 0.6, 1.0], None),  # the last turn says nothing: goals are met or not
    ],
)
def test_the_turn_that_decides(ahead: list[float], turn: int | None) -> None:
    assert decisive_turn(np.array(ahead)) == turn


def test_the_weight_of_goals() -> None:
    level = drawn([OPEN] * 7, {"score": 100, "orders": {"red": 10}})
    rows = [(50, 10), (90, 1), (100, 9), (100, 10)]  # the last is won
    frame = attempts_of(level, count=4).frame
    changed = frame.with_columns(
        won=np.array([False, False, False, True]),
        goals=np.array([f'{{"score":{score},"red":{red}}}' for score, red in rows]),
    )
    # Furthest: score, red, red.
    weights = goal_weights(Attempts(level, changed))
    assert weights == pytest.approx({"score": 1 / 3, "red": 2 / 3})


def test_nothing_is_lost_for_cells_alone_where_another_goal_is_missed() -> None:
    both = WALLED_CORNER.model_copy(
        update={"goals": WALLED_CORNER.goals.model_copy(update={"score": 900_000})}
    )
    (cells,) = cell_findings(Evidence("random", attempts_of(both)))
    assert cells.cells == ("a7",)
    assert cells.figures["only"] == 0
    assert "nothing else was left" not in cells.sentence


def test_what_cuts_attempts_short_comes_before_what_they_had_not_done() -> None:
    bomb, cells = Finding("bomb", "", 0.7), Finding("cells", "", 0.9)
    assert ordered([cells, bomb]) == [bomb, cells]
    few = Finding("bomb", "", 0.3)
    assert ordered([few, cells]) == [cells, few]  # 0.9 of the other seven in ten
    luck = Finding("luck", "", 1.0)
    assert ordered([bomb, luck, cells]) == [luck, bomb, cells]
    assert ordered([Finding("luck", "", 0.0), bomb])[0] == bomb


def test_lost_and_won_attempts_are_followed_apart() -> None:
    attempts = attempts_of(WALLED_CORNER)
    evidence = gather_evidence(parse_agent("random"), attempts, threads=1)
    lost, won = (attempts.numbers[attempts.won == is_won] for is_won in (False, True))
    assert len(won) > 0
    assert len(evidence.lost) == min(len(lost), FOLLOWED)
    assert len(evidence.won) == min(len(won), FOLLOWED)
    assert {int(states["status"][-1]) for states in evidence.lost} == {LOST}
    assert {int(states["status"][-1]) for states in evidence.won} == {WON}
    assert evidence.longer is not None
    assert evidence.longer.wins >= attempts.wins  # the same boards with more moves
    assert evidence.longer.limit == 23


def test_hot_cells_by_hand() -> None:
    level = drawn([OPEN] * 7, {"jelly": "all"}, jelly=jelly("a1", "b3", "c5", "f6"))
    cells = [level.index(name) for name in ("a1", "b3", "c5", "f6")]
    boards = np.zeros((10, 49), bool)
    boards[:, cells[0]] = True  # always
    boards[:2, cells[1]] = True  # twice
    assert hot_cells(level, boards, cells) == (cells[0],)
    boards[:, cells] = True
    boards[0, cells] = False
    assert hot_cells(level, boards, cells) == tuple(cells)  # a small goal that is left as a whole
    boards[:] = False
    boards[:3, cells[0]] = True
    assert hot_cells(level, boards, cells) == ()  # too seldom


def partly_won(won: int, count: int) -> Attempts:
    """Attempts of which the first are said to be won."""
    return Attempts(
        TOO_MUCH, attempts_of(TOO_MUCH, count=count).frame.with_columns(won=np.arange(count) < won)
    )


def test_attempts_that_are_over_stay_where_they_ended() -> None:
    evidence = gather_evidence(parse_agent("random"), attempts_of(WALLED_CORNER), threads=1)
    longest = max(len(states) for states in evidence.lost) + 4
    for followed, is_won in ((evidence.won, True), (evidence.lost, False)):
        last = _progress_by_turn(WALLED_CORNER, followed, longest)[:, -1]
        assert (last == 1).tolist() == [is_won] * len(followed)
        assert (last > 0).all()


def test_who_gets_on_to_the_end_does_not_stand_still() -> None:
    """Red candies come at an even pace: nine in ten of them by the eighteenth of twenty moves or so."""
    assert not any("stand still" in sentence for sentence in losses_of(TOO_MUCH).sentences)


def test_an_ingredient_on_the_board_has_come() -> None:
    assert not any("onto the board" in sentence for sentence in losses_of(BLOCKED_EXIT).sentences)


@pytest.mark.parametrize(
    ("low", "words", "weight"), [(0.51, "decides", 1.0), (0.40, "matters much", 0.0), (0.15, "", 0.0)]
)
def test_luck_decides_by_the_low_end_of_its_interval(low: float, words: str, weight: float) -> None:
    luck = Luck(100, 4, Estimate(0.6, low, 0.8))
    findings = luck_findings(Evidence("random", attempts_of(TOO_MUCH), luck=luck))
    assert [(one.sentence.split(":")[0], one.weight) for one in findings] == (
        [(f"Luck {words}", weight)] if words else []
    )


def test_better_play_is_measured_by_what_is_lost_without_it() -> None:
    """Of 20 in a hundred that are lost 15 are saved: it pays, though that is less than 30 in a hundred."""
    rival = Rival("heuristic", 9500, 10_000)
    (finding,) = skill_findings(Evidence("random", partly_won(960, 1200), rival=rival))
    assert finding.sentence.startswith("Better play pays")
    assert float(finding.figures["high"]) < 0.3


def test_a_longer_limit_helps_by_what_is_lost_without_it() -> None:
    """Of 10 in a hundred that are lost it saves 4."""
    evidence = Evidence("random", partly_won(90, 100), longer=Check(23, 94, 100))
    (finding,) = [one for one in near_findings(evidence) if one.kind == "limit"]
    assert finding.sentence.startswith("A longer limit helps: with 3 moves more")


def test_what_is_left_is_shared_out_attempt_by_attempt() -> None:
    boards = np.array([[1, 0, 0, 0], [1, 1, 1, 1], [0, 0, 0, 0]], bool)
    # All of one attempt's rest, a quarter of the other's; the third lacks nothing.
    assert _share_of_rest(boards, [0, 1, 2, 3], (0,)) == pytest.approx((1 + 1 / 4) / 2)
