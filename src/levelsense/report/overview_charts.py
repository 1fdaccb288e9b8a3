"""Charts of several levels."""

import altair as alt

from levelsense.playtest.figures import LevelFigures, agents_of
from levelsense.report.numbers import difficulty_values, skill_and_luck_values
from levelsense.report.theme import AGENTS, ROOM, Chart, agent_color, inline, rate_axis, titled, wide

MOST_NAMED = 15


def difficulty_chart(levels: list[LevelFigures]) -> Chart:
    """Success rates over all levels, in their order."""
    names = [report.name for report in levels]
    base = alt.Chart().encode(
        x=alt.X("level:N", sort=names, title="Level", axis=alt.Axis(labelAngle=-40, labelLimit=140)),
        color=agent_color(agents_of(levels), room=2 * ROOM),
        tooltip=[
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip("agent:N", title="Agent"),
            alt.Tooltip("rate:Q", title="Success rate", format=".1%"),
        ],
    )
    rate = alt.Y("rate:Q", scale=alt.Scale(domain=[0, 1]), axis=rate_axis("Success rate (% of attempts)"))
    line = base.mark_line(strokeWidth=1.2, opacity=0.5).encode(y=rate)
    whiskers = base.mark_rule(size=2, opacity=0.6).encode(y="low:Q", y2="high:Q")
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(y="rate:Q")
    return titled(
        wide(alt.layer(line, whiskers, dots, data=inline(difficulty_values(levels))), 280),
        "Difficulty over the levels",
        "Success rates with 95% intervals",
    )


def skill_and_luck_chart(levels: list[LevelFigures]) -> Chart | None:
    """Levels by skill and luck; None if both are known of fewer than three."""
    values = skill_and_luck_values(levels)
    if len(values) < 3:
        return None
    # Room to the right for names, and above for the highest.
    skills, lucks = [value["skill"] for value in values], [value["luck"] for value in values]
    right = max(skills) + 0.15 * (max(skills) - min(0.0, *skills))
    base = alt.Chart(inline(values)).encode(
        x=alt.X(
            "skill:Q",
            scale=alt.Scale(domain=[min(0.0, *skills), right]),
            axis=rate_axis("Skill: gain of the strong agent (percentage points)"),
        ),
        y=alt.Y(
            "luck:Q",
            scale=alt.Scale(domain=[0, max(0.3, 1.15 * max(lucks))]),
            axis=rate_axis("Luck: share that the board decides (%)"),
        ),
        tooltip=[
            alt.Tooltip("level:N", title="Level"),
            alt.Tooltip("skill:Q", title="Skill", format="+.1%"),
            alt.Tooltip("luck:Q", title="Luck", format=".1%"),
            alt.Tooltip("low:Q", title="95% interval from", format=".1%"),
            alt.Tooltip("high:Q", title="to", format=".1%"),
            alt.Tooltip("agent:N", title="Luck of"),
        ],
    )
    dots = base.mark_point(filled=True, size=80, opacity=0.9, color=AGENTS[0])
    words = base.mark_text(style="remark", align="left", dx=8).encode(text="level:N")
    if len(values) > MOST_NAMED:
        # At the bottom, where many lie close together, names would hide each other; a pointer shows them.
        words = words.transform_filter("datum.luck >= 0.05")
    return titled(
        wide(alt.layer(dots, words), 280),
        "Skill and luck",
        "To the right better play pays; further up the board decides",
    )
