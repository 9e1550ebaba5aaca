"""Draw the README's pictures from the app itself: `make picture`."""

from playwright.sync_api import sync_playwright

from tests.browser import chromium, server
from tests.browser.views import DRAWN, settle


def main() -> None:
    """Start the app, open the first page, save what a visitor sees, and what a hall sees."""
    port = server.free_port()
    with server.running(server.uvicorn(port), port) as address, sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.installed())
        page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
        for path, name in (("/", "README.png"), ("/?present=1", "README-hall.png")):
            page.goto(address + path)
            page.wait_for_selector(DRAWN, state="attached")
            settle(page)
            page.screenshot(path=server.ROOT / name)
        browser.close()


if __name__ == "__main__":
    main()
