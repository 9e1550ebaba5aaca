"""Nothing that a visitor made is lost: roads between pages, Back and Forward, pins, the positions shown, touch."""

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import embedviz as ev
from embedviz.base.locale.catalogues import languages
from embedviz.base.pages import BESIDE, PAGES, ROAD, page_at
from embedviz.text.orders import orders
from embedviz.vectors.orders import sentence_map
from embedviz.vectors.projection import scene
from tests.browser import chromium
from tests.browser.views import come_back, outline, settle, through_menu

SHARED = {"a": "dog bites man", "b": "man bites dog", "tokenizer": "words", "seed": "7", "position_scale": "0.5"}
LINK = "/?a=dog+bites+man&b=man+bites+dog&tokenizer=words&seed=7&position_scale=0.5&lang=en&first=64"
WITH_SENTENCES = {"compare", "tour", "tokenizers", "lookup", "attention", "layers", "next_word"}


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
    expect(page.locator(".ev-pages [aria-current=page]")).to_have_text(found.title)


def go(page: Page, name: str) -> None:
    """Take the road through the menu."""
    (title,) = [each.title for each in PAGES if each.name == name]
    through_menu(page, title)
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


def test_a_link_to_a_view_that_is_not_there_opens_the_page_and_says_so_until_the_visitor_goes_on(visit):
    page = visit("/relative?view=<img src=x onerror=alert(1)>&seed=7", drawn=False)
    line = page.get_by_role("status").filter(has_text="names a view that does not exist")
    expect(line).to_be_visible()
    expect(page.get_by_role("radio", name="Shift test")).to_be_checked()
    settle(page)
    top = page.locator(".ev-plot").bounding_box()["y"]
    page.get_by_role("textbox", name="Sentence").fill("dog bites man")
    page.wait_for_function("document.querySelector('.ev-plot')?.data?.[0].y.length === 3")
    expect(line).to_be_visible()  # the visitor is still at the same view, in which nothing moves
    assert page.locator(".ev-plot").bounding_box()["y"] == top
    page.get_by_role("radio", name="By distance").click()
    expect(line).to_have_count(0)
    page.get_by_role("radio", name="Shift test").click()
    expect(line).to_have_count(0)


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
    page = visit("/?view=pairs&a=dog+bites+man&b=man+bites+dog", new=True, moves=True)
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
    page.get_by_role("radio", name="Past the end").click()
    expect(page).to_have_url(re.compile("view=end"))
    settle(page)
    assert page.evaluate("history.length") == n + 3
    page.go_back()
    expect(page.get_by_label("Shift (positions)")).to_have_value("9")
    expect(page.get_by_role("radio", name="Pairs")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="Adding")).to_be_checked()
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
    there = {name: said for name, said in state(page).items() if name != "shown"}  # on Compare the positions still came
    assert there == {"a": "dog bites man again", "b": "man bites dog", "view": "pairs", "shift": "9"}
    expect(page.get_by_role("radio", name="Pairs")).to_be_checked()


def test_back_undoes_a_change_of_the_source_and_what_a_page_opens_on_is_no_change(visit):
    page = visit("/lookup", drawn=False, new=True)
    n = page.evaluate("history.length")
    go(page, "vocabulary")
    expect(page).to_have_url(re.compile("source=minilm-words"))
    settle(page)
    random = page.get_by_role("switch", name="Random vectors")
    random.check(force=True)
    expect(page).to_have_url(re.compile("source=random"))
    settle(page)
    assert page.evaluate("history.length") == n + 2
    page.go_back()
    expect(page).to_have_url(re.compile("source=minilm-words"))
    expect(random).not_to_be_checked()
    page.go_back()
    at(page, "lookup")


