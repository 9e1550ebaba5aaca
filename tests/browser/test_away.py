"""A page whose server is gone says so in its own words, and comes back by itself."""

from playwright.sync_api import expect

from tests.browser import access, server
from tests.browser.views import DRAWN

LOST = "The connection is lost. Your texts and settings stand in the address; the page tries again by itself."


def test_a_connection_that_was_lost_for_a_moment_is_not_spoken_of(visit):
    page = visit("/tokenizers", drawn=False, new=True)
    page.clock.install()
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    for state in ("PINGING_SERVER", "CONNECTED"):
        app.evaluate("(app, state) => { app.dataset.testConnectionState = state }", state)
    page.clock.run_for(10_000)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_server_that_uvicorn_starts_has_all_pages_and_one_that_is_gone_is_missed_until_it_comes_back(window):
    port = server.free_port()
    page = window.new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    field = page.get_by_role("textbox", name="Text")
    with server.running(server.uvicorn(port), port) as address:
        page.goto(f"{address}/compare?a=the+cat+sat")
        expect(page.locator(DRAWN)).to_have_count(1)
        expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("the cat sat")
        page.goto(f"{address}/tokenizers?text=The+end")
        expect(field).to_have_value("The end")
    notice = page.get_by_role("alert").filter(has_text=LOST)
    expect(notice).to_be_visible()
    page.get_by_text("Connection error").wait_for(state="attached")  # Streamlit's own, which would lie over the page
    expect(page.get_by_text("Connection error")).to_be_hidden()
    for theme, width in (("light", 1280), ("dark", 360)):
        page.set_viewport_size({"width": width, "height": 720})
        page.emulate_media(color_scheme=theme)
        access.check_axe(page, "color-contrast")
        box = notice.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    with server.running(server.uvicorn(port), port):
        expect(notice).to_have_count(0)
        expect(field).to_be_enabled()
        expect(field).to_have_value("The end")
        page.close()
