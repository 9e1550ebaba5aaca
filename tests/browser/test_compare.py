"""The page "Compare" as a person sees it."""

import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import come_back, settle

MARKUP = "<img src=x onerror=alert(1)> **bold** :red[red] $x^2$ ![i](http://example.invalid/i.png) [l](http://example.invalid)"


def drawings(page: Page) -> list[str]:
    return page.eval_on_selector_all(".ev-plot", "plots => plots.map(plot => plot.dataset.drawn)")


def type_into(page: Page, sentence: str, text: str) -> None:
    page.get_by_role("textbox", name=f"Sentence {sentence}").fill(text)


def chips(page: Page, sentence: str) -> list[str]:
    return page.get_by_role("list", name=f"Tokens of {sentence}").locator(".text").all_text_contents()


def parted(page: Page, count: str) -> None:
    """Wait until this is the count of vectors of A that positions take out of B."""
    expect(page.locator(".st-key-claim_after h1")).to_have_text(
        re.compile(f"^With positions, {count} vectors of A (is|are) no longer in B$")
    )


def show(page: Page, view: str) -> None:
    """Take the switch to another view and wait until it is drawn."""
    page.get_by_role("radiogroup", name="View").get_by_text(view, exact=True).click()
    settle(page)


def test_each_view_is_drawn_when_it_is_asked_for(visit):
    page = visit()
    assert chips(page, "A") == ["␣the", "␣cat", "␣sat", "␣on", "␣the", "␣mat"]
    show(page, "All orders")
    expect(page.get_by_role("heading", name="The average still hides the order")).to_have_count(0)
    show(page, "Map")
    expect(page).to_have_url(re.compile(r"[?&]view=map"))
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    page.go_back()
    expect(page.get_by_role("radio", name="All orders")).to_be_checked()
    show(page, "Pairs")
    expect(page.locator(".ev-plot")).to_have_count(0)


def test_all_orders_are_said_to_be_one_point_until_the_positions_are_added(visit):
    page = visit("/?view=orders&a=dog+bites+man")
    said = page.get_by_role("heading", level=1)  # of two, the one that is seen
    n_places = "({ data }) => new Set([...data.at(-1).x].map((at, n) => [at, data.at(-1).y[n]].join())).size"
    expect(said).to_have_text("Without positions, all 6 orders are one point")
    assert page.locator(".ev-plot").evaluate(n_places) == 1
    expect(page.get_by_role("heading", name="With positions")).to_have_count(0)
    page.get_by_role("button", name="Positions on").click()
    expect(said).to_have_text("With positions, each of 6 orders is a point of its own")
    settle(page)
    assert page.locator(".ev-plot").evaluate(n_places) == 6
    expect(page.get_by_role("heading", name="Without positions")).to_have_count(0)


def test_typing_redraws_the_picture_in_place(visit):
    page = visit("/?view=map", moves=True)
    before = drawings(page)
    page.eval_on_selector(".ev-plot", "plot => plot.dataset.mark = 'kept'")
    type_into(page, "A", "the cat sat on the hat")
    expect(page.get_by_role("heading", name="A and B are not made of the same tokens")).to_be_visible()
    page.wait_for_function(
        "old => [...document.querySelectorAll('.ev-plot')].every((plot, n) => plot.dataset.drawn !== old[n])",
        arg=before,
    )
    assert page.locator(".ev-plot[data-mark=kept]").count() == 1
    assert "hat" in page.locator(".ev-plot").first.text_content()
    assert "a=the+cat+sat+on+the+hat" in page.url


# Where the circle of a token stands in the window.
_TOKEN_AT = """(plot, id) => {
  const { x, y, meta } = plot.data.find(({ name, meta }) => name === "token" && meta?.ids)
  const { xaxis, yaxis } = plot._fullLayout, n = meta.ids.indexOf(id), box = plot.getBoundingClientRect()
  return [box.x + xaxis._offset + xaxis.d2p(x[n]), box.y + yaxis._offset + yaxis.d2p(y[n])]
}"""


