"""How simulated players choose: what traits do, on drawn boards."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.game.game import Game, Move
from levelsense.game.moves import MOST_MOVES
from levelsense.people.simulated.impression import new_impression
from levelsense.people.simulated.mind import (
    ACUITY,
    CONTENT,
    ERROR,
    GOALS,
    HASTE,
    LOOKS,
    OBVIOUS,
    SPAN,
    SPECIALS,
    TRAITS,
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
    found = np.zeros(TRAITS)
    found[[LOOKS, SPAN, ACUITY, CONTENT]] = 20, 12, 1, 1000
    codes = {
        "looks": LOOKS,
        "span": SPAN,
        "acuity": ACUITY,
        "goals": GOALS,
        "specials": SPECIALS,
        "obvious": OBVIOUS,
        "error": ERROR,
        "content": CONTENT,
        "haste": HASTE,
    }
    for name, value in traits.items():
        found[codes[name]] = value
    return found


def choices(game: Game, traits: Any, times: int = 200, eye: int = 0) -> Counter[str]:
    """How often each move is chosen, by as many minds."""
    found: Counter[str] = Counter()
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
        found[str(Move.from_code(int(code)))] += 1
    return found


REDS: dict[str, Any] = {"goals": {"orders": {"red": 9}}}


def test_who_sees_everything_and_wants_the_goal_takes_it() -> None:
    assert choices(position(FIELD, **REDS), player(goals=1)) == {"b2b3": 200}


def test_a_special_beats_a_goal_for_who_loves_specials() -> None:
    drawing = FIELD.replace("c m o b b", "b b o b b")
    game = position(drawing, **REDS)
    assert choices(game, player(goals=1, specials=0)) == {"b2b3": 200}
    assert choices(game, player(goals=0.1, specials=2)) == {"c4c5": 200}


def test_error_makes_choices_vary() -> None:
    found = choices(position(FIELD, **REDS), player(goals=1, error=3))
    assert set(found) == {"b2b3", "c4c5"}
    assert found["b2b3"] > found["c4c5"]


def test_haste_takes_the_first_that_is_noticed() -> None:
    assert set(choices(position(FIELD, **REDS), player(goals=9, haste=1, acuity=0.5))) == {"b2b3", "c4c5"}


def test_who_is_content_early_misses_what_lies_elsewhere() -> None:
    game = position(FIELD, **REDS)
    sharp = choices(game, player(goals=1, span=1))
    content = choices(game, player(goals=1, span=1, content=-1))
    assert sharp["b2b3"] > 190
    assert 40 < content["b2b3"] < 160


def test_more_looks_find_more() -> None:
    game = position(FIELD, **REDS)
    found = [choices(game, player(goals=1, span=1, looks=looks))["b2b3"] for looks in (1, 4, 16)]
    assert found[0] < found[1] < found[2]


def test_the_obvious_lies_before_the_eye() -> None:
    game = position(FIELD)
    lower = choices(game, player(obvious=1, looks=1), eye=4 * 12 + 2)
    upper = choices(game, player(obvious=1, looks=1), eye=1 * 12 + 1)
    assert upper["b2b3"] > lower["b2b3"]


def test_who_notices_nothing_follows_a_hint() -> None:
    found = choices(position(FIELD, **REDS), player(goals=1, acuity=0))
    assert 60 < found["b2b3"] < 140


def test_uniform_numbers_are_uniform() -> None:
    rng = new_rng(5)
    drawn = np.array([uniform(rng) for _ in range(4000)])
    assert 0 <= drawn.min() < drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=4 / np.sqrt(12 * 4000))
