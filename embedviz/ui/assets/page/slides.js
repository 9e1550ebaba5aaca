// In projection a view is a row of slides with one picture on each. Keys and two buttons lead through them, on to the
// next view, and on to the next page of the road. A page says what stands on its slides (embedviz/ui/slides.py), and a
// component which of its elements are slides (ui/components/component.py). A page without the frame, such as the tour,
// has none.

import { element } from "../../components/shared/elements.js"
import { _ } from "../../components/shared/i18n.js"
import { hasModifier, oncePressed } from "../../components/shared/keys.js"
import { tell } from "../../components/shared/link.js"
import { keep, lastViewOf, value } from "./address.js"

const ON = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight" // the key that leads on
const BACK = document.dir === "rtl" ? "ArrowRight" : "ArrowLeft"
const STEPS = { [ON]: 1, PageDown: 1, [BACK]: -1, PageUp: -1 }
const SAID = "[data-testid=stCaptionContainer], [data-testid=stAlertContentInfo]" // in a line of its own
const PART = `[data-testid=stElementContainer]:has(> .stBidiComponent, > :is([data-testid=stMarkdown], .stAlert) :is(${SAID}))`
const BOX = "[data-testid=stColumn], [data-testid=stLayoutWrapper]"
const SLIDE = "[class*=st-key-frame_slide_]"
const WHOLE = "[class*=st-key-frame_slide_whole_]"
const ALWAYS = ".st-key-share, [class*=st-key-frame_always_]"
const BY_KEY = "[class*=st-key-frame_always_by_key_] :is(input[type=checkbox], button, [role=radio])"
const HEADLINE = "[class*=st-key-claim_]"
const OWN = "[class*=st-key-claim_of_]"
const MOST = 99 // slides of a view
const COVERED = ".st-key-lesson_covered" // a question stands before its picture
const MESSAGE = `h1, .stAlert:not(:has(${SAID})), [data-testid=stProgress]`

const off = new CSSStyleSheet()
off.replaceSync("[data-off] { display: none !important; }")
document.adoptedStyleSheets.push(off)

const hasFrame = () => document.querySelector(".st-key-frame_head") !== null
const isHall = () => value("present") === "1" && hasFrame()
// Whoever goes back out of projection sees the slide until the server has taken away present.css. Until then the screen
// has no room for all pictures of a view.
const isStyled = () => getComputedStyle(document.documentElement).getPropertyValue("--ev-faint") !== ""
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
/** @returns {HTMLInputElement[]} */
const views = () => all(".st-key-frame_views [role=radio]")
const isOn = ({ ariaChecked, checked }) => ariaChecked === "true" || Boolean(checked)
const viewAt = () => views().findIndex(isOn)
const isDone = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"

// Nothing is seen until present.css and a slide are there, since all of it moves then; and for one more frame, since
// what appears in its place has not moved.
const root = document.documentElement
root.toggleAttribute("data-coming", value("present") === "1")
const appear = () => requestAnimationFrame(() => requestAnimationFrame(() => root.removeAttribute("data-coming")))

let wanted = fromAddress() // may be more than there are slides, as long as the view is not complete
/** @type {{ at: number, count: number, names: string, pictures: Element[] }} */
let shown = { at: 0, count: 0, names: "", pictures: [] }
/** @type {{ to: number, from: string, hasRun: boolean } | null} */
let leaving = null // on the way to another view, this holds the slide to show there, and what the page shows until then

function fromAddress() {
  return /^\d{1,3}$/.test(value("slide") ?? "") ? Number(value("slide")) : 0
}

// What is on the page -----------------------------------------------------------------------------------

// The ideas of a part of the page, as { part, idea }. If the part is a single idea, `idea` is the part itself.
function ideasOf(part) {
  const host = part.querySelector("[data-loaded]")
  const { ideas: selector, rows } = host?.dataset ?? {}
  if (!selector && !rows) return [{ part, idea: part }]
  const root = host.shadowRoot
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
    const wide = rows[0]?.closest("div") ?? part
    for (const each of [part, ...rows, ...all(BOX).filter((box) => box.contains(part))])
      each.removeAttribute("data-off")
    wide.removeAttribute("data-split")
    const fits = part.offsetHeight < innerHeight - 3 * type && wide.scrollWidth <= wide.clientWidth + 1
    wide.toggleAttribute("data-split", !fits)
    if (part.offsetHeight) rooms.set(part, { about, fits })
    return fits
  }
  return rooms.get(part).fits
}

// The slides that the page says. What it says outside of them is on no slide, unless there is none: then each part of
// it has one, as the message of a page that has nothing to draw.
function slidesOf(parts) {
  const said = all(SLIDE).flatMap((box) =>
    split(
      parts.filter((part) => box.contains(part)),
      box,
    ),
  )
  return said.length ? said : parts.flatMap(ideasOf).map((idea) => ({ kind: "words", shown: [idea] }))
}

