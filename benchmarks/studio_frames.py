"""How smoothly the studio's board moves: frame times of a 12x12 board in headless Chromium.

    python benchmarks/studio_frames.py [--moves 20] [--browser /usr/bin/chromium]

A studio is started in a folder of its own, a 12x12 level with four colors (long cascades) is played by mouse,
and each frame that moves pieces is timed: from one frame to the next, and what drawing it takes of that.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SIDE = 12
LEVEL = {
    "name": "Frames",
    "moves": 200,
    "colors": 4,
    "board": [" ".join("." * SIDE)] * SIDE,
    "jelly": [" ".join("2" * SIDE)] * SIDE,
    "goals": {"jelly": "all"},
}
FRAME = 1000 / 60


def started(folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A studio in a process of its own, and its address."""
    (folder / "levels").mkdir()
    (folder / "levels" / "frames.json").write_text(json.dumps(LEVEL))
    log = folder / "studio.log"
    command = [sys.executable, "-m", "levelsense", "studio", "--no-browser", "--port", "0", "--threads", "1"]
    with log.open("w") as output:
        process = subprocess.Popen([*command, "--db", str(folder / "x.db")], stderr=output, cwd=folder)
    while process.poll() is None:
        if match := re.search(r"http://\S+/", log.read_text()):
            return process, match[0]
        time.sleep(0.1)
    raise SystemExit(f"the studio did not start: {log.read_text()}")


def point(page: Page, cell: str) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    box = page.locator(".play-canvas").bounding_box()
    assert box is not None
    side = box["width"] / (SIDE + 0.52)
    row, column = int(cell[1:]) - 1, "abcdefghijkl".index(cell[0])
    return box["x"] + side * (0.92 + column), box["y"] + side * (0.92 + row)


def played(page: Page, moves: int) -> list[list[dict[str, float]]]:
    """The frames of each move."""
    recorded = []
    for turn in range(moves):
        legal = page.evaluate("document.querySelector('.play-canvas').game.state.legal[0]")
        cut = legal[1:].index(next(letter for letter in legal[1:] if letter.isalpha())) + 1
        page.evaluate("document.querySelector('.play-canvas').stage.frames = []")
        page.mouse.move(*point(page, legal[:cut]))
        page.mouse.down()
        page.mouse.move(*point(page, legal[cut:]))
        page.mouse.up()
        page.wait_for_selector(f".play-canvas[data-moves='{turn + 1}']", timeout=60_000)
        while page.evaluate("document.querySelector('.play-canvas').stage.isBusy"):
            page.wait_for_timeout(100)
        recorded.append(page.evaluate("document.querySelector('.play-canvas').stage.frames"))
    return recorded


def print_times(name: str, times: list[float]) -> None:
    """Prints the median and the 95th percentile."""
    high = statistics.quantiles(times, n=20)[-1]
    print(f"{name}: median {statistics.median(times):.1f} ms, 95th percentile {high:.1f} ms")


def main() -> None:
    """Plays and prints."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--moves", type=int, default=20)
    options.add_argument(
        "--browser", default=os.environ.get("LEVELSENSE_BROWSER") or shutil.which("chromium")
    )
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process, address = started(Path(folder))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=asked.browser)
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(f"{address}#/play/frames")
                page.fill("input[name=tester]", "benchmark", timeout=120_000)
                page.press("input[name=tester]", "Enter")
                page.wait_for_selector(".play-canvas", timeout=120_000)
                recorded = played(page, asked.moves)
                browser.close()
        finally:
            process.kill()
            process.wait()
    between, spent = [], []
    for frames in recorded:
        moving = [frame for frame in frames if frame["moving"]]
        spent += [frame["spent"] for frame in moving]
        between += [later["at"] - sooner["at"] for sooner, later in pairwise(moving)]
    print(f"{len(spent):,} frames of {len(recorded)} moves on a {SIDE}x{SIDE} board")
    print_times("from frame to frame", between)
    print_times("drawing a frame", spent)
    late = sum(gap > 1.5 * FRAME for gap in between) / len(between)
    print(f"late frames (more than 25 ms after the one before): {late:.1%}")


if __name__ == "__main__":
    main()
