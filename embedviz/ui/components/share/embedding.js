// The HTML by which a course page shows this view in a frame; docs/embedding.md has it, too.

import { element, openDialog } from "../shared/index.js"

const LABELS = "[data-testid=stWidgetLabel], [data-testid=stPopover] button p, [data-testid=stExpander] summary p"
const HEIGHT = 720 // until the page in the frame has said its own
const SCRIPT = `<script>
// Each frame gets the height that the page in it says, if it is from the frame's own address.
addEventListener("message", ({ data, origin, source }) => {
  const height = data?.embedviz?.height
  if (!Number.isFinite(height)) return
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source && new URL(frame.src).origin === origin) frame.style.height = \`\${height}px\`
})
</script>`

// copy: writes a text to the clipboard, and shows at the button that this is done.
export function openFrame(dialog, copy) {
  const [shown, html] = ["fieldset", "textarea"].map((name) => dialog.querySelector(name))
  const languages = Object.entries(JSON.parse(document.getElementById("ev-languages")?.textContent ?? "{}"))
  const [lang] = dialog.querySelectorAll("select")
  if (lang.length === 1) lang.append(...languages.map(([tag, name]) => new Option(name, tag)))
  lang.value = document.documentElement.lang
  shown.replaceChildren(shown.firstElementChild, ...controls().map(([name, label]) => choice(name, label)))
  dialog.oninput = () => (html.value = htmlOf(dialog))
  dialog.oninput()
  dialog.querySelector(".copy").onclick = ({ target }) => copy(target, html.value)
  openDialog(dialog)
}

// What `?hide=` can hide of this page: the name of each, and its label or the words on what opens it.
function controls() {
  const fields = [...document.querySelectorAll(`[data-testid=stMain] :is(${LABELS})`)].map((label) => {
    const [, name = ""] = label.closest("[class*=st-key]")?.className.match(/\bst-key.(\w+)/) ?? []
    return [name, label.textContent.trim()]
  })
  return fields.filter(([name, label]) => label && name && !name.startsWith("frame_"))
}

function choice(name, label) {
  const box = Object.assign(element("input"), { type: "checkbox", name })
  return element("label", [box, label])
}

function htmlOf(dialog) {
  const address = new URL(location.href)
  const boxes = [...dialog.querySelectorAll("[type=checkbox]")]
  const hidden = boxes.filter(({ checked }) => !checked).map(({ name }) => name)
  const said = {
    present: "",
    slide: "",
    lesson: "",
    station: "",
    embed: "true",
    hide: hidden.length < boxes.length ? hidden.join() : "all",
  }
  for (const { name, value } of dialog.querySelectorAll("select")) said[name] = value
  for (const [name, value] of Object.entries(said))
    value ? address.searchParams.set(name, value) : address.searchParams.delete(name)
  const frame = element("iframe")
  frame.setAttribute("src", address.href)
  frame.setAttribute("title", document.title)
  frame.setAttribute("style", `width:100%;height:${HEIGHT}px;border:0`)
  frame.setAttribute("allow", "fullscreen")
  return `${frame.outerHTML}\n${SCRIPT}\n`
}
