"""Networks over planes: their shapes, what they learn, going on after a kill, and their files."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from levelsense.agents.convolution.network_file import INPUT_SHAPE, read_network_file
from levelsense.agents.convolution.planes import ENCODING, PLANE_NAMES
from levelsense.agents.registry import parse_agent
from levelsense.errors import TrainingError
from levelsense.game.game import Game, Move
from levelsense.learning import convolution, require_torch
from levelsense.learning.boards import Boards, encode_boards
from levelsense.learning.convolution import NETWORKS, new_network, seed_dropout, write_network
from levelsense.learning.fit_convolution import (
    NetworkRecipe,
    Trial,
    _loss,
    accuracy,
    fit_grid,
    fit_network,
    grid_of,
    least_legal_loss,
    legal_loss,
    log_probabilities,
    mean_loss,
)
from levelsense.learning.judge import judge_probabilities, judge_random
from levelsense.learning.loop import Epoch, epochs_in
from levelsense.level.level import Level
from tests.learning.test_boards import boards_of, drawn_positions
from tests.learning.test_symmetries import WIDE, mirrored, recolored
from tests.learning.visits import positions_of

require_torch()

SMALL = NetworkRecipe(filters=4, batch=32, epochs=3, rate=3e-3)


def some_boards(level: str = "03-open-field", most: int = 200) -> Boards:
    boards = boards_of(positions_of(level))
    return boards.chosen(np.arange(min(most, len(boards))))


def convolutions(network: nn.Module) -> list[nn.Conv2d]:
    return [layer for layer in network.modules() if isinstance(layer, nn.Conv2d)]


def parameters(network: nn.Module) -> int:
    return sum(weights.numel() for weights in network.parameters())


# The networks


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_give_a_logit_for_each_swap(name: str) -> None:
    network = new_network(name).eval()
    planes = (torch.rand(3, *INPUT_SHAPE) < 0.1).float()
    logits = network(planes)
    assert logits.shape == (3, 144)
    assert torch.isfinite(logits).all()
    assert logits.std() > 1e-4
    assert torch.allclose(network(planes[1:2]), logits[1:2], atol=1e-5)


def test_networks_have_the_layers_of_the_paper() -> None:
    """Convolutions of 3 x 3 cells with 35 filters; the last has 144 where planes are averaged."""
    filters = {name: [layer.out_channels for layer in convolutions(new_network(name))] for name in NETWORKS}
    assert filters["conv12-elu-gap"] == filters["conv12-relu-gap"] == [35] * 11 + [144]
    assert filters["conv12-relu-fc"] == [35] * 12
    around = [layer for layer in convolutions(new_network("res20-elu-gap")) if layer.kernel_size == (1, 1)]
    assert len(around) == 1
    assert len(filters["res20-elu-gap"]) - len(around) == 2 * 20 + 1
    assert {str(layer.kernel_size) for name in NETWORKS for layer in convolutions(new_network(name))} == {
        "(3, 3)",
        "(1, 1)",
    }


def test_the_chosen_network_has_as_many_parameters_as_it_must() -> None:
    first, middle, last = 102 * 9 * 35 + 35, 10 * (35 * 9 * 35 + 35), 35 * 9 * 144 + 144
    assert parameters(new_network("conv12-elu-gap")) == first + middle + last


def test_dropout_keeps_the_share_that_it_is_told() -> None:
    dropouts = [layer.p for layer in new_network("conv12-relu-fc", keep=0.6) if isinstance(layer, nn.Dropout)]
    assert dropouts == [0.4, 0.4]


def test_dropout_drops_by_its_own_seed_and_keeps_the_mean() -> None:
    layer, units = convolution.Dropout(0.25), torch.ones(40_000)
    drawn = []
    for seed in (3, 3, 4):
        seed_dropout(layer, seed)
        torch.manual_seed(seed)
        drawn.append(layer(units))
    assert torch.equal(drawn[0], drawn[1])
    assert not torch.equal(drawn[0], drawn[2])
    assert drawn[0].unique().tolist() == [0, pytest.approx(1 / 0.75)]
    assert drawn[0].mean().item() == pytest.approx(1, abs=0.01)
    assert torch.equal(layer.eval()(units), units)
    network = new_network("conv12-relu-fc")
    seed_dropout(network, 1)
    first, second = (layer.generator for layer in network if isinstance(layer, convolution.Dropout))
    assert first.initial_seed() != second.initial_seed()


def test_the_same_seed_gives_the_same_network() -> None:
    some, same, other = (new_network("conv12-elu-gap", seed=seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(some[name], same[name]) for name in some)
    assert not torch.equal(some["0.weight"], other["0.weight"])


def test_other_names_are_refused() -> None:
    with pytest.raises(TrainingError, match="unknown network 'conv13'; there are: conv12-elu-gap, conv12-"):
        new_network("conv13")


# What they learn


@pytest.mark.parametrize("name", NETWORKS)
def test_a_few_steps_make_a_network_better(name: str) -> None:
    """At the positions trained on it becomes better than random choice, and than it was."""
    boards = some_boards(most=96)
    recipe = replace(SMALL, network=name, epochs=6, keep=0.9)
    epochs: list[Epoch] = []
    network = fit_network(boards, boards, recipe, on_epoch=epochs.append)
    losses = [epoch.validation for epoch in epochs]
    random = judge_random(boards).loss
    assert random is not None
    assert min(losses) < losses[0]
    assert mean_loss(network, boards) == min(losses) < random


def test_it_learns_one_of_two_moves_by_heart() -> None:
    boards = boards_of(drawn_positions(*["c1c2"] * 9, "a4b4", "b4a4")[1])
    network = fit_network(boards, boards, replace(SMALL, epochs=60, patience=60, batch=11, rate=1e-2))
    chances = np.exp(log_probabilities(network, boards))[:3]
    assert chances == pytest.approx([9 / 11, 1 / 11, 1 / 11], abs=0.04)
    assert accuracy(network, boards) == 9 / 11


def test_probabilities_are_judged_as_those_of_other_policies() -> None:
    boards = some_boards()
    network = new_network("conv12-elu-gap", filters=4)
    chances = np.exp(log_probabilities(network, boards))
    sums = np.add.reduceat(chances, boards.first[:-1])
    assert sums == pytest.approx(np.ones(len(boards)), abs=1e-5)
    assert judge_probabilities(boards, chances).loss == pytest.approx(mean_loss(network, boards), abs=1e-5)


def test_a_network_may_learn_which_swaps_are_legal() -> None:
    """Whatever is made, the legal swaps become likely, and equally so; one that knows them learns moves."""
    boards = boards_of(drawn_positions(*["c1c2"] * 11)[1])
    recipe = replace(SMALL, epochs=60, patience=60, legal_share=1.0, legal_only=False, batch=11, rate=1e-2)
    epochs: list[Epoch] = []
    legal = fit_network(boards, boards, recipe, on_epoch=epochs.append)
    swaps = 2  # c1c2, and a4b4 in either direction
    assert least_legal_loss(boards) == pytest.approx(np.log(swaps))
    assert epochs[0].loss > 4
    assert epochs[-1].loss == pytest.approx(np.log(swaps), abs=0.1)  # the least that such a loss can be
    assert min(epoch.validation for epoch in epochs) == pytest.approx(legal_loss(legal, boards), abs=1e-5)
    assert legal_loss(legal, boards) == pytest.approx(np.log(swaps), abs=0.1)
    moves = replace(recipe, epochs=1, legal_share=0.2, rate=1e-3)
    first: list[Epoch] = []
    fit_network(boards, boards, moves, start=legal.state_dict(), on_epoch=first.append)
    assert first[0].loss == pytest.approx(np.log(swaps), abs=0.1)  # among legal moves, of the one made


def test_legal_swaps_may_have_a_share_of_the_target() -> None:
    """Of a target with a fifth on both legal swaps, the one made has nine tenths."""
    boards = boards_of(drawn_positions(*["c1c2"] * 11)[1])
    for legal_only in (False, True):
        recipe = replace(
            SMALL, epochs=90, patience=90, legal_share=0.2, legal_only=legal_only, batch=11, rate=1e-2
        )
        epochs: list[Epoch] = []
        fit_network(boards, boards, recipe, on_epoch=epochs.append)
        assert epochs[-1].validation == pytest.approx(-np.log(0.9), abs=0.03)


def test_a_network_may_learn_a_position_in_all_its_ways() -> None:
    """What it learned at one board it knows at the mirrored board with other colors, too, if told to."""
    other_colors = np.array([5, 2, 4, 0, 6, 7, 1, 3])
    boards = boards_of(drawn_positions(*["c1c2"] * 64, board=WIDE)[1])
    twin = boards_of(drawn_positions("g1g2", board=mirrored(recolored(WIDE, other_colors)))[1])
    legal = replace(SMALL, epochs=30, patience=30, batch=16, rate=1e-2, legal_share=1.0, legal_only=False)
    knows_one, knows_all = (
        fit_network(boards, boards, replace(legal, symmetries=symmetries)) for symmetries in (False, True)
    )
    least = least_legal_loss(twin)
    assert legal_loss(knows_all, boards) == pytest.approx(least, abs=0.1)
    assert legal_loss(knows_all, twin) == pytest.approx(least, abs=0.1)
    assert legal_loss(knows_one, twin) > least + 1


def test_a_checkpoint_of_another_start_is_refused(tmp_path: Path) -> None:
    boards = some_boards()
    starts = [new_network(SMALL.network, filters=SMALL.filters, seed=seed).state_dict() for seed in (1, 2)]
    checkpoint = tmp_path / "run"
    fit_network(boards, boards, replace(SMALL, epochs=1), start=starts[0], checkpoint=checkpoint)
    fit_network(boards, boards, replace(SMALL, epochs=1), start=starts[0], checkpoint=checkpoint)
    for start in (starts[1], None):
        with pytest.raises(TrainingError, match="a checkpoint of other moves or settings"):
            fit_network(boards, boards, replace(SMALL, epochs=1), start=start, checkpoint=checkpoint)


def test_short_floats_teach_the_same() -> None:
    """Weights stay float32, and moves become as likely as they are."""
    boards = boards_of(drawn_positions(*["c1c2"] * 9, "a4b4", "b4a4")[1])
    recipe = replace(SMALL, epochs=60, patience=60, batch=11, rate=1e-2, short_floats=True)
    network = fit_network(boards, boards, recipe)
    assert {weights.dtype for weights in network.parameters()} == {torch.float32}
    assert np.exp(log_probabilities(network, boards))[:3] == pytest.approx([9 / 11, 1 / 11, 1 / 11], abs=0.06)


def test_a_rate_may_rise_and_fall(tmp_path: Path) -> None:
    """By the last step next to nothing is changed; a run that was killed goes on along the same curve."""
    boards = some_boards(most=96)
    recipe = replace(SMALL, cycle=True, patience=3)
    whole, rates = fit_network(boards, boards, recipe), []

    def kill(epoch: Epoch) -> None:
        rates.append(epoch.number)
        if epoch.number == 2:
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        fit_network(boards, boards, recipe, checkpoint=checkpoint, on_epoch=kill)
    gone_on = fit_network(boards, boards, recipe, checkpoint=checkpoint)
    assert all(torch.equal(a, b) for a, b in zip(whole.parameters(), gone_on.parameters(), strict=True))
    still = fit_network(boards, boards, replace(recipe, cycle=False))
    assert not torch.equal(next(still.parameters()), next(whole.parameters()))
    saved = torch.load(checkpoint, weights_only=True)
    assert saved["optimizer"]["param_groups"][0]["lr"] < recipe.rate / 20


@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_the_loss_is_over_legal_swaps_or_over_all(share: float) -> None:
    """What is not legal has a part in the loss over all swaps, and in that over legal ones none."""
    boards = some_boards(most=96)
    _, mask, swaps = boards.batch(np.arange(len(boards)))
    legal, made = torch.from_numpy(mask), torch.from_numpy(swaps)
    for legal_only, least in ((True, float(legal.sum(1).log().mean())), (False, np.log(144))):
        logits = torch.zeros(mask.shape, requires_grad=True)
        loss = _loss(logits, legal, made, replace(SMALL, legal_only=legal_only, legal_share=share))
        assert loss.item() == pytest.approx(least, abs=1e-5)  # all of them as likely
        loss.backward()
        assert logits.grad is not None
        assert bool((logits.grad[~legal] == 0).all()) == legal_only


def test_weights_of_another_kind_are_refused() -> None:
    boards, start = some_boards(), new_network(SMALL.network, filters=5).state_dict()
    expected = "weights of another network to start out with; expected those of conv12-elu-gap with 4 filters"
    with pytest.raises(TrainingError, match=expected):
        fit_network(boards, boards, SMALL, start=start)


def test_nothing_to_learn_from_is_refused() -> None:
    boards = some_boards()
    none = boards.chosen(np.arange(0))
    with pytest.raises(TrainingError, match="no moves to train on"):
        fit_network(none, boards, SMALL)
    with pytest.raises(TrainingError, match="no moves to validate by"):
        fit_network(boards, none, SMALL)


# Going on after a kill


class KilledError(Exception):
    """The end of a training run from outside."""


def killed(epoch: object) -> None:
    raise KilledError


@pytest.mark.parametrize("name", ["conv12-elu-gap", "conv12-relu-fc"])
def test_a_killed_run_goes_on_to_the_same_weights(tmp_path: Path, name: str) -> None:
    """Epoch by epoch to the last bit, whatever it drew, and however the optimizer stood."""
    boards = some_boards(most=96)
    recipe = replace(SMALL, network=name, keep=0.9)
    losses: list[tuple[float, float]] = []

    def on_epoch(epoch: Epoch) -> None:
        losses.append((epoch.loss, epoch.validation))

    whole = fit_network(boards, boards, recipe, on_epoch=on_epoch).state_dict()
    uninterrupted, checkpoint = losses.copy(), tmp_path / "run"
    assert min(validation for _, validation in uninterrupted) < uninterrupted[0][1]
    losses.clear()
    with pytest.raises(KilledError):
        fit_network(boards, boards, recipe, checkpoint=checkpoint, on_epoch=killed)
    parted = fit_network(boards, boards, recipe, checkpoint=checkpoint, on_epoch=on_epoch).state_dict()
    assert losses == uninterrupted[1:]
    assert [(epoch.loss, epoch.validation) for epoch in epochs_in(checkpoint)] == uninterrupted
    assert all(torch.equal(whole[name], parted[name]) for name in whole)


def test_networks_trained_side_by_side_are_those_trained_alone() -> None:
    """Two threads, one of them with dropout: neither draws what the other would have drawn."""
    boards = some_boards(most=64)
    recipes = [replace(SMALL, network=name, keep=0.6) for name in ("conv12-relu-fc", "res20-elu-gap")]

    def weights_of(recipe: NetworkRecipe) -> dict[str, torch.Tensor]:
        require_torch()
        return fit_network(boards, boards, recipe).state_dict()

    alone = [weights_of(recipe) for recipe in recipes]
    with ThreadPoolExecutor(2) as threads:
        together = list(threads.map(weights_of, recipes))
    for some, same in zip(alone, together, strict=True):
        assert all(torch.equal(some[name], same[name]) for name in some)


def test_weights_that_grow_without_end_are_told() -> None:
    recipe = replace(SMALL, rate=1e9, epochs=2)
    with pytest.raises(TrainingError, match=r"a loss of (nan|inf) in epoch [12]: the weights have grown"):
        fit_network(some_boards(), some_boards(), recipe)


def test_weights_that_grow_without_end_in_the_last_step_are_told() -> None:
    """No loss follows that step but that at the validation positions."""
    recipe = replace(SMALL, rate=1e30, epochs=1, batch=200)
    with pytest.raises(TrainingError, match=r"a loss of (nan|inf) in epoch 1: the weights have grown"):
        fit_network(some_boards(), some_boards(), recipe)


def test_checkpoints_of_other_runs_are_refused(tmp_path: Path) -> None:
    boards, checkpoint = some_boards(most=32), tmp_path / "run"
    fit_network(boards, boards, replace(SMALL, epochs=1), checkpoint=checkpoint)
    with pytest.raises(TrainingError, match="a checkpoint of other moves or settings"):
        fit_network(boards, boards, replace(SMALL, epochs=1, batch=16), checkpoint=checkpoint)
    with pytest.raises(TrainingError, match="a checkpoint of other moves or settings"):
        fit_network(some_boards(most=33), boards, replace(SMALL, epochs=1), checkpoint=checkpoint)
    checkpoint.write_bytes(b"nothing")
    with pytest.raises(TrainingError, match="not a checkpoint that can be read"):
        fit_network(boards, boards, SMALL, checkpoint=checkpoint)


# The grid


def test_the_grid_is_that_of_the_paper() -> None:
    grid = grid_of(SMALL)
    assert {recipe.rate for recipe in grid} == {5e-5, 1e-4, 5e-4}
    assert {recipe.batch for recipe in grid} == {2**7, 2**8, 2**9}
    assert (len(grid), {recipe.keep for recipe in grid}) == (9, {SMALL.keep})
    with_dropout = grid_of(replace(SMALL, network="conv12-relu-fc"))
    assert (len(with_dropout), {recipe.keep for recipe in with_dropout}) == (27, {0.4, 0.5, 0.6})
    assert NetworkRecipe().rate == 5e-4
    assert NetworkRecipe().batch == 2**9


def test_a_grid_gives_its_best_network_and_goes_on_after_a_kill(tmp_path: Path) -> None:
    boards, checkpoint = some_boards(most=64), tmp_path / "grid"
    recipe = replace(SMALL, epochs=1)
    with pytest.raises(KilledError):
        fit_grid(boards, boards, recipe, checkpoint=checkpoint, on_trial=killed)
    assert [path.name for path in tmp_path.iterdir()] == ["grid-0"]
    tried: list[Trial] = []
    network, trials = fit_grid(boards, boards, recipe, checkpoint=checkpoint, on_trial=tried.append)
    assert trials == tried
    assert [trial.recipe for trial in trials] == grid_of(recipe)
    assert mean_loss(network, boards) == min(trial.loss for trial in trials)


# Files


@pytest.mark.parametrize("name", NETWORKS)
def test_a_file_gives_the_logits_of_the_network(tmp_path: Path, name: str) -> None:
    network = new_network(name, seed=3)
    path = tmp_path / "network.onnx"
    write_network(path, network, {"data": "none"})
    read = read_network_file(str(path))
    assert (read.encoding, read.card) == (ENCODING, {"data": "none"})
    planes = some_boards().batch(np.arange(20))[0]
    with torch.no_grad():
        expected = network.eval()(torch.from_numpy(planes)).numpy()
    assert np.abs(read.logits(planes) - expected).max() < 1e-4
    assert len({row.tobytes() for row in read.logits(planes)}) > 10


def test_an_agent_plays_a_file_as_it_was_judged(tmp_path: Path) -> None:
    """The probabilities that judgements look at are those that the agent draws by."""
    network = new_network("conv12-elu-gap", filters=4)
    path = tmp_path / "network.onnx"
    write_network(path, network, {})
    agent = parse_agent(f"onnx:model={path}")
    game, positions = drawn_positions("c1c2")
    chances = np.exp(log_probabilities(network, encode_boards(positions, 0, np.zeros(1, np.int64))))
    values = agent.values(game, 1)
    assert values is not None
    assert [str(move) for move in values] == ["c1c2", "a4b4", "b4a4"]
    assert list(values.values()) == pytest.approx(chances.tolist(), abs=1e-5)
    other = Game(Level.load("03-open-field"), 1)
    assert isinstance(agent.choose(other, 1), Move)


def test_a_file_that_would_play_otherwise_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, other = (new_network("conv12-elu-gap", filters=4, seed=seed) for seed in (1, 2))
    content = convolution._exported(other)
    monkeypatch.setattr(convolution, "_exported", lambda network: content)
    path = tmp_path / "network.onnx"
    with pytest.raises(TrainingError, match=r"logits that differ by \S+ from PyTorch's; expected at most"):
        write_network(path, network, {})
    assert not path.exists()


def test_a_file_is_checked_at_boards(tmp_path: Path) -> None:
    """A plane that is 0 on every board may have weights by which floats would overflow."""
    network = new_network("conv12-elu-gap", filters=4)
    first = convolutions(network)[0]
    with torch.no_grad():
        first.weight[:, PLANE_NAMES.index("")] = 3e38
    path = tmp_path / "network.onnx"
    write_network(path, network, {})
    assert path.exists()
    assert np.ptp(convolution._planes_of_boards()[:, 0]) == 1  # a piece of the first color, somewhere
