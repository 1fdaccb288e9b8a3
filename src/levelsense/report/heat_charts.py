"""Heat maps of what is left on the board in lost attempts."""

import altair as alt

from levelsense.playtest.figures import LevelFigures
from levelsense.playtest.statistics import ENOUGH
from levelsense.report.numbers import heat_values
from levelsense.report.theme import Chart, inline, titled

CELL = 24
BOARD_GAP, MAPS_WIDTH = 24, 1100
HOT = 0.55  # from this share on a cell's color is so strong that its number needs another text color


def heat_chart(report: LevelFigures, kind: str) -> Chart | None:
    """A map of the board an agent: the share of lost attempts in which something of a kind was left there.

    None if nothing of the kind was ever left, or if too few attempts were lost.
    """
    values = heat_values(report, kind)
    if not values:
        return None
    gaps = alt.Scale(paddingInner=0.07, paddingOuter=0)
    base = alt.Chart().encode(
        x=alt.X(
            "column:O",
            title=None,
            scale=gaps,
            axis=alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False),
        ),
        y=alt.Y("row:O", title=None, scale=gaps, axis=alt.Axis(ticks=False, domain=False)),
    )
    tiles = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color(
            "share:Q",
            scale=alt.Scale(domain=[0, 1]),
            legend=alt.Legend(title="Lost attempts (%)", format=".0%", gradientLength=180),
        ),
        tooltip=[
            alt.Tooltip("column:N", title="Column"),
            alt.Tooltip("row:O", title="Row"),
            alt.Tooltip("share:Q", title="Left in lost attempts", format=".0%"),
        ],
    )
    numbers = alt.Text("percent:Q", format=".0f")
    labels = base.transform_calculate(percent="datum.share * 100")
    cool = labels.transform_filter(f"datum.share >= 0.005 && datum.share < {HOT}").mark_text(style="on-cool")
    hot = labels.transform_filter(f"datum.share >= {HOT}").mark_text(style="on-hot")
    board = alt.layer(
        tiles, cool.encode(text=numbers), hot.encode(text=numbers), data=inline(values)
    ).properties(width=CELL * report.level.columns, height=CELL * report.level.rows)
    order = list(dict.fromkeys(value["agent"] for value in values))
    width = CELL * report.level.columns + BOARD_GAP
    header = alt.Header(labelExpr="split(datum.label, '\\n')", labelLimit=width, labelPadding=8)
    chart = board.facet(
        alt.Facet("agent:N", title=None, sort=order, header=header),
        columns=max(1, MAPS_WIDTH // (width + BOARD_GAP)),
        spacing=BOARD_GAP,
    ).resolve_axis(x="independent", y="independent")
    return titled(
        chart,
        f"Where {kind} {'were' if kind.endswith('s') else 'was'} left",
        f"Share of lost attempts, in per cent, of agents with at least {ENOUGH}",
    )
