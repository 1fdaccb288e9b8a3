"""The store: levels, runs, attempts and players' results in a database."""

from levelsense.store.database import DEFAULT_DATABASE, Database
from levelsense.store.measures import KeptMeasures, Measured
from levelsense.store.players import Counts, PlayerResults, Source
from levelsense.store.recorder import Recorder
from levelsense.store.results import (
    Run,
    Selection,
    Summary,
    attempt_tables,
    attempts,
    runs,
    stored_level,
    summaries,
)

__all__ = [
    "DEFAULT_DATABASE",
    "Counts",
    "Database",
    "KeptMeasures",
    "Measured",
    "PlayerResults",
    "Recorder",
    "Run",
    "Selection",
    "Source",
    "Summary",
    "attempt_tables",
    "attempts",
    "runs",
    "stored_level",
    "summaries",
]
