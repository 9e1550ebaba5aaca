// The fields of a page without a server, in which a visitor types the two sentences of the whole way.

import { _, element, unpack } from "../shared/index.js"
import { refusal, swapped, wayOf } from "./computed.js"

const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/**
 * Puts the fields before the picture, and draws it anew whenever both sentences can be read.
 * @param {OwnWay} own
 * @param {HTMLElement} place
 * @param {(data: WayData, send: (name: string, value: any) => void) => void} draw
 * @param {(claims: string[], read: string[][]) => void} say
 */
export function begin(own, place, draw, say) {
  /** @type {SmallGpt} */
  const model = unpack(bytes(document.getElementById("ev-gpt").textContent))
  const address = new URLSearchParams(location.hash.slice(1))
  const known = element("p", own.known, "known")
  const fields = ["a", "b"].map((name, n) => field(own.names[n], address.get(name) ?? own.texts[n]))
  const texts = () => /** @type {[string, string]} */ (fields.map(({ input }) => input.value))
  const show = () => {
    const refused = texts().map((text) => refusal(model, own, text))
    fields.forEach(({ input, message }, n) => {
      message.textContent = refused[n]
      input.setAttribute("aria-invalid", String(Boolean(refused[n])))
    })
    if (refused.some(Boolean)) return // the last picture stays
    const { data, claims, read } = wayOf(model, own, texts())
    draw(data, (name, value) => name === "swapped" && swap(value))
    say(claims, read)
  }
  const swap = (places) => {
    fields[1].input.value = swapped(model, texts()[1], places)
    change()
  }
  const change = () => {
    show()
    const [a, b] = texts()
    history.replaceState(null, "", `#${new URLSearchParams({ a, b })}`)
  }
  for (const { input } of fields) input.oninput = change
  const box = element("div", [...fields.map(({ label }) => label), known], "typed")
  place.before(box)
  show()
}

function field(name, text) {
  const [input, message] = [element("input"), element("p")]
  Object.assign(input, { value: text, spellcheck: false, autocapitalize: "off", autocomplete: "off" })
  message.setAttribute("role", "alert")
  return { input, message, label: element("label", [element("span", name), input, message]) }
}
