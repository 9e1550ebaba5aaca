// The whole way of two sentences in one picture. Where the vectors of A and B are identical there is one line; where
// they differ there are two, A solid and B dashed. Its width says nothing but how much a token is looked at.

import {
  _,
  element,
  isHall,
  listen,
  lit,
  move,
  now,
  on,
  once,
  onResize,
  palette,
  playsByItself,
  set,
  viewOf,
} from "../shared/index.js"
import { drawAnswers, drawRuler } from "./answers.js"
import { placeChips } from "./chips.js"
import { drawEntry, drawHeadings, drawKey, placeNames, showHeads } from "./headings.js"
import { drawLayers, drawLooks } from "./looks.js"
import { hasRoom, PHONE, placesOf, topOf } from "./places.js"
import { drawQuestions, drawRow, drawSentences } from "./rows.js"
import { closeNumbers, light, paintStrips } from "./strips.js"

/** @typedef {import("./places.js").Page} Page */

const COLUMNS = ["sentences", "tokens", "vectors", "positions", "input", "looks", "after", "answer"] // as in picture.py
const [PAUSE, PLAYS] = [1600, 2000] // milliseconds: without positions, and until all of them are there
const LEADS = 700 // milliseconds from one step of the story to the next

/** @param {Component<WayData | WayToldData>} component */
export function render({ data, parentElement, setTriggerValue, name }) {
  const root = parentElement.querySelector(".way")
  const view = viewOf(parentElement, () => start(root))
  view.data = data
  view.send = setTriggerValue
  view.isLive = name !== undefined && !data.told // not in a page that was saved as a file, nor where it is told
  view.roles = { ...palette(root), "--lit": getComputedStyle(root).getPropertyValue("--st-secondary-background-color") }
  root.style.setProperty("--ev-pale", view.roles["--faint"])
  const slider = root.querySelector("input")
  slider.step = 100 / Math.max(1, data.states.length - 1)
  root.classList.toggle("told", Boolean(data.told))
  const isFixed = data.states.length < 2 // this model has no positions to switch
  for (const part of root.querySelectorAll(".switch, .share")) part.hidden = isFixed
  root.querySelector(".fixed").textContent = isFixed ? data.words.fixed : ""
  root
    .querySelector(".models")
    .replaceChildren(
      ...((view.isLive && data.models) || []).map(([name, text, isHere]) => modelButton(view, name, text, isHere)),
    )
  if (data.told) leadToShare(view)
  else draw(view)
  once(parentElement, () => [
    listen("embedviz:amount", () => draw(view)),
    listen("embedviz:hover", ({ ids }) => light(view, ids)),
    listen("embedviz:step", (asked) => answerStep(view, asked)),
    on(document, "keydown", ({ key }) => key === "Escape" && closeNumbers(view)),
    onResize(root.querySelector(".picture"), () => draw(view)),
    // In a hall it has the room from where it begins to the end of the window.
    on(window, "resize", () => isHall(root) && draw(view)),
    // The page's head and all that stands above may grow or shrink without anything else changing its size.
    ...[
      root,
      ...document.querySelectorAll("[data-testid=stMainBlockContainer], .st-key-frame_head, .st-key-frame_body"),
    ].map((part) => onResize(part, () => isHall(root) && topOf(view) !== view.top && draw(view))),
  ])
}

// The models in which order enters elsewhere, one press apart.
function modelButton(view, name, text, isHere) {
  const button = element("button", text)
  button.setAttribute("aria-pressed", String(isHere))
  button.onclick = () => view.send("model", name)
  return button
}

