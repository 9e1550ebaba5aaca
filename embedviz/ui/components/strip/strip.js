// A line that says what to do. Its hints come one by one, and those that are seen stay as long as the text is the same.

import { keep } from "../../assets/page/address.js"
import { element, viewOf, ways } from "../shared/index.js"

export function render({ data, parentElement }) {
  const { text, hints, links, tone, kept } = data
  const root = parentElement.querySelector(".strip")
  const [said, button, list, nav] = [".text", "button", "ol", ".links"].map((part) => root.querySelector(part))
  const seen = viewOf(parentElement, () => ({ text, n: 0 }))
  if (seen.text !== text) Object.assign(seen, { text, n: 0 })
  const draw = () => {
    list.replaceChildren(...hints.slice(0, seen.n).map((hint) => element("li", hint)))
    list.hidden = !seen.n
    button.hidden = !hints.length
    button.disabled = seen.n === hints.length
  }
  root.className = `strip ${tone}`
  if (said.textContent !== text) said.textContent = text
  Object.entries(kept).forEach((pair) => keep(...pair))
  nav.replaceChildren(...ways(links))
  button.onclick = () => draw((seen.n += 1))
  draw()
}
