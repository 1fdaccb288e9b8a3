"""What `levelsense verify` says: each thing that is damaged, then what was looked at."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from levelsense.cli.terminal.screen import screen
from levelsense.store import Database
from levelsense.store.verify import Verified, verify


def run_verification(database: Database, sample: int | None, seed: int, threads: int | None) -> Verified:
    """Verifies a database and says what was found, damage first and as it is found."""
    console = screen()

    def tell(sentence: str) -> None:
        console.print(f"damaged: {sentence}", soft_wrap=True)

    found = verify(database, sample, seed, threads, tell)
    for sentence in verified_words(database, found, sample):
        console.print(sentence, soft_wrap=True)
    return found


def verified_words(database: Database, found: Verified, sample: int | None) -> Sequence[str]:
    """Sentences about what was looked at, and how it is."""
    page = (
        "SQLite checked its pages and the order of its rows"
        if database.is_sqlite
        else "its files are the server's matter, and were not checked"
    )
    words = [
        f"{database.name}: {page}",
        f"levels: {_counted(found.levels, 'digest')} computed anew; {_counted(found.runs, 'run')} looked at",
        f"rows: {_counted(found.attempts, 'attempt')} and {_counted(found.results, 'result')} of players "
        f"read, {_counted(found.sums, 'checksum')} computed anew",
    ]
    if found.without_sum:
        words.append(f"rows without a checksum, of an older version: {found.without_sum:,}")
    words.append(f"played again: {_counted(found.replayed, 'attempt')}{_share(found, sample)}")
    words += [
        f"not played again: {_counted(count, 'attempt')} {why}" for why, count in found.not_replayed.items()
    ]
    words.append(
        f"damaged: {found.damaged:,}" if found.damaged else "nothing is damaged, as far as that shows"
    )
    return words


def _share(found: Verified, sample: int | None) -> str:
    able = found.attempts - sum(found.not_replayed.values())
    if sample is None or found.replayed >= able:
        return ", all that can be" if found.not_replayed else ", all of them" if able else ""
    return f" of {able:,}; --all plays all of them"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def verified_data(
    database: Database, sample: int | None, seed: int, threads: int | None
) -> tuple[dict[str, Any], int]:
    """The same as `levelsense verify --json` prints it, and how much is damaged."""
    damage: list[str] = []
    found = verify(database, sample, seed, threads, damage.append)
    return {"database": database.name, **dataclasses.asdict(found), "damage": damage}, found.damaged
