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
# off. The other files run lines of other tests once more: all agents play whole games again and again, fits
# are repeated to count how often they hold, many requests come at once. What a browser talks to is a process
# of its own.
TESTS = Path(__file__).parent
UNTRACED = {
    TESTS / "game",
    TESTS / "agents/test_conformance.py",
    TESTS / "agents/test_perfect_play.py",
    TESTS / "learning/test_convolution.py",
    TESTS / "people/test_rates.py",
    TESTS / "prediction/test_band.py",
    TESTS / "prediction/test_calibration.py",
    TESTS / "prediction/test_cohorts.py",
    TESTS / "prediction/test_compare.py",
    TESTS / "saga/test_generate.py",
    TESTS / "studies/test_foreign_benchmark.py",
    TESTS / "studies/test_sokoban.py",
    TESTS / "studies/test_welch.py",
    TESTS / "studio/test_floods.py",
    TESTS / "studio/test_folder.py",
    TESTS / "studio/test_schema.py",
    *(TESTS / "studio").glob("test_*_browser.py"),
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
