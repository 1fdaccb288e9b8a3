"""Policies learned from moves: examples, training, its judgement, and how it goes on after a kill."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from levelsense.agents.policy.inputs import ENCODING, MOVE_NAMES, POSITION_INPUTS
from levelsense.agents.policy.network import NEARNESS, WITH_RIVALS
from levelsense.agents.registry import parse_agent
from levelsense.agents.weights import read_weights, write_weights
from levelsense.cli import app
from levelsense.errors import TrainingError
from levelsense.game.game import Game, Move
from levelsense.game.moves import first_cell
from levelsense.game.state import NO_CELL, STRIDE
from levelsense.lab import Lab
from levelsense.learning import require_torch
from levelsense.learning.ceiling import CeilingSample, sample_ceiling
from levelsense.learning.corpus import LEFT_OUT, Corpus, Split, read_corpus
from levelsense.learning.examples import Examples, encode, last_cells
from levelsense.learning.fit import Recipe, fit_policy, log_probabilities, mean_loss
from levelsense.learning.judge import (
    calibration,
    calibration_error,
    judge_probabilities,
    judge_random,
    judge_values,
)
from levelsense.learning.judged import judge_from_files, judge_policy, weights_logs
from levelsense.learning.loop import Epoch
from levelsense.learning.network import RivalSums
from levelsense.learning.policy import TrainedPolicy, checkpoint_of, train_from_files
from levelsense.people.moves import read_moves
from levelsense.people.simulated.choices import choice_counts
from levelsense.people.simulated.traits import draw_population
from levelsense.people.telemetry import read_telemetry
from tests.agents.playing import positions
from tests.learning.telemetry import LEVELS, levels, write_moves

SMALL = Recipe(moves=8, context=6, mixed=8, batch=64, epochs=4)


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    require_torch()


@pytest.fixture(scope="module")
def moves_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_moves(tmp_path_factory.mktemp("moves") / "moves.parquet")


@pytest.fixture(scope="module")
def corpus(moves_file: Path) -> Corpus:
    return read_corpus([read_moves(moves_file)], levels(), split=parted)


def parted(number: int) -> Split:
    return Split.by_order(number, 0.2, 0.4)


@pytest.fixture(scope="module")
def trained(moves_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[TrainedPolicy, Path]:
    output = tmp_path_factory.mktemp("policy") / "policy.json"
    return train_from_files([moves_file], LEVELS, output, SMALL, judge=0.4, validate=0.2), output


def made_up(counts: list[int], made: list[int]) -> Examples:
    """Examples without inputs: so many legal moves each, and the place of the one made."""
    first = np.concatenate([[0], np.cumsum(counts)])
    zeros = np.zeros(len(made), np.int64)
    inputs = np.zeros((int(first[-1]), len(MOVE_NAMES)), np.float32)
    return Examples(
        inputs, first, np.array(made), np.zeros((len(made), POSITION_INPUTS), np.float32), zeros, zeros
    )


# Examples


def test_examples_are_the_positions_that_moves_were_made_in(moves_file: Path) -> None:
    moves = read_moves(moves_file)
    for _, of_level in moves.levels(levels()):
        part = of_level.positions()
        examples = encode(part, 0, np.zeros(len(part), np.int64))
        game = Game(part.level, int(of_level.seeds[0]))
        before = NO_CELL
        for k in range(int(of_level.offsets[1])):
            legal = game.legal_moves
            assert examples.moves[k] == len(legal)
            assert legal[examples.made[k]] == Move.from_code(int(part.codes[k]))
            assert last_cells(part)[k] == before
            game.play(legal[examples.made[k]])
            before = first_cell(int(part.codes[k]))


def test_levels_are_split_by_their_order(corpus: Corpus) -> None:
    assert corpus.split == Split(3, 1, 2)
    assert set(corpus.training.level.tolist()) == set(corpus.known.level.tolist()) == {0, 1, 2}
    assert set(corpus.validation.level.tolist()) == {3}
    assert set(corpus.later.level.tolist()) == {4, 5}
    assert not set((corpus.training.player % LEFT_OUT).tolist()) & {0}
    assert set((corpus.known.player % LEFT_OUT).tolist()) == {0}
    parts = (corpus.training, corpus.known, corpus.validation, corpus.later)
    assert sum(map(len, parts)) == len(corpus.examples)
    assert all(len(values) == len(corpus.later.inputs) for values in corpus.baselines.values())


@pytest.mark.parametrize(("number", "expected"), [(3, (1, 1, 1)), (4, (2, 1, 1)), (100, (70, 10, 20))])
def test_shares_of_levels(number: int, expected: tuple[int, int, int]) -> None:
    assert Split.by_order(number, 0.1, 0.2) == Split(*expected)


def test_two_levels_are_too_few() -> None:
    with pytest.raises(TrainingError, match="moves at 2 levels; expected at least 3"):
        Split.by_order(2, 0.1, 0.2)


def test_moves_of_a_level_are_limited_to_whole_attempts(moves_file: Path) -> None:
    moves = read_moves(moves_file)
    few = read_corpus([moves], levels(), moves_per_level=60)
    counts = np.bincount(few.examples.level)
    assert (counts <= 60).all()
    assert (counts >= 20).all()
    again = read_corpus([moves], levels(), moves_per_level=60)
    assert np.array_equal(few.examples.inputs, again.examples.inputs)


def test_examples_that_are_chosen_keep_their_moves() -> None:
    examples = made_up([2, 3, 4], [1, 0, 3])
    examples.inputs[:, 0] = np.arange(9)
    some = examples.chosen(np.array([True, False, True]))
    assert some.inputs[:, 0].tolist() == [0, 1, 5, 6, 7, 8]
    assert (some.first.tolist(), some.made.tolist()) == ([0, 2, 6], [1, 3])
    assert Examples.joined([some, examples]).first.tolist() == [0, 2, 6, 8, 11, 15]


# Judgement, by hand


def test_judgement_by_hand() -> None:
    examples = made_up([2, 4], [0, 3])
    probabilities = np.array([0.25, 0.75, 0.4, 0.3, 0.2, 0.1])
    judged = judge_probabilities(examples, probabilities)
    assert (judged.top_1, judged.top_3) == (0, 0.5)
    assert judged.loss == pytest.approx(-(np.log(0.25) + np.log(0.1)) / 2)
    random = judge_random(examples)
    assert (random.top_1, random.top_3) == (0.375, 0.875)
    assert random.loss == pytest.approx(np.log(8) / 2)


def test_equals_share_a_place() -> None:
    judged = judge_values(made_up([4], [3]), np.array([2.0, 1.0, 1.0, 1.0]))
    assert (judged.top_1, judged.loss) == (0, None)
    assert judged.top_3 == pytest.approx(2 / 3)
    assert judge_values(made_up([4], [3]), np.ones(4)).top_1 == 0.25


def test_the_share_of_the_gap() -> None:
    base = judge_random(made_up([4], [0]))
    random, ceiling, policy = (replace(base, loss=loss) for loss in (2.0, 1.0, 1.25))
    assert policy.share_of_gap(random, ceiling) == 0.75
    assert policy.share_of_gap(random, replace(base, loss=2.5)) is None


def test_calibration_by_hand() -> None:
    examples = made_up([2, 2], [0, 1])
    bins = calibration(examples, np.array([0.81, 0.19, 0.83, 0.17]))
    assert [(part.moves, part.made) for part in bins] == [(2, 0.5), (2, 0.5)]
    assert [part.predicted for part in bins] == pytest.approx([0.18, 0.82])
    assert calibration_error(bins) == pytest.approx(0.32)


# The ceiling


def test_the_ceiling_by_hand() -> None:
    """The players' shares are 1/4, 3/4 and 0, 1/2, 1/4, 1/4."""
    sample = CeilingSample(made_up([2, 4], [0, 3]), np.array([150, 450, 0, 300, 150, 150]))
    entropies = [np.log(4) - 0.75 * np.log(3) + 1 / 1200, 1.5 * np.log(2) + 2 / 1200]
    assert sample.judgement.loss == pytest.approx(np.mean(entropies))
    assert (sample.judgement.top_1, sample.judgement.top_3) == (0.625, 1)
    judgement = sample.judge(np.array([0.5, 0.5, 0.4, 0.3, 0.2, 0.1]))
    second = -(0.5 * np.log(0.3) + 0.25 * np.log(0.2) + 0.25 * np.log(0.1))
    assert judgement.loss == pytest.approx((np.log(2) + second) / 2)
    assert judgement.top_3 == pytest.approx((1 + 0.75) / 2)


