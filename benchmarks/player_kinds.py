"""Success rates of every type of simulated player at bundled levels, and how fast each kind plays.

Run it with `python benchmarks/player_kinds.py`, or with `--players N` for more than 200 of each type;
docs/players.md quotes it.
"""

import argparse
import time
from collections import Counter

from levelsense.people.simulated.kinds import KIND_OF, KINDS
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import gather_levels

LEVELS = [
    "04-jelly-garden",
    "12-locked-up",
    "16-licorice-walk",
    "23-sugar-rush",
    "24-hourglass",
    "26-paint-shop",
    "28-crossed-wires",
    "32-long-shelf",
    "38-bomb-factory",
    "39-ice-fortress",
    "42-chocolate-cellar",
    "43-no-time",
]


def main() -> None:
    """Prints a table in Markdown, and the moves a second of each kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200, help="how many of each type")
    number = parser.parse_args().players
    populations = {name: draw_population(number, 0, {name: 1}) for name in KIND_OF}
    moves, seconds = Counter[str](), dict.fromkeys((kind.name for kind in KINDS), 0.0)
    levels = gather_levels(LEVELS)
    for name in populations:  # compiled, or read from the cache
        visit(draw_population(1, 0, {name: 1}), levels[0])
    print(f"| level | {' | '.join(populations)} |")
    print(f"| --- |{' --- |' * len(populations)}")
    for level in levels:
        rates = []
        for name, population in populations.items():
            start = time.perf_counter()
            seen = visit(population, level)
            seconds[KIND_OF[name].name] += time.perf_counter() - start
            moves[KIND_OF[name].name] += int(seen.rows["moves_made"].sum())
            rates.append(f"{100 * seen.won.mean():.0f} %")
        print(f"| `{level.name}` | {' | '.join(rates)} |")
    for kind, count in moves.items():
        print(f"{kind}: {count / seconds[kind]:,.0f} moves a second on one thread")


if __name__ == "__main__":
    main()
