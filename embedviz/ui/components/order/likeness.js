// How alike the two sentences are to a real model. The server is asked once all else is drawn and nobody types, and a
// question that is out of date is taken back. The number is that of the last tenth that the slider has passed.

import { _, element, now } from "../shared/index.js"

const PAUSE = 300 // milliseconds without an edit
const AGAIN = 2000 // milliseconds, if too many ask
const ONE = 1 - 1e-6 // differs from 1 by rounding alone

export function begin() {
  const [number, more] = [element("h2"), element("span")]
  const words = element("p", [_("how alike the two sentences are to a real model, MiniLM."), " ", more])
  const state = { section: element("section", [number, words]), number, more, key: "", found: {} }
  say(state, "…")
  return state
}

// Ask about these two texts, unless they are those that were asked about last.
export function ask(state, texts) {
  const key = JSON.stringify(texts)
  if (key === state.key) return
  forget(state)
  Object.assign(state, { key, texts, found: {}, hasBetween: false })
  state.timer = setTimeout(() => get(state), PAUSE)
}

export function forget(state) {
  clearTimeout(state.timer)
  state.asked?.abort()
}

// What is known at this share of the positions; while it is not known, nothing, since another share has another answer.
export function show(state, amount) {
  const share = Math.floor(amount / 10) * 10
  if (share in state.found) say(state, state.found[share], share)
  else if ("0" in state.found) {
    say(state, "…", share)
    if (!state.hasBetween) get(state, "between")
    state.hasBetween = true
  }
}

async function get(state, between = "") {
  const { key, texts: [a, b] } = state
  const address = new URL(`likeness?${new URLSearchParams({ a, b, ...(between && { between }) })}`, document.baseURI)
  state.asked = new AbortController()
  try {
    const answer = await fetch(address, { signal: state.asked.signal })
    const found = answer.status === 200 ? await answer.json() : {}
    if (state.key !== key) return
    if (answer.status === 503) state.timer = setTimeout(() => get(state, between), AGAIN)
    else if (answer.status !== 200) say(state, "–")
    Object.assign(state.found, found)
    show(state, now("amount"))
  } catch (error) {
    if (error.name !== "AbortError") say(state, "–")
  }
}

// What else there is to say has its room all the time, so that nothing jumps.
function say({ section, number, more }, value, share = 0) {
  const isKnown = typeof value === "number"
  const isOne = isKnown && value > ONE
  const isBetween = share > 0 && share < 100
  number.textContent = isKnown ? (isOne ? value : Math.min(value, 0.999)).toFixed(3) : value
  section.className = isKnown ? (isOne ? "same" : "different") : ""
  more.textContent = isBetween ? _("With {share} % of the positions.", { share }) : value === "–" ? _("It has no answer for these texts.") : share ? _("It cannot tell them apart.") : _("Without positions it cannot tell them apart.")
  more.classList.toggle("off", !(isOne || isBetween || value === "–"))
}
