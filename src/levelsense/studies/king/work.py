"""The work of the king study, part by part: each is kept in the run's folder, and done once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from levelsense.agents.convolution.planes import fits_planes
from levelsense.agents.registry import parse_agent
from levelsense.learning.convolution import NETWORKS
from levelsense.learning.fit import Recipe
from levelsense.learning.fit_convolution import NetworkRecipe, least_legal_loss
from levelsense.people.positions import Positions
from levelsense.people.simulated.traits import Population, draw_population
from levelsense.playtest.levels import NamedLevel
from levelsense.studies.king.ceilings import choose_again, players_ceiling
from levelsense.studies.king.fits import Players
from levelsense.studies.king.moves import MoveSet, make_boards, make_set, player_positions, split_attempts
from levelsense.studies.king.plan import JUDGED_SEED, MIX, MOVES_SEED, OTHER_SEED, Saga
from levelsense.studies.king.playing import Played, play_and_record, play_levels
from levelsense.studies.king.training import (
    OURS,
    MoveScores,
    Start,
    Trained,
    Training,
    logit_spread,
    random_scores,
    teach_legal,
    train,
)
from levelsense.studies.saga_prediction import Study

SEARCH: Final = "mcts:simulations=200"
WEAK_SEARCH: Final = "mcts:simulations=10"  # that wins less often, nearer to players
CHOSEN: Final = "conv12-elu-gap"  # the network that table I has at the top, and players are learned by
DEEP: Final = "res20-elu-gap"
LONGEST_FIRST: Final = (DEEP, *(name for name in NETWORKS if name != DEEP))  # as they are trained, on threads
# The highest learning rates, and those of the deep network, which learns no legal swaps by the first.
LEGAL_RATE, DEEP_LEGAL_RATE = 3e-3, 1e-3
MOVES_RATE, DEEP_MOVES_RATE = 8e-4, 4e-4
# Two networks learn legal swaps by Muon, hidden convolutions having this rate. In trainings that long, it
# makes the weights of the others so large that they learn nothing more.
BY_MUON, MUON_RATE = ("conv12-elu-gap", "conv12-relu-gap"), 2e-2
LEGAL_SHARE: Final = 0.2  # of targets when moves are learned, so that legal swaps are not forgotten
RANDOM_ATTEMPTS: Final = 60  # a level, by which legal swaps are learned; one in ten is held out
MANY_PLAYERS: Final = 200  # who make the moves that are learned from
LATER, KNOWN, HELD_OUT = "later levels", "known levels", "held out"
# What was trained on players' moves: at all levels before the judged ones, or at the old ones alone.
ALL, OLD = "all", "old"


@dataclass(frozen=True)
class LegalSwaps:
    """Networks that know which swaps are legal and no moves yet, by name, and the least loss possible."""

    starts: Mapping[str, Start]
    least: float


@dataclass(frozen=True)
class TableOne:
    """Networks trained on moves of tree search, by name, with ours and random choice; and the ceiling.

    spreads  how much the logits of networks differ from position to position
    """

    trained: Mapping[str, Trained]
    spreads: Mapping[str, float]
    random: Mapping[str, MoveScores]
    again: Mapping[str, float]
    moves: int


@dataclass(frozen=True)
class PlayerMoves:
    """The networks and our policies trained on players' moves, by what they know: all levels, or old ones.

    spread  how much the logits of the network that knows all levels differ from position to position
    """

    networks: Mapping[str, Trained]
    spread: float
    policies: Mapping[str, Trained]
    random: Mapping[str, MoveScores]
    ceiling: Mapping[str, float]
    moves: int

    @property
    def network(self) -> Trained:
        """The one that plays."""
        return self.networks[ALL]


def simulate_players(saga: Saga) -> Players:
    """The results of the simulated players whose success rates are predicted."""
    population = draw_population(saga.extent.players, JUDGED_SEED + saga.run.seed, MIX)
    return Players(Study(saga.run, saga.extent.levels).rates(saga.levels, population))


def learn_legal_swaps(saga: Saga) -> LegalSwaps:
    """All networks, taught which swaps are legal by positions of random attempts at known levels."""
    run, extent = saga.run, saga.extent
    levels = [named for named in saga.levels[: extent.first] if fits_planes(named.level)]
    _, moves = play_and_record(run, "random", parse_agent("random"), levels, RANDOM_ATTEMPTS)
    train_on, held_out = split_attempts([of_level.positions() for of_level in moves])
    training = make_boards(train_on, extent.legal_moves, run.seed)
    validation = make_boards(held_out, extent.judged_moves, run.seed)
    recipes = {name: legal_recipe(saga, name) for name in LONGEST_FIRST}
    starts = teach_legal(run, recipes, training, validation)
    return LegalSwaps({name: starts[name] for name in NETWORKS}, least_legal_loss(validation))


def learn_from_search(saga: Saga, legal: LegalSwaps) -> tuple[TableOne, Played]:
    """Tree search at the slow levels, and all networks trained on its moves at those to fit to."""
    run, extent = saga.run, saga.extent
    agent = parse_agent(SEARCH)
    played, moves = play_and_record(run, "search", agent, saga.slow, extent.search)
    positions = [of_level.positions() for of_level in moves]
    known, later = positions[: extent.slow_fit], positions[extent.slow_fit :]
    train_on, held_out = split_attempts(known)
    training = make_set(train_on, extent.search_moves, run.seed)
    judged = {
        HELD_OUT: make_set(held_out, extent.judged_moves, run.seed),
        LATER: make_set(later, extent.judged_moves, run.seed),
    }
    trainings = {
        name: Training(
            network_recipe(saga, name, extent.search_epochs), training, judged[HELD_OUT], legal.starts[name]
        )
        for name in LONGEST_FIRST
    }
    trainings[OURS] = Training(policy_recipe(saga), training, judged[HELD_OUT])
    by_name = train(run, "search", trainings, judged)
    trained = {name: by_name[name] for name in (*NETWORKS, OURS)}
    again = choose_again(run, agent, held_out, extent.searched_again)
    random = {key: random_scores(moves) for key, moves in judged.items()}
    spreads = {name: logit_spread(trained[name], judged[HELD_OUT]) for name in NETWORKS}
    return TableOne(trained, spreads, random, again, len(training)), played


def learn_from_players(saga: Saga, legal: LegalSwaps) -> PlayerMoves:
    """The chosen network and our policy, trained on players' moves at all levels before the judged ones.

    Both are trained a second time on as many moves at the old levels alone.
    """
    run, extent = saga.run, saga.extent
    known, later = saga.levels[: extent.first], saga.levels[extent.first :]
    learned, others = (
        draw_population(MANY_PLAYERS, seed + run.seed, MIX) for seed in (MOVES_SEED, OTHER_SEED)
    )
    later_positions = player_positions(others, later, extent.judged_moves)
    judged = {
        KNOWN: make_set(player_positions(others, known, extent.judged_moves), extent.judged_moves, run.seed),
        LATER: make_set(later_positions, extent.judged_moves, run.seed),
    }
    sets = {
        knows: (
            _player_set(saga, learned, levels, extent.player_moves),
            _player_set(saga, others, levels, extent.judged_moves // 4),
        )
        for knows, levels in ((ALL, known), (OLD, saga.old))
    }
    recipe = network_recipe(saga, CHOSEN, extent.player_epochs)
    trainings = {
        **{f"{knows}-{CHOSEN}": Training(recipe, *of, legal.starts[CHOSEN]) for knows, of in sets.items()},
        **{f"{knows}-{OURS}": Training(policy_recipe(saga), *of) for knows, of in sets.items()},
    }
    trained = train(run, "players", trainings, judged)
    networks, policies = ({knows: trained[f"{knows}-{name}"] for knows in sets} for name in (CHOSEN, OURS))
    random = {key: random_scores(moves) for key, moves in judged.items()}
    ceiling = players_ceiling(run, later_positions)
    spread = logit_spread(networks[ALL], judged[LATER])
    return PlayerMoves(networks, spread, policies, random, ceiling, len(sets[ALL][0]))


def _player_set(saga: Saga, population: Population, levels: Sequence[NamedLevel], most: int) -> MoveSet:
    positions: list[Positions] = player_positions(population, levels, most)
    return make_set(positions, most, saga.run.seed)


def legal_recipe(saga: Saga, name: str) -> NetworkRecipe:
    """How a network over planes learns which swaps are legal."""
    recipe = replace(_recipe(saga, name, saga.extent.legal_epochs), legal_share=1.0)
    if name in BY_MUON:
        return replace(recipe, rate=LEGAL_RATE, muon_rate=MUON_RATE)
    return replace(recipe, rate=DEEP_LEGAL_RATE if name == DEEP else LEGAL_RATE, batch=32)


def network_recipe(saga: Saga, name: str, epochs: int) -> NetworkRecipe:
    """How a network that knows legal swaps learns moves, for so many epochs.

    By the loss over all swaps, with some of the target on all legal ones: without that it forgets where
    things are. Each time that it sees a position, that looks another way.
    """
    rate = DEEP_MOVES_RATE if name == DEEP else MOVES_RATE
    return replace(_recipe(saga, name, epochs), rate=rate, legal_share=LEGAL_SHARE, symmetries=True)


def _recipe(saga: Saga, name: str, epochs: int) -> NetworkRecipe:
    """What the two trainings of a network have in common."""
    return NetworkRecipe(
        name,
        batch=64,
        legal_only=False,
        epochs=epochs,
        patience=epochs,
        cycle=True,
        short_floats=True,
        seed=saga.run.seed,
    )


def policy_recipe(saga: Saga) -> Recipe:
    """How our policy is trained."""
    return Recipe(epochs=saga.extent.policy_epochs, seed=saga.run.seed)


@dataclass(frozen=True)
class Agents:
    """What all agents made of levels.

    search, weak  at the slow levels: tree search, and one with few simulations
    greedy, sampled  likewise the network that plays the likeliest move, and that draws its moves
    ours_sampled, ours_greedy, ours_old  our policy at all levels, likewise; the last one, which draws its
                  moves, was trained at the old levels only
    """

    search: Played
    weak: Played
    greedy: Played
    sampled: Played
    ours_sampled: Played
    ours_greedy: Played
    ours_old: Played


def play_agents(saga: Saga, search: Played, learned: PlayerMoves) -> Agents:
    """The attempts of all agents that are compared."""
    run, extent = saga.run, saga.extent
    network = learned.network
    policy, old_policy = learned.policies[ALL], learned.policies[OLD]
    all_levels, slow = saga.levels, saga.slow
    return Agents(
        search,
        weak=play_levels(run, "weak search", parse_agent(WEAK_SEARCH), slow, extent.few),
        ours_sampled=play_levels(run, "ours sampled", policy.agent(), all_levels, extent.many),
        ours_greedy=play_levels(run, "ours greedy", policy.agent(play="greedy"), all_levels, extent.some),
        ours_old=play_levels(run, "ours old", old_policy.agent(), all_levels, extent.some),
        sampled=play_levels(run, "network sampled", network.agent(), slow, extent.few),
        greedy=play_levels(run, "network greedy", network.agent(play="greedy"), slow, extent.network),
    )
