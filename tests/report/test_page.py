"""The page in a browser without a network: it draws everything, complains of nothing, and asks nobody."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from levelsense.cache import _usable
from levelsense.game.state import RULES_VERSION
from levelsense.playtest.figures import LevelFigures
from levelsense.playtest.limits import Check
from levelsense.report.page import Origin, chart_specs, report_page
from levelsense.report.rendering import chart_library
from levelsense.report.sentences import hardest_first
from tests.report.browser import Seen
from tests.report.reports import LEVELS, all_reports, report_of

ORIGIN = Origin(seed=7, version="1.2.3", made="2025-01-31")
NASTY = "</script><img src=x onerror=\"document.title='hurt'\">"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_page(all_reports(), ORIGIN), encoding="utf-8")
    return path


def test_everything_is_drawn_offline(seen: Seen, written: Path) -> None:
    seen.open_all(written)
    places = seen.page.locator("[data-chart]")
    assert places.count() == len(chart_specs(all_reports())) > 20
    for k in range(places.count()):
        drawing = places.nth(k).locator("svg.marks")
        assert drawing.count() == 1, places.nth(k).get_attribute("data-chart")
        assert drawing.locator("path[d]").count() > 3
        assert places.nth(k).locator("canvas").count() == 0
    assert seen.said == []
    assert seen.asked == [written.as_uri()]


@pytest.mark.parametrize("width", [1280, 390])
def test_no_chart_is_wider_than_its_card(seen: Seen, written: Path, width: int) -> None:
    seen.page.set_viewport_size({"width": width, "height": 900})
    seen.open_all(written)
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
    overflowing = seen.page.evaluate(
        "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth).length"
    )
    assert overflowing == 0


LONG_SPECS = (
    "random",
    "heuristic",
    "mcts:simulations=20,signal=combined,playout=heuristic,final=robust-max",
    "mcts:simulations=10,c=0.25,playout=clouded,shrinking=0.5,keep_tree=true,noise=0.05",
    "sampling:simulations=3,per=turn,epsilon=0.5,of=goals",
    "beam:depth=2,heuristic=h1,ties=first",
)
TEXTS_THAT_ARE_CUT = """
[...document.querySelectorAll('svg.marks')].flatMap(svg => {
  const all = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const box = text.getBoundingClientRect();
    return getComputedStyle(text).opacity !== '0' && box.width > 0 && (box.left < all.left - 1
      || box.right > all.right + 1 || box.top < all.top - 1 || box.bottom > all.bottom + 1);
  }).map(text => text.closest('[data-chart]').dataset.chart + ': ' + text.textContent);
})
"""
LEGENDS = """
[...document.querySelectorAll('[data-chart$=limit] .role-legend-label text')].map(text => text.textContent)
"""


ALL_LEGENDS = """
[...document.querySelectorAll('.role-legend-label text')].map(text => text.textContent)
"""


def with_long_specs(name: str) -> LevelFigures:
    """Six agents, three of them with limits that were played, the others with curves."""
    report = report_of(name)
    checks = (Check(2, 5, 60), Check(9, 30, 60), Check(20, 60, 60))
    played = [replace(report.played[k % 2], agent=spec) for k, spec in enumerate(LONG_SPECS)]
    watching = [replace(one, curve=None, checks=checks) for one in played[3:]]
    return LevelFigures(name, report.level, (*played[:3], *watching), LONG_SPECS)


@pytest.mark.parametrize("width", [1280, 1040, 390])
def test_no_text_is_cut_off(seen: Seen, written: Path, width: int) -> None:
    seen.page.set_viewport_size({"width": width, "height": 900})
    seen.open_all(written)
    assert seen.page.evaluate(TEXTS_THAT_ARE_CUT) == []
    labels = set(seen.page.evaluate(ALL_LEGENDS))
    assert {"random", "greedy", "goals met"} <= labels
    assert not any("…" in label for label in labels)


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_is_cut_off_however_long_the_specs(seen: Seen, tmp_path: Path, width: int) -> None:
    seen.page.set_viewport_size({"width": width, "height": 900})
    path = tmp_path / "long.html"
    names = ("30-grand-tour", "04-jelly-garden", "27-clockwork")
    path.write_text(report_page([with_long_specs(name) for name in names], ORIGIN), encoding="utf-8")
    seen.open_all(path)
    assert seen.page.evaluate(TEXTS_THAT_ARE_CUT) == []
    labels = seen.page.evaluate(LEGENDS)
    assert len(labels) == len(names) * len(LONG_SPECS)
    whole = {"random", "beam:depth=2,heuristic=h1,ties=first"} if width == 1280 else {"random"}
    assert whole <= set(labels)
    assert seen.said == []


def test_light_and_dark(seen: Seen, written: Path) -> None:
    seen.page.emulate_media(color_scheme="dark")
    seen.open(written)
    ground = "getComputedStyle(document.body).backgroundColor"
    title = "getComputedStyle(document.querySelector('svg.marks .role-title-text text')).fill"
    dark = seen.page.evaluate(ground), seen.page.evaluate(title)
    seen.page.click("#theme")
    seen.page.wait_for_function(f"{title} !== '{dark[1]}'")
    light = seen.page.evaluate(ground), seen.page.evaluate(title)
    assert dark == ("rgb(21, 23, 27)", "rgb(230, 232, 236)")
    assert light == ("rgb(246, 247, 249)", "rgb(31, 35, 40)")
    assert seen.said == []


def test_a_click_sorts_the_summary(seen: Seen, written: Path) -> None:
    seen.open(written)
    rows = seen.page.locator("#summary tbody tr td:nth-child(2) a")
    assert rows.all_inner_texts() == [report.name for _, report in hardest_first(all_reports())]
    seen.page.click("#summary th:nth-child(1) button")
    assert rows.all_inner_texts() == list(LEVELS)
    seen.page.click("#summary th:nth-child(1) button")
    assert rows.all_inner_texts() == list(reversed(LEVELS))
    seen.page.click("#summary th:nth-child(2) button")
    assert rows.all_inner_texts() == sorted(LEVELS)


def test_levels_are_drawn_when_they_are_opened(seen: Seen, written: Path) -> None:
    seen.open(written)
    body = seen.page.locator("#level-2 .body")
    assert body.inner_html() == ""
    assert not seen.page.locator("#level-2").evaluate("level => level.open")
    seen.page.click(f"#summary a:text('{LEVELS[1]}')")
    seen.page.wait_for_selector("#level-2 [data-chart=level-2-limit] svg.marks")
    assert body.locator("svg.board").count() > 0
    assert seen.page.locator("#level-1 .body").inner_html() == ""
    seen.page.click("#level-1 > summary")
    seen.page.wait_for_selector("#level-1 svg.board")
    assert seen.page.evaluate("scrollY") > 0


def test_a_link_from_outside_opens_its_level(seen: Seen, written: Path) -> None:
    seen.page.goto(f"{written.as_uri()}#level-3")
    seen.page.wait_for_selector("#level-3[open] svg.board")


def test_search_narrows_the_index_and_the_levels(seen: Seen, written: Path) -> None:
    seen.open(written)
    seen.page.get_by_role("searchbox", name="Search").fill("CHERR grand")
    assert seen.page.locator("#summary tbody tr:visible").count() == 0
    seen.page.get_by_role("searchbox", name="Search").fill("cherries")
    assert seen.page.locator("#summary tbody tr:visible a").all_inner_texts() == ["18-fruit-and-nut"]
    assert seen.page.locator("details.level:visible h3").all_inner_texts() == ["2 18-fruit-and-nut"]
    assert seen.page.get_by_role("status").inner_text() == "1 of 4 levels"
    seen.page.get_by_role("searchbox", name="Search").fill("")
    assert seen.page.locator("#summary tbody tr:visible").count() == 4
    assert seen.page.get_by_role("status").inner_text() == ""


NAMELESS = """
[...document.querySelectorAll('button, input, select, summary, a, [role=img]')].filter(control =>
  !(control.textContent.trim() || control.ariaLabel || control.labels?.length)
).map(control => control.outerHTML)
"""


def test_every_control_has_a_name_and_the_page_its_landmarks(seen: Seen, written: Path) -> None:
    seen.open_all(written)
    assert seen.page.evaluate(NAMELESS) == []
    for landmark in ("main", "navigation", "banner"):
        assert seen.page.get_by_role(landmark).count() == 1, landmark
    ids = seen.page.evaluate("[...document.querySelectorAll('[id]')].map(element => element.id)")
    links = seen.page.evaluate("[...document.querySelectorAll('nav a')].map(link => link.hash.slice(1))")
    assert links
    assert set(links) <= set(ids)


def test_print_is_light_and_has_what_is_open(seen: Seen, written: Path) -> None:
    seen.page.emulate_media(color_scheme="dark")
    seen.open(written)
    seen.page.click(f"#summary a:text('{LEVELS[1]}')")
    seen.page.wait_for_selector("#level-2 [data-drawn]")
    seen.page.emulate_media(media="print", color_scheme="dark")
    assert seen.page.evaluate("getComputedStyle(document.body).color") == "rgb(31, 35, 40)"
    assert seen.page.locator("#level-2").is_visible()
    assert not seen.page.locator("#level-1").is_visible()
    assert not seen.page.locator("#search").is_visible()


def test_a_level_on_its_own(seen: Seen, tmp_path: Path) -> None:
    path = tmp_path / "one.html"
    path.write_text(report_page([report_of("04-jelly-garden")], ORIGIN), encoding="utf-8")
    seen.open(path)
    seen.page.wait_for_selector("#level-1[open] svg.board")
    assert seen.page.get_by_role("searchbox").count() == 0
    assert seen.said == []
    assert "1 level, 2 agents, 160 attempts" in seen.page.inner_text("header")


def test_names_are_texts_and_never_code(seen: Seen, tmp_path: Path) -> None:
    report = report_of("04-jelly-garden")
    path = tmp_path / "nasty.html"
    path.write_text(report_page([LevelFigures(NASTY, report.level, report.played)] * 2, ORIGIN), "utf-8")
    seen.open(path)
    assert seen.page.title() != "hurt"
    assert NASTY in seen.page.inner_text("#summary")
    assert seen.said == []


def test_it_says_where_its_figures_come_from(written: Path) -> None:
    text = written.read_text("utf-8")
    for fact in (
        "Agents are not people",
        "1.2.3",
        f"rules version {RULES_VERSION}",
        "2025-01-31",
        "random",
        "greedy",
    ):
        assert fact in text
    assert re.search(r"<dt>Seed</dt><dd>7</dd>", text)
    assert re.search(r"<dt>Attempts each</dt><dd>80, 640 in all</dd>", text)
    for heading in ("All figures", "Near misses", "Luck", "Skill:", "How to read this"):
        assert heading in text


def test_nothing_is_fetched(written: Path) -> None:
    text = written.read_text("utf-8").replace(chart_library(), "")
    assert "default-src 'none'" in text
    assert re.findall(r"""(?:src|href)=["'](?!#)""", text) == []
    assert re.findall(r"@import|url\(", text) == []
    # Vega-Lite names the schema that a spec follows; that is a name, and nothing fetches it.
    urls = set(re.findall(r"https?://[^\"'\s]+", text))
    assert all(url.startswith("https://vega.github.io/schema/") for url in urls)


