"""Advice about goals: what cannot be reached, or only in a way the designer may not have in mind."""

from collections.abc import Iterator
from math import inf
from typing import Final

from levelsense.advice.advice import Advice, Severity
from levelsense.advice.supply import COMBINATIONS, SPECIALS, Supply
from levelsense.level.elements import BLOCKERS, Element
from levelsense.level.problems import Place
from levelsense.level.tokens import COLORS, INGREDIENTS

# Of play as it goes on ordinary boards, a move clears far less than the whole board. A score that needs
# three whole boards a move, every move, is taken for a mistake.
BOARDS_A_MOVE: Final = 3
LONG_CASCADE: Final = 10

_SHAPES: Final = {"striped": "line of four", "color bomb": "line of five", "wrapped": "L, T or +"}


def goal_place(count: str) -> Place:
    """The key of the level file that asks for a count."""
    if count in ("jelly", "score"):
        return "goals", count
    return "goals", "ingredients" if count in INGREDIENTS else "orders", count


def short_supply(supply: Supply) -> Iterator[Advice]:
    """Goals that ask for more than there can ever be."""
    for count, asked in supply.level.asked.items():
        if count != "score" and asked > supply.most(count):
            finding = f"asks for {asked}, but {_why_short(supply, count)}"
            yield Advice("error", "goal-out-of-supply", goal_place(count), finding)


def _why_short(supply: Supply, count: str) -> str:
    if count in INGREDIENTS and not supply.level.exit_cells:
        return "the level has no exit"
    if count in SPECIALS:
        return _why_not_made(supply, count)
    most = int(supply.most(count))
    if count in COLORS:
        return f"{count} is not among the colors, and at most {most} are drawn or drop in"
    if count in COMBINATIONS:
        return f"the board can have specials for at most {most}"
    return f"at most {most} are drawn or drop in" if most else "none is drawn or drops in"


def _why_not_made(supply: Supply, special: str) -> str:
    rules = supply.level.rules
    if rules == "plain" or (rules == "mcadams" and special == "wrapped"):
        return f"the rule set {rules} makes none"
    return f"no {_SHAPES[special]} fits on the board"


def combinations_against_moves(supply: Supply) -> Iterator[Advice]:
    """A combination takes a move of its own."""
    asked = sum(number for count, number in supply.level.asked.items() if count in COMBINATIONS)
    if asked > supply.most_moves:
        finding = f"ask for {asked} combinations, but there is time for at most {supply.most_moves:g} moves"
        yield Advice("error", "too-few-moves", ("goals", "orders"), finding)


def blockers_to_grow(supply: Supply) -> Iterator[Advice]:
    """More of a blocker asked than drawn: it has to be left to grow."""
    for name in (element.name for element in BLOCKERS if element.grows):
        drawn = sum(cell.blocker == name for cell in supply.level.cells)
        asked = supply.level.asked.get(name, 0)
        if 0 < drawn < asked:
            finding = f"asks for {asked}, but {drawn} are drawn: the player has to let {name} grow"
            yield Advice("note", "must-grow", goal_place(name), finding)


def jelly_out_of_line(supply: Supply) -> Iterator[Advice]:
    """Jelly where no line fits."""
    cells, asked = supply.level.cells, supply.level.asked.get("jelly", 0)
    hidden = [index for index, cell in enumerate(cells) if cell.jelly and not supply.layout.line_fits(index)]
    if not hidden or not asked:
        return
    names, layers = supply.layout.cell_names(hidden), sum(cells[index].jelly for index in hidden)
    if supply.blasts:
        finding = "no line of three fits here: only blasts reach the jelly"
        yield Advice("warning", "jelly-out-of-line", ("jelly",), finding, names)
    elif asked > supply.most("jelly") - layers:
        finding = "no line of three fits here, and the level has no blasts"
        yield Advice("error", "jelly-out-of-line", ("jelly",), finding, names)


