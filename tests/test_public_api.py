"""The public names are pinned: adding or removing one is a decision, not an accident."""

import levelsense

PUBLIC = [
    "Advice",
    "Agent",
    "AgentError",
    "Cell",
    "DifficultyModel",
    "Fall",
    "Game",
    "GoalProgress",
    "IllegalMoveError",
    "Lab",
    "Level",
    "LevelError",
    "LevelPrediction",
    "LevelsenseError",
    "Move",
    "Outcome",
    "PlaytestResult",
    "PositionError",
    "Progress",
    "Round",
    "StoppedError",
    "Turn",
    "advise",
    "bundled_levels",
    "parse_agent",
]


def test_names() -> None:
    assert levelsense.__all__ == PUBLIC
    for name in PUBLIC:
        assert getattr(levelsense, name).__name__ == name


def test_unknown_name() -> None:
    assert not hasattr(levelsense, "Board")


def test_first_example() -> None:
    game = levelsense.Game(levelsense.Level.load("01-first-steps"), seed=7)
    turn = game.play(game.legal_moves[0])
    assert turn.rounds
    assert game.moves_made == 1
