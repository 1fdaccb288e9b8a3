"""The study of McAdams' beam search: everything played, and its page."""

from typing import Final

from levelsense.studies.mcadams import reasons, sections
from levelsense.studies.mcadams.cells import play_cells
from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun

NAME: Final = "mcadams"


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    cells = play_cells(run)
    page = StudyPage(NAME, "McAdams: a beam search against random play")
    sections.introduce(page, run)
    sections.tell_scores(page, cells)
    sections.tell_legal_moves(page, cells)
    sections.tell_random(page, cells)
    sections.tell_heuristics(page, cells)
    sections.tell_depth(page, cells)
    sections.tell_sorting(page, cells)
    reasons.tell_reasons(page, cells)
    reasons.conclude(page, cells)
    return page
