// Findings side by side. Text only: what a visitor typed may stand in it.

import { unpack } from "./payload.js"

export function render({ data: packed, parentElement }) {
  const data = unpack(packed)
  const sections = data.cards.map(({ title, text, tone }) => {
    const section = document.createElement("section")
    section.className = tone
    const heading = document.createElement("h2")
    heading.textContent = title
    const body = document.createElement("p")
    body.textContent = text
    section.append(heading, body)
    return section
  })
  parentElement.querySelector(".cards").replaceChildren(...sections)
}

export function stop() {}
