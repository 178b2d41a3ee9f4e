"""A real headless Chromium for pages: Debian's, through Playwright, with no access to any network."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SETTINGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def browser_path() -> str | None:
    """Where a Chromium is on this machine."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """The browser, closed at the end; a test that needs it is skipped where there is none."""
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium fonts-noto-cjk")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=path, args=list(_SETTINGS))
        try:
            yield opened
        finally:
            opened.close()


def has_east_asian_letters() -> bool:
    """Whether this machine has a font for Korean; true where nothing tells."""
    if shutil.which("fc-list") is None:
        return True
    return bool(subprocess.run(["fc-list", ":lang=ko"], capture_output=True, check=True).stdout.strip())
