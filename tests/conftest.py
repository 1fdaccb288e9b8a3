"""What all tests share."""

import os
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

# Its tests spend their time in kernels and in a second implementation of them. Compiled kernels cannot be
# traced, and tracing what is around them costs minutes: these lines are counted where the JIT is off.
UNTRACED = Path(__file__).parent / "game"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if "NUMBA_DISABLE_JIT" in os.environ:
        return
    for item in items:
        if item.path.is_relative_to(UNTRACED):
            item.add_marker("no_cover")


@pytest.fixture
def browser() -> Iterator[Browser]:
    """A real browser, for one test: as long as Playwright runs, `asyncio.run` of other tests cannot."""
    path = browser_path()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield opened
        opened.close()
