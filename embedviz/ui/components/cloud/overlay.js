// Lines, rings, names and the axes, on a canvas above the points.

import { AROUND, BESIDE, dot, placeLabel } from "../shared/labels.js"
import { placer, rowOf } from "./camera.js"

const FONT = "'Source Sans', sans-serif"
const [LEAST, MOST] = [30, 90] // names on the map; there are more of them when the visitor zooms in
const [FEW, FEW_LIT] = [60, 20] // points of a map, and points that are lit, each of which has a name
const LOOKED_AT = 50_000 // points that are asked for a name, so that a map stays quick while it is dragged
const RINGS = 100 // lit points that get one; more would hide each other
// Pixels from a point to its name, and the height of a name, where the root font has 16.
const [ASIDE, LINE] = [7, 15]
const DOT = 4 // half a point's width
export const LINE_WIDTH = 2.5
// Where neighbours lie in one place with the token that is picked, their lines go on to their names, and none goes over
// its name, which stands at its right.
const FAN = AROUND.filter(([right, down, far]) => right <= 0 && down && far > 20)
const ONE_PLACE = 40 // pixels

// Which tokens have a name on the map, and where: what is picked, pointed at or lit first, then those in view by their
// IDs.
export function labels(map, texts) {
  if (!texts) return []
  const place = placer(map)
  const { width, height, zoom } = map.view
  const isAllNamed = isSmall(map)
  const context = map.over.getContext("2d")
  const taken = []
  const names = []
  const add = (row, kind, ways) => {
    const at = place(row)
    if (!isInView(map, at)) return
    // A name keeps to itself, whichever way it runs, and bytes run from left to right; of the one looked at the kind
    // stands there in words too.
    const kindText = kind === "strong" && map.kinds ? ` · ${map.kinds[map.codes[row]]}` : ""
    const own = short(texts.names[map.ids[row]] ?? "")
    const text = `\u2068${own.includes("\\x") ? "\u200e" : ""}${own}\u2069${kindText}`
    context.font = font(kind, map.factor)
    const size = [context.measureText(text).width, LINE * map.factor]
    const label = { at, size, ways, aside: ASIDE * map.factor, unit: map.factor, isOptional: kind === "plain" }
    const spot = placeLabel(label, taken, [width, height])
    if (!spot) return
    const { box, line } = spot
    taken.push(box)
    names.push({ row, kind, text, x: box[0], y: (box[1] + box[3]) / 2, at, line })
  }
  const named = new Set()
  const name = (row, kind, ways) => {
    if (named.has(row)) return
    named.add(row)
    add(row, kind, ways)
  }
  const strong = [map.marks.picked, ...map.hovered].map((id) => rowOf(map, id)).filter((row) => row >= 0)
  strong.forEach((row) => name(row, "strong", AROUND))
  const lit = map.lit.slice(0, MOST)
  lit.forEach((row) => taken.push(dot(place(row), DOT * map.factor)))
  const isBeside = (row) => distance(place(row), place(map.picked)) < ONE_PLACE * map.factor
  const keepFree = (ways) => ways.forEach((way) => taken.push(...along(way, DOT * map.factor)))
  keepFree(lines({ ...map, labels: [] }))
  map.near.forEach((row) => name(row, "near", isBeside(row) ? FAN : AROUND))
  keepFree(toNames({ labels: names }, true))
  const areFew = (isAllNamed || !map.near.length) && map.lit.length <= FEW_LIT
  lit.forEach((row) => (areFew ? name(row, "lit", AROUND) : name(row, "plain", BESIDE)))
  if (isAllNamed) for (let row = 0; row < map.ids.length; row++) taken.push(dot(place(row), DOT * map.factor))
  const most = Math.min(MOST, LEAST * zoom) * Math.min(1, width / (560 * map.factor))
  for (const row of byId(map, texts)) {
    if (!isAllNamed && names.length >= most) break
    if (isAllNamed) name(row, "lit", AROUND)
    else if (isInView(map, place(row))) name(row, "plain", BESIDE)
  }
  return names
}

