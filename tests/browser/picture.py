"""Draw the README's picture from the app itself: `make picture`."""

from playwright.sync_api import sync_playwright

from tests.browser import chromium, server
from tests.browser.views import DRAWN


def main() -> None:
    """Start the app, open the first page, save what a visitor sees."""
    port = server.free_port()
    with server.running(server.streamlit(port), port) as address, sync_playwright() as playwright:
        browser = chromium.launch(playwright, chromium.installed())
        page = browser.new_page(viewport={"width": 1280, "height": 720}, bypass_csp=True)
        page.goto(address)
        page.wait_for_selector(DRAWN)
        page.screenshot(path=server.ROOT / "README.png")
        browser.close()


if __name__ == "__main__":
    main()