def test_pointing_at_a_token_lights_it_up_in_every_view(visit):
    page = visit("/?view=map&shown=100")
    settle(page)
    page.mouse.move(*page.locator(".ev-plot").evaluate(_TOKEN_AT, 3797))
    expect(page.locator(".ev-plot")).to_have_attribute("data-lit", "3797")
    chosen = page.locator(".ev-plot").evaluate(
        "plot => plot.data.map(trace => trace.selectedpoints?.length).filter(n => n !== undefined)"
    )
    # Its arrow in A and in B, of three points each, the token, both inputs, the arrow that stands out, and its name.
    assert chosen == [3, 3, 1, 1, 1, 3, 1]
    lines = page.locator(".ev-plot").evaluate(
        "plot => plot.data.slice(0, 2).map(({ x }) => [...x].filter(isFinite).length)"
    )
    assert lines == [2, 2]  # start and end of its own arrow; the others are not drawn
    page.mouse.move(0, 0)
    show(page, "Pairs")
    cat = page.get_by_role("button", name="position 1: ␣cat")
    cat.hover()
    assert page.locator("button.lit").count() == 2
    assert page.locator(".order path.dim").count() == 5
    assert page.locator(".st-key-strips li.dim").count() == 5
    settle(page)  # its colours change slowly
    ink = page.locator("button.lit .text").first.evaluate("text => getComputedStyle(text).color")
    assert ink != page.locator("button.lit").first.evaluate("chip => getComputedStyle(chip).backgroundColor")
    page.mouse.move(0, 0)
    expect(page.locator("button.lit")).to_have_count(0)
    page.locator(".st-key-strips li").nth(2).hover()
    expect(page.locator("button.lit .text")).to_have_text(["␣sat", "␣sat"])


def test_a_tap_keeps_the_light_on_and_reduced_motion_is_honoured(visit):
    page = visit()
    page.get_by_role("button", name="Positions on").click()
    assert page.get_by_role("slider", name="Share of the positions").input_value() == "100"
    chip = page.get_by_role("button", name="position 1: ␣cat")
    chip.click()
    page.mouse.move(0, 0)
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert page.locator("button.lit").count() == 2  # in A, and its copy in B
    chip.click()
    page.mouse.move(0, 0)
    expect(page.locator("button.lit")).to_have_count(0)


def test_it_opens_before_the_event_and_the_button_adds_the_positions_and_takes_them_away(visit):
    page = visit("/?view=map&shown=0", moves=True)
    inputs = "plot => plot.data.filter(trace => trace.name?.endsWith('input') && trace.meta?.start)"
    ends = inputs + ".map(trace => [...trace.x])"
    starts = inputs + ".map(trace => [...trace.meta.start.x])"
    scatter = page.locator(".ev-plot")
    slider = page.get_by_role("slider", name="Share of the positions")
    before = drawings(page)
    expect(slider).to_have_attribute("aria-valuetext", "0 % of the positions")
    expect(page.locator("section[data-stage=before]")).to_be_visible()
    expect(page.locator("section[data-stage=after]")).to_be_hidden()
    assert scatter.evaluate(ends) == scatter.evaluate(starts)
    page.get_by_role("button", name="Positions on").click()
    expect(page.get_by_role("button", name="Positions on", pressed=True)).to_be_visible()
    expect(slider).to_have_value("100")
    expect(page.locator("section[data-stage=before]")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Position 5 adds the same arrow to \u2068␣mat\u2069 and to \u2068␣cat\u2069"
    )
    assert scatter.evaluate(ends) != scatter.evaluate(starts)
    assert drawings(page) == before, "moving the slider must not ask the server"
    page.get_by_role("button", name="Positions off").click()
    expect(slider).to_have_value("0")
    assert scatter.evaluate(ends) == scatter.evaluate(starts)


# Every share that the slider has told, since on a busy machine the first ones have passed before a test can look.
_SHARES = """
window.shares = []
document.addEventListener("embedviz:amount", ({ detail }) => window.shares.push(detail.at))
"""


def test_the_positions_are_added_once_for_who_comes_and_not_for_who_prefers_stillness(visit):
    share = "Share of the positions"
    page = visit("/lookup", moves=True, drawn=False, new=True)
    page.add_init_script(_SHARES)
    for view in ("pairs", "map", "orders"):
        page.goto(urljoin(page.url, f"/?view={view}"))
        expect(page.get_by_role("slider", name=share)).to_have_value("100")
        page.wait_for_function("window.shares.at(-1) === 100")  # the slider rounds what comes just before
        shares = page.evaluate("window.shares")
        assert shares == sorted(shares)
        assert shares[0] < 100
    still = visit("/?view=map", new=True)
    still.wait_for_timeout(4000)
    expect(still.get_by_role("slider", name=share)).to_have_value("0")


def test_clearing_a_field_moves_nothing_below_it(visit):
    page = visit()
    where = "() => ['order', 'amount'].map(key => document.querySelector(`.st-key-${key}`).getBoundingClientRect().y)"
    before = page.evaluate(where)
    type_into(page, "A", "")
    expect(page.get_by_text("Sentence A is empty")).to_be_visible()
    settle(page)
    assert page.evaluate(where) == pytest.approx(before, abs=1)
    for name, is_idle in {"Shuffle B": False, "Swap A and B": False, "B = A": True}.items():
        assert page.get_by_role("button", name=name).is_disabled() == is_idle


