"""Heat maps in the terminal: where things were left, as numbers that read the same with and without color."""

from math import isnan

from rich.style import Style
from rich.text import Text

from levelsense.game.tokens import COLUMN_LETTERS
from levelsense.playtest.heat import HeatMap

# The share from which a ground is taken, the ground, and the ink on it; of the palette of 256 colors.
_GROUNDS = (
    (0.80, "#ffd75f", "#121212"),
    (0.60, "#ffaf00", "#121212"),
    (0.40, "#ff8700", "#121212"),
    (0.20, "#d75f00", "#ffffff"),
    (0.05, "#870000", "#ffffff"),
    (0.00, "#303030", "#bcbcbc"),
)
_WIDTH = 5


def heat_title(heat: HeatMap) -> str:
    """What the numbers of a map are."""
    attempts = "attempt" if heat.lost == 1 else "attempts"
    return f"{heat.kind} left: % of {heat.lost:,} lost {attempts}"


def draw_heat(heat: HeatMap) -> Text:
    """The board with a number a tile, in per cent; a dot is a tile where nothing was ever left."""
    rows, columns = heat.shares.shape
    header = "    " + "".join(letter.center(_WIDTH) for letter in COLUMN_LETTERS[:columns])
    lines = [Text(header, style="bold")]
    for row in range(rows):
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for column in range(columns):
            line.append_text(_cell(float(heat.shares[row, column])))
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)


def _cell(share: float) -> Text:
    if isnan(share):
        return Text(" " * _WIDTH)
    ground, ink = next((ground, ink) for least, ground, ink in _GROUNDS if share >= least)
    shown = f"{100 * share:.0f}".rjust(3) if share > 0 else "  ·"
    return Text(shown.ljust(_WIDTH - 1).rjust(_WIDTH), style=Style(color=ink, bgcolor=ground))
