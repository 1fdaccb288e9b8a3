"""Games that people play: each move is told in full, on the disk before it is answered, and counted once."""

import asyncio
import json
import os
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from levelsense import Game, Lab, Level
from levelsense.errors import OutputError
from levelsense.people.game_files import GameFile, read_game
from levelsense.store import Database, PlayerResults
from levelsense.studio import game_keeper
from levelsense.studio.app import create_app
from levelsense.studio.context import Studio
from levelsense.studio.folder import LevelFolder
from levelsense.studio.guard import Access
from tests.studio.conftest import BASE, PORT

LEVEL = {
    "name": "Drawn",
    "moves": 3,
    "colors": 4,
    "board": [
        "r g b y r",
        "g r r b y",
        "b y g y r",
        "y b y r g",
    ],
    "jelly": [
        ". . . . .",
        "1 . . . .",
        ". . . . .",
        ". . . . .",
    ],
    "goals": {"jelly": "all", "score": 100000},
    "stars": [100, 200, 300],
}
TEXT = json.dumps(LEVEL)
TIMED = {**LEVEL, "seconds": 30, "goals": {"score": 100}, "pace": {"move": 2, "round": 0.5, "time_candy": 5}}
del TIMED["moves"]


def begin(client: TestClient, text: str = TEXT, tester: str = "Ann", **more: Any) -> dict[str, Any]:
    answer = client.post("/api/games", json={"text": text, "name": "drawn", "tester": tester, **more})
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()
    return data


def play(client: TestClient, game: dict[str, Any], turn: int, move: str) -> dict[str, Any]:
    answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": turn, "move": move})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()
    return data


def play_out(client: TestClient, game: dict[str, Any]) -> dict[str, Any]:
    """Plays the first legal move until the attempt is over; gives the last answer."""
    answer = {"state": game["state"], "moves": game["moves"]}
    while answer["state"]["status"] == "playing":
        answer = play(client, game, answer["moves"], answer["state"]["legal"][0])
    return answer


def files(studio: Studio) -> list[Path]:
    return sorted(studio.folder.games.glob("*.game"))


def restarted(studio: Studio, folder: Path) -> TestClient:
    """The same folder and database in a server that has just been started."""
    again = Studio(Lab(folder / "studio.db"), LevelFolder(studio.folder.path), threads=1)
    return TestClient(create_app(again, Access(PORT)), base_url=BASE, raise_server_exceptions=False)


def test_a_move_is_told_round_by_round(client: TestClient):
    game = begin(client, seed=3)
    # a1 is swapped with a2: r r r stand in row 2 then, and the g on top of them falls nowhere.
    turn = play(client, game, 0, "a1a2")
    assert turn["swapped"]["board"].split()[:8] == ["g", "g", "b", "y", "r", "r", "r", "r"]
    first = turn["rounds"][0]
    assert first["cleared"] == [5, 6, 7]
    assert (first["made"], first["collected"]) == ([], [])
    assert first["cleared_board"]["board"].split()[5:8] == [":", ":", ":"]
    assert first["fallen"] == [[0, 5], [1, 6], [2, 7]]
    assert first["dropped"] == [0, 1, 2]
    assert "jelly" not in first["after"]  # the only layer is gone
    assert turn["state"]["goals"][1] == {"name": "jelly", "asked": 1, "done": 1, "left": None}
    assert (turn["state"]["moves_left"], turn["moves"], turn["turn"]) == (2, 1, 0)


def test_a_game_is_the_game_of_its_seed(client: TestClient):
    game, twin = begin(client, seed=11), Game(Level.from_json(TEXT), 11)
    made = 0
    while twin.status == "playing":
        move = str(twin.legal_moves[-1])
        assert game["state"]["legal"] == [str(one) for one in twin.legal_moves]
        turn = twin.play(move)
        played = play(client, game, made, move)
        made += 1
        assert [one["score"] for one in played["rounds"]] == [one.score for one in turn.rounds]
        assert played["score"] == turn.score
        game["state"] = played["state"]
    assert played["state"]["score"] == twin.score
    assert played["ending"] == twin.status


def test_a_repeated_request_is_answered_again_and_not_played_again(client: TestClient):
    game = begin(client, seed=3)
    first = play(client, game, 0, "a1a2")
    assert play(client, game, 0, "a1a2") == first
    second = play(client, game, 1, first["state"]["legal"][0])
    assert second["moves"] == 2
    again = play(client, game, 0, "a2a1")  # the same swap from its other side
    assert (again["rounds"], again["moves"]) == (first["rounds"], 2)


