"""Whether the policy makes mcts stronger in the same time, or more like the players it learned from.

`python benchmarks/policy_search.py strength` plays variants of mcts at hard bundled levels. Their numbers of
simulations are chosen so that a move takes each about as long; the table tells the time that it took.
`likeness` asks variants at positions of simulated players for a move, and counts how often it is the
player's. `exploration` plays a tree with a prior by several values of `c`. Each prints a table in Markdown.
Attempts of all variants start from the same seeds. All three take some minutes of one processor.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from levelsense.agents.attempt import room_at
from levelsense.agents.mcts.tree import LAST_MOVE, Tree
from levelsense.agents.policy.network import LAST_CELL, Network
from levelsense.agents.registry import Agent, parse_agent
from levelsense.game.game import Game, Move
from levelsense.game.moves import REVERSED, first_cell
from levelsense.game.state import NO_CELL, WON
from levelsense.level.level import Level, bundled_levels
from levelsense.people.simulated.choices import choice_counts
from levelsense.people.simulated.run import NO_MOVE, Visit, visits
from levelsense.people.simulated.traits import draw_population
from levelsense.playtest.interval import NORMAL_95, wilson
from levelsense.playtest.levels import gather_levels
from levelsense.rng import new_rng

SEED = 20_261_118
LEVELS = (
    "03-open-field",
    "30-grand-tour",
    "32-long-shelf",
    "42-chocolate-cellar",
    "43-no-time",
    "44-no-favors",
    "45-last-stand",
    "thesis-100",
)
STRENGTH = tuple(
    f"mcts:simulations={simulations}{how}{final}"
    for final in ("", ",final=robust")
    for simulations, how in (
        (150, ""),
        (95, ",playout=heuristic"),
        (40, ",playout=policy"),
        (133, ",prior=policy"),
        (83, ",playout=heuristic,prior=policy"),
        (45, ",playout=policy,prior=policy"),
    )
)
EXPLORATION = tuple(
    f"mcts:simulations=100,c={c}{prior}" for prior in ("", ",prior=policy") for c in (0.1, 0.2, 0.3, 0.6)
)
LIKENESS = (
    "random",
    "heuristic",
    "mcts",
    "mcts:playout=policy",
    "mcts:prior=policy",
    "mcts:final=robust,prior=policy",
    "mcts:c=5,final=robust,prior=policy",
    "policy:play=greedy",
)
PLAYERS = 40
EVERY = 3  # of the bundled levels: positions of all sorts of levels, not of the hardest only
POSITIONS_AN_ATTEMPT = 3
CHOICES_A_POSITION = 400


class Played(NamedTuple):
    """What an agent's attempts at a level came to."""

    won: int
    moves: int
    seconds: float


def play(spec: str, name: str, attempts: int) -> Played:
    """Plays attempts at a bundled level, and takes the processor time of that."""
    agent, level = parse_agent(spec), Level.load(name)
    seeds = np.random.default_rng(SEED).integers(0, 2**63, (attempts, 2), dtype=np.uint64)
    agent.choose(Game(level, 1), 1)  # compiles
    start = time.process_time()
    rows = agent.attempts(level, seeds)
    seconds = time.process_time() - start
    return Played(int((rows["status"] == WON).sum()), int(rows["moves_made"].sum()), seconds)


def with_model(spec: str, model: str | None) -> str:
    """A spec with other weights, if any are given and it uses some."""
    return f"{spec},model={model}" if model is not None and "policy" in spec else spec


def print_success(specs: Sequence[str], attempts: int, model: str | None) -> None:
    """Prints the success rates of agents over all levels, and the time that their moves take."""
    total = attempts * len(LEVELS)
    print(
        f"| {total:,} attempts: {attempts} at each of {len(LEVELS)} levels | won | 95 % | time for a move |"
    )
    print("| --- | ---: | ---: | ---: |")
    for spec in specs:
        played = [play(with_model(spec, model), level, attempts) for level in LEVELS]
        won, moves = sum(one.won for one in played), sum(one.moves for one in played)
        low, high = wilson(won, total)
        milliseconds = 1000 * sum(one.seconds for one in played) / moves
        print(
            f"| `{spec}` | {100 * won / total:.1f} % | {100 * low:.1f} to {100 * high:.1f} % "
            f"| {milliseconds:.2f} ms |"
        )
        sys.stdout.flush()


class Position(NamedTuple):
    """A position of a simulated player, the move before it (NO_MOVE at the first) and the player's move.

    `common` is the move that such players make most often there, of many who choose.
    """

    player: int
    game: Game
    last: int
    made: int
    common: int = NO_MOVE


