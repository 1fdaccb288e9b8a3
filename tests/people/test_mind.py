"""How simulated players choose: what traits do, on drawn boards."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES, distance_between
from levelsense.people.simulated.impression import new_impression
from levelsense.people.simulated.mind import (
    ACUITY,
    ALARM,
    CONTENT,
    ERROR,
    GOALS,
    HASTE,
    LOOKS,
    OBVIOUS,
    PURPOSE,
    SPAN,
    SPECIALS,
    TRAITS,
    _appeal,
    _error,
    _shift_eye,
    choose,
    new_noticed,
    uniform,
)
from levelsense.rng import new_rng
from tests.game.drawn import position

# Three reds above, three blues below; nothing else can be made.
FIELD = """
    o y p c m
    r c r o y    <- b2b3
    m r y p c
    y p b m o
    c m o b b    <- c4c5
    o y p c m
"""


def player(**traits: float) -> Any:
    """Somebody who sees everything and errs in nothing, but for the traits given."""
    vector = np.zeros(TRAITS)
    vector[[LOOKS, SPAN, ACUITY, CONTENT]] = 20, 12, 1, 1000
    codes = {
        "looks": LOOKS,
        "span": SPAN,
        "acuity": ACUITY,
        "goals": GOALS,
        "specials": SPECIALS,
        "obvious": OBVIOUS,
        "alarm": ALARM,
        "error": ERROR,
        "content": CONTENT,
        "haste": HASTE,
    }
    for name, value in traits.items():
        vector[codes[name]] = value
    return vector


def choices(game: Game, traits: Any, times: int = 200, eye: int = 0) -> Counter[str]:
    """How often each move is chosen, by as many minds."""
    counts: Counter[str] = Counter()
    for seed in range(times):
        noticed = new_noticed()
        noticed[-1] = eye
        code = choose(
            game._record.level,
            game.state,
            new_rng(seed),
            np.zeros(MOST_MOVES, np.int64),
            noticed,
            new_impression(),
            traits,
        )
        assert noticed[-1] == int(code) // 2
        counts[str(Move.from_code(int(code)))] += 1
    return counts


REDS: dict[str, Any] = {"goals": {"orders": {"red": 9}}}


def test_who_sees_everything_and_wants_the_goal_takes_it() -> None:
    assert choices(position(FIELD, **REDS), player(goals=1)) == {"b2b3": 200}


def test_a_special_beats_a_goal_for_who_loves_specials() -> None:
    drawing = FIELD.replace("c m o b b", "b b o b b")
    game = position(drawing, **REDS)
    assert choices(game, player(goals=1, specials=0)) == {"b2b3": 200}
    assert choices(game, player(goals=0.1, specials=2)) == {"c4c5": 200}


def test_a_bomb_alarms_and_four_are_more_than_three() -> None:
    bomb = position(FIELD.replace("o b b", "o b2 b"))
    assert choices(bomb, player(alarm=1)) == {"c4c5": 200}
    four = position(FIELD.replace("r c r o", "r c r r"))
    assert choices(four, player()) == {"b2b3": 200}


def test_error_makes_choices_vary() -> None:
    shares = choices(position(FIELD, **REDS), player(goals=1, error=3))
    assert set(shares) == {"b2b3", "c4c5"}
    assert shares["b2b3"] > shares["c4c5"]


def test_haste_takes_the_first_that_is_noticed() -> None:
    assert set(choices(position(FIELD, **REDS), player(goals=9, haste=1, acuity=0.5))) == {"b2b3", "c4c5"}


def test_who_is_content_early_misses_what_lies_elsewhere() -> None:
    game = position(FIELD, **REDS)
    sharp = choices(game, player(goals=1, span=1))
    content = choices(game, player(goals=1, span=1, content=-1))
    assert sharp["b2b3"] > 190
    assert 40 < content["b2b3"] < 160


def test_good_enough_is_what_content_says() -> None:
    """Three reds are worth 3; blues on jelly are worth 6. Who wants 2 takes either, who wants 5 not."""
    drawing = FIELD.replace("o b b", "o' b' b'")
    goals: dict[str, Any] = {"goals": {"jelly": "all", "orders": {"red": 9, "blue": 9}}}
    game = position(drawing, **goals)
    modest, choosy = (choices(game, player(goals=1, span=1, content=content)) for content in (2, 5))
    assert 40 < modest["c4c5"] < 160
    assert choosy["c4c5"] > 190


def test_more_looks_find_more() -> None:
    game = position(FIELD, **REDS)
    shares = [choices(game, player(goals=1, span=1, looks=looks))["b2b3"] for looks in (1, 4, 16)]
    assert shares[0] < shares[1] < shares[2]


def test_the_obvious_lies_before_the_eye() -> None:
    game = position(FIELD)
    lower = choices(game, player(obvious=1, looks=1), eye=4 * 12 + 2)
    upper = choices(game, player(obvious=1, looks=1), eye=1 * 12 + 1)
    assert upper["b2b3"] > lower["b2b3"]


def test_who_notices_nothing_follows_a_hint() -> None:
    shares = choices(position(FIELD, **REDS), player(goals=1, acuity=0))
    assert 60 < shares["b2b3"] < 140


def test_uniform_numbers_are_uniform() -> None:
    rng = new_rng(5)
    drawn = np.array([uniform(rng) for _ in range(4000)])
    assert 0 <= drawn.min() < drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=4 / np.sqrt(12 * 4000))


# Kernels that only kernels call, as plain Python


def plain(kernel: Any) -> Any:
    return getattr(kernel, "py_func", kernel)


def test_errors_have_a_deviation_of_one() -> None:
    """Of a sum of three uniform numbers, which has a variance of a quarter, twice."""
    rng = new_rng(6)
    errors = np.array([plain(_error)(rng) for _ in range(4000)])
    assert errors.mean() == pytest.approx(0, abs=4 / np.sqrt(4000))
    assert errors.std() == pytest.approx(1, abs=4 / np.sqrt(2 * 4000))
    assert np.abs(errors).max() <= 3


def test_the_distance_is_that_of_a_chess_king() -> None:
    assert plain(distance_between)(2 * 12 + 3, 5 * 12 + 7) == 4
    assert plain(distance_between)(5 * 12 + 3, 1 * 12 + 2) == 4


def test_what_an_impression_is_worth_by_hand() -> None:
    """Size 4, 2 goals, half a special, danger 1/4; half as obvious at three cells, not at all at nine."""
    traits, impression = player(goals=1, specials=4, alarm=8, obvious=10), np.array([4, 2, 0.5, 0.25])
    worth = 2 + 4 * 0.5 + 8 * 0.25 + 0.4 * (4 - 3)
    assert plain(_appeal)(traits, impression, 3) == pytest.approx(worth + 10 * 0.5)
    assert plain(_appeal)(traits, impression, 9) == pytest.approx(worth)


@pytest.mark.parametrize("purpose", [0, 1])
def test_the_eye_stays_on_the_board_and_goes_where_there_is_work(purpose: int) -> None:
    """Of 30 cells one has jelly. Half of the looks stay near; of the others a purpose gives four tries."""
    game, rng = position(FIELD.replace("m r y p c", "m r y p' c"), **REDS), new_rng(8)
    traits = player()
    traits[PURPOSE] = purpose
    eyes = [
        plain(_shift_eye)(game._record.level, game.state, rng, traits, 5 * 12 + 4) for _ in range(4000)
    ]  # from the lower right corner
    assert {eye // 12 for eye in eyes} == set(range(6))
    assert {eye % 12 for eye in eyes} == set(range(5))
    near = 1 / (7 * 7)  # the jelly lies one column to the left and three rows up
    anywhere = 1 - (29 / 30) ** 4 if purpose else 1 / 30
    share = eyes.count(2 * 12 + 3) / 4000
    assert share == pytest.approx(0.5 * near + 0.5 * anywhere, abs=4 * np.sqrt(0.06 / 4000))
