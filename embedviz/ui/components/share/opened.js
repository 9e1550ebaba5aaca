// The script that runs in a page that was saved as a file.

import { _, element, listen, move, now, unpack } from "../shared/index.js"

const WAY = "embedviz/ui/components/way/way"
const TYPED = "embedviz/ui/components/way/typed.js"

const bytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

export async function open() {
  const page = JSON.parse(document.getElementById("page")?.textContent ?? "{}")
  move("amount", page.amount)
  document.getElementById("plain")?.remove()
  document.title = `${page.title} · embedviz`
  const home = page.home ? [Object.assign(element("a", "embedviz"), { href: page.home })] : []
  const heading = element("h1", page.title)
  const say = ({ at }) => (heading.textContent = page.claims[at > 0 ? 1 : 0] ?? page.title) // of two, the one that holds
  const codes = page.code.map(program)
  const typed = (claims, read) => {
    page.claims = claims
    say({ at: now("amount") })
    codes.forEach((code, n) => (code.querySelector("code").textContent = programOf(page.code[n], read)))
  }
  listen("embedviz:amount", say)
  say({ at: page.amount })
  const header = element("header", [...home, heading, element("p", page.subtitle)])
  const places = page.instances.map(() => element("div"))
  document.body.append(header, grow(page.tree, places), ...codes)
  await library()
  await Promise.all(page.instances.map((instance, n) => fill(places[n], instance, page.typed, typed)))
}

// Plotly is packed, since it is larger than all else.
async function library() {
  const packed = document.getElementById("library")
  if (!packed) return
  const stream = new Blob([bytes(packed.textContent)]).stream().pipeThrough(new DecompressionStream("gzip"))
  document.head.append(element("script", await new Response(stream).text()))
}

async function fill(place, { name, html, css, data }, own, say) {
  const module = await import(`${name}.js`)
  const parentElement = name === "embedviz/ui/components/plot/plot" ? place : place.attachShadow({ mode: "open" })
  parentElement.innerHTML = `<style>${css}</style>${html}`
  const silent = () => {}
  const draw = (data, setTriggerValue = silent, more = {}) =>
    module.render({ parentElement, data, setTriggerValue, setStateValue: silent, ...more })
  draw(data && unpack(bytes(data)))
  if (own && name === WAY)
    await (await import(TYPED)).begin(own, place, (data, send) => draw(data, send, { name }), say)
}

// The program with the words that were typed.
function programOf(text, read) {
  let n = 0
  return text.replace(/^words = .*$/gm, () => `words = ['${read[n++].join("', '")}']`)
}

function grow(tree, places) {
  if (typeof tree === "number") return places[tree]
  const box = element("div", "", tree.down ? "column" : "row")
  tree.parts.forEach((part, n) => {
    const child = grow(part, places)
    if (!tree.down) child.style.flex = `${Math.round(tree.sizes[n])} 1 0`
    child.style.minWidth = 0
    box.append(child)
  })
  return box
}

function program(text) {
  return element("details", [element("summary", _("Show the PyTorch code")), element("pre", [element("code", text)])])
}
