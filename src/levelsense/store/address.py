"""Where a database is, a SQLite file or a PostgreSQL URL, and what may be said of it: nothing secret."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from levelsense.errors import StoreError, is_text

IN_MEMORY: Final = ":memory:"
HIDDEN: Final = "***"
_BESIDE: Final = ("", "-wal", "-shm", "-journal")  # how the names of a SQLite database's files end
# What a URL's query may say in public. Whatever else it says is hidden: libpq takes passwords by many names.
_PUBLIC: Final = frozenset(
    (
        "application_name",
        "connect_timeout",
        "dbname",
        "host",
        "hostaddr",
        "port",
        "service",
        "sslmode",
        "user",
    )
)
_UNREADABLE: Final = (
    "the database's URL cannot be read; expected postgresql://user@host/name, "
    "with %40 for an @ in a password and %2F for a /"
)
# What was meant for libpq, but would be taken for the name of a file: it may hold a password.
_NO_FILE: Final = re.compile(r"\s*(postgres(ql)?(\+\w+)?:)|.*\bpassword\s*=", re.IGNORECASE | re.DOTALL)

# A URL within a text, up to the quotes and brackets that close around it.
_URL: Final = re.compile(r"[\w+.-]{0,30}://\S*?(?=['\")\]}>,;]*(?:\s|\Z))")


def parse_place(place: str) -> URL:
    """The URL of a database given by file or URL; StoreError, which does not repeat it, if there is none."""
    if "://" not in place:
        if _NO_FILE.match(place):
            raise StoreError(_UNREADABLE)
        return URL.create("sqlite", database=place)
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        raise StoreError(_UNREADABLE) from None
    backend = url.drivername.partition("+")[0]
    if backend == "sqlite":
        return url.set(drivername="sqlite")
    if backend not in ("postgresql", "postgres"):
        raise StoreError(
            f"{backend}: not a kind of database that is supported; expected a file or a postgresql:// URL"
        )
    if "@" in f"{url.host}{url.database}" or not is_text(place):
        # The rest of a password that has an @ in it, or bytes that no driver takes.
        raise StoreError(_UNREADABLE)
    return url.set(drivername="postgresql+psycopg")


def shown_name(place: str | Path) -> str:
    """What messages call a database: never with its password, wherever in the URL that stands."""
    url = parse_place(str(place))
    if url.get_backend_name() == "sqlite":
        return str(url.database or IN_MEMORY)
    bare = url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)
    query = [
        f"{name}={quote(value, safe='/') if name in _PUBLIC else HIDDEN}"
        for name, value in _query_values(url)
    ]
    return f"{bare}?{'&'.join(query)}" if query else bare


def without_secrets(sentence: str, url: URL) -> str:
    """What a driver says, without what is hidden of a URL."""
    hidden = [value for name, value in _query_values(url) if name not in _PUBLIC]
    for secret in (str(url.password or ""), *hidden):
        if secret:
            sentence = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", HIDDEN, sentence)
    return sentence


def public_command(words: Sequence[str]) -> str:
    """A command as it was typed, with every URL in it as messages show it; bytes of no text as escapes."""
    return shlex.join(_public_word(word) for word in words).encode(errors="backslashreplace").decode()


def public_text(text: str, words: Sequence[str] = ()) -> str:
    """A text with every URL in it as messages show it, without what is hidden of the words of a command."""
    for word in words:
        public = _public_word(word)
        if public != word:
            value, shown = _option_value(word)[1], _option_value(public)[1]
            # As it is, and as a traceback shows it.
            for form in (value, repr(value)[1:-1]):
                text = text.replace(form, shown)
            with suppress(StoreError):
                text = without_secrets(text, parse_place(value))
    return _URL.sub(lambda url: _public_word(url[0]), text)


def _public_word(word: str) -> str:
    option, value = _option_value(word)
    if "://" not in value and not _NO_FILE.match(value):
        return word
    try:
        return f"{option}{shown_name(value)}"
    except StoreError:
        return f"{option}{HIDDEN}"


def _option_value(word: str) -> tuple[str, str]:
    """The `--option=` that a word of a command begins with, if it does, and the rest."""
    option, equals, value = word.partition("=") if word.startswith("--") else ("", "", word)
    return f"{option}{equals}", value


def _query_values(url: URL) -> Iterator[tuple[str, str]]:
    for name, values in url.query.items():
        for value in (values,) if isinstance(values, str) else values:
            yield name, value


def file_of(url: URL) -> Path | None:
    """The file of a database, None if it is none or a name that only SQLite understands."""
    name = url.database or IN_MEMORY
    if url.get_backend_name() != "sqlite" or name == IN_MEMORY or name.startswith("file:"):
        return None
    return Path(name)


def is_to_be_made(place: str | Path) -> bool:
    """Whether a place is that of a SQLite file that is not there yet."""
    path = file_of(parse_place(str(place)))
    return path is not None and not path.exists()


def is_file_of(path: str | Path, place: str | Path) -> bool:
    """Whether a path, by whatever name, is a file of a SQLite database, which may be still to make."""
    url = parse_place(str(place))
    if url.get_backend_name() != "sqlite" or not url.database or url.database == IN_MEMORY:
        return False
    names = [url.database]
    if url.database.startswith("file:"):
        names.append(unquote(urlsplit(url.database).path))
    return any(_is_same(path, f"{os.path.realpath(name)}{end}") for name in names for end in _BESIDE)


def _is_same(path: str | Path, other: str) -> bool:
    try:
        return Path(path).samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(path) == other
