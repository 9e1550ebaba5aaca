// In projection a view is a row of slides with one idea on each. First comes its picture, as large as the window
// allows, then the same picture with one finding at a time, then the rest of the view. Arrow keys, the keys of a
// presenter's remote control and two buttons lead through the slides and on to the next view. Pages know nothing of
// this: the slides are made from what the pages have drawn, and the slide is in the address. The tour has steps instead
// of slides. An element that has the focus may use the keys itself.

import { element } from "../../components/shared/elements.js"
import { _ } from "../../components/shared/i18n.js"
import { keep, value } from "./address.js"

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }
const SAID = "[data-testid=stCaptionContainer], [data-testid=stAlertContentInfo]" // in a line of its own
const PART = `[data-testid=stElementContainer]:has(> .stBidiComponent, > :is([data-testid=stMarkdown], .stAlert) :is(${SAID}))`
const BOX = "[data-testid=stColumn], [data-testid=stLayoutWrapper]"
const MESSAGE = `h1, .stAlert:not(:has(${SAID})), [data-testid=stProgress], .st-key-train, .st-key-cancel`
// The sliders that move a picture, and the button Share, are on every slide. The map's texts and marks are no pictures.
const ALWAYS = ".st-key-share_button, .st-key-amount, [class*=st-key-snapshots], .st-key-cloud_texts, .st-key-cloud_marks"
const FINDING = `[class*=st-key-cards_], :has(${SAID})`
// Pictures with a name on each row or line, which lie over each other where the picture has only half of the height.
const WHOLE = ".st-key-plot_distances, .st-key-plot_pairs, .st-key-plot_shift, .st-key-plot_strips, .st-key-plot_base, .st-key-plot_distance"
const LARGE = `.st-key-order, [class*=st-key-plot_]:not(${WHOLE}), .st-key-cloud` // what can share a slide with a finding
const TOGETHER = ["st-key-chips_", "st-key-edge_", "st-key-real_"] // sentences that are read side by side
// Some parts hold several ideas, or are no idea of their own in a view of another picture. These are the ideas in them.
const IDEAS = {
  "[class*=st-key-cards_]": "section",
  ".st-key-order": ".order:not(.compact)",
  ".st-key-strips": "li",
  ".st-key-windows": ".flow, table",
  ".st-key-ranking": "section",
}
// Each of these parts is one idea. If the window has no room for all of it, each row is one idea.
const ROWS = {
  ".st-key-segments": "section",
  ":is(.st-key-sizes, .st-key-effects, .st-key-changes, .st-key-reaches, .st-key-schemes)": "tbody tr",
  ":is(.st-key-architectures, .st-key-choose, .st-key-ideas)": "tbody tr",
}

const off = new CSSStyleSheet()
off.replaceSync("[data-off] { display: none !important; }")
document.adoptedStyleSheets.push(off)

const isTour = () => document.querySelector(".st-key-tour_panel") !== null
const isOn = () => value("present") === "1" && !isTour()
// Whoever goes back out of projection sees the slide until the server has taken away present.css. Until then the screen
// has no room for all pictures of a view.
const isStyled = () => getComputedStyle(document.documentElement).getPropertyValue("--ev-faint") !== ""
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const views = () => all(".st-key-frame_views [role=radio]")
const viewAt = () => views().findIndex((view) => view.ariaChecked === "true" || view.checked)
const isDone = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"

let wanted = fromAddress() // may be more than there are slides, as long as the view is not complete
let shown = { at: 0, count: 0, names: "" }
let leaving = null // on the way to another view, this holds the slide to show there, and what the page shows until then

function fromAddress() {
  return /^\d{1,3}$/.test(value("slide") ?? "") ? Number(value("slide")) : 0
}

// What is on the page -----------------------------------------------------------------------------------

