"""The study of CandyCrush.ai: everything played and trained, and its page."""

from typing import Final

from levelsense.studies.candycrushai import sections
from levelsense.studies.candycrushai.cells import play_all
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

NAME: Final = "candycrushai"


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    results = play_all(run)
    page = StudyPage(NAME, "CandyCrush.ai: five agents play for score")
    sections.introduce(page, run)
    sections.tell_averages(page, results)
    sections.tell_order(page, results)
    sections.tell_network(page, results)
    sections.tell_times(page, results)
    sections.conclude(page, results, run.seconds)
    return page