def test_a_pin_has_a_name_and_lets_go(visit):
    page = visit("/?view=pairs")
    badge = page.get_by_role("button", name="Release the pin")
    chips = page.get_by_role("button", name="cat, ID")
    chips.first.click()
    expect(badge).to_have_text(re.compile("Pinned:.*cat.*×"))
    expect(page.get_by_role("status").filter(has_text="is pinned")).to_have_text("␣cat is pinned. Escape lets go.")
    assert state(page) == {"view": "pairs", "pin": "3797"}
    assert [chip.get_attribute("aria-pressed") for chip in chips.all()] == ["true", "true"]
    page.keyboard.press("Escape")
    expect(badge).to_be_hidden()
    assert state(page) == {"view": "pairs"}
    chips.first.click()
    go(page, "attention")
    assert state(page) == {}
    page.go_back()
    expect(badge).to_be_visible()
    page.reload()
    expect(badge).to_be_visible()
    expect(page.locator(".st-key-strips li:not(.dim)")).to_have_count(1)
    page.get_by_role("radio", name="Map").click()
    expect(page.locator(".ev-plot[data-lit='3797']")).to_have_count(1)
    expect(badge).to_be_visible()
    page.get_by_role("heading", level=1).click()  # where nothing is
    expect(badge).to_be_hidden()
    expect(page.locator(".ev-plot")).not_to_have_attribute("data-lit", "3797")
    page.get_by_role("radio", name="Pairs").click()
    chips.first.click()
    page.mouse.move(0, 0)  # no other token is to come under it
    for key, text in (("A", "dog bites man"), ("B", "man bites dog")):
        page.get_by_role("textbox", name=f"Sentence {key}").fill(text)
    expect(badge).to_be_hidden()
    expect(page).to_have_url(re.compile(r"\?(?=.*a=dog.bites.man)(?=.*b=man.bites.dog)(?!.*pin=)"))
    expect(page.locator("button.lit, .st-key-strips li.dim")).to_have_count(0)
    page.get_by_role("button", name="bites, ID").first.click()
    badge.click()
    expect(badge).to_be_hidden()


# Where the inputs of sentence A are on the map, as two rows.
INPUTS_OF_A = """plot => {
  const { x, y } = plot.data.find(({ name, meta }) => name === "A: input" && meta)
  return [[...x], [...y]]
}"""


def test_the_positions_shown_move_all_of_compare_at_once(visit):
    page = visit("/?view=orders&a=dog+bites+man&shown=0")
    for share in (0, 40):
        come_back(page, f"/?view=orders&a=dog+bites+man&shown={share}")
        all_orders_are_apart_as_with_this_share(page, share)
    come_back(page, "/?view=map&shown=40")
    the_map_and_the_counts_are_those_of_this_share(page, 0.4)


def all_orders_are_apart_as_with_this_share(page: Page, share: int) -> None:
    """Each point is this share of its way, in percent, from where it is without positions to where it is with them."""
    expect(page.get_by_role("radio", name="All orders")).to_be_checked()
    expect(page.get_by_role("slider", name="Share of the positions")).to_have_value(str(share))
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    settle(page)
    now = page.locator(".ev-plot").evaluate("({ data }) => [[...data.at(-1).x], [...data.at(-1).y]]")
    embedded = [ev.embed(text, ev.Spec()) for text in orders("dog bites man").texts]
    starts, ends = ([getattr(each, name) for each in embedded] for name in ("token_embeddings", "input_embeddings"))
    whole = sentence_map([each.tokens.ids for each in embedded], starts, ends)
    expected = whole.starts + share / 100 * (whole.ends - whole.starts)
    np.testing.assert_allclose(np.array(now).T, expected, rtol=0, atol=1e-3)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "With positions, each of 6 orders is a point of its own"
        if share
        else "Without positions, all 6 orders are one point"
    )


def the_map_and_the_counts_are_those_of_this_share(page: Page, share: float) -> None:
    expect(page.get_by_role("radio", name="Map")).to_be_checked()
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    settle(page)
    now = page.locator(".ev-plot").evaluate(INPUTS_OF_A)
    texts = "the cat sat on the mat", "the mat sat on the cat"
    points = scene(ev.compare(*(ev.embed(text, ev.Spec()) for text in texts)))
    np.testing.assert_allclose(
        np.array(now).T, points.tokens_a + share * (points.inputs_a - points.tokens_a), rtol=0, atol=1e-3
    )
    assert page.locator("section[data-stage]").count() == 2
    expect(page.locator("section[aria-current=true]")).to_have_attribute("data-stage", "after")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Position 5 adds the same arrow to \u2068␣mat\u2069 and to \u2068␣cat\u2069"
    )
    slider = page.get_by_role("slider", name="Share of the positions")
    slider.fill("0")
    expect(page).to_have_url(re.compile(r":\d+/\?view=map$"))
    slider.fill("100")
    expect(page).to_have_url(re.compile("shown=100"))


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
    expect(button).to_have_accessible_name("Menu: Compare")
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
    expect(button).to_have_accessible_name("Menu: Models")
    expect(links).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("models mix kinds of layers")
    page.go_back()
    expect(button).to_have_accessible_name("Menu: Compare")
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(links).to_have_count(len(ROAD))
    expect(button).to_have_count(0)


