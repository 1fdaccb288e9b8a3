"""The table of elements: a row for each thing that is in a player's way, read by every part of the product.

Kernels read it as arrays (game/state.py); checks, texts, drawings, advice, features and the saga read its
rows. docs/rules.md, "A new blocker", says what else a new row needs.
"""

from dataclasses import dataclass
from typing import Final, Literal

Place = Literal["board", "cover", "piece"]
Left = Literal["empty", "piece", "bomb"]


@dataclass(frozen=True, slots=True)
class Look:
    """How an element is drawn in a terminal: colors of the palette of 256, and the edges of a cover."""

    ink: str
    ground: str
    edges: tuple[str, str] = (" ", " ")


@dataclass(frozen=True, slots=True)
class InSaga:
    """When the saga introduces an element, and how much of it a level has.

    first   the level that introduces it
    weight  among the blockers of later levels
    tiles   shares of the tiles that it takes: least and most where it is in the way, most where it is asked
    """

    first: int
    weight: float
    tiles: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Element:
    """An element: its rules, and its words in goals and drawings.

    token    what begins its token; the number of its layers follows if it may have more than one
    place    drawn on the board, as a cover over a piece (in the level's `locks`), or itself a piece
    on       a line through its cell takes a layer off
    beside   a line beside its cell takes a layer off; a blast takes one off every element
    hides    its cell shows no color, and a bomb in it does not tick
    grows    it takes the place of a neighbor after a move that took no layer off any of its kind
    left     what is in its cell when the last layer is gone
    plural   several of them; features and the saga call it so
    noun     one of them in a sentence, if its name alone will not do
    verb     what a goal asks the player to do with it
    legend   what it is called beside a drawn board, if its look does not say it
    saga     when the saga shows it; None if it does not
    """

    name: str
    token: str
    look: Look
    place: Place = "board"
    most_layers: int = 1
    on: bool = False
    beside: bool = True
    hides: bool = True
    grows: bool = False
    left: Left = "empty"
    plural: str = ""
    noun: str = ""
    verb: str = "remove"
    legend: str | None = None
    saga: InSaga | None = None

    @property
    def several(self) -> str:
        """Its plural: the name itself, unless the row has another."""
        return self.plural or self.name

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every token of the element, the fewest layers first."""
        if self.most_layers == 1:
            return (self.token,)
        return tuple(f"{self.token}{layers}" for layers in range(1, self.most_layers + 1))

    @property
    def tokens_in_words(self) -> str:
        """Its tokens as a sentence lists them: `X`, `#1 to #5`."""
        return " to ".join(dict.fromkeys((self.tokens[0], self.tokens[-1])))

    def token_of(self, layers: int) -> str:
        """The token of so many layers; of an element that has one only, whatever the number."""
        return self.token if self.most_layers == 1 else f"{self.token}{layers}"


_INK, _CHALK = "#121212", "#ffffff"

# In the order of their codes in a state: a new row goes to the end, or the codes of the others would change.
# Of those that grow, an earlier one grows first.
BLOCKERS: Final = (
    Element(
        "icing",
        "#",
        Look("#005f87", "#eeeeee"),
        most_layers=5,
        saga=InSaga(21, 2.2, (0.08, 0.25, 0.5)),
    ),
    Element(
        "chocolate",
        "X",
        Look(_CHALK, "#875f00"),
        grows=True,
        saga=InSaga(111, 1.0, (0.02, 0.08, 0.3)),
    ),
    Element(
        "marmalade",
        "M",
        Look(_INK, "#ffaf00", ("(", ")")),
        place="cover",
        left="piece",
        legend="in marmalade",
        saga=InSaga(261, 1.0, (0.05, 0.15, 0.4)),
    ),
    Element(
        "lock",
        "L",
        Look(_CHALK, _INK, ("[", "]")),
        place="cover",
        on=True,
        beside=False,
        hides=False,
        left="piece",
        plural="locks",
        verb="break",
        legend="locked",
        saga=InSaga(36, 1.3, (0.06, 0.20, 0.5)),
    ),
    Element(
        "popcorn",
        "P",
        Look(_INK, "#ffffd7"),
        most_layers=3,
        beside=False,
        left="bomb",
        legend="popcorn",
    ),
    Element("toffee", "T", Look(_INK, "#af875f"), most_layers=5, legend="toffee"),
    Element(
        "dark chocolate", "D", Look(_CHALK, "#5f0000"), most_layers=3, grows=True, legend="dark chocolate"
    ),
)
# Pieces in a player's way. A countdown bomb's token is its color's, with its number.
SWIRL: Final = Element(
    "swirl",
    "S",
    Look(_CHALK, _INK),
    place="piece",
    plural="swirls",
    saga=InSaga(66, 1.3, (0.05, 0.14, 0.35)),
)
COUNTDOWN: Final = Element(
    "countdown",
    "",
    Look(_INK, ""),
    place="piece",
    on=True,
    beside=False,
    hides=False,
    plural="countdown bombs",
    noun="countdown bomb",
    verb="defuse",
    saga=InSaga(201, 0.8, (0.02, 0.06, 0.12)),
)
ELEMENTS: Final = (*BLOCKERS, SWIRL, COUNTDOWN)
BLOCKER: Final = {element.name: element for element in BLOCKERS}
ON_BOARD: Final = tuple(element for element in BLOCKERS if element.place == "board")
COVERS: Final = {element.token: element.name for element in BLOCKERS if element.place == "cover"}


def saga_elements() -> dict[Element, InSaga]:
    """The elements of the saga with their schedule, in the order in which it introduces them."""
    in_saga = {element: element.saga for element in ELEMENTS if element.saga is not None}
    return dict(sorted(in_saga.items(), key=lambda pair: pair[1].first))


def is_hidden_by(blocker: str | None) -> bool:
    """Whether a cell with a blocker, by its name, shows no color."""
    return blocker is not None and BLOCKER[blocker].hides


def drawn_blocker(name: str | None) -> Element | None:
    """The element of a blocker that is drawn on the board, by its name; None for covers and for none."""
    element = BLOCKER.get(name or "")
    return element if element is not None and element.place == "board" else None


def is_wrapping(name: str) -> bool:
    """Whether an element, by its name, covers a piece and hides it."""
    return name in COVERS.values() and BLOCKER[name].hides
