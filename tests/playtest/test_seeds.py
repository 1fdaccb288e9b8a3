"""Seeds of attempts: pinned, because a change would silently replay every stored attempt otherwise."""

import numpy as np
import pytest

from levelsense.level.level import Level
from levelsense.playtest.limits import with_limit
from levelsense.playtest.plan import attempt_seeds

DIGEST = "ab" * 32


def test_seeds_are_what_they_always_were() -> None:
    """Computed apart by hashlib: BLAKE2b of "00ff", "random", "1", "0" and "0", a zero byte after each."""
    assert attempt_seeds("00ff", "random", 0, 0, 2, rules=1).tolist() == [
        [6273352666983746595, 16273336095219917057],
        [18047181496204243400, 12519919356128342803],
    ]


def test_the_limit_does_not_change_the_seeds() -> None:
    """Of a digest the part behind the dash counts, which is the same for any limit; without a dash all."""
    shorter, longer = Level.load("04-jelly-garden"), with_limit(Level.load("04-jelly-garden"), 40)
    assert shorter.digest != longer.digest
    seeds = [attempt_seeds(level.digest, "random", 3, 0, 5) for level in (shorter, longer)]
    assert np.array_equal(seeds[0], seeds[1])
    whole = attempt_seeds(shorter.digest.replace("-", ""), "random", 3, 0, 5)
    assert not np.array_equal(whole, seeds[0])


@pytest.mark.parametrize("cut", [0, 1, 7, 99, 100])
def test_seeds_do_not_depend_on_where_a_batch_begins(cut: int) -> None:
    whole = attempt_seeds(DIGEST, "random", 5, 0, 100)
    parts = [attempt_seeds(DIGEST, "random", 5, 0, cut), attempt_seeds(DIGEST, "random", 5, cut, 100 - cut)]
    assert whole.dtype == np.uint64
    assert whole.shape == (100, 2)
    assert np.array_equal(np.concatenate(parts), whole)


def test_every_part_of_the_key_changes_the_seeds() -> None:
    keys = [
        (DIGEST, "random", 0, 0, 1, 1),
        ("cd" * 32, "random", 0, 0, 1, 1),
        (DIGEST, "first", 0, 0, 1, 1),
        (DIGEST, "random", 1, 0, 1, 1),
        (DIGEST, "random", 0, 1, 1, 1),
        (DIGEST, "random", 0, 0, 1, 2),
    ]
    assert len({tuple(attempt_seeds(*key)[0].tolist()) for key in keys}) == len(keys)


def test_parts_cannot_run_into_each_other() -> None:
    """Run seed 1 and attempt 11 is not run seed 11 and attempt 1."""
    assert not np.array_equal(attempt_seeds(DIGEST, "a", 1, 11, 1), attempt_seeds(DIGEST, "a", 11, 1, 1))


def test_no_seed_comes_twice() -> None:
    seeds = attempt_seeds(DIGEST, "random", 0, 0, 20_000)
    assert len(np.unique(seeds)) == 40_000
