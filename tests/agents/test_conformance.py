"""What every agent must do, whatever its family: legal moves, the same for the same seed, no look ahead."""

import math
import re
from importlib.util import find_spec

import numpy as np
import pytest

from levelsense.agents.registry import Agent, families, parse_agent
from levelsense.errors import AgentError
from levelsense.game.game import Game, Move
from levelsense.game.state import LOST, NO_REASON, WON
from levelsense.level.level import Level, bundled_levels
from tests.agents.networks import with_model
from tests.agents.playing import positions, same_rows, seeds

# Search with little to go on: these tests are about the rules that all agents play by, not about strength.
CHEAP = {
    "greedy": ("greedy", "greedy:of=goals"),
    "beam": ("beam:depth=2", "beam:depth=1,heuristic=h1,ties=first"),
    "sampling": ("sampling:simulations=2", "sampling:simulations=5,per=turn,epsilon=0.5,of=goals"),
    "q-linear": ("q-linear:episodes=2,depth=2",),
    "q-network": ("q-network:episodes=3,depth=1",),
    "mcts": (
        "mcts:simulations=12",
        "mcts:simulations=12,signal=score,playout=heuristic,branching=1",
        "mcts:simulations=12,signal=goals,playout=clouded,final=robust,keep_tree=true",
        "mcts:simulations=12,signal=combined,playout=to-mast,final=robust-max,settle=true,noise=0.2,depth=2",
        "mcts:simulations=12,playout=policy,final=robust,settle=true,noise=0.2,prior=policy",
    ),
    "onnx": ("onnx", "onnx:play=greedy", "onnx:play=epsilon,epsilon=0.5"),
    "halving": ("halving:simulations=12", "halving:simulations=30,epsilon=0.5,signal=binary"),
}
SPECS = [
    spec
    for family in families()
    if find_spec(family.entry.partition(":")[0]) is not None
    for spec in CHEAP.get(family.name, (family.name,))
]
# Functions of one's own have to do the same, as long as their chance is the one that they are given.
SPECS += ["tests.agents.choosers:lowest", "tests.agents.choosers:any_move"]
# Between them: a plain board, many goals, blockers, teleporters, seconds, small and large boards.
LEVELS = (
    "03-open-field",
    "17-pocket-board",
    "21-one-at-a-time",
    "27-clockwork",
    "40-archipelago",
    "45-last-stand",
)


@pytest.fixture(params=SPECS)
def agent(request: pytest.FixtureRequest) -> Agent:
    return parse_agent(with_model(request.param))


def can_play(agent: Agent, level: Level) -> bool:
    """Whether an agent plays on boards of a level's size; if not, it must say so."""
    if agent.family.name != "onnx" or max(level.rows, level.columns) <= 9:
        return True
    with pytest.raises(AgentError, match="expected at most 9 of each"):
        agent.attempts(level, seeds(1))
    return False


def with_other_future(game: Game) -> Game:
    """The same position, where other pieces will fall in."""
    text, changed = re.subn(r"^word: .*$", "word: 0x123456789abcdef0", str(game), flags=re.MULTILINE)
    assert changed == 1
    return Game.parse(text, game.level)


def some_positions(agent: Agent) -> list[Game]:
    levels = [level for level in LEVELS if can_play(agent, Level.load(level))]
    return [game for level in levels for game in positions(level, 5, every=6)][:20]


def test_every_family_is_put_to_the_test() -> None:
    tested = {parse_agent(with_model(spec)).family.name for spec in SPECS}
    assert tested >= {"random", "first", "greedy", "heuristic", "onnx"}
    assert set(CHEAP) <= {family.name for family in families()}


def test_only_legal_moves_are_chosen(agent: Agent) -> None:
    for number, game in enumerate(some_positions(agent)):
        assert agent.choose(game, number) in game.legal_moves


def test_the_same_seed_gives_the_same_choice(agent: Agent) -> None:
    for number, game in enumerate(some_positions(agent)):
        assert agent.choose(game, number) == agent.choose(game.copy(), number)
        assert agent.values(game, number) == agent.values(game.copy(), number)


def test_the_game_is_left_as_it_is(agent: Agent) -> None:
    for number, game in enumerate(some_positions(agent)):
        before, text = game.state.tobytes(), str(game)
        agent.choose(game, number)
        agent.values(game, number)
        assert (game.state.tobytes(), str(game)) == (before, text)


def test_the_choice_does_not_depend_on_what_will_fall_in(agent: Agent) -> None:
    for number, game in enumerate(some_positions(agent)):
        other = with_other_future(game)
        assert agent.choose(other, number) == agent.choose(game, number)
        assert agent.values(other, number) == agent.values(game, number)


def test_values_are_numbers_for_the_legal_moves(agent: Agent) -> None:
    for number, game in enumerate(some_positions(agent)):
        values = agent.values(game, number)
        if values is not None:
            assert tuple(values) == game.legal_moves
            assert math.isfinite(max(values.values()))
            # A move that was not looked into is worth minus infinity.
            assert all(math.isfinite(value) or value == -math.inf for value in values.values())


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seeds_give_the_same_attempts_one_by_one_or_all_at_once(agent: Agent, level: str) -> None:
    """Nothing is carried over from one attempt to the next, nor from one call to another."""
    if not can_play(agent, Level.load(level)):
        return
    at_once = agent.attempts(Level.load(level), seeds(4))
    one_by_one = [agent.attempts(Level.load(level), seeds(4)[k : k + 1]) for k in reversed(range(4))]
    assert same_rows(at_once, np.concatenate(one_by_one[::-1]))


def test_recorded_moves_played_again_are_its_attempts(agent: Agent) -> None:
    level = Level.load("17-pocket-board")
    pairs = seeds(3)
    rows, codes, offsets = agent.record(level, pairs)
    assert same_rows(rows, agent.attempts(level, pairs))
    for k, (seed, _) in enumerate(pairs):
        game = Game(level, seed=int(seed))
        for code in codes[offsets[k] : offsets[k + 1]]:
            game.play(Move.from_code(int(code)))
        assert game.status == ("won" if rows[k]["status"] == WON else "lost")
        assert game.score == rows[k]["score"]


def test_an_agents_first_move_is_the_one_it_chooses_when_asked(agent: Agent) -> None:
    """The loop and the single question are the same agent: what it starts with cannot be told apart."""
    level = Level.load("03-open-field")
    one_move = level.model_copy(update={"moves": 1})
    for pair in seeds(5):
        game = Game(one_move, int(pair[0]))
        game.play(agent.choose(game, int(pair[1])))
        assert agent.attempts(one_move, pair[None])["score"].tolist() == [game.score]


@pytest.mark.parametrize("level", bundled_levels())
def test_every_bundled_level_is_played_to_its_end(agent: Agent, level: str) -> None:
    if not can_play(agent, Level.load(level)):
        return
    rows = agent.attempts(Level.load(level), seeds(2))
    assert set(rows["status"]) <= {WON, LOST}
    assert (rows["reason"] != NO_REASON).all()
    assert (rows["moves_made"] > 0).all()
    assert (rows["legal_moves"] >= rows["moves_made"]).all()
