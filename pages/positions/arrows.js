// A token's vector and a position's as arrows on a plane, tip to tail. Their tips are dragged, or moved by arrow keys.

import { once } from "../../embedviz/ui/components/shared/instances.js"
import { _ } from "../../embedviz/ui/components/shared/i18n.js"
import { unpack } from "../../embedviz/ui/components/shared/payload.js"
import { palette } from "../../embedviz/ui/components/shared/theme.js"

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const views = new WeakMap()

export function render({ data: packed, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".arrows")
  const view = views.get(root) ?? { root, held: null }
  views.set(root, view)
  view.data = unpack(packed)
  view.tell = () => setStateValue("held", [...view.token, ...view.position])
  if (!view.held) Object.assign(view, { token: view.data.token, position: view.data.position })
  once(parentElement, () => {
    listen(view)
    const observer = new ResizeObserver(() => draw(view))
    observer.observe(root)
    return () => observer.disconnect()
  })
  draw(view)
}

export function stop({ parentElement }) {
  views.delete(parentElement.querySelector(".arrows"))
}

function listen(view) {
  const svg = view.root.querySelector("svg")
  svg.querySelectorAll("[role=slider]").forEach((tip, n) => {
    tip.onpointerdown = (event) => {
      tip.setPointerCapture(event.pointerId)
      view.held = tip
    }
    tip.onpointermove = ({ clientX, clientY }) => {
      if (view.held !== tip) return
      const { left, top } = svg.getBoundingClientRect()
      move(view, n, view.numbersAt(clientX - left, clientY - top))
    }
    tip.onpointerup = tip.onpointercancel = () => {
      view.held = null
      view.tell()
    }
    tip.onkeydown = (event) => {
      const step = KEYS[event.key]
      if (!step) return
      event.preventDefault()
      const by = view.data.step * (event.shiftKey ? 1 : 0.2)
      move(view, n, tipsOf(view)[n].map((number, k) => number + by * step[k]))
    }
    tip.onkeyup = ({ key }) => KEYS[key] && view.tell()
  })
}

const plus = (a, b) => a.map((number, k) => number + b[k])
const apart = (a, b) => Math.hypot(...a.map((number, k) => number - b[k]))
const tipsOf = ({ token, position }) => [token, plus(token, position)]

// Moves the tip of the token (0), with which the position moves along, or that of the position (1). No tip leaves the plane.
function move(view, n, to) {
  const { limit } = view.data
  const along = n ? [0, 0] : view.position
  const at = to.map((number, k) => {
    const kept = Math.max(-limit - Math.min(0, along[k]), Math.min(limit - Math.max(0, along[k]), number))
    return Math.round(kept * 100) / 100
  })
  if (n) view.position = at.map((number, k) => Math.round((number - view.token[k]) * 100) / 100)
  else view.token = at
  draw(view)
}

// Drawing ---------------------------------------------------------------------------------------------

function draw(view) {
  const { root, data } = view
  const [svg, layer, said] = ["svg", "g", "p"].map((part) => root.querySelector(part))
  const { width, height } = svg.getBoundingClientRect()
  if (!width) return
  const roles = palette(root)
  root.style.setProperty("--token", roles["--token-0"])
  root.style.setProperty("--other", roles["--token-1"])
  const unit = Math.min(width, height) / (2.2 * data.limit)
  const at = ([x, y]) => [width / 2 + x * unit, height / 2 - y * unit]
  view.numbersAt = (x, y) => [(x - width / 2) / unit, (height / 2 - y) / unit]
  const [token, input] = tipsOf(view)
  layer.replaceChildren(
    ...grid(data, at, [width, height]),
    ...arrow("token", at([0, 0]), at(token)),
    ...arrow("position", at(token), at(input)),
    ...arrow("input", at([0, 0]), at(input)),
    ...(data.other ? [point(at(data.other)), word("other", data.names.other, at(data.other), [1, 0])] : []),
    word("token", data.names.token, middle(at([0, 0]), at(token)), side(token, input)),
    word("position", data.names.position, middle(at(token), at(input)), side(view.position, token.map((number) => -number))),
    word("input", data.names.input, at(input), input),
  )
  svg.setAttribute("aria-label", data.alt)
  svg.querySelectorAll("[role=slider]").forEach((tip, n) => place(tip, n ? input : token, at, n, data))
  said.textContent = data.said || words(view, input)
}

