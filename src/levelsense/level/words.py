"""A level's goals, limits and drops in a designer's words."""

from levelsense.level.elements import ELEMENTS
from levelsense.level.level import Drop, Level

_NOUNS = {
    "score": ("point", "points"),
    "jelly": ("layer of jelly", "layers of jelly"),
    "cherry": ("cherry", "cherries"),
    "color bomb": ("color bomb", "color bombs"),
    **{element.name: (element.noun or element.name, element.several) for element in ELEMENTS},
}
_ONE_S_MORE = ("hazelnut", "gap", "row", "column", "teleporter", "dispenser", "exit", "move")
_VERBS = {
    "score": "reach",
    "jelly": "clear",
    "cherry": "bring down",
    "hazelnut": "bring down",
    "striped": "make",
    "wrapped": "make",
    "color bomb": "make",
    **{element.name: element.verb for element in ELEMENTS},
}


def counted(number: int, name: str) -> str:
    """A number of things: `1 cherry`, `30 red candies`."""
    one, several = _nouns(name)
    return f"{number:,} {one if number == 1 else several}"


def plural(name: str) -> str:
    """Several of what a goal counts: `cherries`, `swaps of striped with wrapped`."""
    return f"swaps of {' with '.join(name.split('+'))}" if "+" in name else _nouns(name)[1]


def _nouns(name: str) -> tuple[str, str]:
    plain = (name, f"{name}s") if name in _ONE_S_MORE else (f"{name} candy", f"{name} candies")
    return _NOUNS.get(name, plain)


def goal_words(name: str, asked: int) -> str:
    """What a goal asks of the player, by the name of its count: `bring down 2 cherries`."""
    if "+" in name:
        times = {1: "once", 2: "twice"}.get(asked, f"{asked:,} times")
        return f"swap {' with '.join(name.split('+'))} {times}"
    return f"{_VERBS.get(name, 'collect')} {counted(asked, name)}"


def color_words(level: Level) -> str:
    """The colors that drop in; with their shares, if those differ."""
    table = level.color_table
    weights = {color: table.count(color) for color in dict.fromkeys(table)}
    if len(set(weights.values())) == 1:
        return f"{len(weights)}: {', '.join(weights)}"
    shares = (f"{color} {weight / len(table):.0%}" for color, weight in weights.items())
    return f"{len(weights)}: {', '.join(shares)}"


def drop_words(drop: Drop, where: str = "") -> str:
    """When a drop enters: `cherry: kept at 1, at most 1`."""
    what = " ".join(word for word in (drop.color, drop.piece) if word)
    if drop.timer is not None:
        what += f" {drop.timer}"
    when = f"kept at {drop.keep}" if drop.rate is None else f"{100 * drop.rate:.4g}% of what enters"
    most = "" if drop.total is None else f", at most {drop.total}"
    return f"{what}{where}: {when}{most}"


def dispenser_words(level: Level) -> list[str]:
    """What enters at the level's dispensers, a line a drop."""
    lines = []
    for dispenser in level.dispensers:
        where = f" at {', '.join(dispenser.at)}"
        lines += [drop_words(drop, where) for drop in dispenser.drops] or [f"plain candies{where}"]
    return lines
