"""From the tables of an older schema to today's: what is stored stays."""

import shlex
from contextlib import suppress

from sqlalchemy import Column, Connection, bindparam, inspect, select, text
from sqlalchemy.schema import CreateColumn

from levelsense.store.address import public_command
from levelsense.store.schema import COLUMNS_SINCE, METADATA, RUNS, SCHEMA, SCHEMA_VERSION, TABLES_SINCE

_WITHOUT_SECRETS = 3  # from this schema on, commands are stored without what is secret in a URL's query


def upgrade(connection: Connection, version: int | None) -> None:
    """Makes what a database of a version lacks, all tables if it has none (None)."""
    if version is None:
        METADATA.create_all(connection)
        connection.execute(SCHEMA.insert().values(version=SCHEMA_VERSION))
    elif version < SCHEMA_VERSION:
        for older in range(version, SCHEMA_VERSION):
            METADATA.create_all(connection, tables=TABLES_SINCE[older])
            for column in COLUMNS_SINCE[older]:
                _add_column(connection, column)
        if version < _WITHOUT_SECRETS:
            _hide_secrets(connection)
        connection.execute(SCHEMA.update().values(version=SCHEMA_VERSION))


def _add_column(connection: Connection, column: Column[int]) -> None:
    """Adds a column to a table, unless the table was just made with it. Its values are null."""
    name = column.table.name
    if column.name in {there["name"] for there in inspect(connection).get_columns(name)}:
        return
    written = CreateColumn(column).compile(dialect=connection.dialect)
    connection.execute(text(f"ALTER TABLE {name} ADD COLUMN {written}"))


def _hide_secrets(connection: Connection) -> None:
    """Takes passwords out of the commands of runs, where a URL's query had them."""
    commands = connection.execute(select(RUNS.c.run, RUNS.c.command).where(RUNS.c.command.is_not(None))).all()
    statement = RUNS.update().where(RUNS.c.run == bindparam("of_run")).values(command=bindparam("public"))
    for run, command in commands:
        # A command that is no shell's stays as it is.
        with suppress(ValueError):
            public = public_command(shlex.split(command))
            if "://" in command and public != command:
                connection.execute(statement, {"of_run": run, "public": public})
