"""What is different between two versions of a level, drawn: the rows that changed, the cells marked."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from levelsense.cli.terminal.board import Grain, draw_board, grain_of
from levelsense.cli.terminal.screen import print_drawing, shows_shades
from levelsense.edits import Difference
from levelsense.level.level import Level
from levelsense.level.tokens import COLUMN_LETTERS

MARK = "»"
_GAP = "    "
_INDENT = 3


def print_difference(console: Console, difference: Difference, both: bool = False) -> None:
    """Draws the rows of the board in which cells changed, before and after side by side if there is room.

    Where there is none, the new rows alone, or one below the other if `both` are wanted. Boards of other
    sizes are drawn whole.
    """
    shaded = shows_shades(console)
    if difference.is_other_board:
        for title, level in (("before", difference.old), ("after", difference.new)):
            console.print(Text(title, style="bold"))
            print_drawing(console, draw_board(level, level.cells, shaded=shaded))
        return
    if not difference.cells:
        return
    grain = grain_of([difference.old, difference.new], shaded)
    old, new = (_drawn(level, difference, grain) for level in (difference.old, difference.new))
    width = max(map(len, (*old, *new)))
    lines: list[Text] = []
    if 2 * width + len(_GAP) + _INDENT <= console.width:
        lines = [_side_by_side(one, other, width) for one, other in zip(old, new, strict=True)]
        lines.insert(0, Text.assemble((f"    {'before':<{width}}{_GAP}after", "bold")))
    elif both:
        lines = [Text("    before", style="bold"), *old, Text("    after", style="bold"), *new]
    else:
        lines += new
    indented = [Text.assemble(" " * _INDENT, line) for line in lines]
    print_drawing(console, Text("\n", no_wrap=True).join(indented))


def _side_by_side(one: Text, other: Text, width: int) -> Text:
    return Text.assemble(one, " " * (width - len(one)), _GAP, other)


def _drawn(level: Level, difference: Difference, grain: Grain) -> Sequence[Text]:
    """The column letters and the rows from the first that changed to the last."""
    rows = {cell // level.columns for cell in difference.cells}
    header = "".join(f" {grain.label(letter)}" for letter in COLUMN_LETTERS[: level.columns])
    lines = [Text.assemble("    ", (header, "bold"))]
    for row in range(min(rows), max(rows) + 1):
        line = Text.assemble((f"{row + 1:>3} ", "bold"))
        for index in range(row * level.columns, (row + 1) * level.columns):
            line.append(MARK if index in difference.cells else " ", style="bold yellow")
            line.append_text(grain.cell(level.cells[index]))
        lines.append(line)
    return lines
