"""Files of games: whole lines stay, a torn one is passed over, and the folder is telemetry."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from levelsense import Game, Lab, Level
from levelsense.errors import OutputError, PlayersError
from levelsense.game.state import STATUS_NAMES
from levelsense.people.game_files import GameFile, GameStart, read_game, version_name
from levelsense.people.game_log import read_games

TEXT = json.dumps(
    {
        "name": "Drawn",
        "moves": 3,
        "colors": 4,
        "board": ["r g b y r", "g r r b y", "b y g y r", "y b y r g"],
        "goals": {"score": 100000},
    }
)
START = GameStart("a" * 24, "Ann", "drawn", TEXT, 3, None, False, "2025-01-31T12:00:00+0100")


def written(folder: Path, start: GameStart = START, moves: int = 2, ending: str | None = None) -> Path:
    """A game of the first legal moves in a file."""
    file, game = GameFile.begin(folder, start), start.new_game()
    for turn in range(moves):
        file.add_move(turn, game.play(game.legal_moves[0]).move, "12:00")
    if ending:
        file.add_ending(ending, game.moves_left, "12:01")
    return file.path


def test_a_game_is_read_as_it_was_written(tmp_path: Path):
    path = written(tmp_path, ending="left")
    record = read_game(path)
    assert path.name == f"2025-01-31-{'a' * 24}.game"
    assert record.start == START
    assert (len(record.moves), record.ending, record.moves_left) == (2, "left", 1)
    assert record.game().moves_made == 2


def test_a_line_that_was_being_written_is_passed_over_and_written_over(tmp_path: Path):
    path = written(tmp_path, moves=1)
    whole = path.read_bytes()
    with path.open("ab") as file:
        file.write(b'{"turn":1,"move":"')
    record = read_game(path)
    assert len(record.moves) == 1
    GameFile(path).add_hint(1, "12:02")
    assert path.read_bytes() == whole + b'{"hint":1,"at":"12:02"}\n'


def test_only_line_ends_divide_a_file(tmp_path: Path):
    """A level's text may hold separators that text editors take for line ends."""
    text = json.dumps({**json.loads(TEXT), "about": "one\u2028two\x85three"}, ensure_ascii=False)
    assert len(text.splitlines()) == 3
    assert read_game(written(tmp_path, replace(START, text=text))).start.text == text


def test_a_file_that_was_taken_away_is_not_begun_again_in_the_middle(tmp_path: Path):
    path = written(tmp_path)
    path.unlink()
    with pytest.raises(OutputError, match="No such file"):
        GameFile(path).add_move(2, "a1a2", "12:00")
    assert not path.exists()


def test_a_game_that_could_not_be_begun_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OutputError, match="No space left"):
            GameFile.begin(tmp_path, START)
    assert not list(tmp_path.iterdir())
    assert len(read_game(written(tmp_path)).moves) == 2


def test_a_file_that_was_being_made_is_no_game_of_the_folder(tmp_path: Path):
    """The machine stopped before the first line was whole: nothing was played, and nothing is lost."""
    written(tmp_path)
    torn = tmp_path / f"2025-01-31-{'b' * 24}.game"
    for content in ("", '{"game":"'):
        torn.write_text(content)
        assert tuple(read_games(tmp_path).extent) == (1, 1, 1, 2)
    with pytest.raises(PlayersError, match="no whole line"):
        read_game(torn)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"form":1', '"form":9', "version 9 of the form of games; expected 1"),
        ('"rules":', '"rules":9', "of the rules; expected"),
        ('"turn":1', '"turn":7', "turn 7; expected 1"),
        ('"player":"Ann",', "", "damaged"),
        (f'"game":"{"a" * 24}"', '"game":"../x"', "damaged"),
        ('"started":"2025', '"started":"in 2025', "damaged.*isoformat"),
        ('"seed":3', '"seed":1e999', "seed inf; expected a whole number"),
        ('"moves_left":1', '"moves_left":"one"', "moves_left 'one'; expected a whole number"),
        ('"ending":"left"', '"ending":"home"', "ending 'home'; expected won, lost, left"),
        (r"\"goals\"", r"\"gaols\"", "the level of the game: .*goals is missing"),
    ],
)
def test_a_file_that_is_no_game_is_told(tmp_path: Path, old: str, new: str, words: str):
    path = written(tmp_path, ending="left")
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(PlayersError, match=words):
        read_game(path)


