// The words of a step, its question, and the ways to the next one: buttons, keys, the list of steps.

import { _, element, hasModifier, on, once, oncePressed, onResize } from "../../embedviz/ui/components/shared/index.js"

/** @typedef {{ root: any, shown: TourData, step: number, turn: number, opened: Set<number>, [key: string]: any }} Panel */

const panels = new WeakMap()
const TYPED = "input, textarea, select, [contenteditable=''], [contenteditable=true]"
const NOT_TYPED = "input:is([type=range], [type=checkbox], [type=radio], [type=button], [type=submit])"
const PRESSED =
  "button, a[href], summary, input:is([type=checkbox], [type=radio]), [role=button], [role=radio], [role=tab], [role=switch]"
const OWN_KEYS = "dialog, [role=dialog], [role=listbox], [role=menu]"

/** @param {Component<TourData>} component */
export function render({ data, parentElement, setTriggerValue, name }) {
  const root = parentElement.querySelector(".tour")
  const panel = panels.get(root) ?? start(root, parentElement)
  Object.assign(panel, { shown: data, send: setTriggerValue, isLive: name !== undefined })
  // An answer to an older key must not undo a newer one.
  if (panel.shown.turn >= panel.turn) {
    clearTimeout(panel.again)
    Object.assign(panel, { step: panel.shown.step, opened: new Set() })
  }
  draw(root, panel)
  measure(panel)
}

function start(root, parentElement) {
  const panel = /** @type {Panel} */ ({ root, turn: 0, step: 1, opened: new Set() })
  panels.set(root, panel)
  // The picture below takes its size from this. WebKit reports an error where both change within one frame.
  const scheduleMeasure = () => {
    cancelAnimationFrame(panel.frame)
    panel.frame = requestAnimationFrame(() => measure(panel))
  }
  once(parentElement, () => [
    on(window, "keydown", (event) => press(panel, event), { capture: true }),
    on(window, "resize", scheduleMeasure),
    onResize(root, scheduleMeasure),
    on(root.querySelector(".moves"), "keydown", oncePressed),
    () => cancelAnimationFrame(panel.frame),
    () => {
      panels.delete(root)
      clearTimeout(panel.again)
    },
    () => document.documentElement.style.removeProperty("--tour-room"),
  ])
  return panel
}

// What the picture below may fill without scrolling; what comes after the picture may be scrolled to.
/** @param {Panel} panel */
function measure({ root, shown }) {
  const page = document.querySelector("[data-testid=stMainBlockContainer]")
  if (!page || !shown) return
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0
  const [rem, padding, gap] = [
    sizeOf(document.documentElement, "fontSize"),
    sizeOf(page, "paddingBottom"),
    sizeOf(page.querySelector("[data-testid=stVerticalBlock] [data-testid=stVerticalBlock]") ?? page, "rowGap"),
  ]
  const below = root.getBoundingClientRect().bottom + scrolled + gap
  const isFramed = document.documentElement.hasAttribute("data-embed") && !shown.present // assets/page/framed.js
  const room = (isFramed ? 720 : window.innerHeight) - below - (shown.present ? padding + gap : 0.4 * rem)
  document.documentElement.style.setProperty(
    "--tour-room",
    `${Math.floor(Math.max(room, (shown.present ? 6 : 18) * rem))}px`,
  )
}

const sizeOf = (element, name) => parseFloat(getComputedStyle(element)[name]) || 0

// Moving --------------------------------------------------------------------------------------------

/** @param {Panel} panel */
function go(panel, step) {
  const to = Math.min(Math.max(step, 1), panel.shown.names.length)
  if (to === panel.step) return
  panel.step = to
  sendMove(panel, ++panel.turn)
}

/** @param {Panel} panel */
function next(panel) {
  const { stops, vote } = panel.shown
  if (vote === "running" && panel.shown.answers.length) return panel.send("vote", "end")
  if (!stops.includes(panel.step) || panel.opened.has(panel.step)) return go(panel, panel.step + 1)
  panel.opened.add(panel.step)
  sendMove(panel, ++panel.turn)
}

// When moves follow each other quickly, Streamlit may drop some of them, even the last one. So the move is sent again
// until the page has answered it.
/** @param {Panel} panel */
function sendMove(panel, turn, patience = 10) {
  clearTimeout(panel.again)
  panel.send("go", { step: panel.step, opened: [...panel.opened], turn })
  if (patience) panel.again = setTimeout(() => sendMove(panel, turn, patience - 1), 1000)
}

const back = (panel) => go(panel, panel.step - 1)
const [onRight, onLeft] = document.dir === "rtl" ? [back, next] : [next, back]
const KEYS = {
  ArrowRight: onRight,
  PageDown: next,
  " ": next,
  ArrowLeft: onLeft,
  PageUp: back,
  Home: (panel) => go(panel, 1),
  End: (panel) => go(panel, panel.shown.names.length),
}
// The keys up and down scroll a page, but a page in projection has nothing to scroll. A slider keeps these keys, so
// that it can be moved by keyboard.
const UPRIGHT = { ArrowDown: next, ArrowUp: back }

