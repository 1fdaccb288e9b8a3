"""Random valid levels.

Every piece, blocker, rule and goal, on boards of any shape, for tests that want variety.
"""

import random
from typing import Any

from levelsense.errors import LevelError
from levelsense.level.level import Level
from levelsense.level.tokens import COLORS, ORDERS, cell_name

PIECES = [".=", ".|", ".+", "*", "S", ".~", ".@", ".3", ".9", "C", "H"]
SPECIALS = [".=", ".|", ".+", "*"]
BLOCKERS = ["#1", "#2", "#5", "X"]
RARER_BLOCKERS = ["P1", "P2", "P3", "T1", "T2", "T5", "D1", "D2", "D3"]
THICK_ICING = ["#3", "#4", "#5"]
THICK_BLOCKERS = [*THICK_ICING, "P1", "P2", "P3", "T3", "T5", "D2", "D3"]
DROPS: list[dict[str, Any]] = [
    {"piece": "cherry", "keep": 1, "total": 2},
    {"piece": "hazelnut", "rate": 0.05, "total": 3},
    {"piece": "swirl", "rate": 0.08},
    {"piece": "swirl", "keep": 2},
    {"piece": "countdown", "rate": 0.03, "timer": 6},
    {"piece": "sugar", "rate": 0.2},
    {"piece": "time", "rate": 0.1},
    {"piece": "striped", "rate": 0.05},
    {"piece": "striped", "keep": 2, "total": 4},
    {"piece": "wrapped", "rate": 0.04, "color": "red"},
    {"piece": "color bomb", "rate": 0.02},
    {"piece": "candy", "rate": 0.1, "color": "blue"},
    {"piece": "cherry", "keep": 2},
    {"piece": "hazelnut", "keep": 1},
    {"piece": "striped", "rate": 0.3, "total": 30},
    {"piece": "time", "rate": 0.25, "total": 6},
]


def _board(rng: random.Random, rows: int, columns: int) -> list[list[str]]:
    gaps = rng.choice([0, 0, 0.08, 0.2])
    pieces = rng.choice([0, 0, 0.1, 0.3])
    blockers = rng.choice([0, 0, 0.1, 0.25])
    kinds = rng.choice([BLOCKERS, RARER_BLOCKERS, BLOCKERS + RARER_BLOCKERS, ["X", "D1", "D3"]])

    def token() -> str:
        if rng.random() < gaps:
            return "-"
        if rng.random() < blockers:
            return rng.choice(kinds)
        if rng.random() < pieces:
            return rng.choice(PIECES)
        return "."

    return [[token() for _ in range(columns)] for _ in range(rows)]


def _rich_in_specials(rng: random.Random, rows: int, columns: int) -> list[list[str]]:
    """Specials beside each other, with blockers between them that take more than one blow."""
    specials, blockers = rng.choice([0.2, 0.4, 0.7]), rng.choice([0, 0.1, 0.25])
    kinds = rng.choice([THICK_ICING, THICK_BLOCKERS])

    def token() -> str:
        if rng.random() < blockers:
            return rng.choice(kinds)
        return rng.choice(SPECIALS) if rng.random() < specials else "."

    return [[token() for _ in range(columns)] for _ in range(rows)]


def _overlay(
    rng: random.Random, board: list[list[str]], marks: str, share: float, blocked: bool
) -> list[str]:
    def token(cell: str) -> str:
        if cell == "-":
            return "-"
        if rng.random() >= share or (blocked and cell[0] in "#XPTD"):
            return "."
        return rng.choice(marks)

    return [" ".join(token(cell) for cell in row) for row in board]


