"""A browser for tests that look at pages: Chromium as the system has it."""

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


def browser_path() -> str:
    """Chromium's path: LEVELSENSE_BROWSER, which CI sets, or what is found; skips the test without any."""
    if wanted := os.environ.get("LEVELSENSE_BROWSER"):
        return wanted
    for name in NAMES:
        if found := shutil.which(name):
            return found
    pytest.skip(f"no browser found: install one of {', '.join(NAMES)}, or set LEVELSENSE_BROWSER to its path")