function start(root) {
  const view = { root, held: null, draw: () => draw(view) }
  requestAnimationFrame(() => play(view))
  const slider = root.querySelector("input")
  slider.oninput = () => move("amount", Number(slider.value))
  for (const button of root.querySelectorAll(".switch button"))
    button.onclick = () => move("amount", Number(button.dataset.at))
  root
    .querySelector(".picture")
    .addEventListener("click", ({ target }) => target.closest(".numbers, [data-strip]") || closeNumbers(view))
  return view
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches

// What is told has a share of the positions of its own, which a step of the story leads to.
function leadToShare(view) {
  cancelAnimationFrame(view.frame)
  const { share: goal } = view.data.told
  const from = isStill() ? goal : (view.share ?? goal)
  let began
  const step = (moment) => {
    began ??= moment
    const time = from === goal ? 1 : Math.min(1, (moment - began) / LEADS)
    view.share = from + (goal - from) * time
    draw(view)
    if (time < 1 && view.root.isConnected) view.frame = requestAnimationFrame(step)
  }
  step(performance.now())
}

// It plays once when somebody comes: off, then on. Any press ends it.
function play(view) {
  if (view.data.told || !playsByItself()) return
  let last = 0
  let began
  const step = (moment) => {
    if (!view.root.isConnected || now("amount") !== last) return // the visitor has begun to play
    began ??= moment
    const time = Math.max(0, Math.min(1, (moment - began - PAUSE) / PLAYS))
    if (time) {
      last = Math.round(100 * time * time * (3 - 2 * time))
      move("amount", last)
    }
    if (time < 1) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

// In a hall a key that leads on adds the positions first, and one that leads back takes them away.
function answerStep({ root, data }, asked) {
  if (data.told) return
  const goal = asked.step > 0 ? 100 : 0
  if (data.states.length < 2 || now("amount") === goal || !root.checkVisibility()) return
  asked.isTaken = true
  move("amount", goal)
}

// The computed state that is nearest to a share.
const stateAt = ({ states }, share) =>
  states.reduce((best, each) => (Math.abs(each.share - share) < Math.abs(best.share - share) ? each : best))

function draw(view) {
  const { root, data } = view
  const width = root.querySelector(".picture").clientWidth
  if (!width) return
  const share = data.told ? view.share : now("amount")
  const state = stateAt(data, share)
  root.querySelector(".look").replaceChildren(element("strong", state.look ?? ""), ` ${data.words.key}`)
  root.querySelector("input").value = share
  root.querySelector("output").textContent = _("{n} %", { n: Math.round(share) })
  for (const button of root.querySelectorAll(".switch button"))
    button.setAttribute("aria-pressed", String(share > 0 === button.dataset.at > 0))
  const page = { view, data, state, share: share / 100, roles: view.roles, width, parts: [], strips: [] }
  page.inHall = isHall(root)
  page.isFar = page.inHall || Boolean(data.told) // what a hall has to read has larger type, and no fields and links
  page.hasHeads = data.words.heads.length > 1 && !page.isFar && width >= PHONE
  if (hasRoom(page)) root.querySelector(".picture").style.height = "var(--tour-room, 60vh)"
  page.place = placesOf(page)
  page.hasNames = page.place.isAcross && !page.isFar
  const [until, asked] = [COLUMNS.indexOf(data.told?.until ?? "answer"), data.told?.asked ?? []]
  page.shows = (name) => COLUMNS.indexOf(name) <= until
  page.names = (name) => page.shows(name) || asked.includes(name)
  paintAll(page)
}

/** @param {Page} page */
function paintAll(page) {
  const { view, place, state } = page
  const { root } = view
  if (!hasRoom(page)) root.querySelector(".picture").style.height = `${place.height}px`
  for (const part of root.querySelectorAll("canvas, svg")) part.style.height = `${place.height}px`
  if (!page.shows("tokens")) drawSentences(page)
  else for (const n of place.rows) drawRow(page, page.data.rows[n], n)
  if (page.shows("looks")) page.data.layers ? drawLayers(page) : drawLooks(page)
  if (page.shows("answer")) page.data.bars ? drawAnswers(page) : drawRuler(page)
  drawQuestions(page)
  drawHeadings(page)
  placeNames(page)
  showHeads(page)
  drawKey(page)
  drawEntry(page)
  const svg = root.querySelector("svg")
  set(svg, {
    viewBox: `0 0 ${page.width} ${place.height}`,
    "aria-label": page.data.told?.alt ?? `${state.headline}. ${state.look}`,
  })
  svg.replaceChildren(...page.parts)
  paintStrips(page)
  placeChips(page)
  light(view, lit())
  const { host } = root.getRootNode()
  if (host) host.dataset.drawn = Number(host.dataset.drawn ?? 0) + 1 // says, as figures do, that it is drawn
}
