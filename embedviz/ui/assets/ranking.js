// Lists of tokens side by side. Pointing at one lights it up on the map, a click picks it.

import { element } from "./elements.js"
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
  const part = element("section")
  part.append(element("h2", title))
  if (note) part.append(element("p", note))
  const list = element("ol")
  list.setAttribute("aria-label", title)
  list.append(...rows.map((row) => item(row, pick)))
  rove(list, "button")
  part.append(list)
  return part
}

function item({ id, name, value, own }, pick) {
  const button = element("button", "", own ? "own" : "")
  button.type = "button"
  button.dataset.id = id
  const word = element("span", name, "name")
  word.dir = "auto"
  button.append(word, element("span", value, "value"))
  button.onpointerenter = button.onfocus = () => point([id])
  button.onpointerleave = button.onblur = leave
  button.onclick = () => pick("picked", id)
  const line = element("li")
  line.append(button)
  return line
}

function light(root, ids) {
  for (const button of root.querySelectorAll("button")) {
    button.classList.toggle("lit", ids.includes(Number(button.dataset.id)))
  }
}
