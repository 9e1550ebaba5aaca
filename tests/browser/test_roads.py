"""Nothing that a visitor made is lost: roads between pages, Back and Forward, pins, the positions shown, touch."""

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import embedviz as ev
from embedviz.base.pages import PAGES
from tests.browser import chromium
from tests.browser.views import come_back, outline, settle

SHARED = {"a": "dog bites man", "b": "man bites dog", "tokenizer": "words", "seed": "7", "position_scale": "0.5"}
LINK = "/?a=dog+bites+man&b=man+bites+dog&tokenizer=words&seed=7&position_scale=0.5&lang=en&first=64"
WITH_SENTENCES = {"compare", "tour", "attention"}


def state(page: Page) -> dict[str, str]:
    """What the address says."""
    return said(page.url)


def said(address: str) -> dict[str, str]:
    """What any address says."""
    return {name: values[-1] for name, values in parse_qs(urlsplit(address).query, keep_blank_values=True).items()}


def at(page: Page, name: str) -> None:
    """Wait until this page is there, and nothing of the page before it, which stays until this one begins to come."""
    (found,) = [each for each in PAGES if each.name == name]
    expect(page).to_have_url(re.compile(rf":\d+/{found.address}(\?|$)"))
    expect(page).to_have_title(re.compile(rf"^{found.title} ·"))
    expect(page.locator(".ev-pages [aria-current=page]")).to_have_text(re.compile(f"{found.title}$"))


def go(page: Page, name: str) -> None:
    """Take the road through the menu."""
    (title,) = [each.title for each in PAGES if each.name == name]
    page.locator(".ev-pages a").filter(has_text=title).click()
    at(page, name)


def has(page: Page, name: str, shared: dict[str, str]) -> None:
    """The address is whole, and the page shows the sentences of it if it has fields for them."""
    assert {key: state(page).get(key) for key in shared} == shared
    if name in WITH_SENTENCES:
        for key in shared.keys() & {"a", "b"}:
            expect(page.get_by_role("textbox", name=f"Sentence {key.upper()}")).to_have_value(shared[key])


@pytest.mark.parametrize("ampersand", ["&amp;", "&#038;", "&amp;#x26;"])
def test_a_link_that_went_through_html_is_whole_and_a_fragment_is_left_alone(visit, ampersand):
    page = visit(LINK.replace("&", ampersand) + "#end")
    has(page, "compare", SHARED)
    assert page.url.endswith(f"{LINK}#end")


def test_an_older_address_becomes_that_of_today_so_that_the_first_view_can_be_reached_from_it(visit):
    page = visit("/models?models=choose&seed=7", drawn=False)
    expect(page.get_by_role("radio", name="Absolute or relative")).to_be_checked()
    expect(page).to_have_url(re.compile(r"/models\?view=choose&seed=7$"))
    page.get_by_role("link", name="Layer by layer: Typical users").click()
    expect(page.get_by_role("radio", name="Layer by layer")).to_be_checked()
    assert state(page) == {"seed": "7"}


def test_sentences_and_settings_go_along_the_roads_between_pages(visit):
    """A road is made of the page that it leaves and of the one that it leads to, apart from each other.

    So a walk in which every page is left once and reached once stands for all of them.
    """
    first, *others = [page.name for page in PAGES]
    page = visit(LINK)
    before = page.evaluate("history.length")
    for n, name in enumerate([*others, first], 1):
        go(page, name)
        has(page, name, SHARED | {"lang": "en"})
        assert page.evaluate("history.length") == min(before + n, 50)  # browsers keep no more
        if name == "compare":
            expect(page).to_have_url(re.compile("first=64"))  # what belongs to a page is there again
        else:
            assert "first" not in state(page)
    typed = SHARED | {"a": "the cat sat", "b": "sat the cat"}
    for key in "ab":
        page.get_by_role("textbox", name=f"Sentence {key.upper()}").fill(typed[key])
        expect(page).to_have_url(re.compile(f"[?&]{key}={typed[key].replace(' ', '.')}"))
    page.get_by_role("link", name="Take the tour").click()
    at(page, "tour")
    has(page, "tour", typed)
    for name in ("attention", "lookup", "compare"):
        link = page.locator(".ev-pages a").filter(has_text=name.capitalize())
        link.hover()  # for who opens it in a new tab, or copies it
        assert {key: said(link.get_attribute("href")).get(key) for key in typed} == typed
        go(page, name)
        has(page, name, typed)
        page.reload()
        at(page, name)
        has(page, name, typed)


