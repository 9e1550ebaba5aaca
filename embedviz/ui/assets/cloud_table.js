// The map as a table to read: the tokens that are lit, or else those that have a name on it.

import { element } from "./elements.js"

const MOST = 200

export function open(map, texts) {
  const dialog = map.root.parentElement.querySelector("dialog")
  const rows = map.lit.length ? map.lit : map.labels.map(({ row }) => row)
  const shown = rows.slice(0, MOST)
  const which = map.lit.length ? "lit" : "named on the map"
  dialog.querySelector(".says").textContent = map.marks.alt
  dialog.querySelector(".count").textContent =
    `${shown.length} of ${map.ids.length.toLocaleString("en")} tokens: ${rows.length > MOST ? `the first ${MOST}` : "those"} that are ${which}.`
  dialog.querySelector("table").replaceChildren(head(map), body(map, texts, shown))
  dialog.querySelector("button").onclick = () => dialog.close()
  dialog.showModal()
}

function head(map) {
  const part = element("thead")
  const names = ["token", "ID", "kind", ...places(map)]
  part.append(line(names.map((name) => cell("th", name, "col"))))
  return part
}

function body(map, texts, rows) {
  const part = element("tbody")
  const kindOf = (id) => texts?.kinds.names[texts.kinds.codes.charCodeAt(id) - 48] ?? ""
  part.append(
    ...rows.map((row) => {
      const id = map.ids[row]
      const at = places(map).map((_, axis) => cell("td", map.points[3 * row + axis].toFixed(4)))
      const name = cell("th", texts?.names[id] ?? "", "row")
      name.dir = "auto"
      return line([name, cell("td", String(id)), cell("td", kindOf(id)), ...at])
    }),
  )
  return part
}

const places = ({ marks }) => (marks.flat ? ["x", "y"] : ["x", "y", "z"])

function line(cells) {
  const row = element("tr")
  row.append(...cells)
  return row
}

function cell(tag, text, scope = "") {
  const made = element(tag, text)
  if (scope) made.scope = scope
  return made
}