// The slides of what stands together: one with each idea of its components, or a single one if they have none, or if
// the page says so.
function split(parts, box) {
  const ideas = parts.flatMap(ideasOf)
  if (box.matches(WHOLE)) return [{ kind: "whole", shown: ideas, box }]
  const whole = ideas.filter(({ part, idea }) => idea === part)
  const slides =
    whole.length === ideas.length
      ? [whole]
      : ideas.filter((each) => !whole.includes(each)).map((each) => [...whole, each])
  return slides.filter(({ length }) => length).map((shown) => ({ kind: "picture", shown, box }))
}

// Showing one ---------------------------------------------------------------------------------------------

function show() {
  if (root.hasAttribute("data-coming") && isStyled() && ((shown.count && bar.style.top) || isDone())) appear()
  if (!isHall()) return clear()
  const free = all(`[data-testid=stMain] ${PART}`).filter((part) => !part.closest(ALWAYS))
  const slides = slidesOf(free)
  const ideas = slides.flatMap(({ shown }) => shown)
  const names = ideas.map(({ part }) => part.className).join()
  arrive(names)
  const at = Math.min(wanted, Math.max(slides.length - 1, 0))
  const slide = slides[at] ?? { kind: "picture", shown: [] }
  for (const { idea } of ideas) idea.toggleAttribute("data-off", !slide.shown.some((each) => each.idea === idea))
  for (const part of free) part.toggleAttribute("data-off", !slide.shown.some((each) => each.part === part))
  for (const box of all(`[data-testid=stMain] :is(${BOX})`)) box.toggleAttribute("data-off", isEmpty(box, free))
  say(headlineOf(slide))
  document.documentElement.dataset.slide = slide.kind
  if (isInLesson()) document.documentElement.dataset.station = stateOfStation()
  else delete document.documentElement.dataset.station
  if (slide.kind === "words") fit()
  shown = {
    at,
    count: slides.length,
    names,
    pictures: slides.map(({ shown }) => shown.at(-1)?.part),
  }
  if (isDone() && !leaving) keep("slide", at ? String(at) : null)
  mark()
}

// The headline that a slide has of its own (ui/shell.py), or null where the view's holds for it.
function headlineOf({ box }) {
  const name = [...(box?.classList ?? [])].find((each) => each.startsWith("st-key-frame_slide_"))
  return name ? document.querySelector(name.replace(/^st-key-frame_slide_(whole_)?/, ".st-key-claim_of_")) : null
}

// Show a slide's own headline, or without one the view's, as outside of a hall.
function say(own) {
  for (const each of all(HEADLINE)) each.toggleAttribute("data-off", each.matches(OWN) ? each !== own : own !== null)
}

// A slide of words has large type, and smaller type if they are so many, as they are in some languages.
function fit() {
  const main = document.querySelector("[data-testid=stMain]")
  if (!main) return
  for (const size of [1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1]) {
    document.documentElement.style.setProperty("--ev-words", `${size}rem`)
    if (main.scrollHeight <= main.clientHeight) return
  }
}

function clear() {
  say(null)
  if (!bar.isConnected || (isStyled() && hasFrame())) return
  for (const part of all(`[data-off]:not(${OWN})`)) part.removeAttribute("data-off")
  const roots = all("[data-testid=stBidiComponentIsolated]").flatMap(({ shadowRoot }) => shadowRoot ?? [])
  for (const idea of roots.flatMap((root) => all("[data-off], [data-split]", root))) {
    for (const name of ["data-off", "data-split"]) idea.removeAttribute(name)
  }
  rooms = new WeakMap()
  delete document.documentElement.dataset.slide
  delete document.documentElement.dataset.station
  bar.remove()
}

const isEmpty = (box, parts) => {
  const inside = parts.filter((part) => box.contains(part))
  return inside.length > 0 && inside.every((part) => part.hasAttribute("data-off")) && !box.querySelector(MESSAGE)
}

// Going on -------------------------------------------------------------------------------------------------

// First what moves the picture has its turn: a key adds the positions before another one leads on. Whoever goes back
// takes them away before the first slide of a picture is left. What is found comes after the event.
function go(step) {
  const next = shown.at + step
  const asked = { step, isTaken: false }
  if (leaving) return
  if (isInLesson()) return ofLesson(step)?.click()
  const isOther = shown.pictures[next] !== shown.pictures[shown.at]
  if (step > 0 || isOther) tell("embedviz:step", asked)
  if (asked.isTaken || presses(step)) return
  if (next >= 0 && next < shown.count) {
    wanted = next
    if (isOther) tell("embedviz:picture", { step })
  } else if (views()[viewAt() + step]) {
    leaving = { to: step > 0 ? 0 : Infinity, from: shown.names, hasRun: false }
    return views()[viewAt() + step].click()
  } else return leadOn(step)
  show()
}

