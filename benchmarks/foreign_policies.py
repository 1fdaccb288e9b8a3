"""Whether a policy that learned a population's own moves mends predictions of people unlike all agents.

`python -m benchmarks.foreign_policies FOLDER dev` (or `sealed`), after `levelsense study foreign-people -o
FOLDER`: of each population some players' moves at the first levels are recorded, as telemetry would be, and a
policy is trained on them. It plays beside the default model's agents; fits with it and without predict the
same later levels. What is trained and played is kept in the folder.
docs/studies/foreign-prediction.md has the tables.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
from benchmarks import foreign_people as benchmark
from numpy.typing import NDArray

from levelsense.agents.attempt import AttemptRecords, record_moves
from levelsense.agents.weights import write_weights
from levelsense.game.state import Array
from levelsense.learning import require_torch
from levelsense.learning.examples import Examples, encode
from levelsense.learning.fit import Recipe, fit_policy, mean_loss
from levelsense.level.level import Level
from levelsense.people.moves import LevelMoves
from levelsense.people.simulated.kinds import Kind
from levelsense.people.simulated.run import MOST_TIMED_MOVES, NO_MOVE, visit
from levelsense.people.simulated.traits import Population
from levelsense.playtest import NamedLevel, gather_levels
from levelsense.prediction.table import parse_counted, play_table
from levelsense.rng import Draws
from levelsense.studies import foreign_people as foreign
from levelsense.studies.foreign_kinds import CODES
from levelsense.studies.foreign_minds import FOREIGN_KERNELS

PLAYERS = 12  # whose moves are recorded at a level, others at each
VALIDATED = 45  # the last of the levels with moves, which training is stopped by
ATTEMPTS = 300  # of the policy at a level, as of the shipped one


def population_of(part: str, name: str, players: int) -> Population:
    """The players of a population of the study, in which population k has the seed of the saga plus k."""
    named = [(part, name) for part, inside in foreign.POPULATIONS.items() for name in inside]
    seed = foreign.SEED + named.index((part, name))
    return foreign.draw_foreign(name, foreign.POPULATIONS[part][name], players, seed)


def record_foreign(
    kind: Kind, level: Level, seeds: Array, traits: Array
) -> tuple[AttemptRecords, NDArray[np.int16]]:
    """The attempts of `play_foreign`, to the bit, with the moves made in them."""
    options = [CODES[kind], traits.shape[1], *traits.ravel()]
    rows, codes, offsets = record_moves(FOREIGN_KERNELS, options, level, seeds)
    moves = np.full((len(rows), level.moves or MOST_TIMED_MOVES), NO_MOVE, np.int16)
    for number, (start, end) in enumerate(pairwise(offsets)):
        moves[number, : end - start] = codes[start:end]
    return rows, moves


def some_moves(population: Population, named: NamedLevel, present: Sequence[int]) -> LevelMoves:
    """The attempts of a few of those who are present at a level, drawn, with their moves."""
    draws = Draws("foreign policies", population.seed, named.name)
    chosen = np.array(draws.sample(present, min(PLAYERS, len(present))), np.int64)
    visited = visit(population, named, record_foreign, chosen)
    made = visited.moves != NO_MOVE
    return LevelMoves(
        named,
        visited.game_seed,
        visited.moves[made],
        np.concatenate([np.zeros(1, np.int64), np.cumsum(made.sum(1), dtype=np.int64)]),
        visited.player,
        np.array(population.types)[visited.player],
        np.full(len(visited.player), visited.cohort),
        visited.attempt,
    )


def examples_of(population: Population, levels: Sequence[NamedLevel], rows: pl.DataFrame) -> list[Examples]:
    """Examples of moves at each level, of those whom the rows of players' results have there."""
    examples = []
    for number, named in enumerate(levels):
        players = rows.filter(pl.col("level") == named.name)["player"].str.strip_prefix("sim-")
        positions = some_moves(population, named, players.cast(pl.Int64).sort().to_list()).positions()
        examples.append(encode(positions, number, np.zeros(len(positions), np.int64)))
    return examples


