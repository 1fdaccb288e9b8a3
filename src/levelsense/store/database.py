"""A levelsense database: opened, checked, made if need be; SQLite in a file, or PostgreSQL by its URL."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from levelsense.errors import StoreError
from levelsense.store.address import IN_MEMORY, file_of, parse_place, shown_name, without_secrets
from levelsense.store.schema import SCHEMA, SCHEMA_VERSION, upgrade

DEFAULT_DATABASE: Final = "levelsense.db"
_MADE_BY: Final = (
    "`levelsense playtest` makes one with agents' attempts, `levelsense players import` with people's results"
)
_BUSY_SECONDS: Final = 60.0
_POSTGRES_LOCK: Final = 0x6C76736E  # any number that other programs are unlikely to lock


class Database:
    """An open database. Close it, or use it in a `with` statement."""

    def __init__(self, place: str | Path = DEFAULT_DATABASE, *, make: bool = True) -> None:
        """Opens a file or a URL. Unless `make`, it must be there already. StoreError if it cannot be used.

        A SQLite file that may not be written, or lies in a folder that may not, is opened for reading only.
        """
        self._url = parse_place(str(place))
        self.name = shown_name(place)
        self._path = self._check_file(make)
        self._inode: tuple[int, int] | None = None
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self.is_read_only = self._path is not None and _is_read_only(self._path)
        self._engine = self._read_only_engine() if self.is_read_only else _engine(self._url, self.name)
        try:
            self._prepare(make)
        except BaseException:
            self.close()
            raise
        self._inode = self._inode_now()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()
        if self._copy is not None:
            self._copy.cleanup()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a SQLite file; otherwise it is PostgreSQL."""
        return self._url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in a transaction that only reads."""
        self._check_still_there()
        with self._driver_errors(), self._engine.connect() as connection:
            yield connection.execution_options(levelsense_reads=True)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction that is all done at the end of the block, or not at all."""
        if self.is_read_only:
            raise StoreError(
                f"{self.name}: cannot be written: the file or its folder is read-only; "
                "expected a database that may be written"
            )
        self._check_still_there()
        with self._driver_errors(), self._engine.begin() as connection:
            yield connection
        self._check_still_there()

    @contextmanager
    def _driver_errors(self) -> Iterator[None]:
        """Raises errors of the database driver as sentences of ours."""
        try:
            yield
        except SQLAlchemyError as error:
            raise StoreError(f"{self.name}: {without_secrets(_reason(error), self._url)}") from error

    def _inode_now(self) -> tuple[int, int] | None:
        """Which file is at the database's path; None if there is none, or no path."""
        try:
            status = self._path.stat() if self._path is not None else None
        except OSError:
            return None
        return (status.st_dev, status.st_ino) if status else None

    def _check_still_there(self) -> None:
        """StoreError if the file was taken away: SQLite would go on writing to one that has no name."""
        if self._inode is not None and self._inode_now() != self._inode:
            raise StoreError(
                f"{self.name}: deleted, moved or replaced while it was in use; what is written now would be "
                "lost: expected the file to stay in its place"
            )

    def _check_file(self, make: bool) -> Path | None:
        """The path of a SQLite file; says what is wrong with its place better than SQLite would."""
        path = file_of(self._url)
        if path is None:
            return None
        if path.is_dir():
            raise StoreError(f"{self.name}: a folder; expected a database file")
        if not path.exists():
            if not make:
                raise StoreError(f"{self.name}: no such database; {_MADE_BY}")
            if not path.parent.is_dir():
                raise StoreError(f"{self.name}: cannot be made: there is no folder {path.parent}")
            if not os.access(path.parent, os.W_OK | os.X_OK):
                folder = path.parent.absolute()
                raise StoreError(
                    f"{self.name}: cannot be made: the folder {folder} may not be written; "
                    "expected another folder to work in, or `database` in one that may"
                )
        return path.absolute()

    def _read_only_engine(self) -> Engine:
        """An engine for a file that may not be written, nor may files be made beside it.

        SQLite reads such a file together with those of a program that writes it. Without such a program, the
        file is all there is and does not change, or its journal is left over: then a copy is read.
        """
        assert self._path is not None
        engine = _file_engine(self._path, "mode=ro")
        if _can_read(engine):
            return engine
        engine.dispose()
        journal = _journal(self._path)
        if not journal.exists() or not journal.stat().st_size:
            return _file_engine(self._path, "mode=ro&immutable=1")
        return self._engine_of_copy()

    def _engine_of_copy(self) -> Engine:
        assert self._path is not None
        self._copy = tempfile.TemporaryDirectory(prefix="levelsense-")
        copy = Path(self._copy.name) / "copy.db"
        try:
            shutil.copyfile(self._path, copy)
            if _journal(self._path).exists():
                shutil.copyfile(_journal(self._path), _journal(copy))
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"{self.name}: cannot be read by way of a copy: {reason}") from None
        return _file_engine(copy, "mode=rw")

    def _prepare(self, make: bool) -> None:
        """Checks that the tables are ours; makes them in a new database, and what an older one lacks."""
        with self.reading() as connection:
            version = _version(connection, self.name)
        if version == SCHEMA_VERSION:
            return
        if version is None:
            if not make:
                raise StoreError(f"{self.name}: an empty database; {_MADE_BY}")
            with self._driver_errors():
                if self.is_sqlite and not self.is_read_only:
                    _write_ahead(self._engine)
        if self.is_read_only and version is not None and self._copy is None:
            # The file stays as it is; what reads it sees today's tables.
            self._engine.dispose()
            self._engine = self._engine_of_copy()
        if self.is_read_only and version is None:
            raise StoreError(f"{self.name}: an empty database that may not be written; {_MADE_BY}")
        with self._driver_errors(), self._engine.begin() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_POSTGRES_LOCK})"))
            # Somebody else may have made them since.
            upgrade(connection, _version(connection, self.name))


