// Each token of A, its copy in B and their difference, as strips of colour. They move here, without a rerun, with the
// share of the positions that is added: a vector is token + share · position. Vectors that are still are only
// positions.

import {
  _,
  BORDERS,
  element,
  leave,
  listen,
  lit,
  now,
  numeral,
  once,
  palette,
  point,
  tokenColour,
  viewOf,
} from "../shared/index.js"
import { wordOf } from "../chips/chips.js"
import { distanceAt } from "../plot/frames.js"

const SHADES = 256
const MANY = 256 // numbers: more than a strip has pixels

/** @param {Component<PairStripsData>} component */
export function render({ data, parentElement }) {
  const view = viewOf(parentElement, () => ({ open: false, root: parentElement }))
  view.data = data
  draw(view)
  once(parentElement, () => [
    listen("embedviz:amount", ({ at }) => move(view, view.data.still ? 1 : at / 100)),
    listen("embedviz:hover", ({ ids }) => light(view, ids)),
  ])
}

/** @param {View<PairStripsData>} view */
function draw(view) {
  const { root, data } = view
  const part = (selector) => root.querySelector(selector)
  const roles = palette(part("ol"))
  view.shades = shadesOf(roles)
  part(".head").hidden = !data.pairs.length
  part(".head p").textContent = data.head
  scale(root, data.limit, view.shades)
  part("ol").setAttribute("aria-label", data.label)
  const button = part(".all")
  button.textContent = data.all
  button.hidden = view.open || data.pairs.length <= data.most
  button.onclick = () => {
    view.open = true
    draw(view)
    part("ol").children[data.most].scrollIntoView({ block: "nearest" })
  }
  const before = view.items ?? []
  view.items = (view.open ? data.pairs : data.pairs.slice(0, data.most)).map((pair, n) =>
    itemOf(pair, data, roles, before[n]),
  )
  if (before.length !== view.items.length || before.some((item, n) => item !== view.items[n]))
    part("ol").replaceChildren(...view.items)
  move(view, data.still ? 1 : now("amount") / 100)
  light(view, lit())
  const host = root.getRootNode().host ?? root
  host.dataset.drawn = Number(host.dataset.drawn ?? 0) + 1 // says, as figures do, that the strips are drawn
}

// Most tokens are the same after an edit: their elements stay, and only their numbers are drawn anew.
function itemOf(pair, { tokens }, roles, before) {
  const isMany = tokens[0].length > MANY
  const looks = JSON.stringify([
    pair.id,
    pair.text,
    pair.part,
    pair.again,
    pair.names,
    tokenColour(roles, pair.colour),
    isMany,
  ])
  const item = before?.looks === looks ? before : newItem(pair, roles, isMany)
  return Object.assign(item, { looks, pair })
}

function newItem(pair, roles, isMany) {
  const word = element("span", [wordOf(pair.text, pair.part)], "word")
  word.style.borderStyle = BORDERS[pair.again % BORDERS.length]
  const strips = element("span", [canvas(), canvas(), element("span", [canvas()], "difference")], "strips")
  strips.classList.toggle("many", isMany)
  const names = element(
    "span",
    pair.names.map((name) => element("span", name)),
    "names",
  )
  const item = element("li", [word, names, strips, element("span", [element("strong"), element("small")], "apart")])
  item.style.setProperty("--colour", tokenColour(roles, pair.colour))
  item.onpointerenter = () => point([pair.id])
  item.onpointerleave = leave
  return item
}

function canvas() {
  const strip = element("canvas")
  strip.setAttribute("aria-hidden", "true") // the distance says the same in a number
  return strip
}

/** @param {View<PairStripsData>} view */
function light({ items }, ids) {
  for (const item of items) item.classList.toggle("dim", ids.length > 0 && !ids.includes(item.pair.id))
}

// Moving ---------------------------------------------------------------------------------------------

/** @param {View<PairStripsData>} view */
function move({ items, data, shades }, share) {
  const apart = unrelatedAt(data.unrelated, share)
  for (const item of items) {
    const { token, places, distance, same } = item.pair
    const [a, b] = places.map((place) => sum(data.tokens[token], data.positions[place], share))
    const [stripA, stripB, difference] = item.querySelectorAll("canvas")
    const isSame = same || share === 0
    paint(stripA, a, data.limit, shades)
    paint(stripB, b, data.limit, shades)
    if (!isSame)
      paint(
        difference,
        a.map((value, n) => value - b[n]),
        data.limit,
        shades,
      )
    item.classList.toggle("same", isSame)
    const [own, others] = item.querySelector(".apart").children
    own.textContent = isSame ? _("identical") : _("{distance} apart", { distance: digits(share * distance) })
    others.textContent = apart === null ? "" : _("unrelated: {distance}", { distance: digits(apart) })
  }
}

// As in float32: at a share of 1 the numbers of the input embeddings.
const sum = (token, position, share) => token.map((value, n) => value + share * position[n])

// The root mean square of the distances.
function unrelatedAt(unrelated, share) {
  if (!unrelated) return null
  const [before, after, positions] = unrelated
  return distanceAt(share, before, after, positions)
}

// Numbers have three digits at any time, so that nothing jumps.
const digits = (value) => (value && value < 1000 ? numeral(value.toPrecision(3)) : String(Math.round(value)))

// Colours ---------------------------------------------------------------------------------------------

function paint(strip, values, limit, shades) {
  if (strip.width !== values.length) Object.assign(strip, { width: values.length, height: 1 })
  const image = new ImageData(values.length, 1)
  const pixels = new Uint32Array(image.data.buffer)
  values.forEach((value, n) => {
    const at = Math.round(((value / limit + 1) / 2) * (SHADES - 1))
    pixels[n] = shades[Math.max(0, Math.min(SHADES - 1, at))]
  })
  strip.getContext("2d").putImageData(image, 0, 0)
}

// The scale DIVERGING of figures/theme.py: five colours on either side, the page's background in the middle.
function shadesOf(roles) {
  const list = document.createElement("canvas")
  Object.assign(list, { width: SHADES, height: 1 })
  const context = /** @type {CanvasRenderingContext2D} */ (list.getContext("2d", { willReadFrequently: true }))
  const gradient = context.createLinearGradient(0.5, 0, SHADES - 0.5, 0)
  for (let n = 0; n < 10; n++) gradient.addColorStop(n < 5 ? n / 10 : (n + 1) / 10, roles[`--diverging-${n}`])
  gradient.addColorStop(0.5, roles["--surface"])
  context.fillStyle = gradient
  context.fillRect(0, 0, SHADES, 1)
  return new Uint32Array(context.getImageData(0, 0, SHADES, 1).data.buffer)
}

function scale(root, limit, shades) {
  const [low, high] = root.querySelectorAll(".scale i")
  low.textContent = `≤ −${digits(limit)}`
  high.textContent = `≥ ${digits(limit)}`
  paint(
    root.querySelector(".scale canvas"),
    Float32Array.from({ length: SHADES }, (_, n) => (2 * n) / (SHADES - 1) - 1),
    1,
    shades,
  )
}
