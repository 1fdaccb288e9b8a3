"""Counts, goals, stars, limits, scores and the bonus (docs/rules.md, sections 10 to 12)."""

from typing import Any

import pytest

from levelsense.game.game import GoalProgress, Outcome
from levelsense.level.tokens import COLORS, COUNTS
from tests.game.drawn import Played, play, position


def played(board: str, move: str, values: str = "", **keys: Any) -> Played:
    """Plays a move on a board whose rows are divided by slashes."""
    return play(position(board.replace(" / ", "\n"), values, **keys), move)


LINE = "o r p / r b r / y g c", "b1b2"

# Counts

COUNTED: dict[str, tuple[str, str, dict[str, int]]] = {
    "a line": (*LINE, {"red": 3}),
    "two lines": ("r r g / g g r / y b o", "c1c2", {"red": 3, "green": 3}),
    "jelly": ("o r p / r'' b' r / y' g c", "b1b2", {"red": 3, "jelly": 2}),
    "cherry": ("o y g / b C r / r r y", "c2c3", {"red": 3, "cherry": 1}),
    "hazelnut": ("o y g / b H r / r r y", "c2c3", {"red": 3, "hazelnut": 1}),
    "striped by a row": ("y b r g / r r b r / o y g b", "c1c2", {"red": 4, "striped": 1}),
    "striped by a column": ("r b y / r y g / b r o / r g y", "a3b3", {"red": 4, "striped": 1}),
    "wrapped": ("y g r b / b y r g / r r b o / y g r y", "c3c4", {"red": 5, "wrapped": 1}),
    "color bomb": ("y b r g y / r r b r r / o y g b o", "c1c2", {"red": 5, "color bomb": 1}),
    "striped+striped": ("- - - / r= b= - / - - -", "a2b2", {"red": 1, "blue": 1, "striped+striped": 1}),
    "striped+wrapped": ("- - - / r= b+ - / - - -", "a2b2", {"red": 1, "blue": 1, "striped+wrapped": 1}),
    "wrapped+wrapped": ("- - - / r+ b+ - / - - -", "a2b2", {"red": 1, "blue": 1, "wrapped+wrapped": 1}),
    "color bomb+striped": ("- - - / r= * - / - r -", "a2b2", {"red": 2, "color bomb+striped": 1}),
    "color bomb+wrapped": ("r+ * - / - - - / - - -", "a1b1", {"red": 1, "color bomb+wrapped": 1, "swirl": 1}),
    "color bomb+color bomb": ("- - - / * * - / - r -", "a2b2", {"red": 1, "color bomb+color bomb": 1}),
    "color bomb and candy": ("- - - / * r - / - r -", "a2b2", {"red": 2}),
    "icing, at its last layer": ("o r p / r b r / #1 #2 #3", "b1b2", {"red": 3, "icing": 1}),
    "lock, not the candy in it": ("o r p / rL b r / yL g c", "b1b2", {"red": 2, "lock": 1}),
    "marmalade": ("o r p / r b r / yM g c", "b1b2", {"red": 3, "marmalade": 1}),
    "chocolate": ("o r p / r b r / X X c", "b1b2", {"red": 3, "chocolate": 2}),
    "popcorn, not the bomb it leaves": ("o r p y / r= b r P1 / y g c P1", "b1b2", {"red": 3, "popcorn": 1}),
    "toffee, at its last layer": ("o r p / r b r / T1 T2 T5", "b1b2", {"red": 3, "toffee": 1}),
    "dark chocolate": ("o r p / r b r / D1 D2 D1", "b1b2", {"red": 3, "dark chocolate": 2}),
    "swirl": ("o r p / r b r / S g S", "b1b2", {"red": 3, "swirl": 2}),
    "countdown": ("o r9 p / r b r / y g c", "b1b2", {"red": 3, "countdown": 1}),
    "sugar": ("o r~ p / r b r~ / y g c~", "b1b2", {"red": 3, "sugar": 2}),
    "time": ("o r@ p / r@ b r@ / y@ g c", "b1b2", {"red": 3, "time": 3}),
}


@pytest.mark.parametrize("name", COUNTED)
def test_each_count(name: str) -> None:
    board, move, counted = COUNTED[name]
    assert {name: n for name, n in played(board, move).game.counts.items() if n} == counted


@pytest.mark.parametrize("color", COLORS)
def test_each_color(color: str) -> None:
    game = played("S r S / r S r / S S S".replace("r", color[0]), "b1b2").game
    assert {name: game.counts[name] for name in COLORS} == {name: 3 * (name == color) for name in COLORS}


