"""Groups of players: found again where they were made up, described, kept in a file, and played."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from levelsense.agents.policy.inputs import ENCODING, MOVE_INPUTS
from levelsense.agents.policy.network import KIND
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import Weights, read_weights, write_weights
from levelsense.cli import app
from levelsense.errors import AgentError, TrainingError
from levelsense.game.game import Game, Move
from levelsense.learning import grouping, mixture
from levelsense.learning.examples import encode
from levelsense.learning.grouping import (
    belongs_to,
    everyone,
    fit_personas,
    matching_sharpness,
    personas_from_files,
    shares_for,
    smallest_good,
    success_rates,
)
from levelsense.learning.mixture import Groups, cluster, fit_mixture, level_odds, log_probabilities
from levelsense.learning.persona_words import STYLES, Differences, differences, group_names, group_words
from levelsense.learning.personas import Personas, groups_of, persona_agents
from levelsense.learning.player_moves import Fares, PlayerMoves, mixed_units, read_player_moves
from levelsense.level.level import Level
from levelsense.people.moves import read_moves
from levelsense.people.telemetry import export_positions, read_telemetry
from tests.learning.habits import (
    LEVELS,
    anywhere,
    at_the_bottom,
    at_the_top,
    goals_policy,
    levels,
    write_habits,
)

TOP, BOTTOM = 12, 8  # players at the top come first


@pytest.fixture(scope="module", autouse=True)
def _few_attempts() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "SHARPNESS_ATTEMPTS", 60)
        yield


@pytest.fixture(scope="module")
def policy() -> Weights:
    return goals_policy()


@pytest.fixture
def single(policy: Weights, tmp_path: Path) -> Path:
    """The policy without groups, as a file."""
    path = tmp_path / "policy.json"
    write_weights(path, policy)
    return path


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("habits") / "moves.parquet"
    return write_habits(path, [at_the_top] * TOP + [at_the_bottom] * BOTTOM)


def read(path: Path, policy: Weights) -> PlayerMoves:
    return read_player_moves([read_telemetry(path)], levels(), policy, moves_per_level=10_000)


@pytest.fixture(scope="module")
def moves(file: Path, policy: Weights) -> PlayerMoves:
    return read(file, policy)


@pytest.fixture(scope="module")
def personas(moves: PlayerMoves, policy: Weights) -> Personas:
    return fit_personas(moves, policy, most=3)


@pytest.fixture
def model(personas: Personas, tmp_path: Path) -> Path:
    path = tmp_path / "personas.json"
    write_weights(path, personas.weights)
    return path


# What is read


def test_units_give_the_probabilities_that_the_agent_plays_by(
    file: Path, policy: Weights, single: Path
) -> None:
    agent = parse_agent(f"policy:model={single}")
    positions = next(iter(read_moves(file).positions(levels())))
    examples = encode(positions, 0, np.zeros(len(positions), np.int64))
    arrays = policy.arrays
    logs = log_probabilities(
        mixed_units(arrays, examples), examples.first, arrays["shift"][0], arrays["out"][0]
    )
    first = np.exp(logs[: examples.first[1]])
    values = agent.values(Game(positions.level, 1000), 0)
    assert values is not None
    assert first == pytest.approx(list(values.values()), rel=1e-4)


def test_attempts_end_as_the_games_do(file: Path, moves: PlayerMoves) -> None:
    expected = []
    for _, of_level in read_moves(file).levels(levels()):
        for k, seed in enumerate(of_level.seeds):
            game = Game(of_level.named.level, int(seed))
            for code in of_level.codes[of_level.offsets[k] : of_level.offsets[k + 1]]:
                game.play(Move.from_code(int(code)))
            expected.append(game.status)
    assert "playing" in expected, "an attempt that was left has no end"
    assert len(moves.fares) == sum(status != "playing" for status in expected) > 0
    assert int(moves.fares.won.sum()) == expected.count("won")
    assert moves.attempts.tolist() == moves.visits.tolist() == [len(LEVELS)] * (TOP + BOTTOM)


def test_some_players_and_some_of_their_moves(moves: PlayerMoves) -> None:
    which = np.arange(len(moves.players)) % 2 == 0
    some = moves.of_players(which, 7)
    assert some.players == moves.players[::2]
    assert some.moves.tolist() == [7] * int(which.sum())
    assert some.residual.tolist() == moves.residual[::2].tolist()
    everything = moves.of_players(np.ones(len(which), bool))
    assert (everything.units == moves.units).all()
    assert everything.made.tolist() == moves.made.tolist()


# The mixture


def test_gradients_are_those_of_the_loss(moves: PlayerMoves) -> None:
    few = moves.of_players(np.arange(len(moves.players)) < 2, 5)
    weight = np.linspace(0.2, 1.5, len(few.made))
    # Some units are below 0 with these shifts, and none is 0, where there is no slope.
    shift, out = np.array([-9.03, 0.31, -0.777]), np.array([0.3, -0.2, 0.5])
    slope_of_shift, slope_of_out = np.zeros(3), np.zeros(3)

    def loss(shift: Any, out: Any) -> float:
        room = np.zeros(400), slope_of_shift, slope_of_out
        return mixture._weighted_loss(few.units, few.first, few.made, weight, shift, out, *room)

    assert 0 < (few.units + shift < 0).mean() < 1
    logs = log_probabilities(few.units, few.first, shift, out)
    assert loss(shift, out) == pytest.approx(-weight @ logs[few.first[:-1] + few.made])
    slopes = slope_of_shift.copy(), slope_of_out.copy()
    for k, step in enumerate(1e-5 * np.eye(3)):
        by_shift = loss(shift + step, out) - loss(shift - step, out)
        by_out = loss(shift, out + step) - loss(shift, out - step)
        assert (by_shift / 2e-5, by_out / 2e-5) == pytest.approx((slopes[0][k], slopes[1][k]), abs=1e-4)


def test_the_likelihood_never_falls(
    moves: PlayerMoves, policy: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixture, "ENOUGH", -np.inf)
    monkeypatch.setattr(mixture, "MOST_STEPS", 8)
    # A start that is wrong, so that there is something to rise to.
    belongs = np.full((len(moves.players), 2), 0.4)
    belongs[::2, 0] = belongs[1::2, 1] = 0.6
    fitted = fit_mixture(moves, everyone(policy), belongs, level_odds(moves.fares))
    assert len(fitted.path) == 8
    assert fitted.path[-1] > fitted.path[0] + 10
    assert (np.diff(fitted.path) > -1e-6).all()


def test_made_up_groups_are_found_again(personas: Personas) -> None:
    assert personas.gains[1] > personas.gains[0] == 0
    assert [group.name for group in personas.groups] == ["top players", "bottom players"]
    assert personas.groups[0].share == pytest.approx(TOP / (TOP + BOTTOM), abs=0.01)
    assert personas.belongs[:TOP, 0].min() > 0.95
    assert personas.belongs[TOP:, 1].min() > 0.95
    assert "plays more at the top" in personas.groups[0].words
    assert "plays more at the bottom" in personas.groups[1].words


def test_the_same_seed_gives_the_same_groups(personas: Personas, moves: PlayerMoves, policy: Weights) -> None:
    assert fit_personas(moves, policy, most=3).weights.digest == personas.weights.digest


def test_players_who_are_alike_are_one_group(tmp_path: Path, policy: Weights) -> None:
    moves = read(write_habits(tmp_path / "moves.parquet", [anywhere] * 18), policy)
    (group,) = fit_personas(moves, policy, most=3).groups
    assert (group.name, group.share, group.words) == ("all players", 1.0, ("plays as most do",))


def test_groups_that_differ_in_success_alone_are_told_by_it() -> None:
    players, attempts = 40, 60
    player = np.repeat(np.arange(players), attempts)
    level = np.tile(np.arange(attempts) % 3, players)
    chance = np.where(player < 20, 0.75, 0.25)
    won = np.random.default_rng(5).random(len(player)) < chance
    moves = made_up(players, Fares(player, level, won))
    base = Groups(np.zeros((1, 2)), np.zeros((1, 2)), np.ones(1), np.zeros(1))
    belongs = np.where((np.arange(players) % 4 < 2)[:, None], [0.6, 0.4], [0.4, 0.6])
    belongs[:5] = [0.8, 0.2]
    fitted = fit_mixture(moves, base, belongs, level_odds(moves.fares))
    assert fitted.groups.odds == pytest.approx([1.1, -1.1], abs=0.2)
    assert (fitted.belongs[:20, 0] > 0.9).all()
    assert (fitted.belongs[20:, 1] > 0.9).all()


def made_up(players: int, fares: Fares) -> PlayerMoves:
    """Players with one position each in which all moves are alike."""
    return PlayerMoves(
        [("", str(k)) for k in range(players)],
        [],
        np.zeros((2 * players, 2), np.float32),
        np.arange(0, 2 * players + 1, 2),
        np.zeros(players, np.int64),
        np.arange(players),
        np.zeros((players, MOVE_INPUTS)),
        np.zeros(players),
        fares,
        np.ones(players, np.int64),
        np.ones(players, np.int64),
    )


def test_the_fewest_groups_within_an_error_of_the_best() -> None:
    rng = np.random.default_rng(1)
    one = rng.normal(-100.0, 20.0, 50)
    gain = rng.normal(5.0, 3.0, 50)
    assert smallest_good([one, one + gain, one + gain + 0.1]) == 1
    assert smallest_good([one, one + 0.2 * gain, one + gain]) == 2
    assert smallest_good([one, one - 1.0, one - gain]) == 0
    assert smallest_good([one[:1]]) == 0


def test_clusters_of_points_that_lie_apart() -> None:
    points = np.array([[0.0, 0.0], [0.1, 0.0], [5.0, 5.0], [5.1, 5.0], [9.0, 0.0]])
    of = cluster(points, 3, seed=1)
    assert of[0] == of[1] != of[2] == of[3]
    assert len(set(of.tolist())) == 3


# Names and words


def difference(**effects: float) -> Differences:
    keys = [style.key for style in STYLES]
    effect = np.zeros(len(keys))
    for key, value in effects.items():
        effect[keys.index(key.replace("_", " "))] = value
    return Differences(effect, 10 * effect)


def test_groups_are_named_after_their_largest_difference_and_never_alike() -> None:
    groups = [
        difference(goals=1.5, success=2.0),
        difference(goals=1.0, blockers=0.5),
        difference(success=-1.0),
        difference(),
        difference(goals=0.1),
    ]
    assert group_names(groups) == [
        "goal hunters",
        "blocker breakers",
        "struggling players",
        "average players",
        "average players 2",
    ]
    assert group_words(groups[0]) == ("succeeds more often", "plays for the goals first")
    assert group_words(groups[4]) == ("plays as most do",)


def test_what_could_be_chance_is_not_told() -> None:
    styles = np.random.default_rng(3).normal(size=(60, len(STYLES)))
    styles[:30, 0] += 2.0
    unlike = differences(styles, np.repeat(np.eye(2), 30, 0))
    assert unlike[0].notable == unlike[1].notable == [0]
    # Few players who differ as much: not sure enough.
    assert differences(styles[28:32], np.repeat(np.eye(2), 2, 0))[0].notable == []


# The file, and playing


def test_a_file_keeps_the_groups(personas: Personas, model: Path) -> None:
    weights = read_weights(str(model), KIND, ENCODING)
    assert weights.digest == personas.weights.digest
    groups, described = groups_of(weights)
    assert [group.name for group in described] == ["top players", "bottom players"]
    assert [group.card for group in described] == [group.card for group in personas.groups]
    assert groups.share == pytest.approx([group.share for group in personas.groups], abs=1e-4)
    assert weights.arrays["share"].tolist() == pytest.approx([0, TOP / 20, BOTTOM / 20], abs=0.01)
    assert "20 players" in weights.card["personas from"]


def test_each_group_plays_as_its_players_do(model: Path) -> None:
    game = Game(Level.load(LEVELS[1]), 3)
    rows = []
    for persona in ("1", "everyone", "2"):
        values = parse_agent(f"policy:model={model},persona={persona}").values(game, 1)
        assert values is not None
        rows.append(sum(value * move[0][0] for move, value in values.items()))
    assert rows == sorted(rows)
    assert rows[2] > rows[0] + 2


def test_a_mix_plays_each_group_as_often_as_its_share(model: Path) -> None:
    game = Game(Level.load(LEVELS[1]), 3)
    mix = parse_agent(f"policy:model={model},persona=mix")
    alone = [parse_agent(f"policy:model={model},persona={k}").values(game, 1) for k in (1, 2)]
    drawn = [mix.values(game, seed) for seed in range(300)]
    assert all(values in alone for values in drawn)
    assert sum(values == alone[0] for values in drawn) / 300 == pytest.approx(TOP / 20, abs=0.1)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "policy:model={groups},persona=3",
            "the weights have 2 groups of players; expected 1 to 2, mix or everyone",
        ),
        (
            "policy:model={single},persona=1",
            "the weights have no groups of players; expected none, or weights that",
        ),
        (
            "policy:model={single},persona=9",
            "no such choice; expected one of mix, everyone, 1, 2, 3, 4, 5, 6, 7, 8",
        ),
    ],
)
def test_groups_that_are_not_there_are_refused(model: Path, single: Path, spec: str, sentence: str) -> None:
    with pytest.raises(AgentError, match=sentence):
        parse_agent(spec.format(groups=model, single=single)).values(Game(Level.load(LEVELS[0]), 1), 1)


def test_sharpness_is_what_makes_success_match(policy: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grouping, "SHARPNESS_ATTEMPTS", 300)
    arrays = dict(policy.arrays)
    for name in ("shift", "out"):
        arrays[name] = np.repeat(arrays[name][:1], 2, 0)
    arrays["share"] = np.array([0, 1], np.float32)
    weights = replace(policy, arrays=arrays)
    played = [Level.load(name) for name in ("04-jelly-garden", "07-order-up")]
    wanted = success_rates(weights, 1, played, 150, 1.8, seed=1)
    assert wanted.mean() > success_rates(weights, 1, played, 150, 1.0, seed=1).mean()
    assert matching_sharpness(weights, 1, played, wanted, seed=1) == pytest.approx(1.8, rel=0.25)
    nobody = np.zeros(len(played))
    assert matching_sharpness(weights, 1, played, nobody - 1, seed=1) >= grouping.SHARPNESS_BOUNDS[0]


# Other players


def test_shares_are_estimated_anew_and_nothing_else(
    personas: Personas, policy: Weights, tmp_path: Path
) -> None:
    moves = read(write_habits(tmp_path / "moves.parquet", [at_the_bottom] * 9 + [at_the_top]), policy)
    again = shares_for(moves, personas.weights)
    assert [group.share for group in again.groups] == pytest.approx([0.1, 0.9], abs=0.02)
    assert [group.name for group in again.groups] == ["top players", "bottom players"]
    for name, array in personas.weights.arrays.items():
        assert (again.weights.arrays[name] == array).all() == (name != "share")
    for by_fares in (True, False):
        assert belongs_to(moves, personas.weights, by_fares=by_fares)[:, 1].round(2).tolist() == [1.0] * 9 + [
            0.0
        ]


def test_moves_alone_decide_where_ends_are_not_known(file: Path, policy: Weights, tmp_path: Path) -> None:
    rows = tmp_path / "positions.csv"
    export_positions(read_telemetry(file), levels(), rows, lambda done: None)
    moves = read(rows, policy)
    assert len(moves.fares) == 0
    assert moves.attempts.tolist() == [len(LEVELS)] * (TOP + BOTTOM)
    personas = fit_personas(moves, policy, most=2)
    assert sorted(group.name for group in personas.groups) == ["bottom players", "top players"]
    assert [(group.success, group.of_all, group.sharpness) for group in personas.groups] == [
        (None, None, 1.0)
    ] * 2


# Bad input


def test_too_few_players_are_refused(tmp_path: Path, policy: Weights) -> None:
    with pytest.raises(TrainingError, match="moves of 1 player; expected those of at least 2"):
        read(write_habits(tmp_path / "moves.parquet", [anywhere]), policy)


@pytest.mark.parametrize("most", [0, 9])
def test_a_number_of_groups_that_no_file_holds_is_refused(
    moves: PlayerMoves, policy: Weights, most: int
) -> None:
    with pytest.raises(TrainingError, match=f"`groups`: {most}; expected 1 to 8"):
        fit_personas(moves, policy, most=most)


def test_shares_of_no_groups_are_refused(file: Path, single: Path, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="weights with 0 groups of players"):
        personas_from_files([file], LEVELS, str(single), tmp_path / "out.json", reweigh=True)
    assert not (tmp_path / "out.json").exists()


def test_a_card_without_a_figure_is_refused(personas: Personas, tmp_path: Path) -> None:
    card = json.loads(json.dumps(dict(personas.weights.card)))
    del card["personas"][1]["share"]
    path = tmp_path / "damaged.json"
    write_weights(path, replace(personas.weights, card=card))
    with pytest.raises(TrainingError, match="a group of players lacks 'share'"):
        persona_agents(str(path))


# The command line


def run(*words: object) -> Any:
    return CliRunner().invoke(app, ["players", *map(str, words)])


def level_options() -> list[str]:
    return [word for level in LEVELS for word in ("--levels", level)]


def test_groups_and_their_difficulty_as_typed(
    file: Path, single: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("personas", file, *level_options(), "--policy", single, "--groups", 2)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:3] == ["group", "players", "attempts"]
    assert lines[1].startswith("1  top players")
    assert lines[2].startswith("2  bottom players")
    assert lines[3].startswith("1  top players: ")
    assert "plays more at the bottom" in lines[4]
    assert "2 of at most 2 groups: +" in result.stderr
    output = run("difficulty", LEVELS[0], "--model", "personas.json", "--attempts", 20, "--db", "a.db")
    assert output.exit_code == 0
    heading, row, whose = output.stdout.splitlines()
    assert whose in lines
    assert whose == "the groups are of simulated players, not of people"
    assert heading.split("  ")[0] == "level"
    assert ("all together" in heading, "top players" in heading) == (True, True)
    assert row.startswith(LEVELS[0])
    assert row.count("%)") == 3
    again = run(
        "difficulty", LEVELS[0], "--model", "personas.json", "--attempts", 20, "--db", "a.db", "--json"
    )
    rows = json.loads(again.stdout)
    assert [(row["group"], row["attempts"]) for row in rows] == [
        ("all together", 20),
        ("top players", 20),
        ("bottom players", 20),
    ]


def test_shares_estimated_anew_as_typed(personas: Personas, model: Path, tmp_path: Path) -> None:
    late = write_habits(tmp_path / "late.parquet", [at_the_bottom] * 6)
    output = tmp_path / "later.json"
    options = ("--policy", model, "--reweigh", "--json", "-o", output)
    result = run("personas", late, *level_options(), *options)
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert [round(group["share"], 2) for group in data["groups"]] == [0.0, 1.0]
    assert [round(player["belongs"][1], 2) for player in data["players"]] == [1.0] * 6
    assert read_weights(str(output), KIND, ENCODING).digest != personas.weights.digest


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("personas", "{moves}", "--policy", "policy.json", "--groups", 0), "--groups: 0; expected 1 to 8"),
        (("personas", "no.parquet", "--policy", "policy.json"), "no.parquet"),
        (("personas", "{moves}", "--policy", "none.json"), "none.json: no such file"),
        (("personas", "{moves}", "--policy", "policy.json", "--reweigh"), "weights with 0 groups of players"),
        (("difficulty", LEVELS[0], "--model", "policy.json"), "weights with 0 groups of players"),
    ],
)
def test_mistakes_are_sentences(
    file: Path,
    single: Path,
    words: tuple[object, ...],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*(str(word).format(moves=file) for word in words))
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == [single]
