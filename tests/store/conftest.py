"""Places for databases: a SQLite file, and a schema of its own on a private PostgreSQL server."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from tests.store.postgres import programs, server

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    folder = programs()
    if folder is None:
        # CI sets this: there, nothing is left out.
        assert not os.environ.get("LEVELSENSE_NEED_POSTGRES"), "PostgreSQL is not installed"
        pytest.skip("PostgreSQL is not installed (Debian: apt install postgresql)")
    with server(folder) as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The URL of an empty schema."""
    schema = f"test_{next(_numbers)}"
    engine = create_engine(postgres_server.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    engine.dispose()
    return f"{postgres_server}&options=-csearch_path%3D{schema}"


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """A file that is not there yet."""
    return str(tmp_path / "attempts.db")


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest) -> str:
    """Each kind of database in turn."""
    place: str = request.getfixturevalue(request.param)
    return place
