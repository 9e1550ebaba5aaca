// A map of many points that can be dragged, zoomed, pointed at and clicked. Marks and texts are sent apart from the
// points.

import { factorOf } from "../plot/scale.js"
import {
  _,
  counted,
  element,
  hasModifier,
  leave,
  listen,
  onResize,
  onTwoFingers,
  once,
  palette,
  point,
  tall,
  labelValue,
} from "../shared/index.js"
import { camera, closer, hold, placer, rowOf, sizes, zoomAt } from "./camera.js"
import { colours, isDark } from "./colours.js"
import { painter } from "./gl.js"
import { isInView, isSmall, labels, overlay } from "./overlay.js"
import { picture } from "./picture.js"
import { get } from "./store.js"
import { open } from "./table.js"

const maps = new WeakMap()
const REACH = 12 // pixels from the pointer to a point

/** @param {Component<CloudData>} component */
export function render({ data: payload, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".map")
  const map = maps.get(root) ?? start(root, parentElement)
  map.pick = (id) => setTriggerValue("picked", id)
  root.style.height = `var(--ev-map, ${tall(payload.height)})` // in projection what the screen has left
  root.getRootNode().host.toggleAttribute("data-fills", true)
  map.theme = palette(root)
  if (map.digest !== payload.digest) {
    map.digest = payload.digest
    map.points = payload.points
    map.ids = payload.ids ?? Uint32Array.from({ length: payload.points.length / 2 }, (_, row) => row)
    map.rows = payload.ids && new Map(Array.from(payload.ids, (id, row) => [id, row]))
    map.painter.points(payload.points)
    map.sent++
    map.view = null
  }
  recolour(map)
}

function start(root, parentElement) {
  const [canvas, over] = root.querySelectorAll("canvas")
  /** @type {Lit[]} */
  const hovered = []
  const map = { root, canvas, over, painter: painter(canvas), hovered, frame: 0, drawn: 0, sent: 0 }
  maps.set(root, map)
  once(parentElement, () => [
    onResize(
      root,
      () => {
        if (!map.points) return
        map.view = null
        schedulePaint(map)
      },
      ({ type }) => printSize(map, type),
    ),
    () => cancelAnimationFrame(map.frame),
    listen("embedviz:cloud", () => map.points && recolour(map)),
    listen("embedviz:hover", ({ ids }) => {
      map.hovered = ids
      schedulePaint(map)
    }),
    () => {
      maps.delete(root)
      map.painter.end()
    },
  ])
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault())
  canvas.addEventListener("webglcontextrestored", () => {
    map.painter = painter(canvas)
    map.painter.points(map.points)
    recolour(map)
  })
  control(map)
  buttons(map)
  return map
}

// Colours and lights, then a new picture. ------------------------------------------------------------

function recolour(map) {
  const marks = get("marks")
  if (!marks) return
  const { codes, palette: shades, legend, names } = colours(map.root, map.ids, get("texts"), marks)
  map.marks = marks
  map.codes = codes
  map.shades = shades
  map.kinds = names
  const rowsOf = (ids) => ids.map((id) => rowOf(map, id)).filter((row) => row >= 0)
  ;[map.lit, map.near] = [rowsOf(marks.lit), rowsOf(marks.near)]
  map.picked = rowOf(map, marks.picked)
  if (!keepsView(map)) map.view = null
  map.strength = strengthOf(map)
  map.painter.colours(codes, shades, map.lit, map.strength)
  map.root.setAttribute("aria-label", marks.alt)
  showLegend(map, legend)
  paint(map)
}

// What a visitor has moved stays, as long as what is picked is in view.
const keepsView = (map) =>
  map.view && partOf(map) !== map.opened && (map.picked < 0 || isInView(map, placer(map)(map.picked)))
const partOf = ({ view: { zoom, pan } }) => [zoom, ...pan].join()

// All of a map, but of a large one the part in which what is picked and its neighbours can be told apart.
function opened({ points, root, lit, picked, near, ids }) {
  const whole = camera(points, root.clientWidth, root.clientHeight, lit)
  return picked < 0 || isSmall({ ids }) ? whole : closer(whole, points, [picked, ...near])
}

// How opaque points are that are not lit: where others are, they are paler. On a dark ground less would vanish.
function strengthOf({ lit, theme }) {
  if (!lit.length) return 0.75
  return isDark(theme) ? 0.62 : 0.32
}

function schedulePaint(map) {
  cancelAnimationFrame(map.frame)
  map.frame = requestAnimationFrame(() => paint(map))
}

// The same part of the map on paper, and again in its window. What WebGL has drawn is not printed, so it lies below the
// names for as long.
function printSize(map, event) {
  const { root, canvas, over, view, points, lit } = map
  if (!view || !root.clientWidth) return
  map.view = { ...camera(points, root.clientWidth, root.clientHeight, lit), zoom: view.zoom }
  map.view.pan = view.pan.map((way) => (way * map.view.fits) / view.fits)
  paint(map)
  if (event !== "beforeprint" && !matchMedia("print").matches) return
  const context = over.getContext("2d")
  context.resetTransform()
  context.globalCompositeOperation = "destination-over"
  context.drawImage(canvas, 0, 0)
  context.globalCompositeOperation = "source-over"
}

