"""Questions to a database: by level, agent, seed and run."""

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from levelsense.errors import StoreError
from levelsense.level.fields import Goals
from levelsense.level.level import Level
from levelsense.playtest import NamedLevel, playtest
from levelsense.playtest.interval import wilson
from levelsense.store import Database, Recorder, Selection, attempts, runs, summaries
from tests.playtest.players import CoinPlayer

FIRST, TIMED = "01-first-steps", "11-beat-the-clock"


def agent(spec: str) -> CoinPlayer:
    return CoinPlayer({"random": 0.3, "first": 0.0}.get(spec, 0.6), spec)


@pytest.fixture
def database(place: str) -> Iterator[Database]:
    """Run 1: two levels, two agents; run 2: one of them again and further; run 3: another seed."""
    with Database(place) as opened:
        playtest([FIRST, TIMED], [agent("random"), agent("first")], attempts=20, sink=Recorder(opened, "1"))
        playtest([FIRST], [agent("random")], attempts=50, sink=Recorder(opened, "2"))
        twins = NamedLevel(Level.load("30-grand-tour"), ("grand", "tour"))
        playtest([FIRST, twins], [agent("mcts:c=1")], attempts=10, seed=8, sink=Recorder(opened, "3"))
        yield opened


def chosen(database: Database, **asked: object) -> list[tuple[str, str, int, int]]:
    """Name, agent, seed and number of attempts of all that a selection means."""
    selected = summaries(database, Selection(**asked))  # type: ignore[arg-type]
    table = attempts(database, Selection(**asked))  # type: ignore[arg-type]
    counted = table.group_by("name", "agent", "seed").len().sort("name", "agent", "seed").rows()
    keys = [(summary.name, summary.agent, summary.seed, summary.attempts) for summary in selected]
    assert sorted(keys) == sorted(counted)
    return keys


def test_everything(database: Database) -> None:
    assert chosen(database) == [
        (FIRST, "first", 0, 20),
        (FIRST, "mcts:c=1", 8, 10),
        (FIRST, "random", 0, 50),
        (TIMED, "first", 0, 20),
        (TIMED, "random", 0, 20),
        ("grand, tour", "mcts:c=1", 8, 10),
    ]


def test_summaries_are_those_of_the_attempts(database: Database) -> None:
    table = attempts(database)
    for summary in summaries(database):
        of_pair = (pl.col("level") == summary.level) & (pl.col("agent") == summary.agent)
        rows = table.filter(of_pair, seed=summary.seed)
        won = rows.filter("won")
        assert summary.wins == won.height
        assert summary.interval == wilson(won.height, rows.height)
        assert summary.success_rate == won.height / rows.height
        assert summary.mean_score == pytest.approx(rows["score"].mean())
        assert summary.mean_moves_left == pytest.approx(won["moves_left"].mean())
        assert summary.mean_time_left == pytest.approx(won["time_left"].mean())


@pytest.mark.parametrize("word", [FIRST, "01-*", "file", "digest"])
def test_levels_by_name_pattern_file_and_digest(database: Database, tmp_path: Path, word: str) -> None:
    level = Level.load(FIRST)
    level.save(tmp_path / "renamed.json")
    word = {"file": str(tmp_path / "renamed.json"), "digest": level.digest[:12]}.get(word, word)
    assert {name for name, *_ in chosen(database, levels=(word,))} == {FIRST}


def test_levels_by_one_of_their_names(database: Database) -> None:
    assert chosen(database, levels=("tour",)) == [("grand, tour", "mcts:c=1", 8, 10)]


def test_agents_by_spec_and_pattern(database: Database) -> None:
    assert {row[1] for row in chosen(database, agents=("random",))} == {"random"}
    assert {row[1] for row in chosen(database, agents=("mcts*", "first"))} == {"mcts:c=1", "first"}
    assert {row[1] for row in chosen(database, agents=("mcts:c=1.0",))} == {"mcts:c=1"}


def test_seeds(database: Database) -> None:
    assert [row[3] for row in chosen(database, seed=8)] == [10, 10]
    assert chosen(database, seed=5) == []


def test_a_run_means_what_its_results_are_made_of(database: Database) -> None:
    """Whichever run played them, and however many more there are by now."""
    assert chosen(database, run=1, levels=(FIRST,)) == [(FIRST, "first", 0, 20), (FIRST, "random", 0, 20)]
    assert chosen(database, run=2) == [(FIRST, "random", 0, 50)]
    assert [run.command for run in runs(database)] == ["1", "2", "3"]


def test_attempts_come_in_order(database: Database) -> None:
    table = attempts(database)
    assert table.equals(table.sort("name", "level", "agent", "rules", "seed", "attempt"))


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"levels": ("nothing",)}, "no level 'nothing' is stored; there is 01-first-steps, 11-beat"),
        ({"agents": ("greedy",)}, "no agent 'greedy' is stored; there is first, mcts:c=1, random"),
        ({"run": 9}, "there is no run 9; `levelsense results --runs` lists them"),
    ],
)
def test_what_is_not_there_is_told(database: Database, asked: dict[str, object], sentence: str) -> None:
    with pytest.raises(StoreError) as caught:
        chosen(database, **asked)
    assert sentence in str(caught.value)


def test_an_empty_database_has_no_results(place: str) -> None:
    with Database(place) as database:
        assert summaries(database) == []
        assert attempts(database).height == 0
        with pytest.raises(StoreError, match="there is nothing yet"):
            summaries(database, Selection(levels=(FIRST,)))


@pytest.mark.parametrize("order", ["striped+striped", "color bomb+color bomb", "color bomb"])
def test_goals_of_any_name_are_read_back(place: str, order: str) -> None:
    """A plus sign once meant something else to the pattern that finds damaged goals."""
    level = Level.load(FIRST).model_copy(update={"goals": Goals(orders={order: 1})})
    with Database(place) as opened:
        recorder = Recorder(opened, "1")
        playtest([NamedLevel(level, ("asked",))], [agent("random")], attempts=3, sink=recorder)
        playtest([NamedLevel(level, ("asked",))], [agent("random")], attempts=3, sink=Recorder(opened, "2"))
        table = attempts(opened, Selection())
    assert [set(json.loads(goals)) for goals in table["goals"]] == [{order}] * 3
