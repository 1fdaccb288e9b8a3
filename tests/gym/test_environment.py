"""The environment: Gymnasium's own check, moves and actions, rewards, seeds, and arrays of its own."""

import copy
import pickle
import random
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import levelsense.gym
from levelsense.errors import IllegalMoveError, LevelError, LevelsenseError
from levelsense.game.game import Move
from levelsense.gym import Match3Env
from levelsense.level.level import Level, bundled_levels
from tests.gym.played import LEVELS, drawn_level, slow_numbers, slow_planes

# No legal move but those drawn: three reds by swapping c1 with c2, and two stripes side by side below.
STRIPES = """
    r r g b
    y p r o
    b g y p
    r= b| o g
"""


def made(level: Any, **keys: Any) -> Match3Env:
    env = gymnasium.make(levelsense.gym.ENVIRONMENT, level=level, **keys).unwrapped
    assert isinstance(env, Match3Env)
    return env


def number_of(env: Match3Env, move: str) -> np.int64:
    return np.int64(env.moves.index(Move.parse(move)))


def legal(env: Match3Env) -> list[str]:
    return [str(move) for move, is_legal in zip(env.moves, env.action_masks(), strict=True) if is_legal]


def same(first: Any, second: Any) -> bool:
    return all(np.array_equal(first[name], second[name]) for name in ("board", "numbers"))


@pytest.mark.parametrize(("level", "mode"), [*zip(LEVELS, cycle(("ansi", "rgb_array")), strict=False)])
def test_gymnasium_finds_nothing_wrong(level: str, mode: str) -> None:
    """Warnings are errors in these tests; with the wrappers of make(), the passive checks run too."""
    env = gymnasium.make(levelsense.gym.ENVIRONMENT, level=level, render_mode=mode)
    check_env(env.unwrapped)
    _, info = env.reset(seed=3)
    terminated = False
    while not terminated:
        _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not truncated
    env.close()