def _limit(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.8:
        return {"moves": rng.randint(3, 25)}
    pace = rng.choice([{"move": 1.5, "round": 0.25, "time_candy": 3}, {"move": 1, "time_candy": 600}])
    return {"seconds": rng.choice([5, 12.5, 60, 3600]), "pace": pace}


def _colors(rng: random.Random) -> Any:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice([3, 4, 5, 5, 6, 6, 8])
    if kind < 0.61:
        return 2
    names = rng.sample(COLORS, rng.randint(3, 6))
    return names if kind < 0.8 else {name: rng.randint(1, 4) for name in names}


def _goals(rng: random.Random, layers: int) -> dict[str, Any]:
    goals: dict[str, Any] = {}
    if rng.random() < 0.25:
        return {"score": rng.choice([60, 300, 1_000])}  # won with moves left, for the bonus
    if rng.random() < 0.6:
        goals["score"] = rng.choice([300, 3_000, 50_000, 10_000_000])
    if layers and rng.random() < 0.7:
        goals["jelly"] = rng.choice(["all", 1, layers])
    if rng.random() < 0.3:
        goals["ingredients"] = {rng.choice(["cherry", "hazelnut"]): rng.randint(1, 3)}
    if rng.random() < 0.4 or not goals:
        goals["orders"] = {rng.choice(ORDERS): rng.randint(1, 12)}
    return goals


def _places(rng: random.Random, board: list[list[str]]) -> dict[str, Any]:
    tiles = [cell_name(r, c) for r, row in enumerate(board) for c, token in enumerate(row) if token != "-"]
    keys: dict[str, Any] = {}
    if rng.random() < 0.35:
        picked = rng.sample(tiles, min(len(tiles), 2 * rng.randint(1, 3)))
        keys["teleporters"] = [{"from": a, "to": b} for a, b in zip(picked[::2], picked[1::2], strict=False)]
    if rng.random() < 0.3:
        keys["dispensers"] = [
            {"at": rng.sample(tiles, min(len(tiles), 2)), "drops": rng.sample(DROPS, rng.randint(0, 3))}
        ]
    if rng.random() < 0.4:
        keys["drops"] = rng.sample(DROPS, rng.randint(1, 3))
    elif rng.random() < 0.2:
        keys["drops"] = _full_list(rng)
    if rng.random() < 0.2:
        keys["exits"] = rng.sample(tiles, min(len(tiles), 3))
    elif rng.random() < 0.05:
        keys |= _leaving_at_once(rng, tiles)
    return keys


def _leaving_at_once(rng: random.Random, tiles: list[str]) -> dict[str, Any]:
    """Ingredients that enter on an exit as soon as the one before has left it."""
    at = rng.choice(tiles)
    kept = [{"piece": "cherry", "keep": rng.randint(1, 3)}]
    return {"dispensers": [{"at": [at], "drops": kept}], "exits": [at]}


def _full_list(rng: random.Random) -> list[dict[str, Any]]:
    """Several rates in one list that add up to 1 or a little less, some passed over after a while."""
    shares = [rng.randint(1, 10_000) for _ in range(rng.randint(2, 6))]
    names = ["candy", "candy", "sugar", "striped", "swirl", "time", "wrapped", "hazelnut"]
    drops: list[dict[str, Any]] = [
        {"piece": rng.choice(names), "rate": max(1, share * 10_000 // (sum(shares) + 1)) / 10_000}
        for share in shares
    ]
    for drop in drops:
        # Without a total, so many specials would go on for ever after a win, and swirls fill the board.
        if drop["piece"] in ("swirl", "hazelnut", "striped", "wrapped") or rng.random() < 0.3:
            drop["total"] = rng.randint(1, 9)
    if rng.random() < 0.5:
        drops.insert(rng.randint(0, len(drops)), {"piece": "cherry", "keep": rng.randint(1, 3)})
    return drops


def _try_level(rng: random.Random) -> dict[str, Any]:
    rows, columns = rng.randint(3, 12), rng.randint(3, 12)
    if rng.random() < 0.5:
        rows = columns = rng.choice([7, 8, 9])
    board = (_rich_in_specials if rng.random() < 0.2 else _board)(rng, rows, columns)
    data: dict[str, Any] = {
        "name": "random",
        "board": [" ".join(row) for row in board],
        "colors": _colors(rng),
    }
    data |= _limit(rng) | _places(rng, board)
    layers = 0
    if rng.random() < 0.5:
        data["jelly"] = _overlay(rng, board, "12", 0.4, blocked=False)
        layers = sum(int(mark) for row in data["jelly"] for mark in row if mark.isdigit())
    if rng.random() < 0.4:
        data["locks"] = _overlay(rng, board, rng.choice(["L", "M", "LM"]), 0.2, blocked=True)
    data["goals"] = _goals(rng, layers)
    if rng.random() < 0.4:
        data["sugar"] = {"every": rng.randint(1, 5), "pays": ["striped", "wrapped", "color bomb"]}
    data["bonus"] = rng.random() < 0.5
    data["rules"] = rng.choice(["saga"] * 5 + ["mcadams", "plain"])
    if rng.random() < 0.3:
        data["scoring"] = rng.choice(["saga", "pieces", "quadratic"])
    return data


def random_level(rng: random.Random) -> dict[str, Any]:
    """A random level as its JSON object; whatever the model refuses is drawn again."""
    while True:
        data = _try_level(rng)
        try:
            Level.model_validate(data)
        except LevelError:
            continue
        return data
