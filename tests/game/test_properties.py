"""What holds in every game, whatever the level and the moves."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from levelsense.game.game import Game
from levelsense.game.turn import Turn
from levelsense.level.checks import fall_sources
from levelsense.level.elements import BLOCKERS
from levelsense.level.level import Level
from levelsense.level.tokens import INGREDIENTS, Cell
from tests.random_levels import random_level

pytestmark = pytest.mark.slow

MOVES = 12
Cells = tuple[Cell, ...]
GROWING = [element.name for element in BLOCKERS if element.grows]
seeds = given(seed=st.integers(0, 2**32))
some = settings(max_examples=30, deadline=None)


def new_game(seed: int) -> Game:
    return Game(Level.model_validate(random_level(random.Random(seed))), seed)


def turns(game: Game, seed: int) -> Iterator[Turn]:
    """Plays random moves; the game stands after the turn that is given."""
    choice = random.Random(seed)
    for _ in range(MOVES):
        if not game.legal_moves:
            return
        yield game.play(choice.choice(game.legal_moves))


def lines(level: Level, cells: Cells) -> list[tuple[int, ...]]:
    """All runs of three cells that show one color."""
    rows, columns = level.rows, level.columns
    across = [(k, k + 1, k + 2) for k in range(len(cells)) if k % columns < columns - 2]
    down = [(k, k + columns, k + 2 * columns) for k in range((rows - 2) * columns)]
    shown = [cell.visible_color for cell in cells]
    return [run for run in across + down if shown[run[0]] and len({shown[k] for k in run}) == 1]


def covered(cell: Cell) -> bool:
    return cell.blocker is not None


def entries(level: Level) -> set[int]:
    """Where new pieces come in: dispensers, and the uppermost tiles that nothing falls into."""
    uppermost: dict[int, int] = {}
    for k, cell in enumerate(level.cells):
        if cell.tile:
            uppermost.setdefault(k % level.columns, k)
    sources = fall_sources(level)
    dispensers = {level.index(name) for dispenser in level.dispensers for name in dispenser.at}
    return dispensers | {k for k in uppermost.values() if sources[k] is None}


def could_slide(columns: int, cells: Cells, empty: int) -> bool:
    """Whether a piece could still slide into an empty tile."""
    for side in (-1, 1):
        above = empty - columns + side
        on_board = empty >= columns and 0 <= empty % columns + side < columns
        if on_board and cells[above].piece is not None and not covered(cells[above]):
            return True
    return False


def could_fall(
    sources: Mapping[int, int | None], entered: set[int], cells: tuple[Cell, ...], empty: int
) -> bool:
    """Whether a piece could still fall or enter into an empty tile."""
    at: int | None = empty
    while at is not None and not covered(cells[at]):
        if cells[at].piece is not None or at in entered:
            return True
        at = sources[at]
    return False


@some
@seeds
def test_a_first_board_has_no_line_and_a_legal_move(seed: int) -> None:
    game = new_game(seed)
    if game.status == "playing":
        assert lines(game.level, game.cells) == []
        assert game.legal_moves
    else:
        assert game.outcome is not None
        assert game.outcome.reason == "no move possible"


@some
@seeds
def test_no_line_is_left_and_a_move_is_legal_while_playing(seed: int) -> None:
    game = new_game(seed)
    for _ in turns(game, seed):
        assert bool(game.legal_moves) == (game.status == "playing")
        if game.status == "playing":
            assert lines(game.level, game.cells) == []


def leads_up(level: Level) -> bool:
    """Whether a teleporter leads up: pieces may then slide and fall in circles, until 500 steps are done."""
    return any(
        level.index(way.to) // level.columns <= level.index(way.from_) // level.columns
        for way in level.teleporters
    )


@some
@seeds
def test_nothing_floats(seed: int) -> None:
    game = new_game(seed)
    assume(not leads_up(game.level))
    columns, sources, entered = game.level.columns, fall_sources(game.level), entries(game.level)
    for turn in turns(game, seed):
        for board in (game.cells, *(one_round.after for one_round in turn.rounds)):
            empty = [
                k for k, cell in enumerate(board) if cell.tile and cell.piece is None and not covered(cell)
            ]
            assert [k for k in empty if could_slide(columns, board, k)] == []
            assert [k for k in empty if could_fall(sources, entered, board, k)] == []


@some
@seeds
def test_no_uncovered_ingredient_stays_on_an_exit(seed: int) -> None:
    game = new_game(seed)
    for turn in turns(game, seed):
        last_round = (turn.rounds, *turn.bonus)[-1][-1]
        if len(last_round.collected) >= 100:
            continue  # as often as they may leave before the board rests
        on_exits = [game.cells[k] for k in game.level.exit_cells]
        assert not [cell for cell in on_exits if cell.piece in INGREDIENTS and not covered(cell)]


@some
@seeds
def test_layers_never_grow_and_only_what_grows_comes_back_with_one(seed: int) -> None:
    game = new_game(seed)
    before = game.cells
    for _ in turns(game, seed):
        for old, new in zip(before, game.cells, strict=True):
            assert new.tile == old.tile
            assert new.jelly <= old.jelly
            if new.blocker in GROWING and new.blocker != old.blocker:
                assert new.layers <= 1
            else:
                assert new.layers <= old.layers
                assert new.blocker in (None, old.blocker)
        before = game.cells


@some
@seeds
def test_ingredients_are_never_destroyed(seed: int) -> None:
    game = new_game(seed)

    def on_board(name: str) -> int:
        return sum(cell.piece == name for cell in game.cells)

    start = {name: on_board(name) for name in INGREDIENTS}
    for _ in turns(game, seed):
        for name in INGREDIENTS:
            drops = zip(game.level.all_drops, game.state.dropped.tolist(), strict=False)
            dropped = sum(n for drop, n in drops if drop.piece == name)
            assert on_board(name) + game.counts[name] == start[name] + dropped


@some
@seeds
def test_what_is_counted_and_what_is_left_add_up(seed: int) -> None:
    game = new_game(seed)
    grown: Counter[str] = Counter()

    def left() -> dict[str, int]:
        legal = {
            element.name: sum(cell.blocker == element.name for cell in game.cells) - grown[element.name]
            for element in BLOCKERS
        }
        legal["jelly"] = sum(cell.jelly for cell in game.cells)
        drops = zip(game.level.all_drops, game.state.dropped.tolist(), strict=False)
        came_in = sum(n for drop, n in drops if drop.piece == "swirl")
        legal["swirl"] = sum(cell.piece == "swirl" for cell in game.cells) - came_in
        return legal

    start = left()
    for turn in turns(game, seed):
        grown.update(name for name in GROWING for event in turn.after if event.startswith(f"{name} spread"))
        assert {name: game.counts[name] + n for name, n in left().items()} == start


@some
@seeds
def test_moves_made_and_left_add_up_and_scores_never_fall(seed: int) -> None:
    game = new_game(seed)
    scores = [0]
    for number, turn in enumerate(turns(game, seed), 1):
        assert game.moves_made == number
        assert game.moves_left is None or game.moves_left + number == game.level.moves
        assert turn.score == game.score - scores[-1]
        scores.append(game.score)
    assert all(old <= new for old, new in pairwise(scores))


@some
@seeds
def test_an_attempt_is_won_only_with_all_goals_met(seed: int) -> None:
    game = new_game(seed)
    for _ in turns(game, seed):
        assert (game.status == "won") == all(goal.met for goal in game.goals)
        assert (game.outcome is None) == (game.status == "playing")


@some
@seeds
def test_the_same_seed_and_moves_give_the_same_game(seed: int) -> None:
    one, other = new_game(seed), new_game(seed)
    for turn, twin in zip(turns(one, seed), turns(other, seed), strict=True):
        assert turn == twin
        assert one.state.tobytes() == other.state.tobytes()
    assert str(one) == str(other)


@some
@seeds
def test_what_a_copy_plays_does_not_reach_the_original(seed: int) -> None:
    game = new_game(seed)
    for _ in turns(game, seed):
        before = str(game), game.state.tobytes()
        for move in game.legal_moves[:3]:
            game.copy().play(move)
        assert (str(game), game.state.tobytes()) == before
