// A line that says what to do. Its hints come one by one, and those that are seen stay as long as the text is the same.
// What a station asks is hidden on a phone alone, and comes as a whole.

import { keep } from "../../assets/page/address.js"
import { _, element, viewOf, ways } from "../shared/index.js"

/** @param {Component<StripData>} component */
export function render({ data, parentElement }) {
  const { text, to, hints, links, tone, kept } = data
  const root = parentElement.querySelector(".strip")
  const [said, button, list, nav] = [".text", "button", "ol", ".links"].map((part) => root.querySelector(part))
  const isStation = tone === "station"
  const seen = viewOf(parentElement, () => ({ text, n: 0 }))
  if (seen.text !== text) Object.assign(seen, { text, n: 0 })
  const draw = () => {
    list.replaceChildren(...hints.slice(0, isStation ? hints.length : seen.n).map((hint) => element("li", hint)))
    list.hidden = !seen.n
    button.hidden = !hints.length
    button.disabled = !isStation && seen.n === hints.length
    button.ariaExpanded = isStation ? seen.n > 0 : null
  }
  root.className = `strip ${tone}`
  button.textContent = isStation ? _("What to do") : _("Show a hint")
  if (said.textContent !== text) said.replaceChildren(ways(to)[0] ?? text)
  Object.entries(kept).forEach((pair) => keep(...pair))
  nav.replaceChildren(...ways(links))
  button.onclick = () => {
    seen.n = isStation && seen.n ? 0 : seen.n + 1
    draw()
  }
  draw()
}
