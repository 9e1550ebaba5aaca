// Where the name of a point stands, on a map or in a figure, so that it covers as little as possible.

// Ways from a point to its name: right, down, and how many pixels farther than beside the point.
// biome-ignore format: a direction in a line of its own would say nothing more
export const BESIDE = [[1, 0, 0], [-1, 0, 0]]
// biome-ignore format: likewise
export const SIDES = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]].map((way) => [...way, 0])
// biome-ignore format: likewise
const ROUND = [
  [1, 0], [-1, 0], [0, -1], [0, 1], [1, -0.6], [1, 0.6], [-1, -0.6], [-1, 0.6], [0.5, -1], [0.5, 1], [-0.5, -1], [-0.5, 1],
]
export const AROUND = [0, 13, 27, 43, 61].flatMap((far) => ROUND.map((way) => [...way, far]))

// The costs of a square pixel that is covered or over the edge, of a pixel farther out, and of a new place.
const [COVERED, FARTHER, MOVED] = [2, 6, 20]
const SWEEPS = 6
const GAP = 2 // pixels between two names in a line

/**
 * A label that has to be placed, as `placeOf` says.
 * @typedef {{ at: number[], size: number[], ways: number[][], aside: number, was?: number, unit?: number,
 *   isOptional?: boolean }} Label
 */

// The best of a label's ways: { box, way, line }, where `line` is the end of the line to a name that is farther away.
// label: its point `at`, its `size`, its `ways`, the pixels `aside` that lie between the two, the way that it `was` at
// before, and the `unit` of pixels, which is larger in large type. One that `isOptional` has no place, null, if it
// would cover anything. taken: the boxes of all else, as left, top, right and bottom. room: the width and the height.
/**
 * @param {Label} label
 * @param {number[][]} taken
 * @param {number[]} room
 */
export function placeLabel(label, taken, room) {
  /** @type {{ box: number[], way: number, cost: number } | undefined} */
  let best
  for (const [n, way] of label.ways.entries()) {
    const least = FARTHER * way[2] - (n === label.was ? MOVED : 0)
    if (best && least >= best.cost) continue
    const box = boxOf(label, way)
    const covers = COVERED * taken.reduce((all, other) => all + overlap(box, other), outside(box, room))
    if (label.isOptional && covers) continue
    if (!best || least + covers < best.cost) best = { box, way: n, cost: least + covers }
  }
  if (!best) return null
  return { ...best, line: label.ways[best.way][2] ? nearest(label.at, best.box) : null }
}

/**
 * The places of several labels. They take turns until none would move any more.
 * @param {Label[]} labels
 * @param {number[][]} taken
 * @param {number[]} room
 */
export function placeLabels(labels, taken, room) {
  /** @type {ReturnType<typeof placeLabel>[]} */
  const places = labels.map(() => null)
  for (let sweep = 0, isMoving = true; isMoving && sweep < SWEEPS; sweep++) {
    isMoving = false
    labels.forEach((label, n) => {
      const others = places.flatMap((other, k) => (other && k !== n ? [other.box] : []))
      const place = placeLabel(label, [...taken, ...others], room)
      isMoving ||= place?.way !== places[n]?.way
      places[n] = place
    })
  }
  return places
}

/**
 * Left, top, right and bottom of a label that lies that way from its point.
 * @param {Pick<Label, "at" | "size" | "aside" | "unit">} label
 * @param {number[]} way
 */
export function boxOf({ at: [x, y], size: [width, height], aside, unit = 1 }, [right, down, far]) {
  const reach = aside + far * unit
  const [cx, cy] = [x + right * (reach + width / 2), y + down * (reach + height / 2)]
  return [cx - width / 2, cy - height / 2, cx + width / 2, cy + height / 2]
}

/** @param {number[]} at */
export const dot = ([x, y], radius) => [x - radius, y - radius, x + radius, y + radius]
/**
 * @param {number[]} at
 * @param {number[]} box
 */
const nearest = ([x, y], box) => [Math.min(Math.max(x, box[0]), box[2]), Math.min(Math.max(y, box[1]), box[3])]
/** @param {number[]} box */
export const areaOf = ([left, top, right, bottom]) => Math.max(right - left, 0) * Math.max(bottom - top, 0)
/**
 * @param {number[]} box
 * @param {number[]} room
 */
const outside = (box, [width, height]) =>
  areaOf(box) - areaOf([Math.max(box[0], 0), Math.max(box[1], 0), Math.min(box[2], width), Math.min(box[3], height)])
/**
 * The area that two boxes share.
 * @param {number[]} a
 * @param {number[]} b
 */
export const overlap = (a, b) =>
  Math.max(Math.min(a[2], b[2]) - Math.max(a[0], b[0]) + GAP, 0) *
  Math.max(Math.min(a[3], b[3]) - Math.max(a[1], b[1]), 0)
