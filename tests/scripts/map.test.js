// The map of a vocabulary: where its points are, which colours they have, and which of them have names.

import assert from "node:assert/strict"
import test from "node:test"
import { camera, hold, placer, projector, rowOf, zoomAt } from "../../embedviz/ui/components/cloud/camera.js"
import { colours } from "../../embedviz/ui/components/cloud/colours.js"
import { labels } from "../../embedviz/ui/components/cloud/overlay.js"

const near = (one, other) =>
  one.forEach((value, n) => assert(Math.abs(value - other[n]) < 1e-6 * (1 + Math.abs(value))))

for (const factor of [0.5, 3]) {
  test(`zooming by ${factor} keeps what is under the pointer`, () => {
    const points = Float32Array.from({ length: 300 }, (_, n) => Math.sin(n * n))
    const view = camera(points, 900, 400)
    view.pan = [70, -30]
    const [before, far] = [projector(view)(0.1, 0.7), projector(view)(0.3, -0.5)]
    zoomAt(view, factor, ...before)
    const [after, further] = [projector(view)(0.1, 0.7), projector(view)(0.3, -0.5)]
    near(after, before)
    near(
      further.map((value, n) => value - after[n]),
      far.map((value, n) => factor * (value - before[n])),
    )
  })
}

for (const zoom of [1, 3, 400])
  for (const pan of [
    [0, 0],
    [300, -90],
    [-5000, 20],
  ])
    test(`a point is in view however far the map is moved: ${pan} at ${zoom}`, () => {
      const points = Float32Array.from([-1, -1, 1, -1, 1, 1, -1, 1]) // the corners: nothing in the middle
      const view = camera(points, 900, 400)
      zoomAt(view, zoom, 450, 200)
      view.pan = view.pan.map((value, axis) => value + pan[axis])
      const before = [...view.pan]
      hold({ view, points })
      const isSeen = ([x, y]) => x >= 0 && y >= 0 && x <= 900 && y <= 400
      assert([0, 1, 2, 3].map(placer({ view, points })).some(isSeen))
      // As long as something is in view, nothing is moved.
      assert.equal(view.pan.join() === before.join(), zoom === 1 && pan[0] > -5000)
    })

test("a token is found among all points and among a part of them, and one that is not there is not", () => {
  const ids = [7, 3, 5]
  const rows = new Map(ids.map((id, row) => [id, row]))
  assert.deepEqual(
    [5, 7, 4, null].map((id) => rowOf({ rows, ids }, id)),
    [2, 0, -1, -1],
  )
  assert.deepEqual(
    [2, 3, null].map((id) => rowOf({ rows: null, ids }, id)),
    [2, -1, -1],
  )
})

test("tokens of a part of the map have their own kinds", () => {
  const eight = Array.from({ length: 8 }, () => "#123456").join()
  const roles = Array.from({ length: 8 }, (_, n) => `class-${n} token-${n}`).join()
  const given = { "--st-chart-categorical-colors": eight, "--ev-roles": roles }
  const getPropertyValue = (name) => given[name] ?? "#123456"
  globalThis.getComputedStyle = () => ({ getPropertyValue })
  const texts = { kinds: { names: ["word", "number", "sign"], codes: "0121" } }
  const asked = (ids) => {
    const { codes, legend } = colours({ isConnected: true }, ids, texts, { colour: "kind" })
    return [[...codes], legend.map(({ name, count }) => [name, count])]
  }
  const each = ["word", "number", "sign"].map((name) => [name, 1])
  assert.deepEqual(asked([3, 0, 2]), [[1, 0, 2], each])
  assert.deepEqual(asked([1, 3]), [[1, 1], [["number", 2]]])
})

test("more names appear as one zooms, and lit neighbours always have theirs", () => {
  const named = (zoom, lit) => {
    const n = 2000
    const points = Float32Array.from({ length: 2 * n }, (_, k) => Math.sin(k * k))
    const view = camera(points, 900, 500)
    zoomAt(view, zoom, 450, 250)
    const over = { getContext: () => ({ measureText: (text) => ({ width: 7 * text.length }) }) }
    const ids = Uint32Array.from({ length: n }, (_, k) => k)
    const marks = { picked: lit[0] ?? null, words: true }
    const map = { points, view, over, factor: 1, ids, lit, hovered: [], marks, codes: [], kinds: null }
    const texts = { names: Array.from(ids, (id) => `w${id}`) }
    return labels(map, texts).map(({ row }) => row)
  }
  const numbers = [1, 2, 4].map((zoom) => named(zoom, []).length)
  assert(numbers[0] < numbers[1] && numbers[1] < numbers[2] && numbers[2] <= 90)
  const lit = Array.from({ length: 11 }, (_, k) => 1000 + k)
  assert.deepEqual(named(1, lit).slice(0, 11), lit)
})
