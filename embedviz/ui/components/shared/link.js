// The parts of a page tell each other, without a rerun, which token is pointed at or pinned, how much of the positions
// is added (in percent), and which snapshot of a training is shown (Infinity is the last one).

import { keep, opensAt, value } from "../../assets/page/address.js"
import { on } from "./instances.js"

const PAUSE = 150 // milliseconds until a slider rests: browsers limit how often an address is written
const MOST = 2 // tokens that are pinned together: those of a cell
const places = { amount: 100, snapshot: Infinity }
const shown = new Map() // by each part of the page: the names of its tokens, by their IDs
let pinned = []
let wasHere = false // whether the page has shown the pinned token since it was loaded
let path = globalThis.location?.pathname
let names = []
let writing

/**
 * Tells all parts of the page.
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {PageEvents[Name]} detail
 */
export const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }))
const areSame = (a, b) => a.length === b.length && a.every((id, n) => id === b[n])
// The shortest name of a token is used, since some parts add the token's place to its name.
const nameOf = (id) =>
  [...shown.values()].flatMap((names) => names.get(id) ?? []).sort((a, b) => a.length - b.length)[0]

/**
 * The things that the visitor points at: IDs of tokens, or a position as in "@3".
 * @param {Lit[]} ids
 */
export const point = (ids) => tell("embedviz:hover", { ids })
export const leave = () => tell("embedviz:hover", { ids: lit() })

// A click or a tap keeps the light on, and a second one releases it. Only tokens can be pinned.
export function pin(ids) {
  const tokens = ids.filter(Number.isInteger)
  if (tokens.length) setPin(areSame(tokens, pinned) ? [] : tokens)
}
export const release = () => setPin([])

function setPin(ids) {
  keep("pin", ids.length ? ids.join(".") : null)
  pinned = ids
  wasHere = isHere()
  show()
}

function show() {
  names = pinnedNames()
  tell("embedviz:pin", { names })
  leave()
}
const pinnedNames = () =>
  lit()
    .map(nameOf)
    .filter((name) => name !== undefined)

// The pinned tokens, as long as the page shows any of them.
const isHere = () => pinned.some((id) => nameOf(id) !== undefined)
export const lit = () => (isHere() ? pinned : [])
export const isPinned = (id) => lit().includes(id)

// A part of the page says which tokens it shows, and at its end that it shows none.
export function registerTokens(part, tokens) {
  if (tokens) shown.set(part, tokens)
  else shown.delete(part)
  wasHere ||= isHere()
  if (!areSame(names, pinnedNames())) show()
  releaseIfGone()
}

/** @param {"amount" | "snapshot"} kind */
export const now = (kind) => places[kind]
/** @param {"amount" | "snapshot"} kind */
export function move(kind, at) {
  places[kind] = at
  if (kind === "amount") showStage()
  tell(`embedviz:${kind}`, { at })
  if (kind !== "amount") return
  clearTimeout(writing)
  writing = setTimeout(() => keep("shown", Math.round(at) === opensAt() ? null : String(Math.round(at))), PAUSE)
}

// Of two headlines the page shows the one whose stage is on (assets/page/site.css).
function showStage() {
  const stage = places.amount > 0 ? "after" : "before"
  const { dataset } = document.documentElement
  if (dataset.stage !== stage) dataset.stage = stage // each writing makes the browser look at all styles again
}

// Whether a picture adds the positions once by itself when somebody comes. Whoever prefers stillness, sits in a hall or
// before a lesson's question, or has a link to a share, sees what is there at once.
export const playsByItself = () =>
  places.amount === 0 &&
  ["present", "lesson", "shown"].every((name) => !value(name)) &&
  !matchMedia("(prefers-reduced-motion: reduce)").matches

/**
 * Hears what a part of the page tells. Returns a function that ends this.
 * @template {keyof PageEvents} Name
 * @param {Name} name
 * @param {(detail: PageEvents[Name]) => void} act
 */
export const listen = (name, act) => on(document, name, ({ detail }) => act(detail))

// Reads what the address says. If it says nothing, nothing is pinned, and the positions are as the page opens.
function readAddress() {
  clearTimeout(writing)
  const ids = value("pin") ?? ""
  pinned = [...new Set(/^\d{1,7}(\.\d{1,7})*$/.test(ids) ? ids.split(".", MOST).map(Number) : [])]
  wasHere = false
  if (path !== location.pathname) shown.clear() // what is still there of the page before
  path = location.pathname
  const share = value("shown") ?? ""
  places.amount = /^(\d{1,2}|100)$/.test(share) ? Number(share) : opensAt()
  showStage()
}

function listenToPage() {
  readAddress()
  // In a hall each picture begins before the positions are added, as the page does; whoever goes back comes to its end.
  listen("embedviz:picture", ({ step }) => move("amount", step > 0 ? opensAt() : 100))
  listen("embedviz:address", () => {
    readAddress()
    tell("embedviz:amount", { at: places.amount })
    show()
  })
  new MutationObserver(releaseIfGone).observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] })
}

// A token that an edit removed is no longer pinned. Whether it is gone is known when the page has run and is drawn.
function releaseIfGone() {
  const isDone = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning"
  if (isDone && wasHere && shown.size && pinned.length && !isHere()) release()
}

if (globalThis.document) listenToPage() // tests load this without a page
