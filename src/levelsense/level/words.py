"""Goals and numbers of things in a designer's words."""

from levelsense.level.elements import ELEMENTS

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
