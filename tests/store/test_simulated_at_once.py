"""Simulated results of several programs at once: fewer players never take the place of more."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from sqlalchemy import func, select

from levelsense.people.simulated import simulation as simulating
from levelsense.people.simulated.run import Visit, visits
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel
from levelsense.store import Database
from levelsense.store.schema import PLAYER_RESULTS
from tests.test_cli import assert_complaint, run

LEVELS = ("04-jelly-garden", "24-hourglass")
PATIENCE_SECONDS = 120


def players_stored(place: str) -> dict[str, int]:
    """How many players there are results of, by level."""
    level = PLAYER_RESULTS.c.level
    with Database(place) as database, database.reading() as connection:
        rows = connection.execute(select(level, func.count()).group_by(level)).all()
    return {row[0]: row[1] for row in rows}


def simulate(place: str, players: int) -> tuple[object, ...]:
    return ("players", "simulate", *LEVELS, "--players", players, "--db", place)


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets another program simulate, once, after the first has looked at what is stored and plays."""

    def arrange(*command: object) -> None:
        def visited(
            population: Population, levels: Sequence[NamedLevel], threads: int | None
        ) -> Iterator[Visit]:
            monkeypatch.setattr(simulating, "visits", visits)
            assert run(*command).exit_code == 0
            return visits(population, levels, threads)

        monkeypatch.setattr(simulating, "visits", visited)

    return arrange


def test_fewer_players_do_not_replace_more_that_came_meanwhile(
    place: str, meanwhile: Callable[..., None]
) -> None:
    meanwhile(*simulate(place, 30))
    assert_complaint(run(*simulate(place, 20)), "has results of 30 players, of 04-jelly-garden, 24-hourglass")
    assert players_stored(place) == dict.fromkeys(LEVELS, 30)


def test_more_players_replace_fewer_that_came_meanwhile(place: str, meanwhile: Callable[..., None]) -> None:
    meanwhile(*simulate(place, 20))
    assert run(*simulate(place, 30)).exit_code == 0
    assert players_stored(place) == dict.fromkeys(LEVELS, 30)


def test_the_same_that_came_meanwhile_is_known(place: str, meanwhile: Callable[..., None]) -> None:
    meanwhile(*simulate(place, 20))
    again = run(*simulate(place, 20))
    assert (again.exit_code, again.stderr) == (0, "")
    assert players_stored(place) == dict.fromkeys(LEVELS, 20)


def test_people_that_came_meanwhile_are_not_replaced(
    place: str, meanwhile: Callable[..., None], tmp_path: Path
) -> None:
    results = tmp_path / "people.csv"
    results.write_text(f"level,attempts,wins\n{LEVELS[0]},10,4\n")
    meanwhile("players", "import", results, "--cohort", "simulated everyone, seed 0", "--db", place)
    assert_complaint(run(*simulate(place, 20)), "has results that were not simulated, of 04-jelly-garden")
    assert players_stored(place) == {LEVELS[0]: 1}


def test_programs_that_start_together(place: str) -> None:
    """Whoever comes first, the largest population is there in the end, and nobody shows a traceback."""
    commands = [[sys.executable, "-m", "levelsense", *map(str, simulate(place, n))] for n in (20, 30, 30, 25)]
    programs = [
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        for command in commands
    ]
    for program, number in zip(programs, (20, 30, 30, 25), strict=True):
        _, said = program.communicate(timeout=PATIENCE_SECONDS)
        assert "Traceback" not in said
        assert program.returncode == 0 if number == 30 else program.returncode in (0, 2), said
    assert players_stored(place) == dict.fromkeys(LEVELS, 30)
