"""The policy agent: its inputs beside the engine, its network computed a second way, how it plays."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from levelsense.agents.policy.encoding import write_move_inputs, write_position_inputs
from levelsense.agents.policy.inputs import (
    ENCODING,
    MOVE_INPUTS,
    POSITION_INPUTS,
)
from levelsense.agents.policy.network import (
    FAR,
    KIND,
    WITH_RIVALS,
    Network,
    check_shapes,
    persona_names,
    read_network,
    sizes_of,
)
from levelsense.agents.registry import parse_agent
from levelsense.agents.simple import clear_first_round
from levelsense.agents.weights import Weights, read_weights, shipped_names, write_weights
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.game.items import is_combination
from levelsense.game.moves import MOST_MOVES, list_moves
from levelsense.game.record import level_record
from levelsense.game.state import COLOR_BOMB, COUNT_JELLY, NO_CELL, STRIDE, new_state, new_work
from levelsense.rng import new_rng
from tests.agents.playing import positions, same_rows, seeds
from tests.agents.test_policy_inputs import inputs

POLICY = parse_agent("policy:persona=everyone")


@pytest.mark.parametrize("level", ["04-jelly-garden", "30-grand-tour", "12-locked-up", "46-popcorn"])
def test_struck_jelly_is_what_the_engine_clears_in_the_first_round(level: str) -> None:
    """Moves whose first round is sure: no color bomb turns candies into striped ones."""
    compared = 0
    for game in positions(bundled(level), seed=5, every=3):
        states, work = new_state(2), new_work()
        for name, row in inputs(game).items():
            move = Move.parse(name)
            first, second = (move.code % 288) // 2, 0
            second = first + (STRIDE if move.code & 1 else 1)
            pieces = game.state.piece[first], game.state.piece[second]
            if COLOR_BOMB in pieces and is_combination(*pieces, 1, 1):
                continue
            states[1] = game.state
            clear_first_round(level_record(game.level).level, states[1], new_rng(1), work, move.code)
            if level_record(game.level).level.asked[COUNT_JELLY] == 0:
                continue
            cleared = states[1].count[COUNT_JELLY] - game.state.count[COUNT_JELLY]
            struck = row.get("lines: asked jelly", 0) + row.get("blasts: asked jelly", 0)
            doubles = row.get("lines: layers of blockers over asked jelly", 0)
            # A blocker's last layer does not take the jelly below it with it; layers of jelly go one by one.
            assert cleared <= struck + doubles
            assert cleared == struck or doubles or states[1].shuffles != game.state.shuffles
            compared += 1
    assert compared >= (0 if level in ("46-popcorn", "12-locked-up") else 20)


def bundled(name: str) -> str:
    from levelsense.level.level import bundled_levels

    (full,) = [level for level in bundled_levels() if level.startswith(name.split("-", maxsplit=1)[0] + "-")]
    return full


# The network


def slow_scores(network: Network, rows: Any, position_inputs: Any, moves: Any, persona: int = 0) -> Any:
    """The scores of moves, by the formulas of the module in float64."""
    arrays = [np.asarray(array, np.float64) for array in network[:8]]
    move, move_shift, context, context_shift, of_move, of_context, shift, out = arrays
    hidden = np.maximum(rows @ move + move_shift, 0)
    pooled = np.concatenate([hidden.mean(0), hidden.max(0), position_inputs])
    of_position = np.maximum(pooled @ context + context_shift, 0)
    mixed = hidden @ of_move + of_position @ of_context + shift[persona]
    mixed += slow_rivals(network, hidden, moves) @ network.of_rivals
    return np.maximum(mixed, 0) @ out[persona]


def slow_rivals(network: Network, hidden: Any, moves: Any) -> Any:
    """The sums over the rivals of each move; no columns in a network without rivals."""
    cells = [divmod(int(code) % 288 // 2 + first_step(int(code)), STRIDE) for code in moves]
    sums = np.zeros((len(moves), len(network.rival_shift)))
    for index, (row, column) in enumerate(cells):
        for other, (other_row, other_column) in enumerate(cells):
            if other != index:
                distance = min(max(abs(row - other_row), abs(column - other_column)), FAR)
                near = network.rival_near[distance if other < index else FAR + 1 + distance]
                more = hidden[other] @ network.rival + network.rival_shift - hidden[index] @ network.rival_own
                sums[index] += near * np.maximum(more, 0)
    return sums


def first_step(code: int) -> int:
    """How far the cell that a move takes its piece from is behind the first cell of its swap."""
    return 0 if code < 288 else STRIDE if code & 1 else 1


@pytest.fixture(scope="module")
def rivals_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rivals") / "rivals.json"
    write_weights(path, with_rivals())
    return str(path)


@pytest.mark.parametrize("level", ["04-jelly-garden", "24-hourglass", "45-last-stand", "thesis-077"])
@pytest.mark.parametrize("has_rivals", [False, True])
def test_probabilities_are_those_of_a_slow_second_network(
    level: str, has_rivals: bool, rivals_file: str
) -> None:
    source = rivals_file if has_rivals else "simulated-2"
    network, agent = read_network(source), parse_agent(f"policy:persona=everyone,model={source}")
    for game in positions(level, seed=3, every=4):
        states, moves = new_state(), np.zeros(MOST_MOVES, np.int64)
        states[0] = game.state
        record = level_record(game.level).level
        count = list_moves(states[0], moves)
        rows = np.zeros((count, MOVE_INPUTS), np.float32)
        of_position = np.zeros(POSITION_INPUTS, np.float32)
        write_move_inputs(record, states, 0, new_work(), moves, count, NO_CELL, rows)
        write_position_inputs(record, states[0], count, of_position)
        scores = slow_scores(network, rows, of_position, moves[:count])
        expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        values = agent.values(game, 0)
        assert values is not None
        assert list(values.values()) == pytest.approx(expected.tolist(), abs=1e-4)
        assert sum(values.values()) == pytest.approx(1)


def test_moves_are_drawn_by_their_probabilities() -> None:
    game = first_game()
    values = POLICY.values(game, 0)
    assert values is not None
    drawn = [POLICY.choose(game, seed) for seed in range(3_000)]
    for move, probability in values.items():
        share = drawn.count(move) / len(drawn)
        assert abs(share - probability) < 4 * np.sqrt(probability * (1 - probability) / len(drawn)) + 1e-3


def first_game() -> Game:
    return next(positions("04-jelly-garden", seed=1))


def test_greedy_cold_and_random_play() -> None:
    game = first_game()
    values = POLICY.values(game, 0)
    assert values is not None
    best = max(values, key=lambda move: values[move])
    for options in ("play=greedy", "temperature=0.01", "play=epsilon,epsilon=0"):
        spec = f"policy:persona=everyone,{options}"
        assert {parse_agent(spec).choose(game, seed) for seed in range(5)} == {best}
    anything = parse_agent("policy:play=epsilon,epsilon=1")
    assert len({anything.choose(game, seed) for seed in range(200)}) > len(values) / 2


def test_the_last_move_is_remembered_within_an_attempt_only() -> None:
    level = first_game().level
    together = POLICY.attempts(level, seeds(6))
    for k in range(6):
        assert same_rows(together[k : k + 1], POLICY.attempts(level, seeds(6)[k : k + 1]))


def with_arrays(**changes: Any) -> Weights:
    rng = np.random.default_rng(1)
    arrays = {name: rng.normal(size=shape).astype(np.float32) for name, shape in sizes_of(4, 3, 5, 3).items()}
    return Weights(KIND, ENCODING, arrays | changes)


def with_rivals(**changes: Any) -> Weights:
    rng = np.random.default_rng(2)
    shapes = sizes_of(4, 3, 5, 3, rivals=2)
    arrays = {name: rng.normal(size=shape, scale=0.3).astype(np.float32) for name, shape in shapes.items()}
    return Weights(KIND, WITH_RIVALS, arrays | changes)


def test_rivals_change_probabilities(rivals_file: str, tmp_path: Any) -> None:
    path, game = tmp_path / "alone.json", first_game()
    nobody = np.zeros(with_rivals().arrays["rival_near"].shape, np.float32)
    write_weights(path, with_rivals(rival_near=nobody))
    beside = parse_agent(f"policy:model={rivals_file},persona=everyone").values(game, 0)
    alone = parse_agent(f"policy:model={path},persona=everyone").values(game, 0)
    assert beside is not None
    assert alone is not None
    assert max(abs(beside[move] - alone[move]) for move in beside) > 0.01


def test_rivals_need_a_file_of_their_version() -> None:
    with pytest.raises(AgentError, match="array 'of_rivals' in a file of version 2; expected version 3"):
        check_shapes(Weights(KIND, ENCODING, with_rivals().arrays))
    with pytest.raises(AgentError, match="'rival' has the shape None; expected HT"):
        check_shapes(Weights(KIND, WITH_RIVALS, with_arrays().arrays))
    with pytest.raises(AgentError, match=r"'rival_near' has the shape .* expected 14 in the place of N"):
        check_shapes(with_rivals(rival_near=np.zeros((13, 2), np.float32)))


def test_of_equally_probable_moves_any_is_chosen(tmp_path: Any) -> None:
    nothing = {name: np.zeros(shape, np.float32) for name, shape in sizes_of(4, 3, 5).items()}
    path = tmp_path / "nothing.json"
    write_weights(path, Weights(KIND, ENCODING, nothing))
    agent, game = parse_agent(f"policy:model={path},play=greedy"), first_game()
    counted = Counter(agent.choose(game, seed) for seed in range(40 * len(game.legal_moves)))
    assert set(counted) == set(game.legal_moves)
    assert min(counted.values()) > 15


def test_a_persona_is_drawn_for_each_attempt_by_its_share(tmp_path: Any) -> None:
    shares = np.array([0, 0.25, 0.75], np.float32)
    path = tmp_path / "mine.json"
    write_weights(path, with_arrays(share=shares))
    level = first_game().level
    agent = parse_agent(f"policy:model={path}")
    everyone = parse_agent(f"policy:model={path},persona=everyone")
    assert not same_rows(agent.attempts(level, seeds(20)), everyone.attempts(level, seeds(20)))
    certain = tmp_path / "certain.json"
    write_weights(certain, with_arrays(share=np.array([1, 0, 0], np.float32)))
    alike = parse_agent(f"policy:model={certain}")
    # One draw more, and the same probabilities as everyone's.
    assert alike.values(first_game(), 0) == pytest.approx(everyone.values(first_game(), 0))


def test_weights_without_groups_play_all_players_alike(tmp_path: Any) -> None:
    path = tmp_path / "single.json"
    arrays = {name: array[:1] if name in ("shift", "out", "share") else array for name, array in _arrays()}
    write_weights(path, Weights(KIND, ENCODING, arrays))
    agents = [parse_agent(f"policy:model={path}{who}") for who in ("", ",persona=everyone")]
    level = first_game().level
    mix, everyone = (agent.attempts(level, seeds(10)) for agent in agents)
    assert same_rows(mix, everyone)


def _arrays() -> Any:
    return with_arrays().arrays.items()


@pytest.mark.parametrize(
    ("array", "shape", "reason"),
    [
        ("move", (5, 4), "'move' has the shape .* expected 81 in the place of F"),
        ("move_shift", (5,), "'move_shift' has the shape .* expected 4 in the place of H"),
        ("context", (7, 3), "'context' has the shape .* expected 21 in the place of Q"),
        ("out", (3,), "'out' has the shape .* expected KG"),
        ("share", (2,), "'share' has the shape .* expected 3 in the place of K"),
    ],
)
def test_arrays_of_other_shapes_are_refused(array: str, shape: tuple[int, ...], reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        check_shapes(with_arrays(**{array: np.zeros(shape, np.float32)}))


def test_shipped_weights_are_small_and_tell_of_themselves() -> None:
    from levelsense.agents.weights import split_source

    assert shipped_names("policy") == ["simulated-2"]
    path, _ = split_source("simulated-2")
    assert path.stat().st_size < 200_000
    weights = read_weights("simulated-2", KIND, ENCODING)
    shares = weights.arrays["share"]
    assert shares.sum() == pytest.approx(1)
    assert shares[0] == 0
    assert persona_names(weights)[0] == "everyone"
    assert len(set(persona_names(weights))) == len(shares) > 2
