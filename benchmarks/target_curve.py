"""How near levels of `levelsense generate --target` are to their targets, judged by simulated players.

    python benchmarks/target_curve.py [FOLDER] [--first 501] [--levels 20] [--players 2000]

A curve that goes up and down between 15 and 60 %, as sagas do, from a level on where all elements may appear.
The judges (mix everyone, seed 7) are a population that neither the model nor the search knows. Prints the
table of docs/suggest.md.
"""

import argparse
from pathlib import Path
from typing import Final

from levelsense import Lab
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.levels import NamedLevel

CURVE: Final = (0.60, 0.45, 0.35, 0.25, 0.15, 0.50, 0.40, 0.30, 0.20, 0.55)
SEED: Final = 7
NEAR: Final = 0.05


def main() -> None:
    """Generates the levels, lets the judges play them and prints a line a level."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path())
    parser.add_argument("--first", type=int, default=501)
    parser.add_argument("--levels", type=int, default=20)
    parser.add_argument("--players", type=int, default=2000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    targets = [CURVE[number % len(CURVE)] for number in range(given.levels)]
    judges = draw_population(given.players, SEED, "everyone")
    misses = []
    print("| level | target | predicted | judged |\n| --- | --- | --- | --- |")
    for made in Lab(given.folder / "curve.db").generate(targets, first=given.first):
        judged = float(visit(judges, NamedLevel(made.level, (made.level.name,))).won.mean())
        misses.append(abs(judged - made.target))
        print(
            f"| {made.saga.file_name} | {made.target:.0%} | {made.prediction.rate:.1%} | {judged:.1%} |",
            flush=True,
        )
    near = sum(miss <= NEAR for miss in misses)
    mean = 100 * sum(misses) / len(misses)
    print(f"\n{near} of {len(misses)} within 5 points, {mean:.1f} points off on average")


if __name__ == "__main__":
    main()
