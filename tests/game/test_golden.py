"""Short games on bundled levels go as their transcripts say; `python -m tests.golden` writes those anew."""

import pytest

from levelsense.level.level import COUNTS, Level
from tests.golden import FOLDER, LEVELS, MOST_LINES, transcript


@pytest.mark.parametrize("name", LEVELS)
def test_a_game_goes_as_its_transcript_says(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert transcript(name).splitlines() == kept.splitlines(), (
        "if the rules were meant to change, run python -m tests.golden and judge the diff"
    )


def test_there_is_a_transcript_for_each_level_and_no_other() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(LEVELS)


def test_transcripts_are_short_enough_to_read() -> None:
    lengths = {path.stem: len(path.read_text().splitlines()) for path in FOLDER.glob("*.txt")}
    assert {name: n for name, n in lengths.items() if n > MOST_LINES} == {}


def test_the_levels_cover_every_kind_of_goal_and_rule_set() -> None:
    levels = [Level.load(name) for name in LEVELS]
    asked = {goal for level in levels for goal in level.asked}
    kinds = (
        "score",
        "jelly",
        "cherry",
        "hazelnut",
        "striped",
        "wrapped+wrapped",
        "color bomb+striped",
        "icing",
    )
    assert asked.issuperset((*kinds, "lock", "marmalade", "chocolate", "swirl", "countdown", "sugar"))
    assert asked <= {"score", *COUNTS}
    assert {level.rules for level in levels} == {"saga", "mcadams", "plain"}
    assert any(level.seconds for level in levels)
