// A vote of the hall: its choices, the way to it for phones, and its bars. Text only; ballot.css shows what is on.

import { _, counted, drawCode, element, once, tall, unreachable, viewOf } from "../shared/index.js"

export function render({ data, parentElement, setTriggerValue, name }) {
  const part = (selector) => parentElement.querySelector(selector)
  const { question = "", choices, address = "", rows = [], n = 0, counts, right } = data
  const cut = address.lastIndexOf("/") + 1
  Object.assign(part(".ballot").dataset, { state: counts ? "over" : address ? "running" : "open", acts: data.acts && name !== undefined })
  part(".ballot").style.height = tall(data.height)
  part("h2").textContent = question
  part("h2").tabIndex = part(".problem").tabIndex = 0 // they scroll where they are long
  part(".choices").replaceChildren(...choices.map((choice) => line("li", choice)))
  part(".bars").replaceChildren(...(counts ?? []).map((count, k) => barOf(choices[k], count, n, Math.max(...counts, 1), k + 1 === right)))
  drawCode(part("svg"), rows)
  part(".address span").textContent = address.slice(0, cut).replace(/^\w+:\/\//, "")
  part(".address b").textContent = address.slice(cut)
  count(part(".count"), data)
  part(".problem").textContent = address && unreachable(address)
  part(".start").onclick = part(".again").onclick = () => setTriggerValue("vote", "open")
  part(".end").onclick = () => setTriggerValue("vote", "end")
  viewOf(parentElement, () => ({})).asked = name !== undefined && address && !counts ? address.slice(cut) : ""
  once(parentElement, () => {
    const timer = setInterval(() => look(viewOf(parentElement), part(".count")), 1000)
    return [() => clearInterval(timer)]
  })
}

const line = (tag, text) => Object.assign(element(tag, text), { dir: "auto" })

function barOf(choice, count, n, most, isRight) {
  const bar = element("span", [element("span")], "track")
  bar.firstChild.style.setProperty("--share", count / most)
  const share = _("{n} %", { n: Math.round((100 * count) / (n || 1)) })
  const said = line("span", choice)
  if (isRight) said.prepend("✓ ")
  return element("li", [said, bar, element("span", `${counted(count)} · ${share}`)], isRight ? "right" : "")
}

// A server that is away says so elsewhere (assets/page/away.js), and the next second asks again.
async function look({ asked }, line) {
  const answer = asked && (await fetch(new URL(`vote/${asked}/count`, document.baseURI)).catch(() => undefined))
  if (answer?.ok) count(line, await answer.json())
}

// In the words of the server, which knows the plurals of each language.
function count(line, { votes = "", origins = "" }) {
  line.querySelector("output").textContent = votes
  line.querySelector("span").textContent = origins
}
