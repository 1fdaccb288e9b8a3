"""Routes of what is stored: agents' results, people's success rates, testers' attempts and their moves."""

import tempfile
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Final

import polars as pl
from fastapi import APIRouter, Query

from levelsense.level.bundled import bundled_levels, bundled_text
from levelsense.level.level import Level
from levelsense.people.csv_text import safe_cells
from levelsense.people.game_files import GameRecord, game_paths, readable_games
from levelsense.studio.catalog import MOST_LISTED
from levelsense.studio.context import Limit, Studio
from levelsense.studio.folder import NAME
from levelsense.studio.problems import RequestError
from levelsense.studio.saga import CsvResponse

MOST_GAMES: Final = 5_000  # in one file
LevelQuery = Annotated[
    str | None, Query(pattern=NAME, description="A level of the folder, or a bundled one if there is none.")
]
AgentQuery = Annotated[
    str | None, Query(max_length=200, description="An agent's spec, or a pattern such as `mcts*`.")
]
TesterQuery = Annotated[str | None, Query(max_length=40, description="Who played.")]
GamesOffset = Annotated[int, Query(ge=0, le=10**6, description="How many games to pass over.")]


def results_router(studio: Studio) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/api", tags=["results"])

    @router.get("/results")
    def results(level: LevelQuery = None, agent: AgentQuery = None) -> list[dict[str, Any]]:
        """What `levelsense results --json` says: a row a level and agent, of the attempts in the database."""
        stored = studio.lab.results(() if level is None else (_level(studio, level),))
        return [row.as_data() for row in stored if agent is None or fnmatchcase(row.agent, agent)]

    @router.get("/players")
    def players() -> list[dict[str, Any]]:
        """People's success rate at each level, with its interval: what `levelsense players rates` shows.

        Testers who play in the studio are among them; simulated players are told apart.
        """
        if studio.lab.is_new:
            return []
        return [_plain(row) for row in studio.lab.rates().iter_rows(named=True)]

    @router.get("/telemetry")
    def telemetry(
        level: LevelQuery = None,
        tester: TesterQuery = None,
        offset: GamesOffset = 0,
        limit: Limit = MOST_LISTED,
    ) -> dict[str, Any]:
        """Testers' attempts, the newest day first: who, which level and seed, every move, how it ended.

        `level` and `tester` choose among the games of a part: `next` is the offset of the part that follows.
        """
        paths = game_paths(studio.folder.games)[::-1]
        records = readable_games(paths[offset : offset + limit])
        after = offset + limit
        return {
            "games": [
                {**game_row(record), "moves": record.moves}
                for record in records
                if (level is None or record.start.level == level)
                and (tester is None or record.start.player == tester)
            ],
            "total": len(paths),
            "next": after if after < len(paths) else None,
        }

    @router.get("/telemetry/attempts.csv", response_class=CsvResponse)
    def attempts_file() -> CsvResponse:
        """Testers' attempts as a file: a row an attempt."""
        games = readable_games(_all_games(studio))
        rows = [{**game_row(record), "moves": len(record.moves)} for record in games]
        return _download(safe_cells(pl.DataFrame(rows, infer_schema_length=None)).write_csv(), "attempts.csv")

    @router.get("/telemetry/positions.csv", response_class=CsvResponse)
    def positions_file() -> CsvResponse:
        """Testers' moves as telemetry: a row a move with the position it was made in (docs/telemetry.md)."""
        _all_games(studio)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "positions.csv"
            studio.lab.export_positions(studio.folder.games, path)
            return _download(path.read_text("utf-8"), "positions.csv")

    return router


def game_row(record: GameRecord) -> dict[str, Any]:
    """A tester's attempt in figures."""
    start = record.start
    return {
        "id": start.id,
        "tester": start.player,
        "level": start.level,
        "version": start.version,
        "seed": start.seed,
        "started": start.started,
        "from_position": start.position is not None,
        "hints": record.hints,
        "cohort": record.cohort,
        "ending": record.ending,
        "moves_left": record.moves_left,
    }


def _all_games(studio: Studio) -> list[Path]:
    paths = game_paths(studio.folder.games)
    if not paths:
        raise RequestError(404, "no-games", "nobody has played in the studio yet")
    if len(paths) > MOST_GAMES:
        raise RequestError(
            413,
            "too-large",
            f"{len(paths):,} games; expected at most {MOST_GAMES:,} in a file over HTTP",
        )
    return paths


def _download(text: str, name: str) -> CsvResponse:
    return CsvResponse(text, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _level(studio: Studio, name: str) -> Level:
    """A level by its name; LevelError if its text is none, RequestError if there is none."""
    if name in studio.folder:
        return Level.from_json(studio.folder.read(name), name)
    if name in bundled_levels():
        return Level.from_json(bundled_text(name), name)
    raise RequestError(404, "no-such-level", f"{name}: no such level")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Values that JSON has no form for, such as dates, as text."""
    known = (bool, int, float, str, type(None))
    return {key: value if isinstance(value, known) else str(value) for key, value in row.items()}
