// A slider and a button that plays it: from no positions to all of them and back, or through the snapshots of a
// training.

import { _, listen, move, now, once, viewOf } from "../shared/index.js"

// Positions are taken away again once all of them are there, and begin and end slowly. Snapshots begin anew, at one
// speed.
const KINDS = {
  amount: { seconds: 2, isTwoWay: true, pace: (time) => time * time * (3 - 2 * time) },
  snapshot: { seconds: 5, isTwoWay: false, pace: (time) => time },
}

/** @param {Component<SliderData>} component */
export function render({ data, parentElement }) {
  const [row, button, sign, label, slider, output] = [".row", ".play", ".play i", "label span", "input", "output"].map(
    (part) => parentElement.querySelector(part),
  )
  const { kind, name, play, ways = [], labels, run, from, idle } = data
  const { seconds, isTwoWay, pace } = KINDS[kind]
  const last = labels ? labels.length - 1 : 100
  const words = [...button.querySelectorAll("span")]
  const player = viewOf(parentElement, () => ({ kind, frame: 0 }))
  player.stop?.()
  const ends = [listen(`embedviz:${kind}`, show), listen("embedviz:step", answerStep)]
  player.stop = () => ends.forEach((end) => end())
  once(parentElement, () => [() => stop(player)])
  row.classList.add(kind)
  label.textContent = name
  words.forEach((word, n) => (word.textContent = ways[n] ?? ""))
  slider.max = last
  slider.oninput = () => {
    halt()
    move(kind, +slider.value)
  }
  button.onclick = () => (player.frame ? halt() : start())
  button.disabled = slider.disabled = !last || Boolean(idle) // before training there is nothing to play
  if (player.run !== run) {
    halt()
    move(kind, from ?? (labels ? Infinity : last))
    if (from !== undefined && from < last) start()
  } else show({ at: now(kind) })
  player.run = run

  function show({ at }) {
    const n = Math.min(Math.round(at), last)
    slider.value = n
    output.textContent = labels ? labels[n] : _("{n} %", { n })
    slider.setAttribute("aria-valuetext", labels ? labels[n] : _("{share} % of the positions", { share: n }))
    showState()
  }

  // Both words take their room all the time, so that nothing jumps.
  function showState() {
    const isBack = isTwoWay && (player.frame ? player.goal === 0 : now(kind) >= last)
    words.forEach((word, n) => word.classList.toggle("off", isBack !== (n === 1)))
    sign.textContent = player.frame ? "❚❚" : "▶"
    button.setAttribute("aria-label", player.frame ? _("Pause") : (ways[Number(isBack)] ?? play))
  }

  function start(goal = isTwoWay && now(kind) >= last ? 0 : last) {
    const isAtEnd = now(kind) >= last
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return move(kind, isAtEnd ? 0 : goal)
    const begin = isAtEnd && !isTwoWay ? 0 : Math.min(now(kind), last)
    const [length, began] = [Math.abs(goal - begin) / last, performance.now()]
    player.goal = goal
    const step = (moment) => {
      const time = Math.min(1, Math.max(0, moment - began) / (seconds * 1000 * length))
      player.frame = time < 1 ? requestAnimationFrame(step) : 0
      move(kind, begin + (goal - begin) * pace(time))
    }
    player.frame = requestAnimationFrame(step)
    showState()
  }

  // In a hall a key that leads on adds the positions first, and one that leads back takes them away. A second key
  // during that ends it.
  function answerStep(asked) {
    const goal = asked.step > 0 ? last : 0
    if (!isTwoWay || now(kind) === goal || slider.disabled || !row.checkVisibility()) return
    asked.isTaken = true
    if (!player.frame) return start(goal)
    halt()
    move(kind, goal)
  }

  function halt() {
    cancelAnimationFrame(player.frame)
    player.frame = 0
    showState()
  }
}

function stop(player) {
  cancelAnimationFrame(player.frame)
  player.stop()
  if (player.run !== undefined) move(player.kind, Infinity)
}
