// Names of points lie beside them and not on each other.

import assert from "node:assert/strict"
import test from "node:test"
import { AROUND, BESIDE, SIDES, placeLabels } from "../../embedviz/ui/components/shared/labels.js"

const ROOM = [1150, 200]
const label = (x, y, width = 50, more = {}) => ({ at: [x, y], size: [width, 14], aside: 9, ways: SIDES, ...more })
const overlaps = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]

test("names of nearby points do not cover each other", () => {
  const near = [
    [4, 0],
    [0, 4],
    [3, 3],
    [0, 0],
  ]
  for (const [right, down] of near) {
    const [one, other] = placeLabels([label(200, 140), label(200 + right, 140 + down)], [], ROOM)
    assert(!overlaps(one.box, other.box))
  }
  const same = Array.from({ length: 6 }, () => label(100, 100, 40, { ways: AROUND }))
  const boxes = placeLabels(same, [], ROOM).map(({ box }) => box)
  boxes.forEach((one, n) => assert(!boxes.slice(n + 1).some((other) => overlaps(one, other))))
})

test("a name at the rim stays inside and leaves other points free", () => {
  const [atTheRim] = placeLabels([label(ROOM[0] - 5, 140, 60)], [], ROOM)
  assert(atTheRim.box[2] <= ROOM[0] - 5)
  const point = [227, 137, 233, 143]
  const [beside] = placeLabels([label(200, 140, 40)], [point], ROOM)
  assert(!overlaps(beside.box, point))
})

test("a name that need not be there is left out where it would cover something", () => {
  const everything = [0, 0, ...ROOM]
  for (const ways of [BESIDE, AROUND]) {
    const place = (isOptional, taken) => placeLabels([label(200, 100, 50, { ways, isOptional })], taken, ROOM)[0]
    assert.equal(place(true, [everything]), null)
    assert.notEqual(place(false, [everything]), null)
    assert.notEqual(place(true, []), null)
  }
})

test("a name stays while nothing moves, and its line ends at its rim", () => {
  let seed = 1
  const random = (most) => {
    seed = (seed * 48271) % 2147483647 // Lehmer's generator, the same numbers each time
    return seed % most
  }
  for (const n of [1, 3, 8]) {
    const labels = Array.from({ length: n }, () => label(random(300), random(100), 30, { ways: AROUND }))
    const first = placeLabels(labels, [], ROOM)
    const again = placeLabels(
      labels.map((each, k) => ({ ...each, was: first[k].way })),
      [],
      ROOM,
    )
    assert.deepEqual(
      again.map(({ way }) => way),
      first.map(({ way }) => way),
    )
    for (const { line, box } of first.filter((place) => place.line)) {
      const [[x, y], [left, top, right, bottom]] = [line, box]
      assert(left <= x && x <= right && top <= y && y <= bottom)
      assert([left, right].includes(x) || [top, bottom].includes(y))
    }
  }
})
