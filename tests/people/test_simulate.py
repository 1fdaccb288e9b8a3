"""Simulated players at levels: who plays how often, the same every time, and every move told."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from levelsense.game.game import Game, Move
from levelsense.game.state import LOST
from levelsense.people.simulated.kinds import GLANCERS, MOST_TRIES, PLANNERS
from levelsense.people.simulated.run import NO_MOVE, Visit, results_of, visit, visits
from levelsense.people.simulated.simulation import attempt_table, move_table
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.levels import gather_levels

LEVELS = gather_levels(["04-jelly-garden", "24-hourglass", "11-beat-the-clock"])
POPULATION = draw_population(60, 7)


@pytest.fixture(scope="module")
def visited() -> list[Visit]:
    return list(visits(POPULATION, LEVELS, threads=2))


def test_the_same_on_any_number_of_threads(visited: list[Visit]) -> None:
    for here, there in zip(visited, visits(POPULATION, LEVELS, threads=1), strict=True):
        assert np.array_equal(here.moves, there.moves)
        assert np.array_equal(here.rows, there.rows)


def test_a_player_plays_alike_in_a_larger_population(visited: list[Visit]) -> None:
    more = visit(draw_population(90, 7), LEVELS[0])
    assert np.array_equal(more.moves[more.player < 60], visited[0].moves)


def test_everybody_tries_until_success_or_patience_ends(visited: list[Visit]) -> None:
    for each in visited:
        for player in range(60):
            won = each.won[each.player == player]
            patience = int(min(POPULATION.traits[player, GLANCERS.patience], MOST_TRIES))
            assert 1 <= len(won) <= patience
            assert not won[:-1].any()
            assert won[-1] or len(won) == patience
            assert each.attempt[each.player == player].tolist() == list(range(len(won)))


def test_attempts_come_player_by_player(visited: list[Visit]) -> None:
    for each in visited:
        visits_made = list(zip(each.player.tolist(), each.attempt.tolist(), strict=True))
        assert visits_made == sorted(visits_made)
    assert max(each.attempt.max() for each in visited) > 0


def test_players_have_learned_from_the_attempts_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def note(population: Population, players: Any, attempt: int) -> Any:
        asked.append(attempt)
        return traits_at(population, players, attempt)

    traits_at = Population.at_attempt
    monkeypatch.setattr(Population, "at_attempt", note)
    played = visit(POPULATION, LEVELS[1])
    assert asked == list(range(played.attempt.max() + 1))
    assert len(asked) > 1


def test_results_are_a_row_a_player(visited: list[Visit]) -> None:
    results = results_of(visited[1], POPULATION)
    assert results.height == 60
    assert results["attempts"].sum() == len(visited[1].player)
    assert results["successes"].sum() == visited[1].won.sum()
    assert results["successes"].max() == 1
    assert set(results["cohort"]) == {"simulated everyone, seed 7"}
    assert results_of(visited[2], POPULATION)["moves_left"].null_count() == 60


def test_no_board_is_dealt_twice(visited: list[Visit]) -> None:
    for each in visited:
        assert len(np.unique(each.game_seed)) == len(each.game_seed)


def test_moves_left_are_those_of_the_attempt_that_was_won(visited: list[Visit]) -> None:
    """Nothing is told of players who gave up, whatever was left when a bomb or a shuffle ended it."""
    each = replace(visited[0], rows=visited[0].rows.copy())
    each.rows["status"][each.player == 3] = LOST
    each.rows["moves_left"][each.player == 3] = 5
    left = dict(results_of(each, POPULATION).select("player", "moves_left").iter_rows())
    assert left["sim-3"] is None
    for player in (0, 1, 2):
        last = np.flatnonzero(each.player == player)[-1]
        assert left[f"sim-{player}"] == (each.rows["moves_left"][last] if each.won[last] else None)


def test_moves_replay_to_the_attempts_they_were_made_in(visited: list[Visit]) -> None:
    for each in visited:
        level = each.named.level
        attempts, moves = attempt_table(each), move_table(each, POPULATION.types)
        assert moves.height == attempts["moves_made"].sum() == (each.moves != NO_MOVE).sum()
        attempts_moves = moves.partition_by("player", "attempt", maintain_order=True)
        for number in (0, len(attempts_moves) // 2, len(attempts_moves) - 1):
            game = Game(level, int(attempts["game_seed"][number]))
            assert attempts_moves[number]["turn"].to_list() == list(range(attempts_moves[number].height))
            for code in attempts_moves[number]["move"]:
                game.play(Move.from_code(code))
            assert (game.status == "won") == attempts["won"][number]
            assert game.score == attempts["score"][number]


def test_moves_tell_the_type_of_their_player(visited: list[Visit]) -> None:
    for each in visited:
        players = move_table(each, POPULATION.types).select("player", "type").unique()
        assert dict(players.iter_rows()) == dict(enumerate(POPULATION.types))
    assert len(set(POPULATION.types)) > 2


def test_skilled_players_succeed_more() -> None:
    """Mixes differ as they are meant to, on a level that asks for skill, by at least 4 standard errors."""
    (level,) = gather_levels(["23-sugar-rush"])
    rates = {}
    for mix in ("newcomers", "veterans"):
        won = visit(draw_population(1000, 1, mix), level).won
        rates[mix] = (won.mean(), won.var() / len(won))
    (low, low_variance), (high, high_variance) = rates["newcomers"], rates["veterans"]
    assert high - low > 4 * np.sqrt(low_variance + high_variance)


# Two kinds


BOTH = draw_population(60, 7, "both")


@pytest.fixture(scope="module")
def visited_by_both() -> list[Visit]:
    return list(visits(BOTH, LEVELS, threads=2))


def test_players_of_both_kinds_try_until_success_or_patience_ends(visited_by_both: list[Visit]) -> None:
    assert set(BOTH.kinds) == {GLANCERS, PLANNERS}
    for each in visited_by_both:
        assert np.array_equal(np.unique(each.player), np.arange(60))
        for player in range(60):
            won = each.won[each.player == player]
            kind = GLANCERS if BOTH.types[player] in GLANCERS.types else PLANNERS
            patience = int(BOTH.traits[player, kind.patience])
            assert not won[:-1].any()
            assert won[-1] or len(won) == patience
            assert each.attempt[each.player == player].tolist() == list(range(len(won)))


def test_a_planner_plays_alike_on_any_number_of_threads_and_in_a_larger_population(
    visited_by_both: list[Visit],
) -> None:
    for here, there in zip(visited_by_both, visits(BOTH, LEVELS, threads=1), strict=True):
        assert np.array_equal(here.moves, there.moves)
        assert np.array_equal(here.rows, there.rows)
    more = visit(draw_population(90, 7, "both"), LEVELS[0])
    assert np.array_equal(more.moves[more.player < 60], visited_by_both[0].moves)


def test_moves_of_both_kinds_replay(visited_by_both: list[Visit]) -> None:
    for each in visited_by_both:
        attempts = attempt_table(each)
        attempts_moves = move_table(each, BOTH.types).partition_by("player", "attempt", maintain_order=True)
        for number in range(0, len(attempts_moves), 5):
            game = Game(each.named.level, int(attempts["game_seed"][number]))
            for code in attempts_moves[number]["move"]:
                game.play(Move.from_code(code))
            assert (game.status == "won") == attempts["won"][number]
            assert game.score == attempts["score"][number]


def test_strategists_succeed_more_than_drifters() -> None:
    """On a level that asks for skill, by at least 4 standard errors."""
    (level,) = gather_levels(["23-sugar-rush"])
    rates = {}
    for name in ("drifter", "strategist"):
        won = visit(draw_population(150, 1, {name: 1}), level).won
        rates[name] = (won.mean(), won.var() / len(won))
    (low, low_variance), (high, high_variance) = rates["drifter"], rates["strategist"]
    assert high - low > 4 * np.sqrt(low_variance + high_variance)


def test_planners_lean_to_a_side_in_play() -> None:
    """Moves of who leans left lie further left than those of who leans right."""
    population = draw_population(40, 3, {"drifter": 1})
    leanings = population.traits[:, PLANNERS.table["across"].code]
    each = visit(population, LEVELS[0])
    made = each.moves != NO_MOVE
    columns = np.where(made, each.moves % 288 // 2 % 12, 0).sum(1) / made.sum(1)
    by_player = [columns[each.player == player].mean() for player in range(40)]
    assert np.corrcoef(leanings, by_player)[0, 1] > 0.6


def test_each_kind_has_learned_from_the_attempts_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def note(population: Population, players: Any, attempt: int) -> Any:
        kinds = {"drifter" if population.types[player] == "drifter" else "other" for player in players}
        asked.append((kinds.pop(), attempt))
        assert not kinds
        return traits_at(population, players, attempt)

    traits_at = Population.at_attempt
    monkeypatch.setattr(Population, "at_attempt", note)
    visit(draw_population(40, 2, {"casual": 0.5, "drifter": 0.5}), gather_levels(["43-no-time"])[0])
    assert ("drifter", 2) in asked
    assert asked == sorted(asked, key=lambda pair: (pair[0] == "drifter", pair[1]))
