"""Find a Chromium for the browser tests; run as a script it installs Playwright's own if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A browser started by tests talks to no one but the server under test.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed() -> str | None:
    """The path of a browser, from the variable CHROMIUM, the PATH, or Playwright's own folder."""
    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    if named:
        return named
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def launch(playwright: Playwright, path: str) -> Browser:
    """Start the browser, headless."""
    return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)


if __name__ == "__main__" and not installed():
    subprocess.run([sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"], check=False)
    if not installed():
        sys.exit("The browser tests need Chromium or Chrome: install one, or set CHROMIUM to its path.")