def test_every_count_is_among_these() -> None:
    assert {name for _, _, counted in COUNTED.values() for name in counted} | set(COLORS) == set(COUNTS)


def test_counts_go_on_over_the_attempt() -> None:
    assert played(*LINE, "counts: red 7, lock 2").game.counts["red"] == 10


# Goals


@pytest.mark.parametrize(
    ("goals", "values", "won"),
    [
        ({"score": 60}, "", True),
        ({"score": 61}, "", False),
        ({"score": 61}, "score: 1", True),
        ({"orders": {"red": 3}}, "", True),
        ({"orders": {"red": 4}}, "", False),
        ({"orders": {"red": 4}}, "counts: red 1", True),
        ({"orders": {"red": 2}}, "", True),  # more than asked is no harm
        ({"orders": {"red": 3, "blue": 1}}, "", False),  # all must be met
        ({"orders": {"red": 3, "blue": 1}}, "counts: blue 1", True),
        ({"orders": {"red": 3}, "score": 61}, "", False),
        ({"orders": {"red": 3}, "score": 60}, "", True),
        ({"ingredients": {"cherry": 1}}, "", False),
        ({"ingredients": {"cherry": 1}}, "counts: cherry 1", True),
        ({"ingredients": {"cherry": 1, "hazelnut": 1}}, "counts: cherry 2", False),
    ],
)
def test_an_attempt_is_won_when_all_goals_are_met(goals: dict[str, Any], values: str, won: bool) -> None:
    assert played(*LINE, values, goals=goals, moves=1).game.status == ("won" if won else "lost")


@pytest.mark.parametrize(
    ("asked", "layers", "won"), [("all", 3, False), (2, 3, True), (3, 3, False), ("all", 2, True)]
)
def test_jelly_all_or_so_many_layers(asked: Any, layers: int, won: bool) -> None:
    board = "o r p / r' b' r / y' g c" if layers == 3 else "o r p / r' b' r / y g c"
    game = played(board, "b1b2", goals={"jelly": asked}, moves=1).game
    assert game.status == ("won" if won else "lost")
    assert game.goals == (GoalProgress("jelly", layers if asked == "all" else asked, 2),)


def test_goals_tell_how_far_they_have_come() -> None:
    goals = {"score": 500, "orders": {"red": 2, "blue": 9}}
    game = played(*LINE, "counts: blue 4", goals=goals).game
    assert game.goals == (
        GoalProgress("score", 500, 60),
        GoalProgress("red", 2, 3),
        GoalProgress("blue", 9, 4),
    )
    assert [goal.met for goal in game.goals] == [False, True, False]


# Limits


def test_a_move_costs_a_move() -> None:
    game = played("o r p / r b r / y g b / g b y", "b1b2", moves=9).game
    assert (game.moves_made, game.moves_left, game.time_left) == (1, 8, None)


@pytest.mark.parametrize(("time_candies", "left"), [(0, 8.625), (1, 11.625), (3, 17.625)])
def test_a_move_and_its_rounds_cost_time_and_time_candies_give_some_back(
    time_candies: int, left: float
) -> None:
    board = "o r p / r b r / y g c".replace("r", "r@", time_candies)
    game = played(board, "b1b2", seconds=10, pace={"move": 1.25, "round": 0.125, "time_candy": 3}).game
    assert (game.time_left, game.moves_left) == (left, None)


def test_each_round_costs_time() -> None:
    two_rounds = played("r r y / r r b / g g o / r r g", "c3c4", seconds=10)
    assert len(two_rounds.turn.rounds) == 2
    assert two_rounds.game.time_left == 10 - 2 - 2 * 0.5


def test_a_time_candy_gives_nothing_in_a_level_with_moves() -> None:
    game = played("o r@ p / r b r / y g c", "b1b2", moves=5).game
    assert (game.time_left, game.moves_left) == (None, 4)


# Stars


@pytest.mark.parametrize(
    ("stars", "earned"), [([61, 70, 80], 0), ([60, 61, 62], 1), ([10, 60, 61], 2), ([1, 2, 60], 3)]
)
def test_a_won_attempt_earns_a_star_for_each_score_it_reaches(stars: list[int], earned: int) -> None:
    outcome = played(*LINE, goals={"orders": {"red": 3}}, stars=stars, moves=5).game.outcome
    assert outcome == Outcome(True, "goals met", 60, earned, 1, 4, None)


def test_a_lost_attempt_earns_none() -> None:
    outcome = played(*LINE, stars=[1, 2, 3], moves=1).game.outcome
    assert outcome == Outcome(False, "moves", 60, 0, 1, 0, None)


# Scores

