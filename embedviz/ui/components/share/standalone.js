// The page as one file that opens without a server or a network. It has the same components, with what they show now.

import { save, slug } from "../shared/files.js"
import { _ } from "../shared/i18n.js"
import { onPage } from "../shared/instances.js"
import { now } from "../shared/link.js"
import { unpack } from "../shared/payload.js"

// A program has its colours only where somebody has opened its fold.
const PROGRAMS = '[data-testid="stCode"] code, [data-testid="stExpander"] [data-testid="stText"]'
const SHEET = `
body { margin: 0 auto; padding: 1.5rem clamp(0.75rem, 2.5vw, 3rem); max-width: 120rem; color: var(--st-text-color);
  background: var(--st-background-color); font-family: var(--st-font); }
h1 { margin: 0; font-size: 1.55rem; font-weight: 650; }
header p { margin: 0.2rem 0 1rem; opacity: 0.75; }
.row { display: flex; gap: 1rem; align-items: flex-start; }
.column { display: flex; flex-direction: column; gap: 0.8rem; min-width: 0; }
pre { overflow: auto; padding: 1rem; border-radius: 0.5rem; background: var(--st-secondary-background-color); }
@media (max-width: 640px) { .row { flex-direction: column; align-items: stretch; } }
`

export async function savePage() {
  const title = document.querySelector("h1")?.textContent ?? document.title
  const html = await build(title)
  save(`embedviz-${slug(title)}.html`, [html], "text/html")
}

async function build(title) {
  const instances = onPage()
  const names = [...new Set(instances.map(({ name }) => name))]
  const modules = await sources(["embedviz/ui/components/share/opened", ...names])
  const figure = instances.find(({ name }) => name === "embedviz/ui/components/plot/plot")
  const library = figure ? await read(new URL(unpack(figure.data).plotly, document.baseURI)) : ""
  const page = {
    title,
    subtitle: document.querySelector('[data-testid="stCaptionContainer"]')?.textContent ?? "",
    code: [...document.querySelectorAll(PROGRAMS)].map((code) => code.textContent),
    amount: now("amount"),
    tree: arrange(instances.map(({ element }, n) => ({ n, box: element.getBoundingClientRect() }))),
    instances: instances.map(({ name, html, css, data }) => ({ name, html, css, data: data && base64(data) })),
  }
  return [
    `<!doctype html><html lang="${document.documentElement.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title></title><style>:root { ${colours(instances[0].element)} }${SHEET}</style>`,
    `<script>${library.replaceAll("</script", "<\\/script")}</script>`,
    ...[...document.querySelectorAll("#ev-texts")].map((texts) => texts.outerHTML),
    `<script type="importmap">${literal({ imports: modules })}</script></head><body>`,
    `<script type="application/json" id="page">${literal(page)}</script>`,
    `<script type="module">import { open } from "embedviz/ui/components/share/opened.js"; open()</script></body></html>`,
  ].join("\n")
}

// No text of the page may end the script that it stands in.
const literal = (value) => JSON.stringify(value).replaceAll("<", "\\u003c")

// Every module that these components need, by the name under which the file will import it.
async function sources(names) {
  const found = {}
  const all = new URL("../../../../", import.meta.url).href
  const queue = names.map((name) => `${all}${name}.js`)
  const bareNameOf = (address) => address.replace(all, "")
  for (const address of queue) {
    const text = await read(address)
    const bare = text.replace(/(from|import) "(\.[^"]+\.js)"/g, (_, word, path) => {
      const other = new URL(path, address).href
      if (!queue.includes(other)) queue.push(other)
      return `${word} "${bareNameOf(other)}"`
    })
    found[bareNameOf(address)] = `data:text/javascript;base64,${base64(new TextEncoder().encode(bare))}`
  }
  return found
}

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

// The theme that components see.
function colours(element) {
  const style = getComputedStyle(element)
  const names = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).flatMap((rule) =>
    [...(rule.style ?? [])].filter((name) => name.startsWith("--st-")),
  )
  return [...new Set(names)].map((name) => `${name}: ${style.getPropertyValue(name)};`).join(" ")
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
  const sizes = groups.map((group) => Math.max(...group.map(({ box }) => box.right)) - Math.min(...group.map(({ box }) => box.left)))
  return { down, parts, sizes }
}
