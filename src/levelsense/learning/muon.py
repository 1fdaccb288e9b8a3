"""Muon for convolutions: gradients made orthogonal before a step is taken; the other weights go by Adam.

Jordan et al., "Muon: An optimizer for hidden layers in neural networks" (2024), with convolutions as matrices
of a row a filter, and the output layer left to Adam, as there. PyTorch's own takes matrices alone.
"""

import math
from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor, nn

MOMENTUM: Final = 0.95
ROUNDS: Final = 5
# Of the iteration: singular values between 0 and 1 come to lie between about 0.7 and 1.2 in five rounds.
COEFFICIENTS: Final = (3.4445, -4.7750, 2.0315)
TINY: Final = 1e-7


class Muon(torch.optim.Adam):
    """Adam, and Muon for the convolutions of a network but its output layer, each by a highest rate.

    Where Adam takes as large a step for each weight, Muon takes one in each direction of a convolution, so
    that what few of them tell is not drowned out by what many share.
    """

    def __init__(self, network: nn.Module, rate: float, muon_rate: float) -> None:
        matrices = hidden_convolutions(network)
        others = [weights for weights in network.parameters() if not any(weights is one for one in matrices)]
        super().__init__(
            [{"params": others, "muon": False}, {"params": matrices, "muon": True, "lr": muon_rate}], lr=rate
        )

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Changes all weights by their gradients."""
        for group in self.param_groups:
            if group["muon"]:
                for weights in group["params"]:
                    self._step(weights, group["lr"])
        # Adam passes over weights without a gradient.
        return super().step(closure)

    def _step(self, weights: Tensor, rate: float) -> None:
        if weights.grad is None:
            return
        gradient, state = weights.grad.flatten(1), self.state[weights]
        weights.grad = None
        if not state:  # under the names that Adam reads when it is restored
            state["step"], state["exp_avg"] = torch.zeros(()), torch.zeros_like(gradient)
        momentum = state["exp_avg"]
        momentum.lerp_(gradient, 1 - MOMENTUM)
        ahead = gradient.lerp(momentum, MOMENTUM)
        rows, columns = ahead.shape
        scale = math.sqrt(max(1.0, rows / columns))
        weights.sub_((rate * scale * orthogonal(ahead)).view(weights.shape))


def hidden_convolutions(network: nn.Module) -> list[Tensor]:
    """The weights of a network's convolutions, but for its last layer, which gives the output."""
    layers = [layer for layer in network.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    return [layer.weight for layer in layers[:-1] if isinstance(layer, nn.Conv2d)]


def orthogonal(matrix: Tensor) -> Tensor:
    """About the orthogonal matrix nearest to one, by Newton-Schulz iteration: all singular values near 1."""
    first, third, fifth = COEFFICIENTS
    is_tall = matrix.shape[0] > matrix.shape[1]
    wide = matrix.T if is_tall else matrix
    wide = wide / (wide.norm() + TINY)
    for _ in range(ROUNDS):
        square = wide @ wide.T
        wide = first * wide + (third * square + fifth * square @ square) @ wide
    result: Tensor = wide.T if is_tall else wide
    return result
