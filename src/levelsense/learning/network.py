"""The policy network in PyTorch, for training; its weights play without (agents/policy/network.py)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from levelsense.agents.policy.inputs import ENCODING
from levelsense.agents.policy.network import KIND, WITH_RIVALS, sizes_of
from levelsense.agents.weights import Weights
from levelsense.learning.rivals import Numbers, add_rival_gradients, cells_of, sum_rivals


class RivalSums(torch.autograd.Function):
    """The sums over the rivals of each move: (positions, moves, units), as `rival` and `baseline` are."""

    @staticmethod
    def forward(
        ctx: Any, cells: Tensor, count: Tensor, near: Tensor, rival: Tensor, baseline: Tensor
    ) -> Tensor:
        """The sums; `cells` (positions, moves) are the first cells of moves, `count` how many there are."""
        ctx.save_for_backward(cells, count, near, rival, baseline)
        sums = torch.zeros(rival.shape)
        sum_rivals(*_places(cells, count), near.numpy(), _rows(rival), _rows(baseline), _rows(sums))
        return sums

    @staticmethod
    def backward(ctx: Any, *of_sums: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of near, rival and baseline."""
        cells, count, near, rival, baseline = ctx.saved_tensors
        gradients = torch.zeros(near.shape), torch.zeros(rival.shape), torch.zeros(baseline.shape)
        given = near.numpy(), _rows(rival), _rows(baseline), _rows(of_sums[0])
        add_rival_gradients(*_places(cells, count), *given, gradients[0].numpy(), *map(_rows, gradients[1:]))
        return None, None, *gradients


def _rows(values: Tensor) -> NDArray[np.float32]:
    """A row for each move of all positions, padding included; the same memory if it is in order."""
    rows: NDArray[np.float32] = values.detach().contiguous().numpy().reshape(-1, values.shape[-1])
    return rows


def _places(cells: Tensor, count: Tensor) -> tuple[Numbers, Numbers, Numbers]:
    """Cells, and where the moves of each position begin and how many there are, by rows as `_rows` has."""
    start = np.arange(len(cells)) * cells.shape[1]
    return cells.numpy().reshape(-1), start, count.numpy()


class MoveNetwork(nn.Module):
    """A score for each legal move of a position: the layers that agents/policy/network.py describes.

    Inputs of moves are divided by `scale`, which the exported weights have in them. There is a layer of
    rivals if `rivals`, the number of its units, is not 0.
    """

    scale: Tensor
    share: Tensor

    def __init__(
        self, scale: NDArray[np.float32], *, moves: int, context: int, mixed: int, rivals: int = 0
    ) -> None:
        super().__init__()
        self.has_rivals = rivals > 0
        self.register_buffer("scale", torch.from_numpy(scale))
        self.register_buffer("share", torch.zeros(1))
        for name, shape in sizes_of(moves, context, mixed, rivals=rivals).items():
            if name != "share":
                self.register_parameter(name, nn.Parameter(_initial(name, shape)))

    def forward(self, inputs: Tensor, mask: Tensor, position: Tensor, persona: Tensor) -> Tensor:
        """Scores (positions, moves) of inputs (positions, moves, MOVE_INPUTS); -inf where the mask is off."""
        weights: Mapping[str, Any] = dict(self.named_parameters())
        hidden = torch.relu((inputs / self.scale) @ weights["move"] + weights["move_shift"])
        hidden = hidden * mask.unsqueeze(-1)
        mean = hidden.sum(1) / mask.sum(1, keepdim=True)
        pooled = torch.cat([mean, hidden.amax(1), position], 1)
        context = torch.relu(pooled @ weights["context"] + weights["context_shift"])
        base = context @ weights["of_context"] + weights["shift"][persona]
        mixed = hidden @ weights["of_move"] + base.unsqueeze(1)
        if self.has_rivals:
            cells = torch.from_numpy(cells_of(inputs.numpy()))
            rival, baseline = (
                hidden @ weights["rival"] + weights["rival_shift"],
                hidden @ weights["rival_own"],
            )
            sums = RivalSums.apply(  # type: ignore[no-untyped-call]
                cells, mask.sum(1).long(), weights["rival_near"], rival, baseline
            )
            mixed = mixed + sums @ weights["of_rivals"]
        mixed = torch.relu(mixed)
        scores: Tensor = (mixed * weights["out"][persona].unsqueeze(1)).sum(-1)
        return scores.masked_fill(mask == 0, -torch.inf)

    def weights(self, card: Mapping[str, Any]) -> Weights:
        """The weights as agents play by them."""
        arrays = {name: value.detach().numpy().copy() for name, value in self.named_parameters()}
        arrays["move"] = arrays["move"] / self.scale.numpy()[:, None]
        arrays["share"] = self.share.numpy().copy()
        return Weights(KIND, WITH_RIVALS if self.has_rivals else ENCODING, arrays, card)


def _initial(name: str, shape: tuple[int, ...]) -> Tensor:
    """Random weights whose sums vary as much as their inputs do; shifts begin at 0."""
    if name.endswith("shift"):
        return torch.zeros(shape)
    if name == "out":
        # All moves begin about equally likely.
        return torch.normal(0.0, 0.1 * (1 / shape[1]) ** 0.5, shape)
    if name == "rival_near":
        # Sums over many rivals begin small.
        return torch.normal(0.0, 0.1, shape)
    return torch.normal(0.0, (2 / shape[0]) ** 0.5, shape)


def input_scale(inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """The root mean square of each input of moves; 1 for one that is always 0."""
    scale = np.sqrt(np.mean(np.square(inputs, dtype=np.float64), axis=0))
    return np.where(scale > 1e-3, scale, 1.0).astype(np.float32)