def test_the_pages_beside_the_road_are_one_press_further_for_keys_too(visit):
    page = visit()
    menu = page.get_by_role("navigation", name="Pages")
    more, road = menu.get_by_role("button", name="More"), menu.get_by_role("list", name="The road")
    expect(road.get_by_role("link")).to_have_text([station.title for station in ROAD])
    expect(menu.get_by_role("link")).to_have_count(len(ROAD))
    more.focus()
    page.keyboard.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    for group, names in BESIDE.items():
        links = menu.get_by_role("list", name=group).get_by_role("link")
        expect(links).to_have_text([page_at(name).title for name in names])
    page.keyboard.press("Tab")
    expect(menu.get_by_role("link", name="Tour")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("link", name="Lessons")).to_be_focused()
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    expect(more).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowLeft")
    expect(menu.get_by_role("link", name="Next word")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")  # opens it, and goes in
    expect(menu.get_by_role("link", name="Tour")).to_be_focused()
    more.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(menu.get_by_role("link", name="Tour")).to_be_visible()  # as long as the focus is in the menu
    page.get_by_role("textbox", name="Sentence A").focus()
    expect(menu.get_by_role("link", name="Tour")).to_be_hidden()
    the_open_page_is_marked_beside_the_road_and_in_the_row(page)


def the_open_page_is_marked_beside_the_road_and_in_the_row(page: Page) -> None:
    go(page, "rope")
    more = page.locator(".ev-more")
    expect(more).to_have_text("MoreRoPE")
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".ev-pages ol [aria-current]")).to_have_count(0)
    lit = more.evaluate("button => getComputedStyle(button).backgroundColor")
    go(page, "lookup")
    expect(more).to_have_text("More")
    expect(page.locator(".ev-pages ol [aria-current]")).to_have_css("background-color", lit)


def test_a_walk_by_the_last_lines_of_the_pages_goes_round_the_road_with_all_that_goes_along(visit):
    page = visit(LINK)
    for station in ROAD:
        at(page, station.name)
        has(page, station.name, SHARED)
        page.locator(".st-key-frame_onward a").click()
    at(page, ROAD[0].name)


# What of the menu leaves the window or its place, or lies under the button Share.
CUT = """() => {
  const [nav, share] = [".ev-pages", ".st-key-share"].map((name) => document.querySelector(name))
  const row = nav.classList.contains("folded") ? { right: innerWidth } : nav.querySelector("ol").getBoundingClientRect()
  return [...nav.querySelectorAll("a, button:not(.ev-skip), .ev-beside span")].filter((each) => {
    const { left, right, top } = each.getBoundingClientRect()
    const corner = top < 40 ? share.getBoundingClientRect().left : innerWidth
    const edge = Math.min(corner, each.closest("ol") ? row.right + 1 : innerWidth)
    const isCut = left < 0 || right > edge || each.scrollWidth > each.clientWidth + 1
    return isCut && each.checkVisibility()
  }).map((each) => `${innerWidth}: ${each.textContent}`)
}"""


@pytest.mark.parametrize("tag", languages())
def test_nothing_of_the_menu_is_cut_at_any_width_whatever_font_has_come(visit, tag):
    page = visit(f"/vocabulary?source=random&tokenizer=words&lang={tag}", drawn=False, new=True)
    expect(page.locator(".st-key-share button").first).to_be_attached()
    folded = set()
    for font in ("", "serif", "Source Sans"):
        page.add_style_tag(content=f".ev-pages {{ font-family: {font or 'monospace'}, monospace !important }}")
        for width in (1920, 1280, 1150, 1024, 900, 768, 640, 480, 360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate(CUT) == []
            folded.add((width, page.locator(".ev-pages.folded").count()))
            page.locator(".ev-pages :is(.ev-menu, .ev-more):visible").click()
            assert page.evaluate(CUT) == []
            page.keyboard.press("Escape")
    assert {(1920, 0), (320, 1)} <= folded


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_that_scrolls_shows_through_the_bar(visit, theme):
    page = visit(theme=theme)
    settle(page)
    bar = {"x": 0, "y": 0, "width": 1280, "height": 46}
    before = page.screenshot(clip=bar)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 200)")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") > 100
    page.mouse.move(640, 600)
    assert page.screenshot(clip=bar) == before


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
