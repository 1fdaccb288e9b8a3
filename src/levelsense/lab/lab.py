"""What levelsense does, as a library: playtests, predictions, fits and pages, with one database behind them.

The command line, the studio, notebooks and clusters call these functions. Whatever they need from around them
is an argument: `progress` hears how far an action is, `note` hears sentences about what is being done, and
setting `stop` ends it early with everything kept that was played.

What an action needs is imported when it is called: a playtest waits neither for SciPy nor for charts.
"""

from levelsense.lab.editing import Editing
from levelsense.lab.fitting import Fitting
from levelsense.lab.players import Players
from levelsense.lab.reporting import Reporting


class Lab(Reporting, Editing, Fitting, Players):
    """Agents, players and predictions for levels, kept in one database.

    Levels are given as Level objects, files, folders, or names of bundled levels; agents by their specs.
    """