def blockers_out_of_line(supply: Supply) -> Iterator[Advice]:
    """Blockers that no line can touch or, if that is what they need, go through."""
    for element in BLOCKERS:
        name = element.name
        cells = [index for index, cell in enumerate(supply.level.cells) if cell.blocker == name]
        apart = [index for index in cells if not _line_removes(supply, element, index)]
        if not apart:
            continue
        place, names = ("locks" if element.place == "cover" else "board",), supply.layout.cell_names(apart)
        if not supply.blasts:
            is_needed = supply.level.asked.get(name, 0) > len(cells) - len(apart) and not element.grows
            severity: Severity = "error" if is_needed else "warning"
            yield Advice(severity, "blocker-out-of-line", place, f"nothing can remove this {name}", names)
        elif element.on or element.beside:
            finding = f"no line can remove this {name}: only blasts do"
            severity = _severity(supply, element, apart)
            yield Advice(severity, "blocker-out-of-line", place, finding, names)


def _line_removes(supply: Supply, element: Element, index: int) -> bool:
    through = element.on and supply.level.cells[index].colored and supply.layout.line_fits(index)
    return through or (element.beside and supply.layout.line_fits_beside(index))


def _severity(supply: Supply, element: Element, apart: list[int]) -> Severity:
    """To lock up a piece without color is a choice; a blocker where no line fits may be a slip."""
    is_choice = not element.beside and not any(supply.level.cells[index].colored for index in apart)
    return "note" if is_choice else "warning"


def scores_out_of_reach(supply: Supply) -> Iterator[Advice]:
    """A score goal or star far beyond what the moves can bring."""
    level, most = supply.level, _generous_score(supply)
    if level.goals.score is not None and level.goals.score > most:
        yield Advice(
            "warning", "score-out-of-reach", ("goals", "score"), _too_high(supply, level.goals.score, most)
        )
    # A bonus scores after the win, so a star is not bound by the moves.
    if level.stars is not None and level.stars[-1] > most and not level.bonus:
        yield Advice("warning", "score-out-of-reach", ("stars",), _too_high(supply, level.stars[-1], most))


def _too_high(supply: Supply, score: int, most: float) -> str:
    return f"{score} is out of reach: {supply.most_moves:g} very good moves bring about {most:.0f}"


def _generous_score(supply: Supply) -> float:
    """A generous bound of the score of an attempt."""
    tiles, scheme = len(supply.layout.tiles), supply.level.scoring_scheme
    if len(set(supply.level.color_table)) < 5:
        return inf  # with few colors a cascade may be of any length
    if scheme == "pieces":
        return supply.most_moves * BOARDS_A_MOVE * tiles
    if scheme == "quadratic":
        line = supply.layout.longest_line
        return supply.most_moves * (10 * line**2 - 10 * line) * sum(range(1, LONG_CASCADE + 1))
    extra = 1000 * supply.most("jelly") + 3000 * supply.most("countdown")
    extra += 10_000 * sum(supply.most(ingredient) for ingredient in INGREDIENTS)
    return supply.most_moves * BOARDS_A_MOVE * tiles * 60 + extra


def stars_below_the_goal(supply: Supply) -> Iterator[Advice]:
    """Stars that every win earns."""
    score, stars = supply.level.goals.score, supply.level.stars
    if score is None or stars is None:
        return
    below = [star for star in stars if star < score]
    if len(below) > 1:
        finding = f"{below[-1]} is below the score goal, {score}: every win earns {len(below)} stars"
        yield Advice("warning", "stars-below-goal", ("stars",), finding)
    elif below:
        finding = f"{below[0]} is below the score goal, {score}: it could be the same"
        yield Advice("note", "stars-below-goal", ("stars",), finding)


GOAL_RULES: Final = (
    short_supply,
    combinations_against_moves,
    blockers_to_grow,
    jelly_out_of_line,
    blockers_out_of_line,
    scores_out_of_reach,
    stars_below_the_goal,
)
