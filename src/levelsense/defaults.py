"""What the library and the command line take where nothing is said; light, so that `--help` need not wait."""

from typing import Final

DATABASE: Final = "levelsense.db"
AGENT: Final = "heuristic"
ATTEMPTS: Final = 100  # of each agent at each level of a playtest
MODEL_AGENTS: Final = ("random", "greedy", "heuristic", "policy@300")  # whose attempts a model is fitted to
MODEL_ATTEMPTS: Final = 1000  # of each of them
TUNING_ATTEMPTS: Final = 1000  # where a level is tuned for an agent
EXPLAINED_AGENT: Final = "policy"  # whose losses are explained: it draws moves as players make them
EXPLAINED_ATTEMPTS: Final = 400
SUGGESTIONS: Final = 5  # changes of a level that are suggested at most
SIMULATED_PLAYERS: Final = 500
MIX: Final = "everyone"
JUDGED_LEVELS: Final = 0.2  # the share of levels, the last ones, that a trained policy is judged by
VALIDATED_LEVELS: Final = 0.1  # the share of levels before them that training stops by
MOVES_PER_LEVEL: Final = 1_000  # of a file of moves that a policy is trained on
TRAINING_EPOCHS: Final = 8
TRAINING_RATE: Final = 6e-3
TRAINING_BATCH: Final = 512
HIDDEN_UNITS: Final = 32
MOVE_NETWORK: Final = "moves"  # the network that looks at moves, which is no network over planes
RIVAL_NETWORK: Final = "rivals"  # the same, with a layer that compares moves
RIVAL_UNITS: Final = 8
PLANE_NETWORKS: Final = ("conv12-elu-gap", "conv12-relu-fc", "conv12-relu-gap", "res20-elu-gap")
TRAINING_GAMES: Final = 400  # that a Q-learning agent learns from
POLICY: Final = "simulated-2"  # the weights that players are grouped by
MOST_GROUPS: Final = 6  # of players, that are tried
PERSONA_MOVES: Final = 4_000  # of a level in a file of moves that players are grouped by
PERSONA_ATTEMPTS: Final = 1_000  # of each group of players at each level
