// A token's vector and a position's as arrows on a plane, tip to tail. Their tips are dragged, or moved by arrow keys.

import {
  _,
  decimals,
  hasModifier,
  listed,
  once,
  onResize,
  palette,
  set,
  shape,
  tokenColour,
  viewOf,
} from "../../embedviz/ui/components/shared/index.js"

const NAME = [7, 2.2] // rem around the points of a shadow, for their names
// Where the name of a line may stand: at which share of it, and how many times the usual gap away.
const PLACES = [1, 1.5].flatMap((far) => [0.5, 0.65, 0.8, 0.95, 0.35].map((share) => [share, far]))
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

/** @param {Component<ArrowsData>} component */
export function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".arrows")
  const view = viewOf(parentElement, () => ({ root, held: null }))
  view.data = data
  view.tell = () => setStateValue("held", [...view.token, ...view.position])
  if (!view.held) Object.assign(view, { token: view.data.token, position: view.data.position })
  once(parentElement, () => {
    listen(view)
    return [onResize(root, () => draw(view))]
  })
  draw(view)
}

/** @param {View<ArrowsData>} view */
function listen(view) {
  const svg = view.root.querySelector("svg")
  svg.querySelectorAll("[role=slider]").forEach((tip, n) => {
    tip.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }) // which would scroll
    tip.onpointerdown = ({ pointerId }) => {
      tip.setPointerCapture(pointerId)
      view.held = tip
    }
    tip.onpointermove = ({ clientX, clientY }) => {
      const { left, top } = svg.getBoundingClientRect()
      if (view.held === tip) move(view, n, view.numbersAt(clientX - left, clientY - top))
    }
    tip.onpointerup = tip.onpointercancel = () => {
      view.held = null
      view.tell()
    }
    tip.onkeydown = (event) => {
      if (!KEYS[event.key] || hasModifier(event)) return
      event.preventDefault()
      const by = view.data.step * (event.shiftKey ? 1 : 0.2)
      move(
        view,
        n,
        tipsOf(view)[n].map((number, k) => number + by * KEYS[event.key][k]),
      )
    }
    tip.onkeyup = (event) => KEYS[event.key] && !hasModifier(event) && view.tell()
  })
}

/**
 * @param {number[]} a
 * @param {number[]} b
 * @returns {any}
 */
const plus = (a, b) => a.map((number, k) => number + b[k])
const minus = (a, b) => a.map((number, k) => number - b[k])
const times = (a, by) => a.map((number) => number * by)
/**
 * @param {any} pair
 * @returns {any}
 */
const turned = (pair) => [pair[1], pair[0]]
const rounded = (numbers) => numbers.map((number) => Math.round(number * 100) / 100)
/** @param {View<ArrowsData>} view */
const tipsOf = ({ token, position }) => [token, plus(token, position)]

// Moves the tip of the token (0), with which the position moves along, or that of the position (1). No tip leaves the
// plane.
/** @param {View<ArrowsData>} view */
function move(view, n, to) {
  const { limit } = view.data
  const along = n ? [0, 0] : view.position
  const at = to.map((number, k) =>
    Math.max(-limit - Math.min(0, along[k]), Math.min(limit - Math.max(0, along[k]), number)),
  )
  if (n) view.position = rounded(minus(at, view.token))
  else view.token = rounded(at)
  draw(view)
}

// Drawing ---------------------------------------------------------------------------------------------

