// Names at the ends of lines stand apart, and of too many some are left out.

import assert from "node:assert/strict"
import test from "node:test"
import { moveApart } from "../../embedviz/ui/components/plot/notes.js"

const SIZE = 20
const HIGH = 1.15 * SIZE // the room of a name of one line

// The names of lines that end at these heights, from 0 to 1 of an axis of so many pixels: what each says, and where.
function named(heights, length, said = "line") {
  const annotations = heights.map((y, n) => ({ text: `${said} ${n}`, y, yref: "y", font: { size: SIZE } }))
  const layout = { yaxis: { range: [0, 1] }, annotations, meta: { roles: { end: annotations.map((_, n) => n) } } }
  moveApart(/** @type {any} */ (layout), { number: "" }, length)
  const shown = annotations.filter(({ text }) => text)
  return shown.map(({ text, y, yshift }) => ({ text, at: y * length + yshift })).sort((a, b) => a.at - b.at)
}

const areApart = (names) => names.every(({ at }, n) => n === 0 || at - names[n - 1].at >= HIGH - 1e-9)

test("where there is room all names stay, in the order of their lines", () => {
  const names = named([0.5, 0.5, 0.52, 0.9, 0.1], 10 * HIGH)
  assert.deepEqual(
    names.map(({ text }) => text),
    ["line 4", "line 0", "line 1", "line 2", "line 3"],
  )
  assert(areApart(names))
})

test("where there is none, the names nearest to another one are left out, and the others stand apart", () => {
  const names = named([0, 0.5, 0.501, 0.502, 1], 3.5 * HIGH)
  assert.deepEqual(
    names.map(({ text }) => text),
    ["line 0", "line 3", "line 4"],
  )
  assert(areApart(names))
})

test("one name stays, however low its panel is", () => {
  assert.equal(named([0.2, 0.9], 1).length, 1)
})

test("the highest name stands at the panel's edge with its first line, and no line of it above that", () => {
  const length = 10 * HIGH
  const [one] = named([1], length)
  assert.equal(one.at, length)
  const [two] = named([1], length, "two<br>line")
  assert(two.at < length)
  const high = 2 * (length + HIGH / 2 - two.at) // from its middle to the edge, and as far down
  assert(high > HIGH * 1.8 && high < HIGH * 3)
})
