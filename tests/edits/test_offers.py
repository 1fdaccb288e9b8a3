"""Which edits a level offers: in the wished direction, sound, symmetric, and away from kept cells."""

import pytest

from levelsense.advice import advise
from levelsense.edits.cells import parse_cells
from levelsense.edits.dials import dials, next_value, slope_of
from levelsense.edits.edit import KINDS, Wish, is_sound, made, merged, parse_kinds
from levelsense.edits.offers import offers
from levelsense.edits.symmetry import Symmetry
from levelsense.errors import LevelError, LevelsenseError
from levelsense.level.level import Level, bundled_levels
from tests.edits.drawn import drawn

MIRRORED = drawn(
    """
    .  .  .  .  .
    #2 .  .  .  #2
    .  .  .  .  .
    X  .  .  .  X
    """,
    jelly="""
    .  .  .  .  .
    .  .  2  .  .
    .  1  .  1  .
    1  .  .  .  1
    """,
)


def words(level: Level, wish: Wish) -> list[str]:
    return [edit.words for edit in offers(level, wish)]


def test_easier_takes_away_in_pairs() -> None:
    offered = words(MIRRORED, Wish(frozenset({"jelly", "blockers"})))
    assert "jelly gone at a4, e4" in offered
    assert "a layer of jelly less at c2" in offered
    assert "chocolate gone at a4, e4" in offered
    assert "a layer of icing less at a2, e2" in offered
    assert not [change for change in offered if "more" in change or "added" in change]
    assert not [change for change in offered if change.endswith((" at a4", " at e4"))]  # no half of a pair


def test_harder_adds() -> None:
    offered = words(MIRRORED, Wish(frozenset({"jelly", "blockers"}), easier=False))
    assert "a layer of jelly more at a4, e4" in offered
    assert "a layer of icing more at a2, e2" in offered
    assert any(change.startswith(("icing added", "chocolate added")) for change in offered)
    assert not [change for change in offered if "less" in change or "gone" in change]


def test_what_attempts_are_lost_by_comes_first() -> None:
    hot = {MIRRORED.index("a4"): 0.9, MIRRORED.index("e4"): 0.7}
    offered = words(MIRRORED, Wish(frozenset({"jelly", "blockers"}), heat=hot))
    assert offered[0] == "jelly gone at a4, e4"
    assert offered.index("chocolate gone at a4, e4") < offered.index("icing gone at a2, e2")


def test_kept_cells_stay() -> None:
    kept = parse_cells("a3:a4", MIRRORED)
    for easier in (True, False):
        for edit in offers(MIRRORED, Wish(keep=kept, easier=easier)):
            assert not kept & edit.difference.cells


@pytest.mark.parametrize("name", ["06-sweetheart", "16-licorice-walk", "28-crossed-wires", "40-archipelago"])
@pytest.mark.parametrize("easier", [True, False])
def test_edits_keep_a_symmetry_of_what_they_change(name: str, easier: bool) -> None:
    level = Level.load(name)
    layers = {"jelly": "jelly", "blockers": "blockers", "shape": "shape"}
    for edit in offers(level, Wish(frozenset(layers), easier=easier)):
        for kind in edit.kinds & layers.keys():
            before, after = (Symmetry(one, layers[kind]) for one in (level, edit.level))
            assert bool(after) >= bool(before), edit.words


@pytest.mark.parametrize("name", bundled_levels()[::4])
def test_edits_of_bundled_levels_can_be_won_and_change_what_they_say(name: str) -> None:
    level = Level.load(name)
    for easier in (True, False):
        wish = Wish(easier=easier)
        for edit in offers(level, wish):
            assert edit.level.digest != level.digest
            assert edit.size > 0
            assert not [advice for advice in advise(edit.level, 1) if advice.severity == "error"]
        for dial in dials(level, wish):
            up = dial.edit(level, dial.value(1.5 * dial.present))
            assert up is None or up.kinds == {dial.kind}


