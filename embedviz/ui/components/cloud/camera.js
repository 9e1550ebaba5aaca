// Where a point of the map lies on the screen: the same formula here, for pointing and labels, and in the shader.

const PERSPECTIVE = 0.35
const MOST = 0.998 // the share of the points that is in view at first, since single outliers would shrink the rest

// rows: of points that must be in view at first.
export function camera(points, width, height, flat, rows = []) {
  const ends = [0, 1, 2].map((axis) => extent(points, axis, rows))
  const centre = ends.map(([low, high]) => (low + high) / 2)
  if (flat) centre[2] = 0
  const spans = ends.map(([low, high]) => high - low)
  const fits = flat ? fitFlat(spans, width, height) : (0.72 * Math.min(width, height)) / (Math.max(...spans) || 1)
  return { centre, fits, zoom: 1, pan: [0, 0], yaw: flat ? 0 : 0.6, pitch: flat ? 0 : 0.4, flat, width, height }
}

// Low and high end of an axis, from at most 5,000 of its values and those of some rows.
function extent(points, axis, rows) {
  const n = points.length / 3
  const step = Math.max(1, Math.floor(n / 5000))
  const values = []
  for (let k = 0; k < n; k += step) values.push(points[3 * k + axis])
  values.sort((a, b) => a - b)
  const cut = Math.floor((values.length * (1 - MOST)) / 2)
  if (!values.length) return [0, 0]
  const own = rows.slice(0, 100).map((row) => points[3 * row + axis])
  return [Math.min(values[cut], ...own), Math.max(values[values.length - 1 - cut], ...own)]
}

const fitFlat = ([x, y], width, height) => 0.92 * Math.min(width / (x || y || 1), height / (y || x || 1))

export function rotation({ yaw, pitch }) {
  const [a, b, c, d] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
  return [a, 0, b, b * d, c, -a * d, -b * c, d, a * c] // rows of the matrix
}

// How much larger near points are drawn than far ones: 0 where the map is flat.
export const perspective = (view) => (view.flat ? 0 : (PERSPECTIVE * view.fits) / Math.min(view.width, view.height))

// A function from the coordinates of a point to its place on the screen, in pixels from the top left.
export function projector(view) {
  const r = rotation(view)
  const [cx, cy, cz] = view.centre
  const scale = view.fits * view.zoom
  const near = perspective(view)
  return (x, y, z) => {
    const [px, py, pz] = [x - cx, y - cy, z - cz]
    const depth = r[6] * px + r[7] * py + r[8] * pz
    const s = scale / Math.max(0.2, 1 - depth * near)
    return [
      view.width / 2 + view.pan[0] + s * (r[0] * px + r[1] * py + r[2] * pz),
      view.height / 2 + view.pan[1] - s * (r[3] * px + r[4] * py + r[5] * pz),
    ]
  }
}

// The same from the row of a point.
export function placer({ view, points }) {
  const place = projector(view)
  return (row) => place(points[3 * row], points[3 * row + 1], points[3 * row + 2])
}

// How many pixels wide the points are, and those that are lit.
export function sizes(n, factor, zoom = 1) {
  const size = factor * Math.max(1.6, Math.min(7, 520 / Math.sqrt(n))) * Math.min(2.2, zoom ** 0.35)
  return [size, Math.max(size * 1.7, 6 * factor)]
}

// Zoom so that what is under (x, y) stays there.
export function zoomAt(view, factor, x, y) {
  const zoom = Math.min(400, Math.max(0.5, view.zoom * factor))
  const real = zoom / view.zoom
  view.pan = [
    (x - view.width / 2) * (1 - real) + view.pan[0] * real,
    (y - view.height / 2) * (1 - real) + view.pan[1] * real,
  ]
  view.zoom = zoom
}

// The points cannot be lost: if none would be in view, the nearest one comes in from the edge.
export function hold(map) {
  const { view, points } = map
  const place = placer(map)
  const room = [view.width, view.height]
  const inset = 0.2 * Math.min(...room)
  let [least, shift] = [Infinity, [0, 0]]
  for (let row = 0; row < points.length / 3; row++) {
    const at = place(row)
    if (at.every((value, axis) => value >= 0 && value <= room[axis])) return
    const need = at.map((value, axis) => Math.min(Math.max(value, inset), room[axis] - inset) - value)
    const far = Math.hypot(...need)
    if (far < least) [least, shift] = [far, need]
  }
  view.pan = view.pan.map((value, axis) => value + shift[axis])
}

export function turn(view, dx, dy) {
  view.yaw += dx * 0.008
  view.pitch = Math.min(1.57, Math.max(-1.57, view.pitch + dy * 0.008))
}

// The place of a token among the points, -1 if it is not on the map.
export function rowOf({ rows, ids }, id) {
  if (id === null) return -1
  return rows ? (rows.get(id) ?? -1) : id < ids.length ? id : -1
}
