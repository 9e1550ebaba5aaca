"""Words that run right to left, signs that join, marks on letters: each its own way, all in their places.

Tokens stand from left to right in the order of their positions, whatever their script, as the columns of a matrix
do; inside its chip a word runs its own way. Only a text as a whole (the field, the text that is cut) reads as such.
"""

import re
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from embedviz.base.locale.catalogues import languages
from tests.browser.views import come_back, outline, settle

MIXED = "שלום (abc) مرحبا بكم! 3,5 e\u0301 👨\u200d👩\u200d👧 猫は กำลัง"
TOKENS = ["שלום", "(", "abc", ")", "مرحبا", "بكم", "!", "3", ",", "5", "e\u0301", "👨\u200d👩\u200d👧", "猫は", "กำลัง"]
# Where each letter of the element's text is on the screen, from left to right.
SEEN = """element => {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), letters = []
  while (nodes.nextNode()) [...nodes.currentNode.data].forEach((letter, n) => {
    const range = document.createRange()
    range.setStart(nodes.currentNode, n), range.setEnd(nodes.currentNode, n + 1)
    letters.push([range.getBoundingClientRect().left, letter])
  })
  return letters.sort((a, b) => a[0] - b[0]).map(([, letter]) => letter).join("")
}"""
# The first letter of each line of the element's text, if it is as wide as this.
BEGIN = """(element, width) => {
  element.style.width = `${width}px`
  const text = element.firstChild, tops = [...text.data].map((_, n) => {
    const range = document.createRange()
    range.setStart(text, n), range.setEnd(text, n + 1)
    return range.getBoundingClientRect().top
  })
  return [...text.data].filter((_, n) => tops[n] !== tops[n - 1])
}"""


def seen(element: Locator) -> str:
    return element.evaluate(SEEN)


def drawn_by(page: Page, element: Locator) -> list[str]:
    """The fonts that draw an element, as the browser says."""
    element.evaluate("element => window.looked = element")
    send = page.context.new_cdp_session(page).send
    for command in ("DOM.enable", "CSS.enable", "DOM.getDocument"):
        send(command)
    there = send("Runtime.evaluate", {"expression": "looked"})["result"]["objectId"]
    fonts = send("CSS.getPlatformFontsForNode", send("DOM.requestNode", {"objectId": there}))["fonts"]
    return [font["familyName"] for font in fonts]


def in_rows(items: Locator, *, step: int) -> bool:
    """Whether they stand in rows from left to right, with the step 1, or from right to left, with -1."""
    boxes = items.evaluate_all("all => all.map(one => [one.getBoundingClientRect().y, one.getBoundingClientRect().x])")
    return boxes == sorted(boxes, key=lambda box: (box[0], step * box[1]))


def test_words_of_both_directions_keep_their_places_wherever_compare_shows_them(visit):
    page = visit(f"/?view=pairs&tokenizer=words&output_dim=8&a={quote(MIXED)}&b={quote('ab שלום')}", height=1200)
    settle(page)
    chips_stand_in_the_order_of_positions_and_words_run_their_own_way(page)
    a_sentence_with_such_a_word_reads_on_as_it_began(page)
    fields_begin_on_the_side_of_their_text(page)
    signs_that_join_are_one_and_marks_stand_on_their_letters(page)
    come_back(page, f"/attention?tokenizer=words&output_dim=8&a={quote(MIXED)}&b={quote('ab שלום')}")
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(3)
    settle(page)
    names_of_rows_keep_their_place_before_the_word(page)
    what_is_pointed_at_in_a_figure_is_named_in_order(page)


def chips_stand_in_the_order_of_positions_and_words_run_their_own_way(compared: Page) -> None:
    row = compared.get_by_role("list", name="Tokens of A")
    assert row.locator(".text").all_text_contents() == TOKENS
    assert in_rows(row.locator("li"), step=-1)  # its first letter runs to the left
    assert seen(row.locator(".text").first) == "םולש"
    assert seen(row.locator(".text").nth(2)) == "abc"


def test_a_leading_space_stands_where_the_word_begins(visit):
    page = visit(f"/?view=pairs&tokenizer=o200k_base&output_dim=8&a={quote('ab שלום')}&b=ab")
    assert seen(page.get_by_role("list", name="Tokens of A").locator(".text").nth(1)) == "םולש␣"


def names_of_rows_keep_their_place_before_the_word(compared: Page) -> None:
    label = compared.locator(".ev-plot").first.locator(".ytick text").first
    expect(label).to_contain_text("שלום")
    boxes = label.evaluate("text => [...Array(7).keys()].map(n => text.getStartPositionOfChar(n).x)")
    assert boxes[0] < min(boxes[3:])  # A, then its number, then the word


