// A slider through the snapshots of a training, and a button that plays them.

import { listen, turned, turnTo } from "./link.js"
import { unpack } from "./payload.js"
import { _ } from "./texts.js"

const SECONDS = 5
const players = new WeakMap()

export function render({ data, parentElement }) {
  const [button, slider, output] = ["button", "input", "output"].map((tag) => parentElement.querySelector(tag))
  const { labels, run } = unpack(data)
  const player = players.get(slider) ?? { frame: 0 }
  players.set(slider, player)
  player.stop?.()
  player.stop = listen("embedviz:frame", show)
  const last = labels.length - 1
  slider.max = last
  slider.oninput = () => (halt(), turnTo(+slider.value))
  button.onclick = () => (player.frame ? halt() : play())
  if (player.run !== run) {
    halt()
    turnTo(last)
  } else show({ at: Math.min(turned(), last) })
  player.run = run

  function show({ at }) {
    const n = Math.min(Math.round(at), last)
    slider.value = n
    output.textContent = labels[n]
    slider.setAttribute("aria-valuetext", labels[n])
  }

  function play() {
    const start = turned() >= last ? 0 : turned()
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return turnTo(start ? last : 0)
    const began = performance.now()
    const step = (now) => {
      const at = Math.min(last, start + (Math.max(0, now - began) / (SECONDS * 1000)) * last)
      player.frame = at < last ? requestAnimationFrame(step) : 0
      turnTo(at)
      label()
    }
    player.frame = requestAnimationFrame(step)
    label()
  }

  function halt() {
    cancelAnimationFrame(player.frame)
    player.frame = 0
    label()
  }

  function label() {
    button.textContent = player.frame ? "❚❚" : "▶"
    button.setAttribute("aria-label", player.frame ? _("Pause") : _("Play the training"))
  }
}

export function stop({ parentElement }) {
  const slider = parentElement.querySelector("input")
  const player = players.get(slider)
  if (!player) return
  cancelAnimationFrame(player.frame)
  player.stop()
  players.delete(slider)
  turnTo(Infinity)
}
