"""How planners choose: what each habit does, on drawn boards."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.agents.attempt import GAME, SCRATCH
from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES
from levelsense.game.state import NO_CELL, new_state, new_work
from levelsense.level.level import Level
from levelsense.people.simulated import outcome
from levelsense.people.simulated.planner import (
    _draw_by_weight,
    _misreading,
    _place,
    choose,
    follow_up,
    imagine,
    new_weights,
    recall_moves,
)
from levelsense.people.simulated.traits import draw_population
from levelsense.rng import new_rng
from tests.game.drawn import position
from tests.random_levels import random_level

# Three reds above on the left, three blues below in the middle; nothing else can be made.
FIELD = """
    o y p c m
    r c r o y    <- b2b3
    m r y p c
    y p b m o
    c m o b b    <- c4c5
    o y p c m
"""
# The same in a mirror: the reds are on the right.
MIRRORED = """
    m c p y o
    y o r c r    <- d2d3
    c p y r m
    o m b p y
    b b o m c    <- c4c5
    m c p y o
"""
# Blues in a line of five.
LINE_OF_FIVE = FIELD.replace("c m o b b", "b b o b b")
EVERYWHERE = 50.0  # a leaning so strong that nothing else comes to mind
REDS: dict[str, Any] = {"goals": {"orders": {"red": 9}}}


def player(**traits: float) -> Any:
    """Somebody who considers everything once, one move deep, cares for nothing and errs in nothing."""
    row = np.zeros(outcome.TRAITS)
    row[[outcome.CONSIDERED, outcome.SAMPLES]] = 100, 1
    for name, value in traits.items():
        row[getattr(outcome, name.upper())] = value
    return row


def choices(
    game: Game, traits: Any, times: int = 100, last: int = NO_CELL, moves_left: int | None = None
) -> Counter[str]:
    """How often each move is chosen, by as many players who imagine other refills."""
    states = new_state(SCRATCH + 1)
    states[GAME] = game.state
    if moves_left is not None:
        states[GAME].moves_left = moves_left
    before, work = states[GAME].tobytes(), new_work()
    counted: Counter[str] = Counter()
    for seed in range(times):
        code = choose(
            game._record.level,
            states,
            new_rng(seed),
            work,
            np.zeros(MOST_MOVES, np.int64),
            np.zeros(MOST_MOVES, np.int64),
            new_weights(),
            last,
            traits,
        )
        counted[str(Move.from_code(int(code)))] += 1
        assert states[GAME].tobytes() == before
    return counted


# What comes to mind


@pytest.mark.parametrize(
    ("side", "move", "mirrored"),
    [
        ({"across": -EVERYWHERE}, "b2b3", "c4c5"),
        ({"across": EVERYWHERE}, "c4c5", "d2d3"),
        ({"down": -EVERYWHERE}, "b2b3", "d2d3"),
        ({"down": EVERYWHERE}, "c4c5", "c4c5"),
    ],
)
def test_a_favorite_side_comes_to_mind_first(side: dict[str, float], move: str, mirrored: str) -> None:
    assert choices(position(FIELD), player(considered=1, **side)) == {move: 100}
    assert choices(position(MIRRORED), player(considered=1, **side)) == {mirrored: 100}


def test_a_leaning_makes_a_side_likelier_and_no_more() -> None:
    """b2 is in the second of five columns, c4 in the third: -0.5 and 0 of the way to the right."""
    counted = choices(position(FIELD), player(considered=1, across=-2), times=1000)
    share = np.exp(2 * 0.5) / (1 + np.exp(2 * 0.5))
    assert counted["b2b3"] / 1000 == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 1000))


def test_who_repeats_stays_in_the_neighborhood_of_the_last_move() -> None:
    game, repeats = position(FIELD), player(considered=1, repeat=1e9)
    assert choices(game, repeats, last=5 * 12 + 3) == {"c4c5": 100}  # three steps from c4
    assert choices(game, repeats, last=0 * 12 + 0) == {"b2b3": 100}  # two steps from b2
    assert 25 < choices(game, repeats, last=5 * 12 + 4)["c4c5"] < 75  # four steps from c4
    assert 25 < choices(game, repeats)["b2b3"] < 75
    assert 25 < choices(game, player(considered=1), last=5 * 12 + 3)["b2b3"] < 75


def test_as_many_moves_come_to_mind_as_are_considered_and_none_twice() -> None:
    game = Game(Level.load("04-jelly-garden"), 3)
    legal = [move.code for move in game.legal_moves]
    for considered in (1, 3, 100):
        moves = np.zeros(MOST_MOVES, np.int64)
        moves[: len(legal)] = legal
        count = recall_moves(
            game._record.level,
            new_rng(considered),
            moves,
            new_weights(),
            len(legal),
            NO_CELL,
            player(considered=considered),
        )
        assert count == min(considered, len(legal))
        assert sorted(moves[: len(legal)]) == sorted(legal)


# What is made of it


def test_who_considers_everything_takes_the_goal() -> None:
    assert choices(position(FIELD, **REDS), player(goals=1)) == {"b2b3": 100}


def test_who_considers_one_move_takes_what_came_to_mind() -> None:
    assert set(choices(position(FIELD, **REDS), player(goals=1, considered=1))) == {"b2b3", "c4c5"}


def test_goals_are_forgotten_until_late() -> None:
    """Three of nine reds are the progress of 6.7 moves of 20; five in a line are 1.1 more in points."""
    game = position(LINE_OF_FIVE, **REDS)
    forgetful = player(goals=0.5, points=1, late=0.5)
    assert choices(game, forgetful, moves_left=20) == {"c4c5": 100}
    assert choices(game, forgetful, moves_left=11) == {"c4c5": 100}
    assert choices(game, forgetful, moves_left=10) == {"b2b3": 100}
    assert choices(game, player(goals=0.5, points=1), moves_left=20) == {"b2b3": 100}


# A striped red in the reds' line; the blues make a striped candy.
SPECIALS = """
    o y p c m
    r= c r o y    <- b2b3: sets off
    m r y p c
    y p b m o
    c b o b b    <- c4c5: makes
    o y p c m
