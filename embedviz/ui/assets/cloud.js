// A map of many points: drag, zoom, point, click. The points come once; marks and texts come apart from them.

import { camera, projector, rowOf, turn, zoomAt } from "./cloud_camera.js"
import { colours } from "./cloud_colours.js"
import { painter } from "./cloud_gl.js"
import { labels, overlay } from "./cloud_overlay.js"
import { picture } from "./cloud_picture.js"
import { get } from "./cloud_store.js"
import { open } from "./cloud_table.js"
import { leave, listen, point } from "./link.js"
import { unpack } from "./payload.js"
import { factorOf } from "./scale.js"
import { palette } from "./theme.js"

const maps = new WeakMap()
const REACH = 12 // pixels from the pointer to a point

export function render({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".map")
  const payload = unpack(data)
  const map = maps.get(root) ?? start(root)
  map.pick = (id) => setTriggerValue("picked", id)
  root.style.height = `var(--ev-map, ${payload.height})` // in projection what the screen has left
  map.theme = palette(root)
  if (map.digest !== payload.digest) {
    map.digest = payload.digest
    map.points = payload.points
    map.ids = payload.ids ?? Uint32Array.from({ length: payload.points.length / 3 }, (_, row) => row)
    map.rows = payload.ids && new Map(Array.from(payload.ids, (id, row) => [id, row]))
    map.painter.points(payload.points)
    map.sent++
    map.view = null
  }
  recolour(map)
}

export function stop({ parentElement }) {
  const root = parentElement.querySelector(".map")
  const map = maps.get(root)
  if (!map) return
  maps.delete(root)
  map.stops.forEach((end) => end())
  map.painter.end()
}

function start(root) {
  const [canvas, over] = root.querySelectorAll("canvas")
  const map = { root, canvas, over, painter: painter(canvas), stops: [], hovered: [], frame: 0, drawn: 0, sent: 0 }
  maps.set(root, map)
  const observer = new ResizeObserver(() => map.points && ((map.view = null), later(map)))
  observer.observe(root)
  map.stops.push(
    () => observer.disconnect(),
    () => cancelAnimationFrame(map.frame),
    listen("embedviz:cloud", () => map.points && recolour(map)),
    listen("embedviz:hover", ({ ids }) => ((map.hovered = ids), later(map))),
  )
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
  map.lit = marks.lit.map((id) => rowOf(map, id)).filter((row) => row >= 0)
  map.painter.colours(codes, shades, map.lit, map.lit.length > 0)
  if (map.view && map.view.flat !== marks.flat) map.view = null
  map.root.setAttribute("aria-label", marks.alt)
  explain(map, legend)
  paint(map)
}

function later(map) {
  cancelAnimationFrame(map.frame)
  map.frame = requestAnimationFrame(() => paint(map))
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
  map.view ??= camera(points, width, height, marks.flat)
  map.factor = factorOf(root)
  const usual = Math.max(1.6, Math.min(7, 520 / Math.sqrt(map.ids.length))) * Math.min(2.2, map.view.zoom ** 0.35)
  const size = usual * map.factor
  map.painter.paint(map.view, size, Math.max(size * 1.7, 6 * map.factor), ratio)
  map.labels = labels(map, get("texts"))
  overlay(map, ratio)
  Object.assign(root.dataset, {
    drawn: ++map.drawn, points: map.ids.length, sent: map.sent, lit: map.lit.length, by: map.painter.kind,
  })
}

// The pointer and the keyboard. ---------------------------------------------------------------------

function nearest(map, x, y) {
  const place = projector(map.view)
  let [best, found] = [(REACH * map.factor) ** 2, -1]
  const look = (row, bonus) => {
    const [px, py] = place(map.points[3 * row], map.points[3 * row + 1], map.points[3 * row + 2])
    const distance = ((px - x) ** 2 + (py - y) ** 2) * bonus
    if (distance < best) [best, found] = [distance, row]
  }
  map.lit.forEach((row) => look(row, 0.2)) // what is lit is easier to hit
  for (let row = 0; row < map.ids.length; row++) look(row, 1)
  return found
}

