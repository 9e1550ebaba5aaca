// What moves in figures: with the share of the positions, and with the snapshots; and what lights up.

import assert from "node:assert/strict"
import test from "node:test"
import { blend, distanceAt, flip } from "../../embedviz/ui/components/plot/frames.js"
import { idsAt, light, masked } from "../../embedviz/ui/components/plot/lights.js"
import { plainLength, widthOf } from "../../embedviz/ui/components/plot/type.js"

const close = (one, other) => assert(Math.abs(one - other) < 1e-9, `${one} and ${other}`)

test("a distance at a share of the positions is that of the added vectors", () => {
  const length = (vector) => Math.hypot(...vector)
  const minus = (a, b) => a.map((value, n) => value - b[n])
  const [s, t] = [
    [1, 2, -1],
    [0.5, -3, 2],
  ] // the tokens' vectors
  const [p, q] = [
    [0.3, 0.1, 2],
    [-1, 0.7, 0.2],
  ] // the positions'
  const at = (share, token, position) => token.map((value, n) => value + share * position[n])
  const [before, after, added] = [minus(s, t), minus(at(1, s, p), at(1, t, q)), minus(p, q)].map(length)
  for (const share of [0, 0.25, 0.5, 1])
    close(distanceAt(share, before, after, added), length(minus(at(share, s, p), at(share, t, q))))
  assert.equal(distanceAt(0.5, 0, 0, 1e-9), 0) // and no root of a number below zero
})

test("numbers and rows of numbers go evenly from one to the other", () => {
  assert.equal(blend(1, 3, 0.25), 1.5)
  assert.deepEqual(blend([[0, 4]], [[2, 0]], 0.5), [[1, 2]])
  assert.deepEqual(blend(Float32Array.from([0, 1]), Float32Array.from([1, 3]), 0.5), Float32Array.from([0.5, 2]))
})

// The figure's element, as far as the script asks it for something.
function plotOf(data, layout = {}) {
  const calls = []
  globalThis.window = {
    Plotly: {
      update: (...given) => calls.push(given),
      relayout: (...given) => calls.push(given),
      restyle: (...given) => calls.push(given),
    },
  }
  const attributes = {}
  const root = { data, dataset: {}, setAttribute: (name, text) => (attributes[name] = text) }
  const figure = { data, layout: { annotations: [], ...layout } }
  const plot = { root, figure, payload: { alt: "All.", data }, shapes: [], roles: { "--surface": "#fff" } }
  return { plot: { ...plot, at: (n) => data[n] }, calls, attributes }
}

test("between two snapshots points are on the straight line between their places, and the name is that of the nearer", () => {
  const rows = [Float32Array.from([0, 10]), Float32Array.from([4, 20])]
  const still = { type: "scatter", x: [1], y: [1] }
  const moving = { type: "scatter", x: rows[1], y: rows[1], meta: { frames: { x: rows, y: rows } } }
  const layout = {
    annotations: [{ text: "= after 9 steps" }],
    meta: {
      names: ["before", "after 9 steps"],
      headings: [0],
      ranges: { xaxis: [Float32Array.from([0, 2]), Float32Array.from([0, 4])] },
    },
  }
  const { plot, calls, attributes } = plotOf([still, moving], layout)
  flip(plot, 0.25)
  const [[, update, relayout, which]] = calls
  assert.deepEqual(which, [1])
  assert.deepEqual(update.x, [Float32Array.from([1, 12.5])])
  assert.deepEqual(relayout, { "annotations[0].text": "= before", "xaxis.range": [0, 2.5] })
  assert.equal(attributes["aria-label"], "All. On screen: before.")
  flip(plot, Infinity)
  assert.deepEqual(calls[1][1].x, [rows[1]])
})

for (const [isNarrow, last, now] of [
  [true, "after 9 steps:<br>neighbours 0.1", "after 3 steps:<br>neighbours 0.2"],
  [false, "after 9 steps", "after 3 steps"],
])
  test(`a heading that was broken for want of room breaks at every snapshot: ${now}`, () => {
    const names = ["after 3 steps: neighbours 0.2", "after 9 steps: neighbours 0.1"]
    const moving = { type: "scatter", x: [1], y: [2], meta: { frames: { x: [[0], [1]] } } }
    const { plot, calls } = plotOf([moving], {
      annotations: [{ text: last }],
      meta: { names, headings: [0], isNarrow },
    })
    flip(plot, 0)
    assert.equal(calls[0][2]["annotations[0].text"], now)
  })

test("a trail grows with the snapshots, and is whole at the end", () => {
  const x = [0, 2, 6, NaN, 1, 1, 1, NaN] // two points at three snapshots, and a gap
  const { plot, calls } = plotOf([{ type: "scatter", x, y: x, meta: { ways: 3 } }])
  flip(plot, 1.5)
  assert.deepEqual(calls[0][1].x, [[0, 2, 4, null, 1, 1, 1, null]])
  flip(plot, Infinity)
  assert.deepEqual(calls[1][1].x, [x])
})

test("what is pointed at names its tokens: a point one, a cell two, and a cell of one token once", () => {
  const cells = { type: "heatmap", x: ["a", "b"], y: ["c", "d"], meta: { ids: [1, 2], column_ids: [3, 2] } }
  assert.deepEqual(idsAt({ data: cells, x: "a", y: "d" }), [2, 3])
  assert.deepEqual(idsAt({ data: cells, x: "b", y: "d" }), [2])
  assert.deepEqual(idsAt({ data: { type: "scatter", meta: { ids: [5, 6] } }, pointNumber: 1 }), [6])
  assert.deepEqual(idsAt({ data: { type: "scatter", meta: { ids: [5, null] } }, pointNumber: 1 }), [])
  assert.deepEqual(idsAt({ data: { type: "scatter" }, pointNumber: 1 }), [])
})

test("of a line only lit points stay, a token's own and those of its position", () => {
  const line = {
    type: "scatter",
    mode: "lines",
    x: [1, 2, 3],
    y: [4, 5, 6],
    meta: { ids: [7, 8, 7], also: [["@0"], ["@1"], ["@2"]] },
  }
  assert.deepEqual(masked(line, [7]).x, [1, NaN, 3])
  assert.deepEqual(masked(line, ["@1"]).y, [NaN, 5, NaN])
  assert.equal(masked(line, []), line)
})

test("rows and columns of a heatmap that are not lit turn pale, where both can be lit", () => {
  const cells = { type: "heatmap", xaxis: "x", yaxis: "y", meta: { ids: [1, 2, 3], column_ids: [2, 9] } }
  const { plot, calls } = plotOf([cells])
  light(plot, [2])
  const [[, { shapes }]] = calls
  assert.deepEqual(
    shapes.map(({ x0, x1, y0, y1 }) => [x0, x1, y0, y1]),
    [
      [0.5, 1.5, -0.5, 0.5],
      [0.5, 1.5, 1.5, 2.5],
    ],
  )
  assert.equal(plot.root.dataset.lit, "2")
})

test("the room of a text is that of its longest line, and an East Asian letter takes two", () => {
  assert.equal(plainLength("<b>a&amp;b</b>"), 3)
  assert.equal(plainLength("猫は"), 4)
  assert.equal(widthOf("ab<br>abcd", 10), widthOf("abcd", 10))
})
