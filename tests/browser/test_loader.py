"""What draws a component: of two calls the newer one, and a figure even where the browser is never idle."""

import base64
from urllib.parse import urljoin

from playwright.sync_api import Route, expect

from embedviz.ui.components import component
from embedviz.ui.components.component import pack
from tests.browser.access import PHONE, look
from tests.browser.views import EMPTY, VIEWS, arrive


def script_of(name: str) -> str:
    """What Streamlit runs to draw a component of ours."""
    return component.LOADER.format(path=component.ASSETS_PATH[1:], name=name, notes='{"loaded": ""}')


SCRIPT = script_of("embedviz/ui/components/cards/cards")
# Streamlit ends the older call in the same task in which it has made it.
CALLS = """async ({ script, packed, order }) => {
  const { default: draw } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })))
  const parentElement = document.createElement("div")
  parentElement.className = "overtaken"
  parentElement.innerHTML = `<div class="cards"></div>`
  document.querySelector("[data-testid=stMain]").append(parentElement)
  for (const name of order) {
    const data = Uint8Array.from(atob(packed[name]), (sign) => sign.charCodeAt(0))
    const end = draw({ parentElement, data })
    if (name === "older") Promise.resolve().then(end)
  }
}"""


def packed_cards(*titles: str) -> str:
    """The data of cards with these titles, as a component gets it, in base64."""
    return base64.b64encode(
        pack({"cards": [{"title": title, "text": "", "tone": "", "stage": ""} for title in titles]})
    ).decode()


def test_of_two_calls_at_once_the_newer_is_drawn_whichever_comes_first(visit):
    page = visit("/positions?view=table", new=True)
    packed = {name: packed_cards(name) for name in ("older", "newer")}
    for n, order in enumerate((["older", "newer"], ["newer", "older"]), 1):
        page.evaluate(CALLS, {"script": SCRIPT, "packed": packed, "order": order})
        expect(page.locator(".overtaken h2")).to_have_text(["newer"] * n)


# A module as the loader gets it, which says what is done with it.
MODULE = """import { once } from "../shared/instances.js"
export const render = ({ data, parentElement }) => {
  said.push(`drawn: ${data.cards[0].title}`)
  once(parentElement, () => [() => said.push("ended")])
}"""
# Newer data come just when the visitor leaves: Streamlit has made the newer call, and ends that one alone.
LEFT = """async ({ script, packed }) => {
  window.said = []
  const dataOf = (name) => Uint8Array.from(atob(packed[name]), (sign) => sign.charCodeAt(0))
  const { default: draw } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })))
  const parentElement = document.querySelector("[data-testid=stMain]").appendChild(document.createElement("div"))
  draw({ parentElement, data: dataOf("older") })
  while (!said.length) await new Promise(requestAnimationFrame)
  const end = draw({ parentElement, data: dataOf("newer") })
  parentElement.remove()
  await end()
  return said
}"""


def test_a_part_that_was_left_before_its_newest_data_were_drawn_has_ended(visit):
    page = visit("/positions?view=table", new=True)
    page.route("**/cards/any.js", lambda route: route.fulfill(body=MODULE, content_type="text/javascript"))
    script = script_of("embedviz/ui/components/cards/any")
    packed = {name: packed_cards(name) for name in ("older", "newer")}
    assert page.evaluate(LEFT, {"script": script, "packed": packed}) == ["drawn: older", "ended"]


def test_a_button_whose_script_is_still_on_its_way_is_hidden_until_it_is_there(visit):
    page = visit(EMPTY, drawn=False, new=True)
    held: list[Route] = []
    page.route("**/share/share.js", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/share/share.js"):
        page.goto(page.url.replace(EMPTY, "/lookup"))
    button = page.locator(".st-key-share").get_by_text("Share", exact=True)
    expect(button).to_have_css("visibility", "hidden")
    held[0].continue_()
    button.click()  # which waits for a button that is there
    expect(page.get_by_role("button", name="Copy link", exact=True)).to_be_visible()


def test_fields_appear_with_their_names_when_the_last_kind_of_them_is_there(visit):
    page = visit(EMPTY, drawn=False, new=True)
    held: list[Route] = []
    page.route("**/TextInput.*.js", lambda route: route.continue_() if held else held.append(route))
    page.goto(page.url.replace(EMPTY, "/compare?view=pairs"))
    name = page.get_by_text("Example pairs", exact=True)
    expect(name).to_have_css("visibility", "hidden")
    held[0].continue_()
    expect(name).to_have_css("visibility", "visible")
    expect(page.get_by_label("Sentence A", exact=True)).to_be_visible()


def test_a_figure_below_the_screen_is_drawn_on_a_page_that_is_never_idle(visit):
    page = visit("/", new=True)
    # A browser that never finds an idle moment calls when the time is up, if it was told one.
    page.add_init_script("requestIdleCallback = (act, { timeout } = {}) => timeout && setTimeout(act, 0)")
    small = (PHONE[0], 640)
    look(page, small)
    page.goto(urljoin(page.url, VIEWS["attention order"][0]))
    arrive(page, "attention order")
    assert page.locator(".ev-plot").last.bounding_box()["y"] > small[1]
