"""How large and how fast the networks over planes are: through ONNX Runtime, as agents, and in training.

    python benchmarks/networks.py --rounds 3

prints a table: parameters, positions a second that ONNX Runtime takes one by one and 64 at once on one
thread, by how much the logits of the two differ at most, moves a second of the agent in whole attempts, and
training steps a second of 512 positions each. The networks have random weights. All are measured in turns,
and the median of the rounds is told, by processor time.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from levelsense.agents.convolution.network_file import read_network_file
from levelsense.agents.convolution.planes import SWAPS, new_planes
from levelsense.agents.registry import parse_agent
from levelsense.learning import require_torch
from levelsense.learning.convolution import NETWORKS, new_network, write_network
from levelsense.learning.loop import Run
from levelsense.level.level import Level

BATCH = 512
AT_ONCE = 64
LEVEL = "03-open-field"


def rate(work: Callable[[], int], seconds: float) -> float:
    """How much of some work is done in a second of processor time."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def some_planes(count: int) -> Any:
    planes = new_planes(count)
    planes[:] = np.random.default_rng(1).random(planes.shape) < 0.05
    return planes


def works(name: str, folder: Path) -> dict[str, Callable[[], int]]:
    """What is measured of a network; each gives how much it has done."""
    network = new_network(name)
    path = folder / f"{name}.onnx"
    write_network(path, network, {})
    file, agent, planes = read_network_file(str(path)), parse_agent(f"onnx:model={path}"), some_planes(1)
    many = some_planes(AT_ONCE)
    level, pairs = Level.load(LEVEL), np.array([[1, 2]], np.uint64)
    run = Run(network.train(), torch.optim.Adam(network.parameters(), lr=5e-4))
    inputs, swaps = torch.from_numpy(some_planes(BATCH)), torch.arange(BATCH) % SWAPS

    def look() -> int:
        file.logits(planes)
        return 1

    def look_at_many() -> int:
        file.logits(many)
        return len(many)

    def play() -> int:
        pairs[:] += np.uint64(1)
        return int(agent.attempts(level, pairs)["moves_made"].sum())

    def train() -> int:
        run.step(cross_entropy(network(inputs), swaps))
        return 1

    return {"look": look, "look at many": look_at_many, "play": play, "train": train}


def difference(name: str, folder: Path) -> float:
    """The most by which a logit differs if its position is one of many."""
    file, planes = read_network_file(str(folder / f"{name}.onnx")), some_planes(AT_ONCE)
    alone = np.concatenate([file.logits(planes[k : k + 1]) for k in range(AT_ONCE)])
    return float(np.abs(file.logits(planes) - alone).max())


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    arguments = parser.parse_args()
    require_torch()
    with TemporaryDirectory() as folder:
        measured = {name: works(name, Path(folder)) for name in NETWORKS}
        rates: dict[tuple[str, str], list[float]] = {}
        for _ in range(arguments.rounds):
            for name, of_network in measured.items():
                for what, work in of_network.items():
                    rates.setdefault((name, what), []).append(rate(work, arguments.seconds))
        differences = {name: difference(name, Path(folder)) for name in NETWORKS}
    heading = ("network", "parameters", "positions/s", f"{AT_ONCE} at once", "differ by", "moves/s")
    print(f"| {' | '.join(heading)} | training steps/s |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in NETWORKS:
        size = sum(weights.numel() for weights in new_network(name).parameters())
        look, many, play, train = (median(rates[name, what]) for what in measured[name])
        print(
            f"| `{name}` | {size:,} | {look:,.0f} | {many:,.0f} | {differences[name]:.0e} "
            f"| {play:,.0f} | {train:.2f} |"
        )


if __name__ == "__main__":
    main()
