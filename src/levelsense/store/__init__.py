"""The store: levels, runs and attempts in a database."""

from levelsense.store.database import DEFAULT_DATABASE, Database
from levelsense.store.recorder import Recorder
from levelsense.store.results import Run, Selection, Summary, attempts, runs, stored_level, summaries

__all__ = [
    "DEFAULT_DATABASE",
    "Database",
    "Recorder",
    "Run",
    "Selection",
    "Summary",
    "attempts",
    "runs",
    "stored_level",
    "summaries",
]
