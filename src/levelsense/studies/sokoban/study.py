"""The study of Sokoban: levels that people played, agents' attempts at them, and what these tell."""

from typing import Final

from levelsense.studies.page import StudyPage
from levelsense.studies.run import StudyRun
from levelsense.studies.sokoban import sections
from levelsense.studies.sokoban.columns import play_levels
from levelsense.studies.sokoban.data import read_levels
from levelsense.studies.sokoban.fits import judge_models, make_table

NAME: Final = "sokoban"


def study(run: StudyRun) -> StudyPage:
    """Runs the study and gives its page."""
    assert run.data is not None
    levels = read_levels(run.data)
    table = make_table(levels, play_levels(run, levels))
    models = judge_models(run, table)
    page = StudyPage(NAME, "Sokoban: do agents' attempts tell how people fare?")
    sections.introduce(page, run, table, len(levels))
    sections.tell_columns(page, run)
    sections.tell_errors(page, models)
    sections.tell_additions(page, models, table)
    sections.tell_bands(page, models, table)
    sections.tell_choices(page)
    sections.conclude(page, models, table)
    page.heading("Time")
    page.text("Of all runs together, by the clock, on a machine that may have had other things to do.")
    page.table(("part", "minutes"), [(part, f"{seconds / 60:.1f}") for part, seconds in run.seconds.items()])
    return page
