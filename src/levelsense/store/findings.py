"""What `verify` counts and reports while it looks through a database: a sentence for each damaged row."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from levelsense.store.reading import Damage, Part
from levelsense.store.schema import with_checksums

OnDamage = Callable[[str], None]
RowWords = Callable[[Mapping[str, Any]], str]


@dataclass
class Verified:
    """How much was looked at, and how much of it is damaged.

    `sums` counts rows whose checksum was computed anew, `without_sum` those that older versions stored
    without one; `not_replayed` says why attempts cannot be played again, and how many those are.
    """

    levels: int = 0
    runs: int = 0
    attempts: int = 0
    results: int = 0
    sums: int = 0
    without_sum: int = 0
    replayed: int = 0
    damaged: int = 0
    not_replayed: Counter[str] = field(default_factory=Counter)


class Findings:
    """Counts what was checked, and reports what is damaged, in a sentence each."""

    def __init__(self, on_damage: OnDamage) -> None:
        self.counts = Verified()
        self._on_damage = on_damage

    def report(self, sentence: str) -> None:
        """Counts and reports one thing that is damaged."""
        self.counts.damaged += 1
        self._on_damage(sentence)

    def report_part(
        self,
        part: Part,
        damage: Sequence[Damage],
        columns: Sequence[str],
        words: RowWords,
        differences: Mapping[int, str] | None = None,
    ) -> None:
        """Reports each damaged row of a part; `words` say which row it is, from its values by column.

        `damage`, and the `differences` to attempts that were played again, are by rows of the part's table.
        """
        sentences: dict[int, list[str]] = {}
        for each in part.damage:
            sentences.setdefault(each.row, []).append(each.words)
        for each in damage:
            sentences.setdefault(part.numbers[each.row], []).append(each.words)
        for row, difference in (differences or {}).items():
            sentences.setdefault(part.numbers[row], []).append(difference)
        for number, of_row in sorted(sentences.items()):
            values = dict(zip(columns, part.rows[number], strict=True))
            self.report(f"{words(values)}: {'; '.join(of_row)}")

    def wrong_checksums(self, table: pl.DataFrame, columns: tuple[str, ...]) -> list[Damage]:
        """Rows whose stored checksum is not that of their values; counts those that have one."""
        stored, computed = table["checksum"], with_checksums(table, columns)["checksum"]
        self.counts.without_sum += stored.null_count()
        self.counts.sums += table.height - stored.null_count()
        return [
            Damage(row, "checksum", stored[row], f"{computed[row]}, that of its values")
            for row in (stored != computed).fill_null(False).arg_true()
        ]
