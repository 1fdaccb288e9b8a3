"""The charts of McAdams' study: scores by depth, and H2 against H1."""

from typing import Final

import altair as alt

from levelsense.report.theme import MODEL, NEUTRAL, Chart, inline, titled
from levelsense.studies.mcadams import published
from levelsense.studies.mcadams.cells import PAPER_ATTEMPTS, SQUARES, Cells
from levelsense.studies.mcadams.compare import cell_of, compared
from levelsense.studies.welch import mean_interval

PUBLISHED, OURS = "published", "here"
COLUMNS: Final = 3
SMALL_WIDTH, SMALL_HEIGHT = 170, 130
COLOR: Final = alt.Color(
    "whose:N",
    scale=alt.Scale(domain=[PUBLISHED, OURS], range=[NEUTRAL, MODEL]),
    legend=alt.Legend(title=None, columns=2),
)
BESIDE: Final = alt.XOffset("whose:N", scale=alt.Scale(domain=[PUBLISHED, OURS], paddingOuter=1))
BOARD_NAMES: Final = [f"{rows}x{columns}" for rows, columns in SQUARES]


def _faceted(base: Chart, values: list[dict[str, object]]) -> Chart:
    """A small chart a board, side by side."""
    sized = base.properties(width=SMALL_WIDTH, height=SMALL_HEIGHT, data=inline(values))
    return sized.facet(alt.Facet("board:N", sort=BOARD_NAMES, title=None), columns=COLUMNS)


def scores_chart(cells: Cells) -> Chart:
    """Mean scores by depth of H1 and H2, published and ours, a chart a board."""
    values: list[dict[str, object]] = []
    for board in SQUARES:
        for label, (mean, _, deviation) in published.SCORES[board].items():
            heuristic, depth = (label[2:4], int(label[-1])) if label != "R" else ("random", 0)
            ours, half = mean_interval(cell_of(cells, board, label).scores)
            halves = {PUBLISHED: 1.96 * deviation / PAPER_ATTEMPTS**0.5, OURS: half}
            values += [
                {
                    "board": f"{board[0]}x{board[1]}", "player": heuristic, "depth": depth, "whose": whose,
                    "mean": middle, "low": middle - halves[whose], "high": middle + halves[whose],
                }
                for whose, middle in ((PUBLISHED, mean), (OURS, ours))
            ]  # fmt: skip
    base = alt.Chart().encode(
        x=alt.X("depth:O", title="depth (0: random moves)", axis=alt.Axis(labelAngle=0)),
        xOffset=BESIDE,
        color=COLOR,
    )
    shape = alt.Shape(
        "player:N",
        scale=alt.Scale(domain=["random", "H1", "H2"], range=["cross", "circle", "triangle-up"]),
        legend=alt.Legend(title=None, columns=3),
    )
    lines = base.mark_rule(size=1.5).encode(
        y=alt.Y("low:Q", title="mean score", scale=alt.Scale(zero=False)), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=40, opacity=1).encode(y="mean:Q", shape=shape)
    chart = _faceted(alt.layer(lines, points), values).resolve_scale(y="independent")
    return titled(
        chart, "Mean scores, published and here", "Lines are 95% intervals; the published ones by 500 games"
    )


def heuristics_chart(cells: Cells) -> Chart:
    """The t of H2 against H1 by depth, published and ours, a chart a board."""
    values: list[dict[str, object]] = []
    for board, ts in published.HEURISTICS.items():
        for depth, t in enumerate(ts, 1):
            test = compared(cells, board, f"S.H2.{depth}", f"S.H1.{depth}")
            low, high = test.t_range(PAPER_ATTEMPTS)
            shared = {"board": f"{board[0]}x{board[1]}", "depth": depth}
            middle = test.t_of(PAPER_ATTEMPTS)
            values.append({**shared, "whose": PUBLISHED, "t": t, "low": t, "high": t})
            values.append({**shared, "whose": OURS, "t": middle, "low": low, "high": high})
    base = alt.Chart().encode(
        x=alt.X("depth:O", title="depth", axis=alt.Axis(labelAngle=0)), xOffset=BESIDE, color=COLOR
    )
    zero = alt.Chart().mark_rule(style="now", strokeDash=[5, 4]).encode(y=alt.datum(0))
    lines = base.mark_rule(size=2).encode(y=alt.Y("low:Q", title="t of H2 against H1"), y2="high:Q")
    shape = alt.Shape(
        "whose:N", scale=alt.Scale(domain=[PUBLISHED, OURS], range=["diamond", "circle"]), legend=None
    )
    points = base.mark_point(filled=True, size=55, opacity=1).encode(y="t:Q", shape=shape)
    return titled(
        _faceted(alt.layer(zero, lines, points), values),
        "H2 against H1, t of 500 attempts each",
        "Above 0 H2 is better; a line is where 500 attempts of ours fall in 95 of 100 repetitions",
    )
