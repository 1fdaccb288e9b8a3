"""A person's attempt in the terminal, typed line by line."""

import contextlib
import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.console import Console

from levelsense.agents.decisions import gain_words, hint, nearest_move
from levelsense.agents.registry import parse_agent
from levelsense.cli.terminal.play import outcome_words, play_randomly, progress, round_words, show_turn
from levelsense.cli.terminal.session import (
    AgentSession,
    Session,
    read_move,
    thought_words,
)
from levelsense.errors import IllegalMoveError
from levelsense.game.game import Game, Move
from levelsense.level.level import Level

LEVEL = Level.model_validate(
    {
        "name": "test",
        "moves": 3,
        "colors": 4,
        "board": [
            "r g b y r g b y",
            "g r r b y r g b",
            "b y g y r y b g",
            "y b y r g b y r",
        ],
        "jelly": [
            ". 1 1 . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
        ],
        "goals": {"jelly": "all", "score": 1_000_000},
    }
)


def typed(lines: Iterable[str], game: Game | None = None) -> tuple[Session, str]:
    """The session after some lines were typed and the input ended, and what it printed."""
    console = _console(lines)
    return _ended(Session(console, game or Game(LEVEL, 7), speed=0))


def watched(lines: Iterable[str], spec: str, *, waits: bool = True) -> tuple[Session, str]:
    """The same of a session in which an agent plays."""
    agent = parse_agent(spec)
    return _ended(AgentSession(_console(lines), Game(LEVEL, 7), 0, agent, seed=7, waits=waits))


def _console(lines: Iterable[str]) -> Console:
    """A console that keeps what is printed, at which some lines are typed."""
    answers = iter(lines)
    console = Console(file=io.StringIO(), width=100, highlight=False)

    def answer(*_: object, **__: object) -> str:
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    console.input = answer  # type: ignore[method-assign]
    return console


def _ended(session: Session) -> tuple[Session, str]:
    with contextlib.suppress(EOFError):
        session.run()
    return session, session.console.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("c4d4", "c4d4"),
        ("d4c4", "d4c4"),
        (" C4 d4 ", "c4d4"),
        ("c4-d4", "c4d4"),
        ("c4 right", "c4d4"),
        ("d4 left", "d4c4"),
        ("c4 down", "c4c5"),
        ("c5 up", "c5c4"),
        ("a10a11", "a10a11"),
        ("l12 left", "l12k12"),
    ],
)
def test_moves_can_be_typed_in_several_ways(text: str, move: str) -> None:
    assert str(read_move(text)) == move


