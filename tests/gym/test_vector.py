"""The vector environment: equal to single ones step by step, restarts, illegal actions, arrays of its own."""

import copy
from itertools import cycle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import levelsense.gym
from levelsense.errors import IllegalMoveError, LevelsenseError
from levelsense.game.game import Move
from levelsense.gym import Match3VectorEnv
from levelsense.level.level import Level
from tests.gym.played import LEVELS, drawn_level

TWO_MOVES = "r r g b\ny p r o\nb g y p"  # c1c2 makes a line of red


def made(level: Any, num_envs: int, mode: str = "vector_entry_point", **keys: Any) -> Any:
    return gymnasium.make_vec(
        levelsense.gym.ENVIRONMENT, num_envs=num_envs, vectorization_mode=mode, level=level, **keys
    )


def drawn_actions(generator: np.random.Generator, masks: Any) -> Any:
    """Legal actions, and now and then one that is not."""
    actions = (generator.random(masks.shape) * masks).argmax(axis=1)
    wild = generator.random(len(masks)) < 0.1
    return np.where(wild, generator.integers(masks.shape[1], size=len(masks)), actions)


def assert_same(first: Any, second: Any, where: Any) -> None:
    if isinstance(first, dict):
        assert first.keys() == second.keys(), where
        for name in first:
            assert_same(first[name], second[name], (*where, name))
    else:
        assert first.dtype == second.dtype, where
        assert np.array_equal(first, second), where


@pytest.mark.parametrize(("level", "reward"), [*zip(LEVELS, cycle(("score", "goals", "win")), strict=False)])
def test_it_is_equal_to_single_environments_step_by_step(level: str, reward: str) -> None:
    """With Gymnasium's own way to step single environments, to the last bit, over several episodes."""
    short = Level.load(level)
    short = short.model_copy(update={"moves": 6} if short.moves else {"seconds": 12.0})
    together, apart = (made(short, 5, mode, reward=reward) for mode in ("vector_entry_point", "sync"))
    assert isinstance(together, Match3VectorEnv)
    assert isinstance(apart, SyncVectorEnv)
    assert together.observation_space == apart.observation_space
    assert together.action_space == apart.action_space
    generator, episodes = np.random.default_rng(3), 0
    first: Any = together.reset(seed=40)
    second: Any = apart.reset(seed=40)
    for number in range(30):
        for part in range(2):
            assert_same(first[part], second[part], (number, part))
        actions = drawn_actions(generator, first[-1]["action_mask"])
        first, second = together.step(actions), apart.step(actions)
        for part in range(5):
            assert_same(first[part], second[part], (number, part))
        episodes += int(first[2].sum())
        first, second = (first[0], first[-1]), (second[0], second[-1])
    assert episodes > 10


def test_seeds() -> None:
    envs, twin = made("03-open-field", 3), made("03-open-field", 3)
    first, _ = envs.reset(seed=5)
    later, _ = envs.reset()
    listed, _ = twin.reset(seed=[5, 6, 7])
    assert np.array_equal(first["board"], listed["board"])
    assert np.array_equal(twin.reset()[0]["board"], later["board"])
    # Only the second is seeded anew; the others go on.
    partly, _ = twin.reset(seed=[None, 6, None])
    assert np.array_equal(partly["board"][1], first["board"][1])
    assert np.array_equal(partly["board"][[0, 2]], envs.reset()[0]["board"][[0, 2]])
    assert envs.np_random_seed == (5, 6, 7)
    assert len(envs.np_random) == 3
    with pytest.raises(LevelsenseError, match="`seed` has 2 seeds; expected 3"):
        envs.reset(seed=[1, 2])


def test_without_a_seed_episodes_differ() -> None:
    first, _ = made("03-open-field", 2).reset()
    second, _ = made("03-open-field", 2).reset()
    assert len({board.tobytes() for board in (*first["board"], *second["board"])}) == 4