// The ideas of a part of the page, as { part, idea }. If the part is a single idea, `idea` is the part itself.
function ideasOf(part) {
  const [selector, rows] = [IDEAS, ROWS].map((kinds) => Object.entries(kinds).find(([key]) => part.matches(key))?.[1])
  if (!selector && !rows) return [{ part, idea: part }]
  const root = part.querySelector("[data-testid=stBidiComponentIsolated]")?.shadowRoot
  if (!root) return []
  if (!root.adoptedStyleSheets.includes(off)) {
    root.adoptedStyleSheets.push(off)
    observer.observe(root, { childList: true, subtree: true })
  }
  const ideas = all(selector ?? rows, root)
  if (rows && hasRoom(part, root, ideas)) return [{ part, idea: part }]
  return ideas.map((idea) => ({ part, idea }))
}

let rooms = new WeakMap()

// Whether all rows fit the window at once. This is measured again when the window or the rows have changed.
function hasRoom(part, root, rows) {
  const type = parseFloat(getComputedStyle(document.documentElement).fontSize)
  const about = [innerWidth, innerHeight, type, rows.length, root.textContent.length].join()
  if (rooms.get(part)?.about !== about) {
    const table = root.querySelector("table")
    for (const each of [part, ...rows, ...all(BOX).filter((box) => box.contains(part))]) each.removeAttribute("data-off")
    table?.removeAttribute("data-rows")
    const wide = root.querySelector(".table") ?? root.firstElementChild
    const fits = part.offsetHeight < innerHeight - 3 * type
      && (!wide || wide.scrollWidth <= wide.clientWidth + 1)
    table?.toggleAttribute("data-rows", !fits)
    if (part.offsetHeight) rooms.set(part, { about, fits })
    return fits
  }
  return rooms.get(part).fits
}

const isBeside = ([{ part }], [{ part: before }]) =>
  TOGETHER.some((name) => part.className.includes(name) && before.className.includes(name))

// The slides: the picture, the same picture with each finding, then the rest. If a picture cannot share a slide with a
// finding, the finding has the slide alone.
function slidesOf(parts) {
  const ideas = (those) => those.flatMap(ideasOf).map((idea) => [idea])
  const [findings, pictures] = [ideas(parts.filter((part) => part.matches(FINDING))), []]
  for (const picture of ideas(parts.filter((part) => !part.matches(FINDING)))) {
    if (pictures.length && isBeside(picture, pictures.at(-1))) pictures.at(-1).push(...picture)
    else pictures.push(picture)
  }
  const n = pictures.findIndex(([{ part }]) => part.matches(LARGE))
  const told = n < 0 ? findings : findings.map((finding) => [...finding, ...pictures[n]])
  const first = Math.max(n, 0) + 1
  return [...pictures.slice(0, first), ...told, ...pictures.slice(first)]
}

// Showing one ---------------------------------------------------------------------------------------------

function show() {
  if (!isOn()) return clear()
  const free = all(`[data-testid=stMain] ${PART}`).filter((part) => !part.matches(ALWAYS))
  const slides = slidesOf(free)
  const names = slides.flat().map(({ part }) => part.className).join()
  arrive(names)
  const at = Math.min(wanted, Math.max(slides.length - 1, 0))
  const slide = slides[at] ?? []
  for (const { idea } of slides.flat()) idea.toggleAttribute("data-off", !slide.some((each) => each.idea === idea))
  for (const part of free) part.toggleAttribute("data-off", !slide.some((each) => each.part === part))
  for (const box of all(`[data-testid=stMain] :is(${BOX})`)) box.toggleAttribute("data-off", isEmpty(box, free))
  document.documentElement.dataset.slide = kindOf(slide)
  if (kindOf(slide) === "words") fit()
  shown = { at, count: slides.length, names }
  if (isDone() && !leaving) keep("slide", at ? String(at) : null)
  mark()
}

// A slide of words has large type, and smaller type if they are so many, as they are in some languages.
function fit() {
  const main = document.querySelector("[data-testid=stMain]")
  for (const size of [1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1]) {
    document.documentElement.style.setProperty("--ev-words", `${size}rem`)
    if (main.scrollHeight <= main.clientHeight) return
  }
}