@pytest.mark.parametrize(("turn", "move"), [(0, "c1c2"), (2, "a1a2")])
def test_another_move_of_a_turn_or_a_turn_to_come_is_refused(client: TestClient, turn: int, move: str):
    game = begin(client, seed=3)
    play(client, game, 0, "a1a2")
    answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": turn, "move": move})
    assert answer.status_code == 409
    assert answer.json()["turn"] == 1
    assert "expected turn 1" in answer.json()["problem"]


def test_a_move_that_is_not_legal_changes_nothing(client: TestClient, studio: Studio):
    game = begin(client, seed=3)
    answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": 0, "move": "e1e2"})
    assert answer.status_code == 422
    assert "not legal here" in answer.json()["problem"]
    assert not files(studio)
    assert client.get(f"/api/games/{game['id']}").json()["moves"] == 0


def test_a_move_is_on_the_disk_before_it_is_answered(client: TestClient, studio: Studio):
    game = begin(client, seed=3)
    assert not files(studio)  # nobody has played yet
    play(client, game, 0, "a1a2")
    (path,) = files(studio)
    assert read_game(path).moves == ["a1a2"]
    assert read_game(path).start.text == TEXT


def test_a_game_goes_on_where_it_was(client: TestClient, studio: Studio, tmp_path: Path):
    game = begin(client, seed=3)
    before = play(client, game, 0, "a1a2")
    (path,) = files(studio)
    with path.open("ab") as file:
        file.write(b'{"turn":1,"mo')  # the machine stopped while a line was written
    with restarted(studio, tmp_path) as later:
        later_game = later.get(f"/api/games/{game['id']}").json()
        assert (later_game["moves"], later_game["state"]) == (1, before["state"])
        assert play(later, game, 0, "a1a2")["rounds"] == before["rounds"]
        after = play_out(later, later_game)
        assert after["moves"] == 3
    assert read_game(path).ending == "lost"


def rates(studio: Studio) -> dict[str, tuple[int, int, int]]:
    """Players, attempts and successes by cohort, as `levelsense players rates` tells them."""
    rows = studio.lab.rates().iter_rows(named=True)
    return {row["cohort"]: (row["players"], row["attempts"], row["successes"]) for row in rows}


EASY = json.dumps({**LEVEL, "goals": {"score": 60}})


def test_attempts_are_results_of_testers(client: TestClient, studio: Studio):
    play_out(client, begin(client, EASY, "Ann", seed=1))
    play_out(client, begin(client, EASY, "Ann", seed=2))
    play_out(client, begin(client, TEXT, "Bob", seed=3))
    rates = {row["level"]: row for row in studio.lab.rates().iter_rows(named=True)}
    easy, drawn = (f"drawn@{Level.from_json(text).digest[:8]}" for text in (EASY, TEXT))
    assert (rates[easy]["players"], rates[easy]["attempts"], rates[easy]["successes"]) == (1, 2, 2)
    assert (rates[drawn]["players"], rates[drawn]["attempts"], rates[drawn]["successes"]) == (1, 1, 0)


def test_a_known_board_or_a_hint_is_told_apart(client: TestClient, studio: Studio):
    play_out(client, begin(client, seed=1))
    play_out(client, begin(client, seed=1))  # the same board once more
    helped = begin(client, seed=2)
    hint = client.post(f"/api/games/{helped['id']}/hint").json()
    assert hint["move"] in helped["state"]["legal"]
    play_out(client, helped)
    play_out(client, begin(client, tester="Bob", seed=1))  # Bob has not seen it
    assert rates(studio) == {"testers": (2, 2, 0), "testers, helped": (1, 2, 0)}


def test_a_board_is_known_after_a_restart_too(client: TestClient, studio: Studio, tmp_path: Path):
    play_out(client, begin(client, seed=1))
    with restarted(studio, tmp_path) as later:
        play_out(later, begin(later, seed=1))
    assert rates(studio) == {"testers": (1, 1, 0), "testers, helped": (1, 1, 0)}


def test_a_hint_alone_is_no_attempt(client: TestClient, studio: Studio):
    game = begin(client, seed=1)
    client.post(f"/api/games/{game['id']}/hint")
    assert client.post(f"/api/games/{game['id']}/leave").json()["ending"] == "left"
    assert studio.lab.is_new or not rates(studio)


