"""The page "Relative" as a person sees it."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect


def test_a_line_of_the_table_leads_to_its_view_and_typing_redraws_the_grid_in_place(visit):
    page = visit("/relative?view=How+far", drawn=False)
    page.get_by_role("link", name="By distance: T5").click()
    expect(page.get_by_role("heading", name="ALiBi lowers scores by rule")).to_be_visible()
    page.wait_for_url("**view=distance*")
    page.get_by_role("radio", name="Shift test").click()
    expect(page.get_by_role("radio", name="Shift test")).to_be_checked()
    page.get_by_role("textbox", name="Sentence").fill("dog bites man")
    page.wait_for_function("document.querySelector('.ev-plot')?.data?.[0].y.length === 3")
    assert page.locator(".ev-plot").evaluate("plot => plot.data.length") == 4
    numbers = page.locator(".heatmap-label text").all_text_contents()
    assert any(number.startswith("−") for number in numbers)
    assert not any("-" in number for number in numbers)


def test_both_tokens_move_once_when_the_clocks_come(visit):
    page = visit("/rope", moves=True)
    query = "document.querySelector('.ev-plot').data.find(({ name }) => name === 'query')"
    tip, end = f"() => {query}.x[1]", page.evaluate(f"() => {query}.meta.frames.x.at(-1)[1]")
    seen = {round(page.evaluate(tip), 6) for _n in range(20)}
    assert len(seen) > 1
    page.wait_for_function(f"({tip})() === {end}")


def test_links_of_a_table_lead_to_views_of_other_pages_and_back(visit):
    """What is taken from page to page is taken along, and the first view of a page has no parameter of its own."""
    page = visit("/relative?view=far&seed=7&a=dog+bites", drawn=False)
    page.get_by_role("link", name="Positions: Past the end: Learned").click()
    expect(page.get_by_role("radio", name="Past the end")).to_be_checked()
    page.wait_for_url("**/positions?*")
    assert said(page.url) == {"seed": ["7"], "a": ["dog bites"], "view": ["end"]}
    page.go_back()
    page.get_by_role("link", name="Attention: Two orders: None").click()
    expect(page.get_by_role("radio", name="Two orders")).to_be_checked()
    assert said(page.url) == {"seed": ["7"], "a": ["dog bites"]}
    page.go_back()
    page.get_by_role("link", name="Shift test: Shaw").click()
    expect(page.get_by_role("radio", name="Shift test")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="How far")).to_be_checked()


def said(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def test_on_a_phone_a_heading_keeps_its_sign_when_the_phrase_has_moved(visit):
    page = visit("/relative?later=9", 360, 740, moves=True)
    page.wait_for_function("document.querySelector('.ev-plot').getAttribute('aria-label').includes('9 tokens later')")
    headings = page.locator(".ev-plot .annotation-text").filter(has_text="9 later")
    expect(headings).to_have_count(2)
    expect(headings).to_have_text(["≠ 9 later", "= 9 later"])