def train(folder: Path, path: Path, form: str, levels: Sequence[NamedLevel]) -> Path:
    """The weights of a policy that has learned from a population's moves at these levels; trained once."""
    weights = folder / "policies" / f"{path.stem}.json"
    if weights.exists():
        return weights
    rows = benchmark.rows_of(path)
    name = path.stem.removesuffix(benchmark.FORMS[form])
    population = population_of(path.parent.name, name, rows["player"].n_unique())
    examples = examples_of(population, levels, rows)
    training, validation = (Examples.joined(part) for part in (examples[:-VALIDATED], examples[-VALIDATED:]))
    network = fit_policy(training, validation, Recipe())
    loss, random = mean_loss(network, validation), float(np.log(validation.moves).mean())
    card = {"players": "simulated", "moves": len(training), "log-loss": loss, "random": random}
    weights.parent.mkdir(exist_ok=True)
    write_weights(weights, network.weights(card))
    benchmark.tell(
        f"<!-- {path.stem}: {len(training):,} moves, log-loss {loss:.3f}, any move {random:.3f} -->"
    )
    return weights


def with_policy(table: pl.DataFrame, weights: Path, levels: Sequence[NamedLevel]) -> pl.DataFrame:
    """The table of the default model's agents with the policy's columns beside theirs; played once."""
    kept = weights.with_suffix(".parquet")
    if not kept.exists():
        agents = parse_counted([f"policy:model={weights}"], ATTEMPTS)
        played = play_table(levels, agents)
        own = (name for name in played.columns if name.startswith(tuple(f"{agent}: " for agent in agents)))
        played.select("level", *own).write_parquet(kept)
    return table.join(pl.read_parquet(kept), on="level", maintain_order="left")


def main() -> None:
    """Prints a row a population without its policy, and one with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of `levelsense study foreign-people`")
    parser.add_argument("part", choices=("dev", "sealed"))
    parser.add_argument("--form", choices=tuple(benchmark.FORMS), default="many")
    parser.add_argument(
        "--step", type=int, default=benchmark.LEVELS - benchmark.FIRST, help="levels between fits"
    )
    arguments = parser.parse_args()
    require_torch()
    folder, form = arguments.folder.resolve(), arguments.form
    paths = list(benchmark.People(folder, arguments.part, (form,)).paths())
    if not paths:
        parser.error(f"{folder / arguments.part}: no file of the form {form}; expected those of the study")
    levels = gather_levels([folder / "saga"])
    table = benchmark.agents_table(folder, "saga", [folder / "saga"], None)
    tell, heading = benchmark.tell, benchmark.HEADING.split("\n")
    tell(f"{heading[0]} noise floor |\n{heading[1]} --- |")
    every: dict[str, list[pl.DataFrame]] = {"without": [], "with": []}
    for path in paths:
        weights = train(folder, path, form, levels[: benchmark.FIRST])
        tables = {"without": table, "with": with_policy(table, weights, levels)}
        for which, one in tables.items():
            model, judged_levels = benchmark.forward(
                one, benchmark.rows_of(path), None, benchmark.FIRST, arguments.step
            )
            floor = 100 * benchmark.mean(judged_levels["floor"])
            tell(f"{benchmark.row(f'{path.stem}, {which}', model, judged_levels)} {floor:.2f} |")
            every[which].append(judged_levels)
    for which, parts in every.items():
        both = pl.concat(parts, how="diagonal_relaxed")  # each population has a policy of its own
        off, outside = benchmark.mean(both["delta"].abs()), benchmark.mean(both["outside"])
        tell(f"\n{which}: {100 * off:.2f} points off, {100 * outside:.1f} % outside")
        benchmark.hard_levels(both)


if __name__ == "__main__":
    main()
