// A slider and a button that plays it: from no positions to all of them, or through the snapshots of a training.

import { _ } from "../shared/i18n.js"
import { listen, move, now } from "../shared/link.js"
import { unpack } from "../shared/payload.js"

// Positions begin from nothing each time, and begin and end slowly. Snapshots go on from where they are, at one speed.
const KINDS = {
  amount: { seconds: 2, begin: () => 0, pace: (time) => time * time * (3 - 2 * time) },
  snapshot: { seconds: 5, begin: (share) => (share < 1 ? share : 0), pace: (time) => time },
}
const players = new WeakMap()

export function render({ data, parentElement }) {
  const [row, button, label, slider, output] = [".row", ".play", "span", "input", "output"].map((part) => parentElement.querySelector(part))
  const { kind, name, play, labels, run, from, ends = [] } = unpack(data)
  const sides = [...parentElement.querySelectorAll(".end")].slice(0, ends.length)
  const { seconds, begin, pace } = KINDS[kind]
  const last = labels ? labels.length - 1 : 100
  const player = players.get(slider) ?? { kind, frame: 0 }
  players.set(slider, player)
  player.stop?.()
  player.stop = listen(`embedviz:${kind}`, show)
  row.classList.add(kind)
  label.textContent = name
  slider.max = last
  slider.oninput = () => (halt(), move(kind, +slider.value))
  button.onclick = () => (player.frame ? halt() : start())
  sides.forEach((side, n) => {
    side.hidden = false
    side.textContent = ends[n]
    side.onclick = () => (halt(), move(kind, n * last))
  })
  button.disabled = !last // before training there is nothing to play
  if (player.run !== run) {
    halt()
    move(kind, from ?? (labels ? Infinity : last))
    if (from < last) start()
  } else show({ at: now(kind) })
  player.run = run
  sign()

  function show({ at }) {
    const n = Math.min(Math.round(at), last)
    slider.value = n
    output.textContent = labels ? labels[n] : `${n} %`
    sides.forEach((side, k) => side.setAttribute("aria-pressed", String(n === k * last)))
    slider.setAttribute("aria-valuetext", labels ? labels[n] : _("{share} % of the positions", { share: n }))
  }

  function start() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return move(kind, now(kind) < last ? last : 0)
    const [from, began] = [begin(now(kind) / last), performance.now()]
    const step = (moment) => {
      const time = Math.min(1, from + Math.max(0, moment - began) / (seconds * 1000))
      player.frame = time < 1 ? requestAnimationFrame(step) : 0
      move(kind, last * pace(time))
      sign()
    }
    player.frame = requestAnimationFrame(step)
    sign()
  }

  function halt() {
    cancelAnimationFrame(player.frame)
    player.frame = 0
    sign()
  }

  function sign() {
    button.textContent = player.frame ? "❚❚" : "▶"
    button.setAttribute("aria-label", player.frame ? _("Pause") : play)
  }
}

export function stop({ parentElement }) {
  const slider = parentElement.querySelector("input")
  const player = players.get(slider)
  if (!player) return
  cancelAnimationFrame(player.frame)
  player.stop()
  players.delete(slider)
  if (player.run !== undefined) move(player.kind, Infinity)
}