@pytest.mark.parametrize(
    "text",
    ["", "c4", "c4 sideways", "m1m2", "c0d0", "c13 right", "hello", "c4d4e4", "a1 up 2", "a1 up", "a1 left"],
)
def test_what_is_no_move_is_told_in_a_sentence(text: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        read_move(text)
    assert "\n" not in str(caught.value)


def test_a_move_is_played_and_its_rounds_told() -> None:
    session, printed = typed(["a1a2"])
    assert session.game.moves_made == 1
    assert "round 1: 3 cells cleared" in printed
    assert "3 moves left" in printed
    assert "2 moves left" in printed


def test_wrong_input_is_told_and_changes_nothing() -> None:
    start = str(Game(LEVEL, 7))
    session, printed = typed(["a1b1", "a1c3", "a1 up", "zz", "h4 right", ""])
    assert str(session.game) == start
    assert printed.count("a1b1: not legal here") == 1
    assert "zz: neither a move such as c4d4 nor a command; ? lists them" in printed
    assert "Traceback" not in printed


def test_undo_takes_back_moves_one_by_one() -> None:
    start = str(Game(LEVEL, 7))
    session, printed = typed(["undo", "a1a2", "undo"])
    assert "there is no move to take back" in printed
    assert str(session.game) == start
    assert session.past == []


def test_the_same_move_after_undo_brings_the_same_pieces() -> None:
    once, _ = typed(["a1a2"])
    twice, _ = typed(["a1a2", "undo", "a1a2"])
    assert str(once.game) == str(twice.game)


def test_commands_answer() -> None:
    session, printed = typed(["?", "moves", "hint", "board", "save"])
    assert "take back the last move" in printed
    assert " ".join(map(str, session.game.legal_moves)) in " ".join(printed.split())
    assert f"try {hint(session.game)}" in printed
    assert str(session.game) in printed


def test_a_saved_position_can_be_read_back(tmp_path: Path) -> None:
    file = tmp_path / "position.txt"
    session, printed = typed(["a1a2", f"save {file}", f"save {tmp_path}"])
    assert str(Game.parse(file.read_text(), LEVEL)) == str(session.game)
    assert f"{tmp_path}: cannot be written" in printed


def test_quit_ends_the_session() -> None:
    session, printed = typed(["quit", "a1a2"])
    assert session.game.moves_made == 0
    assert "Lost" not in printed


def test_the_outcome_is_told_at_the_end() -> None:
    session, printed = typed(["a1a2", *_any_moves(2)])
    assert session.game.status == "lost"
    assert "Lost: no moves are left. 3 moves made, 0 moves left." in printed
    assert "Still to do:" in printed


def _any_moves(count: int) -> list[str]:
    """Legal moves that go on from a1a2."""
    game, moves = Game(LEVEL, 7), []
    game.play("a1a2")
    for _ in range(count):
        moves.append(str(game.legal_moves[0]))
        game.play(moves[-1])
    return moves


def test_hint_is_legal_and_does_not_depend_on_what_will_fall_in() -> None:
    game = Game(LEVEL, 7)
    other = Game.parse(re.sub(r"word: 0x\w+", "word: 0x1", str(game)), LEVEL)
    assert hint(game) in game.legal_moves
    assert hint(game) == hint(other)


@pytest.mark.parametrize(("row", "move"), [(2, "c1c2"), (4, "c4d4")])
def test_hint_is_the_move_that_wins(row: int, move: str) -> None:
    """A jelly is left at the left edge of a row, and one move."""
    jelly = ["1 . . . ." if number == row else ". . . . ." for number in range(1, 6)]
    level = Level.model_validate(
        {
            "name": "one left",
            "moves": 1,
            "board": ["o y r p c", "r r b y p", "y p c b y", "b b y b p", "p c y o c"],
            "jelly": jelly,
            "goals": {"jelly": "all"},
            "colors": 6,
        }
    )
    game = Game(level, 7)
    assert {str(legal) for legal in game.legal_moves} == {"c1c2", "c2d2", "c4d4"}
    assert str(hint(game)) == move


def test_hint_changes_nothing() -> None:
    game = Game(LEVEL, 7)
    before = str(game)
    hint(game)
    assert str(game) == before


def test_random_players_play_to_the_end_and_alike() -> None:
    printed = []
    for _ in range(2):
        console = Console(file=io.StringIO(), width=100)
        game = Game(LEVEL, 7)
        play_randomly(console, game, 7)
        assert game.status == "lost"
        printed.append(console.file.getvalue())  # type: ignore[attr-defined]
    assert printed[0] == printed[1]
    assert [line.split()[0] for line in printed[0].splitlines()[:3]] == ["1", "2", "3"]


def test_cascades_are_animated_on_terminals() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=100, height=40)
    game = Game(LEVEL, 7)
    show_turn(console, LEVEL, game.play("a1a2"), speed=1000)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b[2K" in printed
    assert "round 1: 3 cells cleared" in printed


def test_progress_names_limit_score_and_goals() -> None:
    assert progress(Game(LEVEL, 7)).plain == "3 moves left   score 0/1,000,000   jelly 0/2"


def test_rounds_name_what_was_made() -> None:
    board = ["r r g r b", "g b r g y", "y g b y r", "b y g b g"]
    level = Level.model_validate({"name": "t", "moves": 5, "board": board, "goals": {"score": 1}})
    turn = Game(level, 1).play("c1c2")
    assert round_words(turn.rounds[0], level) == "round 1: 4 cells cleared, striped candy made on c1, +120"


def test_outcome_tells_stars() -> None:
    level = LEVEL.model_copy(update={"stars": (10, 20, 10**9), "goals": type(LEVEL.goals)(score=1)})
    game = Game(level, 7)
    game.play("a1a2")
    assert game.outcome is not None
    assert outcome_words(game, game.outcome).startswith(
        "Won: all goals are met. 1 move made, 2 moves left. Score "
    )
    assert outcome_words(game, game.outcome).endswith(", 2 of 3 stars.")


# The task, the legend and the goals


def test_the_task_is_told_before_the_board() -> None:
    _, printed = typed([])
    assert printed.splitlines()[:2] == [
        "test",
        "Reach 1,000,000 points and clear 2 layers of jelly in 3 moves.",
    ]
    assert "r red   y yellow   g green   b blue" in printed


def test_tokens_are_explained_when_they_are_first_on_the_board() -> None:
    board = ["r r g r b", "g b r g y", "y g #2 y r", "b y g b g"]
    level = Level.model_validate({"name": "t", "moves": 5, "board": board, "goals": {"score": 10**6}})
    _, printed = typed(["c1c2", "b", "legend"], Game(level, 1))
    assert printed.count("#2 icing (2 layers)") == 2  # at the start, and when asked
    assert printed.count("striped (hits its column)") + printed.count("striped (hits its row)") == 2


def test_commands_have_short_names() -> None:
    session, printed = typed(["m", "a1a2", "u", "b", "l", "q", "a1a2"])
    assert session.game.moves_made == 0
    assert session.past == []
    assert " ".join(map(str, session.game.legal_moves)) in " ".join(printed.split())


def test_hints_tell_what_a_move_does_for_the_goals() -> None:
    level = Level.model_validate(
        {
            "name": "t",
            "moves": 5,
            "colors": 6,
            "board": ["o y r p c", "r r b y p", "y p c b y", "b b y b p", "p c y o c"],
            "jelly": [". . . . .", "1 . 2 . .", ". . . . .", ". . . . .", ". . . . ."],
            "goals": {"jelly": "all"},
        }
    )
    game = Game(level, 7)
    assert gain_words(game, Move.parse("c1c2")) == "clear 2 layers of jelly"
    assert gain_words(game, Move.parse("c4d4")) == "nothing for the goals at once, 60 points"
    assert str(nearest_move(game)) == "c1c2"


def test_hints_name_specials_that_are_made() -> None:
    board = ["r r g r b", "g b r g y", "y g b y r", "b y g b g"]
    level = Level.model_validate({"name": "t", "moves": 5, "board": board, "goals": {"orders": {"red": 9}}})
    assert gain_words(Game(level, 1), Move.parse("c1c2")) == "collect 4 red candies; it makes 1 striped candy"


# Agents that are watched


def test_an_agent_plays_a_move_for_each_empty_line() -> None:
    session, printed = watched(["", ""], "heuristic")
    assert session.game.moves_made == 2
    assert len(re.findall(r"heuristic chooses \w+; its values: (\w+ [\d.]+, ){2}\w+ [\d.]+", printed)) == 3


def test_a_watched_agent_keeps_to_its_choice_until_a_move_is_played() -> None:
    _, printed = watched(["moves", "", "u", "b"], "random")
    chosen = re.findall(r"random chooses (\w+)", printed)
    assert len(chosen) == 5
    assert chosen[0] == chosen[1] == chosen[3] == chosen[4]


def test_moves_of_ones_own_may_come_between() -> None:
    session, _ = watched(["a1a2", ""], "first")
    assert session.game.moves_made == 2


def test_without_waiting_an_agent_plays_to_the_end() -> None:
    session, printed = watched([], "heuristic", waits=False)
    assert session.game.status == "lost"
    assert "Lost: no moves are left" in printed


def test_the_best_three_moves_are_told_and_the_one_that_is_chosen() -> None:
    moves = [Move.parse(text) for text in ("a1a2", "b1b2", "c1c2", "d1d2", "e1e2")]
    values = dict(zip(moves, (1.0, 20.5, 3.0, 1234.0, 2.0), strict=True))
    words = thought_words(parse_agent("heuristic"), moves[0], values)
    assert words == "heuristic chooses a1a2; its values: d1d2 1,234, b1b2 20.5, c1c2 3, a1a2 1"
    probabilities = {moves[0]: 0.25, moves[1]: 0.75}
    words = thought_words(parse_agent("policy"), moves[1], probabilities)
    assert words.endswith("chooses b1b2; its probabilities: b1b2 75.0%, a1a2 25.0%")
    assert thought_words(parse_agent("random"), moves[0], None) == "random chooses a1a2"
