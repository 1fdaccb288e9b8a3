"""How well groups of simulated players are found and played: agreement, success by group, a changing mix.

    levelsense generate --count 1000 --seed 1 -o saga
    python benchmarks/personas.py saga work

`work` keeps the moves and policies between runs. Levels 20, 40 ... 520 are fitted to, 540, 560 ... 800 are
judged by. It takes about four minutes of processor time, and needs the extra `train`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import comb

from levelsense.agents.policy.inputs import ENCODING
from levelsense.agents.policy.network import KIND
from levelsense.agents.weights import Weights, read_weights, write_weights
from levelsense.game.state import WON
from levelsense.lab import Lab
from levelsense.learning import require_torch
from levelsense.learning.fit import Recipe
from levelsense.learning.grouping import belongs_to, fit_personas, shares_for
from levelsense.learning.personas import Personas
from levelsense.learning.player_moves import PlayerMoves, read_player_moves
from levelsense.learning.policy import train_from_files
from levelsense.people.moves import read_moves
from levelsense.people.simulated.kinds import KIND_OF
from levelsense.playtest import playtest
from levelsense.playtest.levels import NamedLevel, gather_levels

PLAYERS, ATTEMPTS, MOVES_PER_LEVEL = 200, 1_000, 4_000
FITTED, JUDGED = range(20, 521, 20), range(540, 801, 20)
RESHARED = range(540, 601, 20)  # of the judged levels: the shares of later players are estimated here
EARLY = "casual=0.4,drifter=0.4,keen=0.1,strategist=0.1"
LATE = "casual=0.1,drifter=0.1,keen=0.4,strategist=0.4"


def levels_of(saga: Path, numbers: Sequence[int]) -> list[NamedLevel]:
    """Levels of the saga by their numbers."""
    return list(gather_levels([saga / f"saga-{number:04d}.json" for number in numbers]))


def moves_of(work: Path, name: str, levels: Sequence[NamedLevel], mix: str, seed: int) -> Path:
    """A file of the moves of simulated players at levels, made if it is not there."""
    path = work / f"{name}.parquet"
    if not path.exists():
        Lab().simulate(levels, players=PLAYERS, mix=mix, seed=seed, telemetry=path)
    return path


def policy_of(work: Path, name: str, moves: Path, levels: Sequence[NamedLevel]) -> Weights:
    """A policy trained on moves, if it is not there."""
    path = work / f"{name}.json"
    if not path.exists():
        train_from_files([moves], levels, path, Recipe(), moves_per_level=MOVES_PER_LEVEL)
    return read_weights(str(path), KIND, ENCODING)


def read(moves: Path, levels: Sequence[NamedLevel], policy: Weights) -> PlayerMoves:
    """What a file of moves tells of its players."""
    return read_player_moves([read_moves(moves)], levels, policy, moves_per_level=MOVES_PER_LEVEL)


def outcomes(moves: Path, levels: Sequence[NamedLevel]) -> pl.DataFrame:
    """Level, player, type and success of each attempt."""
    tables = []
    for positions in read_moves(moves).positions(levels):
        assert positions.ending is not None  # a file of seeds and moves is replayed to the end
        is_first = positions.turn == 0
        columns = {
            "player": positions.player[is_first],
            "type": positions.type[is_first],
            "won": positions.ending[is_first] == WON,
        }
        tables.append(pl.DataFrame(columns).with_columns(level=pl.lit(positions.name)))
    return pl.concat(tables)


def adjusted_rand(first: NDArray[Any], second: NDArray[Any]) -> float:
    """The adjusted Rand index of two groupings: 1 if they are the same, about 0 if by chance."""
    _, one = np.unique(first, return_inverse=True)
    _, other = np.unique(second, return_inverse=True)
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1)
    both, rows, columns = (comb(part, 2).sum() for part in (table, table.sum(1), table.sum(0)))
    chance = rows * columns / comb(len(one), 2)
    return float((both - chance) / ((rows + columns) / 2 - chance))


def sampled(
    work: Path, weights: Weights, levels: Sequence[NamedLevel], personas: Sequence[str]
) -> NDArray[np.float64]:
    """The success rate of each persona (a row each) at each level."""
    path = work / f"{weights.digest}.json"
    write_weights(path, weights)
    agents = [f"policy:model={path},persona={persona}" for persona in personas]
    result = playtest(levels, agents, ATTEMPTS)
    return np.array([pair.success_rate for pair in result.pairs]).reshape(len(levels), -1).T


def rates_by_level(
    table: pl.DataFrame, levels: Sequence[NamedLevel], weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Success rates by level; attempts weigh as much as `weight` says of them."""
    of = table.with_columns(weight=1.0 if weight is None else pl.Series(weight))
    sums = of.group_by("level").agg(rate=(pl.col("weight") * pl.col("won")).sum() / pl.col("weight").sum())
    rates = dict(sums.iter_rows())
    return np.array([rates[named.name] for named in levels])


