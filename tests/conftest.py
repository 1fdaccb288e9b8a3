"""What all tests share."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from tests.report.browser import browser_path

# How long an example takes says nothing on a busy machine. CI tries the same examples each time, so that it
# fails for a change and not by chance; everybody else tries new ones.
settings.register_profile("patient", deadline=None, derandomize="LEVELSENSE_SAME_EXAMPLES" in os.environ)
settings.load_profile("patient")

# A shell's background jobs ignore Ctrl-C. So would the processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Tests of the game spend their time in kernels and in a second implementation of them. Compiled kernels
# cannot be traced, and tracing what is around them costs minutes: these lines are counted where the JIT is
# off. The other files run lines of other tests once more, and traced take up to twice as long: all agents
# play whole games, models are fitted by the dozen, pages are made that commands make too, many requests come
# at once. What a browser talks to is a process of its own.
TESTS = Path(__file__).parent
REPEATING = {
    ".": "docs python_page",
    "agents": "beam conformance perfect_play sampling",
    "lab": "lab",
    "people": "rates",
    "playtest": "runner",
    "prediction": "band calibration cohorts compare evaluation limit_curve measures quadrature seen suggest",
    "report": "charts forecast gather judged prediction_page",
    "saga": "generate",
    "studies": "foreign_benchmark sokoban welch",
    "studio": "floods schema",
}
UNTRACED = {
    TESTS / "game",
    *(TESTS / "studio").glob("test_*_browser.py"),
    *(TESTS / folder / f"test_{name}.py" for folder, names in REPEATING.items() for name in names.split()),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if "NUMBA_DISABLE_JIT" in os.environ:
        return
    for item in items:
        if not UNTRACED.isdisjoint((item.path, *item.path.parents)):
            item.add_marker("no_cover")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real browser, for one module: as long as Playwright runs, `asyncio.run` of other tests cannot."""
    path = browser_path()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield opened
        opened.close()
