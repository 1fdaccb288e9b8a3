"""Players' results of levels: which level is which, and results that cannot be told apart."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from levelsense.errors import PredictionError
from levelsense.game.state import RULES_VERSION
from levelsense.level.level import Level
from levelsense.people.game_files import version_name
from levelsense.people.simulated.run import PLAYERS_VERSION, Provenance
from levelsense.playtest import NamedLevel
from levelsense.prediction.observed import observed_rates
from levelsense.store import Database, PlayerResults

LEVEL = Level.load("24-hourglass").model_copy(update={"name": "Hourglass"})
OTHER = Level.load("04-jelly-garden").model_copy(update={"name": "Garden"})
CHANGED = LEVEL.model_copy(update={"moves": 6})
MINE, GARDEN = NamedLevel(LEVEL, ("mine",)), NamedLevel(OTHER, ("garden",))


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path / "x.db") as opened:
        yield opened


def add(database: Database, level: str, *, source: str = "x.csv", cohort: str | None = None) -> None:
    row = {"level": level, "attempts": 10, "successes": 4, "source": source, "cohort": cohort}
    PlayerResults(database).add(pl.DataFrame([row], schema_overrides={"cohort": pl.String}))


def complaint(database: Database, *levels: NamedLevel) -> str:
    with pytest.raises(PredictionError) as caught:
        observed_rates(database, levels)
    return str(caught.value)


@pytest.mark.parametrize("name", ["mine", "Hourglass", LEVEL.digest])
def test_a_level_goes_by_three_names(database: Database, name: str) -> None:
    add(database, name)
    observed = observed_rates(database, [MINE, GARDEN])
    assert observed.rates.select("level", "attempts", "successes").rows() == [("mine", 10, 4)]


@pytest.mark.parametrize(
    "names", [("mine", "Hourglass"), ("mine", LEVEL.digest), ("Hourglass", LEVEL.digest)]
)
def test_results_under_two_names_are_not_pooled(database: Database, names: tuple[str, str]) -> None:
    for name in names:
        add(database, name, cohort=f"by {name}")
    assert complaint(database, GARDEN, MINE) == (
        f"{database.name}: results of one level under several names: '{names[0]}', '{names[1]}'; "
        "expected one of them, or results would count twice: choose by `cohort`, or take another `database`"
    )
    assert observed_rates(database, [MINE], f"by {names[1]}").rates["attempts"].to_list() == [10]


def test_a_name_that_is_another_level_s_file_is_that_level_s(database: Database) -> None:
    named = NamedLevel(OTHER, ("Hourglass",))
    add(database, "mine")
    add(database, "Hourglass")
    observed = observed_rates(database, [MINE, named])
    assert observed.rates.select("level", "attempts").rows() == [("Hourglass", 10), ("mine", 10)]


def test_people_may_meet_a_level_in_two_places(database: Database) -> None:
    twice = NamedLevel(LEVEL, ("7", "107"))
    add(database, "7")
    add(database, "107")
    assert observed_rates(database, [twice]).rates.select("level", "attempts").rows() == [("7, 107", 20)]
    add(database, "7, 107")
    assert "under several names: '7, 107', '7', '107'" in complaint(database, twice)


def test_simulated_players_are_the_same_in_two_places(database: Database) -> None:
    twice = NamedLevel(LEVEL, ("7", "107"))
    for name in twice.names:
        add(database, name, source="simulated: 5 players", cohort="simulated everyone, seed 0")
    assert "under several names: '7', '107'" in complaint(database, twice)


def test_a_name_of_several_levels(database: Database) -> None:
    twins = [NamedLevel(LEVEL, ("1",)), NamedLevel(CHANGED, ("2",))]
    add(database, "1")
    assert observed_rates(database, twins).rates["level"].to_list() == ["1"]
    add(database, "Hourglass", cohort="new")
    with pytest.raises(PredictionError) as caught:
        observed_rates(database, twins, "new")
    assert str(caught.value) == (
        f"{database.name}: results of 'Hourglass', the name of several levels: '1', '2'; "
        "expected results under names of files"
    )


def test_levels_that_were_changed_since(database: Database) -> None:
    add(database, "mine", source=Provenance.today(5, LEVEL).source, cohort="c")
    add(database, "garden", source="simulated: 5 players", cohort="c")
    assert observed_rates(database, [MINE, GARDEN]).outdated == ()
    assert observed_rates(database, [NamedLevel(CHANGED, ("mine",)), GARDEN]).outdated == ("mine",)


def test_simulated_players_and_rules_that_were_changed_since(database: Database) -> None:
    today = Provenance.today(5, LEVEL)
    add(database, "mine", source=replace(today, rules=RULES_VERSION - 1).source, cohort="rules")
    add(database, "mine", source=replace(today, version=PLAYERS_VERSION - 1).source, cohort="version")
    add(database, "mine", source=replace(today, players=7).source, cohort="today")
    for cohort, outdated in {"rules": ("mine",), "version": ("mine",), "today": ()}.items():
        assert observed_rates(database, [MINE], cohort).outdated == outdated


def test_what_version_people_played_is_not_known(database: Database) -> None:
    add(database, "mine")
    assert observed_rates(database, [NamedLevel(CHANGED, ("mine",))]).outdated == ()


def test_people_count_and_simulated_players_beside_them_do_not(database: Database) -> None:
    add(database, "mine", source="simulated: 5 players", cohort="simulated everyone, seed 0")
    alone = observed_rates(database, [MINE])
    assert (alone.simulated, alone.players) == (True, "simulated everyone, seed 0")
    add(database, "mine", cohort="people")
    add(database, "garden", source="simulated: 5 players", cohort="simulated everyone, seed 0")
    both = observed_rates(database, [MINE, GARDEN])
    assert both.rates.select("level", "attempts").rows() == [("mine", 10)]
    assert (both.simulated, both.players) == (False, "people")
    chosen = observed_rates(database, [MINE, GARDEN], "simulated everyone, seed 0")
    assert chosen.rates["attempts"].to_list() == [10, 10]
    assert chosen.simulated


def test_of_two_populations_one_is_to_be_chosen(database: Database) -> None:
    for seed in (0, 1):
        add(database, "mine", source="simulated: 5 players", cohort=f"simulated everyone, seed {seed}")
    assert complaint(database, MINE) == (
        f"{database.name}: results of several populations for these levels; "
        "choose by `cohort`: 'simulated everyone, seed 0', 'simulated everyone, seed 1'"
    )
    assert observed_rates(database, [MINE], "simulated everyone, seed 1").rates["attempts"].to_list() == [10]


def test_a_level_goes_by_the_digest_of_an_earlier_version_too(database: Database) -> None:
    assert LEVEL.earlier_digest != LEVEL.digest
    add(database, LEVEL.earlier_digest)
    assert observed_rates(database, [MINE]).rates["level"].to_list() == ["mine"]


def test_results_of_a_version_are_those_of_no_other(database: Database) -> None:
    add(database, version_name("mine", LEVEL), cohort="testers")
    assert observed_rates(database, [MINE]).rates["level"].to_list() == ["mine"]
    with pytest.raises(PredictionError, match="no players' results of levels such as mine"):
        observed_rates(database, [NamedLevel(CHANGED, ("mine",))])