def print_groups(personas: Personas) -> None:
    """The groups in words."""
    print("gains of players left out, nats:", [round(gain, 2) for gain in personas.gains])
    for k, group in enumerate(personas.groups, 1):
        print(f"  {k} {group.name}: {group.share:.0%} of players; {', '.join(group.words)}")


def judge_groups(saga: Path, work: Path) -> None:
    """Whether groups agree with types and skill, and succeed as often as their players, on other players."""
    fitted, judged = levels_of(saga, FITTED), levels_of(saga, JUDGED)
    moves = moves_of(work, "fit", fitted, "both", 7)
    policy = policy_of(work, "policy", moves, fitted)
    personas = fit_personas(read(moves, fitted, policy), policy)
    print_groups(personas)
    # Other players: their groups by their moves at the levels fitted to, their success at later levels.
    before = read(moves_of(work, "other", fitted, "both", 8), fitted, policy)
    table = outcomes(moves_of(work, "other-later", judged, "both", 8), judged)
    names = [name for _, name in before.players]
    by_moves = dict(zip(names, belongs_to(before, personas.weights, by_fares=False), strict=True))
    belongs = dict(zip(names, belongs_to(before, personas.weights), strict=True))
    of_attempt = np.stack([belongs[player] for player in table["player"]])
    players = table.group_by("player").agg(pl.col("type").first(), pl.col("won").mean())
    group = np.array([belongs[player].argmax() for player in players["player"]])
    types = players["type"].to_numpy()
    kinds = np.array([KIND_OF[name].name for name in types])
    by_type, by_kind = adjusted_rand(group, types), adjusted_rand(group, kinds)
    print(f"adjusted Rand index with types {by_type:.2f}, with kinds {by_kind:.2f}")
    odds = np.array([persona.odds for persona in personas.groups])
    expected = [np.array([of[player] @ odds for player in players["player"]]) for of in (by_moves, belongs)]
    of_type = players.with_columns(mean=pl.col("won").mean().over("type"))["mean"].to_numpy()
    alike = [float(np.corrcoef(guess, players["won"].to_numpy())[0, 1]) for guess in (*expected, of_type)]
    print(
        f"correlation with success at later levels: of groups by moves alone {alike[0]:.2f}, by moves and "
        f"success {alike[1]:.2f}; of types {alike[2]:.2f}"
    )
    numbers = [str(k) for k in range(1, len(personas.groups) + 1)]
    rates = sampled(work, personas.weights, judged, ["everyone", "mix", *numbers])
    print("success at later levels, mean over levels: players, sampled, difference; mean absolute error")
    for k, name in enumerate(["everyone", "mix", *(persona.name for persona in personas.groups)]):
        actual = rates_by_level(table, judged, None if k < 2 else of_attempt[:, k - 2])
        apart = rates[k] - actual
        print(
            f"  {name}: {actual.mean():.1%}, {rates[k].mean():.1%}, {100 * apart.mean():+.1f}; "
            f"{100 * abs(apart).mean():.1f} points"
        )


def judge_changing_mix(saga: Path, work: Path) -> None:
    """How well success is told where the mix of players changes along the saga."""
    fitted, reshared = levels_of(saga, FITTED), levels_of(saga, RESHARED)
    later = [named for named in levels_of(saga, JUDGED) if named.name not in {each.name for each in reshared}]
    moves = moves_of(work, "early", fitted, EARLY, 9)
    policy = policy_of(work, "early-policy", moves, fitted)
    early = read(moves, fitted, policy)
    single, personas = fit_personas(early, policy, most=1), fit_personas(early, policy)
    print_groups(personas)
    late = moves_of(work, "late", [*reshared, *later], LATE, 10)
    part = work / "late-part.parquet"
    some = {named.name for named in reshared}
    metadata = {key: text for key, text in pl.read_parquet_metadata(late).items() if key != "ARROW:schema"}
    pl.read_parquet(late).filter(pl.col("level").is_in(some)).write_parquet(part, metadata=metadata)
    again = shares_for(read(part, reshared, policy), personas.weights)
    print(
        "shares:",
        [f"{a.share:.0%} -> {b.share:.0%}" for a, b in zip(personas.groups, again.groups, strict=True)],
    )
    actual = rates_by_level(outcomes(late, [*reshared, *later]).filter(~pl.col("level").is_in(some)), later)
    sampled_rates = {
        "single policy": sampled(work, policy, later, ["everyone"])[0],
        "single policy, sharpened": sampled(work, single.weights, later, ["1"])[0],
        "mix, early shares": sampled(work, personas.weights, later, ["mix"])[0],
        "mix, shares estimated anew": sampled(work, again.weights, later, ["mix"])[0],
    }
    print(
        f"success of later players {actual.mean():.1%}; sampled, mean absolute error over {len(later)} levels"
    )
    for name, rates in sampled_rates.items():
        print(f"  {name}: {rates.mean():.1%}, {100 * abs(rates - actual).mean():.2f} points")


if __name__ == "__main__":
    require_torch()
    saga_folder, work_folder = map(Path, sys.argv[1:3])
    work_folder.mkdir(exist_ok=True)
    judge_groups(saga_folder, work_folder)
    judge_changing_mix(saga_folder, work_folder)