def what_is_pointed_at_in_a_figure_is_named_in_order(compared: Page) -> None:
    box = outline(compared.locator(".ev-plot .heatmaplayer").first)
    compared.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 3)
    name = compared.locator(".hoverlayer text").first
    expect(name).to_contain_text("distance")
    places = name.evaluate(
        """text => { const line = text.querySelector('tspan') ?? text
          const whole = line.textContent, at = part => line.getStartPositionOfChar(whole.indexOf(part)).x
          return [at('A0'), at('ם'), at(', ')] }"""
    )
    assert places == sorted(places)


def a_sentence_with_such_a_word_reads_on_as_it_began(compared: Page) -> None:
    card = compared.get_by_text("Only in A:")
    words = seen(card)
    assert words.startswith("Only in A: \u2068(\u2069 (1), \u2068abc\u2069 (7), ")
    assert re.search("\u2068ابحرم\u2069 \\(11\\), ", words)  # the number of a word stands after it


def test_the_text_that_is_cut_reads_as_a_text_with_its_marks_where_pieces_begin(visit):
    page = visit(f"/tokenizers?text={quote('שלום abc')}", drawn=False)
    line = page.get_by_role("group", name="The text")
    assert seen(line) == "abc␣םולש"
    sides = line.locator(".piece.differs").evaluate_all(
        "all => all.map(one => [one.textContent, parseFloat(getComputedStyle(one).borderRightWidth) > 0])"
    )
    assert sides
    assert all(right == (text not in "abc") for text, right in sides)


def fields_begin_on_the_side_of_their_text(compared: Page) -> None:
    for name in ("Sentence A", "Sentence B"):
        field = compared.get_by_role("textbox", name=name)
        assert field.evaluate("field => getComputedStyle(field).unicodeBidi") == "plaintext"


def test_windows_of_a_batch_keep_the_order_of_tokens(visit):
    text = " ".join(["שלום abc مرحبا 12"] * 8)
    page = visit(
        f"/batches?sample=Paste+my+own&tokenizer=o200k_base&batch_size=2&pasted={quote(text)}", drawn=False, height=1000
    )
    flow = page.get_by_role("group", name="The text, cut into tokens")
    expect(flow.locator(".token").nth(5)).to_be_visible()
    assert in_rows(flow.locator(".token"), step=1)
    inputs = page.get_by_role("grid", name="inputs", exact=True)
    assert in_rows(inputs.locator("tr").first.locator("td"), step=1)
    assert seen(inputs.locator("td .text").first) == "םולש"


def signs_that_join_are_one_and_marks_stand_on_their_letters(compared: Page) -> None:
    """Whether a family is one sign depends on the machine's fonts: it is drawn as the browser draws the text alone."""
    tokens = compared.get_by_role("list", name="Tokens of A").locator(".text")
    family, letter, accented = (
        tokens.nth(n).evaluate(
            """text => { const range = document.createRange()
              range.selectNodeContents(text)
              const alone = document.createElement("canvas").getContext("2d")
              alone.font = getComputedStyle(text).font
              return {text: text.textContent, width: range.getBoundingClientRect().width,
                alone: alone.measureText(text.textContent).width} }"""
        )
        for n in (11, 7, 10)
    )
    assert family["text"] == "👨\u200d👩\u200d👧"
    assert abs(family["width"] - family["alone"]) < 1
    assert accented["width"] < 1.6 * letter["width"]


def test_a_japanese_line_never_begins_with_the_mark_of_a_long_vowel(visit):
    page = visit("/?lang=ja&view=pairs")
    line = page.locator(".cards p").first
    line.evaluate("line => line.textContent = 'コピーのスコアーはベースとデータから'")

    beginnings = {letter for width in range(40, 140, 7) for letter in line.evaluate(BEGIN, width)}
    assert "ベ" in beginnings
    assert "ー" not in beginnings
    line.evaluate("line => line.style.lineBreak = 'normal'")
    assert "ー" in {letter for width in range(40, 140, 7) for letter in line.evaluate(BEGIN, width)}


def test_a_space_is_drawn_by_the_same_font_in_every_language_beside_words_of_any_script(visit):
    address, fonts = f"/?tokenizer=o200k_base&a={quote('ab cd שלום مرحبا 猫')}&b=ab&lang=", {}
    for tag in languages():
        page = visit(address + tag)
        marks = page.locator(".order ol .mark")
        expect(marks).to_have_text(["␣"] * 6)
        fonts[tag] = {name for mark in marks.all() for name in drawn_by(page, mark)}
    assert len(set(map(frozenset, fonts.values()))) == 1, fonts
    assert len(fonts["en"]) == 1