def positions_of_players() -> Iterator[Position]:
    """Some positions of the first attempt of simulated players of both kinds at each level, drawn."""
    population = draw_population(PLAYERS, SEED, "both")
    for visit in visits(population, gather_levels(bundled_levels()[::EVERY])):
        positions = list(_asked_positions(visit))
        states = np.concatenate([position.game.state.reshape(1) for position in positions])
        last = np.array([_cell(position.last) for position in positions])
        visitors = visit.player, visit.attempt
        counts, first = choice_counts(
            visit.named.level, states, last, population, visitors, CHOICES_A_POSITION, SEED
        )
        for k, position in enumerate(positions):
            place = int(counts[first[k] : first[k + 1]].argmax())
            yield position._replace(common=position.game.legal_moves[place].code)


def _cell(move: int) -> int:
    return NO_CELL if move == NO_MOVE else int(first_cell(move))


def _asked_positions(visit: Visit) -> Iterator[Position]:
    """Some positions of each player's first attempt at a level, drawn."""
    rng = np.random.default_rng(SEED)
    _, firsts = np.unique(visit.player, return_index=True)
    for attempt in firsts:
        moves = visit.moves[attempt][visit.moves[attempt] != NO_MOVE].tolist()
        asked = set(rng.choice(len(moves), min(POSITIONS_AN_ATTEMPT, len(moves)), replace=False).tolist())
        game, last = Game(visit.named.level, int(visit.game_seed[attempt])), NO_MOVE
        for turn, move in enumerate(moves):
            if turn in asked:
                yield Position(int(visit.player[attempt]), game.copy(), last, move)
            game.play(Move.from_code(move))
            last = move


def note_last_move(memory: Any, last: int) -> None:
    """Tells an agent in the middle of an attempt which move came before. Its memory is modified in place."""
    if last == NO_MOVE:
        return
    if isinstance(memory, Tree):
        memory.number[LAST_MOVE] = last
    elif isinstance(memory, Network):
        memory.number[LAST_CELL] = _cell(last)


def choose(agent: Agent, position: Position, seed: int) -> int:
    """The move that an agent chooses at a position in the middle of an attempt."""
    module, _, function = agent.family.entry.partition(":")
    kernels = getattr(import_module(module), function)(agent.options)
    room = room_at(kernels, agent.codes, position.game)
    note_last_move(room.memory, position.last)
    return int(
        kernels.choose(
            room.level, room.states, new_rng(seed), room.work, room.moves, room.memory, room.options
        )
    )


def interval_by_player(hits: Any, players: Any) -> tuple[float, float]:
    """The 95 % interval of a share: the positions of one player go together."""
    rate = hits.mean()
    rest = np.bincount(players, hits - rate)
    half = NORMAL_95 * sqrt(float((rest**2).sum()) * PLAYERS / (PLAYERS - 1)) / len(hits)
    return rate - half, rate + half


def print_hits(name: str, made: Any, chosen: Sequence[int], players: Any) -> None:
    """Prints how often a chosen move is the one made; the direction of a swap mostly makes no difference."""
    hits = (made % REVERSED == np.array(chosen) % REVERSED).astype(float)
    low, high = interval_by_player(hits, players)
    print(f"| {name} | {100 * hits.mean():.1f} % | {100 * low:.1f} to {100 * high:.1f} % |")
    sys.stdout.flush()


def print_likeness(model: str | None) -> None:
    """Prints how often agents choose the move that a simulated player made."""
    positions = list(positions_of_players())
    players = np.array([position.player for position in positions])
    print(f"| {len(positions):,} positions of {PLAYERS} simulated players | the player's move | 95 % |")
    print("| --- | ---: | ---: |")
    made = np.array([position.made for position in positions])
    print_hits("the move that such players make most often", made, [p.common for p in positions], players)
    for spec in LIKENESS:
        agent = parse_agent(with_model(spec, model))
        chosen = [choose(agent, position, k) for k, position in enumerate(positions)]
        print_hits(f"`{spec}`", made, chosen, players)


def main() -> None:
    """Prints the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = ("strength", "likeness", "exploration")
    parser.add_argument("parts", nargs="*", default=parts, metavar="PART", help=", ".join(parts))
    parser.add_argument("--attempts", type=int, default=20, help="attempts of each agent at each level")
    parser.add_argument("--model", help="weights of the policy, in place of those that come with levelsense")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(parts):
        parser.error(f"unknown part {min(unknown)!r}; expected one of {', '.join(parts)}")
    for part in asked.parts:
        if part == "likeness":
            print_likeness(asked.model)
        else:
            print_success(STRENGTH if part == "strength" else EXPLORATION, asked.attempts, asked.model)
        print()


if __name__ == "__main__":
    main()