def test_the_library_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path))
    first = chart_library()
    (kept,) = (tmp_path / "charts").iterdir()
    assert kept.read_text("utf-8").endswith(first)

    def bundled_again(_: str) -> str:
        raise AssertionError

    monkeypatch.setattr("vl_convert.javascript_bundle", bundled_again)
    assert chart_library() == first


@pytest.mark.parametrize("damage", [b"", b"half", b"\xff", b"// sha256 0\nalert(1)"])
def test_a_damaged_library_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    """A page without it would show no chart, and nobody would know why."""
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda _: "the library\r\n of several lines")
    whole = chart_library()
    (kept,) = (tmp_path / "charts").iterdir()
    content = kept.read_bytes()
    kept.write_bytes(content[: len(content) // 2] if damage == b"half" else damage)
    assert chart_library() == whole
    assert kept.read_bytes() == content
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda _: "bundled again")
    assert chart_library() == whole


def test_the_library_needs_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    others = tmp_path / f"levelsense-{os.getuid()}"
    others.mkdir()
    others.chmod(0o777)
    assert "vegaEmbed" in chart_library()
    assert list(others.iterdir()) == []


def test_the_library_of_another_user_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a home has a folder that others could have made before."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("LEVELSENSE_CACHE_DIR", str(tmp_path / f"levelsense-{os.getuid()}"))
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda _: "theirs")
    assert chart_library() == "theirs"
    (tmp_path / f"levelsense-{os.getuid()}").chmod(0o777)
    _usable.cache_clear()
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda _: "ours")
    assert chart_library() == "ours"


def test_the_same_playtest_gives_the_same_page() -> None:
    levels = [report_of("04-jelly-garden")]
    assert report_page(levels, ORIGIN) == report_page(levels, ORIGIN)
    assert json.dumps(chart_specs(levels), allow_nan=False)


def test_heavy_packages_load_when_they_are_needed() -> None:
    """A playtest without a report waits for none of them."""
    code = "import sys, levelsense.cli.terminal.figures, levelsense.cli.terminal.tuning; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert {"altair", "scipy.stats", "jinja2", "vl_convert"}.isdisjoint(loaded.split())
