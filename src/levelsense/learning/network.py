"""The policy network in PyTorch, for training; its weights play without (agents/policy/network.py)."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from levelsense.agents.policy.inputs import ENCODING
from levelsense.agents.policy.network import KIND, sizes_of
from levelsense.agents.weights import Weights


class MoveNetwork(nn.Module):
    """A score for each legal move of a position: the layers that agents/policy/network.py describes.

    Inputs of moves are divided by `scale`, which the exported weights have in them.
    """

    scale: Tensor
    share: Tensor

    def __init__(self, scale: NDArray[np.float32], *, moves: int, context: int, mixed: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(scale))
        self.register_buffer("share", torch.zeros(1))
        for name, shape in sizes_of(moves, context, mixed).items():
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
        mixed = torch.relu(hidden @ weights["of_move"] + base.unsqueeze(1))
        scores: Tensor = (mixed * weights["out"][persona].unsqueeze(1)).sum(-1)
        return scores.masked_fill(mask == 0, -torch.inf)

    def weights(self, card: Mapping[str, Any]) -> Weights:
        """The weights as agents play by them."""
        arrays = {name: value.detach().numpy().copy() for name, value in self.named_parameters()}
        arrays["move"] = arrays["move"] / self.scale.numpy()[:, None]
        arrays["share"] = self.share.numpy().copy()
        return Weights(KIND, ENCODING, arrays, card)


def _initial(name: str, shape: tuple[int, ...]) -> Tensor:
    """Random weights whose sums vary as much as their inputs do; shifts begin at 0."""
    if name.endswith("shift"):
        return torch.zeros(shape)
    if name == "out":
        # All moves begin about equally likely.
        return torch.normal(0.0, 0.1 * (1 / shape[1]) ** 0.5, shape)
    return torch.normal(0.0, (2 / shape[0]) ** 0.5, shape)


def input_scale(inputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """The root mean square of each input of moves; 1 for one that is always 0."""
    scale = np.sqrt(np.mean(np.square(inputs, dtype=np.float64), axis=0))
    return np.where(scale > 1e-3, scale, 1.0).astype(np.float32)
