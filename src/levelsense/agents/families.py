"""The table of agents: what each family is called, does and lets one set.

It names the module that plays for each family and imports none, so that it can be read without the compiler.
"""

from dataclasses import dataclass

from levelsense.agents.spec import Option, choice, number, switch, whole

MOST_SIMULATIONS = 1_000_000


@dataclass(frozen=True)
class Preset:
    """A name for a spec that is used as a whole."""

    name: str
    spec: str
    summary: str


@dataclass(frozen=True)
class Apart:
    """Two options that cannot both be set, and why."""

    one: str
    other: str
    reason: str


@dataclass(frozen=True)
class Family:
    """Agents that play alike but for their options; `module` has a function `kernels` that makes one play."""

    name: str
    summary: str
    module: str
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    apart: tuple[Apart, ...] = ()


RANDOM = Family("random", "Plays any legal move, each as likely as any other.", "levelsense.agents.random")

FIRST = Family(
    "first", "Plays the first legal move in row-major order, the uppermost.", "levelsense.agents.first"
)

GREEDY = Family(
    "greedy",
    "Plays the move that is sure to gain most before new pieces fall in.",
    "levelsense.agents.greedy",
    (
        choice(
            "of", ("score", "goals"), "what is gained: score, or progress towards the goals and then score"
        ),
    ),
)

HEURISTIC = Family(
    "heuristic",
    "A hand-made bot: goals first, then special candies, then moves low on the board.",
    "levelsense.agents.heuristic",
)

BEAM = Family(
    "beam",
    "Looks some moves ahead along the best moves only (McAdams).",
    "levelsense.agents.beam",
    (
        whole("depth", 3, 1, 5, "how many moves it looks ahead; the first level keeps depth x depth moves"),
        choice("heuristic", ("h2", "h1"), "what a position is worth: score and board, or score alone"),
        choice("ties", ("lowest", "first"), "of equally good moves the lowest on the board, or the first"),
    ),
)

SAMPLING = Family(
    "sampling",
    "Simulates the rest of the attempt for each move, and plays the best mean score (Lee et al.).",
    "levelsense.agents.sampling",
    (
        whole("simulations", 25, 1, MOST_SIMULATIONS, "simulated ends of the attempt, each time it chooses"),
        choice(
            "per", ("move", "turn"), "so many simulations for each legal move, or for all of them together"
        ),
        number(
            "epsilon", 0.25, 0, 1, "the share of random moves in simulations; per=turn: of random first moves"
        ),
        choice(
            "of", ("score", "goals"), "what an end is worth: its score, or its progress towards the goals"
        ),
    ),
)

MCTS = Family(
    "mcts",
    "Monte Carlo tree search with chance nodes (Poromaa).",
    "levelsense.agents.mcts",
    (
        whole("simulations", 100, 1, MOST_SIMULATIONS, "simulations for each move"),
        number("seconds", 0, 0, 3_600, "time for each move instead of a number of simulations; 0: not used"),
        number("c", 0.6, 0, 100, "how much UCB explores"),
        whole("branching", 3, 1, 1_000, "the most states that are sampled for each action"),
        whole("depth", 0, 0, 1_000, "the greatest depth of the tree; 0: no limit"),
        choice("signal", ("goals", "binary", "score", "combined"), "what a simulated end is worth"),
        number("shrinking", 1, 0, 1, "the factor on the worth of an end that is no win"),
        choice(
            "playout",
            ("random", "to-mast", "heuristic", "clouded"),
            "how a simulation goes on below the tree",
        ),
        choice("final", ("max", "robust", "robust-max"), "the move played: best mean, most visits, or both"),
        switch("keep_tree", False, "keep the part of the tree below the move that is played"),
        switch("settle", False, "stop when the rest of the simulations cannot change the choice"),
        number("noise", 0, 0, 1, "the share of moves that are random"),
    ),
    (
        Preset("mcts-b1", "mcts:simulations=50,signal=score", "bot B1 of the thesis"),
        Preset("mcts-b2", "mcts:simulations=100,signal=score", "bot B2 of the thesis"),
        Preset("mcts-b3", "mcts:simulations=100,signal=score,playout=heuristic", "bot B3 of the thesis"),
        Preset("mcts-b4", "mcts:simulations=150,signal=score", "bot B4 of the thesis"),
    ),
    (Apart("seconds", "settle", "it is not known how many simulations the time that is left will allow"),),
)

HALVING = Family(
    "halving",
    "Simulates all moves, drops the worse half, and again, until one is left (Karnin et al.).",
    "levelsense.agents.halving",
    (
        whole(
            "simulations", 400, 1, MOST_SIMULATIONS, "simulations for each move, of all legal moves together"
        ),
        number(
            "epsilon", 0.1, 0, 1, "the share of random moves in simulations; the others are the heuristic's"
        ),
        choice(
            "signal", ("goals", "binary"), "what an end that is no win is worth: its progress, or nothing"
        ),
    ),
)

FAMILIES = (RANDOM, FIRST, GREEDY, HEURISTIC, BEAM, SAMPLING, MCTS, HALVING)
