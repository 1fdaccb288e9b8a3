"""Trains MaskablePPO of sb3-contrib on a bundled level and compares it with random play and the heuristic.

    pip install 'levelsense[gym]' sb3-contrib
    python examples/maskable_ppo.py

docs/gymnasium.md quotes what it prints.
"""

import argparse
import time
from collections.abc import Callable

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import levelsense.gym
from levelsense import Level, parse_agent
from levelsense.game.state import WON
from levelsense.playtest.interval import wilson

DIRECTIONS = 4


class SwapFeatures(BaseFeaturesExtractor):
    """A preference for each swap from the cells around it, the same everywhere on the board; then a summary.

    Where a swap is does not matter to what it does, so that one network for all of them learns from each.
    """

    def __init__(self, space: gymnasium.spaces.Dict, places: list[int], channels: int = 24) -> None:
        planes = space["board"].shape[0]
        super().__init__(space, len(places) + channels + space["numbers"].shape[0])
        self.register_buffer("places", torch.tensor(places))
        self.cells = torch.nn.Sequential(
            torch.nn.Conv2d(planes, channels, 5, padding=2),
            torch.nn.ReLU(),
            torch.nn.Conv2d(channels, channels, 3, padding=1),
            torch.nn.ReLU(),
        )
        self.directions = torch.nn.Conv2d(channels, DIRECTIONS, 1)

    def forward(self, observation: dict[str, torch.Tensor]) -> torch.Tensor:
        cells = self.cells(observation["board"])
        preferences = self.directions(cells).flatten(1)[:, self.places]
        return torch.cat([preferences, cells.mean(dim=(2, 3)), observation["numbers"]], dim=1)


class SwapPolicy(MaskableMultiInputActorCriticPolicy):
    """Takes the preferences of SwapFeatures as they are for the logits of the actions."""

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        super()._build(lr_schedule)
        self.action_net = Preferences(self.action_space.n)


class Preferences(torch.nn.Module):
    """The first of the features."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self.actions = actions

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, : self.actions]


def places_of(env: levelsense.gym.Match3Env) -> list[int]:
    """Where the preference of each action is: by the direction of the move, then by its first cell."""
    places = []
    for move in env.moves:
        (row, column), (other_row, other_column) = move
        direction = [(0, 1), (1, 0), (0, -1), (-1, 0)].index((other_row - row, other_column - column))
        places.append((direction * env.level.rows + row) * env.level.columns + column)
    return places


def train(level: str, steps: int, seed: int) -> MaskablePPO:
    """A policy that has seen so many steps of a level."""
    envs = make_vec_env(
        levelsense.gym.ENVIRONMENT,
        n_envs=16,
        seed=seed,
        env_kwargs={"level": level, "reward": "goals", "illegal": "raise", "disable_env_checker": True},
    )
    model = MaskablePPO(
        SwapPolicy,
        envs,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.9,
        policy_kwargs={
            "features_extractor_class": SwapFeatures,
            "features_extractor_kwargs": {"places": places_of(levelsense.gym.Match3Env(level))},
            "net_arch": {"pi": [], "vf": [64]},
        },
        seed=seed,
    )
    return model.learn(steps)


def play(level: str, episodes: int, model: MaskablePPO | None, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether each of some episodes was won, and its score; without a model by random legal moves."""
    envs = gymnasium.make_vec(levelsense.gym.ENVIRONMENT, num_envs=episodes, level=level)
    generator = np.random.default_rng(seed)
    observation, infos = envs.reset(seed=seed)
    is_over, won, score = np.zeros(episodes, bool), np.zeros(episodes, bool), np.zeros(episodes, int)
    while not is_over.all():
        masks = infos["action_mask"]
        if model is None:
            actions = (generator.random(masks.shape) * masks).argmax(axis=1)
        else:
            actions, _ = model.predict(observation, action_masks=masks, deterministic=True)
        observation, _, ended, _, infos = envs.step(actions)
        first = ended & ~is_over  # later episodes of short ones would count too often
        won[first], score[first] = infos["is_success"][first], infos["score"][first]
        is_over |= ended
    return won, score


def play_heuristic(level: str, episodes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The same for the heuristic agent."""
    seeds = np.random.default_rng(seed).integers(1 << 63, size=(episodes, 2)).astype(np.uint64)
    rows = parse_agent("heuristic").attempts(Level.load(level), seeds)
    return rows["status"] == WON, rows["score"]


def tell(name: str, won: np.ndarray, score: np.ndarray) -> None:
    """Prints success and score with their 95 % intervals."""
    low, high = wilson(int(won.sum()), len(won))
    margin = 1.96 * score.std(ddof=1) / np.sqrt(len(score))
    print(
        f"{name:<12} success {won.mean():6.1%} ({low:.1%} - {high:.1%})   "
        f"score {score.mean():,.0f} ({score.mean() - margin:,.0f} - {score.mean() + margin:,.0f})"
    )


def main() -> None:
    """Trains, then compares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", default="22-ring-road")
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--episodes", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(1)  # its networks are too small for more
    start = time.perf_counter()
    model = train(given.level, given.steps, given.seed)
    print(f"{given.level}: {given.steps:,} steps in {time.perf_counter() - start:.0f} s", flush=True)
    seed = given.seed + 1_000_000  # games that the training has not met
    tell("random", *play(given.level, given.episodes, None, seed))
    tell("MaskablePPO", *play(given.level, given.episodes, model, seed))
    tell("heuristic", *play_heuristic(given.level, given.episodes, seed))


if __name__ == "__main__":
    main()
