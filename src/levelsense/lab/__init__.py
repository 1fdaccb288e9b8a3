"""The Lab: what levelsense does, as a library: playtests, predictions, fits and pages, with one database.

The command line, the studio, notebooks and clusters call these functions. Whatever they need from around them
is an argument: `progress` is called with how far an action is, `note` with sentences about what is being
done, and setting `stop` ends it early with everything kept that was played.

What an action needs is imported when it is called: a playtest waits neither for SciPy nor for charts.
"""

from levelsense.lab.editing import Editing
from levelsense.lab.fitting import Fitting
from levelsense.lab.level_files import copy_level, write_new_level
from levelsense.lab.players import Players
from levelsense.lab.reporting import Reporting, evaluation_page, playtest_page
from levelsense.lab.run import Progress

__all__ = ["Lab", "Progress", "copy_level", "evaluation_page", "playtest_page", "write_new_level"]


class Lab(Reporting, Editing, Fitting, Players):
    """Agents, players and predictions for levels, kept in one database.

    Levels are given as Level objects, files, folders, or names of bundled levels; agents by their specs.
    """
