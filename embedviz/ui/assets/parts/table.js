// A table of text; a row may have a button that says which row was chosen. Text only.

import { cell, element, reachable } from "../shared/elements.js"
import { unpack } from "../shared/payload.js"

export function render({ data: packed, parentElement, setTriggerValue }) {
  const { label, columns, rows, numbers, wide, actions } = unpack(packed)
  const table = element("table", [head(columns), body(rows, columns, { number: numbers, wide }, actions, setTriggerValue)])
  table.setAttribute("aria-label", label)
  const root = parentElement.querySelector(".table")
  root.replaceChildren(table)
  reachable(root, label)
}

const head = (columns) => element("thead", [element("tr", columns.map((name) => cell("th", name, "col")))])

function body(rows, columns, kinds, actions, choose) {
  const line = (texts, n) => {
    const cells = texts.map((text, k) => (k ? cell("td", text) : cell("th", text, "row")))
    for (const [kind, which] of Object.entries(kinds)) which.forEach((k) => cells[k].classList.add(kind))
    if (actions) cells.push(button(actions[n], texts[0], () => choose("chosen", n)))
    cells.forEach((each, k) => (each.dataset.name = columns[k]))
    return element("tr", cells)
  }
  return element("tbody", rows.map(line))
}

function button(text, name, act) {
  if (!text) return element("td")
  const found = element("button", text)
  found.setAttribute("aria-label", `${text}: ${name}`)
  found.onclick = act
  return element("td", [found])
}
