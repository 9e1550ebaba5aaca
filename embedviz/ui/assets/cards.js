// Findings side by side. Text only: what a visitor typed may stand in it.

import { element } from "./elements.js"
import { unpack } from "./payload.js"

export function render({ data: packed, parentElement }) {
  const data = unpack(packed)
  const sections = data.cards.map(({ title, text, tone }) => {
    const section = element("section", "", tone)
    section.append(element("h2", title), element("p", text))
    return section
  })
  parentElement.querySelector(".cards").replaceChildren(...sections)
}

export function stop() {}
