"""Advice about pieces: bombs that cannot be cleared, and pieces, drops and keys without effect."""

from collections.abc import Callable, Iterator
from typing import Final

from levelsense.advice.advice import Advice
from levelsense.advice.supply import Supply, reachable_drops
from levelsense.level.checks import SHARES
from levelsense.level.elements import is_hidden_by
from levelsense.level.tokens import COLORLESS_PIECES, COLORS, INGREDIENTS, Cell


def short_fuses(supply: Supply) -> Iterator[Advice]:
    """Countdown bombs whose number leaves a single move."""
    ticking = _bombs(supply, lambda cell: not is_hidden_by(cell.blocker) and cell.timer == 1)
    if ticking:
        bombs = "this bomb" if len(ticking) == 1 else "all of these bombs"
        finding = f"the first move has to clear {bombs}"
        yield Advice("warning", "short-fuse", ("board",), finding, supply.layout.cell_names(ticking))
    asleep = _bombs(supply, lambda cell: is_hidden_by(cell.blocker) and cell.timer == 1)
    if asleep:
        finding = "this bomb goes off with the move that frees it, unless the same move clears it too"
        yield Advice("warning", "short-fuse", ("board",), finding, supply.layout.cell_names(asleep))
    if any(drop.piece == "countdown" and drop.timer == 1 for drop in supply.drops):
        finding = "a timer of 1 leaves a single move to clear the bomb"
        yield Advice("warning", "short-fuse", ("drops", "countdown"), finding)


def _bombs(supply: Supply, chosen: Callable[[Cell], bool]) -> list[int]:
    cells = enumerate(supply.level.cells)
    return [index for index, cell in cells if cell.piece == "countdown" and chosen(cell)]


def harmless_bombs(supply: Supply) -> Iterator[Advice]:
    """Countdown bombs that outlast the level's moves."""
    moves = supply.level.moves
    if moves is None:
        return
    long = _bombs(supply, lambda cell: cell.timer >= moves)
    if long:
        finding = f"harmless: the level ends after {moves} moves, before the bomb goes off"
        yield Advice("note", "harmless-bomb", ("board",), finding, supply.layout.cell_names(long))
    # A dropped bomb enters with the first move at the earliest, and has its number of moves after that.
    if any(drop.piece == "countdown" and (drop.timer or 0) + 1 >= moves for drop in supply.drops):
        finding = f"harmless: the level ends after {moves} moves, before the bomb goes off"
        yield Advice("note", "harmless-bomb", ("drops", "countdown"), finding)


def bombs_out_of_line(supply: Supply) -> Iterator[Advice]:
    """Countdown bombs that no line can clear: where none fits, or of a color that is too rare."""
    layout = supply.layout
    fate = "only a blast can clear this bomb" if supply.blasts else "nothing can clear this bomb"
    bombs = _bombs(supply, lambda cell: True)
    apart = [index for index in bombs if not any(map(layout.line_fits, layout.reached([index], swaps=True)))]
    if apart:
        finding = f"no line of three fits here: {fate}"
        yield Advice("warning", "bomb-out-of-line", ("board",), finding, layout.cell_names(apart))
    rare = _bombs(supply, lambda cell: cell.color is not None and supply.most(cell.color) < 3)
    if rare:
        finding = f"there are fewer than three of its color: {fate}"
        yield Advice("warning", "bomb-out-of-line", ("board",), finding, layout.cell_names(rare))


def rare_colors(supply: Supply) -> Iterator[Advice]:
    """Drawn colors that do not drop in, too few for a line."""
    for color in COLORS:
        plain = [
            index
            for index, cell in enumerate(supply.level.cells)
            if cell.color == color and cell.piece in ("candy", ("sugar",), "time")
        ]
        if plain and supply.most(color) < 3:
            finding = f"no {color} drops in, and there are fewer than three: no line can clear it"
            yield Advice("note", "rare-color", ("board",), finding, supply.layout.cell_names(plain))


def idle_drops(supply: Supply) -> Iterator[Advice]:
    """Drops that never apply."""
    layout = supply.layout
    if supply.level.drops and ("drops",) not in layout.drop_lists:
        yield Advice("warning", "idle-drop", ("drops",), "never used: there is a dispenser at every entry")
    for key, drops in layout.drop_lists.items():
        used = len(reachable_drops(drops))
        if used < len(drops):
            finding = "never used: the rates before it add up to 1"
            yield Advice("warning", "idle-drop", (*key, used), finding)


def idle_sugar(supply: Supply) -> Iterator[Advice]:
    """Sugar candies that pay nothing, and payouts that never come."""
    sugar, most = supply.level.sugar, supply.most("sugar")
    if sugar is None:
        if most and "sugar" not in supply.level.asked:
            finding = "left out: sugar candies pay nothing and are not asked for"
            yield Advice("note", "idle-sugar", ("sugar",), finding)
    elif most < sugar.every:
        finding = f"never pays: it takes {sugar.every}, and at most {most:g} can come"
        yield Advice("warning", "idle-sugar", ("sugar",), finding)


def idle_pieces(supply: Supply) -> Iterator[Advice]:
    """Time candies where no time runs, and ingredients that no goal asks for."""
    level = supply.level
    if level.moves is not None and supply.most("time") and "time" not in level.asked:
        finding = "time candies give nothing in a level with moves, and are not asked for"
        yield Advice("note", "idle-piece", ("moves",), finding)
    for piece in INGREDIENTS:
        present = any(cell.piece == piece for cell in level.cells) or any(
            drop.piece == piece for drop in supply.drops
        )
        if present and piece not in level.asked:
            yield Advice(
                "note", "idle-piece", ("goals",), f"the level has a {piece}, but no goal asks for it"
            )


def endless_time(supply: Supply) -> Iterator[Advice]:
    """Time candies that drop in so often that the poorest move, a line of three, gains time."""
    pace = supply.level.pace
    rate = sum(drop.rate or 0 for drop in supply.drops if drop.piece == "time" and drop.total is None)
    if supply.level.seconds is not None and 3 * rate * pace.time_candy >= pace.move + pace.round:
        finding = "time candies give more time than moves cost: an attempt may never end"
        yield Advice("warning", "endless-time", ("pace",), finding)


def nothing_to_match(supply: Supply) -> Iterator[Advice]:
    """Entries that let in nothing but pieces without color: lines run out."""
    for key, drops in supply.layout.drop_lists.items():
        endless = [drop for drop in reachable_drops(drops) if drop.rate is not None and drop.total is None]
        shares = sum(round((drop.rate or 0) * SHARES) for drop in endless)
        if shares < SHARES or any(drop.piece not in COLORLESS_PIECES for drop in endless):
            continue
        pieces = " and ".join(dict.fromkeys(drop.piece for drop in endless))
        finding = f"only {pieces} pieces enter, at rates that add up to 1: nothing comes in to match"
        yield Advice("warning", "nothing-to-match", key, finding)


def idle_bonus(supply: Supply) -> Iterator[Advice]:
    """A bonus without moves and without specials to go off."""
    if supply.level.bonus and supply.level.moves is None and not supply.blasts:
        finding = "without effect: the level has no moves that could be left, and no specials to go off"
        yield Advice("note", "idle-bonus", ("bonus",), finding)


PIECE_RULES: Final = (
    short_fuses,
    harmless_bombs,
    bombs_out_of_line,
    rare_colors,
    idle_drops,
    idle_sugar,
    idle_pieces,
    endless_time,
    nothing_to_match,
    idle_bonus,
)
