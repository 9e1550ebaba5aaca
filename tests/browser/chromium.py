"""Find a Chromium for the browser tests; run as a script it installs Playwright's own if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

MISSING = "The browser tests need Chromium or Chrome: install one, or set the variable CHROMIUM to its path."
OLDEST = 123  # the first that knows CSS's light-dark(), by which notices follow the theme
# The first is Chromium without its windows, which takes a tenth less time.
_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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
    # Pages of tests do not live long: what runs a few times is not worth the work of V8's optimizing compilers. And all
    # cores are busy with other tests, so its garbage collector need not share its work among threads.
    "--js-flags=--invocation-count-for-maglev=6000 --invocation-count-for-turbofan=40000 --single-threaded-gc",
]
SLOWER = float(os.environ.get("SLOWER", "1"))  # how many times slower a page's scripts run than they could
# Milliseconds that only something that hangs reaches, on a machine of any speed. A training's process has a low
# priority: where pages keep all cores busy, it takes minutes until its first numbers come.
HANGS = int(os.environ.get("HANGS", "300000"))


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


# `window.asked` says whether the page has asked the server for a run that has not come to its end: Streamlit's page
# does not say so of a run that is not announced. Both are told by the numbers of fields in Streamlit's messages.
_ASKED = """
(() => {
  const varint = (bytes, at) => {
    for (let value = 0, shift = 0; ; shift += 7, at++) {
      value |= (bytes[at] & 127) << shift
      if (bytes[at] < 128) return [value, at + 1]
    }
  }
  const fields = function* (bytes) {
    for (let at = 0; at < bytes.length; ) {
      const [tag, start] = varint(bytes, at)
      const [value, end] = varint(bytes, start)
      yield [tag >> 3, value]
      at = (tag & 7) === 2 ? end + value : end
    }
  }
  const RERUN = 11, FINISHED = 6, EARLY = 2
  const sockets = new WeakSet()
  const send = WebSocket.prototype.send
  window.asked = false
  WebSocket.prototype.send = function (data) {
    if (!sockets.has(this)) this.addEventListener("message", ({ data }) => {
      for (const [name, value] of fields(new Uint8Array(data))) window.asked &&= name !== FINISHED || value === EARLY
    })
    sockets.add(this)
    if (ArrayBuffer.isView(data)) for (const [name] of fields(data)) window.asked ||= name === RERUN
    return send.call(this, data)
  }
})()
"""


def window(browser: Browser, **options: object) -> BrowserContext:
    """A window with cookies and a memory of its own, whose waits end when the thing has come, and come at once."""
    context = browser.new_context(**{"reduced_motion": "reduce"} | options)
    context.add_init_script(_ASKED)
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