def test_choices_of_simulated_players_are_those_that_they_make() -> None:
    """What a player makes of the first position of an attempt, 400 times, beside the counts of choices."""
    level = levels()[1].level
    population = draw_population(1, 5, {"expert": 1})
    game = Game(level, 11)
    states = np.zeros(1, game.state.dtype)
    states[0] = game.state
    visitors = np.zeros(1, np.int64), np.zeros(1, np.int64)
    last = np.array([game.legal_moves[0].code // 2])
    counts, first = choice_counts(level, states, last, population, visitors, 4_000, seed=1)
    again, _ = choice_counts(level, states, last, population, visitors, 4_000, seed=2)
    assert first.tolist() == [0, len(game.legal_moves)]
    assert counts.sum() == again.sum() == 4_000
    assert not np.array_equal(counts, again)
    assert np.abs(counts - again).max() < 6 * np.sqrt(2 * 1_000)
    assert counts.max() > 3 * 4_000 / len(counts)


def test_both_kinds_have_their_part_of_the_choices() -> None:
    level = levels()[1].level
    population = draw_population(2, 5, {"expert": 0.5, "hoarder": 0.5})
    seed = next(s for s in range(99) if len(set(draw_population(2, s, "both").types)) == 2)
    population = draw_population(2, seed, {"expert": 0.5, "hoarder": 0.5})
    game = Game(level, 11)
    states = np.zeros(1, game.state.dtype)
    states[0] = game.state
    before = states.tobytes()
    visitors = np.arange(2), np.zeros(2, np.int64)
    counts, _ = choice_counts(level, states, np.array([NO_CELL]), population, visitors, 500, seed=1)
    assert counts.sum() == 500
    assert states.tobytes() == before


def test_moves_of_people_have_no_ceiling(moves_file: Path) -> None:
    (_, of_level), *_ = read_moves(moves_file).levels(levels())
    part = of_level.positions()
    assert len(sample_ceiling(part, 1)) == 1
    people = replace(part, cohort=np.full(len(part), "testers"))
    assert sample_ceiling(people, 1) == []


# Training


def test_training_learns_to_tell_moves(corpus: Corpus) -> None:
    recipe = replace(SMALL, epochs=12, rate=0.01)
    network = fit_policy(corpus.training, corpus.validation, recipe)
    untrained = fit_policy(corpus.training, corpus.validation, replace(recipe, rate=1e-6))
    random = judge_random(corpus.training).loss
    assert random is not None
    assert mean_loss(network, corpus.training) < random - 0.05
    assert mean_loss(untrained, corpus.training) > random - 0.01


def test_the_file_plays_as_the_network_that_was_trained(
    trained: tuple[TrainedPolicy, Path], corpus: Corpus, tmp_path: Path
) -> None:
    network = fit_policy(corpus.training, corpus.validation, SMALL)
    assert network.weights({}).digest == read_weights(str(trained[1]), "policy", ENCODING).digest
    agent = parse_agent(f"policy:model={trained[1]}")
    for named in levels()[:3]:
        for game in positions(named.name, seed=2, every=5):
            states = np.zeros(1, game.state.dtype)
            states[0] = game.state
            if game.moves_made:
                continue
            values = agent.values(game, 0)
            assert values is not None
            part = _as_positions(game, states)
            logs = log_probabilities(network, encode(part, 0, np.zeros(1, np.int64)))
            assert list(values.values()) == pytest.approx(np.exp(logs).tolist(), abs=1e-4)


def test_a_network_with_rivals_plays_and_is_judged_as_it_was_trained(corpus: Corpus, tmp_path: Path) -> None:
    """PyTorch in batches, NumPy on the file's arrays and the agent's kernel give the same probabilities."""
    network = fit_policy(corpus.training, corpus.validation, replace(SMALL, rivals=3))
    path = tmp_path / "rivals.json"
    write_weights(path, network.weights({}))
    weights = read_weights(str(path), "policy", WITH_RIVALS)
    logs = log_probabilities(network, corpus.later)
    assert weights_logs(weights, corpus.later) == pytest.approx(logs, abs=1e-4)
    agent, game = parse_agent(f"policy:model={path}"), next(positions(LEVELS[0], seed=2))
    states = np.zeros(1, game.state.dtype)
    states[0] = game.state
    values = agent.values(game, 0)
    assert values is not None
    logs = log_probabilities(network, encode(_as_positions(game, states), 0, np.zeros(1, np.int64)))
    assert list(values.values()) == pytest.approx(np.exp(logs).tolist(), abs=1e-4)


def test_gradients_of_rivals_are_those_of_the_formula() -> None:
    """By PyTorch's own differentiation, with all pairs of moves of three positions of 5, 3 and 1 moves."""
    torch.manual_seed(1)
    cells, count = torch.randint(0, 100, (3, 5)), torch.tensor([5, 3, 1])
    near, rival, baseline = (
        torch.randn(shape, requires_grad=True) for shape in ((NEARNESS, 2), *[(3, 5, 2)] * 2)
    )
    weight = torch.randn(3, 5, 2)
    rows, columns = cells // STRIDE, cells % STRIDE
    apart = [(part[:, :, None] - part[:, None, :]).abs() for part in (rows, columns)]
    place = torch.maximum(*apart).clamp(max=6) + 7 * torch.ones(5, 5).triu(1).long()
    there = torch.arange(5)[None] < count[:, None]
    pairs = there[:, :, None] & there[:, None, :] & ~torch.eye(5, dtype=torch.bool)
    sums = (torch.relu(rival[:, None] - baseline[:, :, None]) * near[place] * pairs[..., None]).sum(2)
    expected = torch.autograd.grad((sums * weight).sum(), (near, rival, baseline))
    fast = RivalSums.apply(cells, count, near, rival, baseline)
    assert torch.allclose(fast, sums, atol=1e-5)
    gradients = torch.autograd.grad((fast * weight).sum(), (near, rival, baseline))
    for gradient, by_torch in zip(gradients, expected, strict=True):
        assert torch.allclose(gradient, by_torch, atol=1e-5)


def _as_positions(game: Game, states: Any) -> Any:
    from levelsense.people.positions import Positions

    text = np.array(["x"])
    number = np.zeros(1, np.int64)
    codes = np.array([game.legal_moves[0].code], np.int16)
    return Positions(game.level, "x", states, codes, text, text, text, number, number)


def test_a_killed_run_goes_on_to_the_same_weights(corpus: Corpus, tmp_path: Path) -> None:
    checkpoint = tmp_path / "a.checkpoint"

    def killed(epoch: Epoch) -> None:
        if epoch.number == 2:
            raise KeyboardInterrupt

    whole = fit_policy(corpus.training, corpus.validation, SMALL)
    with pytest.raises(KeyboardInterrupt):
        fit_policy(corpus.training, corpus.validation, SMALL, checkpoint=checkpoint, on_epoch=killed)
    epochs: list[int] = []
    resumed = fit_policy(
        corpus.training,
        corpus.validation,
        SMALL,
        checkpoint=checkpoint,
        on_epoch=lambda epoch: epochs.append(epoch.number),
    )
    assert epochs == [3, 4]
    assert resumed.weights({}).digest == whole.weights({}).digest


def test_a_checkpoint_of_another_run_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    checkpoint = tmp_path / "a.checkpoint"
    fit_policy(corpus.training, corpus.validation, replace(SMALL, epochs=1), checkpoint=checkpoint)
    with pytest.raises(TrainingError, match="a checkpoint of other moves or settings"):
        fit_policy(corpus.training, corpus.validation, SMALL, checkpoint=checkpoint)
    checkpoint.write_bytes(b"not one")
    with pytest.raises(TrainingError, match="not a checkpoint that can be read"):
        fit_policy(corpus.training, corpus.validation, SMALL, checkpoint=checkpoint)


def test_the_best_epoch_is_kept_and_training_stops(corpus: Corpus) -> None:
    epochs: list[Epoch] = []
    recipe = replace(SMALL, epochs=12, rate=0.5, patience=2)
    network = fit_policy(corpus.training, corpus.validation, recipe, on_epoch=epochs.append)
    best = min(epoch.validation for epoch in epochs)
    assert mean_loss(network, corpus.validation) == pytest.approx(best, abs=1e-6)
    assert len(epochs) < 12


def test_other_seeds_other_weights(corpus: Corpus) -> None:
    digests = {
        fit_policy(corpus.training, corpus.validation, replace(SMALL, epochs=1, seed=seed)).weights({}).digest
        for seed in (1, 1, 2)
    }
    assert len(digests) == 2


def test_one_thread_is_used() -> None:
    assert torch.get_num_threads() == 1


# Judging a file of weights


def test_weights_are_judged_as_the_network_that_they_are_of(
    trained: tuple[TrainedPolicy, Path], corpus: Corpus
) -> None:
    """NumPy on the file's arrays beside PyTorch on the network; and the same moves, whoever splits them."""
    policy, output = trained
    weights = read_weights(str(output), "policy", ENCODING)
    network = fit_policy(corpus.training, corpus.validation, SMALL)
    logs = weights_logs(weights, corpus.later)
    assert logs == pytest.approx(log_probabilities(network, corpus.later), abs=1e-4)
    assert corpus.ceiling is not None
    judged = judge_policy(corpus, logs, weights_logs(weights, corpus.ceiling.examples))
    assert judged.later["policy"].loss == pytest.approx(policy.later["policy"].loss, abs=1e-5)
    assert judged.share_of_gap == pytest.approx(policy.share_of_gap, abs=1e-4)


def test_all_levels_of_the_files_are_judged(moves_file: Path, trained: tuple[TrainedPolicy, Path]) -> None:
    """Moves of a single level are enough, which would be too few to train on."""
    notes: list[str] = []
    judged = judge_from_files([moves_file], LEVELS, str(trained[1]), note=notes.append)
    moves = read_moves(moves_file)
    assert notes == [f"{len(moves.moves):,} moves of 12 players at 6 levels"]
    assert set(judged.later) == {"policy", "heuristic", "greedy:of=goals", "random"}
    assert judged.share_of_gap is not None
    everything = read_corpus([moves], levels(), split=lambda number: Split(0, 0, number))
    assert judged.later["random"] == judge_random(everything.later)
    assert len(everything.later) == len(moves.moves)


def test_the_command_judges_a_policy(moves_file: Path, tmp_path: Path) -> None:
    named = [word for name in LEVELS for word in ("--levels", name)]
    command = ["players", "judge", str(moves_file), *named, "--moves-per-level", "60"]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["policy"] == "simulated-2"
    assert data["levels"]["policy"]["loss"] < data["levels"]["random"]["loss"]
    words = CliRunner().invoke(app, command).stdout
    assert f"{data['levels']['policy']['loss']:.4f}" in words
    assert f"{data['share_of_gap']:.1%} of the way in log-loss" in words
    refused = CliRunner().invoke(app, [*command, "--policy", str(tmp_path / "none.json")])
    assert refused.exit_code == 2
    assert "no such file; expected a file of weights" in refused.stderr


# The command


def test_the_command_trains_judges_and_writes(moves_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "mine.json"
    named = [word for name in LEVELS for word in ("--levels", name)]
    small = ["--epochs", "2", "--units", "6", "--batch", "64", "--judge", "0.4", "--json"]
    result = CliRunner().invoke(app, ["train", "policy", str(moves_file), *named, "-o", str(output), *small])
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert "epoch 2 of at most 2" in result.stderr
    assert data["agent"] == f"policy:model={output}@{read_weights(str(output), 'policy', ENCODING).digest}"
    assert set(data["later_levels"]) == {"policy", "heuristic", "greedy:of=goals", "random"}
    assert not checkpoint_of(output).exists()
    card = read_weights(str(output), "policy", ENCODING).card
    assert card["players"] == "simulated, not people"
    assert card["split"]["levels judged by"] == 2


def test_a_network_over_planes_trains_by_the_same_command(moves_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "mine.onnx"
    named = [word for name in LEVELS for word in ("--levels", name)]
    words = ["--network", "conv12-relu-gap", "--units", "2", "--epochs", "1", "--moves-per-level", "60"]
    command = ["train", "policy", str(moves_file), *named, "-o", str(output), *words, "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["agent"].startswith(f"onnx:model={output}@")
    assert data["later_levels"]["policy"]["loss"] > 0
    assert data["share_of_gap"] < 1
    game = next(positions(LEVELS[0], seed=1))
    assert parse_agent(data["agent"]).choose(game, 1) in game.legal_moves


def test_an_unknown_network_is_refused(moves_file: Path, tmp_path: Path) -> None:
    named = [word for name in LEVELS for word in ("--levels", name)]
    command = ["train", "policy", str(moves_file), *named, "-o", str(tmp_path / "a"), "--network", "conv13"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "unknown network 'conv13'; there are: conv12-elu-gap" in result.stderr


def test_positions_of_another_engine_give_the_same_examples(moves_file: Path, tmp_path: Path) -> None:
    rows = tmp_path / "positions.parquet"
    Lab().export_positions(moves_file, rows, LEVELS)
    moves, exported = (
        read_corpus([read_telemetry(file)], levels(), split=parted).examples for file in (moves_file, rows)
    )
    # Players come in another order there: by their names.
    for one, other in ((moves.inputs, exported.inputs), (moves.position, exported.position)):
        assert np.array_equal(np.sort(one, axis=0), np.sort(other, axis=0))
    assert sorted(moves.made.tolist()) == sorted(exported.made.tolist())


def test_moves_of_too_few_levels(moves_file: Path) -> None:
    first = levels()[0]
    moves = read_moves(moves_file)
    part = moves.moves.filter(moves.moves["digest"] == first.level.digest)
    few = replace(moves, moves=part, names={first.level.digest: first.name})
    with pytest.raises(TrainingError, match="moves at 1 levels; expected at least 3"):
        read_corpus([few], levels())
