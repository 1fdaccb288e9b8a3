"""Whether the cells that `explain` names are the ones that hold players up, by levels without jelly there.

python benchmarks/explained_cells.py FOLDER takes the levels of a folder with jelly to clear. Where the first
reason names cells with jelly, it takes the jelly away there, and in another copy of the level from as many
other cells, drawn. Simulated players, who had no part in the explanation, then play all three;
docs/explain.md quotes it.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl

from levelsense import Lab, Level
from levelsense.agents.registry import parse_agent
from levelsense.losses.explain import explain_losses
from levelsense.playtest.figures import play_seeds
from levelsense.playtest.levels import NamedLevel
from levelsense.playtest.plan import attempt_seeds

ATTEMPTS = 200
PLAYERS = 60
MOST_LEVELS = 40


def without_jelly(level: Level, cells: set[int]) -> Level:
    """A level without the jelly of some cells."""
    rows = [row.split() for row in level.jelly]
    for cell in cells:
        row, column = divmod(cell, level.columns)
        rows[row][column] = "."
    return level.model_copy(update={"jelly": tuple(" ".join(row) for row in rows)})


def named_cells(level: Level) -> set[int]:
    """The cells with jelly that the first reason names; none if it names none, or all that there are."""
    agent = parse_agent("policy")
    seeds = attempt_seeds(level.digest, agent.spec, 0, 0, ATTEMPTS)
    losses = explain_losses(agent, play_seeds(agent, level, seeds))
    jelly = {index for index, cell in enumerate(level.cells) if cell.jelly}
    if not losses.findings or losses.findings[0].kind != "cells":
        return set()
    named = {level.index(name) for name in losses.findings[0].cells}
    return named if named < jelly and len(named) <= len(jelly - named) else set()


def main(folder: Path) -> None:
    """Prints simulated players' success rates: as it is, without the jelly named, without other jelly."""
    generator = np.random.default_rng(0)
    rows: list[list[float]] = []
    paths = sorted(folder.glob("*.json"))
    for path in generator.permutation(np.array(paths, object)).tolist():
        level = Level.load(path)
        if level.goals.jelly != "all" or len(rows) == MOST_LEVELS:
            continue
        named = named_cells(level)
        if not named:
            continue
        jelly = sorted({index for index, cell in enumerate(level.cells) if cell.jelly} - named)
        drawn = set(generator.choice(jelly, len(named), replace=False).tolist())
        copies = {
            "as it is": level,
            "named": without_jelly(level, named),
            "drawn": without_jelly(level, drawn),
        }
        with Lab() as lab:
            lab.simulate([NamedLevel(copy, (name,)) for name, copy in copies.items()], PLAYERS, mix="both")
            results = lab.rates().select("level", pl.col("successes") / pl.col("attempts"))
            rates = dict(results.iter_rows())
        rows.append([rates[name] for name in copies])
        print(f"{path.stem}: {', '.join(f'{name} {rates[name]:.1%}' for name in copies)}", flush=True)
    table = np.array(rows)
    means = ", ".join(f"{name} {mean:.1%}" for name, mean in zip(copies, table.mean(axis=0), strict=True))
    gains = table[:, 1:] - table[:, :1]
    print(f"{len(table)} levels; mean success: {means}")
    more = (gains[:, 0] > gains[:, 1]).sum()
    print(f"more without the jelly named than without other jelly: {more} of {len(table)} levels")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
