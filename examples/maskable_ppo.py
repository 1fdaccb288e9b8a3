"""Trains MaskablePPO of sb3-contrib on a bundled level and compares it with random play and the heuristic.

    pip install 'levelsense[gym]' sb3-contrib
    python examples/maskable_ppo.py

docs/gymnasium.md quotes what it prints.
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

import levelsense.gym
from levelsense import Level, parse_agent
from levelsense.game.state import WON
from levelsense.playtest.interval import wilson


class BoardFeatures(BaseFeaturesExtractor):
    """What two convolutions make of each cell's neighborhood, and the numbers beside it."""

    def __init__(self, space: gymnasium.spaces.Dict, channels: int = 32, kept: int = 16) -> None:
        planes, rows, columns = space["board"].shape
        super().__init__(space, kept * rows * columns + space["numbers"].shape[0])
        self.board = torch.nn.Sequential(
            torch.nn.Conv2d(planes, channels, 5, padding=2),
            torch.nn.ReLU(),
            torch.nn.Conv2d(channels, kept, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
        )

    def forward(self, observation: dict[str, torch.Tensor]) -> torch.Tensor:
        return torch.cat([self.board(observation["board"]), observation["numbers"]], dim=1)


def train(level: str, steps: int, seed: int) -> MaskablePPO:
    """A policy that has seen so many steps of a level."""
    envs = make_vec_env(
        levelsense.gym.ENVIRONMENT,
        n_envs=16,
        seed=seed,
        env_kwargs={"level": level, "reward": "goals", "illegal": "raise", "disable_env_checker": True},
    )
    model = MaskablePPO(
        "MultiInputPolicy",
        envs,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.9,
        ent_coef=0.005,
        policy_kwargs={
            "features_extractor_class": BoardFeatures,
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
    parser.add_argument("--steps", type=int, default=300_000)
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
