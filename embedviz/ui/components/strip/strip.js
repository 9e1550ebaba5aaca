// A line that says what to do. Its hints come one by one, and those that are seen stay as long as the text is the same.
// What a station asks is hidden on a phone alone, and comes as a whole.

import { keep } from "../../assets/page/address.js"
import { _, element, viewOf, viewLinks } from "../shared/index.js"

/** @param {Component<StripData>} component */
export function render({ data, parentElement }) {
  const { text, to, hints, links, tone, kept } = data
  const root = parentElement.querySelector(".strip")
  const [line, button, list, nav] = [".text", "button", "ol", ".links"].map((part) => root.querySelector(part))
  const isStation = tone === "station" || tone === "answer"
  const hintsSeen = viewOf(parentElement, () => ({ text, n: 0 }))
  if (hintsSeen.text !== text) Object.assign(hintsSeen, { text, n: 0 })
  const draw = () => {
    list.replaceChildren(...hints.slice(0, isStation ? hints.length : hintsSeen.n).map((hint) => element("li", hint)))
    list.hidden = !hintsSeen.n
    button.hidden = !hints.length
    button.disabled = !isStation && hintsSeen.n === hints.length
    button.ariaExpanded = isStation ? hintsSeen.n > 0 : null
  }
  root.className = `strip ${tone}`
  button.textContent = isStation ? _("What to do") : _("Show a hint")
  if (line.textContent !== text) line.replaceChildren(viewLinks(to)[0] ?? text)
  Object.entries(kept).forEach((pair) => keep(...pair))
  nav.replaceChildren(...viewLinks(links))
  button.onclick = () => {
    hintsSeen.n = isStation && hintsSeen.n ? 0 : hintsSeen.n + 1
    draw()
  }
  draw()
}
