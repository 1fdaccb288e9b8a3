"""The schedule: what appears when, on drafts; and how hard levels are meant to be."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from levelsense.level.level import Level
from levelsense.saga.compose import draft
from levelsense.saga.schedule import (
    BY_NAME,
    ELEMENTS,
    EPISODE,
    INTRODUCED_BY,
    SETTLED,
    Element,
    difficulty,
    elements_in,
    intention,
    introduced_at,
)


@cache
def drafts() -> tuple[Level, ...]:
    """A draft of each of the first thousand levels."""
    return tuple(draft(3, number).level() for number in range(1, 1001))


@pytest.mark.parametrize("element", ELEMENTS, ids=lambda element: element.name)
def test_an_element_appears_at_its_level_and_not_before(element: Element) -> None:
    numbers = [number for number, level in enumerate(drafts(), 1) if element.is_in(level)]
    assert numbers[0] == element.first
    assert any(number > SETTLED for number in numbers)


@pytest.mark.parametrize("element", ELEMENTS[1:], ids=lambda element: element.name)
def test_an_element_is_introduced_by_easy_levels(element: Element) -> None:
    for number in range(element.first, element.first + INTRODUCED_BY):
        assert introduced_at(number) == element
        assert element.is_in(drafts()[number - 1])
        assert number % EPISODE != 0, "an episode's last level is hard"
    rates = [intention(seed, element.first) for seed in range(40)]
    assert np.median(rates) > 0.75


def test_all_is_introduced_before_the_mix_settles() -> None:
    assert max(element.first for element in ELEMENTS) + INTRODUCED_BY <= SETTLED
    assert all(element.share_at(SETTLED + 1) == element.share_at(1000) for element in ELEMENTS)


def test_the_mix_is_stationary_once_settled() -> None:
    """Of 250 levels each, no element's number differs by more than chance (4 standard deviations)."""
    before = Counter(name for level in drafts()[500:750] for name in elements_in(level))
    after = Counter(name for level in drafts()[750:] for name in elements_in(level))
    for name in BY_NAME:
        share = (before[name] + after[name]) / 500
        assert abs(before[name] - after[name]) <= 4 * np.sqrt(500 * share * (1 - share)), name


def test_elements_of_a_level() -> None:
    level = Level.load("24-hourglass")
    assert elements_in(level) == ("jelly", "double jelly")
    assert "teleporters" in elements_in(Level.load("28-crossed-wires"))
    assert elements_in(Level.load("39-ice-fortress"))[0] == "ingredients"


def test_an_episode_starts_easy_and_ends_hard() -> None:
    for start in (301, 601, 901):
        episode = [difficulty(number) for number in range(start, start + EPISODE)]
        assert max(episode) == episode[0]
        assert min(episode) == episode[-1]


def test_difficulty_rises_and_levels_off() -> None:
    means = [np.mean([difficulty(n) for n in range(a, a + EPISODE)]) for a in (1, 61, 121, 301, 601, 901)]
    assert means[0] > means[1] > means[2] > means[3] > means[4]
    assert means[4] == pytest.approx(means[5], abs=0.01)


def test_all_difficulties_are_everywhere_after_the_start() -> None:
    early = [intention(1, number) for number in range(1, 11)]
    assert min(early) > 0.6
    for start in (51, 301, 501, 801):
        rates = [intention(1, number) for number in range(start, start + 200)]
        assert min(rates) < 0.1
        assert max(rates) > 0.9
        assert min(rates) >= 0.04
        assert max(rates) <= 0.97
