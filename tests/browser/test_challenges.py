"""A challenge in a browser: from its link to solved, with hints, a reload, and the way on to the next one."""

from playwright.sync_api import Page, expect

from embedviz.base.i18n import translated
from embedviz.base.pages import page_at
from embedviz.teaching.challenges import CHALLENGES
from tests.browser import access, projection
from tests.browser.views import come_back, settle

STRIP = ".st-key-strip_challenge"


def strip(page: Page, text: str):
    found = page.locator(STRIP).filter(has_text=text)  # that of another view may still be there
    expect(found).to_be_attached()
    settle(page)
    return found


def test_a_challenge_from_its_link_to_solved_and_after_a_reload(visit):
    page = visit("/?view=pairs&position=rope")
    page.get_by_role("link", name="A challenge: Exactly two stay").click()
    line = strip(page, "Challenge: In B, put the tokens of A")
    assert "challenge=two-stay" in page.url
    assert "position=rope" not in page.url
    hint = line.get_by_role("button", name="Show a hint")
    for n in (1, 2, 3):
        hint.click()
        expect(line.get_by_role("listitem")).to_have_count(n)
    expect(hint).to_be_disabled()
    page.get_by_role("textbox", name="Sentence B").fill("the sat cat on mat the")
    strip(page, "Solved.")
    expect(line.get_by_role("listitem")).to_have_count(0)
    assert "solved=two-stay" in page.url
    page.reload()
    strip(page, "Solved.")
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("the sat cat on mat the")
    page.get_by_role("link", name="Next challenge: One word, different tokens").click()
    strip(page, "Challenge: Write a text")
    assert "/tokenizers?" in page.url
    assert "solved=two-stay" in page.url
    page.get_by_role("link", name="Leave").click()
    expect(page.locator(STRIP)).to_have_count(0)
    assert "challenge" not in page.url
    page.go_back()
    strip(page, "Challenge: Write a text")


def test_each_challenge_is_whole_and_without_fault_on_any_screen(visit):
    page = visit("/")  # Streamlit hears of another address only once a page is there
    for n, each in enumerate(CHALLENGES):
        name, _slash, view = each.at.partition("/")
        path = f"/{page_at(name).address}?view={view}&challenge={each.name}"
        for size, theme in ((access.PHONE, "dark"), (access.WIDE, "light")):
            access.look(page, size, theme)
            come_back(page, path)
            line = strip(page, translated(each.task))
            for _hint in each.hints if size == access.PHONE else ():
                line.get_by_role("button", name="Show a hint").click()
            access.check_layout(page)
            if (size == access.WIDE) is bool(n % 2):
                access.check_axe(page)
        come_back(page, f"{path}&present=1")
        expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()
        projection.check(page)
        come_back(page, f"{path}&present=1&solved={each.name}")
        strip(page, "Solved.")
        projection.check(page)
