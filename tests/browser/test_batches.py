"""The page "Batches" as a person sees it."""

from playwright.sync_api import Page, expect

from tests.browser.views import come_back, outline


def test_pointing_lights_what_belongs_together_and_a_click_keeps_it_lit_and_a_short_text_says_what_would_do(visit):
    page = visit("/batches", drawn=False)
    what_inputs_and_targets_have_in_common_is_framed_in_the_first_row(page)
    pointing_at_a_cell_lights_the_token_and_its_target(page)
    page.mouse.move(0, 0)
    pointing_at_a_window_lights_all_of_it(page)
    a_click_keeps_the_light_on_and_moves_nothing(page)
    come_back(page, "/batches?sample=Paste+my+own&pasted=cat")
    expect(page.get_by_role("alert").first).to_contain_text("Take a longer text or a smaller max_length")


def what_inputs_and_targets_have_in_common_is_framed_in_the_first_row(page: Page) -> None:
    for table, steps in ((page.locator("table").nth(n), steps) for n, steps in enumerate(("123", "012"))):
        framed = table.locator("td.stretch")
        expect(framed.locator(".text")).to_have_text(["␣H", "AD", "␣always"])
        assert framed.evaluate_all("all => all.map(({dataset}) => dataset.step)") == [*steps]
        edges = framed.evaluate_all("all => all.map((one) => getComputedStyle(one, '::after').borderWidth)")
        assert edges == ["2px 0px 2px 2px", "2px 0px", "2px 2px 2px 0px"]


def pointing_at_a_cell_lights_the_token_and_its_target(page: Page) -> None:
    page.locator("table").first.locator("td").nth(5).hover()  # window 1, position 1
    expect(page.locator(".token.lit")).to_have_text("␣Jack")
    expect(page.locator(".token.aim")).to_have_text("␣G")
    expect(page.locator("td.lit")).to_have_count(2)
    inputs, targets = (page.locator("table").nth(n).locator("tr").nth(3).locator(".text") for n in (0, 1))
    colours = [each.evaluate_all("all => all.map((one) => getComputedStyle(one).color)") for each in (inputs, targets)]
    assert colours[0][1:] == colours[1][:-1]
    assert len({*colours[0]}) == 4


def pointing_at_a_window_lights_all_of_it(page: Page) -> None:
    page.locator("th", has_text="2").first.focus()
    expect(page.locator(".token.lit")).to_have_text(["2burn", "␣rather", "␣a", "␣cheap"])
    expect(page.locator(".token.aim")).to_have_count(4)  # each next token


def a_click_keeps_the_light_on_and_moves_nothing(page: Page) -> None:
    cell = page.locator("table").first.locator("td").nth(6)
    before = cell.bounding_box()
    cell.click()
    assert cell.bounding_box() == before
    page.mouse.move(0, 0)
    expect(page.locator(".token.lit")).to_have_text("␣G")
    expect(page.locator("td.chosen")).to_have_count(1)
    cell.click()
    page.mouse.move(0, 0)
    expect(page.locator(".token.lit")).to_have_count(0)


def test_a_short_page_leaves_no_hole(visit):
    page = visit("/batches?view=padding", drawn=False)
    why = page.get_by_role("heading", name="Why it matters")
    expect(why).to_be_visible()
    program = outline(page.locator("[data-testid=stExpander]"))
    assert 0 < outline(why)["y"] - program["y"] - program["height"] < 48
