"""The published mean number of legal moves comes out within 6 % on every board."""

import pytest

from levelsense.studies.mcadams_moves import PUBLISHED, compare


def test_within_six_percent() -> None:
    found = compare(attempts=2_000, seed=5)
    assert len(found) == len(PUBLISHED)
    for row in found:
        assert row.measured == pytest.approx(row.published, rel=0.06), row
