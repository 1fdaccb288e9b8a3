"""The values of moves and how they are learned: equation 1 by hand, the network's slopes by differences."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from levelsense.agents.qlearning.features import ENCODING, FEATURES, UTILITY
from levelsense.agents.qlearning.values import (
    HIDDEN,
    INPUTS,
    OUTPUT,
    PARAMETERS,
    LinearQ,
    NetworkQ,
    adam,
    first_parameters,
    forward,
    gradient,
    update_linear,
)
from levelsense.agents.registry import Q_LINEAR, Q_NETWORK, parse_agent
from levelsense.agents.weights import Weights, write_weights
from levelsense.errors import AgentError
from levelsense.game.game import Game
from levelsense.level.level import Level
from levelsense.rng import Draws
from tests.agents.playing import same_rows, seeds
from tests.agents.qlearning.test_features import BOARD, POINTS
from tests.game.drawn import position


def linear_file(folder: Path, weights: Any) -> str:
    """A file of weights of q-linear, by its path."""
    path = folder / "linear.json"
    write_weights(path, Weights("q-linear", ENCODING, {"weights": np.array(weights, np.float32)}))
    return str(path)


def values(spec: str, game: Game) -> dict[str, float]:
    values = parse_agent(spec).values(game, 1)
    assert values is not None
    return {str(move): value for move, value in values.items()}


# Linear


def test_the_value_of_a_move_is_its_features_times_their_weights(tmp_path: Path) -> None:
    """With weights 1 to 24. All moves share 4 * 3 moves, rows of 3, 2 and 2, and eight columns of 1."""
    shared = 4 * 3 + (7 * 3 + 8 * 2 + 9 * 2) + sum(range(16, 24))
    source = linear_file(tmp_path, range(1, 25))
    assert values(f"q-linear:model={source},episodes=1,depth=1", position(BOARD, **POINTS)) == {
        "c1c2": shared + 1 * 1 + 2 * 2 + 3 * 1 + 5 * 3 + 6 * 3,
        "g1g2": shared + 1 * 1 + 2 * 2 + 3 * 1 + 5 * 4 + 6 * 4,
        "g1h1": shared + 1 * 1 + 2 * 1 + 3 * 0 + 5 * 3 + 6 * 3,
    }


def test_the_move_of_the_highest_value_is_played(tmp_path: Path) -> None:
    game = position(BOARD, **POINTS)
    for number, chosen in ((6, {"g1g2"}), (3, {"c1c2", "g1g2"}), (0, {"c1c2", "g1g2", "g1h1"})):
        weights = [1.0 if k + 1 == number else 0.0 for k in range(FEATURES)]
        agent = parse_agent(f"q-linear:model={linear_file(tmp_path, weights)},episodes=1,depth=1")
        assert {str(agent.choose(game, seed)) for seed in range(40)} == chosen


@pytest.mark.parametrize("kind", ["q-linear", "q-network"])
def test_threads_share_nothing(kind: str) -> None:
    agent, level = parse_agent(f"{kind}:episodes=2,depth=2"), Level.load("17-pocket-board")
    whole = agent.attempts(level, seeds(16))
    with ThreadPoolExecutor(4) as threads:
        parts = list(threads.map(lambda k: agent.attempts(level, seeds(16)[k : k + 2]), range(0, 16, 2)))
    assert same_rows(np.concatenate(parts), whole)


def test_equation_1_by_hand() -> None:
    """Q is 3 * 2 + 0.5 * 10 = 11, 13 less than the target; steps are a tenth of 1/4 and of 1/100."""
    weights, features, steps = np.zeros(FEATURES), np.zeros(FEATURES), np.ones(FEATURES)
    weights[[0, UTILITY]] = 3, 0.5
    features[[0, UTILITY]] = 2, 10
    steps[[0, UTILITY]] = 1 / 4, 1 / 100
    reward, best_next = 20, 8
    assert update_linear(weights, features, reward + 0.5 * best_next, steps, 0.1) == -13
    assert weights[0] == pytest.approx(3 + 0.1 * (1 / 4) * 13 * 2)
    assert weights[UTILITY] == pytest.approx(0.5 + 0.1 * (1 / 100) * 13 * 10)
    assert not np.delete(weights, [0, UTILITY]).any()


def test_the_step_of_the_linear_agent_shrinks() -> None:
    """A feature of its usual size moves its weight by 1 % of the error, after 1,000 turns by half of that."""
    for turn, share in ((0, 0.01), (1_000, 0.005), (9_000, 0.001)):
        q = LinearQ.untrained(np.full(FEATURES, 4.0), Draws())
        features = np.zeros(FEATURES)
        features[2] = 4
        assert q.learn(features, 100.0, turn) == -100
        assert q.learned["weights"][2] * 4 == pytest.approx(100 * share)


# Network


def example() -> tuple[Any, Any, Any]:
    """Parameters, features and scales."""
    draws = Draws("an example")
    features = np.array([draws.uniform(0, 5) for _ in range(FEATURES)])
    scales = np.array([draws.uniform(1, 3) for _ in range(FEATURES)])
    return first_parameters(draws), features, scales


def test_the_network_has_the_papers_neurons() -> None:
    """25 and 11 with the bias neurons, and 1."""
    assert (FEATURES + 1, HIDDEN + 1, PARAMETERS) == (25, 11, 24 * 10 + 10 + 10 + 1)


def test_the_output_by_hand() -> None:
    """Two neurons: 1 + 2 * 6/2 - 1 * 5 = 2, and -1 - 5 * 6/2, which counts as 0: 0.5 + 3 * 2 comes out."""
    parameters, features, scales = np.zeros(PARAMETERS), np.zeros(FEATURES), np.ones(FEATURES)
    features[[0, 1]], scales[0] = (6, 5), 2
    parameters[[0, 1, FEATURES]] = 2, -1, 1
    parameters[[INPUTS, INPUTS + FEATURES]] = -5, -1
    parameters[[OUTPUT, OUTPUT + 1, OUTPUT + HIDDEN]] = 3, 7, 0.5
    hidden = np.zeros(HIDDEN)
    assert forward(parameters, features, scales, hidden) == 0.5 + 3 * 2
    assert hidden.tolist() == [2, *[0] * 9]


def test_slopes_are_those_of_half_the_squared_error() -> None:
    parameters, features, scales = example()
    hidden, slopes, target = np.zeros(HIDDEN), np.zeros(PARAMETERS), 0.7

    def loss(changed: Any) -> float:
        error = float(forward(changed, features, scales, np.zeros(HIDDEN))) - target
        return error * error / 2

    error = forward(parameters, features, scales, hidden) - target
    assert 0 < (hidden > 0).sum() < HIDDEN  # some neurons are silent
    gradient(parameters, features, scales, hidden, error, slopes)
    for k in range(PARAMETERS):
        nudge = np.zeros(PARAMETERS)
        nudge[k] = 1e-6
        difference = (loss(parameters + nudge) - loss(parameters - nudge)) / 2e-6
        assert slopes[k] == pytest.approx(difference, rel=1e-5, abs=1e-7)


def test_two_steps_of_adam_by_hand() -> None:
    """Slopes 2 and then -1: the first step is of full size; then the moments are 0.08 and 0.004996."""
    parameters, first, second, powers = np.array([5.0]), np.zeros(1), np.zeros(1), np.ones(2)
    adam(parameters, np.array([2.0]), first, second, powers, 0.1)
    assert parameters[0] == pytest.approx(5 - 0.1)
    adam(parameters, np.array([-1.0]), first, second, powers, 0.1)
    assert (first[0], second[0]) == pytest.approx((0.9 * 0.2 - 0.1, 0.999 * 0.004 + 0.001))
    mean, spread = 0.08 / (1 - 0.9**2), (0.004996 / (1 - 0.999**2)) ** 0.5
    assert parameters[0] == pytest.approx(4.9 - 0.1 * mean / spread)


def test_the_network_learns_a_number() -> None:
    parameters, features, scales = example()
    q = NetworkQ({"parameters": parameters, "scales": scales})
    before = scales[UTILITY] * forward(parameters, features, scales, np.zeros(HIDDEN))
    errors = [q.learn(features, 30.0, turn) for turn in range(400)]
    assert errors[0] == pytest.approx(before - 30)
    assert abs(errors[-1]) < 0.01


# Files


def test_specs_name_the_weights() -> None:
    assert parse_agent("q-linear").spec == "q-linear:model=q-linear-1"
    assert parse_agent("q-network:depth=2").spec == "q-network:model=q-network-1,depth=2"
    for family in (Q_LINEAR, Q_NETWORK):
        assert [option.name for option in family.options] == ["model", "episodes", "depth"]


@pytest.mark.parametrize(
    ("kind", "arrays", "reason"),
    [
        ("q-linear", {"weights": 23}, r"arrays weights \(23\); expected weights \(24\)"),
        ("q-linear", {}, r"arrays none; expected weights \(24\)"),
        (
            "q-network",
            {"parameters": 261},
            r"arrays parameters \(261\); expected parameters \(261\), scales \(24\)",
        ),
        ("q-network", {"parameters": 261, "scales": 24}, "a scale of 0; expected scales above 0"),
    ],
)
def test_weights_of_another_shape_are_refused(
    tmp_path: Path, kind: str, arrays: dict[str, int], reason: str
) -> None:
    path = tmp_path / "odd.json"
    zeros = {name: np.zeros(size, np.float32) for name, size in arrays.items()}
    write_weights(path, Weights(kind, ENCODING, zeros))
    agent = parse_agent(f"{kind}:model={path}")
    with pytest.raises(AgentError, match=rf"odd\.json@\w+: {reason}"):
        agent.choose(Game(Level.load("01-first-steps"), 1), 1)


def test_weights_of_other_features_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    write_weights(path, Weights("q-linear", ENCODING + 1, {"weights": np.zeros(24, np.float32)}))
    agent = parse_agent(f"q-linear:model={path}")
    with pytest.raises(AgentError, match="trained on version 2 of the inputs of q-linear"):
        agent.choose(Game(Level.load("01-first-steps"), 1), 1)


def test_weights_of_the_other_family_are_refused(tmp_path: Path) -> None:
    path = linear_file(tmp_path, np.zeros(24))
    with pytest.raises(AgentError, match="weights of the kind q-linear; expected q-network"):
        parse_agent(f"q-network:model={path}")
