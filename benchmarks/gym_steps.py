"""How many steps a second of processor time the vector environment makes with random legal actions.

Run it with `python benchmarks/gym_steps.py LEVEL...`; docs/gymnasium.md quotes it. Without levels it takes a
plain board of 9x9 under the rules `plain`, and two bundled levels.
"""

import sys
import time
from statistics import median
from typing import Any

import gymnasium
import numpy as np

import levelsense.gym
from levelsense.kernel import kernel
from levelsense.level.level import Level
from levelsense.rng import below, new_rng

GAMES = 1024
STEPS = 100
ROUNDS = 7
SINGLE_STEPS = 20_000
PLAIN = Level(
    name="plain 9x9", moves=50, board=(" ".join("." * 9),) * 9, goals={"score": 1_000_000}, rules="plain"
)


@kernel
def choose_actions(masks: Any, rng: Any, actions: Any) -> None:
    """Writes a legal action for each game, drawn; 0 where there is none. Modified in place."""
    for k in range(masks.shape[0]):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[k, action]
        actions[k] = 0
        if count:
            skip = below(rng, count)
            for action in range(masks.shape[1]):
                if masks[k, action]:
                    if skip == 0:
                        actions[k] = action
                        break
                    skip -= 1


def steps_per_second(level: Level) -> tuple[float, float]:
    """The speed of step() alone, and with the choice of actions; medians over rounds."""
    envs = gymnasium.make_vec(levelsense.gym.ENVIRONMENT, num_envs=GAMES, level=level)
    _, infos = envs.reset(seed=1)
    rng, actions = new_rng(2), np.zeros(GAMES, np.int64)
    alone, together = [], []
    for _ in range(ROUNDS + 1):
        stepping, start = 0.0, time.process_time()
        for _ in range(STEPS):
            choose_actions(infos["action_mask"], rng, actions)
            before = time.process_time()
            *_, infos = envs.step(actions)
            stepping += time.process_time() - before
        alone.append(GAMES * STEPS / stepping)
        together.append(GAMES * STEPS / (time.process_time() - start))
    return median(alone[1:]), median(together[1:])


def single_steps_per_second(level: Level) -> float:
    """The speed of a single environment, with the first legal action each time."""
    env = gymnasium.make(levelsense.gym.ENVIRONMENT, level=level, disable_env_checker=True)
    _, info = env.reset(seed=1)
    start = time.process_time()
    for _ in range(SINGLE_STEPS):
        _, _, terminated, _, info = env.step(info["action_mask"].argmax())
        if terminated:
            _, info = env.reset()
    return SINGLE_STEPS / (time.process_time() - start)


def main() -> None:
    """Prints a line for each level."""
    named = sys.argv[1:] or ["03-open-field", "30-grand-tour"]
    for level in [PLAIN, *map(Level.load, named)]:
        alone, together = steps_per_second(level)
        single = single_steps_per_second(level)
        sys.stdout.write(
            f"{level.name}: {alone:,.0f} steps/s, {together:,.0f} with the choice of actions; "
            f"one game alone: {single:,.0f} steps/s\n"
        )


if __name__ == "__main__":
    main()