"""


def test_hoarders_keep_and_spenders_set_off() -> None:
    game = position(SPECIALS)
    assert choices(game, player(hoard=1)) == {"c4c5": 100}
    assert choices(game, player(spend=1)) == {"b2b3": 100}


def test_blockers_are_worth_their_layers() -> None:
    game = position(
        """
        o y p c  m
        r c r o  y
        m r y p  c
        y p b m  o
        c m o b  b    <- c4c5
        o y p #3 m
        """
    )
    assert choices(game, player(blockers=1)) == {"c4c5": 100}


def test_bombs_are_defused_by_who_watches() -> None:
    bomb = position(FIELD.replace("o b b", "o b3 b"))
    assert choices(bomb, player(watch=1)) == {"c4c5": 100}
    reds_first = player(goals=0.01, watch=0)
    assert choices(position(FIELD.replace("o b b", "o b3 b"), **REDS), reds_first) == {"b2b3": 100}


def test_a_win_in_sight_is_taken_by_everybody() -> None:
    """Even by who loves the other move, forgets the goals and errs."""
    game = position(LINE_OF_FIVE, goals={"orders": {"red": 3}})
    assert choices(game, player(points=9, hoard=9, late=1, error=5)) == {"b2b3": 100}


def test_errors_make_choices_vary() -> None:
    counted = choices(position(FIELD, **REDS), player(goals=0.5, error=3))
    assert counted["b2b3"] > counted["c4c5"] > 0


def test_boredom_grows_over_the_attempt() -> None:
    """Half of the bored moves are the goal's by chance: of 400, 5 % are bored early and 95 % late."""
    game, bored = position(FIELD, **REDS), player(goals=1, boredom=1)
    assert choices(game, bored, moves_left=20) == {"b2b3": 100}
    early, late = (choices(game, bored, times=400, moves_left=left)["c4c5"] for left in (19, 1))
    assert early / 400 == pytest.approx(0.05 / 2, abs=4 * np.sqrt(0.025 / 400))
    assert late / 400 == pytest.approx(0.95 / 2, abs=4 * np.sqrt(0.25 / 400))