function place(tip, numbers, at, n, data) {
  const [x, y] = at(numbers)
  tip.style.display = data.said ? "none" : "" // a shadow cannot be held
  const about = { cx: x, cy: y, "aria-label": n ? data.names.input : data.names.token, "aria-valuenow": numbers[0].toFixed(2), "aria-valuetext": vector(numbers) }
  for (const [name, value] of Object.entries(about)) tip.setAttribute(name, value)
}

function words({ token, position, data }, input) {
  const numbers = { token: vector(token), position: vector(position), input: vector(input), own: digits(apart(token, input)) }
  if (!data.other) return _("{token} + {position} = {input}. The input is {own} from its own token.", numbers)
  const all = { ...numbers, other: digits(apart(data.other, input)) }
  return _("{token} + {position} = {input}. The input is {own} from its own token and {other} from another.", all)
}

const digits = (number) => number.toFixed(2).replace("-", "−").replace("−0.00", "0.00")
const vector = (numbers) => `(${numbers.map(digits).join(", ")})`

function shape(tag, kind, attributes, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag)
  made.setAttribute("class", kind)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  return made
}

const line = (kind, [x1, y1], [x2, y2]) => shape("line", kind, { x1, y1, x2, y2 })
const point = ([cx, cy]) => shape("circle", "other", { cx, cy })
const middle = (from, to) => from.map((number, k) => (number + to[k]) / 2)

function arrow(kind, from, to) {
  const [dx, dy] = to.map((number, k) => number - from[k])
  const long = Math.hypot(dx, dy) || 1
  const size = Math.min(0.3 * long, 0.8 * rem())
  const wing = (turn) => [to[0] - (size * (dx * Math.cos(turn) - dy * Math.sin(turn))) / long, to[1] - (size * (dx * Math.sin(turn) + dy * Math.cos(turn))) / long]
  return [line(kind, from, to), ...[0.45, -0.45].map((turn) => line(`${kind} wing`, wing(turn), to))]
}

const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

// On which side of an arrow its name stands: away from the third corner. As directions of numbers, so up is positive.
function side([x, y], third) {
  const turned = -y * third[0] + x * third[1] > 0 ? [y, -x] : [-y, x]
  const long = Math.hypot(...turned) || 1
  return turned.map((number) => number / long)
}

function word(kind, text, [x, y], [right, up]) {
  const gap = 0.9 * rem()
  const across = Math.abs(right) > 0.3 * Math.abs(up) ? Math.sign(right) : 0
  const anchor = { "-1": "end", 0: "middle", 1: "start" }[across]
  return shape("text", kind, { x: x + across * gap, y: y - Math.sign(up) * (across ? 0.3 : 1) * gap, "text-anchor": anchor, "dominant-baseline": "middle" }, text)
}

function* grid({ step, axes }, at, [width, height]) {
  const unit = at([1, 0])[0] - at([0, 0])[0]
  const [many, high] = [width, height].map((length) => Math.floor(length / 2 / unit / step))
  for (let n = -many; n <= many; n++) yield line(n ? "grid" : "axis", [at([n * step, 0])[0], 0], [at([n * step, 0])[0], height])
  for (let n = -high; n <= high; n++) yield line(n ? "grid" : "axis", [0, at([0, n * step])[1]], [width, at([0, n * step])[1]])
  const [x, y] = at([0, 0])
  const gap = 0.4 * rem()
  yield shape("text", "tick", { x: at([step, 0])[0], y: y + 1.1 * rem(), "text-anchor": "middle" }, String(step))
  yield shape("text", "tick", { x: width - gap, y: y - gap, "text-anchor": "end" }, axes[0])
  yield shape("text", "tick", { x: x + gap, y: 1.1 * rem() }, axes[1])
}
