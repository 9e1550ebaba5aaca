"""The page "Models" as a person sees it."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect


def test_links_of_a_table_lead_to_views_of_other_pages_and_back(visit):
    """What is taken from page to page is taken along, and the first view of a page has no parameter of its own."""
    page = visit("/models?view=choose&seed=7&a=dog+bites", drawn=False)
    page.get_by_role("link", name="Relative: Shift test: The same phrase, later in the text").click()
    expect(page.get_by_role("radio", name="Shift test")).to_be_checked()
    page.wait_for_url("**/relative?*")
    assert said(page.url) == {"seed": ["7"], "a": ["dog bites"], "view": ["shift"]}
    page.go_back()
    page.get_by_role("link", name="Compare: Pairs: Order in the input vectors").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites")
    expect(page.get_by_role("radio", name="Pairs")).to_be_checked()
    assert said(page.url) == {"seed": ["7"], "a": ["dog bites"]}
    page.go_back()
    page.get_by_role("link", name="Layer by layer: Typical users").click()
    expect(page.get_by_role("radio", name="Layer by layer")).to_be_checked()
    page.go_back()
    expect(page.get_by_role("radio", name="Absolute or relative")).to_be_checked()


def said(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)