def test_only_allowed_kinds_are_changed() -> None:
    level = Level.load("30-grand-tour")
    for kind in KINDS:
        wish = Wish(frozenset({kind}))
        assert all(kind in edit.kinds for edit in offers(level, wish))
        assert all(dial.kind == kind for dial in dials(level, wish))


def test_a_goal_follows_the_blockers_that_are_left() -> None:
    level = drawn("#1 . #1\n. . .\n. . .", goals={"orders": {"icing": 2}, "score": 500})
    (gone,) = (edit for edit in offers(level, Wish(frozenset({"blockers"}))) if "gone" in edit.words)
    assert gone.level.asked == {"score": 500}
    alone = drawn("#1 . #1\n. . .\n. . .", goals={"orders": {"icing": 2}})
    assert not [edit for edit in offers(alone, Wish(frozenset({"blockers"}))) if "gone" in edit.words]


def test_more_warnings_than_before_are_not_sound() -> None:
    level = drawn(". . .\n. . .\n. . .", goals={"score": 500}, stars=[600, 700, 800])
    edit = made(level, lambda: Level.model_validate({**_data(level), "goals": {"score": 750}}))
    assert edit is not None
    assert not is_sound(edit)


def _data(level: Level) -> dict[str, object]:
    return level.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def test_two_edits_in_one() -> None:
    by_words = {edit.words: edit for edit in offers(MIRRORED, Wish())}
    one, other = by_words["chocolate gone at a4, e4"], by_words["a layer of jelly less at c2"]
    both = merged(one, other)
    assert both is not None
    assert both.words == "chocolate gone at a4, e4; a layer of jelly less at c2"
    assert merged(one, by_words["jelly gone at a4, e4"]) is None  # the same cells
    limit = dials(MIRRORED, Wish())[0].edit(MIRRORED, 25)
    assert limit is not None
    with_limit = merged(both, limit)
    assert with_limit is not None
    assert with_limit.level.moves == 25
    assert with_limit.difference.cells == both.difference.cells


def test_a_dial_knows_its_steps_and_ends() -> None:
    limit = dials(MIRRORED, Wish())[0]
    assert (limit.value(23.4), limit.value(1), limit.value(500)) == (23, 8, 50)
    seconds = dials(drawn(". . .\n. . .\n. . .", seconds=180), Wish())[0]
    assert seconds.value(188) == 190


def test_values_are_found_along_what_is_known() -> None:
    known = {10.0: -2.0, 40.0: 2.0}
    assert next_value(known, 0.0, 9.9) == pytest.approx(20)  # halfway over the logarithm
    assert next_value(known, 3.0, 2.0) == pytest.approx(40 * 2.718281828**0.5)
    assert next_value(known, 99.0, 2.0) == pytest.approx(40 * 2.718281828)  # no farther than one jump
    assert slope_of({1.0: 0.0, 2.718281828: 3.0, 7.389056099: 6.0}) == pytest.approx(3.0)


def test_words_for_cells_and_kinds() -> None:
    assert parse_cells("a1:b2, C3", MIRRORED) == {0, 1, 5, 6, 12}
    assert parse_cells("b2:a1", MIRRORED) == parse_cells("a1:b2", MIRRORED)
    assert parse_cells("", MIRRORED) == frozenset()
    for wrong in ("a", "a1:", "3a", "a1-b2"):
        with pytest.raises(LevelError, match="no cells; expected a cell such as a9"):
            parse_cells(wrong, MIRRORED)
    for wrong in ("a1:f2", "z3", "a1:b99", "a0"):
        with pytest.raises(LevelError, match="off the board; expected cells from a1 to e4"):
            parse_cells(wrong, MIRRORED)
    assert parse_kinds(["moves,jelly", "shape"]) == {"moves", "jelly", "shape"}
    assert parse_kinds([]) == set(KINDS)
    with pytest.raises(LevelsenseError, match="`allow` 'color': no kind of edit; expected some of moves"):
        parse_kinds(["color"])