WRAPPED = "y b o g y / b o y r o / y r r+ b g / o g b y p / g y o b y", "d2d3"

SCORED: dict[str, tuple[str, str, list[int], list[int], list[int]]] = {
    # name: board, move, and the rounds' scores by saga, pieces and quadratic
    "three": (*LINE, [60], [3], [60]),
    "four": ("y b r g / r r b r / o y g b", "c1c2", [120], [4], [120]),
    "five": ("y b r g y / r r b r r / o y g b o", "c1c2", [200], [5], [200]),
    "L": ("y g r b / b y r g / r r b o / y g r y", "c3c4", [200], [5], [60]),
    "T with four": ("y g r b / r r b r / y g r y / b y r g", "c1c2", [200], [6], [120]),
    "two groups": ("r r g r / g g r y / y b o y", "c1c2", [120 + 60], [7], [120]),
    "round 2": (
        "r r y / r r b / g g o / r r g",
        "c3c4",
        [60, 2 * (60 + 60) + 2 * 60],  # two swirls came in beside the lines of round 2
        [3, 6 + 2],
        [60, 2 * 60],
    ),
    "pieces in a blast": ("y b r g o / b g r= y p / o y b r y", "c3d3", [60 + 4 * 60], [7], [60]),
    "a wrapped candy once": (*WRAPPED, [60 + 6 * 60, 8 * 60], [9, 8], [60, 0]),
    "a combination": ("- - - / r= b= y / - g -", "a2b2", [4 * 60], [4], [0]),
    "a color bomb": ("- - - / * r - / - r -", "a2b2", [3 * 60], [3], [0]),
    "jelly": ("o r p / r'' b' r / y' g c", "b1b2", [60 + 2 * 1000], [3], [60]),
    "icing": ("o r p / r b r / #1 #2 #3", "b1b2", [60 + 3 * 20], [3], [60]),
    "chocolate": ("o r p / r b r / X X c", "b1b2", [60 + 2 * 20], [3], [60]),
    "marmalade": ("o r p / r b r / yM g c", "b1b2", [60 + 20], [3], [60]),
    "lock": ("o r p / rL b r / yL g c", "b1b2", [60 + 20], [2], [60]),
    "swirls": ("o r p / r b r / S g S", "b1b2", [60 + 2 * 60], [5], [60]),
    "countdown bomb in a line": ("o r9 p / r b r / y g c", "b1b2", [60 + 3000], [3], [60]),
    "countdown bomb in a blast": (
        "y b r g o / b g r= - p9 / o y b r y",
        "c3d3",
        [60 + 3 * 60 + 3000],
        [6],
        [60],
    ),
    "ingredient": ("o y g / b C r / r r y", "c2c3", [60 + 10_000], [3], [60]),
}


@pytest.mark.parametrize("scheme", ["saga", "pieces", "quadratic"])
@pytest.mark.parametrize("name", SCORED)
def test_scores(name: str, scheme: str) -> None:
    board, move, *scores = SCORED[name]
    game = played(board, move, scoring=scheme)
    expected = scores[["saga", "pieces", "quadratic"].index(scheme)]
    assert [turn.score for turn in game.turn.rounds] == expected
    assert game.game.score == game.turn.score == sum(expected)


@pytest.mark.parametrize(
    ("before", "after"), [(999_402_000, 999_999_500), (999_402_501, 10**9), (10**9, 10**9)]
)
def test_time_is_never_more_than_a_billion_milliseconds(before: int, after: int) -> None:
    board = "o r p y b / r@ b r g o / y g c o p"
    game = played(board, "b1b2", f"time: {before}", seconds=60, pace={"time_candy": 600})
    assert game.game.time_left == after / 1000


# The bonus

# The yellow candy is the only plain one left when the reds are gone.
LAST_PLAIN = "o~ r p~ / r b~ r / - y -", "b1b2"


def test_a_remaining_move_turns_a_plain_candy_into_a_striped_one_that_goes_off() -> None:
    game = played(*LAST_PLAIN, goals={"orders": {"red": 3}}, moves=3, bonus=True)
    assert game.game.status == "won"
    assert [[round.number for round in cascade] for cascade in game.turn.bonus] == [[1]]
    assert game.game.counts["yellow"] == 1
    assert game.game.score == game.turn.score == 60 + 3000 + 60
    assert game.game.moves_left == 2  # as it was when the attempt was won
    assert game.draws == 3 + 2 + 1  # swirls; the candy and its direction; another swirl


def test_the_bonus_ends_when_no_plain_candy_is_left() -> None:
    game = played(*LAST_PLAIN, goals={"orders": {"red": 3}}, moves=20, bonus=True)
    assert len(game.turn.bonus) == 1