def test_making_it_needs_no_import() -> None:
    code = (
        "import gymnasium as gym; "
        "print(gym.make('levelsense.gym:levelsense/Match3-v0', level='17-pocket-board').action_space)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Discrete(24)\n"


def test_a_level_is_a_name_a_path_or_a_level(tmp_path: Path) -> None:
    level = Level.load("17-pocket-board")
    level.save(tmp_path / "mine.json")
    for given in ("17-pocket-board", str(tmp_path / "mine.json"), tmp_path / "mine.json", level):
        assert made(given).level == level
    with pytest.raises(LevelError, match="no such level"):
        made("17-pocket-bord")


@pytest.mark.parametrize("level", bundled_levels())
def test_it_plays_the_game_and_shows_its_position(level: str) -> None:
    """Beside the game that goes step by step, with observations made the slow way."""
    env, choice = made(level), random.Random(level)
    observation, info = env.reset(seed=5)
    game = env.game
    # The time candies of 27-clockwork are a goal, and time is its limit.
    assert len(set(env.numbers)) == len(env.numbers) > len(game.goals)
    for _ in range(12):
        assert np.array_equal(observation["board"], slow_planes(game, env.planes))
        numbers = slow_numbers(game, env.numbers)
        assert observation["numbers"][: len(numbers)] == pytest.approx(numbers)
        assert env.observation_space.contains(observation)
        assert sorted(legal(env)) == sorted(map(str, game.legal_moves))
        if not game.legal_moves:
            break
        move = choice.choice(game.legal_moves)
        game.play(move)
        observation, _, terminated, _, info = env.step(number_of(env, str(move)))
        assert str(env.game) == str(game)
        assert terminated == (game.status != "playing")
        assert (info["score"], info["is_success"]) == (game.score, game.status == "won")


def test_planes_of_a_drawn_board() -> None:
    env = made(
        drawn_level(
            """
            r  -  #3 b=
            r7 *  X  g
            C  g  S  y
            """,
            jelly=["1 - . .", ". . . .", ". 2 . ."],
            locks=[". - . .", ". . . .", ". . . L"],
            colors=["red", "green", "blue", "yellow"],
            goals={"ingredients": {"cherry": 1}, "jelly": "all"},
            exits=["b3"],
            drops=[{"piece": "cherry", "keep": 1, "total": 2}],
        )
    )
    observation, _ = env.reset(seed=1)
    drawn = {
        name: ["".join(map(str, row)) for row in plane]
        for name, plane in zip(env.planes, observation["board"], strict=True)
    }
    nothing = ["0000", "0000", "0000"]
    assert drawn == {
        "tile": ["1011", "1111", "1111"],
        "exit": ["0000", "0000", "0100"],
        "red": ["1000", "1000", "0000"],
        "yellow": ["0000", "0000", "0001"],
        "green": ["0000", "0001", "0100"],
        "blue": ["0001", "0000", "0000"],
        "striped row": ["0001", "0000", "0000"],
        "striped column": nothing,
        "wrapped": nothing,
        "color bomb": ["0000", "0100", "0000"],
        "swirl": ["0000", "0000", "0010"],
        "cherry": ["0000", "0000", "1000"],
        "countdown": ["0000", "7000", "0000"],
        "icing": ["0030", "0000", "0000"],
        "chocolate": ["0000", "0010", "0000"],
        "lock": ["0000", "0000", "0001"],
        "jelly": ["1000", "0000", "0200"],
    }
    assert env.numbers == ("jelly left", "cherry left", "moves left", "drop 1, cherry, left")
    assert observation["numbers"].tolist() == [1, 1, 1, 1]
    space: Any = env.observation_space["board"]
    assert space.high.max(axis=(1, 2)).tolist()[-5:] == [7, 5, 1, 1, 2]


def test_actions_are_numbered_in_the_order_of_the_rules() -> None:
    env = made(drawn_level(". . -\n. . .\n. . ."))
    swaps = ["a1b1", "a1a2", "b1b2", "a2b2", "a2a3", "b2c2", "b2b3", "c2c3", "a3b3", "b3c3"]
    assert [str(move) for move in env.moves[:10]] == swaps
    assert [str(move) for move in env.moves[10:]] == [swap[2:] + swap[:2] for swap in swaps]
    assert len(made(drawn_level(". . -\n. . .\n. . .", rules="plain")).moves) == 10


def test_a_move_has_a_direction_where_it_matters() -> None:
    env = made(drawn_level(STRIPES))
    env.reset(seed=1)
    assert legal(env) == ["c1c2", "a4b4", "b4a4"]
    # The column that goes is that of the cell that the moved piece ends in.
    cleared = {}
    for move in ("a4b4", "b4a4"):
        env.reset(seed=1)
        before = env.game.cells
        turn = env.game.play(move)
        env.step(number_of(env, move))
        kept = [k for k in (0, 1) if turn.rounds[0].cleared_board[k] == before[k]]
        cleared[move] = kept
    assert cleared == {"a4b4": [0], "b4a4": [1]}


@pytest.mark.parametrize("move", ["a1b1", "c2c1"])
def test_an_illegal_action_changes_nothing(move: str) -> None:
    """The second is the other direction of a legal swap that has none: the mask does not have it."""
    env = made(drawn_level(STRIPES))
    observation, _ = env.reset(seed=1)
    before = str(env.game)
    after, reward, terminated, truncated, info = env.step(number_of(env, move))
    assert same(observation, after)
    assert (reward, terminated, truncated, info["refused"]) == (0.0, False, False, True)
    assert str(env.game) == before
    _, _, _, _, info = env.step(number_of(env, "c1c2"))
    assert not info["refused"]


def test_an_illegal_action_raises_if_told_to() -> None:
    env = made(drawn_level(STRIPES), illegal="raise")
    env.reset(seed=1)
    before = str(env.game)
    with pytest.raises(IllegalMoveError, match=r"^a1b1: action 0 is not legal here; expected one that"):
        env.step(np.int64(0))
    assert str(env.game) == before
    assert legal(env) == ["c1c2", "a4b4", "b4a4"]


@pytest.mark.parametrize("action", [-1, 48, 10**9])
def test_a_number_that_is_no_action(action: int) -> None:
    env = made(drawn_level(STRIPES))
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=f"action {action}: no action .* from 0 to 47"):
        env.step(np.int64(action))