function control(map) {
  const { root } = map
  const held = new Map()
  let moved = 0
  const at = (event) => {
    const box = root.getBoundingClientRect()
    return [event.clientX - box.left, event.clientY - box.top]
  }
  root.onpointerdown = (event) => {
    if (event.button > 0) return
    moved = 0
    held.set(event.pointerId, at(event))
    try {
      root.setPointerCapture(event.pointerId)
    } catch {} // a pointer that has gone already
  }
  root.onpointermove = (event) => {
    if (!map.view) return
    const now = at(event)
    const before = held.get(event.pointerId)
    if (!before) return hover(map, nearest(map, ...now))
    const others = [...held.entries()].filter(([id]) => id !== event.pointerId)
    held.set(event.pointerId, now)
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]]
    moved += Math.abs(dx) + Math.abs(dy)
    if (others.length) {
      const [, other] = others[0]
      const spread = (a) => Math.hypot(a[0] - other[0], a[1] - other[1]) || 1
      zoomAt(map.view, spread(now) / spread(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2)
    } else if (map.view.flat || event.shiftKey) map.view.pan = [map.view.pan[0] + dx, map.view.pan[1] + dy]
    else turn(map.view, dx, dy)
    later(map)
  }
  root.onpointerup = root.onpointercancel = (event) => {
    const was = held.delete(event.pointerId)
    if (!was || moved > 4 || event.type === "pointercancel" || !map.view) return
    const row = nearest(map, ...at(event))
    if (row >= 0) map.pick(map.ids[row])
  }
  root.onpointerleave = () => hover(map, -1)
  const wheel = (event) => {
    if (!map.view) return
    event.preventDefault()
    zoomAt(map.view, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), ...at(event))
    later(map)
  }
  root.addEventListener("wheel", wheel, { passive: false })
  root.ondblclick = () => reset(map)
  root.onkeydown = (event) => {
    if (map.view && !event.ctrlKey && !event.metaKey && !event.altKey && press(map, event.key)) event.preventDefault()
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

function press(map, key) {
  if (key in ARROWS) {
    const [dx, dy] = ARROWS[key].map((step) => step * 40)
    if (map.view.flat) map.view.pan = [map.view.pan[0] - dx, map.view.pan[1] - dy]
    else turn(map.view, dx, dy)
  } else if (key === "+" || key === "=") zoomMiddle(map, 1.4)
  else if (key === "-") zoomMiddle(map, 1 / 1.4)
  else if (key === "0") reset(map)
  else return false
  later(map)
  return true
}

const zoomMiddle = (map, factor) => map.view && zoomAt(map.view, factor, map.view.width / 2, map.view.height / 2)

function reset(map) {
  map.view = null
  later(map)
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
    in: () => (zoomMiddle(map, 1.4), later(map)),
    out: () => (zoomMiddle(map, 1 / 1.4), later(map)),
    reset: () => reset(map),
    png: () => (paint(map), picture(map, "png")),
    svg: () => (paint(map), picture(map, "svg")),
    table: () => map.view && open(map, get("texts")),
  }
  for (const button of bar.querySelectorAll("button")) button.onclick = acts[button.dataset.act]
}

function explain(map, legend) {
  const box = map.root.parentElement.querySelector(".legend")
  const item = (text, colour) => {
    const part = document.createElement("span")
    if (colour) {
      const dot = document.createElement("i")
      dot.style.background = `rgb(${colour})`
      part.append(dot)
    }
    part.append(text)
    return part
  }
  if (Array.isArray(legend)) return box.replaceChildren(...legend.map(({ name, count, colour }) => item(`${name}: ${count.toLocaleString("en")}`, colour)))
  const bar = document.createElement("b")
  bar.style.background = `linear-gradient(90deg, ${legend.palette.map((colour) => `rgb(${colour})`).join(",")})`
  box.replaceChildren(item(`${legend.title}:`), item(legend.low), bar, item(legend.high))
}
