"""Routes of games that people play: start, move, hint, leave, and the position to save or to edit."""

import asyncio
from typing import Annotated, Any, Final

from fastapi import APIRouter
from fastapi import Path as PathPart
from pydantic import AfterValidator, BaseModel, Field

from levelsense.agents.decisions import gain_words, hint, nearest_move
from levelsense.errors import printable
from levelsense.game.game import Game
from levelsense.studio.context import LevelRequest, Seed, Studio, Title
from levelsense.studio.game_keeper import GameKeeper, LiveGame
from levelsense.studio.problems import RequestError
from levelsense.studio.runs import FIRST
from levelsense.studio.turn_data import played_level_data, position_level, state_data

MOST_LISTED: Final = 200


def _shown_name(name: str) -> str:
    """A name without blanks around it; ValueError if there is nothing else, or if it cannot be shown."""
    name = name.strip()
    if not name or printable(name) != name:
        raise ValueError("expected a name of letters that can be shown")
    return name


Tester = Annotated[
    str,
    Field(min_length=1, max_length=40, description="Who plays: a name or a code."),
    AfterValidator(_shown_name),
]
GameId = Annotated[str, PathPart(pattern=r"^[0-9a-f]{24}$")]
Swap = Annotated[
    str,
    Field(pattern=r"^[a-l]\d{1,2}[a-l]\d{1,2}$", description="Two neighboring cells, such as c4d4."),
]


class StartRequest(LevelRequest):
    """A level to play, who plays, a seed, and a position to begin from."""

    name: Annotated[Title, AfterValidator(_shown_name)] = "level"
    tester: Tester
    seed: Seed | None = Field(None, description="The same seed gives the same board; a new one if left out.")
    position: str | None = Field(None, max_length=20_000, description="A position's text to begin from.")


class MoveRequest(BaseModel, extra="forbid"):
    """A move, and how many came before it: a request that is repeated is answered again, not played again."""

    turn: int = Field(ge=0, le=9_999)
    move: Swap


class PositionRequest(BaseModel, extra="forbid"):
    """A position that was edited, of the level of a game."""

    position: str = Field(max_length=20_000)


def games_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api/games", tags=["games"])
    keeper = GameKeeper(studio.folder.games, studio.lab)
    studio.chores.append(keeper.recover)

    @router.post("", status_code=201)
    def start(request: StartRequest) -> dict[str, Any]:
        """Starts a game. Every move is stored when it is made, as an attempt of the tester's."""
        live = keeper.start(request.tester, request.name, request.text, request.seed, request.position)
        return game_data(live)

    @router.get("")
    def recent() -> list[dict[str, Any]]:
        """The games that were played last: who, which level, how many moves, how it ended."""
        return [
            {
                "id": record.start.id,
                "tester": record.start.player,
                "name": record.start.level,
                "level": record.start.version,
                "seed": record.start.seed,
                "started": record.start.started,
                "moves": len(record.moves),
                "hints": record.hints,
                "from_position": record.start.position is not None,
                "ending": record.ending,
            }
            for record in keeper.recent(MOST_LISTED)
        ]

    @router.get("/{game_id}")
    def read(game_id: GameId) -> dict[str, Any]:
        """A game as it stands, also after the page or the server was closed."""
        return game_data(keeper.find(game_id))

    @router.post("/{game_id}/moves")
    def move(game_id: GameId, request: MoveRequest) -> dict[str, Any]:
        """Plays a move and tells all that happened, round by round. 409 if the game is at another turn."""
        live, happened = keeper.play(game_id, request.turn, request.move)
        return {**happened, "turn": request.turn, **_standing(live), "unstored": keeper.problem}

    @router.post("/{game_id}/hint")
    async def get_hint(game_id: GameId) -> dict[str, Any]:
        """A move to try, by the strongest agent, and the one that does most for the goals at once.

        The attempt then counts among those that were helped.
        """
        live = await asyncio.to_thread(keeper.find, game_id)
        game = live.game.copy()
        if game.status != "playing" or live.record.ending is not None:
            raise RequestError(409, "game-over", "the attempt is over; expected one that is being played")
        data = await studio.runs.once(f"hint-{game_id}", FIRST, lambda _: _hint_data(game))
        await asyncio.to_thread(keeper.note_hint, live)
        return data

    @router.post("/{game_id}/leave")
    def leave(game_id: GameId) -> dict[str, Any]:
        """Breaks a game off. It is stored as an attempt that was broken off."""
        return game_data(keeper.leave(game_id))

    @router.get("/{game_id}/position")
    def position(game_id: GameId) -> dict[str, Any]:
        """The position as text, as `levelsense play --position` reads it, and as a level of its own."""
        live = keeper.find(game_id)
        return {"position": str(live.game), "level": position_level(live.record.start.text, live.game)}

    @router.post("/{game_id}/position")
    def check_position(game_id: GameId, request: PositionRequest) -> dict[str, Any]:
        """How a game would stand at a position that was edited; 422 with a sentence if it is none."""
        live = keeper.find(game_id)
        return state_data(Game.parse(request.position, live.game.level))

    return router


def _hint_data(game: Game) -> dict[str, Any]:
    best, nearest = hint(game), nearest_move(game)
    return {
        "move": str(best),
        "words": gain_words(game, best),
        "nearest": None if nearest == best else str(nearest),
        "nearest_words": None if nearest == best else gain_words(game, nearest),
    }


def _standing(live: LiveGame) -> dict[str, Any]:
    return {
        "state": state_data(live.game),
        "ending": live.record.ending,
        "moves": len(live.record.moves),
        "hints": live.record.hints,
    }


def game_data(live: LiveGame) -> dict[str, Any]:
    """A game: whose, of which level, and how it stands."""
    start = live.record.start
    return {
        "id": live.id,
        "tester": start.player,
        "name": start.level,
        "text": start.text,
        "seed": start.seed,
        "from_position": start.position is not None,
        "level": played_level_data(start.played_level),
        **_standing(live),
    }
