"""Where simulated results come from, as it is stored with them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.people.simulated.run import PLAYERS_VERSION, Provenance, visit
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import gather_levels

LEVEL = Level.load("04-jelly-garden")
counts = st.integers(1, 100_000)
digests = st.text("0123456789abcdef", min_size=16, max_size=16)


@given(counts, counts, counts, digests)
def test_what_is_stored_is_read(players: int, version: int, rules: int, level: str) -> None:
    for made in (Provenance(players), Provenance(players, version, rules, level)):
        assert Provenance.parse(made.source) == made


def test_its_words() -> None:
    source = Provenance.today(60, LEVEL).source
    versions = f"version {PLAYERS_VERSION}, rules {RULES_VERSION}"
    assert source == f"simulated: 60 players, {versions}, level {LEVEL.digest[:16]}"
    assert Provenance(7).source == "simulated: 7 players"


@pytest.mark.parametrize(
    "source", ["x.csv", "60 players", "simulated: few", "simulated: 6 players, level abc"]
)
def test_sources_of_others(source: str) -> None:
    assert Provenance.parse(source) is None


def test_what_is_alike() -> None:
    today = Provenance.today(60, LEVEL)
    changed = Provenance.today(60, LEVEL.model_copy(update={"moves": 6}))
    assert today.is_alike(Provenance.today(5, LEVEL))
    assert today.is_alike(Provenance(5))
    assert not today.is_alike(changed)
    assert not today.is_alike(Provenance(60, PLAYERS_VERSION + 1, RULES_VERSION, today.level))
    assert not today.is_alike(Provenance(60, PLAYERS_VERSION, RULES_VERSION + 1, today.level))


def test_the_version_is_of_players_who_do_this() -> None:
    """If these numbers change, simulated players do something else: PLAYERS_VERSION is to have one more."""
    done = []
    for named in gather_levels(["04-jelly-garden", "11-beat-the-clock"]):
        seen = visit(draw_population(30, 5), named)
        turns = np.arange(1, seen.moves.shape[1] + 1)
        checksum = int((seen.moves.astype(np.int64) * turns).sum())
        done.append((len(seen.player), int(seen.won.sum()), int(seen.rows["score"].sum()), checksum))
    assert PLAYERS_VERSION == 3
    assert done == [(30, 30, 2_720_560, 82_628), (32, 30, 150_440, -15_791_817)]
