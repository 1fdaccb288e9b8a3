"""The output of `levelsense verify`: each damaged item, then what was checked."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from levelsense.cli.terminal.screen import screen
from levelsense.store import Database
from levelsense.store.verify import Verified, verify


def run_verification(database: Database, sample: int | None, seed: int, threads: int | None) -> Verified:
    """Verifies a database and prints damage as it is found, then a summary."""
    console = screen()

    def print_damage(sentence: str) -> None:
        console.print(f"damaged: {sentence}", soft_wrap=True)

    checked = verify(database, sample, seed, threads, print_damage)
    for sentence in verified_words(database, checked, sample):
        console.print(sentence, soft_wrap=True)
    return checked


def verified_words(database: Database, checked: Verified, sample: int | None) -> Sequence[str]:
    """The summary of a verification in sentences: what was checked, and how much is damaged."""
    page = (
        "SQLite checked its pages and the order of its rows"
        if database.is_sqlite
        else "its files are the server's matter, and were not checked"
    )
    words = [
        f"{database.name}: {page}",
        f"levels: {_counted(checked.levels, 'digest')} computed anew; "
        f"{_counted(checked.runs, 'run')} looked at",
        f"rows: {_counted(checked.attempts, 'attempt')} and {_counted(checked.results, 'result')} of players "
        f"read, {_counted(checked.sums, 'checksum')} computed anew",
    ]
    if checked.without_sum:
        words.append(f"rows without a checksum, of an older version: {checked.without_sum:,}")
    words.append(f"played again: {_counted(checked.replayed, 'attempt')}{_share(checked, sample)}")
    words += [
        f"not played again: {_counted(count, 'attempt')} {why}" for why, count in checked.not_replayed.items()
    ]
    words.append(
        f"damaged: {checked.damaged:,}" if checked.damaged else "nothing is damaged, as far as that shows"
    )
    return words


def _share(checked: Verified, sample: int | None) -> str:
    replayable = checked.attempts - sum(checked.not_replayed.values())
    if sample is None or checked.replayed >= replayable:
        return ", all that can be" if checked.not_replayed else ", all of them" if replayable else ""
    return f" of {replayable:,}; --all plays all of them"


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def verified_data(
    database: Database, sample: int | None, seed: int, threads: int | None
) -> tuple[dict[str, Any], int]:
    """A verification as `levelsense verify --json` prints it, and how much is damaged."""
    damage: list[str] = []
    checked = verify(database, sample, seed, threads, damage.append)
    return {"database": database.name, **dataclasses.asdict(checked), "damage": damage}, checked.damaged
