"""The options of mcts as its kernels see them, and where its states are."""

from levelsense.agents.attempt import OWN

# The options of the agent, in the order of its table.
(
    SIMULATIONS,
    SECONDS,
    C,
    BRANCHING,
    DEPTH,
    SIGNAL,
    SHRINKING,
    PLAYOUT,
    FINAL,
    KEEP_TREE,
    SETTLE,
    NOISE,
) = range(12)
GOALS, BINARY, SCORE, COMBINED = range(4)
RANDOM, TO_MAST, HEURISTIC, CLOUDED = range(4)
MAX, ROBUST, ROBUST_MAX = range(3)

# states[OWN] is played to the end in playouts; the state of node n is states[FIRST_NODE + n].
FIRST_NODE = OWN + 1