def test_a_link_restores_the_screen_and_an_edit_survives_a_reload(visit):
    link = (
        "/compare?view=pairs&a=dog+bites+man&b=man+bites+dog&position=sinusoidal&output_dim=64&seed=7&position_scale=2"
    )
    link += "&shown=100"
    page = visit(link)
    parted(page, "2 of 3")
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("man bites dog")
    assert page.locator(".strips canvas").first.evaluate("strip => strip.width") == 32
    expect(page.get_by_text("First 32 of 64 numbers")).to_be_visible()
    type_into(page, "B", "man bites a dog")
    page.wait_for_url("**b=man+bites+a+dog*")
    page.reload()
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("man bites a dog")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites man")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("combobox", name="Position scheme")).to_have_value("sinusoidal")


def test_ready_pairs_set_both_sentences_and_the_prefix_space(visit):
    page = visit()
    page.get_by_role("combobox", name="Example pairs").click()
    page.get_by_role("option", name="The same, without the added space").click()
    parted(page, "4 of 6")
    expect(page.locator(".st-key-claim_before h1")).to_have_text("4 of 6 token vectors of A are in B too, bit for bit")
    expect(page.get_by_text("the space before a word is part of its token").first).to_be_visible()
    page.get_by_role("combobox", name="Example pairs").click()
    page.get_by_role("option", name="Dog bites man").click()
    parted(page, "2 of 3")


def test_what_was_typed_stays_though_something_is_pressed_at_once(visit):
    page = visit()
    type_into(page, "A", "the dog saw the bird")
    page.get_by_text("Show the PyTorch code").click()  # before the answer to the letters has come
    settle(page)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("the dog saw the bird")
    expect(page.get_by_role("combobox", name="Example pairs")).to_have_attribute("placeholder", "Your own")
    assert chips(page, "A") == ["␣the", "␣dog", "␣saw", "␣the", "␣bird"]


def test_markup_in_a_sentence_and_in_a_message_stays_text(visit):
    page = visit()
    type_into(page, "A", MARKUP)
    expect(page.get_by_role("heading", name="A and B are not made of the same tokens")).to_be_visible()
    settle(page)
    assert page.locator("img[src='x']").count() == 0
    assert page.locator("strong", has_text="bold").count() == 0
    assert page.locator("a[href*='example.invalid']").count() == 0
    assert "".join(chips(page, "A")).replace("␣", " ") == " " + MARKUP
    come_back(page, "/?view=pairs&tokenizer=words&a=" + "word+" * 3 + "&b=**bold**+:red[x]")
    tokens = page.get_by_role("list", name="Tokens of B").locator(".text")
    expect(tokens).to_have_text(["**bold**", ":", "red[x]"])
    settle(page)
    assert page.locator("strong", has_text="bold").count() == 0
    bad_settings_say_so_beside_the_controls(page)


def bad_settings_say_so_beside_the_controls(page: Page) -> None:
    come_back(page, "/?view=pairs&position=sinusoidal&output_dim=33")
    expect(page.get_by_role("alert")).to_contain_text("even output_dim")
    come_back(page, "/?view=pairs&context_length=3")
    expect(page.get_by_role("alert").filter(has_text="context_length")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button")).to_have_count(6)


def dark_and_light_paint_the_pictures_in_their_own_colours(page: Page) -> None:
    ink = "document.querySelector('.ev-plot').layout.font.color"
    dark = page.evaluate(ink)
    page.emulate_media(color_scheme="light")
    settle(page)
    assert page.evaluate(ink) != dark


def test_the_chips_are_one_tab_stop_and_arrow_keys_move_among_them(visit):
    page = visit("/?view=map", theme="dark")
    dark_and_light_paint_the_pictures_in_their_own_colours(page)
    show(page, "Pairs")
    first = page.get_by_role("list", name="Tokens of A").get_by_role("button").first
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="position 1: ␣cat").first).to_be_focused()
    expect(page.locator("button.lit .text")).to_have_text(["␣cat", "␣cat"])
    expect(page.locator(".st-key-strips li:not(.dim)")).to_have_count(1)
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # the last one is the last one
    last = page.get_by_role("list", name="Tokens of A").get_by_role("button", name="position 5: ␣mat")
    expect(last).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(first).to_be_focused()
