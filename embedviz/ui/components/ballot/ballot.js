// A vote of the hall: its choices, the way to it for phones, and its bars. Text only.

import { _, counted, drawCode, element, once, shape, tall, unreachable, viewOf } from "../shared/index.js"

export function render({ data, parentElement, setTriggerValue, name }) {
  const root = parentElement.querySelector(".ballot")
  const view = viewOf(parentElement, () => ({}))
  Object.assign(view, { data, send: setTriggerValue, isLive: name !== undefined })
  root.style.height = tall(data.height)
  root.classList.toggle("running", !!data.address && !data.isOver)
  const shown = !data.address ? choicesOf(data) : data.isOver ? barsOf(data) : wayOf(view)
  root.replaceChildren(...(data.question ? [element("h2", data.question)] : []), shown, ...acts(view))
  once(parentElement, () => {
    const timer = setInterval(() => look(view), 1000)
    return [() => clearInterval(timer)]
  })
}

function acts({ data, send, isLive }) {
  if (!data.acts || !isLive) return []
  const [label, act] = !data.address ? [_("Let the hall vote"), "open"] : data.isOver ? [_("Vote again"), "open"] : [_("Show the bars"), "end"]
  const button = element("button", label)
  button.onclick = () => send("vote", act)
  return [button]
}

const choicesOf = ({ choices }) => element("ol", choices.map((choice) => line("li", choice)))

// What a visitor typed, in its own direction.
function line(tag, text, kind = "") {
  const made = element(tag, text, kind)
  made.dir = "auto"
  return made
}

function wayOf(view) {
  const { address, rows, n } = view.data
  const drawing = shape("svg", { role: "img", "shape-rendering": "crispEdges" })
  drawCode(drawing, rows)
  const [, host, code] = address.match(/^\w+:\/\/(.*\/)(\w+)$/) ?? [, "", address]
  view.count = element("output", counted(n))
  const said = [
    element("p", _("Scan the code, or open this address:")),
    element("p", [host, element("b", code)], "address"),
    element("p", [view.count, " ", element("span", _("votes so far"))], "count"),
  ]
  const warning = unreachable(address)
  if (warning) said.push(element("p", warning, "problem"))
  return element("div", [drawing, element("div", said)], "way")
}

// A server that is away says so elsewhere (assets/page/away.js), and the next second asks again.
async function look(view) {
  const { address, isOver } = view.data
  if (!address || isOver || !view.isLive) return
  const code = address.slice(address.lastIndexOf("/") + 1)
  const answer = await fetch(new URL(`vote/${code}/count`, document.baseURI)).catch(() => undefined)
  if (answer?.ok) view.count.textContent = counted((await answer.json()).n)
}

function barsOf({ choices, counts, n }) {
  const bars = choices.map((choice, k) => {
    const bar = element("span", "", "bar")
    bar.style.width = `${(100 * counts[k]) / Math.max(...counts, 1)}%`
    const share = n ? ` · ${Math.round((100 * counts[k]) / n)} %` : ""
    return element("li", [line("span", choice, "choice"), element("span", [bar], "track"), element("span", counted(counts[k]) + share, "value")])
  })
  const list = element("ol", bars, "bars")
  list.setAttribute("aria-label", _("How the hall voted"))
  return list
}
