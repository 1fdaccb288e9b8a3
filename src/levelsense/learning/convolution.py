"""The four networks over planes of Gudmundsson et al. (2018), table I, in PyTorch, and as ONNX files.

What the paper leaves open is chosen here: sums start out as in He et al. (2015), with each residual block as
the identity; the activation follows every convolution, the last one too; the fully connected layers have 256
and 144 units.
"""

import io
import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from levelsense.agents.convolution.network_file import (
    CARD_KEY,
    ENCODING_KEY,
    INPUT,
    INPUT_SHAPE,
    OUTPUT,
    network_of,
)
from levelsense.agents.convolution.planes import ENCODING, PLANES, SIDE, SWAPS, new_planes, write_planes
from levelsense.errors import TrainingError
from levelsense.files import write_bytes
from levelsense.game.game import Game
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.learning.loop import drawn_by
from levelsense.level.level import Level

FILTERS: Final = 35
LAYERS: Final = 12
BLOCKS: Final = 20
HIDDEN: Final = 256
OPSET: Final = 17
CHECKED_LEVELS: Final = ("03-open-field", "12-locked-up", "20-short-fuses", "24-hourglass")
MOST_DIFFERENCE: Final = 1e-4  # of a logit by PyTorch and by ONNX Runtime, in proportion if it is above 1


class ResidualBlock(nn.Module):
    """Two convolutions with a way around them; a convolution of one cell where the filters change."""

    def __init__(self, before: int, filters: int) -> None:
        super().__init__()
        self.first = _convolution(before, filters)
        self.second = _convolution(filters, filters)
        nn.init.zeros_(self.second.weight)
        self.around = nn.Identity() if before == filters else nn.Conv2d(before, filters, 1)
        self.activation = nn.ELU()

    def forward(self, planes: Tensor) -> Tensor:
        """The planes after the block."""
        change = self.second(self.activation(self.first(planes)))
        after: Tensor = self.activation(change + self.around(planes))
        return after


class Dropout(nn.Dropout):
    """Dropout by a generator of its own, so that networks can be trained side by side."""

    def __init__(self, dropped: float) -> None:
        super().__init__(dropped)
        self.generator = torch.Generator()

    def forward(self, units: Tensor) -> Tensor:
        """The units, some of them 0 while the network is trained, and the others larger for it."""
        if not self.training:
            return units
        kept = torch.rand(units.shape, generator=self.generator) >= self.p
        return units * kept / (1 - self.p)


def seed_dropout(network: nn.Module, seed: int) -> None:
    """Seeds what the network's layers drop from here on."""
    for number, layer in enumerate(network.modules()):
        if isinstance(layer, Dropout):
            layer.generator.manual_seed(seed + number)


def _convolution(before: int, after: int) -> nn.Conv2d:
    layer = nn.Conv2d(before, after, 3, padding=1)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
    return layer


def _fully_connected(before: int, after: int) -> nn.Linear:
    layer = nn.Linear(before, after)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    nn.init.zeros_(layer.bias)
    return layer


def _convolutions(filters: list[int], activation: Callable[[], nn.Module]) -> list[nn.Module]:
    """Convolutions with so many filters each, an activation after every one."""
    before = [PLANES, *filters]
    return [
        layer
        for one, next_one in zip(before, filters, strict=False)
        for layer in (_convolution(one, next_one), activation())
    ]


def _averaged(layers: list[nn.Module]) -> nn.Sequential:
    """Layers whose 144 planes are averaged over all cells: a number for each swap."""
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten())


def _elu_average(filters: int, keep: float) -> nn.Sequential:
    return _averaged(_convolutions([filters] * (LAYERS - 1) + [SWAPS], nn.ELU))


def _relu_average(filters: int, keep: float) -> nn.Sequential:
    return _averaged(_convolutions([filters] * (LAYERS - 1) + [SWAPS], nn.ReLU))


