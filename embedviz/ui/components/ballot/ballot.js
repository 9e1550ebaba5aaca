// A vote of the hall: the way to it for phones, and its bars. Text only; ballot.css shows what is on.

import { _, counted, drawCode, element, once, tall, unreachable, viewOf } from "../shared/index.js"

/** @param {Component<BallotData>} component */
export function render({ data, parentElement, name }) {
  const part = (selector) => parentElement.querySelector(selector)
  const { choices, address, rows, n, counts = [] } = data
  const cut = address.lastIndexOf("/") + 1
  part(".ballot").dataset.state = data.counts ? "over" : "running"
  part(".ballot").style.height = tall(data.height)
  part(".problem").tabIndex = 0 // it scrolls where it is long
  part(".bars").replaceChildren(...counts.map((count, k) => barOf(choices[k], count, n, Math.max(...counts, 1))))
  drawCode(part("svg"), rows)
  part(".address span").textContent = address.slice(0, cut).replace(/^\w+:\/\//, "")
  part(".address b").textContent = address.slice(cut)
  count(part(".count"), data)
  part(".problem").textContent = unreachable(address)
  viewOf(parentElement, () => ({})).asked = name !== undefined && !data.counts ? address.slice(cut) : ""
  once(parentElement, () => {
    const timer = setInterval(() => poll(viewOf(parentElement), part(".count")), 1000)
    return [() => clearInterval(timer)]
  })
}

function barOf(choice, count, n, most) {
  const filled = element("span")
  const bar = element("span", [filled], "track")
  filled.style.setProperty("--share", String(count / most))
  const share = _("{n} %", { n: Math.round((100 * count) / (n || 1)) })
  return element("li", [
    Object.assign(element("span", choice), { dir: "auto" }),
    bar,
    element("span", `${counted(count)} · ${share}`),
  ])
}

// A server that is away says so elsewhere (assets/page/away.js), and the next second asks again.
async function poll({ asked }, line) {
  const answer = asked && (await fetch(new URL(`vote/${asked}/count`, document.baseURI)).catch(() => undefined))
  if (answer?.ok) count(line, await answer.json())
}

// In the words of the server, which knows the plurals of each language.
function count(line, { votes = "", origins = "" }) {
  line.querySelector("output").textContent = votes
  line.querySelector("span").textContent = origins
}
