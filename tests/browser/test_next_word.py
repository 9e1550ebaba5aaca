"""The page "Next word" in a browser: the question, the bars after it, and what an address restores."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import projection
from tests.browser.views import settle

pytestmark = pytest.mark.xdist_group("training")  # one after the other, since runs wait in the line of one server

BARS = "() => document.querySelector('.st-key-plot_next_word .ev-plot').data.map((trace) => [...trace.x])"

PICTURE = ".st-key-plot_next_word .ev-plot"
COVERED = """() => {
  const { data, layout } = document.querySelector('.st-key-plot_next_word .ev-plot')
  const marks = layout.annotations.filter(({ text }) => text === '?')
  const isBlank = ({ x, texttemplate }) => [...x].every((end) => end === 0) && !texttemplate.trim()
  return marks.length === 3 && data.every(isBlank)
}"""


def bars(page: Page) -> list[list[float]]:
    """The probabilities of cat, mat and the others, after A, after B and, of a ready question, after C."""
    settle(page)
    return page.evaluate(BARS)


def test_the_bars_change_once_the_question_is_answered(visit):
    page = visit("/next_word", drawn=False)
    assert [round(each[0]) for each in bars(page)] == [1, 0, 1]
    top = page.locator(PICTURE).bounding_box()["y"]
    page.get_by_role("radio", name="Exchange the nouns’ positions").click()
    expect(page.get_by_text("what will the model answer for A?")).to_be_visible()
    settle(page)
    assert page.evaluate(COVERED)
    assert page.locator(PICTURE).bounding_box()["y"] == top
    page.get_by_role("button", name="mat", exact=True).click()
    expect(page.get_by_role("heading", name="You said")).to_be_visible()
    after = bars(page)
    assert [round(each[0]) for each in after] == [0, 1, 0]
    assert "positions=exchanged" in page.url
    assert "asked=exchanged" in page.url
    page.reload()
    expect(page.get_by_text("576 of 576 answers change sides")).to_be_visible()
    assert bars(page) == after


def test_on_a_phone_a_prompt_of_ten_words_stands_in_two_rows_and_the_first_is_full(visit):
    page = visit("/next_word", width=360, height=740, drawn=False)
    page.locator(".st-key-chips_C li").first.wait_for()
    settle(page)
    for name in "ABC":
        boxes = [each.bounding_box() for each in page.locator(f".st-key-chips_{name} li").all()]
        rows = sorted({round(box["y"]) for box in boxes})
        assert len(rows) == 2
        first = [box for box in boxes if round(box["y"]) == rows[0]]
        assert len(first) >= 7
        assert max(box["x"] + box["width"] for box in boxes) <= 360


@pytest.mark.parametrize(
    "query", ["", "&positions=exchanged", "&positions=exchanged&asked=exchanged", "&positions=shuffled"]
)
def test_three_prompts_their_bars_and_what_they_look_at_fit_every_slide(visit, query):
    page = visit(f"/next_word?present=1{query}", drawn=False)
    page.locator(f"{PICTURE}[data-drawn]").wait_for()
    projection.check(page)


def test_own_sentences_are_typed_in_the_place_of_the_ready_ones(visit):
    page = visit("/next_word", drawn=False)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="My own sentences").click()
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Sentence B").fill("on the mat the cat sat")
    page.wait_for_url("**b=on+the+mat*")
    assert [round(each[0]) for each in bars(page)] == [1, 1]
    assert "sentences=own" in page.url
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="A ready question").click()
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_count(0)
    page.get_by_role("radio", name="My own sentences").click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("on the mat the cat sat")
    page.get_by_role("textbox", name="Sentence B").fill("on the zebra the cat sat")
    expect(page.get_by_text("zebra").last).to_be_visible()
    expect(page.get_by_text(re.compile("reads .*the mat sat on the cat.* instead"))).to_be_visible()
    expect(page.locator(PICTURE)).to_have_count(1)


def test_the_model_learns_before_one_s_eyes_and_a_reload_shows_it_again(visit):
    page = visit("/next_word?gpt_seed=7", drawn=False)
    before = bars(page)
    assert before == [pytest.approx(before[0], abs=0.01)] * 3  # the first random numbers hardly tell three orders apart
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_text("of 1,000, about")).to_be_visible()
    expect(page.get_by_role("button", name="Start over")).to_be_visible()
    settle(page)
    after = bars(page)
    assert [round(each[0]) for each in after] == [1, 0, 1]
    page.reload()
    expect(page.get_by_role("button", name="Start over")).to_be_visible()
    settle(page)
    assert bars(page) == after


def test_who_leaves_ends_the_training(visit):
    page = visit("/next_word?gpt=rope-2&gpt_seed=8", drawn=False)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    page.get_by_role("link", name="Layers").click()
    expect(page.locator(".st-key-frame_views [role=radio]").first).to_be_visible()  # which its own page has not
    expect(page.get_by_role("heading", level=1)).not_to_have_text(re.compile("Nothing is learned yet|The model says"))
    page.go_back()
    expect(page.get_by_role("button", name="Train", exact=True)).to_be_visible()


def test_in_a_hall_a_key_shows_the_answer_before_another_leads_on(visit):
    page = visit("/next_word?positions=exchanged&present=1", drawn=False)
    expect(page.get_by_role("button", name="Show the answer")).to_be_visible()
    settle(page)
    assert page.evaluate(COVERED)
    page.keyboard.press("PageDown")
    expect(page.get_by_role("button", name="Show the answer")).to_have_count(0)
    assert [round(each[0]) for each in bars(page)] == [0, 1, 0]
    mark = page.get_by_role("navigation", name="Slides").get_by_role("status")
    expect(mark).to_have_text(re.compile("^1 / "))
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile("^The model says .mat. after A"))
    page.keyboard.press("PageDown")
    expect(mark).to_have_text(re.compile("^2 / "))
    expect(title).to_have_text(re.compile("^From “\\?” head 1 of layer 1 looks most at .mat. in A, .cat. in B"))
    page.keyboard.press("PageUp")
    expect(title).to_have_text(re.compile("^The model says .mat. after A"))
