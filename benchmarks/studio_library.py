"""How long the studio takes to show a large folder of levels, in a browser.

    levelsense generate -o saga --count 1000
    python -m benchmarks.studio_library saga

Times are from the address to what is on the screen: with a server that has just started, and again.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from tests.report.browser import browser_path
from tests.studio.conftest import StudioProcess

SECONDS = 600
OWN_CARD = "[aria-label='Your levels'] .card"


def timed(page: Page, url: str, first: str) -> tuple[float, float]:
    """Seconds until the first level is there, and until all are read."""
    page.goto("about:blank")
    start = time.perf_counter()
    page.goto(url)
    page.locator(first).first.wait_for(timeout=SECONDS * 1000)
    first_seconds = time.perf_counter() - start
    page.get_by_text("reading, ").wait_for(state="hidden", timeout=SECONDS * 1000)
    return first_seconds, time.perf_counter() - start


def main() -> None:
    """Prints a line a view."""
    levels = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        shutil.copytree(levels, folder / "levels")
        studio = StudioProcess(folder)
        studio.start()
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        try:
            print(f"{len(list(levels.glob('*.json'))):,} levels; load {os.getloadavg()[0]:.0f}")
            for what, view, first in (
                ("library, first time", "library", OWN_CARD),
                ("library, again", "library", OWN_CARD),
                ("saga", "saga", ".saga-list li"),
            ):
                shown, read = timed(page, f"{studio.url}#/{view}", first)
                print(f"{what}: {shown:.1f} s to the first levels, {read:.1f} s until all are read")
        finally:
            browser.close()
            studio.kill()


if __name__ == "__main__":
    main()