function clear() {
  if (!bar.isConnected || (isStyled() && !isTour())) return
  for (const part of all("[data-off]")) part.removeAttribute("data-off")
  const roots = all("[data-testid=stBidiComponentIsolated]").flatMap(({ shadowRoot }) => shadowRoot ?? [])
  for (const idea of roots.flatMap((root) => all("[data-off], [data-rows]", root))) {
    for (const name of ["data-off", "data-rows"]) idea.removeAttribute(name)
  }
  rooms = new WeakMap()
  delete document.documentElement.dataset.slide
  bar.remove()
}

const isEmpty = (box, parts) => {
  const inside = parts.filter((part) => box.contains(part))
  return inside.length > 0 && inside.every((part) => part.hasAttribute("data-off")) && !box.querySelector(MESSAGE)
}

const kindOf = (slide) => {
  const findings = slide.filter(({ part }) => part.matches(FINDING)).length
  return findings ? (findings < slide.length ? "told" : "words") : "picture"
}

// Going on -------------------------------------------------------------------------------------------------

function go(step) {
  const next = shown.at + step
  if (leaving) return
  if (next >= 0 && next < shown.count) wanted = next
  else if (views()[viewAt() + step]) {
    leaving = { to: step > 0 ? 0 : Infinity, from: shown.names, hasRun: false }
    return views()[viewAt() + step].click()
  }
  show()
}

// Another view has come when the page shows other things, or when its run is over.
function arrive(names) {
  if (!leaving) return
  leaving.hasRun ||= !isDone()
  if (names === leaving.from && !(leaving.hasRun && isDone())) return
  wanted = leaving.to
  leaving = null
}

// The mark of where one is ----------------------------------------------------------------------------------

const bar = element("nav", "", "ev-slides")
const [previous, place, next] = [element("button", "‹"), element("output"), element("button", "›")]
bar.append(previous, place, next)
bar.setAttribute("aria-label", _("Slides"))
place.setAttribute("aria-live", "polite")
previous.setAttribute("aria-label", _("Previous slide"))
next.setAttribute("aria-label", _("Next slide"))
previous.onclick = () => go(-1)
next.onclick = () => go(1)

function mark() {
  if (!bar.isConnected) document.body.append(bar)
  corner.observe(document.querySelector(".st-key-share") ?? bar)
  const text = shown.count ? `${shown.at + 1} / ${shown.count}` : ""
  if (place.textContent !== text) place.textContent = text
  previous.disabled = !shown.at && !views()[viewAt() - 1]
  next.disabled = shown.at > shown.count - 2 && !views()[viewAt() + 1]
}

// The mark stands before the buttons of Share, however long their words are, and the title keeps away from both.
const corner = new ResizeObserver(() => {
  const share = document.querySelector(".st-key-share")?.getBoundingClientRect()
  if (!share?.width || !bar.isConnected) return
  const gap = share.height / 4
  bar.style.right = `${innerWidth - share.left + gap}px`
  Object.assign(bar.style, { top: `${share.top}px`, height: `${share.height}px` })
  document.documentElement.style.setProperty("--ev-corner", `${innerWidth - bar.getBoundingClientRect().left}px`)
})
corner.observe(bar)

// A component's ideas are in its shadow tree, which may come after the component: once it says that it is loaded.
const CHANGES = ["data-test-script-state", "data-loaded"]
const observer = new MutationObserver(show)
observer.observe(document, { childList: true, subtree: true, attributeFilter: CHANGES })
addEventListener("resize", () => requestAnimationFrame(show)) // other rows have room in another window

document.addEventListener("keydown", (event) => {
  const isFree = event.composedPath()[0].matches("body, main, [data-testid=stMain], .ev-slides *")
  if (!STEPS[event.key] || !isFree || !isOn()) return
  event.preventDefault()
  go(STEPS[event.key])
})
document.addEventListener("embedviz:address", () => {
  wanted = fromAddress()
  show()
})
