"""How sure the differences of `levelsense compare` are, judged by simulated players of several populations.

    python benchmarks/differences.py [FOLDER] [--skip 0] [--levels 40] [--edits 2] [--players 1000]

Some edits of each of the first bundled levels after those that are skipped, drawn by a seed: of numbers such
as the limit, and of cells and colors. Both versions are compared, and played by populations of simulated
players, with seeds that the model does not know. Prints how often the difference that they show is in the
95 % interval, their own sampling error included, and how wide that is: the table of docs/suggest.md. What is
done is kept in FOLDER/differences.json, and is not done again.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np

from levelsense import Lab, Level, bundled_levels
from levelsense.edits.dials import dials
from levelsense.edits.edit import Edit, Wish, is_sound
from levelsense.edits.offers import offers
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.levels import NamedLevel

JUDGES: Final = {"everyone": 7, "veterans": 8, "newcomers": 9, "planners": 10}
TURNED: Final = (0.8, 1.25)  # by these factors numbers are turned


@dataclass(frozen=True)
class Case:
    """A level and an edit: what was predicted of the difference, and what each population showed."""

    level: str
    change: str
    difference: float
    low: float
    high: float
    never: bool  # whether an agent never won at either version
    shown: dict[str, float]
    error: dict[str, float]  # of that: its standard error

    def is_inside(self, judges: str) -> bool:
        """Whether what a population showed is in the interval, as far as its attempts can tell."""
        half = sqrt(((self.high - self.low) / 2) ** 2 + (1.96 * self.error[judges]) ** 2)
        return abs(self.shown[judges] - (self.high + self.low) / 2) <= half


def drawn_edits(level: Level, number: int, rng: np.random.Generator) -> Iterator[Edit]:
    """So many sound edits of a level, of numbers and of cells in turn."""
    turned = [
        dial.edit(level, dial.value(factor * dial.present))
        for dial in dials(level, Wish())
        for factor in TURNED
    ]
    offered = [*offers(level, Wish(easier=True)), *offers(level, Wish(easier=False))]
    kinds = [[edit for edit in edits if edit is not None and is_sound(edit)] for edits in (turned, offered)]
    for which in range(number):
        edits = kinds[which % 2] or kinds[0]
        yield edits.pop(int(rng.integers(len(edits))))


def rate(judges: Population, level: Level) -> tuple[float, int]:
    """The success rate of the judges at a level, and from how many attempts."""
    won = visit(judges, NamedLevel(level, (level.name,))).won
    return float(won.mean()), len(won)


def try_case(lab: Lab, judges: dict[str, Population], name: str, edit: Edit) -> Case:
    """Compares both versions, and lets the judges play them."""
    old, new = Level.load(name), edit.level
    compared = lab.compare(old, new)
    shown, error = {}, {}
    for mix, population in judges.items():
        (before, attempts), (after, others) = rate(population, old), rate(population, new)
        shown[mix] = after - before
        error[mix] = sqrt(before * (1 - before) / attempts + after * (1 - after) / others)
    points = compared.players.points
    never = any(shift.old == shift.new == 0 for shift in compared.agents.values())
    return Case(name, edit.words, points.value or 0.0, points.low, points.high or 0.0, never, shown, error)


def print_table(cases: list[Case]) -> None:
    """How often differences are in their intervals, by population."""
    print("| players | pairs | in the 95 % interval | off, points | width, points |")
    print("| --- | --- | --- | --- | --- |")
    for judges in JUDGES:
        inside = sum(case.is_inside(judges) for case in cases)
        off = np.mean([abs(case.shown[judges] - case.difference) for case in cases])
        width = np.mean([case.high - case.low for case in cases])
        print(
            f"| {judges} | {len(cases)} | {inside} ({inside / len(cases):.0%}) | {100 * off:.1f} | "
            f"{100 * width:.1f} |"
        )
    never = [case for case in cases if case.never]
    if never:
        inside = sum(case.is_inside(judges) for case in never for judges in JUDGES)
        width = np.mean([case.high - case.low for case in never])
        print(
            f"\n{len(never)} pairs at which an agent never wins: {inside} of {len(never) * len(JUDGES)} in, "
        )
        print(f"{100 * width:.1f} points wide")


def main() -> None:
    """Tries all cases that were not tried yet, and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path())
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--levels", type=int, default=40)
    parser.add_argument("--edits", type=int, default=2)
    parser.add_argument("--players", type=int, default=1000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kept = given.folder / "differences.json"
    cases = [Case(**case) for case in json.loads(kept.read_text())] if kept.exists() else []
    done = {(case.level, case.change) for case in cases}
    judges = {mix: draw_population(given.players, seed, mix) for mix, seed in JUDGES.items()}
    lab = Lab(given.folder / "differences.db")
    names = list(enumerate(bundled_levels()))[given.skip : given.skip + given.levels]
    for number, name in names:
        for edit in drawn_edits(Level.load(name), given.edits, np.random.default_rng(number)):
            if (name, edit.words) not in done:
                cases.append(try_case(lab, judges, name, edit))
                kept.write_text(json.dumps([asdict(case) for case in cases], indent=1))
    print_table(cases)


if __name__ == "__main__":
    main()