def _is_read_only(path: Path) -> bool:
    """Whether a file that is there may not be written, or no journal may be made beside it."""
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK))


def _journal(path: Path) -> Path:
    """Where SQLite keeps what is written and not yet in the file: beside what a symbolic link leads to."""
    target = path.resolve()
    return target.with_name(f"{target.name}-wal")


def _can_read(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            inspect(connection).get_table_names()
    except DBAPIError:
        return False
    return True


def _engine(url: URL, name: str) -> Engine:
    if url.get_backend_name() == "sqlite":
        if url.database == IN_MEMORY:
            # One connection is one database: all threads have to share it.
            shared = {"timeout": _BUSY_SECONDS, "check_same_thread": False}
            return _listened(create_engine(url, connect_args=shared, poolclass=StaticPool))
        return _listened(create_engine(url, connect_args={"timeout": _BUSY_SECONDS}))
    try:
        return create_engine(url)
    except ModuleNotFoundError:
        raise StoreError(
            f"{name}: needs a driver for PostgreSQL; install it by `pip install 'levelsense[postgres]'`"
        ) from None
    except SQLAlchemyError as error:
        raise StoreError(f"{name}: {without_secrets(_reason(error), url)}") from None


def _file_engine(path: Path, how: str) -> Engine:
    """An engine for a SQLite file that is there, opened as the query of SQLite's URI says."""
    uri = f"file:{quote(str(path))}?{how}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)

    return _listened(create_engine(URL.create("sqlite", database=str(path)), creator=connect))


def _listened(engine: Engine) -> Engine:
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _: Any) -> None:
    """Every transaction is begun by us (below): the driver's own way leaves some statements outside of any.

    A commit reaches the disk before it is called done, so that no power cut undoes it.
    """
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _on_begin(connection: Connection) -> None:
    """A writer takes its lock at once: one that reads first and then writes cannot wait for another's."""
    reads = connection.get_execution_options().get("levelsense_reads", False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _write_ahead(engine: Engine) -> None:
    """Sets the file's journal mode to WAL, where readers and a writer do not wait for each other."""
    connection = engine.raw_connection()
    try:
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                connection.cursor().execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError:
                # Two programs make the same file: for this pragma SQLite does not wait by itself.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
    finally:
        connection.close()


def _version(connection: Connection, name: str) -> int | None:
    """The version of the tables, None in a new database; StoreError if this program cannot use them."""
    tables = inspect(connection).get_table_names()
    if SCHEMA.name not in tables:
        if tables:
            shown = ", ".join(sorted(tables)[:3])
            raise StoreError(
                f"{name}: another program's database, with tables {shown}; expected a new or a levelsense one"
            )
        return None
    versions = connection.execute(select(SCHEMA.c.version)).scalars().all()
    if len(versions) != 1 or not isinstance(versions[0], int) or versions[0] < 1:
        stored = ", ".join(map(str, versions)) or "nothing"
        raise StoreError(
            f"{name}: a damaged database: table {SCHEMA.name} says {stored}; "
            f"expected one version from 1 to {SCHEMA_VERSION}"
        )
    version = versions[0]
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{name}: written by a newer levelsense (schema {version}); "
            f"this one reads schema {SCHEMA_VERSION}"
        )
    return version


def _reason(error: SQLAlchemyError) -> str:
    """The driver's own words, on one line."""
    words = str(error.orig if isinstance(error, DBAPIError) and error.orig else error)
    return " ".join(words.split()).rstrip(".")
