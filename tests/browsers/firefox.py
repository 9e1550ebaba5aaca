"""Debian's own Firefox through WebDriver BiDi, which it speaks itself: no driver stands between.

Selenium would need geckodriver, which Debian does not have, and Playwright (1.65) asks this Firefox for what it does
not know.
"""

import json
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

from websockets.sync.client import connect

NAME = "Firefox"
OLDEST = 128
NEEDED = f"make browsers needs Firefox {OLDEST} or newer: apt-get install firefox-esr"
_WAIT = 60  # seconds, which only a browser that hangs reaches
_EVENTS = ["log.entryAdded", "network.beforeRequestSent"]
# It talks to no one but the server under test: all else would go through a proxy that is not there.
_PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "browser.download.folderList": 2,
    "browser.download.alwaysOpenPanel": False,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
}
_LEFT_LOADING = "error loading dynamically imported module"


def _program() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


def is_there() -> bool:
    """Whether a Firefox is installed that is new enough."""
    if not _program():
        return False
    says = subprocess.run([_program(), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.", says)
    return bool(found) and int(found[1]) >= OLDEST


class Firefox:
    """One running browser with one tab.

    folder: where it keeps its profile and puts what it saves. complaints: errors on its console. requests: every
    address that the page has asked for.
    """

    def __init__(self, folder: Path, is_dark: bool = False) -> None:
        self.downloads = folder / "downloads"
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._turn = 0
        self.downloads.mkdir()
        choices = {"browser.download.dir": str(self.downloads), "ui.systemUsesDarkTheme": int(is_dark)}
        with ExitStack() as ends:
            listens = ends.enter_context(_running(_profile(folder, choices)))
            self._socket = ends.enter_context(connect(f"{listens}/session", max_size=None, open_timeout=_WAIT))
            self.version = self._send("session.new", capabilities={})["capabilities"]["browserVersion"]
            self._tab = self._send("browsingContext.getTree")["contexts"][0]["context"]
            self._send("session.subscribe", events=_EVENTS)
            self._ends = ends.pop_all()

    def _send(self, method: str, **params) -> dict:
        """A command and its answer; what it tells in between is noted."""
        self._turn += 1
        self._socket.send(json.dumps({"id": self._turn, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(_WAIT))
            if message["type"] == "event":
                self._note(message)
            elif message["id"] == self._turn:
                break
        if message["type"] == "error":
            raise RuntimeError(f"{method}: {message['message']}")
        return message["result"]

    def _note(self, event: dict) -> None:
        params = event["params"]
        if event["method"] == "network.beforeRequestSent":
            self.requests.append(params["request"]["url"])
        elif params["level"] == "error":
            self.complaints.append(params["text"])

    def goto(self, address: str) -> None:
        """Open an address. That the page before was left while it loaded modules is no fault of either page."""
        before = len(self.complaints)
        self._send("browsingContext.navigate", context=self._tab, url=address, wait="complete")
        self.complaints[before:] = [text for text in self.complaints[before:] if _LEFT_LOADING not in text]

    def travel(self, steps: int) -> None:
        """Go back (-1) or forward (1) as its buttons do."""
        self._send("browsingContext.traverseHistory", context=self._tab, delta=steps)

    def call(self, function: str, text: str) -> str:
        """What a function of the page gives for a text: a text."""
        result = self._send(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": text}],
            target={"context": self._tab},
            awaitPromise=True,
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"]["value"]

    def perform(self, actions: list[dict]) -> None:
        """What hands do, as WebDriver writes it down."""
        self._send("input.performActions", context=self._tab, actions=actions)

    def resize(self, width: int, height: int) -> None:
        """Make the page that large."""
        self._send("browsingContext.setViewport", context=self._tab, viewport={"width": width, "height": height})

    def picture(self) -> bytes:
        """What it shows, as PNG."""
        return b64decode(self._send("browsingContext.captureScreenshot", context=self._tab)["data"])

    def close(self) -> None:
        """End it."""
        self._ends.close()


def _profile(folder: Path, choices: dict) -> Path:
    """A new profile with these preferences beside ours."""
    profile = folder / "profile"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in (_PREFERENCES | choices).items())
    (profile / "user.js").write_text("\n".join(lines))
    return profile


@contextmanager
def _running(profile: Path) -> Iterator[str]:
    """Firefox, by the address at which it listens."""
    command = [_program(), "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        yield _address(process)
    finally:
        process.terminate()
        process.wait(_WAIT)


def _address(process: subprocess.Popen) -> str:
    """What it says on its error stream; the rest of that stream must be read for it to go on."""
    for line in process.stderr:
        if found := re.search(r"BiDi listening on (ws://\S+)", line):
            Thread(target=process.stderr.read, daemon=True).start()
            return found[1]
    raise RuntimeError("Firefox ended before it listened.")
