// Where a point of the map lies on the screen: the same formula here, for pointing and labels, and in the shader.

const MOST = 0.998 // the share of the points that all of the map has, since single outliers would shrink the rest
const [FILLS, CLOSE] = [0.92, 0.7] // of the window, by the map and by what is looked at

// All of the map. rows: of points that must be in view.
export function camera(points, width, height, rows = []) {
  const ends = [0, 1].map((axis) => extent(points, axis, rows))
  const [x, y] = ends.map(([low, high]) => high - low)
  const fits = FILLS * Math.min(width / (x || y || 1), height / (y || x || 1))
  const [centre, size] = [ends.map(([low, high]) => (low + high) / 2), [x, y]]
  return { centre, size, fits, zoom: 1, pan: [0, 0], width, height }
}

// The same view closer, so that the map leaves no side of its window empty, and some rows of it are in view.
export function closer(view, points, rows) {
  const room = [view.width, view.height]
  const own = [0, 1].map((axis) => rows.map((row) => points[2 * row + axis]))
  const ends = own.map((values) => [Math.min(...values), Math.max(...values)])
  const fill = Math.max(...room.map((length, axis) => (FILLS * length) / (view.fits * (view.size[axis] || Infinity))))
  const most = room.map((length, axis) => (CLOSE * length) / (view.fits * (ends[axis][1] - ends[axis][0])))
  const zoom = Math.max(1, Math.min(fill, ...most))
  const scale = view.fits * zoom
  const pan = room.map((length, axis) => {
    const slack = Math.max(0, (scale * view.size[axis]) / FILLS - length) / 2 // before an edge of the map is in view
    const away = scale * ((ends[axis][0] + ends[axis][1]) / 2 - view.centre[axis])
    return Math.min(slack, Math.max(-slack, axis ? away : -away))
  })
  return { ...view, zoom, pan }
}

// Low and high end of an axis, from at most 5,000 of its values and those of some rows.
function extent(points, axis, rows) {
  const n = points.length / 2
  const step = Math.max(1, Math.floor(n / 5000))
  const values = []
  for (let k = 0; k < n; k += step) values.push(points[2 * k + axis])
  values.sort((a, b) => a - b)
  const cut = Math.floor((values.length * (1 - MOST)) / 2)
  if (!values.length) return [0, 0]
  const own = rows.slice(0, 100).map((row) => points[2 * row + axis])
  return [Math.min(values[cut], ...own), Math.max(values[values.length - 1 - cut], ...own)]
}

// A function from the coordinates of a point to its place on the screen, in pixels from the top left.
export function projector(view) {
  const [cx, cy] = view.centre
  const scale = view.fits * view.zoom
  const [left, top] = [view.width / 2 + view.pan[0], view.height / 2 + view.pan[1]]
  return (x, y) => [left + scale * (x - cx), top - scale * (y - cy)]
}

// The same from the row of a point.
export function placer({ view, points }) {
  const place = projector(view)
  return (row) => place(points[2 * row], points[2 * row + 1])
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
  for (let row = 0; row < points.length / 2; row++) {
    const at = place(row)
    if (at.every((value, axis) => value >= 0 && value <= room[axis])) return
    const need = at.map((value, axis) => Math.min(Math.max(value, inset), room[axis] - inset) - value)
    const far = Math.hypot(...need)
    if (far < least) [least, shift] = [far, need]
  }
  view.pan = view.pan.map((value, axis) => value + shift[axis])
}

// The place of a token among the points, -1 if it is not on the map.
export function rowOf({ rows, ids }, id) {
  if (id === null) return -1
  return rows ? (rows.get(id) ?? -1) : id < ids.length ? id : -1
}
