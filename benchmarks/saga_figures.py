"""What a generated saga is like: its mix, its limits, and how agents do on it.

    levelsense generate -o saga
    python benchmarks/saga_figures.py saga [--sample 60] [--attempts 200]

Figures are by thirds of the saga. Success rates are of a sample, spread evenly over the levels.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON
from levelsense.level.level import Level
from levelsense.playtest.plan import attempt_seeds
from levelsense.saga.schedule import ELEMENTS, elements_in

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
AGENTS = ("heuristic", "greedy", "random")
THIRDS = ("first", "second", "last")


def print_mix(levels: list[Level]) -> None:
    """A line an element: in how many levels of each third it is."""
    thirds = [levels[start : start + len(levels) // 3 + 1] for start in _starts(len(levels))]
    print("| element | from level |", " | ".join(f"{third} third" for third in THIRDS), "|")
    print("| --- | --- | --- | --- | --- |")
    counts = [Counter(name for level in third for name in elements_in(level)) for third in thirds]
    for element in ELEMENTS:
        seen = " | ".join(
            f"{100 * c[element.name] / len(t):.0f} %" for c, t in zip(counts, thirds, strict=True)
        )
        print(f"| {element.name} | {element.first} | {seen} |")


def _starts(count: int) -> list[int]:
    return [0, count // 3 + 1, 2 * (count // 3 + 1)]


def print_limits(levels: list[Level]) -> None:
    """Quantiles of the moves; how many levels have seconds; sizes and colors."""
    moves = [level.moves for level in levels if level.moves is not None]
    print("moves, quantiles", QUANTILES, np.quantile(moves, QUANTILES), "from", min(moves), "to", max(moves))
    print("levels with seconds:", len(levels) - len(moves))
    print("tiles, quantiles", np.quantile([sum(c.tile for c in level.cells) for level in levels], QUANTILES))
    print("colors:", sorted(Counter(len(set(level.color_table)) for level in levels).items()))
    print("levels with stars:", sum(level.stars is not None for level in levels))


def print_rates(levels: list[Level], sample: int, attempts: int) -> None:
    """A line a third and agent: quantiles of success rates."""
    chosen = np.unique(np.linspace(0, len(levels) - 1, sample).round().astype(int))
    print("| third | agent | levels |", " | ".join(f"{q:.0%}" for q in QUANTILES), "|")
    print("| --- |", " --- |" * (2 + len(QUANTILES)))
    for name in AGENTS:
        rates = np.array([_rate(levels[k], name, attempts) for k in chosen])
        for third, start in zip(THIRDS, _starts(len(levels)), strict=True):
            here = rates[(chosen >= start) & (chosen <= start + len(levels) // 3)]
            quantiles = " | ".join(f"{q:.2f}" for q in np.quantile(here, QUANTILES))
            print(f"| {third} | `{name}` | {len(here)} | {quantiles} |")


def _rate(level: Level, name: str, attempts: int) -> float:
    agent = parse_agent(name)
    seeds = attempt_seeds(level.digest, agent.spec, 0, 0, attempts)
    return float((agent.attempts(level, seeds)["status"] == WON).mean())


def main() -> None:
    """Prints the figures of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--attempts", type=int, default=200)
    asked = parser.parse_args()
    levels = [Level.load(path) for path in sorted(asked.folder.glob("saga-*.json"))]
    print_mix(levels)
    print_limits(levels)
    print_rates(levels, asked.sample, asked.attempts)


if __name__ == "__main__":
    main()