@pytest.mark.parametrize("action", [1.0, "a1b1", None, np.array([1, 2])])
def test_an_action_is_a_whole_number(action: Any) -> None:
    env = made(drawn_level(STRIPES))
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="not a whole number"):
        env.step(action)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"reward": "points"}, "`reward` 'points'; expected one of score, goals, win"),
        ({"illegal": "skip"}, "`illegal` 'skip'; expected one of refuse, raise"),
        ({"render_mode": "human"}, "`render_mode` 'human'; expected one of ansi, rgb_array"),
    ],
)
def test_options_that_are_none(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(LevelsenseError, match=words):
        Match3Env("17-pocket-board", **keys)


def test_an_attempt_must_be_in_play() -> None:
    env = Match3Env(drawn_level(STRIPES, moves=1))
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(np.int64(2))
    env.reset(seed=1)
    _, _, terminated, _, info = env.step(number_of(env, "c1c2"))
    assert terminated
    assert not info["action_mask"].any()
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(np.int64(2))


def test_an_attempt_that_is_lost_when_dealt_ends_with_the_first_step() -> None:
    env = made(drawn_level("r g b\ny o p\nr g b"), illegal="raise")
    _, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    _, reward, terminated, _, info = env.step(np.int64(0))
    assert (reward, terminated, info["is_success"], info["refused"]) == (0.0, True, False, False)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        # A line of three is worth 60 points: one line of three. Nothing else can fall into line.
        ({"reward": "score"}, 1.0),
        ({"reward": "score", "scoring": "pieces"}, 1.0),
        ({"reward": "score", "scoring": "quadratic"}, 1.0),
        # Three of 4 reds are one of two goals by 3/4; the score goal is met by 60 of 600.
        ({"reward": "goals", "goals": {"orders": {"red": 4}}}, 0.75),
        ({"reward": "goals", "goals": {"orders": {"red": 4}, "score": 600}}, (0.75 + 0.1) / 2),
        ({"reward": "goals", "goals": {"orders": {"red": 3}}}, 2.0),
        ({"reward": "win", "goals": {"orders": {"red": 3}}}, 1.0),
        ({"reward": "win", "goals": {"orders": {"red": 4}}}, 0.0),
    ],
)
def test_rewards_of_a_drawn_move(keys: dict[str, Any], expected: float) -> None:
    reward = keys["reward"]
    level_keys = {name: value for name, value in keys.items() if name != "reward"}
    swirls = [{"piece": "swirl", "rate": 1}]
    env = made(drawn_level(STRIPES, drops=swirls, **level_keys), reward=reward)
    env.reset(seed=1)
    _, got, terminated, _, info = env.step(number_of(env, "c1c2"))
    assert got == pytest.approx(expected)
    assert terminated == info["is_success"] == (expected in (2.0, 1.0) and reward != "score")


@pytest.mark.parametrize("reward", ["score", "goals", "win"])
def test_rewards_of_an_attempt_add_up(reward: str) -> None:
    env = made("08-bent-lines", reward=reward)
    outcomes = set()
    for seed in range(20):
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        total, terminated = 0.0, False
        while not terminated:
            _, got, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
            total += got
        won = info["is_success"]
        outcomes.add(won)
        if reward == "score":
            assert total == pytest.approx(info["score"] / 60)
        elif reward == "win":
            assert total == float(won)
        else:
            assert total == pytest.approx(2.0) if won else 0 <= total < 1
    assert outcomes == {True, False}


def episode(env: Match3Env, seed: int | None) -> list[Any]:
    """What an episode of random actions, the same each time, brings."""
    observation, info = env.reset(seed=seed)
    env.action_space.seed(7)
    brought: list[Any] = [observation["board"].tobytes()]
    terminated = False
    while not terminated:
        observation, reward, terminated, _, info = env.step(env.action_space.sample(info["action_mask"]))
        brought.append((observation["board"].tobytes(), reward, info["score"]))
    return brought


def test_the_same_seed_gives_the_same_episodes() -> None:
    first, second = made("45-last-stand"), made("45-last-stand")
    episodes = [episode(first, 11), episode(first, None), episode(first, None)]
    assert [episode(second, 11), episode(second, None), episode(second, None)] == episodes
    assert len({str(each) for each in episodes}) == 3
    assert episode(first, 11) == episodes[0]
    assert episode(first, 12) != episodes[0]


def test_without_a_seed_episodes_differ() -> None:
    assert episode(made("03-open-field"), None) != episode(made("03-open-field"), None)


def test_what_was_handed_out_stays_as_it_is_and_cannot_harm_the_game() -> None:
    env, twin = made("45-last-stand"), made("45-last-stand")
    observation, info = env.reset(seed=2)
    kept = copy.deepcopy((observation, info))
    other, other_info = twin.reset(seed=2)
    for _ in range(5):
        action = np.flatnonzero(other_info["action_mask"])[0]
        other["board"][:], other["numbers"][:], other_info["action_mask"][:] = 9, 9, 0
        twin.action_masks()[:] = False
        assert twin.action_masks()[action]
        after = env.step(action)
        other, *_, other_info = twin.step(action)
        assert same(after[0], other)
    assert same(observation, kept[0])
    assert np.array_equal(info["action_mask"], kept[1]["action_mask"])
    assert other["board"].flags.writeable


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_from_the_same_position(twin_of: Any) -> None:
    env = made("30-grand-tour")
    _, info = env.reset(seed=2)
    twin = twin_of(env)
    action = np.flatnonzero(info["action_mask"])[-1]
    after = env.step(action)
    assert str(twin.game) != str(env.game)
    assert same(twin.step(action)[0], after[0])
    assert str(twin.game) == str(env.game)


def test_masks_are_those_that_samplers_want() -> None:
    env = made("03-open-field")
    _, info = env.reset(seed=2)
    assert info["action_mask"].dtype.name == "int8"
    assert env.action_masks().dtype.name == "bool"
    assert np.array_equal(info["action_mask"], env.action_masks())
    assert env.action_masks()[env.action_space.sample(info["action_mask"])]


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import levelsense.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'levelsense[gym]'" in done.stderr
