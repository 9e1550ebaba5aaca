// A table of text; a row may have a button that says which row was chosen. Text only.

import { element } from "./elements.js"
import { unpack } from "./payload.js"

export function render({ data: packed, parentElement, setTriggerValue }) {
  const { label, columns, rows, numbers, actions } = unpack(packed)
  const table = element("table")
  table.setAttribute("aria-label", label)
  table.append(head(columns), body(rows, numbers, actions, setTriggerValue))
  const root = parentElement.querySelector(".table")
  root.replaceChildren(table)
  root.tabIndex = 0 // it may scroll sideways, so the keyboard must reach it
  root.setAttribute("role", "group")
  root.setAttribute("aria-label", label)
}

export function stop() {}

function head(columns) {
  const row = element("tr")
  columns.forEach((name) => {
    const cell = element("th", name)
    cell.scope = "col"
    row.append(cell)
  })
  const part = element("thead")
  part.append(row)
  return part
}

function body(rows, numbers, actions, choose) {
  const part = element("tbody")
  rows.forEach((texts, n) => {
    const row = element("tr")
    texts.forEach((text, k) => {
      const cell = element(k ? "td" : "th", text)
      if (!k) cell.scope = "row"
      if (numbers.includes(k)) cell.className = "number"
      row.append(cell)
    })
    if (actions) row.append(button(actions[n], texts[0], () => choose("chosen", n)))
    part.append(row)
  })
  return part
}

function button(text, name, act) {
  const cell = element("td")
  if (text) {
    const found = element("button", text)
    found.type = "button"
    found.setAttribute("aria-label", `${text}: ${name}`)
    found.addEventListener("click", act)
    cell.append(found)
  }
  return cell
}
