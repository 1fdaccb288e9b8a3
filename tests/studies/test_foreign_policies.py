"""Policies of foreign people's own moves: what is recorded is what was played, and only of levels before."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks import foreign_people as benchmark
from benchmarks import foreign_policies as policies

from levelsense.learning import require_torch
from levelsense.people.simulated.run import NO_MOVE
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.saga.files import write_levels
from levelsense.saga.generate import generate
from levelsense.studies import foreign_people as foreign
from levelsense.studies.foreign_kinds import ROWER

require_torch()
LEVELS, KNOWN, PLAYERS = 5, 4, 8


@pytest.fixture(scope="module")
def population() -> Population:
    return policies.population_of("sealed", "rower", PLAYERS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, population: Population) -> Path:
    """The results of a few people at a small saga, half of whom stay away from the second level."""
    folder = tmp_path_factory.mktemp("foreign")
    write_levels(folder / "saga", list(generate(foreign.SEED, LEVELS)))
    everybody, _ = foreign.results(levels_of(folder), population, 1)
    number = pl.col("player").str.strip_prefix("sim-").cast(pl.Int64)
    kept = everybody.filter((number % 2 == 0) | (pl.col("level") != levels_of(folder)[1].name))
    (folder / "sealed").mkdir()
    kept.write_csv(folder / "sealed" / "rower.csv")
    return folder


def levels_of(folder: Path) -> Sequence[NamedLevel]:
    return gather_levels([folder / "saga"])


def rows_of(folder: Path) -> pl.DataFrame:
    return benchmark.rows_of(folder / "sealed" / "rower.csv")


def test_the_population_is_that_of_the_study(population: Population) -> None:
    """The fourth of ten, and as many more players as one likes begin with the same ones."""
    assert (population.mix, population.seed) == ("foreign rower", foreign.SEED + 3)
    more = policies.population_of("sealed", "rower", 2 * PLAYERS)
    assert np.array_equal(more.traits[:PLAYERS], population.traits)


def test_what_is_recorded_is_what_is_played(folder: Path, population: Population) -> None:
    level = levels_of(folder)[0].level
    seeds = np.arange(6, dtype=np.uint64).reshape(3, 2)
    traits = population.at_attempt(np.arange(3), 0)
    rows, moves = policies.record_foreign(ROWER, level, seeds, traits)
    played, _ = foreign.play_foreign(ROWER, level, seeds, traits)
    assert rows.tobytes() == played.tobytes()
    assert ((moves != NO_MOVE).sum(1) == rows["moves_made"]).all()
    assert (np.diff((moves != NO_MOVE).astype(int), axis=1) <= 0).all()


def test_moves_are_those_of_some_who_are_there(folder: Path, population: Population) -> None:
    """The very attempts that the results count; playing them again finds every move legal."""
    named = levels_of(folder)[1]
    there = rows_of(folder).filter(pl.col("level") == named.name)
    present = [int(player.removeprefix("sim-")) for player in there["player"]]
    assert len(present) == PLAYERS // 2
    moves = policies.some_moves(population, named, present)
    assert set(moves.player.tolist()) == set(present)
    counts = dict(zip(present, there["attempts"], strict=True))
    assert {player: (moves.player == player).sum() for player in present} == counts
    assert len(moves.positions()) == len(moves.codes) == moves.offsets[-1]


def test_few_are_recorded_where_many_are_there(
    folder: Path, population: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policies, "PLAYERS", 2)
    drawn = [policies.some_moves(population, named, range(PLAYERS)) for named in levels_of(folder)[:3]]
    chosen = [set(moves.player.tolist()) for moves in drawn]
    assert {len(players) for players in chosen} == {2}
    assert len(set(map(frozenset, chosen))) > 1


def test_a_policy_is_trained_once_on_the_levels_before_and_plays_beside_the_others(
    folder: Path, population: Population, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(policies, "VALIDATED", 1)
    monkeypatch.setattr(policies, "ATTEMPTS", 20)
    levels, path = levels_of(folder), folder / "sealed" / "rower.csv"
    weights = policies.train(folder, path, "everybody", levels[:KNOWN])
    card = json.loads(weights.read_text())["card"]
    of_training = policies.examples_of(population, levels[: KNOWN - 1], rows_of(folder))
    assert card["players"] == "simulated"
    assert card["moves"] == sum(map(len, of_training))
    assert 0 < card["log-loss"] < 1.2 * card["random"]
    assert "rower" in capsys.readouterr().out
    monkeypatch.setattr(policies, "fit_policy", None)
    assert policies.train(folder, path, "everybody", levels[:KNOWN]) == weights
    names = [named.name for named in reversed(levels)]
    both = policies.with_policy(pl.DataFrame({"level": names, "x": range(LEVELS)}), weights, levels)
    assert both["level"].to_list() == names
    (wins,) = [name for name in both.columns if name.endswith(": wins")]
    assert wins.startswith("policy:model=")
    assert not both[wins].has_nulls()
