// Lists of tokens side by side. Pointing at one lights it up on the map, a click picks it.

import { leave, listen, point } from "./link.js"
import { unpack } from "./payload.js"
import { rove } from "./roving.js"

const stops = new WeakMap()

export function render({ data: packed, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".ranking")
  const data = unpack(packed)
  root.style.maxHeight = `var(--ev-list, ${data.height})` // in projection what the screen has left
  root.replaceChildren(...data.lists.map((list) => section(list, setTriggerValue)))
  if (!stops.has(root)) stops.set(root, listen("embedviz:hover", ({ ids }) => light(root, ids)))
}

export function stop({ parentElement }) {
  const root = parentElement.querySelector(".ranking")
  stops.get(root)?.()
  stops.delete(root)
}

function section({ title, note, rows }, pick) {
  const part = document.createElement("section")
  part.append(text("h2", title))
  if (note) part.append(text("p", note))
  const list = document.createElement("ol")
  list.setAttribute("aria-label", title)
  list.append(...rows.map((row) => item(row, pick)))
  rove(list, "button")
  part.append(list)
  return part
}

function item({ id, name, value, own }, pick) {
  const button = document.createElement("button")
  button.type = "button"
  button.dataset.id = id
  button.className = own ? "own" : ""
  const word = text("span", name, "name")
  word.dir = "auto"
  button.append(word, text("span", value, "value"))
  button.onpointerenter = button.onfocus = () => point([id])
  button.onpointerleave = button.onblur = leave
  button.onclick = () => pick("picked", id)
  const line = document.createElement("li")
  line.append(button)
  return line
}

function text(tag, content, kind = "") {
  const element = document.createElement(tag)
  element.textContent = content
  if (kind) element.className = kind
  return element
}

function light(root, ids) {
  for (const button of root.querySelectorAll("button")) {
    button.classList.toggle("lit", ids.includes(Number(button.dataset.id)))
  }
}
