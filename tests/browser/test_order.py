"""Tokens of B that are moved by hand, and all that follows from it."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.views import come_back, settle

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
OTHER_ORDER = "/?view=pairs&b=on+the+mat+the+cat+sat"
FIELD_B = "Sentence B"


def words(page: Page, sentence: str = "B") -> Locator:
    """The tokens as they stand there."""
    return page.get_by_role("list", name=f"Tokens of {sentence}").locator(".text")


def chip(page: Page, place: int) -> Locator:
    """The button of the token of B that stands there."""
    return page.get_by_role("list", name="Tokens of B").get_by_role("button").nth(place)


def drag(page: Page, from_: int, to: int) -> None:
    """Take the token of B at one place to the far half of another."""
    start, end = (chip(page, place).bounding_box() for place in (from_, to))
    y = start["y"] + start["height"] / 2
    page.mouse.move(start["x"] + start["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] * (0.9 if to > from_ else 0.1), y, steps=8)
    page.mouse.up()


def follows(page: Page, text: str, n_parted: int) -> None:
    """The field, the address, the tokens and the count are those of this sentence B."""
    expect(page.get_by_role("textbox", name=FIELD_B)).to_have_value(text)
    claim = f"With positions, {n_parted} of 6 vectors of A are no longer in B"
    if not n_parted:
        claim = "With positions added, 6 of 6 are still in B, bit for bit"
    expect(page.locator(".st-key-claim_after h1")).to_have_text(claim)
    expect(words(page)).to_have_text([f"␣{word}" for word in text.split()])
    if text != MAT:
        expect(page).to_have_url(re.compile(re.escape("b=" + text.replace(" ", "+"))))


def test_a_token_that_is_dragged_takes_its_place_in_the_sentence(visit):
    page = visit(OTHER_ORDER, moves=True)
    settle(page)
    the_first_screen_holds_the_claim(page)
    drag(page, 0, 5)
    follows(page, "the mat the cat sat on", 5)
    expect(page.get_by_role("button", name="Release the pin")).to_be_hidden()  # a drag is no click
    drag(page, 3, 1)
    follows(page, "the cat mat the sat on", 4)
    expect(page.locator("section[data-stage=after] p")).to_contain_text(
        re.compile("␣the.* and .*␣cat.* stay identical")
    )
    expect(page.locator(".order path.same")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    follows(page, "the mat the cat sat on", 5)
    page.get_by_role("button", name="Undo").click()
    follows(page, MAT, 6)
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_token_is_moved_by_keys_and_keeps_the_focus(visit):
    page = visit(OTHER_ORDER)
    # With Alt, arrow keys go through the history of a browser that has a window, unless the page keeps them.
    page.evaluate("addEventListener('keydown', event => (window.kept = event.altKey && event.defaultPrevented))")
    chip(page, 0).focus()
    for _ in range(5):
        page.keyboard.press("Alt+ArrowRight")
    expect(page.locator(".said[role=status]").filter(has_text="on")).to_have_text("␣on is at position 5 now.")
    follows(page, "the mat the cat sat on", 5)
    expect(chip(page, 5)).to_be_focused()
    page.keyboard.press("Alt+ArrowRight")  # the last one is the last one
    page.keyboard.press("Alt+ArrowLeft")
    assert page.evaluate("window.kept")
    follows(page, "the mat the cat on sat", 5)
    expect(chip(page, 4)).to_be_focused()
    expect(chip(page, 4)).to_have_attribute("aria-label", "position 4: ␣on, ID 319")


def the_buttons_give_b_another_order(page: Page) -> None:
    page.get_by_role("button", name="B = A").click()
    follows(page, CAT, 0)
    expect(page.locator(".order path.same")).to_have_count(6)
    page.get_by_role("button", name="Shuffle B").click()
    expect(page.get_by_role("textbox", name=FIELD_B)).not_to_have_value(CAT)
    assert sorted(page.get_by_role("textbox", name=FIELD_B).input_value().split()) == sorted(CAT.split())
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
        settle(page)
    page.get_by_role("button", name="Swap A and B").click()
    follows(page, CAT, 6)
    expect(words(page, "A")).to_have_text([f"␣{word}" for word in MAT.split()])


def test_a_move_that_changes_tokens_or_cannot_be_made_says_why(visit):
    page = visit("/?view=pairs&a=a+cat&b=s+cat&prefix_space=false")
    drag(page, 0, 1)
    said = page.get_by_test_id("stAlert")
    expect(said).to_contain_text("In this order the text is cut into other tokens.")
    expect(said).to_contain_text("the space before a word is part of its token")
    expect(page.get_by_role("textbox", name=FIELD_B)).to_have_value("cat s")
    page.get_by_role("textbox", name=FIELD_B).fill("the mat")
    expect(said).to_have_count(0)
    come_back(page, "/?view=pairs&a=cat&b=%F0%9F%90%88+cat")
    expect(page.get_by_role("textbox", name=FIELD_B)).to_have_value("🐈 cat")
    expect(page.get_by_role("list", name="Tokens of A").get_by_role("button")).to_have_count(1)
    settle(page)
    parts_of_a_character_stay_together_and_the_page_says_so(page)


def parts_of_a_character_stay_together_and_the_page_says_so(page: Page) -> None:
    tokens = page.get_by_role("list", name="Tokens of B").locator(".text")
    before = tokens.all_text_contents()
    drag(page, 0, 2)
    expect(page.get_by_test_id("stAlert").last).to_contain_text("These tokens are parts of characters")
    expect(tokens).to_have_text(before)


def test_the_slider_moves_the_strips(visit):
    page = visit("/?view=pairs&a=dog+bites+man&b=man+bites+dog")
    for share in (0, 40, 100):
        strips_show(page, share)
    come_back(page, OTHER_ORDER)
    follows(page, MAT, 6)
    settle(page)
    the_buttons_give_b_another_order(page)


def strips_show(page: Page, share: int) -> None:
    """Every pair has the distance and the difference of this share of the positions, in percent."""
    page.get_by_role("slider", name="Share of the positions").fill(str(share))
    pairs = page.locator(".st-key-strips li")
    distances = pairs.locator(".apart strong").all_text_contents()
    assert pairs.locator(".word").all_text_contents() == ["␣dog", "␣bites", "␣man"]
    assert distances[1] == "identical"
    is_blank = "canvas => getComputedStyle(canvas).visibility === 'hidden'"
    blank = pairs.locator(".difference canvas").evaluate_all(f"all => all.map({is_blank})")
    assert blank == ([True] * 3 if share == 0 else [False, True, False])
    if share == 0:
        assert distances == ["identical"] * 3
    else:
        apart = [float(distances[n].removesuffix(" apart")) for n in (0, 2)]
        assert apart == pytest.approx([22.8 * share / 100] * 2, rel=0.01)


def the_first_screen_holds_the_claim(page: Page) -> None:
    for part in (
        page.get_by_role("heading", level=1),
        page.get_by_role("textbox", name="Sentence A"),
        page.get_by_role("textbox", name=FIELD_B),
        *page.locator(".order li, .order section, .order svg, .order .tools button").all(),
        page.get_by_role("slider", name="Share of the positions"),
        *page.locator(".st-key-strips li").all(),
    ):
        expect(part).to_be_in_viewport(ratio=1)
    assert page.locator(".st-key-strips li").count() == 6


def test_a_ninth_token_has_a_mark_besides_its_colour_and_sixty_scroll_side_by_side(visit):
    letters = "a b c d e f g h i".replace(" ", "+")
    page = visit(f"/?view=pairs&tokenizer=words&a={letters}&b={letters}&output_dim=8")
    chips = page.get_by_role("list", name="Tokens of A").get_by_role("button")
    mark = "chip => [chip.style.getPropertyValue('--colour'), chip.style.borderStyle]"
    look = chips.evaluate_all(f"all => all.map({mark})")
    assert look[0][0] == look[8][0]
    assert (look[0][1], look[8][1]) == ("solid", "dashed")
    dashes = page.locator(".order path").evaluate_all("all => all.map(path => path.getAttribute('stroke-dasharray'))")
    assert dashes == ["none"] * 8 + ["9 5"]
    text = "+".join(f"w{n}" for n in range(60))
    come_back(page, f"/?view=pairs&tokenizer=words&a={text}&b={text}&output_dim=8")
    expect(chips).to_have_count(60)
    settle(page)
    sixty_tokens_scroll_side_by_side_and_show_all_pairs_when_asked(page)


def sixty_tokens_scroll_side_by_side_and_show_all_pairs_when_asked(page: Page) -> None:
    scroll = page.locator(".order .scroll")
    assert scroll.evaluate("box => box.scrollWidth > box.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tops = page.locator(".moves li").evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert all(one == other for one, other in pairwise(tops))
    assert page.locator(".st-key-strips li").count() == 12
    page.get_by_role("button", name="Show all 60 pairs").click()
    expect(page.locator(".st-key-strips li")).to_have_count(60)
