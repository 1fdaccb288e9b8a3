"""Pictures of a page for the README: its index, and a level that is opened (`make picture`).

`python -m tests.pictures demo.html 30-grand-tour docs/images` writes report.png and level.png there.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.report.browser import browser_path

WIDTH, HEIGHT = 1040, 930


def draw(page_file: Path, level: str, folder: Path) -> None:
    """Takes both pictures."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(page_file.resolve().as_uri())
        page.wait_for_selector("html[data-complete=yes]")
        page.screenshot(path=folder / "report.png")
        page.click(f"#summary a:text('{level}')")
        opened = page.locator("details.level[open]")
        opened.locator("[data-chart$=limit][data-drawn]").wait_for()
        opened.locator("[data-chart$=success][data-drawn]").wait_for()
        opened.screenshot(path=folder / "level.png")
        browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
