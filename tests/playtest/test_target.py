"""A target as people write it."""

import pytest

from levelsense.errors import PlaytestError
from levelsense.playtest.plan import check_target, parse_target


@pytest.mark.parametrize("text", ["0.35", "35%", "35", " 35 % ", "35.0", ".35"])
def test_ways_to_write_a_target(text: str) -> None:
    assert parse_target(text) == pytest.approx(0.35)


@pytest.mark.parametrize(
    ("text", "share"), [("0.5%", 0.005), ("1%", 0.01), ("1.5", 0.015), ("99.9", 0.999), ("0.9", 0.9)]
)
def test_a_bare_number_of_at_most_1_is_a_share(text: str, share: float) -> None:
    assert parse_target(text) == pytest.approx(share)


@pytest.mark.parametrize(
    "text", ["0", "1", "100", "100%", "350", "-5%", "-0.1", "nan", "inf%", "", "%", "a third", "35%%", "0,35"]
)
def test_what_is_no_target(text: str) -> None:
    with pytest.raises(PlaytestError, match=r"^target: .*; expected a success rate above 0% and below 100%"):
        parse_target(text)


@pytest.mark.parametrize("target", [0.0, 1.0, 35.0, -1.0, float("nan")])
def test_a_share_out_of_range(target: float) -> None:
    with pytest.raises(PlaytestError, match="expected a success rate between 0 and 1"):
        check_target(target)
