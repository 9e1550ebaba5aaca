"""Pages in a real browser whose server goes away: is everything on them the same when they have come back?"""

import asyncio
import json
import time
from dataclasses import dataclass

from cluster_visitors import COOKIE
from playwright.async_api import Browser, BrowserContext, Page

# What a visitor sees: address, fields, what is chosen, what is open, texts, and the numbers in every figure.
_STATE = """() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].flatMap(element => [element])
    .concat([...root.querySelectorAll('*')].filter(e => e.shadowRoot).flatMap(e => all(selector, e.shadowRoot)));
  const numbers = value => value?.bdata ? value.bdata : ArrayBuffer.isView(value) ? [...value]
    : Array.isArray(value) ? value.map(numbers) : value ?? null;
  return JSON.stringify({
    address: location.pathname + location.search,
    fields: all('input, textarea').map(e => [e.ariaLabel, e.type, e.value, e.checked]),
    chosen: all('[aria-checked=true], [aria-pressed=true], [aria-current]').map(e => e.textContent),
    open: all('details').map(e => e.open),
    texts: all('h1, h2, h3, p, li, td, th, .text, code').map(e => e.textContent.trim()),
    undrawn: all('.ev-plot').filter(e => !e.dataset.drawn).length,
    figures: all('.ev-plot').map(e => (e.data ?? []).map(t => [t.type, numbers(t.x), numbers(t.y), numbers(t.z)])),
  });
}"""
_APP = "document.querySelector('[data-testid=stApp]')?.dataset"
_TIMEOUT = 120.0


@dataclass
class Screen:
    """One page in a browser window of its own, and the replica that it was given."""

    name: str
    replica: int
    page: Page
    context: BrowserContext
    before: dict[str, object]
    breaks: int = 0

    async def is_back(self, last: float) -> tuple[float, list[str]]:
        """Seconds until the page is connected to another replica and shows the same, and what differs if it never does.

        last: when the server went away, in time.monotonic().
        """
        while time.monotonic() < last + _TIMEOUT:
            if await self._is_quiet() and await replica_of(self.context) != self.replica:
                differs = await self.differences()
                if not differs:
                    return time.monotonic() - last, []
            await asyncio.sleep(0.1)
        return time.monotonic() - last, await self.differences() or ["the connection"]

    async def shows_tokens(self, words: list[str], last: float) -> tuple[float, list[str]]:
        """Seconds until the tokens of sentence A are these, and what is there instead if they never are."""
        tokens = self.page.get_by_role("list", name="Tokens of A").locator(".text")
        while time.monotonic() < last + _TIMEOUT:
            if (found := await tokens.all_text_contents()) == [f"␣{word}" for word in words]:
                return time.monotonic() - last, []
            await asyncio.sleep(0.1)
        return time.monotonic() - last, [f"tokens {found}"]

    async def differences(self) -> list[str]:
        """The names of what is not as it was, and for lists where they part."""
        now = await _state(self.page)
        return [f"{name}: {_part(self.before[name], now[name])}" for name in now if now[name] != self.before[name]]

    async def _is_quiet(self) -> bool:
        return await _is_quiet(self.page)


async def open_screen(browser: Browser, url: str, name: str, path: str, *, replica: int, use=None) -> Screen:
    """Open a page that a replica is to serve, do something on it, and remember what it shows then."""
    context = await browser.new_context(viewport={"width": 1280, "height": 720})
    await context.add_cookies([{"name": COOKIE, "value": str(replica), "url": url}])
    page = await context.new_page()
    await page.goto(url + path)
    await _settled(page)
    if use:
        await use(page)
        await _settled(page)
    screen = Screen(name, replica, page, context, await _state(page))
    page.on("websocket", lambda _: setattr(screen, "breaks", screen.breaks + 1))  # each one after the first
    return screen


async def replica_of(context: BrowserContext) -> int:
    return next((int(each["value"]) for each in await context.cookies() if each["name"] == COOKIE), 0)


async def _settled(page: Page) -> None:
    """Wait until the page has run and nothing on it changes any more."""
    deadline, looks = time.monotonic() + _TIMEOUT, []
    while time.monotonic() < deadline:
        await asyncio.sleep(1.5)
        looks = [*looks[-2:], await _state(page) if await _is_quiet(page) else {}]
        if len(looks) == 3 and looks[0] == looks[1] == looks[2] and looks[0].get("fields") and not looks[0]["undrawn"]:
            return
    raise TimeoutError(f"{page.url} does not come to rest")


def _part(before: object, now: object) -> str:
    if not (isinstance(before, list) and isinstance(now, list)):
        return f"{before} / {now}"[:200]
    n = next((n for n, (one, other) in enumerate(zip(before, now, strict=False)) if one != other), -1)
    return f"{len(before)} / {len(now)}, at {n} {str(before[n : n + 1])[:80]} / {str(now[n : n + 1])[:80]}"


async def _is_quiet(page: Page) -> bool:
    app = await page.evaluate(_APP)
    return bool(app) and app.get("testConnectionState") == "CONNECTED" and app.get("testScriptState") == "notRunning"


async def _state(page: Page) -> dict[str, object]:
    return json.loads(await page.evaluate(_STATE))
