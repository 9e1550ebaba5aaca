"""The page "Compare" as a person sees it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import settle

SHARED = "8 of 8 pairs bit-identical"
MARKUP = "<img src=x onerror=alert(1)> **bold** :red[red] $x^2$ ![i](http://example.invalid/i.png) [l](http://example.invalid)"


def drawings(page: Page) -> list[str]:
    return page.eval_on_selector_all(".ev-plot", "plots => plots.map(plot => plot.dataset.drawn)")


def type_into(page: Page, sentence: str, text: str) -> None:
    page.get_by_role("textbox", name=f"Sentence {sentence}").fill(text)


def chips(page: Page, sentence: str) -> list[str]:
    return page.get_by_role("list", name=f"Tokens of {sentence}").locator(".text").all_text_contents()


def test_default_page_shows_the_proof_on_one_screen(visit):
    page = visit()
    for title in (SHARED, "0 of 8 after positions", "Same mean, both times"):
        expect(page.get_by_role("heading", name=title)).to_be_in_viewport(ratio=1)
    for plot in page.locator(".ev-plot").all()[:2]:
        expect(plot).to_be_in_viewport(ratio=0.97)
    assert chips(page, "A") == ["␣the", "␣cat", "␣sat", "␣on", "␣the", "␣mat"]


def test_typing_redraws_all_three_pictures_in_place(visit):
    page = visit()
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


def test_pointing_at_a_chip_lights_it_up_everywhere(visit):
    page = visit()
    page.get_by_role("button", name="position 1: ␣cat").hover()
    assert page.locator("button.lit").count() == 2
    lit = page.eval_on_selector_all(".ev-plot", "plots => plots.map(plot => plot.dataset.lit)")
    assert lit == ["3797"] * 3
    heat, scatter = (page.locator(".ev-plot").nth(n) for n in (0, 1))
    assert heat.evaluate("plot => plot.layout.shapes.filter(shape => shape.type === 'rect').length") == 2 * 3
    chosen = scatter.evaluate(
        "plot => plot.data.map(trace => trace.selectedpoints?.length).filter(n => n !== undefined)"
    )
    assert chosen == [1, 1, 1]  # the token, its input in A, its input in B
    settle(page)  # its colours change slowly
    ink = page.locator("button.lit .text").first.evaluate("text => getComputedStyle(text).color")
    assert ink != page.locator("button.lit").first.evaluate("chip => getComputedStyle(chip).backgroundColor")
    page.mouse.move(0, 0)
    expect(page.locator("button.lit")).to_have_count(0)


def test_pointing_at_a_heatmap_row_lights_up_the_chips(visit):
    page = visit()
    box = page.locator(".ev-plot .heatmaplayer").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 24)
    expect(page.locator("button.lit")).to_have_count(4)  # "the", twice in each


def test_a_tap_keeps_the_light_on(visit):
    page = visit()
    chip = page.get_by_role("button", name="position 2: ␣sat")
    chip.click()
    page.mouse.move(0, 0)
    expect(chip).to_have_attribute("aria-pressed", "true")
    assert page.locator("button.lit").count() == 2
    chip.click()
    page.mouse.move(0, 0)
    expect(page.locator("button.lit")).to_have_count(0)


def test_turning_positions_off_puts_every_input_on_its_token(visit):
    page = visit()
    inputs = "plot => plot.data.filter(trace => trace.name?.endsWith('input') && trace.meta?.start)"
    ends = inputs + ".map(trace => [...trace.x])"
    starts = inputs + ".map(trace => [...trace.meta.start.x])"
    sums = "plot => plot.data.map(trace => [...trace.z[1]])"
    heat, scatter = (page.locator(".ev-plot").nth(n) for n in (0, 1))
    before = drawings(page)
    slider = page.get_by_role("slider", name="Positions shown")
    slider.evaluate("input => { input.value = 0; input.dispatchEvent(new Event('input')) }")
    page.wait_for_function(
        "document.querySelector('.ev-plot').data[2].z[1][0] === document.querySelector('.ev-plot').data[0].z[1][0]"
    )
    assert scatter.evaluate(ends) == scatter.evaluate(starts)
    token, _, total = heat.evaluate(sums)
    assert total == token
    expect(slider).to_have_attribute("aria-valuetext", "0 % of the positions")
    slider.evaluate("input => { input.value = 100; input.dispatchEvent(new Event('input')) }")
    token, position, total = heat.evaluate(sums)
    assert total == pytest.approx([a + b for a, b in zip(token, position, strict=True)], abs=1e-6)
    assert drawings(page) == before, "moving the slider must not ask the server"


def test_play_turns_positions_up(visit):
    page = visit()
    page.get_by_role("button", name=re.compile("Play")).click()
    page.wait_for_function("document.querySelectorAll('.ev-plot')[0].data[2].z[1][0] !== 0")
    expect(page.get_by_role("button", name=re.compile("Play"))).to_be_visible()
    assert page.get_by_role("slider", name="Positions shown").input_value() == "100"


def test_reduced_motion_is_honoured(visit):
    page = visit()
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name=re.compile("Play")).click()
    assert page.get_by_role("slider", name="Positions shown").input_value() == "0"


def test_a_link_restores_the_screen(visit):
    link = "/compare?a=dog+bites+man&b=man+bites+dog&position=sinusoidal&output_dim=64&axes=3-D&seed=7&position_scale=2"
    page = visit(link)
    expect(page.get_by_role("heading", name="1 of 3 after positions")).to_be_visible()
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("man bites dog")
    assert page.locator(".ev-plot").first.evaluate("plot => plot.data[0].z[0].length") == 64
    page.reload()
    expect(page.get_by_role("heading", name="1 of 3 after positions")).to_be_visible()
    expect(page.get_by_role("combobox", name="Positions")).to_have_value("sinusoidal")


def test_an_edit_survives_a_reload(visit):
    page = visit()
    type_into(page, "B", "the mat sat on the cat")
    page.wait_for_url("**b=the+mat*")
    page.reload()
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("the mat sat on the cat")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("the cat sat on the mat")


def test_ready_pairs_set_both_sentences_and_the_prefix_space(visit):
    page = visit()
    page.get_by_role("combobox", name="Ready pairs").click()
    page.get_by_role("option", name="The same, without the added space").click()
    expect(page.get_by_role("heading", name="5 of 5 pairs bit-identical")).to_be_visible()
    expect(page.get_by_text("the space before a word is part of its token").first).to_be_visible()
    page.get_by_role("combobox", name="Ready pairs").click()
    page.get_by_role("option", name="Dog bites man").click()
    expect(page.get_by_role("heading", name="1 of 3 after positions")).to_be_visible()


def test_markup_in_a_sentence_stays_text(visit):
    page = visit()
    type_into(page, "A", MARKUP)
    expect(page.get_by_role("heading", name="A and B are not made of the same tokens")).to_be_visible()
    settle(page)
    assert page.locator("img[src='x']").count() == 0
    assert page.locator("strong", has_text="bold").count() == 0
    assert page.locator("a[href*='example.invalid']").count() == 0
    assert "".join(chips(page, "A")).replace("␣", " ") == " " + MARKUP


def test_a_word_that_is_not_there_shows_as_text_in_the_message(visit):
    page = visit("/?tokenizer=words&a=" + "word+" * 3 + "&b=**bold**+:red[x]")
    assert page.locator("strong", has_text="bold").count() == 0
    assert chips(page, "B") == ["**bold**", ":", "red[x]"]


def test_bad_settings_say_so_beside_the_controls(visit):
    page = visit("/?position=sinusoidal&output_dim=33", drawn=False)
    expect(page.get_by_role("alert")).to_contain_text("even output_dim")
    page = visit("/?context_length=3", drawn=False)
    expect(page.get_by_role("alert")).to_contain_text("context_length")
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button")).to_have_count(6)


def test_dark_and_light_paint_the_pictures_in_their_own_colours(visit):
    ink = "document.querySelector('.ev-plot').layout.font.color"
    assert visit(theme="light").evaluate(ink) != visit(theme="dark").evaluate(ink)


def test_the_chips_are_one_tab_stop_and_arrow_keys_move_among_them(visit):
    page = visit()
    first = page.get_by_role("list", name="Tokens of A").get_by_role("button").first
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="position 1: ␣cat").first).to_be_focused()
    assert page.eval_on_selector_all(".ev-plot", "plots => plots.map(plot => plot.dataset.lit)") == ["3797"] * 3
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")  # the last one is the last one
    last = page.get_by_role("list", name="Tokens of A").get_by_role("button", name="position 5: ␣mat")
    expect(last).to_be_focused()
    page.keyboard.press("Home")
    expect(first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Sentence B")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(first).to_be_focused()
