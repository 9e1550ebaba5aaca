"""GPT-2's vectors as a person gets them: without a network, and once there is one."""

import pytest
from playwright.sync_api import expect

from tests.browser import access
from tests.browser.conftest import Elsewhere
from tests.models.hub import Hub, running, write_model

pytestmark = pytest.mark.xdist_group("elsewhere")
# How many tokens the map shows.
TOKENS = "plot.data.find(({ name, meta }) => name === 'token' && meta).x.length"


@pytest.fixture(scope="module")
def address(elsewhere: Elsewhere) -> str:
    return elsewhere.address


@pytest.fixture
def hub_port(elsewhere: Elsewhere) -> int:
    return elsewhere.hub_port


def test_without_a_network_it_says_so_within_reach(visit):
    page = visit("/?view=pairs&source=gpt2-medium", drawn=False)
    expect(page.get_by_role("alert")).to_contain_text(
        "The vectors of gpt2-medium cannot be read: there is no connection"
    )
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    for size, theme in ((access.WIDE, "light"), (access.PHONE, "dark")):
        access.resize(page, size, theme)
        access.check(page)


def test_try_again_once_the_server_is_there(visit, hub_port, tmp_path):
    page = visit("/?view=map&source=gpt2&a=the+cat", drawn=False)
    page.get_by_role("textbox", name="Sentence B").fill("on the mat")
    expect(page.get_by_role("list", name="Tokens of B").get_by_role("button")).to_have_count(3)
    expect(page.get_by_role("alert")).to_contain_text("there is no connection")
    hub = Hub(files={"openai-community/gpt2": write_model(tmp_path / "gpt2.safetensors")})
    with running(hub, hub_port):
        page.get_by_role("button", name="Try again").click()
        page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 1")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert page.locator(".ev-plot").evaluate(f"plot => {TOKENS}") == 4  # the, cat, on, mat
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("on the mat")
    page.get_by_role("textbox", name="Sentence B").fill("on the cat")  # all of them here by now, and the Hub gone
    page.wait_for_function(f"[document.querySelector('.ev-plot')].some(plot => plot?.data && {TOKENS} === 3)")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_source_is_picked_in_the_settings_and_locks_its_sizes(visit):
    page = visit()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("combobox", name="Source").click()
    page.get_by_role("option", name="gpt2-xl").click()
    expect(page.get_by_role("spinbutton", name="Dimensions (output_dim)")).to_be_disabled()
    expect(page.get_by_role("spinbutton", name="Dimensions (output_dim)")).to_have_value("1600")
    expect(page.get_by_role("spinbutton", name="context_length")).to_have_value("1024")
    expect(page.get_by_role("alert")).to_contain_text("The vectors of gpt2-xl cannot be read")
    assert "source=gpt2-xl" in page.url