def test_moves_left_are_the_mean_of_won_attempts(client: TestClient, studio: Studio):
    text = json.dumps({**LEVEL, "moves": 6, "goals": {"score": 1500}})
    ends = [play_out(client, begin(client, text, seed=seed)) for seed in range(1, 7)]
    left = [end["state"]["moves_left"] for end in ends if end["ending"] == "won"]
    assert len(left) < len(ends)
    assert len(set(left)) > 1
    with Database(studio.lab.database) as database:
        stored = PlayerResults(database).read()
    assert stored["moves_left"].to_list() == [pytest.approx(sum(left) / len(left))]


def test_an_attempt_that_is_left_is_stored_as_such(client: TestClient, studio: Studio):
    left, untouched = begin(client, seed=1), begin(client, seed=2)
    play(client, left, 0, left["state"]["legal"][0])
    for game in (left, untouched):
        assert client.post(f"/api/games/{game['id']}/leave").json()["ending"] == "left"
    assert rates(studio) == {"testers, broken off": (1, 1, 0)}
    answer = client.post(f"/api/games/{left['id']}/moves", json={"turn": 1, "move": "a1a2"})
    assert answer.status_code == 409


def test_one_that_nobody_went_on_with_was_left(
    client: TestClient, studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    play(client, begin(client, seed=3), 0, "a1a2")
    monkeypatch.setattr(game_keeper, "STALE_SECONDS", -1)
    with restarted(studio, tmp_path) as later:
        (listed,) = later.get("/api/games").json()
    assert (listed["tester"], listed["moves"], listed["ending"]) == ("Ann", 1, "left")
    assert rates(studio) == {"testers, broken off": (1, 1, 0)}


def without_ending(studio: Studio) -> Path:
    """The only game's file, as if the server had been killed between its last move and its ending."""
    (path,) = files(studio)
    *lines, ending = path.read_bytes().splitlines(keepends=True)
    assert b'"ending"' in ending
    path.write_bytes(b"".join(lines))
    return path


def test_a_game_that_was_won_counts_as_won_if_the_server_was_killed_at_its_end(
    client: TestClient, studio: Studio, tmp_path: Path
):
    play_out(client, begin(client, EASY, seed=1))
    path = without_ending(studio)
    os.utime(path, (1, 1))  # days ago: one that was left would be broken off by now
    with restarted(studio, tmp_path) as later:
        (listed,) = later.get("/api/games").json()
    assert listed["ending"] == read_game(path).ending == "won"
    assert rates(studio) == {"testers": (1, 1, 1)}


@pytest.mark.parametrize("way", ["the move again", "leave"])
def test_an_ending_that_found_the_disk_full_is_written_later(
    client: TestClient, studio: Studio, monkeypatch: pytest.MonkeyPatch, way: str
):
    game = begin(client, EASY, seed=1)

    def full(*_: Any) -> None:
        raise OutputError("games", "cannot be written: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(GameFile, "add_ending", full)
        answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": 0, "move": "a1a2"})
    assert (answer.status_code, client.get(f"/api/games/{game['id']}").json()["ending"]) == (422, None)
    if way == "leave":
        client.post(f"/api/games/{game['id']}/leave")
    else:
        assert play(client, game, 0, "a1a2")["ending"] == "won"
    assert read_game(files(studio)[0]).ending == "won"
    assert rates(studio) == {"testers": (1, 1, 1)}


def test_a_game_that_is_going_on_is_not_ended_by_a_restart(
    client: TestClient, studio: Studio, tmp_path: Path
):
    play(client, begin(client, seed=3), 0, "a1a2")
    with restarted(studio, tmp_path) as later:
        (listed,) = later.get("/api/games").json()
    assert listed["ending"] is None
    assert studio.lab.is_new or not rates(studio)


def test_results_that_could_not_be_stored_are_stored_later(
    client: TestClient, studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from levelsense.errors import StoreError

    def refuse(*_: Any) -> None:
        raise StoreError("studio.db: the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Lab, "store_results", refuse)
        last = play_out(client, begin(client, seed=1))
    assert last["ending"] == "lost"
    assert last["unstored"] == "studio.db: the disk is full"
    with restarted(studio, tmp_path) as later:
        later.get("/api/games")
        later.get("/api/games")
    with restarted(studio, tmp_path) as later:  # counted once, however often the server starts
        later.get("/api/games")
    assert rates(studio) == {"testers": (1, 1, 0)}


def test_two_studios_on_one_folder_count_together(client: TestClient, studio: Studio, tmp_path: Path):
    with restarted(studio, tmp_path) as other:
        other.get("/api/games")  # it has looked at the folder already
        play_out(client, begin(client, seed=1))
        play_out(other, begin(other, seed=2))
        play_out(client, begin(client, seed=3))
    assert rates(studio) == {"testers": (1, 3, 0)}


def test_a_disk_that_is_full_refuses_the_move(
    client: TestClient, studio: Studio, monkeypatch: pytest.MonkeyPatch
):
    game = begin(client, seed=3)
    play(client, game, 0, "a1a2")
    (path,) = files(studio)
    before = path.read_bytes()
    with monkeypatch.context() as patch:

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        patch.setattr("os.fsync", full)
        move = client.get(f"/api/games/{game['id']}").json()["state"]["legal"][0]
        answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": 1, "move": move})
    assert answer.status_code == 422
    assert "No space left" in answer.json()["problem"]
    assert path.read_bytes() == before
    assert play(client, game, 1, move)["moves"] == 2


def test_a_position_is_saved_edited_and_played_on(client: TestClient, studio: Studio):
    game = begin(client, seed=3)
    play(client, game, 0, "a1a2")
    saved = client.get(f"/api/games/{game['id']}/position").json()
    assert "moves: 2" in saved["position"]
    edited = saved["position"].replace("moves: 2", "moves: 1")
    answer = client.post(f"/api/games/{game['id']}/position", json={"position": edited}).json()
    assert answer["moves_left"] == 1
    middle = begin(client, position=edited)
    assert middle["from_position"]
    assert play_out(client, middle)["moves"] == 1
    client.post(f"/api/games/{game['id']}/leave")
    # What began in the middle is no attempt at the level; its moves are telemetry all the same.
    assert rates(studio) == {"testers, broken off": (1, 1, 0)}
    telemetry = studio.lab.check_telemetry(studio.folder.games)
    assert (telemetry.form, telemetry.wrong, telemetry.extent.attempts, telemetry.extent.moves) == (
        "games",
        0,
        2,
        2,
    )


def test_a_position_becomes_a_level(client: TestClient):
    level = {
        **LEVEL,
        "moves": 9,
        "goals": {"jelly": "all", "ingredients": {"cherry": 2}, "orders": {"red": 4}, "score": 5000},
        "drops": [{"piece": "cherry", "keep": 1, "total": 2}],
    }
    game = begin(client, json.dumps(level), seed=3)
    state = play(client, game, 0, "a1a2")["state"]
    text = client.get(f"/api/games/{game['id']}/position").json()["level"]
    taken = Level.from_json(text)
    assert (taken.moves, taken.name) == (8, "Drawn from move 2")
    assert state["board"]["board"].count("C") == 1  # one of the two cherries has come in
    assert [drop.total for drop in taken.drops] == [1]
    done = {goal["name"]: goal["done"] for goal in state["goals"]}
    assert done["jelly"] == 1  # so that none is left to ask for
    left = {"score": 5000 - done["score"], "red": 4 - done["red"], "cherry": 2 - done["cherry"]}
    assert taken.asked == {name: number for name, number in left.items() if number > 0}
    assert " ".join(json.loads(text)["board"]).split() == state["board"]["board"].replace(":", ".").split()
    assert list(json.loads(text))[3:5] == ["board", "goals"]


def test_time_goes_by_the_level_s_pace(client: TestClient):
    game = begin(client, json.dumps(TIMED), seed=3)
    assert (game["state"]["time_left"], game["state"]["moves_left"]) == (30, None)
    assert game["level"]["pace"] == {"move": 2, "round": 0.5, "time_candy": 5}
    turn = play(client, game, 0, "a1a2")
    assert turn["state"]["time_left"] == 30 - 2 - 0.5 * len(turn["rounds"])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"text": "{", "tester": "Ann"}, "line 1"),
        ({"text": TEXT, "tester": "  "}, "expected a name"),
        ({"text": TEXT, "tester": "a\x07b"}, "expected a name"),
        ({"text": TEXT, "tester": "x" * 41}, "at most 40"),
        ({"text": TEXT, "tester": "Ann", "seed": -1}, "greater than or equal to 0"),
        ({"text": TEXT, "tester": "Ann", "position": "board:\n  r"}, "expected 4 rows of 5"),
        ({"text": TEXT, "tester": "Ann", "position": "x" * 20_001}, "at most 20000"),
    ],
)
def test_what_is_wrong_is_a_sentence(client: TestClient, body: dict[str, Any], expected: str):
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 422
    assert expected in answer.json()["problem"]


