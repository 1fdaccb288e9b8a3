"""How long the studio takes from an edit to the first figure and to the last, in a browser.

    python -m benchmarks.studio_figures [LEVEL ...] [--edits N]

A real Chromium draws on a copy of each level, one cell an edit, and the page's own marks are read. Medians
and the longest of all edits are printed, in milliseconds. What is asked for: 300 ms to a first figure, 2 s to
a usable band, which a fifth of the attempts give.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.report.browser import browser_path
from tests.studio.conftest import StudioProcess, cell_point

from levelsense.level.bundled import full_name, read_source

LEVELS = ("30-grand-tour", "24-hourglass", "04-jelly-garden")
WATCH = """() => {
    window.figures = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntriesByName("levelsense-figure")) window.figures.push(entry.duration);
    }).observe({ type: "measure", buffered: false });
}"""


def edit_times(page: Page, url: str, name: str, edits: int) -> list[list[float]]:
    """For each edit, the milliseconds until each of its three figures."""
    page.goto(f"{url}#/edit/{name}")
    page.get_by_text("all attempts played").wait_for(timeout=120_000)
    page.evaluate(WATCH)
    page.get_by_role("button", name="icing 1", exact=True).click()
    times = []
    for number in range(edits):
        page.evaluate("() => { window.figures.length = 0; }")
        page.mouse.click(*cell_point(page, f"{'abcdefgh'[number % 8]}{2 + number // 8}"))
        while len(page.evaluate("window.figures")) < 3:
            page.wait_for_timeout(20)
        page.get_by_text("all attempts played").wait_for(timeout=120_000)
        times.append(page.evaluate("window.figures"))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("levels", nargs="*", default=LEVELS)
    parser.add_argument("--edits", type=int, default=8)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = StudioProcess(Path(folder), threads=None)
        server.levels.mkdir()
        for name in asked.levels:
            (server.levels / f"{name}.json").write_text(read_source(full_name(name)))
        server.start()
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        print(f"{'level':20}{'first figure':>22}{'with a fifth':>22}{'all attempts':>22}")
        for name in asked.levels:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            columns = zip(*edit_times(page, server.url, name, asked.edits), strict=True)
            cells = [f"{statistics.median(one):.0f} (at most {max(one):.0f})" for one in map(list, columns)]
            print(f"{name:20}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
            page.close()
        browser.close()
        server.kill()


if __name__ == "__main__":
    main()
