"""The page "Attention" as a person sees it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import projection
from tests.browser.views import DRAWN, outline, settle

ROWS = "() => [...document.querySelectorAll('.ev-plot')].map(plot => plot.dataset.lit)"
OPACITIES = "() => [...document.querySelectorAll('.ev-plot')].map(plot => getComputedStyle(plot).opacity)"
# How high the picture of a slide is, as a share of the window, and what stands above it.
SLIDE = """() => [...document.querySelectorAll('.ev-plot')].filter((plot) => plot.checkVisibility()).map(
  (plot) => plot.getBoundingClientRect().height / innerHeight)"""


@pytest.fixture
def opened(visit):
    def open_page(query: str = "", **window) -> Page:
        page = visit(f"/attention{query}", drawn=False, **window)
        page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 3")
        return page

    return open_page


def test_the_claims_and_their_matrices_are_on_one_screen_and_pointing_lights_up_what_belongs_together(opened):
    page = opened()
    for title in ("No positions, no mask: 6 of 6 outputs the same", "Causal mask alone: 1 of 6 outputs the same"):
        expect(page.get_by_role("heading", name=title)).to_be_in_viewport(ratio=1)
    expect(page.locator(".ev-plot").last).to_be_in_viewport(ratio=0.97)
    a_card_lights_its_own_matrix(page)
    pointing_at_a_cell_lights_up_its_token_in_every_matrix(page)
    the_mask_is_one_click_and_a_pair_with_another_prefix_space_sets_the_whole_page(page)


def a_card_lights_its_own_matrix(page: Page) -> None:
    card = page.get_by_role("heading", name="Learned, no mask")
    card.hover()
    page.wait_for_function(f"JSON.stringify(({OPACITIES})()) === JSON.stringify(['0.2', '1', '0.2'])")
    card.click()
    page.mouse.move(0, 0)
    assert page.evaluate(OPACITIES) == ["0.2", "1", "0.2"]  # a click keeps it
    page.get_by_role("heading", level=1).click()
    page.wait_for_function(f"JSON.stringify(({OPACITIES})()) === JSON.stringify(['1', '1', '1'])")


def pointing_at_a_cell_lights_up_its_token_in_every_matrix(page: Page) -> None:
    plot = page.locator(".ev-plot").first
    plot.scroll_into_view_if_needed()
    plot.evaluate("plot => plot.once('plotly_hover', found => (window.found = found))")
    box = outline(page.locator(".ev-plot .heatmaplayer").first)
    page.mouse.move(box["x"] + box["width"] * 5.5 / 6, box["y"] + box["height"] * 1.5 / 6)  # A1 and B5
    page.wait_for_function(f"JSON.stringify(({ROWS})()) === JSON.stringify(['3797', '3797', '3797'])")
    settle(page)
    # Plotly hears nothing of a pointer that leaves while the figure is drawn anew, and then finds it there once more.
    plot.evaluate("plot => plot.querySelectorAll('.drag').forEach(part => (part.onmouseout = null))")
    page.mouse.move(0, 0)
    page.wait_for_function(f"({ROWS})().every(lit => !lit)")
    plot.evaluate("plot => plot.emit('plotly_hover', window.found)")
    settle(page)
    assert not any(page.evaluate(ROWS))


def the_mask_is_one_click_and_a_pair_with_another_prefix_space_sets_the_whole_page(page: Page) -> None:
    page.get_by_text("Causal mask", exact=True).click()
    expect(page.get_by_role("heading", name="Learned, causal mask: 1 of 6 outputs the same")).to_be_visible()
    page.wait_for_url("**causal=true*")
    page.get_by_role("combobox", name="Example pairs").click()
    page.get_by_role("option", name="Dog bites man").click()
    expect(page.get_by_role("heading", name="No positions, no mask: 3 of 3 outputs the same")).to_be_visible()


def test_pointing_at_a_weight_lights_up_both_tokens_that_it_is_between(visit):
    page = visit("/attention?view=head&reader=small-gpt&positions=on")
    box = outline(page.locator(".ev-plot .heatmaplayer").first)
    page.mouse.move(box["x"] + box["width"] * 0.5 / 10, box["y"] + box["height"] * 2.5 / 10)
    page.wait_for_function(f"({ROWS})()[0].split(' ').length === 2")


# A pointer that moves from one place to the other, presses before Plotly has looked again, and lets go just after that.
HASTE = """async (board, [from, to]) => {
  const drag = document.elementFromPoint(...to)
  const say = (type, [clientX, clientY], target = drag) =>
    target.dispatchEvent(new MouseEvent(type, { clientX, clientY, bubbles: true, view: window, buttons: 1 }))
  say("mousemove", from)
  say("mousemove", to)
  say("mousedown", to)
  await new Promise((act) => setTimeout(act, 70))
  say("mouseup", to, document.querySelector(".dragcover"))
}"""


@pytest.mark.parametrize("is_hasty", [False, True])
def test_a_click_on_the_board_of_all_heads_picks_one(visit, is_hasty):
    page = visit("/attention?view=head&reader=small-gpt&looks=own&layer_head=1")
    board = page.locator(".ev-plot .heatmaplayer").first
    box = outline(board)
    at = box["x"] + box["width"] * 2.5 / 4, box["y"] + box["height"] / 2
    if is_hasty:
        board.evaluate(HASTE, [(box["x"] + box["width"] * 0.5 / 4, at[1]), at])
    else:
        page.mouse.click(*at)
    page.wait_for_url("**layer_head=3*")
    expect(page.get_by_text("A: layer 1, head 3")).to_be_visible()


@pytest.mark.parametrize("size", [(1280, 720), (1024, 768)])
def test_in_projection_each_claim_has_a_slide_with_its_own_matrix_and_all_names(opened, size):
    page = opened("?present=1", width=size[0], height=size[1])
    _at, total = projection.place(page)
    claims = ["No positions, no mask: 6 of 6 outputs the same", "Learned, no mask: 0 of 6 outputs the same",
              "Causal mask alone: 1 of 6 outputs the same"]  # fmt: skip
    assert total == len(claims)
    for claim in claims:
        settle(page)
        (height,) = page.evaluate(SLIDE)
        assert height >= 0.6
        expect(page.get_by_role("heading", level=1)).to_have_text(claim)
        names = page.locator(".ev-plot:visible .xaxislayer-above text").all_text_contents()
        assert names == [f"B{n}" for n in range(6)]
        page.keyboard.press("ArrowRight")


# Of each figure: where its colour bars begin and end, from above, where the names of its columns end, and its own end.
BARS = """() => [...document.querySelectorAll('.ev-plot')].map((plot) => {
  const boxes = (selector) => [...plot.querySelectorAll(selector)].map((part) => part.getBoundingClientRect())
  const names = boxes('.xaxislayer-above text').map(({ bottom }) => bottom)
  return boxes('[class^=cbcoloraxis] .cbfill').map(({ top, bottom }) =>
    [top, bottom, names.filter((at) => at < bottom + 40), plot.getBoundingClientRect().bottom])
})"""


@pytest.mark.parametrize(
    ("path", "n_bars"), [("/attention", [1, 1, 1]), ("/positions?view=table", [1]), ("/lookup", [1])]
)
def test_on_a_phone_a_colour_bar_lies_below_the_names_of_its_picture(visit, path, n_bars):
    page = visit(path, width=360, height=740, drawn=False)  # there may be several pictures
    page.locator(DRAWN).first.wait_for(state="attached")
    settle(page)
    found = page.evaluate(BARS)
    assert [len(bars) for bars in found] == n_bars
    for top, bottom, names, end in (bar for bars in found for bar in bars):
        assert max(names) <= top + 1
        assert bottom < end


def test_a_message_about_a_sentence_moves_no_other_field(visit):
    page = visit("/attention?a=&b=the", drawn=False)
    expect(page.get_by_text("Sentence A is empty: type a few words.")).to_be_visible()
    one, other = (outline(page.get_by_role("textbox", name=f"Sentence {name}")) for name in "AB")
    assert one["y"] == other["y"]
