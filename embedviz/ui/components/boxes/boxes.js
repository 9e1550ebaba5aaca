// The tokens of sentences as boxes that fill the room there is. Text only.

import { element, onResize, once, palette, tall } from "../shared/index.js"

const [LEAST, IN_ONE_LINE, MOST] = [0.95, 1.6, 4] // rem

export function render({ data: { rows, height }, parentElement }) {
  const root = parentElement.querySelector(".boxes")
  const roles = palette(root)
  root.style.height = tall(height)
  root.replaceChildren(...rows.map((row) => lineOf(row, roles)))
  fit(root)
  once(parentElement, () => [onResize(root, () => fit(root))])
}

function lineOf({ label, short, boxes }, roles) {
  const name = element("span", short, "name")
  name.setAttribute("aria-hidden", "true")
  const list = element("ol", boxes.map((box) => boxOf(box, roles)))
  list.setAttribute("aria-label", label)
  return element("div", [name, list], "line")
}

function boxOf({ text, id, colour }, roles) {
  const word = element("span", text, "text")
  word.dir = "auto"
  const box = element("li", [word, ...(id === null ? [] : [element("span", id, "id")])])
  box.style.setProperty("--colour", roles[`--token-${colour}`])
  return box
}

// The largest type with which everything fits: in one line for each sentence, if that leaves it large enough.
function fit(root) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize)
  root.classList.add("single")
  if (largest(root, rem) < IN_ONE_LINE) {
    root.classList.remove("single")
    largest(root, rem)
  }
  // What still does not fit can be scrolled to, by keyboard too.
  root.tabIndex = root.scrollHeight > root.clientHeight + 1 ? 0 : -1
}

function largest(root, rem) {
  const fits = (size) => {
    root.style.setProperty("--size", `${size * rem}px`)
    return root.scrollHeight <= root.clientHeight && root.scrollWidth <= root.clientWidth
  }
  if (fits(MOST)) return MOST
  let [low, high] = [LEAST, MOST]
  for (let n = 0; n < 7; n++) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return fits(low) ? low : 0
}
