// The map of a vocabulary: where its points are, which colours they have, and which of them have names.

import assert from "node:assert/strict"
import test from "node:test"
import { camera, closer, hold, placer, projector, rowOf, zoomAt } from "../../embedviz/ui/components/cloud/camera.js"
import { colours } from "../../embedviz/ui/components/cloud/colours.js"
import { asides, labels, lines } from "../../embedviz/ui/components/cloud/overlay.js"

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

test("a closer view fills the window, and stops at the edges of the map", () => {
  const points = Float32Array.from([0, 0, 4, 0, 4, 4, 0, 4, 2, 1, 2, 3.9])
  const whole = camera(points, 1000, 400)
  near([whole.fits], [92])
  const at = (rows, row) => placer({ view: closer(whole, points, rows), points })(row)
  near(at([4], 4), [500, 200]) // in the middle
  near([at([4], 0)[0], at([4], 1)[0]], [40, 960]) // as wide as the window, but for what is left around it
  near(at([5], 3), [40, 40]) // at its upper edge there is no more room than at its sides
})

for (const rows of [[0, 2], [4, 5], [1], [0, 3, 5]])
  test(`what is looked at is in a closer view: ${rows}`, () => {
    const points = Float32Array.from([0, 0, 4, 0, 4, 4, 0, 4, 2, 1, 2, 3.9])
    const view = closer(camera(points, 1000, 400), points, rows)
    for (const [x, y] of rows.map(placer({ view, points }))) assert(x >= 0 && y >= 0 && x <= 1000 && y <= 400)
    assert(view.zoom >= 1 && view.zoom <= 2.5 + 1e-9)
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

/** The map's canvas: as wide as a text is long. */
const over = { getContext: () => ({ measureText: (text) => ({ width: 7 * text.length }) }) }
const bare = { over, factor: 1, hovered: [], codes: [], kinds: null }

test("the lines of neighbours that lie in one place go on to their names, and no other name covers a line", () => {
  const far = [0, 0, 100, 0, 100, 60, 0, 60] // the corners of the map
  const points = Float32Array.from([50, 30, 50, 30, 50.01, 30, 70, 30, 60, 30, ...far])
  const view = camera(points, 1000, 600)
  const ids = Uint32Array.from({ length: 100 }, (_, k) => k) // more than have names by themselves
  const texts = { names: Array.from(ids, (id) => `w${id}`) }
  const marks = { picked: 0, words: true }
  const map = { ...bare, points, view, ids, marks, lit: [0, 1, 2, 3, 4], near: [1, 2, 3], picked: 0 }
  map.labels = labels(map, texts)
  assert.deepEqual(
    map.labels.slice(0, 4).map(({ row, kind }) => [row, kind]),
    [
      [0, "strong"],
      [1, "near"],
      [2, "near"],
      [3, "near"],
    ],
  )
  const [first, second, third] = map.labels.slice(1, 4)
  assert(first.line && second.line && !third.line)
  const place = placer(map)
  assert.deepEqual(
    lines(map).slice(0, 3),
    [1, 2, 3].map((row) => [place(0), place(row)]),
  )
  assert.deepEqual(lines(map).slice(3), [
    [first.at, first.line],
    [second.at, second.line],
  ])
  assert.deepEqual(asides(map), [])
  assert(!map.labels.some(({ row }) => row === 4)) // it lies on the line to 3
  assert.deepEqual(lines({ ...map, picked: -1 }), [])
  const few = { ...map, ids: ids.slice(0, 9) } // of which each has a name
  assert.deepEqual(
    labels(few, texts)
      .map(({ row }) => row)
      .sort(),
    [...few.ids],
  )
})

test("more names appear as one zooms, and what is lit always has its own", () => {
  const named = (zoom, lit) => {
    const n = 2000
    const points = Float32Array.from({ length: 2 * n }, (_, k) => Math.sin(k * k))
    const view = camera(points, 900, 500)
    zoomAt(view, zoom, 450, 250)
    const ids = Uint32Array.from({ length: n }, (_, k) => k)
    const marks = { picked: lit[0] ?? null, words: true }
    const map = { ...bare, points, view, ids, marks, lit, near: [], picked: -1 }
    const texts = { names: Array.from(ids, (id) => `w${id}`) }
    return labels(map, texts).map(({ row }) => row)
  }
  const numbers = [1, 2, 4].map((zoom) => named(zoom, []).length)
  assert(numbers[0] < numbers[1] && numbers[1] < numbers[2] && numbers[2] <= 90)
  const lit = Array.from({ length: 11 }, (_, k) => 1000 + k)
  assert.deepEqual(named(1, lit).slice(0, 11), lit)
})
