"""Small levels drawn in tests."""

from typing import Any

from levelsense.level.level import Level


def drawn(board: str, **keys: Any) -> Level:
    """A level with a board of rows drawn one below the other; jelly and locks may be drawn alike."""
    for name in ("jelly", "locks"):
        if isinstance(keys.get(name), str):
            keys[name] = _rows(keys[name])
    limit = {} if "seconds" in keys else {"moves": 20}
    goals = {"jelly": "all"} if keys.get("jelly") else {"score": 1000}
    data = {"name": "Drawn", "colors": 4, "goals": goals, **limit, **keys, "board": _rows(board)}
    return Level.model_validate(data)


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.strip().splitlines()]
