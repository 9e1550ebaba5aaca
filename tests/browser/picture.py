"""Draw the pictures of the README and of the gallery from the app itself: `make picture`."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from embedviz.base.pages import page_at
from embedviz.base.settings import configured
from embedviz.ui import AnyView
from tests.browser import chromium, server
from tests.browser.views import DRAWN, settle
from tests.views import VIEWS
from tests.views import address as path_of

STEPS = [0, 25, 50, 75, 100]  # shares of the positions, in percent: those of the slider
STANDS, MOVES = (1500, 2500), 70  # milliseconds: without positions and with all of them, and between two shares
GALLERY = """# Gallery

Each picture is a view of embedviz with the positions on, and the sentence below it is what the view then says. The
links work while embedviz runs on your machine (`make run`). `make picture` makes this page.

| | |
|---|---|
"""
ADD = "(slider, share) => { slider.value = share; slider.dispatchEvent(new Event('input')) }"


def main() -> None:
    """Start the app, open the first page, save what a visitor sees there as positions are added, and a hall's slide."""
    port = server.free_port()
    here = {"EMBEDVIZ_MODELS": str(configured().models)}  # MiniLM reads on the pictures of Layers
    with server.running(server.uvicorn(port), port, here) as address, sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.installed())
        page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True, reduced_motion="reduce")
        frames = []
        for path in ("/", "/?present=1"):
            page.goto(address + path)
            page.wait_for_selector(DRAWN, state="attached")
            settle(page)
            frames.append(_moving(page) if path == "/" else [_seen(page)])
        page.close()
        claims = _cards(browser, address)
        browser.close()
    (server.ROOT / "docs/gallery.md").write_text(_gallery(claims), encoding="utf-8")
    (first, *others), (hall,) = frames
    times = [STANDS[0], *[MOVES] * (len(STEPS) - 2), STANDS[1]]
    first.save(server.ROOT / "README.png", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    hall.save(server.ROOT / "README-hall.png", optimize=True)


def _cards(browser: Browser, address: str) -> list[str]:
    """Draw what is shown of a link to each view, as large as such pictures are. Returns what each view claims."""
    claims = []
    page = browser.new_page(viewport={"width": 1200, "height": 630}, bypass_csp=True, reduced_motion="reduce")
    for view in VIEWS.values():
        page.goto(address + path_of(view, hide="all,pages,glossary,code,frame_look,share", shown="100"))
        settle(page)
        path = server.ROOT / _card(view)
        path.parent.mkdir(parents=True, exist_ok=True)
        _seen(page, colours=48).save(path, optimize=True)
        claims.append(page.get_by_role("heading", level=1).inner_text())
    return claims


def _card(view: AnyView) -> str:
    return f"embedviz/ui/assets/cards/{view.page}/{view.name or 'page'}.png"


def _gallery(claims: list[str]) -> str:
    """The picture of each view with its claim, two in a row."""
    cells = [_cell(view, claim) for view, claim in zip(VIEWS.values(), claims, strict=True)]
    return GALLERY + "".join(f"| {' | '.join(cells[n : n + 2])} |\n" for n in range(0, len(cells), 2))


def _cell(view: AnyView, claim: str) -> str:
    title = page_at(view.page).title
    where = title if view.title == title else f"{title} · {view.title}"
    said = "".join(each for each in claim if each not in "\u2068\u2069").strip()  # the marks around words are no text
    link = f"http://localhost:8501{path_of(view)}"
    return f"[![{where}](../{_card(view)})]({link})<br>**{said}**<br>[{where}]({link})"


def _moving(page: Page) -> list[Image.Image]:
    slider, frames = page.get_by_role("slider"), []
    for share in STEPS:
        slider.evaluate(ADD, share)
        settle(page)
        frames.append(_seen(page))
    return frames


def _seen(page: Page, colours: int = 256) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE, colors=colours)


if __name__ == "__main__":
    main()
