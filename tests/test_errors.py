"""The exception tree: one root, and errors that carry what was wrong."""

import pickle

import pytest

from levelsense.errors import (
    AgentError,
    IllegalMoveError,
    LevelError,
    LevelsenseError,
    OutputError,
    PlayersError,
    PlaytestError,
    PositionError,
    PredictionError,
    SagaError,
    StoreError,
)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (LevelError(["a: 1", "b: 2"]), "a: 1\nb: 2"),
        (LevelError("alone"), "alone"),
        (IllegalMoveError("c4d4"), "c4d4: not a legal move"),
        (IllegalMoveError("c4c9", "c4 and c9 are no neighbors"), "c4c9: c4 and c9 are no neighbors"),
        (PositionError("7 rows; expected 9"), "7 rows; expected 9"),
        (AgentError("unknown agent 'mtcs'"), "unknown agent 'mtcs'"),
        (PlaytestError("attempts: 0"), "attempts: 0"),
        (StoreError("x.db: file is not a database"), "x.db: file is not a database"),
        (PredictionError("attempts, row 3: 0"), "attempts, row 3: 0"),
        (PlayersError("alone"), "alone"),
        (PlayersError(["x.csv: line 2", "x.csv: line 3"]), "x.csv: line 2\nx.csv: line 3"),
        (OutputError("x.csv", "cannot be written: No space left"), "x.csv: cannot be written: No space left"),
        (SagaError("count: 0; expected at least 1"), "count: 0; expected at least 1"),
    ],
)
def test_an_error_is_a_sentence_and_survives_pickling(error: LevelsenseError, text: str) -> None:
    assert isinstance(error, LevelsenseError)
    assert str(error) == text
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), vars(copy)) == (type(error), text, vars(error))


def test_moves_and_positions_are_value_errors_and_levels_are_not() -> None:
    assert issubclass(IllegalMoveError, ValueError)
    assert issubclass(PositionError, ValueError)
    assert not issubclass(LevelError, ValueError)
    assert LevelError(["one", "two"]).problems == ("one", "two")
    assert issubclass(PlayersError, ValueError)
    assert PlayersError(["one", "two"]).problems == ("one", "two")
    assert IllegalMoveError("c4d4").move == "c4d4"
