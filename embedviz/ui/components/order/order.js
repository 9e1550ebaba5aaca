// Two sentences one above the other, with a line from each token of A to its copy in B. A visitor who moves a token of
// B writes the sentence anew, and the page answers with everything that follows from the new sentence.

import {
  _,
  DASHES,
  element,
  leave,
  listen,
  lit,
  now,
  registerTokens,
  once,
  onResize,
  palette,
  point,
  rove,
  runAs,
  set,
  shape,
  tokenColour,
  viewOf,
} from "../shared/index.js"
import "../shared/badge.js"
import { chipOf, light as lightChips } from "../chips/chips.js"
import { movable } from "./moving_chips.js"

const PAUSE = 400 // milliseconds without a key after which a token that is moved by keys has reached its place

/** @param {Component<OrderData>} component */
export function render({ data, parentElement, setTriggerValue, name }) {
  const root = parentElement.querySelector(".order")
  const view = viewOf(parentElement, () => ({ root, lists: [...root.querySelectorAll("ol")] }))
  view.send = setTriggerValue
  view.latest = data
  view.isLive = name !== undefined && !data.fixed // not in a page that was saved as a file
  if (!view.timer && !view.isHeld?.()) draw(view)
  once(parentElement, () => begin(view, parentElement))
  registerTokens(parentElement, new Map(data.sentences.flat().map(({ id, text }) => [id, text])))
}

/** @param {View<OrderData>} view */
function begin(view, parentElement) {
  const { root, lists } = view
  view.isHeld = movable(lists[1], {
    canMove: () => view.isLive,
    onMove: (item) => showMove(view, item),
    onEnd: (pause) => sendWhenStill(view, pause ? PAUSE : 0),
  })
  for (const button of root.querySelectorAll(".tools button"))
    button.onclick = () => view.send("pressed", button.dataset.does)
  return [
    onResize(
      root.querySelector(".grid"),
      () => scheduleTrace(view),
      () => trace(view),
    ),
    () => clearTimeout(view.timer),
    () => registerTokens(parentElement, null),
    listen("embedviz:hover", ({ ids }) => light(view, ids)),
    listen("embedviz:amount", ({ at }) => showStage(view, at)),
  ]
}

/** @param {View<OrderData>} view */
function draw(view) {
  const { root, lists, latest: data } = view
  view.data = data
  view.roles = palette(root)
  const columns = Math.max(...data.sentences.map((chips) => chips.length), 1)
  root.querySelector(".grid").style.setProperty("--columns", columns)
  const focused = lists.map((list) =>
    [...list.children].findIndex((item) => item.contains(root.getRootNode().activeElement)),
  )
  view.items = data.sentences.map((chips) => chips.map((chip) => itemOf(chip, view.roles)))
  const texts = data.sentences.flat().map(({ text }) => text) // both run as A does, so that the lines do not cross
  lists.forEach((list, n) => {
    list.setAttribute("aria-label", data.labels[n])
    runAs(list, texts)
    list.replaceChildren(...view.items[n])
    if (!view.items[n].length) list.append(element("li", data.empty[n], "empty"))
    rove(list, "button")
    list.children[focused[n]]?.firstChild.focus()
  })
  lists[1].classList.toggle("live", view.isLive)
  root.querySelector(".tools").hidden = !view.isLive
  const [a, b] = data.sentences.map((chips) => chips.map(({ id }) => id))
  const isSame = a.join() === b.join()
  const idle = { shuffle: new Set(b).size < 2, swap: isSame, same: isSame || !a.length, undo: !data.undo }
  for (const button of root.querySelectorAll(".tools button")) button.disabled = idle[button.dataset.does]
  light(view, lit())
  scheduleTrace(view)
  showStage(view, now("amount"))
}

function itemOf(chip, roles) {
  return Object.assign(chipOf(chip, roles), { chip })
}

// To ask where the chips are makes the browser lay out the page, so that is done once, when all that is new is there.
/** @param {View<OrderData>} view */
function scheduleTrace(view) {
  view.frame ??= requestAnimationFrame(() => {
    view.frame = undefined
    trace(view)
    const host = view.root.getRootNode().host ?? view.root
    host.dataset.drawn = Number(host.dataset.drawn ?? 0) + 1 // says, as figures do, that it is drawn
  })
}

// The lines, from where the chips are now.
/** @param {View<OrderData>} view */
function trace({ root, data, items, roles, ids }) {
  const svg = root.querySelector("svg")
  const height = svg.getBoundingClientRect().height
  const middle = (item) => item.offsetLeft + item.offsetWidth / 2
  set(svg, { "aria-label": data.alt, "aria-hidden": !data.alt }) // without vectors there are no lines
  svg.replaceChildren(
    ...data.pairs.map(([i, j, same]) => {
      const { id, colour, again } = items[0][i].chip
      const [from, to] = [middle(items[0][i]), middle(items[1][j])]
      const d = `M${from} 1C${from} ${height * 0.4} ${to} ${height * 0.6} ${to} ${height - 1}`
      const looks = {
        stroke: tokenColour(roles, colour),
        "stroke-dasharray": DASHES[again % DASHES.length],
        class: same ? "same" : "",
      }
      const path = shape("path", { d, ...looks, "data-id": id })
      path.classList.toggle("dim", isDim(id, ids))
      path.onpointerenter = () => point([id])
      path.onpointerleave = leave
      return path
    }),
  )
}

const isDim = (id, ids) => ids.length > 0 && !ids.includes(id)

/** @param {View<OrderData>} view */
function light(view, ids) {
  view.ids = ids
  view.lists.forEach((list) => lightChips(list, ids))
  for (const path of view.root.querySelectorAll("path"))
    path.classList.toggle("dim", isDim(Number(path.dataset.id), ids))
}

/** @param {View<OrderData>} view */
function showStage({ root }, amount) {
  root.classList.toggle("after", amount > 0)
}

// Called when a token of B has another place. Everything that the browser can compute is updated at once.
/** @param {View<OrderData>} view */
function showMove(view, item) {
  const items = [...view.lists[1].children]
  items.forEach((each, n) => (each.querySelector(".position").textContent = n))
  trace(view)
  const place = items.indexOf(item)
  view.root.querySelector(".said").textContent = _("{token} is at position {position} now.", {
    token: item.chip.text,
    position: place,
  })
}

// Called when the token stays there: the sentence is written anew. Answers to earlier moves would move the token back,
// so they wait.
/** @param {View<OrderData>} view */
function sendWhenStill(view, pause) {
  clearTimeout(view.timer)
  view.timer = setTimeout(() => {
    view.timer = 0
    const items = [...view.lists[1].children]
    const ids = items.map(({ chip }) => chip.id)
    if (ids.join() !== view.latest.sentences[1].map(({ id }) => id).join()) view.send("moved", ids)
    else if (view.data !== view.latest || items.some((item, n) => item !== view.items[1][n])) draw(view)
  }, pause)
}
