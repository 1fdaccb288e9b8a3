"""The tutorial, followed from its first command to its last."""

from pathlib import Path

from tests.tutorial import PAGE, follow

COMMANDS = ["copy", "show", "check", "check", "play", "predict", "explain", "suggest", "compare"]


def test_the_tutorial_shows_what_is_printed(tmp_path: Path) -> None:
    """`python -m tests.tutorial` writes what is printed today into the page."""
    done = list(follow(PAGE.read_text("utf-8"), tmp_path))
    assert [step.command.split()[0] for step in done] == COMMANDS
    assert [step.printed for step in done] == [step.shown for step in done]
    assert {path.name for path in tmp_path.iterdir()} == {"mine.json", "tuned.json", "levelsense.db"}
