// A text as a flow of tokens with the windows of one batch drawn over it, and the batch's IDs below.

import { element } from "./elements.js"
import { unpack } from "./payload.js"
import { rove } from "./roving.js"

const views = new WeakMap()

export function render({ data: packed, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".windows")
  const known = views.has(root)
  const data = unpack(packed)
  views.set(root, { data, choose: (cell) => setStateValue("cell", cell) })
  root.replaceChildren(flow(data), tables(data))
  if (!known) listen(root)
}

export function stop({ parentElement }) {
  views.delete(parentElement.querySelector(".windows"))
}

function listen(root) {
  const on = (names, act) => names.forEach((name) => root.addEventListener(name, act))
  on(["pointerover", "focusin"], ({ target }) => light(root, target.closest("[data-window]"), target.closest("table")))
  on(["pointerleave", "focusout"], () => mark(root, null))
  on(["click"], ({ target }) => choose(root, target.closest("td")))
  on(["keydown"], ({ key, target }) => key === "Enter" && choose(root, target.closest("td")))
}

function choose(root, cell) {
  if (cell) views.get(root).choose([Number(cell.dataset.window), Number(cell.dataset.step)])
}

function light(root, cell, table) {
  if (!cell) return
  if (table) scrollTo(root, Number(cell.dataset.start))
  mark(root, Number(cell.dataset.window), cell.dataset.step === undefined ? null : Number(cell.dataset.step))
}

function flow({ tokens, starts, max_length: length, first }) {
  const list = element("div", "", "flow")
  list.tabIndex = 0 // it scrolls, so the keyboard must reach it
  list.setAttribute("role", "group")
  list.setAttribute("aria-label", "The text, cut into tokens")
  tokens.forEach(({ text }, n) => {
    const place = first + n
    const owners = starts.flatMap((start, window) => (place >= start && place < start + length ? [window] : []))
    const token = element("span", "", "token")
    token.classList.add(owners.length > 1 ? "shared" : owners.length ? `in${owners[0] % 2}` : "outside")
    token.dataset.place = place
    if (owners.length) token.dataset.window = owners[owners.length - 1]
    const begins = starts.indexOf(place)
    if (begins >= 0) token.append(element("sup", String(begins), "number"))
    token.append(worded("", text))
    list.append(token)
  })
  return list
}

function tables({ inputs, targets, names, target_names: targetNames, starts }) {
  const pair = element("div", "", "pair")
  pair.append(table("inputs", inputs, names, starts), table("targets, one token later", targets, targetNames, starts))
  return pair
}

function table(title, rows, names, starts) {
  const box = element("table")
  box.setAttribute("role", "grid") // its cells take the focus and are chosen from
  box.setAttribute("aria-label", title)
  box.append(element("caption", title))
  const body = element("tbody")
  rows.forEach((row, window) => {
    const line = element("tr")
    line.setAttribute("role", "row") // said here, since the style takes it away
    const head = element("th", String(window))
    head.setAttribute("role", "rowheader")
    head.dataset.window = window
    head.dataset.start = starts[window]
    line.append(head)
    row.forEach((id, step) => {
      const cell = element("td")
      cell.setAttribute("role", "gridcell")
      cell.dataset.window = window
      cell.dataset.step = step
      cell.dataset.start = starts[window]
      cell.append(worded("text", names[window][step]), element("span", String(id), "id"))
      line.append(cell)
    })
    body.append(line)
  })
  box.append(body)
  rove(box, "th, td", rows[0].length + 1)
  return box
}

// A window lights its inputs and underlines its targets, in the text and in both tables.
function mark(root, window, step = null) {
  const { starts, max_length: length } = views.get(root).data
  const start = window === null ? -1 : starts[window]
  for (const token of root.querySelectorAll(".token")) {
    const place = Number(token.dataset.place) - start
    const inside = window !== null && place >= 0 && place < length
    const aimed = window !== null && place >= 1 && place <= length
    token.classList.toggle("lit", step === null ? inside : inside && place === step)
    token.classList.toggle("aim", step === null ? aimed : aimed && place === step + 1)
  }
  for (const cell of root.querySelectorAll("td, th")) {
    const own = Number(cell.dataset.window) === window
    cell.classList.toggle("lit", own && (step === null || cell.dataset.step === undefined || Number(cell.dataset.step) === step))
  }
}

// Bring a window into view without moving the page.
function scrollTo(root, start) {
  const flow = root.querySelector(".flow")
  const token = flow.querySelector(`[data-place="${start}"]`)
  if (!token) return
  const top = token.offsetTop - flow.offsetTop
  if (top < flow.scrollTop || top > flow.scrollTop + flow.clientHeight - token.offsetHeight) flow.scrollTop = top
}

// Runs its own way, and leaves its neighbours where they are.
function worded(kind, text) {
  const word = element("span", text, kind)
  word.dir = "auto"
  return word
}
