"""Pictures of the studio for the README and docs/studio.md (`make picture`), taken while it is used.

`python -m tests.studio_pictures docs/images` writes studio.png, studio-play.png, studio-watch.png,
studio-saga.png and studio.gif there. It takes Pillow, which nothing else here needs.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from levelsense.level.bundled import read_source
from tests.report.browser import browser_path
from tests.studio.conftest import StudioProcess, cell_point

SAGA = ("04-jelly-garden", "12-locked-up", "20-short-fuses", "24-hourglass", "30-grand-tour", "45-last-stand")
WIDTH = 800  # of the animated picture
COLORS = 250  # the same ones in all of its frames, so that only what changes takes space


class Film:
    """Frames of a page, each shown for some milliseconds."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[tuple[Image.Image, int]] = []

    def frame(self, milliseconds: int) -> None:
        """Takes what is on the page now."""
        picture = Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
        height = picture.height * WIDTH // picture.width
        self._frames.append((picture.resize((WIDTH, height), Image.Resampling.LANCZOS), milliseconds))

    def save(self, path: Path) -> None:
        """Writes the animated picture."""
        pictures, durations = zip(*self._frames, strict=True)
        height = pictures[0].height
        montage = Image.new("RGB", (WIDTH, height * len(pictures)))
        for number, picture in enumerate(pictures):
            montage.paste(picture, (0, number * height))
        palette = montage.quantize(COLORS, Image.Quantize.MAXCOVERAGE, kmeans=2)
        first, *others = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
        first.save(path, save_all=True, append_images=others, duration=list(durations), loop=0, optimize=True)


def settled(page: Page) -> None:
    """Waits for all attempts of the level that is shown."""
    page.get_by_text("all attempts played").wait_for(timeout=180_000)


def film_an_edit(page: Page, url: str, folder: Path) -> None:
    """A level that is too hard is brought to its target: the target set, suggestions shown, one applied."""
    film = Film(page)
    page.goto(f"{url}#/edit/30-grand-tour")
    settled(page)
    film.frame(1500)
    page.get_by_role("button", name="Left", exact=True).click()
    page.wait_for_timeout(200)
    page.screenshot(path=folder / "studio.png")
    film.frame(1800)
    page.get_by_label("Target in per cent").fill("35")
    page.get_by_label("Target in per cent").press("Tab")
    film.frame(900)
    page.get_by_test_id("suggest-now").click()
    film.frame(900)
    page.get_by_test_id("apply").first.wait_for(timeout=240_000)
    film.frame(900)
    page.locator(".suggestions li").first.hover()
    film.frame(2000)
    page.get_by_test_id("apply").first.click()
    page.wait_for_timeout(150)
    film.frame(500)
    settled(page)
    page.mouse.move(640, 60)
    film.frame(2500)
    page.get_by_role("button", name="chocolate", exact=True).click()
    page.mouse.click(*cell_point(page, "e1"))
    page.wait_for_timeout(100)
    film.frame(600)
    settled(page)
    film.frame(2500)
    film.save(folder / "studio.gif")


def draw(folder: Path) -> None:
    """Takes all pictures."""
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        server = StudioProcess(Path(work), threads=None)
        server.levels.mkdir()
        for name in SAGA:
            (server.levels / f"{name}.json").write_text(read_source(name))
        server.start()
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        film_an_edit(page, server.url, folder)
        page.goto(f"{server.url}#/saga")
        page.get_by_role("button", name="Predict").click()
        page.get_by_role("button", name="All are predicted").wait_for(timeout=240_000)
        page.screenshot(path=folder / "studio-saga.png")
        page.goto(f"{server.url}#/watch/45-last-stand")
        page.get_by_text("Before move 1").wait_for(timeout=60_000)
        page.wait_for_timeout(500)
        page.screenshot(path=folder / "studio-watch.png")
        page.goto(f"{server.url}#/play/45-last-stand")
        page.get_by_role("textbox").fill("Robin")
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_timeout(2500)
        page.screenshot(path=folder / "studio-play.png")
        browser.close()
        server.kill()


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
