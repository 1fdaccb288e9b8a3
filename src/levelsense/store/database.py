"""A levelsense database: opened, checked, made if need be; SQLite in a file, or PostgreSQL by its URL."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from levelsense.errors import StoreError
from levelsense.store.schema import METADATA, SCHEMA, SCHEMA_VERSION, TABLES_SINCE

DEFAULT_DATABASE: Final = "levelsense.db"
IN_MEMORY: Final = ":memory:"
_MADE_BY: Final = (
    "`levelsense playtest` makes one with agents' attempts, `levelsense players import` with people's results"
)
_BUSY_SECONDS: Final = 60.0
_POSTGRES_LOCK: Final = 0x6C76736E  # any number that other programs are unlikely to lock


class Database:
    """An open database. Close it, or use it in a `with` statement."""

    def __init__(self, place: str | Path = DEFAULT_DATABASE, *, make: bool = True) -> None:
        """Opens a file or a URL. Unless `make`, it must be there already. StoreError if it cannot be used."""
        self._url = _url(str(place))
        self.name = shown_name(place)
        self._check_file(make)
        self._engine = _engine(self._url, self.name)
        try:
            self._prepare(make)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a SQLite file; otherwise it is PostgreSQL."""
        return self._url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection in a transaction that only reads."""
        with self._speaking(), self._engine.connect() as connection:
            yield connection.execution_options(levelsense_reads=True)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection in a transaction that is all done at the end of the block, or not at all."""
        with self._speaking(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """Turns what the driver raises into a sentence."""
        try:
            yield
        except SQLAlchemyError as error:
            raise StoreError(f"{self.name}: {_reason(error)}") from error

    def _check_file(self, make: bool) -> None:
        """Says what is wrong with a SQLite file's place better than SQLite would."""
        path = _file(self._url)
        if path is None:
            return
        if path.is_dir():
            raise StoreError(f"{self.name}: a folder; expected a database file")
        if not path.exists():
            if not make:
                raise StoreError(f"{self.name}: no such database; {_MADE_BY}")
            if not path.parent.is_dir():
                raise StoreError(f"{self.name}: cannot be made: there is no folder {path.parent}")

    def _prepare(self, make: bool) -> None:
        """Checks that the tables are ours; makes them in a new database, and what an older one lacks."""
        with self.reading() as connection:
            version = _version(connection, self.name)
        if version == SCHEMA_VERSION:
            return
        if version is None:
            if not make:
                raise StoreError(f"{self.name}: an empty database; {_MADE_BY}")
            with self._speaking():
                if self.is_sqlite:
                    _write_ahead(self._engine)
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_POSTGRES_LOCK})"))
            # Somebody else may have made them since.
            _make_tables(connection, _version(connection, self.name))


def shown_name(place: str | Path) -> str:
    """What messages call a database: never with its password."""
    url = _url(str(place))
    if url.get_backend_name() == "sqlite":
        return str(url.database or IN_MEMORY)
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def is_to_be_made(place: str | Path) -> bool:
    """Whether a place is that of a SQLite file that is not there yet."""
    path = _file(_url(str(place)))
    return path is not None and not path.exists()


def _file(url: URL) -> Path | None:
    """The file of a database, None if it is none or a name that only SQLite understands."""
    name = url.database or IN_MEMORY
    if url.get_backend_name() != "sqlite" or name == IN_MEMORY or name.startswith("file:"):
        return None
    return Path(name)


def _url(place: str) -> URL:
    """The URL of a database given by file or URL."""
    if "://" not in place:
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except ArgumentError:
        raise StoreError("the database's URL cannot be read; expected postgresql://user@host/name") from None
    backend = url.drivername.partition("+")[0]
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite":
        return url.set(drivername="sqlite")
    raise StoreError(
        f"{backend}: not a kind of database that is supported; expected a file or a postgresql:// URL"
    )


def _engine(url: URL, name: str) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS})
        event.listen(engine, "connect", _on_connect)
        event.listen(engine, "begin", _on_begin)
        return engine
    try:
        return create_engine(url)
    except ModuleNotFoundError:
        raise StoreError(
            f"{name}: needs a driver for PostgreSQL; install it by `pip install 'levelsense[postgres]'`"
        ) from None


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
        told = ", ".join(map(str, versions)) or "nothing"
        raise StoreError(
            f"{name}: a damaged database: table {SCHEMA.name} says {told}; "
            f"expected one version from 1 to {SCHEMA_VERSION}"
        )
    version = versions[0]
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{name}: written by a newer levelsense (schema {version}); "
            f"this one reads schema {SCHEMA_VERSION}"
        )
    return version


def _make_tables(connection: Connection, version: int | None) -> None:
    """Makes the tables that a database of a version lacks; those it has stay as they are."""
    if version is None:
        METADATA.create_all(connection)
        connection.execute(SCHEMA.insert().values(version=SCHEMA_VERSION))
    elif version < SCHEMA_VERSION:
        for older in range(version, SCHEMA_VERSION):
            METADATA.create_all(connection, tables=TABLES_SINCE[older])
        connection.execute(SCHEMA.update().values(version=SCHEMA_VERSION))


def _reason(error: SQLAlchemyError) -> str:
    """The driver's own words, on one line."""
    words = str(error.orig if isinstance(error, DBAPIError) and error.orig else error)
    return " ".join(words.split()).rstrip(".")
