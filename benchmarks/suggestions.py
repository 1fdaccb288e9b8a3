"""How near `levelsense suggest` lands to a target, judged by simulated players that it has not seen.

    python benchmarks/suggestions.py [FOLDER] [--levels 40] [--targets 0.2,0.4,0.6] [--players 2000]

For each of the first bundled levels and each target, the first suggestion (`--most 1`) is played by a
population of simulated players (mix everyone, seed 7) that neither the model nor the search knows. A target
counts as reachable unless nothing was found and simulated players do not get to it either, with the shortest
or the longest limit that `suggest` may give. What is done is kept in FOLDER/suggestions.json, and is not done
again. Prints the tables of docs/suggest.md.
"""

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from levelsense import Lab, Level, bundled_levels
from levelsense.edits.dials import dials
from levelsense.edits.edit import Wish
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.levels import NamedLevel

SEED = 7  # of the judges: the default model knows seed 0
NEAR = 0.05


@dataclass(frozen=True)
class Case:
    """A level and a target: what was suggested, what was predicted of it, and what the judges did."""

    level: str
    target: float
    now: float  # predicted
    change: str | None  # None: nothing reaches the target; empty: it is reached as it is
    predicted: float
    judged: float
    low: float  # judged with the shortest limit, and with the longest, if nothing was found
    high: float
    processor_seconds: float

    @property
    def is_reachable(self) -> bool:
        """Whether the target can be reached at all, as far as is known."""
        return self.change is not None or self.low <= self.target <= self.high

    @property
    def is_near(self) -> bool:
        """Whether the suggestion lands near the target by the judges."""
        return self.change is not None and abs(self.judged - self.target) <= NEAR


def judged_rate(judges: Population, level: Level) -> float:
    """The success rate of the judges at a level."""
    return float(visit(judges, NamedLevel(level, (level.name,))).won.mean())


def try_case(lab: Lab, judges: Population, name: str, target: float) -> Case:
    """Asks for the best suggestion and lets the judges play it."""
    start = time.process_time()
    result = lab.suggest(name, target, most=1)
    seconds = time.process_time() - start
    level, best = result.level, result.suggestions[0] if result.suggestions else result.nearest
    change: str | None = None
    if result.is_reached:
        change = ""
    elif result.suggestions:
        change = result.suggestions[0].words
    low = high = 0.0
    if change is None:
        (limit,) = (dial for dial in dials(level, Wish()) if dial.kind == "moves")
        low, high = (
            judged_rate(judges, limit.turned(level, limit.value(end))) for end in (limit.least, limit.most)
        )
    predicted = result.now.rate if best is None else best.rate
    judged = judged_rate(judges, level if best is None else best.level)
    return Case(name, target, result.now.rate, change, predicted, judged, low, high, seconds)


def print_tables(cases: list[Case]) -> None:
    """The share of cases that land near their targets, and those that do not."""
    print("| target | cases | reachable | within 5 points | miss | of the prediction | processor seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    targets = sorted({case.target for case in cases})
    groups = [(f"{target:.0%}", [case for case in cases if case.target == target]) for target in targets]
    for name, group in [*groups, ("all", cases)]:
        reachable = [case for case in group if case.is_reachable]
        near = sum(case.is_near for case in reachable)
        changed = [case for case in reachable if case.change is not None]
        miss = sum(abs(case.judged - case.target) for case in changed) / max(len(changed), 1)
        off = sum(abs(case.predicted - case.judged) for case in changed) / max(len(changed), 1)
        seconds = sum(case.processor_seconds for case in group) / len(group)
        share = near / max(len(reachable), 1)
        print(
            f"| {name} | {len(group)} | {len(reachable)} | {near} ({share:.0%}) | {100 * miss:.1f} | "
            f"{100 * off:.1f} | {seconds:.1f} |"
        )
    print()
    for case in cases:
        if case.is_reachable and not case.is_near:
            print(
                f"{case.level}, {case.target:.0%}: predicted {case.predicted:.1%}, judged {case.judged:.1%}: "
                f"{case.change if case.change is not None else 'nothing changed'}"
            )


def main() -> None:
    """Tries all cases that were not tried yet, and prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path())
    parser.add_argument("--levels", type=int, default=40)
    parser.add_argument("--targets", default="0.2,0.4,0.6")
    parser.add_argument("--players", type=int, default=2000)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kept = given.folder / "suggestions.json"
    cases = [Case(**case) for case in json.loads(kept.read_text())] if kept.exists() else []
    done = {(case.level, case.target) for case in cases}
    judges = draw_population(given.players, SEED, "everyone")
    lab = Lab(given.folder / "suggestions.db")
    for name in bundled_levels()[: given.levels]:
        for target in map(float, given.targets.split(",")):
            if (name, target) not in done:
                cases.append(try_case(lab, judges, name, target))
                kept.write_text(json.dumps([asdict(case) for case in cases], indent=1))
    print_tables(cases)


if __name__ == "__main__":
    main()
