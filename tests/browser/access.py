"""What every page must be in every theme and size: without a fault that axe knows, and nothing cut off or covered."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from embedviz.ui.components.component import ASSETS_PATH
from tests.browser.views import settle

WIDE, PHONE, ZOOMED = (1280, 720), (360, 740), (640, 360)  # the last is 1280 × 720 at 200 %

_SIDEWAYS = """() => ['[data-testid=stMain]', 'html'].filter(
  name => document.querySelector(name).scrollWidth > innerWidth)"""
# Titles, names of fields, buttons and what findings say, as far as they are not inside something that scrolls.
_CUT_OFF = """() => {
  const found = []
  const look = root => root.querySelectorAll('*').forEach(e => {
    if (e.shadowRoot) look(e.shadowRoot)
    if (!e.matches('h1, h2, h3, label, caption, p, summary, button')) return
    if (!e.checkVisibility({ visibilityProperty: true })) return
    const { left, right, width } = e.getBoundingClientRect()
    for (let box = e; box; box = box.parentElement ?? box.getRootNode().host)
      if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return
    const spills = e.matches('h1, h2, h3, button') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1
    if (width > 1 && (left < -1 || right > innerWidth + 1 || spills)) found.push(e.textContent.slice(0, 60))
  })
  look(document)
  return found
}"""
# Words in a figure that leave it, where they are cut off.
_OUTSIDE = """() => [...document.querySelectorAll('.ev-plot[data-drawn]')].flatMap(plot => {
  const { left, right, top, bottom } = plot.getBoundingClientRect()
  return [...plot.querySelectorAll('.main-svg text')].filter(text => {
    const box = text.getBoundingClientRect()
    return text.textContent.trim() && box.width
      && (box.left < left - 2 || box.right > right + 2 || box.top < top - 2 || box.bottom > bottom + 2)
  }).map(text => text.textContent)
})"""
# The button in the corner stays where it is; the title and the names of the pages must not lie under it.
_COVERED = """() => {
  const share = document.querySelector('.st-key-share').getBoundingClientRect()
  return [...document.querySelectorAll('h1, header a, header button')].filter(e => {
    const box = e.getBoundingClientRect()
    return box.width && e.checkVisibility({ visibilityProperty: true })
      && box.left < share.right && box.right > share.left
      && box.top < share.bottom && box.bottom > share.top
  }).map(e => e.textContent)
}"""
_TABLES = """path => import(path).then(({ tables }) => [...document.querySelectorAll('.ev-plot')].map(plot => [
  plot.data.filter(({ hoverinfo }) => hoverinfo !== 'skip').map(({ name }) => name ?? null),
  tables(plot).map(({ title, rows }) => [title, rows.length]),
]))"""
# By what is wrong: where it is.
LAYOUT = f"""() => ({{
  "scrolls sideways": ({_SIDEWAYS})(), "is cut off": ({_CUT_OFF})(), "leaves its figure": ({_OUTSIDE})(),
  "is covered": ({_COVERED})(),
}})"""
_AXE = Axe().axe_script  # a page keeps it until it is loaded anew
_VIOLATIONS = """options => axe.run(options).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"""


def look(page: Page, size: tuple[int, int], theme: str | None = None) -> None:
    """Change the window, and its theme if one is named."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme)


def resize(page: Page, size: tuple[int, int], theme: str | None = None) -> None:
    """Change the window, and its theme if one is named, and wait until the page has followed."""
    look(page, size, theme)
    settle(page)


def check(page: Page, *rules: str) -> None:
    """Fail with what is wrong, by all of axe's rules or by these."""
    check_layout(page)
    check_axe(page, *rules)


def check_layout(page: Page) -> None:
    """Nothing is cut off or covered, or makes the page scroll sideways."""
    found = wrong(page.evaluate(LAYOUT))
    assert not found, found


def wrong(found: dict[str, list]) -> dict[str, list]:
    """What there is of all that was looked for."""
    return {name: what for name, what in found.items() if what}


def check_tables(page: Page) -> None:
    """Of all that a figure draws, and that can be pointed at, the panel "Share" has a table, with a name of its own."""
    figures = page.evaluate(_TABLES, f"{ASSETS_PATH}/embedviz/ui/components/plot/pictures.js")
    for drawn, tables in figures:
        assert [title for title, _ in tables] == drawn, figures
        assert all(rows for _, rows in tables), figures
        assert None not in drawn, figures


def check_axe(page: Page, *rules: str, but: str = "") -> None:
    """axe finds nothing, however minor; by all of its rules, if none are named, but this one."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    options |= {"rules": {but: {"enabled": False}}} if but else {}
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    found = page.evaluate(_VIOLATIONS, options)
    assert found == [], found
