"""What every page must be: no wider than its window, and without a fault that axe calls serious."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def check(page: Page) -> None:
    """Fail with what is wrong."""
    width = page.viewport_size["width"]
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    serious = [
        (rule["id"], [node["html"] for node in rule["nodes"]])
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert serious == []
