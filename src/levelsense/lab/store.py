"""The database of a Lab: where its actions keep what they play, and find it again."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from levelsense.playtest.plan import Sink
from levelsense.store import Database, Recorder
from levelsense.store.address import IN_MEMORY, is_to_be_made, shown_name


class LabStore:
    """The base class of the parts of the Lab: one database, opened for each action."""

    def __init__(self, database: str | Path | None = None, *, command: str | None = None) -> None:
        """`database` is a file or a PostgreSQL URL; without one all is kept in memory, as long as this lives.

        `command` is noted with runs in the database, so that they can be told apart later.
        """
        self.database = IN_MEMORY if database is None else str(database)
        self._memory = Database(IN_MEMORY) if database is None else None
        self._turn = threading.RLock()  # threads use what is in memory one after the other
        self._command = command

    def __repr__(self) -> str:
        return "<Lab in memory>" if self._memory else f"<Lab {shown_name(self.database)}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_new(self) -> bool:
        """Whether there is no database yet: it is made when something is first kept."""
        return self._memory is None and is_to_be_made(self.database)

    def close(self) -> None:
        """Forgets what is kept in memory; a database file needs no closing."""
        if self._memory is not None:
            self._memory.close()

    @contextmanager
    def _open(self, make: bool = True) -> Iterator[Database]:
        """The database, for one action: between actions no file is held open."""
        if self._memory is not None:
            with self._turn:
                yield self._memory
            return
        with Database(self.database, make=make) as database:
            yield database

    def _sinks(self, database: Database) -> Callable[[], Sink]:
        return lambda: Recorder(database, self._command)
