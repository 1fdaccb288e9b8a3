"""docs/statistics.md says what the program does."""

from pathlib import Path

from levelsense.playtest.skill_and_luck import LEAST_OF_EACH
from levelsense.playtest.statistics import ENOUGH, LEAST_WINS, STAR_SHARES

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"
WORDS = " ".join(PAGE.read_text("utf-8").split())


def test_numbers_on_the_page() -> None:
    assert f"Below {LEAST_WINS} wins none are" in WORDS
    assert f"fewer than {LEAST_OF_EACH} attempts won or lost" in WORDS
    assert "90, 50 and 10 %" in WORDS
    assert f"Below {ENOUGH} lost attempts no map is drawn" in WORDS
    assert f"the strongest agent that lost at least {ENOUGH} attempts" in WORDS
    assert STAR_SHARES == (0.90, 0.50, 0.10)
