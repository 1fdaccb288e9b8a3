"""The page of a study: Markdown with tables, and charts as SVG files beside it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from levelsense.files import write_texts
from levelsense.report.theme import chart_theme

WIDTH: Final = 110  # letters a line
CHART_WIDTH: Final = 620  # pixels


@dataclass(frozen=True)
class Finding:
    """A published figure beside ours; `why` says what may be behind a difference."""

    what: str
    published: str
    ours: str
    agrees: bool
    why: str = ""


@dataclass
class StudyPage:
    """A page in the making: `name` is its file's, without the ending."""

    name: str
    title: str
    parts: list[str] = field(default_factory=list)
    charts: dict[str, str] = field(default_factory=dict)  # SVG by the name of its file

    def text(self, *sentences: str) -> None:
        """Adds a paragraph."""
        self.parts.append(fill(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False))

    def items(self, *items: str) -> None:
        """Adds a list."""
        lines = [
            fill(
                item,
                WIDTH,
                initial_indent="- ",
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
            for item in items
        ]
        self.parts.append("\n".join(lines))

    def heading(self, heading: str) -> None:
        """Begins a section."""
        self.parts.append(f"## {heading}")

    def block(self, markdown: str) -> None:
        """Adds Markdown as it is."""
        self.parts.append(markdown.rstrip("\n"))

    def table(self, heading: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Adds a table."""
        self.block(markdown_table(heading, rows))

    def findings(self, findings: Sequence[Finding]) -> None:
        """Adds a table of published figures beside ours, and says whether they agree."""
        rows = [
            (
                one.what,
                one.published,
                one.ours,
                "yes" if one.agrees else f"no: {one.why}" if one.why else "no",
            )
            for one in findings
        ]
        self.table(("figure", "published", "ours", "agrees"), rows)

    def chart(self, name: str, chart: Any, description: str) -> None:
        """Adds a chart of Altair's; the description is its alternative text."""
        self.drawing(name, chart_svg(chart), description)

    def drawing(self, name: str, svg: str, description: str) -> None:
        """Adds a picture that is SVG already."""
        file = f"{self.name}-{name}.svg"
        self.charts[file] = svg
        self.parts.append(f"![{description}]({file})")

    @property
    def markdown(self) -> str:
        """The whole page."""
        return "\n\n".join([f"# {self.title}", *self.parts]) + "\n"

    def save(self, folder: Path) -> Path:
        """Writes the page and its charts into a folder, all or none; gives the path of the page."""
        path = folder / f"{self.name}.md"
        write_texts({**{folder / file: svg for file, svg in self.charts.items()}, path: self.markdown})
        return path


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def chart_svg(chart: Any) -> str:
    """A chart as SVG, by the light theme on white: a page's ground is not known.

    Charts in facets and panels beside each other have the widths that they say themselves.
    """
    import altair as alt
    import vl_convert

    single = isinstance(chart, alt.Chart | alt.LayerChart)
    sized = chart.properties(width=CHART_WIDTH) if single else chart
    config = chart_theme(dark=False) | {"background": "white", "padding": 12, "aria": False}
    return str(vl_convert.vegalite_to_svg(sized.to_dict(), config=config))
