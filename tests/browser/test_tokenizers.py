"""The page "Tokenizers" as a person sees it."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from embedviz.server.html.head import MOST
from tests.browser import access
from tests.browser.views import come_back

TOKENIZERS = ("words", "gpt2", "cl100k_base", "o200k_base")
MARKUP = "<img src=x onerror=alert(1)> **bold** :red[red] $x^2$ ![i](http://example.invalid/i.png) x<br>"
LONG = "def area(r):\n    return 3.14159 * r**2\nשלום 🐈 猫 " + "antidisestablishmentarianism" * 4


@pytest.fixture
def opened(visit):
    def open_page(query: str = "?cut=text", *size: int, theme: str = "light") -> Page:
        page = visit(f"/tokenizers{query}", *size, theme=theme, drawn=False)
        expect(page.get_by_role("list", name="Tokens of gpt2")).to_be_visible()
        return page

    return open_page


def chips(page: Page, tokenizer: str):
    return page.get_by_role("list", name=f"Tokens of {tokenizer}").get_by_role("button")


def lit(page: Page) -> list[str]:
    return page.locator(".segments .lit").evaluate_all("all => all.map(one => one.firstChild.textContent)")


def test_a_book_that_is_pasted_leaves_the_page_alive(opened):
    page = opened()
    field = page.get_by_role("textbox", name="Text")
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("中" * (MOST - 1) + "🐈" * 1_000)  # the last that would fit is half of a character
    assert field.evaluate("field => field.value.length") == MOST - 1
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text(f"{MOST - 1:,} characters are too many; the first 2,000 are used.")).to_be_visible()
    field.fill("dog bites man")
    page.keyboard.press("Control+Enter")
    expect(chips(page, "gpt2")).to_have_count(3)


def test_the_rows_of_the_default_text_fit_one_screen_and_a_tokenizer_can_be_left_out(opened):
    page = opened()
    for tokenizer, n in zip(TOKENIZERS, (5, 13, 14, 12), strict=True):
        expect(chips(page, tokenizer)).to_have_count(n)
        expect(chips(page, tokenizer).last).to_be_in_viewport(ratio=1)
    expect(page.locator(".group")).to_have_text([re.compile("bytes of 猫$")] * 3)
    expect(page.get_by_role("heading", name="Only some tokenizers make 12 of 16 cuts")).to_be_attached()
    come_back(page, f"/tokenizers?text={quote('the cat sat on the mat')}")
    expect(page.locator(".piece.differs")).to_have_count(5)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="words").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("list", name="Tokens of words")).to_have_count(0)
    expect(page.get_by_role("heading", name="The same cuts")).to_be_visible()


def test_pointing_focus_and_a_tap_light_the_text_and_what_covers_it_in_every_row(opened):
    page = opened(f"?text={quote('the cat sat on the mat')}")
    pointing_at_a_chip_lights_the_text_and_every_row(page)
    pointing_at_the_text_lights_what_covers_it(page)
    focus_lights_up_too_and_a_tap_keeps_the_light_on(page)
    the_tokens_of_one_character_light_up_together(page)


def pointing_at_a_chip_lights_the_text_and_every_row(page: Page) -> None:
    chips(page, "gpt2").nth(1).hover()
    assert page.locator(".piece.lit").all_text_contents() == ["␣", "cat"]
    for tokenizer in TOKENIZERS:
        assert page.get_by_role("list", name=f"Tokens of {tokenizer}").locator(".lit").count() == 1
    page.mouse.move(0, 0)
    expect(page.locator(".segments .lit")).to_have_count(0)


def pointing_at_the_text_lights_what_covers_it(page: Page) -> None:
    page.locator(".piece", has_text="␣").first.hover()
    expect(page.locator(".segments .lit")).to_have_count(4)  # the piece, and no word: "words" drops spaces
    expect(chips(page, "words").locator(".lit")).to_have_count(0)
    page.mouse.move(0, 0)
    expect(page.locator(".segments .lit")).to_have_count(0)


def focus_lights_up_too_and_a_tap_keeps_the_light_on(page: Page) -> None:
    chips(page, "o200k_base").nth(2).focus()
    expect(page.locator(".segments button.lit")).to_have_count(4)
    chip = chips(page, "gpt2").nth(3)
    chip.click()
    page.mouse.move(0, 0)
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".segments button.lit")).to_have_count(4)
    chip.click()
    page.mouse.move(0, 0)
    chip.blur()
    expect(page.locator(".segments .lit")).to_have_count(0)


def the_tokens_of_one_character_light_up_together(page: Page) -> None:
    page.get_by_role("textbox", name="Text").fill("a🐈")
    parts = page.get_by_role("list", name="Tokens of gpt2").locator(".part")
    expect(parts).to_have_count(3)
    parts.nth(1).hover()
    expect(parts.and_(page.locator(".lit"))).to_have_count(3)
    assert page.locator(".piece.lit").all_text_contents() == ["🐈"]


def test_typing_updates_without_leaving_the_field_and_when_a_word_is_composed(opened):
    page = opened()
    field = page.get_by_role("textbox", name="Text")
    field.fill("the cat sat on the mat")
    field.press("ControlOrMeta+End")
    field.press_sequentially("\nThe end")
    expect(chips(page, "gpt2")).to_have_count(9)
    expect(field).to_be_focused()
    page.wait_for_url("**text=the+cat+sat+on+the+mat%0AThe+end*")
    page.reload()
    expect(field).to_have_value("the cat sat on the mat\nThe end")
    field.fill("")
    expect(page.get_by_text("The text is empty")).to_be_visible()
    field.press_sequentially("cat")
    expect(chips(page, "gpt2")).to_have_count(1)
    a_word_composed_of_several_keys_is_cut_when_it_is_done(page)


def a_word_composed_of_several_keys_is_cut_when_it_is_done(page: Page) -> None:
    """As Chinese, Japanese and Korean are typed: the last thing that happens is the end of the composition."""
    field = page.get_by_role("textbox", name="Text")
    field.fill("")
    expect(page.get_by_text("The text is empty")).to_be_visible()
    keys = page.context.new_cdp_session(page)
    for typed in ("n", "ね", "ねこ"):
        keys.send("Input.imeSetComposition", {"text": typed, "selectionStart": len(typed), "selectionEnd": len(typed)})
    keys.send("Input.insertText", {"text": "猫"})
    expect(page.locator(".piece").first).to_have_text("猫")


def test_markup_stays_text(opened):
    page = opened(f"?text={quote(MARKUP)}")
    expect(chips(page, "gpt2").first).to_have_text("<27")
    expect(chips(page, "cl100k_base").first).to_have_text("<img20694")
    tokens = chips(page, "cl100k_base").evaluate_all("all => all.map(one => one.firstChild.textContent)")
    assert "<br" in tokens  # a token that a browser would swallow if it read it as markup
    assert "".join(tokens).replace("␣", " ") == MARKUP
    assert page.locator("img[src='x']").count() == 0
    assert page.locator("strong", has_text="bold").count() == 0
    assert "".join(page.locator(".piece").all_text_contents()).replace("␣", " ") == MARKUP


def test_no_row_is_wider_than_the_page_and_what_is_lit_can_be_read(opened):
    page = opened()
    for text in ("the cat sat on the mat", LONG):
        come_back(page, f"/tokenizers?text={quote(text)}")
        expect(page.get_by_role("textbox", name="Text")).to_have_value(text)
        expect(page.get_by_role("heading", name="Only some tokenizers make")).to_be_attached()
        no_row_is_wider_than_the_page_and_what_is_lit_can_be_read(page)


def no_row_is_wider_than_the_page_and_what_is_lit_can_be_read(page: Page) -> None:
    for size, theme in ((access.WIDE, "light"), (access.PHONE, "dark")):
        access.resize(page, size, theme)
        for part in page.locator(".segments ol, .segments .text").all():
            assert part.evaluate("part => part.scrollWidth <= part.clientWidth")
        chips(page, "gpt2").nth(1).hover()
        access.check_axe(page, "color-contrast")
