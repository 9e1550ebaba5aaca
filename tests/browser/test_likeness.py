"""The count of a real model on Compare: how alike the two sentences are to it. A tiny BERT stands for MiniLM."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, expect

from embedviz.layers.probe import SOURCE
from tests.browser import server
from tests.browser.views import settle
from tests.models.shelf import on_shelf

pytestmark = pytest.mark.xdist_group("likeness")
A, B = "the cat sat on the mat", "on the mat the cat sat"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with the model."""
    folder, port = tmp_path_factory.mktemp("models"), server.free_port()
    on_shelf("bert", folder / SOURCE, A)
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_MODELS": str(folder)}) as found:
        yield found


def test_it_moves_with_the_slider_and_says_of_what_share_it_is(visit, address):
    page = visit()
    model = page.locator(".counts section").last
    expect(model.get_by_role("heading")).to_have_text("1.000")
    expect(model.get_by_text("It cannot tell them apart.")).to_be_visible()
    said = {}
    for more in ({}, {"between": "between"}):
        said |= page.request.get(f"{address}/likeness", params={"a": A, "b": B} | more).json()
    page.get_by_role("button", name="Add the positions").click()
    expect(model.get_by_role("heading")).to_have_text(f"{said['100']:.3f}")
    expect(model.get_by_text("It cannot tell them apart.")).to_be_hidden()
    page.get_by_role("slider", name="Share of the positions").fill("47")
    expect(model.get_by_role("heading")).to_have_text(f"{said['40']:.3f}")
    expect(model.get_by_text("With 40 % of the positions.")).to_be_visible()


def test_nothing_waits_for_it_and_letters_that_follow_each_other_ask_once(visit):
    page = visit()
    model = page.locator(".counts section").last
    expect(model.get_by_role("heading")).to_have_text("1.000")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/likeness?*", hold)
    field = page.get_by_role("textbox", name="Sentence B")
    field.press("End")
    field.press_sequentially(" cat cat")
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button")).to_have_count(8)
    settle(page)
    field.press_sequentially(" mat")
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button")).to_have_count(9)
    expect(model.get_by_role("heading")).to_have_text("1.000")  # still that of the sentence before
    until = time.monotonic() + 60
    while not (held and held[-1].request.url.endswith("cat+cat+mat")) and time.monotonic() < until:
        page.wait_for_timeout(50)
    last = held[-1].request.url
    assert last.endswith("cat+cat+mat")
    assert len(held) < 4  # of twelve letters
    held[-1].continue_()
    expect(model.get_by_role("heading")).to_have_text(f"{page.request.get(last).json()['0']:.3f}")
    page.unroute("**/likeness?*")  # which lets all go that are held


def test_a_text_that_the_model_cannot_read_has_no_number(visit):
    page = visit(f"/?a={'the+' * 300}")
    model = page.locator(".counts section").last
    expect(model.get_by_role("heading")).to_have_text("–")
    expect(model.get_by_text("It has no answer for these texts.")).to_be_visible()
