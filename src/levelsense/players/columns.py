"""Which column of a file holds what: by the caller's word, or by the names that such columns go by."""

from collections.abc import Mapping, Sequence
from typing import Final

from levelsense.errors import PlayersError

REQUIRED: Final = ("level", "attempts", "successes")

# What columns go by, besides the field's own name; compared in lower case, with _ for blanks and hyphens.
SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "level": ("level_id", "level_name", "lvl", "stage"),
    "attempts": ("attempt_count", "n_attempts", "num_attempts", "plays", "tries"),
    "successes": (
        "completions",
        "n_success",
        "n_successes",
        "num_success",
        "num_successes",
        "passes",
        "success",
        "success_count",
        "wins",
    ),
    "player": ("player_id", "playerid", "uid", "user", "user_id", "userid"),
    "date": ("day", "dt"),
    "cohort": ("group", "segment", "variant"),
    "moves_left": ("moves_remaining", "remaining_moves"),
    "boosters": ("booster_count", "boosters_used", "n_boosters", "num_boosters"),
}


def parse_column(word: str) -> tuple[str, str]:
    """The field and the header of `FIELD=HEADER`."""
    field, equals, header = word.partition("=")
    if not equals or field not in SYNONYMS or not header:
        raise PlayersError(f"--column {word}: expected FIELD=HEADER, FIELD one of {', '.join(SYNONYMS)}")
    return field, header


def parse_columns(words: Sequence[str]) -> dict[str, str]:
    """The headers of fields, from `FIELD=HEADER` each; PlayersError if one is wrong or given twice."""
    found: dict[str, str] = {}
    for field, header in map(parse_column, words):
        if field in found:
            raise PlayersError(f"--column {field}={header}: given twice; expected one column for {field}")
        found[field] = header
    return found


def choose_columns(name: str, headers: Sequence[str], told: Mapping[str, str]) -> dict[str, str]:
    """The header of each field that a file has, told or recognized; PlayersError if that is not clear."""
    problems = [
        f"{name}: no column {header!r} for {field}; there is {', '.join(headers)}"
        for field, header in told.items()
        if header not in headers
    ]
    free = [header for header in headers if header not in told.values()]
    chosen = dict(told)
    for field in SYNONYMS:
        if field in told:
            continue
        meant = _meant(field, free)
        if len(meant) > 1:
            problems.append(
                f"{name}: columns {', '.join(meant)} may all be {field}; say which by --column {field}=HEADER"
            )
        elif meant:
            chosen[field] = meant[0]
        elif field in REQUIRED:
            problems.append(
                f"{name}: no column for {field}; there is {', '.join(headers)}: "
                f"say which by --column {field}=HEADER"
            )
    if problems:
        raise PlayersError(problems)
    return {field: chosen[field] for field in SYNONYMS if field in chosen}


def _meant(field: str, headers: Sequence[str]) -> list[str]:
    """The headers that go by a field's own name, or else by another for it."""
    plain = {header: header.strip().lower().replace(" ", "_").replace("-", "_") for header in headers}
    own = [header for header in headers if plain[header] == field]
    return own or [header for header in headers if plain[header] in SYNONYMS[field]]
