"""The page "Relative" as a person sees it."""

from playwright.sync_api import expect

from embedviz.positions import SCHEMES


def test_a_line_of_the_table_leads_to_its_view_and_typing_redraws_the_grid_in_place(visit):
    page = visit("/relative?view=Which+one", drawn=False)
    page.get_by_role("link", name="By distance: T5").click()
    expect(page.get_by_role("heading", name="ALiBi: −0.5 a token")).to_be_visible()
    page.wait_for_url("**view=distance*")
    page.get_by_role("radio", name="Scores").click()
    expect(page.get_by_role("radio", name="Scores")).to_be_checked()
    page.get_by_role("textbox", name="Sentence").fill("dog bites man")
    page.wait_for_function("document.querySelector('.ev-plot')?.data?.[0].y.length === 3")
    assert page.locator(".ev-plot").evaluate("plot => plot.data.length") == len(SCHEMES)
