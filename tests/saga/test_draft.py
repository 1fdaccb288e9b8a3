"""Drafts: valid at any effort, and asking more the more effort is asked."""

from hypothesis import given, settings
from hypothesis import strategies as st

from levelsense.saga.compose import PLAIN_FROM, draft
from levelsense.saga.draft import Carried, Counted, Draft, Spread
from levelsense.saga.generate import is_sound
from levelsense.saga.schedule import introduced_at
from levelsense.saga.shapes import Shape

ROW = Shape("row", 3, 5, frozenset((row, column) for row in range(3) for column in range(5)))
LOWEST = (((2, 2),), ((2, 1), (2, 3)), ((2, 0), (2, 4)))


@given(st.integers(0, 10**9), st.integers(1, 9999), st.floats(0.02, 30), st.integers(0, 11))
@settings(max_examples=150, deadline=None)
def test_a_draft_is_a_valid_level_at_any_effort(seed: int, number: int, effort: float, again: int) -> None:
    drawn = draft(seed, number, again)
    level = drawn.level(effort, 30)
    assert level.name == f"Saga {number}"
    assert (level.seconds is not None) == drawn.timed
    assert 4 <= len(set(level.color_table)) <= 6
    assert 5 <= level.rows <= 12
    assert 5 <= level.columns <= 12


@given(st.integers(0, 10**9), st.integers(1, 9999))
@settings(max_examples=40, deadline=None)
def test_a_draft_asks_no_less_for_more_effort(seed: int, number: int) -> None:
    drawn = draft(seed, number)
    little, much = drawn.level(0.5).asked, drawn.level(2).asked
    assert little.keys() == much.keys()
    assert all(little[name] <= much[name] for name in little)


def test_drafts_are_the_same_every_time_and_differ_by_seed_number_and_try() -> None:
    assert draft(1, 700) == draft(1, 700)
    texts = {draft(*key).level().to_json() for key in ((1, 700), (2, 700), (1, 701), (1, 700, 1))}
    assert len(texts) == 4


def test_late_drafts_are_plain() -> None:
    """After many that were thrown away, a draft has nothing but its goals."""
    for number in range(505, 600):
        if introduced_at(number) is None:
            drawn = draft(5, number, PLAIN_FROM)
            assert not drawn.tokens
            assert not drawn.timed
            assert all(spread.asked for spread in drawn.spreads)


def test_a_draft_becomes_a_level() -> None:
    drawn = Draft(
        7,
        "By hand.",
        ROW,
        timed=False,
        moves=20,
        spreads=(
            Spread("jelly", LOWEST, 3, True, layers=2, core=0.3),
            Spread("icing", (((1, 0), (1, 4)),), 2),
        ),
        counted=(Counted("red", 12),),
        carried=(Carried("cherry", 2, (((0, 1), (0, 3)), ((0, 2),)), drawn=1, keep=2),),
        rest={"colors": 5},
    )
    level = drawn.level(1.0)
    assert level.board == (". . C . .", "#1 . . . #1", ". . . . .")
    assert level.jelly == (". . . . .", ". . . . .", ". 1 2 1 .")
    assert level.asked == {"jelly": 4, "cherry": 2, "red": 12}
    assert level.moves == 20
    assert level.drops[0].model_dump(exclude_none=True) == {"piece": "cherry", "keep": 2, "total": 1}
    harder = drawn.level(2.0, 9)
    assert harder.jelly[2] == "1 2 2 2 1", "five cells; a core of two lies between one and three"
    assert harder.asked == {"jelly": 8, "cherry": 4, "red": 25}
    assert harder.board == level.board, "icing that no goal asks for stays as it is"
    assert harder.moves == 9


def test_amounts_are_bounded_and_easy_to_read() -> None:
    assert [Counted("red", 30, 6, 120).amount(effort) for effort in (0.01, 0.5, 1.1, 100)] == [6, 15, 35, 120]
    assert Counted("score", 5000, 1500).amount(0.73) == 3500
    assert Carried("cherry", 3, (), 0, 1, most=8).amount(9) == 8


def test_most_drafts_give_a_designer_nothing_to_mend() -> None:
    assert sum(is_sound(draft(4, number).level()) for number in range(5, 1001, 20)) >= 48
