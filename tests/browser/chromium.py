"""Find a Chromium for the browser tests; run as a script it installs one if there is none.

That is Debian's, which is small and comes with its libraries, where apt-get asks for no password. Elsewhere it is
Playwright's own. What is still missing is said in one sentence.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, sync_playwright

OLDEST = 123  # the first that knows CSS's light-dark(), by which notices follow the theme
_DEBIANS = "chromium-headless-shell libatomic1"  # Playwright's driver needs the second
MISSING = (
    f"Chromium or Chrome {OLDEST} or newer: install one, on Debian with `apt-get install {_DEBIANS}`, "
    "or set the variable CHROMIUM to its path."
)
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

# Adds up in `window.shifted` how much of the page has moved, by no key or click: the layout shift of the web's vitals.
SHIFTS = """
window.shifted = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
}).observe({ type: "layout-shift", buffered: true })
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
    """Look for a browser that starts and is new enough; install one if there is none, or say what is missing."""
    path = _ready() or next(filter(None, map(_install, installers())), None)
    sys.exit(fault(path) if path else f"The browser tests need {_needed_by_playwright() or MISSING}")


def _ready() -> str | None:
    """The path of a browser, if Playwright can drive one."""
    return None if _needed_by_playwright() else installed()


def _needed_by_playwright() -> str | None:
    """The library without which Playwright's driver does not start, as in Debian's smallest systems."""
    command = [sys.executable, "-m", "playwright", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    library = _missing_library(done.stderr)
    return library and f"the library {library} for Playwright: on Debian `apt-get install {_DEBIANS}` brings it."


def _missing_library(words: str) -> str | None:
    found = re.search(r"error while loading shared libraries: ([^:]+)", words)
    return found and found[1]


def installers() -> Iterator[list[str]]:
    """The commands that may install what is missing, the best first."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    has_apt = all(map(shutil.which, ["apt-get", *as_root[:1]]))
    may_apt = has_apt and subprocess.run([*as_root, "true"], capture_output=True, check=False).returncode == 0
    if may_apt:
        script = f"export DEBIAN_FRONTEND=noninteractive; apt-get update; apt-get install -y {_DEBIANS}"
        yield [*as_root, "sh", "-c", script]
    if not _needed_by_playwright():
        own = ["--with-deps", "--no-shell"] if may_apt else ["--no-shell"]
        yield [sys.executable, "-m", "playwright", "install", *own, "chromium"]


def _install(command: list[str]) -> str | None:
    """Run the command, whose many lines nobody needs, and give the path of the browser if it is there then."""
    print(f"There is no Chromium for the browser tests yet, so one is installed: {' '.join(command)}", flush=True)
    variables = os.environ | {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000"}  # milliseconds for each of its tries
    subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return _ready()


def fault(path: str) -> str | None:
    """Why the tests cannot use the browser at this path, and what to do; None if they can."""
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright, path)
            version = browser.version
            browser.close()
    except Error as error:
        library = _missing_library(error.message)
        brings = f"which `{sys.executable} -m playwright install-deps chromium` brings on Debian and Ubuntu"
        why = f"the library {library} is missing, {brings}" if library else error.message.splitlines()[0]
        return f"The browser tests need a Chromium that starts, and {path} does not: {why}."
    if int(version.partition(".")[0]) < OLDEST:
        return f"The browser tests need Chromium {OLDEST} or newer, and {path} is {version}: update it."
    return None


if __name__ == "__main__":
    main()
