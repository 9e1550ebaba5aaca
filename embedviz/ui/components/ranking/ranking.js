// Lists of tokens side by side. Pointing at one lights it up on the map, a click picks it.

import { element, leave, listen, once, point, rove, tall } from "../shared/index.js"

/** @param {Component<RankingData>} component */
export function render({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".ranking")
  root.style.maxHeight = `var(--ev-list, ${tall(data.height)})` // in projection what the screen has left
  root.replaceChildren(...data.lists.map((list) => section(list, setTriggerValue)))
  once(parentElement, () => [listen("embedviz:hover", ({ ids }) => light(root, ids))])
}

function section({ title, note, rows }, pick) {
  const list = element(
    "ol",
    rows.map((row) => item(row, pick)),
  )
  list.setAttribute("aria-label", title)
  rove(list, "button")
  return element("section", [element("h2", title), ...(note ? [element("p", note)] : []), list])
}

function item({ id, name, value, own }, pick) {
  const word = element("span", name, "name")
  word.dir = "auto"
  const button = element("button", [word, element("span", value, "value")], own ? "own" : "")
  button.dataset.id = id
  button.onpointerenter = button.onfocus = () => point([id])
  button.onpointerleave = button.onblur = leave
  button.onclick = () => pick("picked", id)
  return element("li", [button])
}

function light(root, ids) {
  for (const button of root.querySelectorAll("button")) {
    button.classList.toggle("lit", ids.includes(Number(button.dataset.id)))
  }
}
