"""Edits as a designer makes them: what a level offers to change, and what is different between two levels."""

from levelsense.edits.changes import Change
from levelsense.edits.difference import Difference, difference
from levelsense.edits.edit import KINDS, Edit

__all__ = ["KINDS", "Change", "Difference", "Edit", "difference"]