function paint(map) {
  const { root, canvas, over, points, marks } = map
  const [width, height] = [root.clientWidth, root.clientHeight]
  if (!points || !marks || !width || !height) return
  const ratio = window.devicePixelRatio || 1
  for (const each of [canvas, over]) {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (each.width !== w || each.height !== h) [each.width, each.height] = [w, h]
  }
  if (!map.view) {
    map.view = opened(map)
    map.opened = partOf(map)
  }
  hold(map)
  root.nextElementSibling.hidden = map.view.zoom <= 1 && !map.view.pan.some(Boolean)
  map.factor = factorOf(root)
  map.painter.paint(map.view, ...sizes(map.ids.length, map.factor, map.view.zoom), ratio)
  map.labels = labels(map, get("texts"))
  overlay(map, ratio)
  Object.assign(root.dataset, {
    drawn: ++map.drawn,
    points: map.ids.length,
    sent: map.sent,
    lit: map.lit.length,
    by: map.painter.kind,
  })
}

// The pointer and the keyboard. ---------------------------------------------------------------------

function nearest(map, x, y) {
  const place = placer(map)
  let [best, nearestRow] = [(REACH * map.factor) ** 2, -1]
  const tryRow = (row, bonus) => {
    const [px, py] = place(row)
    const distance = ((px - x) ** 2 + (py - y) ** 2) * bonus
    if (distance < best) [best, nearestRow] = [distance, row]
  }
  map.lit.forEach((row) => tryRow(row, 0.2)) // lit points are easier to hit
  for (let row = 0; row < map.ids.length; row++) tryRow(row, 1)
  return nearestRow
}

function control(map) {
  const { root } = map
  let held // where the pointer that is down was last
  let moved = 0
  const at = (event) => {
    const box = root.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  const shift = (dx, dy) => (map.view.pan = [map.view.pan[0] + dx, map.view.pan[1] + dy])
  root.onpointerdown = (event) => {
    if (event.button > 0 || !event.isPrimary) return
    moved = 0
    held = at(event)
    try {
      root.setPointerCapture(event.pointerId)
    } catch {} // the pointer has gone already
  }
  root.onpointermove = (event) => {
    if (!map.view || !event.isPrimary) return
    const now = at(event)
    if (!held) return hover(map, nearest(map, ...now))
    const [dx, dy] = [now[0] - held[0], now[1] - held[1]]
    held = now
    moved += Math.abs(dx) + Math.abs(dy)
    if (event.pointerType === "touch") return
    shift(dx, dy)
    schedulePaint(map)
  }
  root.onpointerup = root.onpointercancel = (event) => {
    const was = held
    if (event.isPrimary) held = undefined
    if (!was || moved > 4 || event.type === "pointercancel" || !map.view) return
    const row = nearest(map, ...at(event))
    if (row >= 0) map.pick(map.ids[row])
  }
  onTwoFingers(root, ({ x, y, dx, dy, zoom }) => {
    if (!map.view) return
    moved = Infinity
    zoomAt(map.view, zoom, x, y)
    shift(dx, dy)
    schedulePaint(map)
  })
  root.onpointerleave = () => hover(map, -1)
  const wheel = (event) => {
    if (!map.view) return
    event.preventDefault()
    zoomAt(map.view, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...at(event))
    schedulePaint(map)
  }
  root.addEventListener("wheel", wheel, { passive: false })
  root.ondblclick = () => showAll(map)
  root.onkeydown = (event) => {
    const isOurs = !hasModifier(event) && !(event.shiftKey && event.key in ARROWS) // "+" may need Shift
    if (map.view && isOurs && press(map, event.key)) event.preventDefault()
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

function press(map, key) {
  if (key in ARROWS) {
    const [dx, dy] = ARROWS[key].map((step) => step * 40)
    map.view.pan = [map.view.pan[0] - dx, map.view.pan[1] - dy]
  } else if (key === "+" || key === "=") zoomMiddle(map, 1.4)
  else if (key === "-") zoomMiddle(map, 1 / 1.4)
  else if (key === "0") showAll(map)
  else return false
  schedulePaint(map)
  return true
}

const zoomMiddle = (map, factor) => map.view && zoomAt(map.view, factor, map.view.width / 2, map.view.height / 2)

function showAll(map) {
  map.view = camera(map.points, map.root.clientWidth, map.root.clientHeight, map.lit)
  schedulePaint(map)
}

function hover(map, row) {
  const id = row < 0 ? null : map.ids[row]
  map.root.style.cursor = id === null ? "grab" : "pointer"
  if (id === null && !map.hovered.length) return
  if (map.hovered.length === 1 && map.hovered[0] === id) return
  if (id === null) leave()
  else point([id])
}

// What stands under the map. --------------------------------------------------------------------------

function buttons(map) {
  const bar = map.root.parentElement.querySelector(".bar")
  const acts = {
    in: () => press(map, "+"),
    out: () => press(map, "-"),
    png: () => savePicture(map, "png"),
    svg: () => savePicture(map, "svg"),
    table: () => map.view && open(map, get("texts")),
  }
  map.root.nextElementSibling.onclick = () => showAll(map)
  for (const button of bar.querySelectorAll("button")) button.onclick = acts[button.dataset.act]
}

function savePicture(map, format) {
  paint(map)
  if (map.view) picture(map, format)
}

function showLegend(map, legend) {
  const box = map.root.parentElement.querySelector(".legend")
  const item = (text, colour) => {
    if (!colour) return element("span", text)
    const dot = element("i")
    dot.style.background = `rgb(${colour})`
    return element("span", [dot, text])
  }
  if (Array.isArray(legend))
    return box.replaceChildren(
      ...legend.map(({ name, count, colour }) => item(labelValue(name, counted(count)), colour)),
    )
  const bar = element("b")
  bar.style.background = `linear-gradient(90deg, ${legend.palette.map((colour) => `rgb(${colour})`).join(",")})`
  box.replaceChildren(item(_("{title}:", { title: legend.title })), item(legend.low), bar, item(legend.high))
}
