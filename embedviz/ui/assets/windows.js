// A text as a flow of tokens with the windows of one batch drawn over it, and the batch's IDs below.

import { unpack } from "./payload.js"

const views = new WeakMap()

export function render({ data: packed, parentElement }) {
  const root = parentElement.querySelector(".windows")
  const data = unpack(packed)
  views.set(root, data)
  root.replaceChildren(flow(data), tables(data))
  const light = (window, step) => mark(root, data, window, step)
  root.onpointerover = (event) => act(event, light)
  root.onfocus = root.onfocusin = (event) => act(event, light)
  root.onpointerleave = root.onfocusout = () => light(null)
}

export function stop() {}

function act(event, light) {
  const cell = event.target.closest("[data-window]")
  if (cell) light(Number(cell.dataset.window), cell.dataset.step === undefined ? null : Number(cell.dataset.step))
}

function flow({ tokens, starts, max_length: length, first }) {
  const list = element("div", "flow")
  tokens.forEach(({ text }, n) => {
    const place = first + n
    const owners = starts.flatMap((start, window) => (place >= start && place < start + length ? [window] : []))
    const token = element("span", "token")
    token.classList.add(owners.length > 1 ? "shared" : owners.length ? `in${owners[0] % 2}` : "outside")
    token.dataset.place = place
    if (owners.length) token.dataset.window = owners[owners.length - 1]
    const begins = starts.indexOf(place)
    if (begins >= 0) token.append(element("sup", "number", String(begins)))
    token.append(element("span", "", text))
    list.append(token)
  })
  return list
}

function tables({ inputs, targets, names, target_names: targetNames }) {
  const pair = element("div", "pair")
  pair.append(table("inputs", inputs, names), table("targets, one token later", targets, targetNames))
  return pair
}

function table(title, rows, names) {
  const box = element("table")
  box.append(element("caption", "", title))
  const body = element("tbody")
  rows.forEach((row, window) => {
    const line = element("tr")
    const head = element("th", "", String(window))
    head.scope = "row"
    head.tabIndex = 0
    head.dataset.window = window
    line.append(head)
    row.forEach((id, step) => {
      const cell = element("td")
      cell.dataset.window = window
      cell.dataset.step = step
      cell.append(element("span", "text", names[window][step]), element("span", "id", String(id)))
      line.append(cell)
    })
    body.append(line)
  })
  box.append(body)
  return box
}

// A window lights its inputs and underlines its targets, in the text and in both tables.
function mark(root, { starts, max_length: length }, window, step = null) {
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

function element(tag, kind = "", text = "") {
  const made = document.createElement(tag)
  if (kind) made.className = kind
  made.textContent = text
  return made
}
