"""Heat maps drawn as text."""

import numpy as np

from levelsense.cli.terminal.figures import draw_heat, heat_title
from levelsense.playtest.statistics import HeatMap

GAP = np.nan
HEAT = HeatMap("jelly", 186, np.array([[GAP, 0.5, 1.0], [0.0, 0.004, 0.87]]))


def test_drawn() -> None:
    drawn = [line.rstrip() for line in draw_heat(HEAT).plain.split("\n")]
    assert drawn == [
        "      a    b    c",
        "  1        50  100",
        "  2    ·    0   87",
    ]


def test_title() -> None:
    assert heat_title(HEAT) == "jelly left: % of 186 lost attempts"
    assert heat_title(HeatMap("blockers", 1, HEAT.shares)) == "blockers left: % of 1 lost attempt"


def test_hotter_cells_have_another_ground() -> None:
    grounds = {str(span.style).partition(" on ")[2] for span in draw_heat(HEAT).spans}
    assert {"#ff8700", "#ffd75f", "#303030"} <= grounds
