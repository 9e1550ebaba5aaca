"""What draws a component, where Streamlit calls for it twice because newer data has overtaken older."""

import base64

import pytest
from playwright.sync_api import expect

from embedviz.ui.components import component
from embedviz.ui.components.payload import pack

SCRIPT = component._LOADER.format(path=component.ASSETS_PATH[1:], name="parts/cards")
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


@pytest.mark.parametrize("order", [["older", "newer"], ["newer", "older"]])
def test_of_two_calls_at_once_the_newer_is_drawn_whichever_comes_first(visit, order):
    page = visit("/positions", new=True)
    packed = {
        name: base64.b64encode(pack({"cards": [{"title": name, "text": "", "tone": "", "stage": ""}]})).decode()
        for name in order
    }
    page.evaluate(CALLS, {"script": SCRIPT, "packed": packed, "order": order})
    expect(page.locator(".overtaken h2")).to_have_text(["newer"])
