// Findings side by side. They are shown as text only, since words of a visitor may stand in them.

import { element, listen, now, once, onResize, viewLinks } from "../shared/index.js"

/** @param {Component<CardsData>} component */
export function render({ data, parentElement }) {
  const list = parentElement.querySelector(".cards")
  list.replaceChildren(...data.cards.map(sectionOf))
  list.querySelector("section:last-child p")?.append(...viewLinks(data.links).flatMap((link) => [" ", link]))
  light(list, now("amount"))
  once(parentElement, () => [onResize(list, () => reach(list)), listen("embedviz:amount", ({ at }) => light(list, at))])
}

// On a phone they stand in one row, which keys scroll too. With --ev-lights a page says that the focus lights
// something.
function reach(list) {
  const isStop = list.scrollWidth > list.clientWidth || getComputedStyle(list).getPropertyValue("--ev-lights")
  if (isStop) list.tabIndex = 0
  else list.removeAttribute("tabindex")
}

function sectionOf({ title, text, tone, stage }) {
  const section = element("section", [...(title ? [element("h2", title)] : []), element("p", text)], tone)
  if (stage) section.dataset.stage = stage
  return section
}

function light(list, amount) {
  const stage = amount > 0 ? "after" : "before"
  for (const section of list.querySelectorAll("[data-stage]"))
    section.ariaCurrent = section.dataset.stage === stage ? "true" : null
}