// A station of a lesson shows one picture, which its address names. A key leads to its answer, the next one to the next
// station.
const stateOfStation = () =>
  document.querySelector(COVERED) ? "covered" : value("answered") === "1" ? "answered" : "asked"
const STATION = ".st-key-lesson_station"
const isInLesson = () => document.querySelector(STATION) !== null
const ofLesson = (step) =>
  document.querySelector(`${STATION} [data-loaded]`)?.shadowRoot?.querySelector(`[rel=${step > 0 ? "next" : "prev"}]`)

// The station of the road after this page, or before it: a key that leads on begins with its first view, and one that
// leads back with its last slide.
function leadOn(step) {
  const link = stationBeside(step)
  if (!link) return
  leaving = { to: step > 0 ? 0 : Infinity, from: shown.names, hasRun: false }
  link.dataset.view = step > 0 ? "view=&slide=" : `view=${lastViewOf(link)}&slide=${MOST}`
  link.click()
  delete link.dataset.view
}

/** @returns {HTMLAnchorElement | undefined} */
function stationBeside(step) {
  const road = /** @type {HTMLAnchorElement[]} */ (all(".ev-pages ol a"))
  const at = road.findIndex(({ ariaCurrent }) => ariaCurrent)
  return at < 0 ? undefined : road[at + step]
}

// A switch or a button that a key can press is on the first slide of its picture. The first option of a switch is off,
// and the second on. Going back, it is off before another view comes.
function presses(step) {
  const own = pressedBy(step)
  own?.click()
  return Boolean(own)
}

function pressedBy(step) {
  const parts = /** @type {HTMLInputElement[]} */ (all(BY_KEY))
  const options = parts.filter(({ role }) => role === "radio")
  const [from, to] = step > 0 ? options : [options[1], options[0]]
  const own = to ?? parts[0]
  const isOther = to ? isOn(from) : isOn(own ?? {}) === step < 0
  return own && !own.disabled && shown.at === 0 && isOther ? own : undefined
}

// Another view has come when the page shows other things, or when its run is over.
function arrive(names) {
  if (!leaving) return
  leaving.hasRun ||= !isDone()
  if (names === leaving.from && !(leaving.hasRun && isDone())) return
  wanted = leaving.to
  tell("embedviz:picture", { step: leaving.to ? -1 : 1 })
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
bar.onkeydown = oncePressed

function mark() {
  if (!bar.isConnected) document.body.append(bar)
  corner.observe(document.querySelector(".st-key-share") ?? bar)
  const text = shown.count && !(isInLesson() && shown.count > 1) ? `${shown.at + 1} / ${shown.count}` : ""
  if (place.textContent !== text) place.textContent = text
  const isEnd = (step) => !views()[viewAt() + step] && !stationBeside(step)
  previous.disabled = isInLesson() ? !ofLesson(-1) : !shown.at && isEnd(-1)
  next.disabled = isInLesson() ? !ofLesson(1) : shown.at > shown.count - 2 && isEnd(1) && !pressedBy(1)
}

// The mark stands before the buttons of Share, however long their words are, and the title keeps away from both.
const corner = new ResizeObserver(() => {
  const share = document.querySelector(".st-key-share")?.getBoundingClientRect()
  if (!share?.width || !bar.isConnected) return
  const gap = share.height / 4
  const taken = (box) => (document.dir === "rtl" ? box.right : innerWidth - box.left) // from the edge of the corner
  const insetInlineEnd = `${taken(share) + gap}px`
  Object.assign(bar.style, { insetInlineEnd, top: `${share.top}px`, height: `${share.height}px` })
  document.documentElement.style.setProperty("--ev-corner", `${taken(bar.getBoundingClientRect())}px`)
})
corner.observe(bar)

// A component's ideas are in its shadow tree, which may come after the component: once it says that it is loaded.
const CHANGES = ["data-test-script-state", "data-loaded"]
const observer = new MutationObserver(show)
observer.observe(document, { childList: true, subtree: true, attributeFilter: CHANGES })
addEventListener("resize", () => requestAnimationFrame(show)) // other rows have room in another window

document.addEventListener("keydown", (event) => {
  const [target] = /** @type {Element[]} */ (event.composedPath())
  const isFree = target.matches("body, main, [data-testid=stMain], .ev-slides *, .cards, .strip button")
  if (!STEPS[event.key] || !isFree || !isHall() || hasModifier(event) || event.shiftKey || event.repeat) return
  event.preventDefault()
  go(STEPS[event.key])
})
document.addEventListener("embedviz:address", () => {
  if (leaving) return
  wanted = fromAddress()
  show()
})
