"""A browser for tests that look at pages: Chromium as the system has it."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page

NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str:
    """Chromium's path: LEVELSENSE_BROWSER, which CI sets, or what is found; skips the test without any."""
    if wanted := os.environ.get("LEVELSENSE_BROWSER"):
        return wanted
    for name in NAMES:
        if program := shutil.which(name):
            return program
    pytest.skip(f"no browser found: install one of {', '.join(NAMES)}, or set LEVELSENSE_BROWSER to its path")


@dataclass
class Seen:
    """An open page, and everything that it said and asked for."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self, path: Path) -> None:
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(f"error: {error}"))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-complete=yes]", timeout=60_000)

    def open_all(self, path: Path) -> None:
        """Opens a page with all levels and all of their parts, and waits for every chart."""
        self.open(path)
        self.page.evaluate("openAll()")
        self.page.wait_for_selector("html[data-all=yes]", timeout=60_000)