/** @param {View<ArrowsData>} view */
function draw(view) {
  const { root, data } = view
  const [svg, layer, said] = ["svg", "g", "p"].map((part) => root.querySelector(part))
  const { width, height } = svg.getBoundingClientRect()
  if (!width) return
  const roles = palette(root)
  ;["--token", "--other"].forEach((name, n) => root.style.setProperty(name, tokenColour(roles, data.colours[n])))
  const { names } = data
  const zero = [0, 0]
  const corners = [zero, ...tipsOf(view), ...(data.other ? [data.other] : [])]
  const isTurned = Boolean(data.said) && isBetterTurned(corners, width, height)
  const points = isTurned ? corners.map(turned) : corners
  const [, token, input, other] = points
  const position = minus(input, token)
  // What can be held stands in the middle of its plane; a shadow has all of the room.
  const { unit, middle } = data.said
    ? boxOf(points, width, height)
    : { unit: Math.min(width, height) / (2.2 * data.limit), middle: zero }
  /**
   * @param {any} numbers
   * @returns {any}
   */
  const at = ([x, y]) => [width / 2 + (x - middle[0]) * unit, height / 2 - (y - middle[1]) * unit]
  view.numbersAt = (x, y) => [(x - width / 2) / unit, (height / 2 - y) / unit]
  const few = data.said ? PLACES : PLACES.slice(0, 1) // what is held is drawn again at each move
  const ring = data.said ? 0 : RING * rem() // a shadow cannot be held
  const [own, apart] = data.distances ?? apartFrom(input, [token, other])
  const across = other && minus(other, input)
  // The arrow of the position is as long as the first distance, so its line of dots runs beside it.
  const aside = shift(side(position, minus(zero, token)), 0.5 * rem())
  layer.replaceChildren(
    ...grid(isTurned ? { ...data, axes: turned(data.axes) } : data, at, unit, [width, height]),
    line("distance", plus(at(token), aside), plus(at(input), aside)),
    ...(other ? [line("distance", at(input), at(other))] : []),
    ...arrow("token", at(zero), at(token), ring),
    ...arrow("position", at(token), at(input), ring),
    ...arrow("input", at(zero), at(input), ring),
    ...(other ? [point(at(other)), word("other", names.other, at(other), [Math.sign(across[0]) || 1, 0])] : []),
  )
  const [left, top] = at(zero)
  const taken = [
    { x: left - 4, y: 0, width: 8, height },
    { x: 0, y: top - 4, width, height: 8 },
    ...[[zero, token], [zero, input], [token, input], ...(other ? [[input, other]] : [])].flatMap(([from, to]) =>
      dotsOf(at(from), at(to)),
    ),
    ...[...layer.querySelectorAll("text")].map((each) => each.getBBox()),
  ]
  /**
   * @param {string} kind
   * @param {string} said
   * @param {number[]} from
   * @param {number[]} way
   * @param {number[]} third
   * @param {string} [more]
   */
  const name = (kind, said, from, way, third, more = "", places = few) =>
    addWhereFree(
      layer,
      places.map(([share, far]) => word(kind, said, at(plus(from, times(way, share))), side(way, third), more, far)),
      taken,
      width,
    )
  name("position", names.position, token, position, minus(zero, token), own)
  name("token", names.token, zero, token, input)
  name("input", names.input, zero, input, token)
  if (other) name("distance", apart, input, across, minus(zero, input), "", PLACES) // it is nearest to other names
  svg.setAttribute("aria-label", data.alt)
  svg
    .querySelectorAll("[role=slider]")
    .forEach((tip, n) => place(tip, n ? input : token, at, n ? names.input : names.token, data.said))
  said.textContent = data.said || words(view, input)
}

// Whether a shadow is larger with its second axis across: only its lengths say something, and not which way is up.
const isBetterTurned = (points, width, height) =>
  boxOf(points.map(turned), width, height).unit > boxOf(points, width, height).unit

// Points along a line, as boxes that no name is to cover.
const dotsOf = (from, to) =>
  Array.from({ length: 40 }, (_, n) => plus(from, times(minus(to, from), n / 39))).map(([x, y]) => ({
    x,
    y,
    width: 0,
    height: 0,
  }))

// Adds the first of these texts that covers the least of what is taken. No name leaves the plane.
function addWhereFree(layer, texts, taken, width) {
  const boxes = texts.map((each) => {
    layer.append(each)
    const { x, width: wide } = each.getBBox()
    each.setAttribute("dx", Math.max(4 - x, 0) + Math.min(width - 4 - x - wide, 0))
    const box = each.getBBox()
    each.remove()
    return box
  })
  const covered = boxes.map((box) => taken.filter((other) => meets(box, other)).length)
  const free = covered.indexOf(Math.min(...covered))
  layer.append(texts[free])
  taken.push(boxes[free])
}

const meets = (a, b) => a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height

// How many pixels a 1 has, so that these points and their names are in the window, and what is in its middle.
function boxOf(points, width, height) {
  const [x, y] = [0, 1].map((k) => points.map((numbers) => numbers[k]))
  const ends = [x, y].map((values) => [Math.min(...values), Math.max(...values)])
  const room = [width - 2 * NAME[0] * rem(), height - 2 * NAME[1] * rem()]
  const [across, up] = ends.map(([low, high]) => high - low || 1)
  return {
    unit: Math.max(1e-6, Math.min(room[0] / across, room[1] / up)),
    middle: ends.map(([low, high]) => (low + high) / 2),
  }
}