def _relu_connected(filters: int, keep: float) -> nn.Sequential:
    dropped = 1 - keep
    return nn.Sequential(
        *_convolutions([filters] * LAYERS, nn.ReLU),
        nn.Flatten(),
        Dropout(dropped),
        _fully_connected(filters * SIDE * SIDE, HIDDEN),
        nn.ReLU(),
        Dropout(dropped),
        _fully_connected(HIDDEN, SWAPS),
    )


def _residual_average(filters: int, keep: float) -> nn.Sequential:
    blocks = [ResidualBlock(PLANES if k == 0 else filters, filters) for k in range(BLOCKS)]
    return _averaged([*blocks, _convolution(filters, SWAPS), nn.ELU()])


# By the names of table I: 12Conv+ELU+GAP, 12Conv+ReLU+FC+Dropout, 12Conv+ReLU+GAP, 20ResBlocks+ELU+GAP.
CONNECTED: Final = "conv12-relu-fc"
NETWORKS: Final[Mapping[str, Callable[[int, float], nn.Sequential]]] = {
    "conv12-elu-gap": _elu_average,
    CONNECTED: _relu_connected,
    "conv12-relu-gap": _relu_average,
    "res20-elu-gap": _residual_average,
}


def check_network(name: str) -> None:
    """TrainingError if there is no network of this name."""
    if name not in NETWORKS:
        raise TrainingError(f"unknown network {name!r}; there are: {', '.join(NETWORKS)}")


def new_network(name: str, *, filters: int = FILTERS, keep: float = 0.5, seed: int = 1) -> nn.Sequential:
    """A network by name with random weights: logits (positions, 144) of planes (positions, 102, 9, 9).

    `keep` is the share of units that dropout keeps, in the network that has it. TrainingError if there is no
    such network.
    """
    check_network(name)
    with drawn_by(seed):
        return NETWORKS[name](filters, keep)


def write_network(path: str | Path, network: nn.Module, card: Mapping[str, Any]) -> None:
    """Writes a network as an ONNX file that the agent `onnx` plays, with a card that tells of it.

    TrainingError if ONNX Runtime gives other logits for it than PyTorch.
    """
    model = onnx.load_from_string(_exported(network))
    for key, text in ((ENCODING_KEY, str(ENCODING)), (CARD_KEY, json.dumps(dict(card)))):
        entry = model.metadata_props.add()
        entry.key, entry.value = key, text
    content = model.SerializeToString()
    _check_logits(str(path), content, network)
    write_bytes(path, content)


def _exported(network: nn.Module) -> bytes:
    content = io.BytesIO()
    batch = {INPUT: {0: "N"}, OUTPUT: {0: "N"}}
    with warnings.catch_warnings():
        # The exporter that is to follow this one needs another package, and its files are no better here.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            network.eval(),
            (torch.zeros(1, *INPUT_SHAPE),),
            content,  # type: ignore[arg-type]  # this exporter writes to files in memory, too
            input_names=[INPUT],
            output_names=[OUTPUT],
            dynamic_axes=batch,
            opset_version=OPSET,
            dynamo=False,
        )
    return content.getvalue()


def _planes_of_boards() -> NDArray[np.float32]:
    """The planes of some first boards. For planes that no board has, logits may be of any size."""
    planes, moves = new_planes(len(CHECKED_LEVELS)), np.zeros(MOST_MOVES, np.int64)
    for number, name in enumerate(CHECKED_LEVELS):
        game = Game(Level.load(name), seed=1)
        count = list_moves(game.state, moves)
        write_planes(level_record(game.level).level, game.state, moves, count, planes[number])
    return planes


def _check_logits(path: str, content: bytes, network: nn.Module) -> None:
    planes = _planes_of_boards()
    with torch.no_grad():
        expected = network.eval()(torch.from_numpy(planes)).numpy()
    difference = np.abs(network_of(path, content).logits(planes) - expected)
    worst = float((difference / np.maximum(1, np.abs(expected))).max())
    if not worst <= MOST_DIFFERENCE:
        raise TrainingError(
            f"{path}: ONNX Runtime gives logits that differ by {worst:.2g} from PyTorch's; "
            f"expected at most {MOST_DIFFERENCE:g}"
        )