def test_the_step_after_the_end_begins_a_new_attempt() -> None:
    envs = made(drawn_level(TWO_MOVES, moves=1), 2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    first, infos = envs.reset(seed=1)
    action = int(np.flatnonzero(infos["action_mask"][0])[0])
    illegal = int(np.flatnonzero(infos["action_mask"][0] == 0)[0])
    _, _, ended, truncated, infos = envs.step(np.array([action, illegal]))
    assert ended.tolist() == [True, False]
    assert not truncated.any()
    assert infos["refused"].tolist() == [False, True]
    assert not infos["action_mask"][0].any()
    # Any action begins the first anew, whatever it is, and plays in the second.
    observation, rewards, ended, _, infos = envs.step(np.array([illegal, action]))
    assert ended.tolist() == [False, True]
    assert rewards[0] == 0
    assert infos["refused"].tolist() == [False, False]
    assert np.array_equal(observation["board"][0], first["board"][0])
    assert observation["numbers"][0].tolist() == [1, 1]


def test_an_illegal_action_raises_if_told_to_and_changes_nothing() -> None:
    level = drawn_level(TWO_MOVES, moves=1)
    envs, twin = made(level, 3, illegal="raise"), made(level, 3, illegal="raise")
    for each in (envs, twin):
        _, infos = each.reset(seed=1)
    legal = int(np.flatnonzero(infos["action_mask"][0])[0])
    with pytest.raises(IllegalMoveError, match=r"^a1b1: action 0 of game 1 is not legal here"):
        envs.step(np.array([legal, 0, legal]))
    assert [str(envs.game(k)) for k in range(3)] == [str(twin.game(k)) for k in range(3)]
    # Once more where attempts begin: a step that was refused as a whole draws no seeds.
    for each in (envs, twin):
        each.step(np.array([legal, legal, legal]))
        each.reset(seed=2)
        each.step(np.array([legal] * 3))
    with pytest.raises(IllegalMoveError, match="no action of this level"):
        envs.step(np.array([0, 0, 99]))
    for each in (envs, twin):
        each.step(np.array([0, 0, 0]))
    assert [str(envs.game(k)) for k in range(3)] == [str(twin.game(k)) for k in range(3)]


def test_an_illegal_action_leaves_attempts_that_would_begin_as_they_are() -> None:
    level = drawn_level(f"{TWO_MOVES}\nr= b| o g", goals={"orders": {"red": 3}})
    envs = made(level, 2, illegal="raise")
    envs.reset(seed=1)
    line, stripes = (envs.moves.index(Move.parse(move)) for move in ("c1c2", "a4b4"))
    _, _, ended, _, infos = envs.step(np.array([line, stripes]))
    assert ended.tolist() == [True, False]
    before = [str(envs.game(k)) for k in range(2)]
    illegal = int(np.flatnonzero(infos["action_mask"][1] == 0)[0])
    with pytest.raises(IllegalMoveError, match=f"action {illegal} of game 1 is not legal"):
        envs.step(np.array([illegal, illegal]))
    assert [str(envs.game(k)) for k in range(2)] == before


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([0, 0], r"shape \(2,\) and type int64: expected 3 whole numbers"),
        ([[0], [0], [0]], r"shape \(3, 1\)"),
        ([0.0, 0.0, 0.0], "type float64"),
        ([0, -1, 0], "action -1 of game 1: no action of this level; expected a number from 0 to"),
        ([0, 0, 10_000], "action 10000 of game 2"),
    ],
)
def test_actions_that_are_none(actions: Any, words: str) -> None:
    envs = made("03-open-field", 3)
    envs.reset(seed=1)
    with pytest.raises(IllegalMoveError, match=words):
        envs.step(np.array(actions))


def test_attempts_must_be_in_play() -> None:
    envs = Match3VectorEnv(2, level="03-open-field")
    with pytest.raises(ResetNeeded, match="reset"):
        envs.step(np.zeros(2, np.int64))
    with pytest.raises(LevelsenseError, match="`num_envs` 0; expected at least 1"):
        Match3VectorEnv(0, level="03-open-field")


def test_what_was_handed_out_stays_as_it_is_and_cannot_harm_the_games() -> None:
    envs, twin = made("45-last-stand", 4), made("45-last-stand", 4)
    handed: list[Any] = [envs.reset(seed=2)]
    kept = copy.deepcopy(handed)
    observation, infos = twin.reset(seed=2)
    for _ in range(40):
        actions = infos["action_mask"].argmax(axis=1)
        observation["board"][:], infos["action_mask"][:], infos["score"][:] = 9, 0, -1
        after = envs.step(actions)
        handed.append(after)
        kept.append(copy.deepcopy(after))
        observation, rewards, ended, truncated, infos = twin.step(actions)
        assert_same(observation, after[0], ())
        assert_same(infos, after[-1], ())
        rewards[:], ended[:], truncated[:] = -9, True, True
    for number, (now, then) in enumerate(zip(handed, kept, strict=True)):
        for part in range(len(now)):
            assert_same(now[part], then[part], (number, part))


def test_masks_are_those_that_samplers_want() -> None:
    envs = made("03-open-field", 4)
    _, infos = envs.reset(seed=2)
    assert np.array_equal(infos["action_mask"], envs.action_masks())
    actions = envs.action_space.sample(tuple(infos["action_mask"]))
    assert envs.action_masks()[np.arange(4), actions].all()


def test_rendering() -> None:
    envs = made("17-pocket-board", 2, render_mode="ansi")
    envs.reset(seed=1)
    texts = envs.render()
    assert len(texts) == 2
    assert all("12 moves left" in text for text in texts)
    pictures = made("17-pocket-board", 2, render_mode="rgb_array")
    pictures.reset(seed=1)
    assert [picture.shape for picture in pictures.render()] == [(108, 108, 3)] * 2
    assert made("17-pocket-board", 2).render() is None
