"""Games and turns as plain data: all that the page needs to draw a position and to animate a move."""

import json
from collections.abc import Sequence
from typing import Any

from levelsense.game.game import Game
from levelsense.game.text import drawings
from levelsense.game.turn import Round, Turn
from levelsense.level.level import Level
from levelsense.level.tokens import EMPTY_TOKEN, Cell
from levelsense.level.words import goal_words
from levelsense.studio.level_data import level_data


def played_level_data(level: Level) -> dict[str, Any]:
    """What the page shows of a level that is played: its goals and limit, where pieces enter, leave, jump."""
    return {
        **level_data(level),
        "stars": list(level.stars or ()),
        "pace": None if level.seconds is None else level.pace.model_dump(),
        "dispensers": [name for dispenser in level.dispensers for name in dispenser.at],
        "teleporters": [[jump.from_, jump.to] for jump in level.teleporters],
    }


def board_data(cells: Sequence[Cell]) -> dict[str, str]:
    """A board's tokens in row-major order with blanks between; jelly and locks if there are any."""
    return {name: " ".join(tokens) for name, tokens in drawings(cells).items()}


def state_data(game: Game) -> dict[str, Any]:
    """How a game stands."""
    outcome = game.outcome
    stars = game.level.stars or ()
    return {
        "status": game.status,
        "reason": None if outcome is None else outcome.reason,
        "score": game.score,
        "stars": outcome.stars if outcome is not None else sum(game.score >= star for star in stars),
        "played": game.moves_made,
        "moves_left": game.moves_left,
        "time_left": game.time_left,
        "goals": [
            {"name": goal.name, "asked": goal.asked, "done": goal.done, "left": _left_words(goal)}
            for goal in game.goals
        ],
        "legal": [str(move) for move in game.legal_moves],
        "board": board_data(game.cells),
    }


def _left_words(goal: Any) -> str | None:
    """What is still to do for a goal, in words; None if it is met."""
    if goal.met:
        return None
    missing = goal.asked - goal.done
    return f"score {missing:,} more" if goal.name == "score" else goal_words(goal.name, missing)


def turn_data(turn: Turn) -> dict[str, Any]:
    """A move and all that followed, round by round."""
    return {
        "move": turn.move,
        "swapped": board_data(turn.swapped),
        "rounds": [_round_data(one) for one in turn.rounds],
        "after": list(turn.after),
        "bonus": [[_round_data(one) for one in cascade] for cascade in turn.bonus],
        "score": turn.score,
    }


def _round_data(one: Round) -> dict[str, Any]:
    return {
        "cleared": list(one.cleared),
        "made": list(one.made),
        "fallen": [list(fall) for fall in one.fallen],
        "dropped": list(one.dropped),
        "collected": list(one.collected),
        "score": one.score,
        "cleared_board": board_data(one.cleared_board),
        "after": board_data(one.after),
    }


def position_level(text: str, game: Game) -> str:
    """The level that begins where a game stands, as text: the board as it is, what is left to do and to use.

    What else the text says stays. What has dropped in is taken off the totals of drops.
    """
    from levelsense.level.text import format_level, parse_object

    level = game.level
    data = parse_object(text, level.name)
    tokens = drawings(game.cells)
    rows = {name: _rows(drawn, level.columns) for name, drawn in tokens.items()}
    entries = [(key, value) for key, value in data.items() if key not in ("jelly", "locks")]
    at = [key for key, _ in entries].index("board")
    data = dict([*entries[:at], *rows.items(), *entries[at + 1 :]])
    data["name"] = f"{level.name} from move {game.moves_made + 1}"
    if game.moves_left is not None:
        data["moves"] = max(1, game.moves_left)
    else:
        data["seconds"] = max(1, round(game.time_left or 0))
    data["goals"] = _goals_left(data.get("goals", {}), game)
    if stars := data.pop("stars", None):
        left = [star - game.score for star in stars]
        if min(left) > 0:
            data["stars"] = left
    dropped = iter(game.state.dropped.tolist())
    for drops in (data.get("drops", []), *(one.get("drops", []) for one in data.get("dispensers", []))):
        for drop in list(drops):
            entered = next(dropped)
            if drop.get("total") is not None:
                drop["total"] -= entered
                if drop["total"] <= 0:
                    drops.remove(drop)
    return format_level(json.loads(json.dumps(data)))


def _rows(tokens: Sequence[str], columns: int) -> list[str]:
    # An empty tile, which only positions have, is filled as a new level is.
    drawn = ["." if token == EMPTY_TOKEN else token for token in tokens]
    return [" ".join(drawn[first : first + columns]) for first in range(0, len(drawn), columns)]


def _goals_left(goals: dict[str, Any], game: Game) -> dict[str, Any]:
    """The goals without what is done; a goal of all jelly stays one of all. One at least stays."""
    left = {goal.name: goal.asked - goal.done for goal in game.goals}
    kept: dict[str, Any] = {}
    for key, asked in goals.items():
        if isinstance(asked, dict):
            inner: dict[str, Any] = {name: left.get(name, number) for name, number in asked.items()}
            inner = {name: number for name, number in inner.items() if number > 0}
            if inner:
                kept[key] = inner
        elif left.get(key, 1) > 0:
            kept[key] = left.get(key, asked) if isinstance(asked, int) else asked
    return kept or goals
