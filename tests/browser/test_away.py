"""A page whose server is gone says so in its own words, and comes back by itself."""

import pytest
from playwright.sync_api import expect

from tests.browser import access, server

LOST = "The connection is lost. Your texts and settings stand in the address; the page tries again by itself."


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
def test_a_page_whose_server_is_gone_says_so_and_comes_back(browser, theme, width):
    port = server.free_port()
    page = browser.new_page(viewport={"width": width, "height": 720}, color_scheme=theme, bypass_csp=True)
    field = page.get_by_role("textbox", name="Text")
    with server.running(server.uvicorn(port), port):
        page.goto(f"http://127.0.0.1:{port}/tokenizers?text=The+end")
        expect(field).to_have_value("The end", timeout=30_000)
    notice = page.get_by_role("alert").filter(has_text=LOST)
    expect(notice).to_be_visible()
    page.get_by_text("Connection error").wait_for(state="attached")  # Streamlit's own, which would lie over the page
    expect(page.get_by_text("Connection error")).to_be_hidden()
    access.check_axe(page, "color-contrast")
    box = notice.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    with server.running(server.uvicorn(port), port):
        expect(notice).to_have_count(0, timeout=60_000)
        expect(field).to_be_enabled(timeout=30_000)
        expect(field).to_have_value("The end")
        page.context.close()
