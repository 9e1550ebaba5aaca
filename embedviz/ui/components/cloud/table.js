// The map as a table to read: the tokens that are lit, or else those that have a name on it.

import { _, cell, counted, element, numeral, openDialog } from "../shared/index.js"

const MOST = 200

export function open(map, texts) {
  const dialog = map.root.parentElement.querySelector("dialog")
  const rows = map.lit.length ? map.lit : map.labels.map(({ row }) => row)
  const shown = rows.slice(0, MOST)
  dialog.querySelector(".says").textContent = map.marks.alt
  dialog.querySelector(".count").textContent = shares(map.lit.length > 0, rows.length > MOST, {
    n: shown.length,
    total: counted(map.ids.length),
    most: MOST,
  })
  dialog.querySelector("table").replaceChildren(head(), body(map, texts, shown))
  openDialog(dialog)
}

function shares(areLit, areMore, numbers) {
  if (areLit) {
    if (areMore) return _("{n} of {total} tokens: the first {most} that are highlighted.", numbers)
    return _("{n} of {total} tokens: those that are highlighted.", numbers)
  }
  if (areMore) return _("{n} of {total} tokens: the first {most} that are named on the map.", numbers)
  return _("{n} of {total} tokens: those that are named on the map.", numbers)
}

function head() {
  const names = [_("token"), "ID", _("kind"), "x", "y"]
  return element("thead", [
    element(
      "tr",
      names.map((name) => cell("th", name, "col")),
    ),
  ])
}

function body(map, texts, rows) {
  const kindOf = (id) => texts?.kinds.names[texts.kinds.codes.charCodeAt(id) - 48] ?? ""
  const line = (row) => {
    const id = map.ids[row]
    const at = [0, 1].map((axis) => cell("td", numeral(map.points[2 * row + axis].toFixed(4))))
    const name = cell("th", texts?.names[id] ?? "", "row")
    name.dir = "auto"
    return element("tr", [name, cell("td", String(id)), cell("td", kindOf(id)), ...at])
  }
  return element("tbody", rows.map(line))
}