def test_a_page_that_is_chosen_before_the_first_one_has_come_comes_instead(visit):
    page = visit("/lookup?seed=7", drawn=False, new=True)
    sockets = []

    def hold_back_the_first(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()
        if len(sockets) == 1:
            server.on_message(lambda _: None)

    page.route_web_socket("**/_stcore/stream", hold_back_the_first)
    page.reload()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    page.get_by_role("link", name="Attention").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()
    at(page, "attention")
    assert state(page) == {"seed": "7"}


def test_back_and_forward_show_what_was_there(visit):
    # A page that was shared has a full history, which grows no more.
    page = visit("/?a=dog+bites+man&b=man+bites+dog", new=True, moves=True)
    page.get_by_role("textbox", name="Sentence A").press("End")
    page.get_by_role("textbox", name="Sentence A").press_sequentially(" again")
    expect(page).to_have_url(re.compile(r"again\b"))
    n = page.evaluate("history.length")
    go(page, "positions")
    page.get_by_role("radio", name="Pairs").click()
    expect(page).to_have_url(re.compile("view=pairs"))
    page.get_by_label("Shift (positions)").fill("9")
    page.get_by_label("Shift (positions)").press("Enter")
    expect(page).to_have_url(re.compile("shift=9"))
    page.get_by_role("radio", name="Similarity").click()
    expect(page).to_have_url(re.compile("view=similarity"))
    settle(page)
    assert page.evaluate("history.length") == n + 3
    page.go_back()
    expect(page.get_by_label("Shift (positions)")).to_have_value("9")
    expect(page.get_by_role("radio", name="Pairs")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="Table")).to_be_checked()
    page.go_back()
    at(page, "compare")
    has(page, "compare", {"a": "dog bites man again", "b": "man bites dog"})
    page.go_forward()
    at(page, "positions")
    page.go_forward()
    expect(page.get_by_label("Shift (positions)")).to_have_value("9")
    settle(page)
    assert page.evaluate("history.length") == n + 3
    go(page, "lookup")
    go(page, "positions")  # what belongs to a page is there again
    assert state(page) == {"a": "dog bites man again", "b": "man bites dog", "view": "pairs", "shift": "9"}
    expect(page.get_by_role("radio", name="Pairs")).to_be_checked()


def test_a_pin_has_a_name_and_lets_go(visit):
    page = visit("/?view=map")
    badge = page.get_by_role("button", name="Release the pin")
    chips = page.get_by_role("button", name="cat, ID")
    chips.first.click()
    expect(badge).to_have_text(re.compile("Pinned:.*cat.*×"))
    expect(page.get_by_role("status").filter(has_text="is pinned")).to_have_text("␣cat is pinned. Escape lets go.")
    assert state(page) == {"view": "map", "pin": "3797"}
    assert [chip.get_attribute("aria-pressed") for chip in chips.all()] == ["true", "true"]
    page.keyboard.press("Escape")
    expect(badge).to_be_hidden()
    assert state(page) == {"view": "map"}
    chips.first.click()
    go(page, "attention")
    assert state(page) == {}
    page.go_back()
    expect(badge).to_be_visible()
    page.reload()
    expect(badge).to_be_visible()
    expect(page.locator(".ev-plot[data-lit='3797']")).to_have_count(1)
    page.get_by_role("heading", level=1).click()  # where nothing is
    expect(badge).to_be_hidden()
    chips.first.click()
    page.mouse.move(0, 0)  # no other token is to come under it
    for key, text in (("A", "dog bites man"), ("B", "man bites dog")):
        page.get_by_role("textbox", name=f"Sentence {key}").fill(text)
    expect(badge).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?(?=.*a=dog.bites.man)(?=.*b=man.bites.dog)(?!.*pin=)"))
    assert page.locator(".ev-plot").evaluate_all("all => all.map(plot => plot.dataset.lit ?? '')") == [""]
    page.get_by_role("button", name="bites, ID").first.click()
    badge.click()
    expect(badge).to_be_hidden()


def numbers(page: Page) -> list[list[list[float]]]:
    """The panels of the heatmaps on the page."""
    return page.locator(".ev-plot").evaluate("plot => plot.data.map(({ z }) => z.map(row => [...row]))")


def test_the_positions_shown_move_all_of_compare_at_once(visit):
    page = visit("/?view=distances&shown=0")
    for share in (0, 40):
        come_back(page, f"/?view=distances&shown={share}")
        all_views_show(page, share)


