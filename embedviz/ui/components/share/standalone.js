// The page as one file that opens without a server or a network. It has the same components, with what they show now.

import { _, element, now, onPage, save, slug } from "../shared/index.js"

// A program has its colours only where somebody has opened its fold.
const PROGRAMS = '[data-testid="stCode"] code, [data-testid="stExpander"] [data-testid="stText"]'

export async function savePage() {
  const title =
    [...document.querySelectorAll("h1")].find((each) => each.checkVisibility())?.textContent ?? document.title
  const html = await build(title)
  save(`embedviz-${slug(document.title.replace(/ · embedviz$/, ""))}.html`, [html], "text/html")
}

// What stands around the page's own data comes from the server; see embedviz/ui/components/standalone.py.
async function build(title) {
  const instances = onPage()
  const parts = new Set(instances.map(({ name }) => name))
  const asked = new URLSearchParams([
    ["lang", document.documentElement.lang],
    ...[...parts].map((name) => ["part", name]),
  ])
  const around = await read(new URL(`../../../../page?${asked}`, import.meta.url))
  const page = {
    title,
    claims: ["before", "after"].flatMap(
      (when) => document.querySelector(`.st-key-claim_${when} h1`)?.textContent ?? [],
    ),
    subtitle: document.querySelector('[data-testid="stCaptionContainer"]')?.textContent ?? "",
    code: [...document.querySelectorAll(PROGRAMS)].map((code) => code.textContent),
    amount: now("amount"),
    tree: arrange(instances.map(({ element }, n) => ({ n, box: element.getBoundingClientRect() }))),
    instances: instances.map(({ name, html, css, data }) => ({ name, html, css, data: data && base64(data) })),
  }
  const filled = around.replace('id="page">{}', () => `id="page">${literal(page)}`)
  return filled.replace('<main id="plain">', (start) => start + plain(page, instances))
}

// What the page says in words, for where none of the file's scripts run.
function plain({ title, subtitle }, instances) {
  const sections = instances.flatMap(({ element: { shadowRoot } }) => [
    ...(shadowRoot?.querySelectorAll(".cards section") ?? []),
  ])
  const said = sections.map((section) => {
    const [heading, text] = ["h2", "p"].map((part) => section.querySelector(part)?.textContent ?? "")
    return element("p", heading ? [element("b", heading), " ", text] : text)
  })
  return [element("h1", title), element("p", subtitle), ...said].map(({ outerHTML }) => outerHTML).join("")
}

// No text of the page may end the script that it stands in.
const literal = (value) => JSON.stringify(value).replaceAll("<", "\\u003c")

async function read(address) {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(_("{address} did not load: {status}", { address, status: answer.status }))
  return answer.text()
}

function base64(bytes) {
  let text = ""
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

// Arranges boxes as rows of columns of rows. It cuts them wherever a straight line passes between all of them.
function arrange(items, down = true, cutBefore = true) {
  if (items.length === 1) return items[0].n
  const [start, end] = down ? ["top", "bottom"] : ["left", "right"]
  const groups = []
  let reach = -Infinity
  for (const item of [...items].sort((a, b) => a.box[start] - b.box[start])) {
    if (item.box[start] >= reach - 1) groups.push([])
    groups.at(-1).push(item)
    reach = Math.max(reach, item.box[end])
  }
  if (groups.length === 1 && !cutBefore) return { down: true, parts: items.map(({ n }) => n), sizes: [] }
  const parts = groups.map((group) => arrange(group, !down, groups.length > 1))
  const sizes = groups.map(
    (group) => Math.max(...group.map(({ box }) => box.right)) - Math.min(...group.map(({ box }) => box.left)),
  )
  return { down, parts, sizes }
}
