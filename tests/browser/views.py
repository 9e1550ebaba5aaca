"""Every page of the site in every view, and how to tell that it is all there."""

from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from playwright.sync_api import FloatRect, Frame, Locator, Page, expect

from embedviz.base.pages import PAGES, page_at
from embedviz.base.pages import Page as Record
from tests.pages.site import trained

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


def view_at(path: str) -> tuple[Record, str]:
    """The page of a path, and the name of the view that it opens."""
    page, said = page_at(path), dict(parse_qsl(urlsplit(path).query)).get("view", "")
    names = {text: name for name, text in page.views.items()} | {name: name for name in page.views}
    return page, names.get(said) or next(iter(page.views), "")


# Name: the path, and a CSS selector with how many of it there must be.
VIEWS = {
    "compare": ("/", ".st-key-whole [data-drawn]", 1),
    "compare, pairs": ("/?view=pairs", DRAWN, 1),
    "compare, map": ("/?view=map&shown=100", ".ev-plot[data-drawn]", 1),
    "compare, all orders": ("/?view=orders", ".ev-plot[data-drawn]", 1),
    "compare, hard scripts": (f"/?view=pairs&a={quote(HARD)}&b={quote(HARD)}", DRAWN, 1),
    "lookup, rows": ("/lookup", ".ev-plot[data-drawn]", 1),
    "lookup, one-hot": ("/lookup?view=One-hot", ".ev-plot[data-drawn]", 1),
    "tokenizers": ("/tokenizers", ".segments ol", 4),
    "tokenizers, hard scripts": (f"/tokenizers?text={quote(_LONG)}", ".segments ol", 4),
    "batches, windows": ("/batches", ".windows table", 2),
    "batches, padding": ("/batches?view=Padding", "ol li", 6),
    "positions, table": ("/positions?view=table", ".ev-plot[data-drawn]", 1),
    "positions, pairs": ("/positions?view=Pairs", ".ev-plot[data-drawn]", 1),
    "positions, past the end": ("/positions?view=Past+the+end", ".ev-plot[data-drawn]", 1),
    "positions, adding": ("/positions", ".arrows line", 3),
    "relative, shift test": ("/relative", ".ev-plot[data-drawn]", 1),
    "relative, by distance": (f"/relative?view=distance&t5={quote('no name')}", ".ev-plot[data-drawn]", 1),
    "relative, weights": ("/relative?part=weights", ".ev-plot[data-drawn]", 1),
    "relative, how far": ("/relative?view=far", ".ev-plot[data-drawn]", 1),
    "rope, pairs turn": ("/rope", ".ev-plot[data-drawn]", 1),
    "rope, longer": ("/rope?view=longer", ".ev-plot[data-drawn]", 1),
    "attention, head": ("/attention?view=head&on=true", ".ev-plot[data-drawn]", 1),
    "layers, copies": ("/layers?change=trained", ".ev-plot[data-drawn]", 1),
    "layers, memory": ("/layers?view=memory&given=true", ".ev-plot[data-drawn]", 1),
    "models": ("/models", ".ev-plot[data-drawn]", 2),
    "attention": ("/attention?causal=true", ".ev-plot[data-drawn]", 3),
    "next word": ("/next_word", ".ev-plot[data-drawn]", 2),
    "next word, own": ("/next_word?sentences=own", ".ev-plot[data-drawn]", 1),
    "next word, asked": ("/next_word?placed=exchanged", ".ev-plot[data-drawn]", 1),
    "training, words": (f"/training?{TRAINED}", ".ev-plot[data-drawn]", 2),
    "training, positions": (f"/training?view=Positions&{TRAINED}", ".ev-plot[data-drawn]", 1),
    "training, not yet trained": ("/training?steps=77&seed=77", "[data-testid=stAlert]", 1),
    "vocabulary": ("/vocabulary", ".map[data-points]", 1),
    "vocabulary, random": ("/vocabulary?tokenizer=words", ".map[data-points]", 1),
    "vocabulary, a part of tokens": ("/vocabulary?tokenizer=words&token=hough", ".map[data-points]", 1),
    "vocabulary, axis": ("/vocabulary?tokenizer=words&colour=kind&map=Axis", ".map[data-points]", 1),
}

for _page in PAGES:  # a view of which nothing is said here has at least its title
    for _view in _page.views:
        if (_page, _view) not in [view_at(path) for path, *_ in VIEWS.values()]:
            VIEWS[f"{_page.name}, {_view}"] = (f"/{_page.address}" + f"?view={_view}" * bool(_view), "h1", 1)


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
