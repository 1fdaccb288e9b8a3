"""Muon: gradients made orthogonal, which weights it changes, and what that is good for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from levelsense.learning import require_torch
from levelsense.learning.convolution import new_network
from levelsense.learning.fit_convolution import NetworkRecipe, fit_network
from levelsense.learning.loop import Epoch
from levelsense.learning.muon import MOMENTUM, Muon, hidden_convolutions, orthogonal
from tests.learning.test_convolution import SMALL, KilledError, killed, some_boards

require_torch()


@pytest.mark.parametrize("shape", [(35, 315), (35, 918), (144, 35), (8, 8)])
def test_all_singular_values_come_near_one(shape: tuple[int, int]) -> None:
    """And the singular vectors stay: it is the same rotation, without the stretching."""
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1))
    left, values, right = torch.linalg.svd(matrix, full_matrices=False)
    rotated = left.T @ orthogonal(matrix) @ right.T
    assert values.max() / values.min() > 1.4
    assert rotated.diagonal().numpy() == pytest.approx(np.ones(min(shape)), abs=0.35)
    assert (rotated - torch.diag(rotated.diagonal())).abs().max() < 1e-4


def test_a_scale_changes_nothing_and_no_gradient_gives_no_step() -> None:
    matrix = torch.randn(5, 9, generator=torch.Generator().manual_seed(2))
    assert torch.allclose(orthogonal(1e-3 * matrix), orthogonal(matrix), atol=1e-2)
    assert not orthogonal(torch.zeros(5, 9)).any()


@pytest.mark.parametrize(
    ("name", "count"),
    [("conv12-elu-gap", 11), ("conv12-relu-gap", 11), ("conv12-relu-fc", 12), ("res20-elu-gap", 41)],
)
def test_it_is_for_convolutions_but_the_output(name: str, count: int) -> None:
    """Adam has all that is left: the last layer, fully connected ones, and what is added to sums."""
    network = new_network(name, filters=4)
    convolutions = hidden_convolutions(network)
    assert len(convolutions) == count
    assert {weights.shape[0] for weights in convolutions} == {4}
    groups = Muon(network, 1e-3, 1e-2).param_groups
    assert [(len(group["params"]), group["lr"], group["muon"]) for group in groups] == [
        (len(list(network.parameters())) - count, 1e-3, False),
        (count, 1e-2, True),
    ]


def test_two_steps_by_hand() -> None:
    """A convolution goes by the orthogonal gradient, its momentum counting from the second step on."""
    convolution, of_twin = nn.Conv2d(2, 3, 3), nn.Conv2d(2, 3, 3)
    network = nn.Sequential(convolution, nn.Flatten(), nn.Linear(3, 2))
    twin = nn.Sequential(of_twin, nn.Flatten(), nn.Linear(3, 2))
    twin.load_state_dict(network.state_dict())
    optimizer, adam = Muon(network, 1e-3, 0.1), torch.optim.Adam(twin.parameters(), lr=1e-3)
    expected, momentum = convolution.weight.detach().clone().flatten(1), torch.zeros(3, 18)
    for seed in (1, 2):
        generator = torch.Generator().manual_seed(seed)
        for one, other in zip(network.parameters(), twin.parameters(), strict=True):
            one.grad = torch.randn(one.shape, generator=generator)
            other.grad = one.grad.clone()
        assert of_twin.weight.grad is not None
        gradient = of_twin.weight.grad.flatten(1)
        momentum = MOMENTUM * momentum + (1 - MOMENTUM) * gradient
        expected = expected - 0.1 * orthogonal(MOMENTUM * momentum + (1 - MOMENTUM) * gradient)
        optimizer.step()
        adam.step()
    assert torch.allclose(convolution.weight.flatten(1), expected, atol=1e-6)
    for name in ("0.bias", "2.weight", "2.bias"):
        assert torch.equal(network.state_dict()[name], twin.state_dict()[name])


def test_a_tall_matrix_takes_larger_steps() -> None:
    """Of four rows a column, steps are twice as long, as a change of the sums is."""
    tall = nn.Conv2d(2, 8, 1)
    optimizer = Muon(nn.Sequential(tall, nn.Conv2d(8, 2, 1)), 1e-3, 0.1)
    before = tall.weight.detach().clone()
    tall.weight.grad = torch.randn(8, 2, 1, 1, generator=torch.Generator().manual_seed(3))
    step = orthogonal(tall.weight.grad.flatten(1))
    optimizer.step()
    assert torch.allclose((before - tall.weight).flatten(1), 0.2 * step, atol=1e-6)


LEGAL = replace(SMALL, filters=16, epochs=20, patience=20, legal_share=1.0, legal_only=False, cycle=True)


def test_legal_swaps_are_learned_in_fewer_steps() -> None:
    boards = some_boards(most=96)

    def loss(recipe: NetworkRecipe) -> float:
        epochs: list[Epoch] = []
        fit_network(boards, boards, recipe, on_epoch=epochs.append)
        return min(epoch.validation for epoch in epochs)

    assert loss(replace(LEGAL, muon_rate=0.02)) < loss(LEGAL) - 0.2


def test_a_killed_run_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    boards, recipe = some_boards(most=96), replace(LEGAL, epochs=4, muon_rate=0.02)
    whole = fit_network(boards, boards, recipe)
    with pytest.raises(KilledError):
        fit_network(boards, boards, recipe, checkpoint=tmp_path / "run", on_epoch=killed)
    parted = fit_network(boards, boards, recipe, checkpoint=tmp_path / "run")
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), parted.parameters(), strict=True))