def all_views_show(page: Page, share: int) -> None:
    """Distances, vectors and counts are those of inputs with this share of the positions, in percent."""
    expect(page.get_by_role("radio", name="Distances")).to_be_checked()
    expect(page.get_by_role("slider", name="Positions shown")).to_have_value(str(share))
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    settle(page)
    before, now = numbers(page)
    a, b = (ev.embed(text, ev.Spec()) for text in ("the cat sat on the mat", "on the mat the cat sat"))
    a, b = (each.token_embeddings + share / 100 * each.positional_embeddings for each in (a, b))
    for i, x in enumerate(a):
        assert now[i] == pytest.approx(np.linalg.norm(x - b, axis=1).tolist(), abs=1e-3)
    lit = page.locator("[aria-current=true]").filter(has=page.get_by_role("heading", level=2))
    assert page.locator("section[data-stage]").count() == 2
    expect(lit).to_have_text(re.compile("6 of 6" if share == 0 else "0 of 6"))
    expect(page.locator(".ev-plot")).to_contain_text(f"with {share} % of the position added")
    if share == 0:
        assert now == before
    slider = page.get_by_role("slider", name="Positions shown")
    slider.fill("0")
    expect(page).to_have_url(re.compile(r":\d+/\?view=distances$"))
    slider.fill("100")
    expect(page).to_have_url(re.compile("shown=100"))
    expect(page.locator(".ev-plot")).to_contain_text("after: input vectors")


# A page that was swiped goes on for a while.
STANDS = """main => new Promise(done => {
  let before = -1, frames = 0
  const look = () => {
    frames = main.scrollTop === before ? frames + 1 : 0
    before = main.scrollTop
    if (frames > 20) done()
    else requestAnimationFrame(look)
  }
  look()
})"""


def test_the_first_stop_leads_to_the_content_and_on_a_phone_the_menu_is_a_list_that_a_button_opens(visit):
    page = visit()
    the_first_stop_of_the_keyboard_leads_to_the_content(page)
    page.set_viewport_size({"width": 360, "height": 900})
    menu = page.get_by_role("navigation", name="Pages")
    button, links = menu.get_by_role("button", name="Menu"), menu.get_by_role("link")
    expect(button).to_have_text("Menu: Compare")
    expect(links).to_have_count(0)
    button.click()
    expect(links).to_have_count(len(PAGES))
    page.keyboard.press("Escape")
    expect(links).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    page.mouse.click(180, 890)
    expect(links).to_have_count(0)
    button.click()
    menu.get_by_role("link", name="Models").click()
    expect(button).to_have_text("Menu: Models")
    expect(links).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("models of today")
    page.go_back()
    expect(button).to_have_text("Menu: Compare")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(links).to_have_count(len(PAGES))
    expect(button).to_have_count(0)


def the_first_stop_of_the_keyboard_leads_to_the_content(page: Page) -> None:
    page.keyboard.press("Tab")
    skip = page.get_by_role("button", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_have_css("opacity", "1")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain")).to_be_focused()


def test_a_swipe_scrolls_and_two_fingers_move_the_picture(browser: Browser, address: str):
    window = chromium.window(browser, bypass_csp=True, has_touch=True, viewport={"width": 360, "height": 740})
    page = window.new_page()
    send = window.new_cdp_session(page).send

    def touch(kind: str, *points: tuple[float, float]) -> None:
        send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]},
        )

    page.goto(f"{address}/?view=map")
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    settle(page)
    main = page.get_by_test_id("stMain")
    ranges = "plot => JSON.stringify([plot._fullLayout.xaxis.range, plot._fullLayout.yaxis.range])"
    for plot in page.locator(".ev-plot").all():
        main.evaluate(STANDS)
        plot.evaluate("plot => plot.scrollIntoView({ block: 'center' })")
        box = outline(plot)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before, drawn = main.evaluate("main => main.scrollTop"), plot.evaluate(ranges)
        touch("touchStart", (x, y))
        for step in range(1, 11):
            touch("touchMove", (x, y + 15 * step))
        touch("touchEnd")
        page.wait_for_function(f"document.querySelector('[data-testid=stMain]').scrollTop < {before - 50}")
        assert plot.evaluate(ranges) == drawn
    plot, back = page.locator(".ev-plot"), page.get_by_role("button", name="Reset the view")
    expect(back).to_have_count(0)
    main.evaluate(STANDS)
    plot.evaluate("plot => plot.scrollIntoView({ block: 'center' })")
    box = outline(plot)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drawn = plot.evaluate(ranges)
    touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        touch("touchMove", (x - 30 - 5 * step, y), (x + 30 + 5 * step, y))
    touch("touchEnd")
    expect(back).to_be_visible()
    assert plot.evaluate(ranges) != drawn
    back.tap()
    expect(back).to_be_hidden()
    page.wait_for_function(f"was => ({ranges})(document.querySelector('.ev-plot')) === was", arg=drawn)
    window.close()
