"""Whether every page fits in every language: `make fits`, or `python -m tests.browser.fits de ja` for some of them.

Each view is opened at 1280 × 720, narrowed to a phone, and projected, slide by slide. Texts that are cut off, leave
their figure, lie over each other or break a button into two lines are listed with their place. The views of a page
share one load: going on to the next one takes a third of the time.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import product
from urllib.parse import urlsplit

from playwright.sync_api import Error, Page, expect, sync_playwright

from embedviz.base.locale.catalogues import languages
from tests.browser import access, chromium, projection, server
from tests.browser.views import VIEWS, arrive, come_back, has_slides, settle

_DRAWN_AGAIN = 1500  # milliseconds
_COMES = 30_000  # milliseconds in which a page or a slide comes to rest, if it ever does
WINDOWS = (access.WIDE, (1152, 720), (1024, 768), access.PHONE)
PROJECTORS = (projection.LARGE, (1024, 768))
# Words that can be read, each on its line, and those that lie over each other. Slanted words have no such boxes.
_OVER = """() => {
  const words = []
  const look = (root) => root.querySelectorAll("*").forEach((element) => {
    if (element.shadowRoot) look(element.shadowRoot)
    if (element.closest("style, script, option, title, pre, textarea, .hoverlayer")) return
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    if (!isSeen || element.getScreenCTM?.()?.b) return
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      for (const box of [...range.getClientRects()].map((rect) => seen(element, rect)).filter(Boolean)) {
        words.push([box, node.data.trim().slice(0, 40), element])
      }
    }
  })
  const seen = (element, { left, right, top, bottom }) => {
    const lead = (bottom - top) * 0.2
    const box = { left, right, top: top + lead, bottom: bottom - lead }
    for (let e = element; e; e = e.parentElement ?? e.getRootNode().host) {
      const { clipPath, overflowX } = getComputedStyle(e)
      if (clipPath !== "none") return null
      if (!["hidden", "auto", "scroll"].includes(overflowX) || e.ownerSVGElement) continue
      const edge = e.getBoundingClientRect()
      box.left = Math.max(box.left, edge.left)
      box.right = Math.min(box.right, edge.right)
      box.top = Math.max(box.top, edge.top)
      box.bottom = Math.min(box.bottom, edge.bottom)
    }
    return box.right - box.left > 4 && box.bottom - box.top > 4 ? box : null
  }
  look(document)
  words.sort(([a], [b]) => a.top - b.top)
  const found = []
  words.forEach(([a, text, one], n) => {
    for (const [b, other, two] of words.slice(n + 1)) {
      if (b.top > a.bottom - 2) break
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (wide > 4 && high > 2 && !one.contains(two) && !two.contains(one)) found.push(`${text} | ${other}`)
    }
  })
  return found
}"""
# Words of a button or of a page's name that take more lines than they are written in; a whole sentence may.
_TWO_LINES = """() => {
  const found = []
  const look = (root) => root.querySelectorAll("*").forEach((element) => {
    if (element.shadowRoot) look(element.shadowRoot)
    if (!element.closest("button, [role=radio], .ev-pages a, [data-testid=stPageLink]")) return
    if (!element.checkVisibility({ visibilityProperty: true }) || getComputedStyle(element).clipPath !== "none") return
    for (const node of element.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.data.trim().length > 40 || /[.。]$/.test(node.data.trim())) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const tops = [...range.getClientRects()].filter(({ width }) => width > 4).map(({ top }) => top)
      const high = parseFloat(getComputedStyle(element).fontSize) * 1.5 * (node.data.trim().split("\\n").length - 1)
      if (Math.max(...tops) - Math.min(...tops) > 8 + high) found.push(node.data.trim())
    }
  })
  look(document)
  return found
}"""


def faults(page: Page) -> dict[str, list]:
    """What does not fit in the window as it is, and still does not when figures below the screen are drawn again."""
    found = _faults(page)
    if not any(found.values()):
        return found
    page.wait_for_timeout(_DRAWN_AGAIN)
    return _faults(page)


def _faults(page: Page) -> dict[str, list]:
    return {
        **page.evaluate(access.LAYOUT),
        "lie over each other": page.evaluate(_OVER),
        "break": page.evaluate(_TWO_LINES),
    }


def lines(where: str, found: dict[str, list]) -> Iterator[str]:
    """A line for each fault."""
    yield from (f"{where}: {what}: {text}" for what, texts in found.items() for text in texts)


def at(page: Page, sizes: Iterable[tuple[int, int]], where: str) -> Iterator[str]:
    """What does not fit in windows of these sizes, or on a slide of the sizes of projectors."""
    for size in sizes:
        access.resize(page, size)
        on_slides = projection.faults(page) if sizes is PROJECTORS else {}
        yield from lines(f"{where}{size[0]} × {size[1]}", faults(page) | on_slides)


def place(page: Page) -> list[int]:
    """Which slide is on, from 1, and how many there are."""
    return list(map(int, page.locator(".ev-slides output").inner_text().split(" / ")))


def slides(page: Page, path: str) -> Iterator[str]:
    """What does not fit on a slide, of all slides of the view."""
    access.look(page, projection.LARGE)
    come_back(page, f"{path}&present=1")
    expect(page.locator(".ev-slides")).to_be_visible()
    settle(page)
    n, total = place(page)
    yield from at(page, PROJECTORS, "slide 1 at ")
    for _ in range(3 * total):
        if n == total:
            return
        page.keyboard.press("PageDown")  # which may only move a picture
        settle(page)
        n = place(page)[0]
        yield from at(page, PROJECTORS, f"slide {n} at ")
    yield f"slide {n} of {total}: no key leads on"


def view(page: Page, address: str, name: str, tag: str) -> Iterator[str]:
    """All that does not fit in one view in one language."""
    path = f"{VIEWS[name][0]}{'&' if '?' in VIEWS[name][0] else '?'}lang={tag}"
    access.look(page, WINDOWS[0], "light")
    if page.url.startswith(address):
        come_back(page, path)
    else:
        page.goto(address + path)
    arrive(page, name)
    yield from at(page, WINDOWS, "")
    if has_slides(page, name):
        yield from slides(page, path)


def found(address: str, tag: str, names: list[str]) -> list[str]:
    """What does not fit in a language, in these views of one page."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.installed())
        window = chromium.window(browser, bypass_csp=True)
        window.set_default_timeout(_COMES)
        expect.set_options(timeout=_COMES)
        page = window.new_page()
        said = [f"{tag}, {name}, {fault}" for name in names for fault in tried(page, address, name, tag)]
        browser.close()
    return said


def tried(page: Page, address: str, name: str, tag: str) -> list[str]:
    """The faults of a view, or why it did not come; then the page is loaded anew for the next one."""
    said = []
    try:
        said.extend(view(page, address, name, tag))
    except (Error, AssertionError) as error:
        said.append(f"did not come: {str(error).splitlines()[0]}")
        page.goto("about:blank")
    return said


def by_page() -> list[list[str]]:
    """The names of the views, those of one page together."""
    pages = dict.fromkeys(urlsplit(path).path for path, *_ in VIEWS.values())
    return [[name for name, (path, *_) in VIEWS.items() if urlsplit(path).path == page] for page in pages]


def main(tags: list[str]) -> int:
    """Print what does not fit; returns how much."""
    n_workers, n_faults, port = os.cpu_count() or 1, 0, server.free_port()
    tasks = list(product(tags or languages(), by_page()))
    with server.running(server.uvicorn(port), port) as address, ProcessPoolExecutor(n_workers) as pool:
        for task in as_completed(pool.submit(found, address, *task) for task in tasks):
            said = task.result()
            n_faults += len(said)
            print(*said, sep="\n", end="\n" if said else "", flush=True)
    print(f"{len(VIEWS)} views in each language, {n_faults} faults")
    return n_faults


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