function place(tip, numbers, at, name, isShadow) {
  const [cx, cy] = at(numbers)
  tip.style.display = isShadow ? "none" : ""
  set(tip, { cx, cy, "aria-label": name, "aria-valuenow": numbers[0].toFixed(2), "aria-valuetext": vector(numbers) })
}

/** @param {View<ArrowsData>} view */
function words({ token, position, data }, input) {
  const [own, other] = apartFrom(input, [token, data.other])
  const numbers = { token: vector(token), position: vector(position), input: vector(input), own, other }
  return _("{token} + {position} = {input}. The input is {own} from its own token and {other} from another.", numbers)
}

const digits = (number) => decimals(Math.round(number * 100) / 100 + 0, 2)
const apartFrom = (input, points) => points.map((point) => digits(Math.hypot(...minus(point, input))))
const vector = (numbers) => `(${listed(numbers.map(digits))})`

/**
 * @param {string} kind
 * @param {number[]} from
 * @param {number[]} to
 */
const line = (kind, [x1, y1], [x2, y2]) => shape("line", { class: kind, x1, y1, x2, y2 })
/** @param {number[]} at */
const point = ([cx, cy]) => shape("circle", { class: "other", cx, cy })
const RING = 0.68 // the radius of a tip that is held, with its line, in rem
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize)

function text(kind, said, attributes) {
  const made = shape("text", { class: kind, ...attributes })
  made.textContent = said
  return made
}

// An arrow ends before the ring that is around its tip.
function arrow(kind, from, tip, ring) {
  const whole = Math.hypot(...minus(tip, from)) || 1
  const to = plus(
    from,
    minus(tip, from).map((way) => way * Math.max(0.3, 1 - ring / whole)),
  )
  const [dx, dy] = minus(to, from)
  const size = Math.min(0.3, (0.9 * rem()) / (Math.hypot(dx, dy) || 1))
  const wing = (turn) =>
    minus(to, [size * (dx * Math.cos(turn) - dy * Math.sin(turn)), size * (dx * Math.sin(turn) + dy * Math.cos(turn))])
  return [line(kind, from, to), line(kind, wing(0.45), to), line(kind, wing(-0.45), to)]
}

// On which side of an arrow its name stands: away from the third corner. As directions of numbers, so up is positive.
/**
 * @param {number[]} way
 * @param {number[]} third
 */
const side = ([x, y], third) => (x * third[1] - y * third[0] > 0 ? [y, -x] : [-y, x])

// So many pixels in a direction of numbers.
/**
 * @param {number[]} way
 * @param {number} by
 */
const shift = ([x, y], by) => times([x, -y], by / (Math.hypot(x, y) || 1))

/**
 * @param {string} kind
 * @param {string} said
 * @param {number[]} at
 * @param {number[]} side
 */
function word(kind, said, [x, y], [right, up], more = "", far = 1) {
  const across = Math.abs(right) > 0.5 * Math.abs(up) ? Math.sign(right) : 0
  const gap = far * (across ? 0.9 : 1.2) * rem()
  const anchor = { "-1": "end", 0: "middle", 1: "start" }[across]
  const made = text(kind, said, {
    x: x + across * gap,
    y: y - Math.sign(up) * (across ? 0.3 : 1) * gap,
    "text-anchor": anchor,
    "dominant-baseline": "middle",
  })
  if (more) {
    const number = shape("tspan", { class: "distance", dx: "0.5em" })
    number.textContent = more
    made.append(number)
  }
  return made
}

function* grid({ step, axes, said }, at, unit, [width, height]) {
  const [x, y] = at([0, 0])
  const lines = (length) =>
    Array.from(
      { length: 2 * Math.floor(length / 2 / unit / step) + 1 },
      (_, n) => n - Math.floor(length / 2 / unit / step),
    )
  const isShadow = Boolean(said) // whose axes have no numbers to count by
  for (const n of isShadow ? [0] : lines(width))
    yield line(n ? "grid" : "axis", [x + n * step * unit, 0], [x + n * step * unit, height])
  for (const n of isShadow ? [0] : lines(height))
    yield line(n ? "grid" : "axis", [0, y + n * step * unit], [width, y + n * step * unit])
  const gap = 0.4 * rem()
  if (!isShadow) yield text("tick", `−${step}`, { x: x - step * unit, y: y + 1.1 * rem(), "text-anchor": "middle" })
  yield text("tick", axes[0], { x: width - gap, y: y + 1.1 * rem(), "text-anchor": "end" })
  yield text("tick", axes[1], { x: x + gap, y: 1.1 * rem() })
}
