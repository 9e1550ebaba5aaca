// A table of text; a row may have links to views of this site. Text only.

import { cell, element, viewLink, reachable, set } from "../shared/elements.js"
import { labelValue } from "../shared/i18n.js"

/** @param {Component<TableData>} component */
export function render({ data, parentElement }) {
  const { label, columns, rows, numbers, links, folds, tones } = data
  const table = element("table", [head(columns), body(rows, columns, numbers, links, tones)])
  table.setAttribute("aria-label", label)
  if (folds && matchMedia("(max-width: 40em)").matches) fold(table)
  const root = parentElement.querySelector(".table")
  root.replaceChildren(table)
  reachable(root, label)
}

const head = (columns) =>
  element("thead", [
    element(
      "tr",
      columns.map((name) => cell("th", name, "col")),
    ),
  ])

function body(rows, columns, numbers, links, tones) {
  const line = (texts, n) => {
    const cells = texts.map((text, k) => (k ? cell("td", text) : cell("th", text, "row")))
    cells.filter((_, k) => numbers.includes(k)).forEach((number) => (number.className = "number"))
    tones[n]?.forEach((tone, k) => tone && cells[k].classList.add(tone))
    if (links)
      cells.push(
        element(
          "td",
          links[n].map((link) => linked(link, texts[0])),
        ),
      )
    cells.forEach((each, k) => (each.dataset.name = columns[k]))
    return element("tr", cells)
  }
  return element("tbody", rows.map(line))
}

function fold(table) {
  table.toggleAttribute("data-folds", true)
  for (const row of table.tBodies[0].rows) {
    const button = element("button", row.cells[0].textContent)
    button.ariaExpanded = "false"
    button.onclick = () => (button.ariaExpanded = String(row.toggleAttribute("data-open")))
    row.cells[0].replaceChildren(button)
  }
}

const linked = (link, name) => set(viewLink(link), { "aria-label": labelValue(link.text, name) })
