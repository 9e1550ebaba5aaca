// The fields of a page without a server, in which a visitor types the two sentences of the whole way.

import { element, set, unpack } from "../shared/index.js"
import { refusal, swapped, wayOf } from "./computed.js"

const PAUSE = 150 // milliseconds until the address is written, which browsers let nobody do often
const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/**
 * Puts the fields before the picture, and draws it anew whenever both sentences can be read.
 * @param {OwnWay} own
 * @param {HTMLElement} place
 * @param {(data: WayData, send: (name: string, value: any) => void) => void} draw
 * @param {(claims: string[], read: string[][]) => void} say
 */
export async function begin(own, place, draw, say) {
  const address = new URLSearchParams(location.hash.slice(1))
  const [usual] = Object.keys(own.runs)
  let name = own.runs[address.get("reader") ?? ""] ? String(address.get("reader")) : usual
  let model = await modelNamed(name)
  const fields = ["a", "b"].map((letter, n) => field(own.names[n], address.get(letter) ?? own.texts[n]))
  const texts = () => fields.map(({ input }) => input.value)

  const show = () => {
    const refused = texts().map((text) => refusal(model, own, text))
    fields.forEach(({ input, message }, n) => {
      message.textContent = refused[n]
      input.setAttribute("aria-invalid", String(Boolean(refused[n])))
    })
    if (refused.some(Boolean)) return // the last picture stays
    const { data, claims, read } = wayOf(model, { ...own, ...own.runs[name] }, name, texts())
    draw(data, answer)
    say(claims, read)
  }
  let writing
  const change = () => {
    show()
    clearTimeout(writing)
    writing = setTimeout(write, PAUSE)
  }
  const write = () => {
    const [a, b] = texts()
    history.replaceState(null, "", `#${new URLSearchParams({ a, b, ...(name === usual ? {} : { reader: name }) })}`)
  }
  const answer = async (what, value) => {
    if (what === "swapped") fields[1].input.value = swapped(model, texts()[1], value)
    if (what === "model") [name, model] = [value, await modelNamed(value)]
    change()
  }
  for (const { input } of fields) input.oninput = change
  const [summary, words] = own.known
  const known = element("details", [element("summary", summary), element("p", words)])
  place.before(element("div", [...fields.map(({ box }) => box), known], "typed"))
  show()
}

// The weights of a small GPT, which lie beside the pages as a script, since a page from a disk may fetch nothing.
async function modelNamed(name) {
  const script = Object.assign(element("script"), { src: `../${name}.js` })
  if (!document.getElementById(name))
    await new Promise((resolve, reject) => {
      Object.assign(script, { onload: resolve, onerror: reject })
      document.head.append(script)
    })
  const model = unpack(bytes(document.getElementById(name)?.textContent ?? ""))
  for (const each in model.weights) model.weights[each] = plain(model.weights[each])
  return /** @type {SmallGpt} */ (model)
}

// All numbers are in arrays of one kind, which makes a pass twice as fast.
const plain = (table) => (table instanceof Float32Array ? Array.from(table) : table.map(plain))

function field(name, text) {
  const [input, message] = [element("input"), element("p")]
  Object.assign(input, { value: text, spellcheck: false, autocapitalize: "off", autocomplete: "off", dir: "auto" })
  set(message, { role: "alert", id: `refused ${name}`.replaceAll(" ", "-") })
  input.setAttribute("aria-describedby", message.id)
  return { input, message, box: element("div", [element("label", [element("span", name), input]), message]) }
}
