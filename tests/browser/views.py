"""Every page of the site in every view, and how to tell that it is all there."""

from urllib.parse import quote, urlencode

from playwright.sync_api import FloatRect, Frame, Locator, Page, expect

from tests.pages.site import trained
from tests.views import EXAMPLES, address

# Right to left, both directions in one line, marks that combine, signs joined into one, and two scripts without spaces.
HARD = "שלום (abc) مرحبا بكم! e\u0301 👨‍👩‍👧 猫は กำลัง"
TRAINED = urlencode(trained())
_LONG = "def area(r):\n    return 3.14159 * r**2\n" + HARD + " " + "antidisestablishmentarianism" * 4

# A page of the site without anything on it, for what a function of a script says by itself.
EMPTY = "/_stcore/health"
# Pictures that are there.
DRAWN = ".ev-plot[data-drawn], .st-key-strips [data-drawn], .st-key-whole [data-drawn]"
# Components whose script is still on its way.
COMING = ".stBidiComponent:not(:has([data-loaded]))"
# Nothing runs, moves or waits to be drawn, and that for some frames: figures fill their places in the theme's colours.
SETTLED = """() => {
  const isComing = document.querySelector('COMING')
  const app = document.querySelector('[data-testid=stApp]')
  const ink = getComputedStyle(app).color.match(/\\d+/g)
  const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const moves = ({ playState, effect }) => playState === 'running' && effect.getComputedTiming().endTime < Infinity
  const fits = ({ _fullLayout, clientWidth, clientHeight }) =>
    Math.abs(_fullLayout.width - clientWidth) < 2 && Math.abs(_fullLayout.height - clientHeight) < 2
  const painted = ({ layout }) =>
    layout.font.color.match(/[0-9a-f]{2}/gi).every((part, n) => parseInt(part, 16) == ink[n])
  const plots = [...document.querySelectorAll('.ev-plot')].filter(plot => plot.clientWidth)
  const quiet = !isComing && !window.asked && app.dataset.testScriptState === 'notRunning'
    && getComputedStyle(app).colorScheme === scheme
    && !document.querySelector('[data-stale=true]') && !document.getAnimations().some(moves)
    && plots.every(plot => plot.dataset.drawn && fits(plot) && painted(plot))
  const before = window.lookedLike
  window.lookedLike = [document.querySelectorAll('*').length, document.body.textContent.length, innerWidth,
    ...plots.map(plot => plot.dataset.drawn)].join()
  window.quietFrames = quiet && before === window.lookedLike ? (window.quietFrames ?? 0) + 1 : 0
  return window.quietFrames > 5 && !(window.quietFrames = 0)
}""".replace("COMING", COMING)

_BACK = """path => {
  History.prototype.pushState.call(history, {}, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
}"""


# Where a figure is not what must be there of a view: a selector, and how many of it.
_DRAWN = {
    "compare whole": (".st-key-whole [data-drawn]", 1),
    "compare pairs": (DRAWN, 1),
    "tour": (".tour", 1),
    "lessons": ("h1", 1),
    "tokenizers": (".segments ol", 4),
    "batches windows": (".windows table", 2),
    "batches padding": ("ol li", 6),
    "positions adding": (".arrows line", 3),
    "attention order": (".ev-plot[data-drawn]", 3),
    "layers meaning": ("h1", 1),  # no model is there that could read
    "next_word": (".ev-plot[data-drawn]", 2),
    "training words": (".ev-plot[data-drawn]", 2),
    "vocabulary": (".map[data-points]", 1),
}
# By name, the path of each example of each view, and a selector with how many of it there must be. What another example
# than the first one has depends on what it shows, so that its title must do; and all that is drawn has come to rest.
VIEWS = {
    name: (address(view, n), *(("h1", 1) if n else _DRAWN.get(name, (".ev-plot[data-drawn]", 1))))
    for name, (view, n) in EXAMPLES.items()
} | {
    "compare pairs, hard scripts": (f"/?view=pairs&a={quote(HARD)}&b={quote(HARD)}", DRAWN, 1),
    "tokenizers, hard scripts": (f"/tokenizers?text={quote(_LONG)}", ".segments ol", 4),
}


def has_slides(page: Page, name: str) -> bool:
    """Whether the open view is projected by slides, which the tour has of its own kind.

    Longest texts need more than a screen, and nobody projects a mistake with its message.
    """
    has_message = page.locator("[data-testid=stAlertContentError]").count() > 0
    slides = page.locator("[class*='st-key-frame_slide_']")
    return not name.endswith("hard scripts") and not has_message and slides.count() > 0


def arrive(page: Page, name: str) -> None:
    """Wait until the view is drawn and nothing runs any more."""
    _, selector, count = VIEWS[name]
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(selector).nth(count - 1)).to_be_attached()
    settle(page)


def come_back(page: Page, path: str) -> None:
    """Show what the address says as Back does, in the page that is open, in a fraction of the time of a new load."""
    page.evaluate(_BACK, path)


def through_menu(page: Page, title: str) -> None:
    """Go to the page of this title, which is in the row or one press further."""
    link = page.locator(".ev-pages a").get_by_text(title, exact=True)
    if not link.is_visible():
        page.locator(".ev-pages :is(.ev-menu, .ev-more):visible").click()
    link.click()


def settle(page: Page | Frame) -> None:
    """Wait until the page, or that in a frame, has nothing left to do."""
    page.wait_for_function(SETTLED)


def outline(picture: Locator) -> FloatRect:
    """Where a picture stands, once the page has nothing left to do that could move it."""
    settle(picture.page)
    return picture.bounding_box()