// Whether each point of the map has a name.
export const isSmall = ({ ids }) => ids.length <= FEW
// Whether there is room for the name of a point at this place.
export const isInView = ({ view: { width, height }, factor }, at) =>
  at[0] >= 0 && at[1] >= 8 * factor && at[0] <= width && at[1] <= height - 4 * factor

// Most texts are made of words, so these come before all other tokens. In many tokenizers, whole words are those with a
// space before them; in the others, those that begin with two letters.
function* byId({ ids, marks }, texts) {
  const isSpaced = texts.kinds?.codes.includes("0")
  const isWord = (row) =>
    marks.words || (isSpaced ? texts.kinds.codes[ids[row]] === "0" : /^\p{L}{2}/u.test(texts.names[ids[row]]))
  const last = Math.min(ids.length, LOOKED_AT)
  for (const wanted of [true, false]) for (let row = 0; row < last; row++) if (isWord(row) === wanted) yield row
}

// Boxes that cover a line.
const along = ([from, to], radius) => {
  const n = Math.ceil(distance(from, to) / radius)
  return Array.from({ length: n }, (_, k) =>
    dot(
      from.map((start, axis) => start + (k / n) * (to[axis] - start)),
      radius,
    ),
  )
}
const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1])
export const isLarge = (kind) => kind === "strong" || kind === "near"
const font = (kind, factor) => (isLarge(kind) ? `650 ${15 * factor}px ${FONT}` : `500 ${12.8 * factor}px ${FONT}`)
const short = (text) => ([...text].length > 24 ? `${[...text].slice(0, 23).join("")}…` : text)

export function overlay(map, ratio) {
  const context = map.over.getContext("2d")
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, map.view.width, map.view.height)
  const { factor, theme } = map
  const [ink, halo, place] = [theme["--ink"], theme["--surface"], placer(map)]
  axes(context, map)
  const near = lines(map)
  for (const [from, to] of near) stroke(context, from, to, halo, (LINE_WIDTH + 2) * factor)
  for (const [from, to] of near) stroke(context, from, to, ink, LINE_WIDTH * factor)
  const radius = map.picked < 0 ? 4.5 : 2.5 // at the ends of lines, larger ones would hide near neighbours
  for (const row of map.picked < 0 ? map.lit.slice(0, RINGS) : map.near)
    ring(context, place(row), radius * factor, factor, ink)
  for (const { kind, at } of map.labels) if (kind === "strong") ring(context, at, 6.5 * factor, 2.5 * factor, ink)
  for (const [from, to] of asides(map)) stroke(context, from, to, theme["--faint"], 0.8 * factor)
  for (const label of map.labels) write(context, label.text, label.x, label.y, font(label.kind, factor), ink, halo)
}

// From the place of the token that is picked to those of its neighbours, and on to names that stand away from these.
export function lines(map) {
  if (map.picked < 0) return []
  const place = placer(map)
  return [...map.near.map((row) => [place(map.picked), place(row)]), ...toNames(map, true)]
}

// From a point to its name, where this stands away from it.
export const asides = (map) => toNames(map, false)
const toNames = ({ labels: names }, areNear) =>
  names.filter(({ kind, line }) => line && (kind === "near") === areNear).map(({ at, line }) => [at, line])

function stroke(context, from, to, colour, width) {
  context.beginPath()
  context.moveTo(...from)
  context.lineTo(...to)
  Object.assign(context, { strokeStyle: colour, lineWidth: width })
  context.stroke()
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

// The names of the axes, along the edges.
function axes(context, map) {
  const { axes: names } = map.marks
  if (!names.length) return
  const [ink, halo] = [map.theme["--faint"], map.theme["--surface"]]
  const { factor } = map
  const face = font("plain", factor)
  context.font = face
  const width = context.measureText(names[0]).width
  write(context, names[0], map.view.width - width - 8, map.view.height - 10 * factor, face, ink, halo)
  write(context, names[1], 8, 10 * factor, face, ink, halo)
}
