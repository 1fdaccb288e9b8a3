"""A browser without a network, one for all tests of pages."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.report.browser import Seen, browser_path


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = browser_path()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def seen(browser: Browser) -> Iterator[Seen]:
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    yield Seen(context.new_page())
    context.close()
