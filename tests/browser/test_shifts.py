"""How much of a view moves while it comes, where there is least room: on a phone and on an upright tablet."""

import pytest
from playwright.sync_api import Browser

from tests.browser import access, chromium
from tests.browser.views import VIEWS, arrive

LIMIT = 0.1  # up to which the web's vitals call a page good
TABLET = (768, 1024)
WORST = ("positions, pairs", "layers, copies", "attention", "rope, details")


@pytest.mark.parametrize("size", [access.PHONE, TABLET])
def test_little_moves_while_a_view_comes(browser: Browser, address: str, size: tuple[int, int]):
    for name in WORST:
        with chromium.window(
            browser, bypass_csp=True, viewport=dict(zip(("width", "height"), size, strict=True))
        ) as window:
            page = window.new_page()
            page.add_init_script(chromium.SHIFTS)
            page.goto(address + VIEWS[name][0])
            arrive(page, name)
            assert page.evaluate("window.shifted") < LIMIT, name
