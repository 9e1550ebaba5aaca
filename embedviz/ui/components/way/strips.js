// The strips of numbers on their canvas, what a press on one of them says, and which rows are lit.

import { decimals, element, leave, point, shape } from "../shared/index.js"

/** @typedef {import("./places.js").Page} Page */

/** @param {Page} page */
export function paintStrips({ view, strips, data, roles, width, place }) {
  const canvas = view.root.querySelector("canvas")
  const ratio = window.devicePixelRatio || 1
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(place.height * ratio) })
  const context = canvas.getContext("2d")
  context.scale(ratio, ratio)
  context.fillStyle = roles["--lit"]
  for (const name of data.told?.lit ?? []) if (!data.layers || name !== "after") context.fillRect(...place.area(name))
  const dim = dimmed(view)
  for (const { x, y, wide, tall, values, row, limit } of strips) {
    context.globalAlpha = dim(row) ? 0.18 : 1
    values.forEach((value, n) => {
      context.fillStyle = shadeOf(value / limit, roles)
      const [from, to] = [n, n + 1].map((k) => Math.round((x + (k / values.length) * wide) * ratio) / ratio)
      context.fillRect(from, y, to - from, tall)
    })
    context.strokeStyle = roles["--grid"]
    context.strokeRect(x, y, wide, tall)
  }
  view.strips = strips
  const svg = view.root.querySelector("svg")
  for (const [n, each] of strips.entries()) {
    const hit = shape("rect", {
      x: each.x,
      y: each.y,
      width: each.wide,
      height: each.tall,
      fill: "transparent",
      "data-strip": n,
    })
    hit.style.cursor = "pointer"
    hit.onclick = () => openNumbers(view, each)
    hit.onpointerenter = () => point([data.rows[each.row].id])
    hit.onpointerleave = leave
    svg.append(hit)
  }
}

// The scale DIVERGING of figures/theme.py in ten steps.
function shadeOf(value, roles) {
  const n = Math.min(9, Math.max(0, Math.floor((value + 1) * 5)))
  return Math.abs(value) < 0.04 ? roles["--surface"] : roles[`--diverging-${n}`]
}

function openNumbers(view, { x, y, tall, values, row, title }) {
  const box = view.root.querySelector(".numbers")
  const list = element(
    "ol",
    [...values].map((value) => element("li", decimals(value, 3))),
  )
  box.replaceChildren(element("b", `${view.data.rows[row].text} · ${title}`), list)
  box.hidden = false
  const width = view.root.querySelector(".picture").clientWidth
  Object.assign(box.style, { left: `${Math.min(x, width - 300)}px`, top: `${y + tall + 4}px` })
}

export const closeNumbers = ({ root }) => (root.querySelector(".numbers").hidden = true)

const dimmed =
  ({ data, ids = [] }) =>
  (row) =>
    ids.length > 0 && data.rows.some(({ id }) => ids.includes(id)) && !ids.includes(data.rows[row].id)

export function light(view, ids) {
  view.ids = ids
  const dim = dimmed(view)
  for (const part of view.root.querySelectorAll("[data-row]"))
    part.classList.toggle("dim", dim(Number(part.dataset.row)))
}
