"""Draw the README's pictures from the app itself: `make picture`."""

from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium, server
from tests.browser.views import DRAWN, settle

STEPS = [0, 25, 50, 75, 100]  # shares of the positions, in percent: those of the slider
STANDS, MOVES = (1500, 2500), 70  # milliseconds: without positions and with all of them, and between two shares
ADD = "(slider, share) => { slider.value = share; slider.dispatchEvent(new Event('input')) }"


def main() -> None:
    """Start the app, open the first page, save what a visitor sees there as positions are added, and a hall's slide."""
    port = server.free_port()
    with server.running(server.uvicorn(port), port) as address, sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.installed())
        page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True, reduced_motion="reduce")
        frames = []
        for path in ("/", "/?present=1"):
            page.goto(address + path)
            page.wait_for_selector(DRAWN, state="attached")
            settle(page)
            frames.append(_moving(page) if path == "/" else [_seen(page)])
        card = _card(page, address)
        browser.close()
    (first, *others), (hall,) = frames
    times = [STANDS[0], *[MOVES] * (len(STEPS) - 2), STANDS[1]]
    first.save(server.ROOT / "README.png", save_all=True, append_images=others, duration=times, loop=0, optimize=True)
    hall.save(server.ROOT / "README-hall.png", optimize=True)
    card.save(server.ROOT / "embedviz/ui/assets/card.png", optimize=True)


def _card(page: Page, address: str) -> Image.Image:
    """What is shown of a link to the site, as large as such pictures are."""
    page.set_viewport_size({"width": 1200, "height": 720})
    page.goto(f"{address}/?hide=all,pages,glossary,code&shown=100")
    page.wait_for_selector(DRAWN, state="attached")
    settle(page)
    shown = page.locator(".st-key-whole").bounding_box()
    above = 60  # pixels for the page's title
    clip = {"x": 0, "y": shown["y"] - above, "width": 1200, "height": shown["height"] + above + 10}
    return Image.open(BytesIO(page.screenshot(clip=clip))).convert("P", palette=Image.Palette.ADAPTIVE)


def _moving(page: Page) -> list[Image.Image]:
    slider, frames = page.get_by_role("slider"), []
    for share in STEPS:
        slider.evaluate(ADD, share)
        settle(page)
        frames.append(_seen(page))
    return frames


def _seen(page: Page) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("P", palette=Image.Palette.ADAPTIVE)


if __name__ == "__main__":
    main()