# What is imagined


PAIR = """
    o y p c m
    r= c r o y
    m r y p c
    y p b+ b= o   <- c4d4: two specials
    c m o y p
    o y p c m
"""


def test_the_second_move_swaps_most_specials() -> None:
    game = position(PAIR)
    seen = {
        str(Move.from_code(int(follow_up(game.state, new_rng(seed), np.zeros(MOST_MOVES, np.int64)))))
        for seed in range(50)
    }
    assert seen == {"c4d4", "d4c4"}


@pytest.mark.parametrize(("deep", "moves_made"), [(False, 1), (True, 2)])
def test_imagination_plays_on_a_copy(deep: bool, moves_made: int) -> None:
    game, states = position(PAIR), new_state(SCRATCH + 1)
    states[GAME] = game.state
    later, code = np.zeros(MOST_MOVES, np.int64), Move.parse("b2b3").code
    imagine(game._record.level, states, new_rng(1), new_work(), later, code, deep)
    assert states[SCRATCH].moves_made == moves_made
    assert states[GAME].tobytes() == game.state.tobytes()


def test_no_second_move_after_the_end() -> None:
    game, states = position(PAIR, goals={"orders": {"red": 3}}), new_state(SCRATCH + 1)
    states[GAME] = game.state
    later, code = np.zeros(MOST_MOVES, np.int64), Move.parse("b2b3").code
    imagine(game._record.level, states, new_rng(1), new_work(), later, code, True)
    assert states[SCRATCH].moves_made == 1


def test_who_looks_deeper_sees_what_the_second_move_brings() -> None:
    """The blues let the striped candy sink beside the wrapped one: two go off in the second move."""
    game = position(
        """
        o y  p  c m
        y o  m= o y
        m r+ y  p c
        y p  b  m o
        c m  o  b b    <- c4c5
        o y= c  y p    <- c6c7: one goes off
        r p  y  m c
        """
    )
    assert choices(game, player(spend=1)) == {"c6c7": 100}
    assert choices(game, player(spend=1, deep=1)) == {"c4c5": 100}


def test_samples_make_a_lucky_refill_matter_less() -> None:
    """With candies for refills, both moves may start cascades: the larger sure gain wins more often."""
    game = position(LINE_OF_FIVE, drops=[])
    few, many = (choices(game, player(points=1, samples=n), times=200)["c4c5"] for n in (1, 12))
    assert 100 < few < many


# Chance


def plain(kernel: Any) -> Any:
    return getattr(kernel, "py_func", kernel)


def test_misreadings_have_a_deviation_of_one() -> None:
    rng = new_rng(6)
    errors = np.array([plain(_misreading)(rng) for _ in range(4000)])
    assert errors.mean() == pytest.approx(0, abs=4 / np.sqrt(4000))
    assert errors.std() == pytest.approx(1, abs=4 / np.sqrt(2 * 4000))


def test_places_are_from_one_side_to_the_other() -> None:
    assert [plain(_place)(k, 5) for k in range(5)] == [-1, -0.5, 0, 0.5, 1]
    assert plain(_place)(0, 1) == 0


def test_draws_follow_their_weights() -> None:
    rng, weights = new_rng(7), np.array([9.0, 1.0, 0.0, 3.0])
    drawn = Counter(plain(_draw_by_weight)(rng, weights, 1, 4) for _ in range(4000))
    assert set(drawn) == {1, 3}
    assert drawn[3] / 4000 == pytest.approx(0.75, abs=4 * np.sqrt(0.1875 / 4000))


# Any board, any player


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_any_planner_makes_a_legal_move_on_any_board_and_the_same_again(number: int) -> None:
    traits = draw_population(1, number, "planners").at_attempt(np.arange(1), 0)[0]
    game = Game(Level.model_validate(random_level(random.Random(number))), number)
    if game.status == "playing":
        chosen = choices(game, traits, times=3)
        assert chosen == choices(game, traits, times=3)
        assert {Move.parse(move).code for move in chosen} <= {move.code for move in game.legal_moves}
