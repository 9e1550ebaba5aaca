"""Find a Chromium for the browser tests; run as a script it installs Playwright's own if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

MISSING = "The browser tests need Chromium or Chrome: install one, or set the variable CHROMIUM to its path."
OLDEST = 123  # the first that knows CSS's light-dark(), by which notices follow the theme
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
    # Pages of one server share a process, in which the scripts of the page before are compiled already.
    "--process-per-site",
]
SLOWER = float(os.environ.get("SLOWER", "1"))  # how many times slower a page's scripts run than they could
HANGS = 90_000  # milliseconds that only something that hangs reaches, on a machine of any speed


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


def window(browser: Browser, **options: object) -> BrowserContext:
    """A window with cookies and a memory of its own, whose waits end when the thing has come."""
    context = browser.new_context(**options)
    context.set_default_timeout(HANGS)
    if SLOWER != 1:
        context.on("page", _slow_down)
    return context


def _slow_down(page: Page) -> None:
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})


def main() -> None:
    """Look for a browser that is new enough; install Playwright's own if there is none."""
    if not installed():
        subprocess.run([sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"], check=False)
    path = installed()
    if not path:
        sys.exit(MISSING)
    with sync_playwright() as playwright:
        browser = launch(playwright, path)
        version = browser.version
        browser.close()
    if int(version.partition(".")[0]) < OLDEST:
        sys.exit(f"The browser tests need Chromium {OLDEST} or newer, and {path} is {version}: update it.")


if __name__ == "__main__":
    main()
