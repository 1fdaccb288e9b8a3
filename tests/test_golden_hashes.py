"""Attempts, players and levels are those whose hashes are kept; `python -m tests.golden` writes them anew.

`make test-hashes` runs this before other tests, so that one process compiles the kernels of all agents;
`make test-generic` once more with kernels compiled for no processor in particular.
"""

import pytest

from levelsense.agents.registry import FAMILIES
from tests.golden.hashes import agents, cases, kept

KEPT = kept()


@pytest.mark.parametrize("name", cases())
def test_it_is_the_same_here_as_everywhere(name: str) -> None:
    assert cases()[name]() == KEPT.get(name), (
        "if rules, agents, players or the saga were meant to change, run python -m tests.golden; "
        "if not, something depends on the machine"
    )


def test_everything_kept_is_looked_at() -> None:
    assert list(KEPT) == list(cases())


def test_every_family_of_agents_has_a_hash() -> None:
    assert {spec.partition(":")[0] for spec in agents()} == {
        family.name for family in FAMILIES if not family.needs_options
    }


def test_the_hashes_tell_things_apart() -> None:
    assert len(set(KEPT.values())) == len(KEPT)
