"""What the library and the command line take where nothing is said; light, so that `--help` need not wait."""

from typing import Final

DATABASE: Final = "levelsense.db"
AGENT: Final = "heuristic"
ATTEMPTS: Final = 100  # of each agent at each level of a playtest
MODEL_AGENTS: Final = ("random", "greedy", "heuristic")  # whose attempts a model is fitted to
MODEL_ATTEMPTS: Final = 1000  # of each of them
TUNING_ATTEMPTS: Final = 1000  # where a level is tuned for an agent
SIMULATED_PLAYERS: Final = 500
MIX: Final = "everyone"
TRAINING_GAMES: Final = 400  # that a Q-learning agent learns from
