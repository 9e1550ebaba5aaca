// Names, rings, the arrow and the axes, on a canvas above the points.

import { placer, projector, rowOf } from "./camera.js"

const FONT = "'Source Sans', sans-serif"
const [MOST, FEWER, LOOKED_AT] = [45, 30, 6000]
const FEW = 300 // points, all of which may have a name
const RINGS = 100 // lit points that get one; more would hide each other
// Pixels from a point to its name, and the height of a name, where the root font has 16.
const [ASIDE, LINE] = [7, 15]

// Which tokens have a name on the map: what is picked, pointed at or lit first; if nothing is lit, common words.
export function labels(map, texts) {
  if (!texts) return []
  const place = placer(map)
  const context = map.over.getContext("2d")
  const [aside, line] = [ASIDE * map.factor, LINE * map.factor]
  const taken = []
  const found = []
  const add = (row, kind) => {
    const [x, y] = place(row)
    if (x < 0 || y < 8 || x > map.view.width || y > map.view.height - 4) return
    // A name keeps to itself, whichever way it runs; of the one looked at the kind stands there in words too.
    const told = kind === "strong" && map.kinds ? ` · ${map.kinds[map.codes[row]]}` : ""
    const text = `\u2068${short(texts.names[map.ids[row]] ?? "")}\u2069${told}`
    context.font = font(kind, map.factor)
    const width = context.measureText(text).width
    const left = x + aside + width > map.view.width ? x - aside - width : x + aside
    const box = [left, y - line / 2, left + width, y + line / 2]
    if (kind === "plain" && taken.some((other) => overlap(box, other))) return
    taken.push(box)
    found.push({ row, kind, text, x: left, y, at: [x, y] })
  }
  const strong = [map.marks.picked, ...map.hovered].map((id) => rowOf(map, id)).filter((row) => row >= 0)
  new Set(strong).forEach((row) => add(row, "strong"))
  const named = new Set()
  const most = map.view.width < 560 * map.factor ? FEWER / 2 : map.lit.length ? MOST : FEWER
  for (const row of candidates(map, texts)) {
    if (found.length >= most) break
    if (!strong.includes(row) && !named.has(row)) add(row, "plain")
    named.add(row)
  }
  return found
}

function* candidates(map, texts) {
  yield* map.lit
  if (map.lit.length && map.ids.length > FEW) return
  const last = Math.min(map.ids.length, LOOKED_AT)
  const all = map.ids.length <= FEW || map.marks.words
  for (let row = 0; row < last; row++) if (all || texts.kinds.codes[map.ids[row]] === "0") yield row
}

const font = (kind, factor) => (kind === "strong" ? `650 ${15 * factor}px ${FONT}` : `500 ${12.5 * factor}px ${FONT}`)
const overlap = (a, b) => a[0] < b[2] + 4 && b[0] < a[2] + 4 && a[1] < b[3] && b[1] < a[3]
const short = (text) => ([...text].length > 24 ? `${[...text].slice(0, 23).join("")}…` : text)

export function overlay(map, ratio) {
  const context = map.over.getContext("2d")
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, map.view.width, map.view.height)
  const ink = map.theme["--ink"]
  const halo = map.theme["--surface"]
  const { factor } = map
  const place = placer(map)
  axes(context, map)
  for (const row of map.lit.slice(0, RINGS)) ring(context, place(row), 4.5 * factor, factor, ink)
  for (const { kind, at } of map.labels) if (kind === "strong") ring(context, at, 6.5 * factor, 2.5 * factor, ink)
  arrow(context, map)
  for (const label of map.labels) write(context, label.text, label.x, label.y, font(label.kind, factor), ink, halo)
}

function ring(context, at, radius, width, ink) {
  context.beginPath()
  context.arc(...at, radius, 0, 7)
  Object.assign(context, { strokeStyle: ink, lineWidth: width })
  context.stroke()
}

function write(context, text, x, y, face, ink, halo) {
  Object.assign(context, { font: face, textBaseline: "middle", lineWidth: 3.5, lineJoin: "round" })
  Object.assign(context, { strokeStyle: halo, fillStyle: ink, direction: "ltr" })
  context.strokeText(text, x, y)
  context.fillText(text, x, y)
}

// The names of the axes: along the edges of a flat map, at the ends of three lines in a deep one.
function axes(context, map) {
  const { axes: names } = map.marks
  if (!names.length) return
  const [ink, halo] = [map.theme["--faint"], map.theme["--surface"]]
  const { factor } = map
  const face = font("plain", factor)
  if (map.view.flat) {
    context.font = face
    const width = context.measureText(names[0]).width
    write(context, names[0], map.view.width - width - 8, map.view.height - 10 * factor, face, ink, halo)
    write(context, names[1], 8, 10 * factor, face, ink, halo)
    return
  }
  const place = projector(map.view)
  const [x, y, z] = map.view.centre
  const reach = (0.42 * Math.min(map.view.width, map.view.height)) / map.view.fits
  const ends = [[x + reach, y, z], [x, y + reach, z], [x, y, z + reach]]
  const from = place(x, y, z)
  ends.forEach((end, n) => {
    const to = place(...end)
    Object.assign(context, { strokeStyle: map.theme["--grid"], lineWidth: 1.2 * factor })
    context.beginPath()
    context.moveTo(...from)
    context.lineTo(...to)
    context.stroke()
    write(context, names[n], to[0] + 4, to[1], face, ink, halo)
  })
}

// From the picked token to where a position takes it.
function arrow(context, map) {
  const { arrow: ends } = map.marks
  if (!ends) return
  const place = projector(map.view)
  const [from, to] = ends.map((end) => place(...end))
  const head = 11 * map.factor
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0])
  Object.assign(context, { strokeStyle: map.theme["--accent"], fillStyle: map.theme["--accent"], lineWidth: 2.5 * map.factor })
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  context.stroke()
  context.beginPath()
  context.moveTo(...to)
  for (const side of [0.4, -0.4]) {
    context.lineTo(to[0] - head * Math.cos(angle + side), to[1] - head * Math.sin(angle + side))
  }
  context.fill()
}