/** @param {Panel} panel */
function press(panel, event) {
  const act = KEYS[event.key] ?? (panel.shown.present && UPRIGHT[event.key])
  const target = event.composedPath()[0]
  if (!act || !panel.isLive || hasModifier(event) || event.isComposing) return
  if (event.shiftKey && event.key !== " ") return
  if (target instanceof Element && !isOurs(event, target)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.repeat) return
  if (event.key === " " && event.shiftKey) go(panel, panel.step - 1)
  else act(panel)
}

function isOurs(event, target) {
  if (target.matches(TYPED) && !target.matches(NOT_TYPED)) return false
  if (event.key === " " && target.matches(PRESSED)) return false
  if (event.key in UPRIGHT && target.matches("[type=range], [role=slider]")) return false
  return !event.composedPath().some((part) => part instanceof Element && part.matches(OWN_KEYS))
}

// Drawing -------------------------------------------------------------------------------------------

function draw(root, panel) {
  const { shown } = panel
  root.classList.toggle("present", shown.present)
  root.classList.toggle("saved", !panel.isLive)
  const [nav, heading, text, answers] = [".steps", ".heading", ".text", ".answers"].map((part) =>
    root.querySelector(part),
  )
  steps(nav.querySelector("ol"), panel)
  heading.replaceChildren(element(shown.present ? "h1" : "h2", shown.heading))
  const { verdict } = shown
  const isAsked = shown.answers.length > 0
  const lineParts = [verdict && verdictOf(verdict), verdict && " ", shown.words].filter(Boolean)
  const lines = [lineParts.length && element("p", lineParts, "words"), shown.note && element("p", shown.note, "note")]
  heading.classList.toggle("asked", isAsked)
  text.replaceChildren(...lines.filter(Boolean))
  const had = answers.contains(root.getRootNode().activeElement)
  answers.replaceChildren(...(isAsked ? answersOf(panel) : []))
  moves(root.querySelector(".moves"), panel)
  if (had && !isAsked) root.querySelector(".next").focus({ preventScroll: true })
}

function steps(list, panel) {
  const { names, step } = panel.shown
  if (list.children.length !== names.length) list.replaceChildren(...names.map((name, n) => stepOf(name, n + 1, panel)))
  ;[...list.querySelectorAll("button")].forEach((button, n) => {
    button.ariaCurrent = n + 1 === step ? "step" : null
  })
}

function stepOf(name, number, panel) {
  const button = element("button", [element("span", number, "number"), element("span", name, "name")])
  button.setAttribute("aria-label", `${number} ${name}`)
  button.title = name
  button.onclick = () => go(panel, number)
  return element("li", [button])
}

function verdictOf({ text, right }) {
  const sign = element("span", right === null ? "" : right ? "✓ " : "✗ ")
  sign.setAttribute("aria-hidden", "true")
  return element("span", [sign, text], `verdict ${right === null ? "" : right ? "right" : "wrong"}`)
}

/** @param {Panel} panel */
function answersOf(panel) {
  const { answers, step, hall, vote } = panel.shown
  const button = (label, kind, act) => Object.assign(element("button", label, kind), { onclick: act })
  const ask = vote || !panel.isLive ? [] : [button(_("Let the hall vote"), "ask", () => panel.send("vote", "open"))]
  if (!hall)
    return [
      ...answers.map((answer, choice) => button(answer, "answer", () => panel.send("answer", { step, choice }))),
      ...ask,
    ]
  const label = vote === "running" ? _("Show the bars") : _("Reveal")
  const list =
    vote === "over"
      ? []
      : [
          element(
            "ol",
            answers.map((answer) => element("li", answer)),
          ),
        ]
  return [...list, button(label, "reveal", () => next(panel)), ...ask]
}

function moves(part, panel) {
  const { step, names, score } = panel.shown
  const [previous, forward] = [part.querySelector(".previous"), part.querySelector(".next")]
  for (const [button, name, sign, keys] of [
    [previous, _("Previous"), "‹", _("Previous: ←, Page Up")],
    [forward, _("Next"), "›", _("Next: →, Space, Page Down")],
  ]) {
    button.textContent = panel.shown.present ? sign : name
    button.setAttribute("aria-label", name)
    button.title = keys
  }
  previous.onclick = () => go(panel, panel.step - 1)
  forward.onclick = () => next(panel)
  previous.setAttribute("aria-disabled", step === 1)
  forward.setAttribute("aria-disabled", step === names.length && !panel.shown.stops.includes(step))
  part.querySelector(".place").textContent = `${step} / ${names.length}`
  part.querySelector(".score").textContent = score
}