def test_a_game_that_there_is_not(client: TestClient):
    assert client.get(f"/api/games/{'0' * 24}").status_code == 404
    assert client.get("/api/games/..%2Fx").status_code in (404, 422)
    assert client.get("/api/games/" + "0" * 23 + "x").status_code == 422


def test_games_beyond_those_in_memory_are_read_again(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(game_keeper, "MOST_LIVE", 2)
    games = [begin(client, seed=3) for _ in range(4)]
    first = games[0]["id"]
    assert client.get(f"/api/games/{first}").status_code == 404  # it had no move
    for game in games[2:]:
        play(client, game, 0, "a1a2")
    begin(client, seed=4)
    begin(client, seed=5)
    assert client.get(f"/api/games/{games[2]['id']}").json()["moves"] == 1


def test_a_game_that_is_in_use_is_never_read_a_second_time(studio: Studio, monkeypatch: pytest.MonkeyPatch):
    """Two copies of a game would each write the next turn."""
    monkeypatch.setattr(game_keeper, "MOST_LIVE", 1)
    keeper = game_keeper.GameKeeper(studio.folder.games, studio.lab)
    held = keeper.start("Ann", "drawn", TEXT, 3)
    keeper.play(held.id, 0, "a1a2")
    for seed in range(3):
        keeper.start("Bob", "drawn", TEXT, seed)
    assert keeper.find(held.id) is held


def test_games_that_were_taken_away_are_gone(
    client: TestClient, studio: Studio, monkeypatch: pytest.MonkeyPatch
):
    play(client, begin(client, seed=3), 0, "a1a2")
    monkeypatch.setattr(game_keeper, "MOST_FILES", 1)
    files(studio)[0].unlink()
    assert client.get("/api/games").json() == []
    play(client, begin(client, seed=4), 0, "a1a2")  # there is room again
    assert len(client.get("/api/games").json()) == 1


def test_a_hint_holds_no_other_request_up(studio: Studio, monkeypatch: pytest.MonkeyPatch):
    """A database that takes long to answer holds the keeper of games, and not the server."""
    asked, go = threading.Event(), threading.Event()

    def store(*_: Any) -> None:
        asked.set()
        assert go.wait(60)

    monkeypatch.setattr(studio.lab, "store_results", store)

    async def check() -> None:
        app = create_app(studio, Access(PORT))
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as client:
            body = {"text": TEXT, "tester": "Ann", "seed": 3}
            game = (await client.post("/api/games", json=body)).json()["id"]
            await client.post(f"/api/games/{game}/moves", json={"turn": 0, "move": "a1a2"})
            leaving = asyncio.ensure_future(client.post(f"/api/games/{game}/leave"))
            while not asked.is_set():
                await asyncio.sleep(0.005)
            hint = asyncio.ensure_future(client.post(f"/api/games/{'0' * 24}/hint"))
            assert (await client.get("/api/names")).status_code == 200
            assert not hint.done()
            go.set()
            assert (await hint).status_code == 404
            await leaving

    asyncio.run(asyncio.wait_for(check(), 60))


def test_no_more_games_than_a_folder_takes(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(game_keeper, "MOST_FILES", 1)
    play(client, begin(client, seed=3), 0, "a1a2")
    game = begin(client, seed=3)
    answer = client.post(f"/api/games/{game['id']}/moves", json={"turn": 0, "move": "a1a2"})
    assert (answer.status_code, answer.json()["code"]) == (507, "too-many-games")


def test_a_damaged_file_harms_no_other_game(client: TestClient, studio: Studio, tmp_path: Path):
    game = begin(client, seed=3)
    play(client, game, 0, "a1a2")
    (studio.folder.games / f"2025-01-01-{'f' * 24}.game").write_text("no game\n")
    with restarted(studio, tmp_path) as later:
        assert later.get(f"/api/games/{game['id']}").json()["moves"] == 1
        assert later.get(f"/api/games/{'f' * 24}").status_code == 422
        assert len(later.get("/api/games").json()) == 1
