"""Pages without a network."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.report.browser import Seen


@pytest.fixture
def seen(browser: Browser) -> Iterator[Seen]:
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    yield Seen(context.new_page())
    context.close()
