"""How near agents' success rates come to those of simulated players at levels they never saw, nothing fitted.

    levelsense generate --count 1000 -o saga
    python benchmarks/policy_rates.py saga --first 801 --every 2

Players are simulated, not people. A second population of as many players shows how near one can come at all.
"""

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from levelsense.agents.registry import parse_agent
from levelsense.game.state import WON
from levelsense.people.simulated.run import visit
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.levels import NamedLevel, gather_levels
from levelsense.playtest.plan import attempt_seeds

PLAYERS = "other players"
AGENTS = ("policy", "policy:persona=everyone", "policy:play=greedy", "heuristic", "random")


def player_rate(population: Population, named: NamedLevel) -> float:
    """The success rate of a population at a level."""
    return float(visit(population, named).won.mean())


def agent_rate(spec: str, named: NamedLevel, attempts: int) -> float:
    """The success rate of an agent at a level."""
    seeds = attempt_seeds(named.level.digest, spec, 1, 0, attempts)
    return float((parse_agent(spec).attempts(named.level, seeds)["status"] == WON).mean())


def measure(
    levels: Sequence[NamedLevel], mix: str, agents: Sequence[str], players: int, attempts: int, seed: int
) -> dict[str, np.ndarray]:
    """The differences of success rates from those of players, level by level, by agent."""
    population, others = draw_population(players, seed, mix), draw_population(players, seed + 1, mix)

    def at(named: NamedLevel) -> list[float]:
        rate = player_rate(population, named)
        rates = [player_rate(others, named), *(agent_rate(spec, named, attempts) for spec in agents)]
        return [other - rate for other in rates]

    with ThreadPoolExecutor(2) as pool:
        table = np.array(list(pool.map(at, levels)))
    return dict(zip((PLAYERS, *agents), table.T, strict=True))


def main() -> None:
    """Prints a row for each agent: mean absolute difference and mean difference, in points."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("saga", type=Path, help="a folder of levels")
    parser.add_argument("--first", type=int, default=801, help="the number of the first level, from 1")
    parser.add_argument("--every", type=int, default=2, help="take one level in so many")
    parser.add_argument("--mix", nargs="+", default=["both", "everyone", "planners"])
    parser.add_argument("--agent", nargs="+", default=list(AGENTS))
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--attempts", type=int, default=1_000)
    parser.add_argument(
        "--seed", type=int, default=2_001, help="of the players; the others have the next one"
    )
    options = parser.parse_args()
    levels = gather_levels([options.saga])[options.first - 1 :: options.every]
    for mix in options.mix:
        print(f"{len(levels)} levels, {options.players} simulated players of the mix {mix}")
        by_name = measure(levels, mix, options.agent, options.players, options.attempts, options.seed)
        for name, differences in by_name.items():
            mae, bias = 100 * np.abs(differences).mean(), 100 * differences.mean()
            print(f"  {name:<60} MAE {mae:5.2f}  mean {bias:+6.2f} points", flush=True)


if __name__ == "__main__":
    main()
