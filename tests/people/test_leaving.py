"""Who fails much leaves the game: the law by hand, and the command that goes on where it was."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from levelsense import Lab
from levelsense.agents.attempt import ATTEMPT_DTYPE
from levelsense.errors import PlayersError
from levelsense.game.state import LOST, WON
from levelsense.people.simulated.leaving import Presence, levels_before
from levelsense.people.simulated.run import Visit, results_of
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.rng import Draws
from levelsense.store import Database, PlayerResults
from tests.test_cli import run

NAMES = ("24-hourglass", "28-crossed-wires", "42-chocolate-cellar", "43-no-time", "04-jelly-garden")
LEVELS = gather_levels(NAMES)


def drawn_visit(named: NamedLevel, won: Mapping[int, Sequence[bool]]) -> Visit:
    """The attempts of players at a level, by whether each was won."""
    player = np.array([number for number, attempts in won.items() for _ in attempts], np.int64)
    attempt = np.array([k for attempts in won.values() for k in range(len(attempts))], np.int64)
    rows = np.zeros(len(player), ATTEMPT_DTYPE)
    rows["status"] = [WON if each else LOST for attempts in won.values() for each in attempts]
    return Visit(
        named,
        "",
        player,
        attempt,
        np.zeros(len(player), np.uint64),
        rows,
        np.zeros((len(player), 0), np.int16),
    )


def test_who_gives_up_leaves_and_nobody_else() -> None:
    presence = Presence(draw_population(4, 0, leave=1.0), LEVELS)
    first = presence.visit(drawn_visit(LEVELS[0], {0: [False, True], 1: [False], 2: [True], 3: [False] * 3}))
    # Everything so far was given up: both leave for sure.
    assert first.player.tolist() == [0, 0, 1, 2, 3, 3, 3]
    assert presence.present.tolist() == [0, 2]
    second = presence.visit(drawn_visit(LEVELS[1], {0: [True], 1: [True], 2: [False], 3: [False]}))
    assert second.player.tolist() == [0, 2]
    assert presence.given_up.tolist() == [0, 1, 1, 1]
    assert presence.played.tolist() == [2, 1, 2, 1]


def test_the_draw_is_held_against_the_share_of_levels_given_up() -> None:
    population = draw_population(200, 3, leave=0.8)
    presence = Presence(population, LEVELS)
    presence.visit(drawn_visit(LEVELS[0], {player: [True] for player in range(200)}))
    presence.visit(drawn_visit(LEVELS[1], {player: [False] for player in range(200)}))
    draws = [Draws("leave", 3, player, LEVELS[1].level.digest).random() for player in range(200)]
    stays = [player for player, draw in enumerate(draws) if draw >= 0.8 * 1 / 2]
    assert presence.present.tolist() == stays
    assert 90 < len(stays) < 150


def test_the_last_one_stays() -> None:
    presence = Presence(draw_population(3, 0, leave=1.0), LEVELS)
    presence.visit(drawn_visit(LEVELS[0], {0: [False], 1: [False], 2: [False]}))
    assert presence.present.tolist() == [2]


def test_stored_results_are_as_good_as_attempts() -> None:
    population = draw_population(30, 1, leave=0.7)
    by_visit, by_results = Presence(population, LEVELS), Presence(population, LEVELS)
    for number, named in enumerate(LEVELS[:3]):
        won = {player: [False, (player + number) % 3 == 0] for player in range(30)}
        kept = by_visit.visit(drawn_visit(named, won))
        by_results.recall(named, results_of(kept, population))
        assert by_visit.present.tolist() == by_results.present.tolist()
    assert 0 < len(by_visit.present) < 30


def test_results_after_other_levels_are_others() -> None:
    before, swapped = levels_before(LEVELS), levels_before([LEVELS[1], LEVELS[0], *LEVELS[2:]])
    assert len(set(before.values())) == len(LEVELS)
    assert before[NAMES[0]] == swapped[NAMES[1]]  # nothing was before
    assert before[NAMES[2]] != swapped[NAMES[2]]
    assert levels_before(LEVELS[:3]) == {name: before[name] for name in NAMES[:3]}


@pytest.mark.parametrize("leave", [-0.1, 1.5, float("nan")])
def test_no_probability(leave: float) -> None:
    with pytest.raises(PlayersError, match=r"leave: .*; expected a number from 0 to 1"):
        draw_population(2, 0, leave=leave)


def stored(lab: Lab, cohort: str) -> pl.DataFrame:
    with Database(lab.database) as database:
        return PlayerResults(database).read(None, cohort).sort("level", "player")


def test_the_same_results_at_once_and_level_by_level(tmp_path: Path) -> None:
    whole, parts = (Lab(tmp_path / name) for name in ("whole.db", "parts.db"))
    done = whole.simulate(NAMES, 40, leave=0.9, seed=2)
    assert done.players_left is not None
    assert 1 <= done.players_left < 40
    parts.simulate(NAMES[:2], 40, leave=0.9, seed=2)
    sentences: list[str] = []
    again = parts.simulate(NAMES, 40, leave=0.9, seed=2, note=sentences.append)
    assert any("has 2 of 5 levels already" in sentence for sentence in sentences)
    assert again.players_left == done.players_left
    cohort = "simulated everyone, seed 2, leave 0.9"
    assert stored(whole, cohort).equals(stored(parts, cohort))
    # Who stays plays as in a population that nobody leaves.
    whole.simulate(NAMES, 40, seed=2)
    everybody = stored(whole, "simulated everyone, seed 2")
    assert everybody.height == 40 * len(NAMES)
    values = ["level", "player", "attempts", "successes", "moves_left"]
    kept = everybody.join(stored(whole, cohort), on=["level", "player"], how="semi").select(values)
    assert kept.equals(stored(whole, cohort).select(values))


def test_the_command_says_who_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ("players", "simulate", *NAMES[:3], "--players", 30, "--leave", 0.9)
    text = run(*command).stdout
    left = json.loads(run(*command, "--json").stdout)["players_left"]
    assert f"30 simulated players, not people; {left} are left after the last level; kept as cohort" in text
    assert 1 <= left < 30
    # In another order they are other results, which take the place of the first.
    other = run("players", "simulate", *reversed(NAMES[:3]), "--players", 30, "--leave", 0.9)
    assert "or after other levels, are replaced" in other.stderr