def test_every_remaining_move_goes_off() -> None:
    board = "o r p y b / r b r g o / y g c o p / b o y g y"
    game = played(board, "b1b2", goals={"orders": {"red": 3}}, moves=4, bonus=True)
    assert len(game.turn.bonus) == 3
    assert all(cascade[0].number == 1 for cascade in game.turn.bonus)
    assert game.game.counts["red"] >= 3


@pytest.mark.parametrize("scheme", ["pieces", "quadratic"])
def test_only_saga_scoring_gives_points_for_a_remaining_move(scheme: str) -> None:
    game = played(*LAST_PLAIN, goals={"orders": {"red": 3}}, moves=3, bonus=True, scoring=scheme)
    assert game.game.score == {"pieces": 3 + 1, "quadratic": 60}[scheme]


def test_no_bonus_unless_the_level_says_so_or_without_moves_left() -> None:
    won = {"orders": {"red": 3}}
    assert played(*LAST_PLAIN, goals=won, moves=3).turn.bonus == ()
    assert played(*LAST_PLAIN, goals=won, moves=1, bonus=True).turn.bonus == ()
    assert played(*LAST_PLAIN, moves=3, bonus=True).turn.bonus == ()


THREE_REDS: dict[str, Any] = {"goals": {"orders": {"red": 3}}, "bonus": True}


def test_specials_go_off_before_remaining_moves() -> None:
    game = played("o~ r p~ / r b= r / - y -", "b1b2", moves=3, **THREE_REDS)
    assert len(game.turn.bonus) == 2
    assert game.turn.bonus[0][0].score == 3 * 60  # the row of the striped candy
    assert game.game.counts["sugar"] == 2


def test_specials_go_off_with_no_moves_left() -> None:
    game = played("o~ r p~ / r b= r / - y -", "b1b2", moves=1, **THREE_REDS)
    assert [[round.number for round in cascade] for cascade in game.turn.bonus] == [[1]]
    assert game.game.score == game.turn.score == 60 + 3 * 60
    assert game.game.counts["yellow"] == 0
    assert game.game.moves_left == 0
    assert game.draws == 3 + 3  # swirls


def test_all_specials_go_off_at_once() -> None:
    game = played("o~ r p~ / r b= r / - y| -", "b1b2", moves=1, **THREE_REDS)
    assert len(game.turn.bonus) == 1
    assert game.turn.bonus[0][0].score == 5 * 60  # the row, the swirl above it, and the lower striped candy


@pytest.mark.parametrize("cover", ["L", "M"])
def test_covered_specials_stay(cover: str) -> None:
    game = played(f"o~ r p~ / r b~ r / - c~ - / - y={cover} -", "b1b2", moves=1, **THREE_REDS)
    assert game.game.status == "won"
    assert game.turn.bonus == ()
    assert game.game.cells[10].piece == "striped row"


def test_specials_that_come_in_meanwhile_go_off_too() -> None:
    drops = [{"piece": "striped", "keep": 1, "total": 3}, {"piece": "swirl", "rate": 1}]
    game = played(*LAST_PLAIN, moves=1, drops=drops, **THREE_REDS)
    assert len(game.turn.bonus) == 3
    assert not any(cell.piece in ("striped row", "striped column") for cell in game.game.cells)


@pytest.mark.parametrize("moves_left", [0, 2])
def test_specials_go_off_at_most_50_times(moves_left: int) -> None:
    drops = [{"piece": "striped", "keep": 1}]
    game = played(*LAST_PLAIN, moves=1 + moves_left, drops=drops, **THREE_REDS)
    assert len(game.turn.bonus) == 50 + moves_left
    assert any(cell.piece in ("striped row", "striped column") for cell in game.game.cells)


def test_in_a_level_with_seconds_specials_go_off_and_take_no_time() -> None:
    game = played("o~ r p~ / r b= r / - y@ -", "b1b2", seconds=60, **THREE_REDS)
    assert len(game.turn.bonus) == 1
    assert game.game.score == 60 + 3 * 60
    assert game.game.time_left == 60 - 2 - 0.5


def test_nothing_of_what_follows_a_move_follows_the_bonus() -> None:
    """No bomb ticks, no chocolate spreads."""
    board = "o~ r p~ / r b~ r / - y - / - g1L - / - X -"
    game = played(board, "b1b2", goals={"orders": {"red": 3}}, moves=3, bonus=True)
    assert game.game.status == "won"
    assert game.game.cells[10].timer == 1
    assert sum(cell.blocker == "chocolate" for cell in game.game.cells) == 1
