// What the last token looks at in one layer, or how far copies are apart in many layers, on one ruler.

import { decimals, tokenColour } from "../shared/index.js"
import { STUB } from "./headings.js"
import { addShape, addStrip, colourOf, drawLine, hasTwoLines, LETTERS, laneOf, textWidth, writeText } from "./parts.js"
import { halves, isMoved, lastRow, NOTE, ROOM, STRIP } from "./places.js"

/** @typedef {import("./places.js").Page} Page */

const WIDE = 12 // pixels of a look whose weight is 1
const FAINTEST = 0.02 // a weight that is drawn
const LARGE = 0.05 // a weight that is written
export const LEAST = 0.005 // a weight or a chance that is written 0.00

/** @param {Page} page */
export function drawLooks(page) {
  const { view, data, state, place, roles } = page
  const { spot, out, into, isAcross } = place
  const last = [lastRow(data, 0), lastRow(data, 1)]
  const isSame = state.one && last[0] === last[1]
  const looked = state.looks[view.head ?? data.head]
  const stub = isAcross ? STUB * place.unit : 0
  const ends = [0, 1].map((half) => spot("after", last[half], last[0] === last[1] ? laneOf(!isSame, half) : 0))
  for (const n of place.rows) {
    const row = data.rows[n]
    const isFork = hasTwoLines(page, row)
    const weights = [2 * n, 2 * n + 1].map((k) => looked[k])
    const isOne = halves(row).length === 2 && isSame && Math.abs(weights[0] - weights[1]) < LEAST
    const ink = isMoved(row) ? tokenColour(roles, row.colour) : roles["--ink"]
    const said = []
    for (const half of isOne ? [0] : halves(row)) {
      const [x, y] = out(spot("input", n, laneOf(isFork, half)))
      const from = [x + stub, y]
      if (stub) drawLine(page, [x, y], from, { n, half: isFork ? half : halves(row)[0], colour: colourOf(page, row) })
      if (weights[half] < FAINTEST) continue
      const colour = n === last[half] ? roles["--ink"] : tokenColour(roles, row.colour)
      drawLine(page, from, into(ends[half]), {
        n,
        half,
        colour,
        wide: Math.max(0.75, weights[half] * WIDE * place.unit),
        opacity: 0.85,
      })
      if (weights[half] < LARGE) continue
      said.push([from, weights[half], `${isOne ? "" : `${LETTERS[half]} `}${decimals(weights[half], 2)}`])
    }
    said.forEach(([[x, y], weight, text], k) => {
      const above = (weight * WIDE * place.unit) / 2 + 4
      const [dx, dy] = isAcross ? [4, isFork || k === 0 ? -above : 15 * place.unit] : [0, 60]
      writeText(page, x + dx, y + dy, text, {
        size: NOTE,
        kind: "title halo",
        anchor: isAcross ? "start" : "middle",
        colour: ink,
        row: n,
      })
    })
  }
  for (const half of isSame ? [0] : [0, 1]) {
    const n = last[half]
    const from = out(spot("input", n, laneOf(hasTwoLines(page, data.rows[n]), half)))
    drawLine(page, from, into(ends[half]), { n, half, colour: roles["--faint"], wide: 1.25 })
    if (isAcross && half === 0)
      writeText(page, from[0] + 6, from[1] + 15 * place.unit, data.words.itself, { size: 13, kind: "halo", row: n })
    addStrip(page, ends[half], n, state.after[half], data.words.after[0], data.limit_after)
    const [x, y] = [ends[half].x, ends[half].y]
    const high = ((half ? 1 : -1) * STRIP * place.unit * place.stretch) / 2
    if (!isSame)
      writeText(page, x + ends[half].wide / 2, y + high + (half ? 13 : -4) * place.unit, LETTERS[half], {
        size: 13,
        kind: "title halo",
        anchor: "middle",
        row: n,
      })
  }
  page.ends = ends.map(out)
  page.isSame = isSame
}

/** @param {Page} page */
export function drawLayers(page) {
  const { data, state, place, roles } = page
  const { spot, out, along } = place
  const unit = ROOM * place.unit * 0.95 // pixels that are 1
  const at = (n, layer, side = 0) => along(n, layer / data.layers, side * Math.max(0, state.apart[n][layer]) * unit)
  if (place.isAcross)
    for (let layer = 1; layer <= data.layers; layer++) {
      const said = layer === 1 || data.layers < 4 ? data.words.layer.replace("{n}", layer) : layer
      writeText(page, at(0, layer)[0], place.top + 3, said, { size: NOTE, anchor: "middle" })
    }
  const end = lastRow(data, 0)
  for (const [layer, looking, seen, weight] of state.threads) {
    if (!place.rows.includes(looking) || !place.rows.includes(seen)) continue
    drawLine(page, at(seen, layer), at(looking, layer + 1), {
      n: looking,
      colour: roles["--faint"],
      wide: weight * WIDE * 0.35 * place.unit,
      opacity: isMoved(data.rows[looking]) || looking === end ? 0.5 : 0.15,
    })
  }
  for (const n of place.rows) {
    const row = data.rows[n]
    const colour = n === end ? roles["--ink"] : colourOf(page, row)
    const isOne = halves(row).length === 2 && state.apart[n].every((each) => !each)
    for (const half of isOne ? [0] : halves(row)) {
      const side = halves(row).length === 2 ? half - 0.5 : 0
      const points = Array.from({ length: data.layers + 1 }, (_each, layer) => at(n, layer, side))
      drawLine(page, out(spot("input", n, laneOf(hasTwoLines(page, row), half))), points[0], { n, half, colour })
      points.slice(1).forEach((to, layer) => drawLine(page, points[layer], to, { n, half, colour }))
    }
  }
  if (!place.isAcross) return
  if (page.data.bars) page.ends = [0, 1].map((half) => at(lastRow(data, half), data.layers, half - 0.5))
  page.isSame = state.one
  const x = along(0, 1, 0)[0] + 24
  const left = x - textWidth(page, data.words.ruler, NOTE) - 10
  addShape(page, "path", {
    d: `M${left - 3} ${place.height - unit - 1}h6m-3 0v${unit}m-3 0h6`,
    fill: "none",
    stroke: roles["--ink"],
    "stroke-width": 1.5,
  })
  writeText(page, x, place.height - 8, data.words.ruler, { size: NOTE, anchor: "end" })
}