def test_a_folder_of_games_is_telemetry(tmp_path: Path):
    games = tmp_path / "games"
    written(games, ending="lost", moves=3)
    written(games, replace(START, id="b" * 24, seed=4, started="2025-01-31T13:00:00+0100"), moves=1)
    written(games, replace(START, id="c" * 24, player="Bob"), moves=0)  # no move, nothing to tell
    position = str(Game(START.played_level, 9))
    written(games, replace(START, id="d" * 24, player="Bob", position=position), moves=1)
    log = read_games(games)
    assert tuple(log.extent) == (1, 2, 3, 5)
    rows = Lab().export_positions(games, tmp_path / "positions.csv")
    assert rows == 5
    check = Lab().check_telemetry(tmp_path / "positions.csv", [Level.from_json(TEXT)])
    assert (check.wrong, check.extent.attempts) == (0, 3)
    (positions,) = log.positions(log.own_levels)
    assert positions.player.tolist() == ["Ann", "Ann", "Ann", "Bob", "Ann"]
    assert sorted(positions.attempt[positions.player == "Ann"]) == [0, 0, 0, 1]


def test_attempts_are_numbered_as_they_began_and_tell_how_they_ended(tmp_path: Path):
    longer = TEXT.replace('"moves": 3', '"moves": 4')
    first = replace(START, id="f" * 24)  # the last by its file's name
    second = replace(START, id="1" * 24, started="2025-01-31T13:00:00+0100", again=True)
    written(tmp_path, first, moves=3, ending="lost")
    written(tmp_path, second, moves=1, ending="left")
    written(tmp_path, replace(START, id="2" * 24, text=longer), moves=2)
    log = read_games(tmp_path)
    endings = {}
    for positions in log.positions(log.own_levels):
        assert positions.ending is not None
        columns = (positions.attempt, positions.cohort, positions.ending)
        for attempt, cohort, ending in zip(*map(np.ndarray.tolist, columns), strict=True):
            key = positions.level.moves, attempt
            endings[key] = cohort, STATUS_NAMES[ending]
    assert endings == {
        (3, 0): ("testers", "lost"),
        (3, 1): ("testers, helped", "playing"),
        (4, 0): ("testers", "playing"),
    }


def test_levels_that_were_not_played_are_refused(tmp_path: Path):
    written(tmp_path)
    with pytest.raises(PlayersError, match="1 of 1 levels, with 2 of 2 moves, are not among"):
        Lab().check_telemetry(tmp_path, ["04-jelly-garden"])


def test_a_folder_without_games(tmp_path: Path):
    with pytest.raises(PlayersError, match="a folder without games"):
        read_games(tmp_path)


def test_a_game_whose_moves_are_not_legal_is_a_wrong_row(tmp_path: Path):
    path = written(tmp_path, moves=1)
    move = json.loads(path.read_text().splitlines()[1])["move"]
    path.write_text(path.read_text().replace(f'"move":"{move}"', '"move":"e1e2"'))
    check = Lab().check_telemetry(tmp_path)
    assert check.wrong == 1
    assert path.name in check.sentences[0]


def test_a_version_has_the_level_s_name_and_digest():
    level = Level.from_json(TEXT)
    assert version_name("drawn", level) == f"drawn@{level.digest[:8]}"
    longer = Level.from_json(TEXT.replace('"moves": 3', '"moves": 4'))
    assert version_name("drawn", longer) != version_name("drawn", level)
