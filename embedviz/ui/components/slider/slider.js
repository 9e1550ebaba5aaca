// A slider that moves by itself: from no positions to all of them and back by the switch beside it, or through the
// snapshots of a training by a button.

import { _, listen, move, now, once, playsByItself, viewOf } from "../shared/index.js"

// Positions begin and end slowly. Snapshots begin anew, at one speed.
const KINDS = {
  amount: { seconds: 2, pace: (time) => time * time * (3 - 2 * time) },
  snapshot: { seconds: 5, pace: (time) => time },
}

const PAUSE = 1600 // milliseconds without positions, before they are added for whoever has just come

/** @param {Component<SliderData>} component */
export function render({ data, parentElement, name: live }) {
  const [row, button, label, slider, output] = [".row", ".play", "label span", "input", "output"].map((part) =>
    parentElement.querySelector(part),
  )
  /** @type {HTMLButtonElement[]} */
  const ends = [...parentElement.querySelectorAll(".switch button")]
  const { kind, name, play, labels, run, from, idle } = data
  const { seconds, pace } = KINDS[kind]
  const isSwitched = kind === "amount"
  const last = labels ? labels.length - 1 : 100
  const player = viewOf(parentElement, () => ({ kind, frame: 0, isNew: live !== undefined }))
  player.stop?.()
  const listening = [listen(`embedviz:${kind}`, show), listen("embedviz:step", answerStep)]
  player.stop = () => listening.forEach((end) => end())
  once(parentElement, () => [() => stop(player)])
  row.classList.add(kind)
  label.textContent = name
  slider.max = last
  slider.oninput = () => {
    halt()
    move(kind, +slider.value)
  }
  button.onclick = () => (player.frame ? halt() : start(last))
  for (const end of ends) end.onclick = () => leadTo(Number(end.dataset.at))
  for (const each of [button, slider, ...ends]) each.disabled = !last || Boolean(idle) // there is nothing to move
  if (player.run !== run) {
    halt()
    move(kind, from ?? (labels ? Infinity : last))
    if (from !== undefined && from < last) start(last)
  } else show({ at: now(kind) })
  player.run = run
  if (player.isNew && isSwitched)
    setTimeout(() => playsByItself() && !player.frame && !slider.disabled && start(last), PAUSE)
  player.isNew = false

  function show({ at }) {
    const n = Math.min(Math.round(at), last)
    slider.value = n
    output.textContent = labels ? labels[n] : _("{n} %", { n })
    slider.setAttribute("aria-valuetext", labels ? labels[n] : _("{share} % of the positions", { share: n }))
    showState()
  }

  function showState() {
    for (const end of ends) end.setAttribute("aria-pressed", String(now(kind) > 0 === Number(end.dataset.at) > 0))
    button.textContent = player.frame ? "❚❚" : "▶"
    button.setAttribute("aria-label", player.frame ? _("Pause") : (play ?? ""))
  }

  function start(goal) {
    const isAnew = !isSwitched && now(kind) >= last
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return move(kind, isAnew ? 0 : goal)
    const begin = isAnew ? 0 : Math.min(now(kind), last)
    const [length, began] = [Math.abs(goal - begin) / last, performance.now()]
    const step = (moment) => {
      const time = Math.min(1, Math.max(0, moment - began) / (seconds * 1000 * length))
      player.frame = time < 1 ? requestAnimationFrame(step) : 0
      move(kind, begin + (goal - begin) * pace(time))
    }
    player.frame = requestAnimationFrame(step)
    showState()
  }

  // A second press during the way ends it.
  function leadTo(goal) {
    if (!player.frame) return now(kind) === goal ? undefined : start(goal)
    halt()
    move(kind, goal)
  }

  // In a hall a key that leads on adds the positions first, and one that leads back takes them away.
  function answerStep(asked) {
    const goal = asked.step > 0 ? last : 0
    if (!isSwitched || now(kind) === goal || slider.disabled || !row.checkVisibility()) return
    asked.isTaken = true
    leadTo(goal)
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
