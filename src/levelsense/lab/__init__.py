"""The Lab: what levelsense does, as a library for the command line, the studio, notebooks and clusters."""

from levelsense.lab.lab import Lab
from levelsense.lab.level_files import copy_level, write_new_level
from levelsense.lab.reporting import evaluation_page, playtest_page
from levelsense.lab.run import Progress

__all__ = ["Lab", "Progress", "copy_level", "evaluation_page", "playtest_page", "write_new_level"]
