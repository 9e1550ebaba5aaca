// A slider from no positions to all of them, and a button that plays it.

import { add, added, listen } from "./link.js"
import { _ } from "./texts.js"

const SECONDS = 2
const players = new WeakMap()

export function render({ parentElement }) {
  const [button, slider, output] = ["button", "input", "output"].map((tag) => parentElement.querySelector(tag))
  if (players.has(slider)) return
  const player = { frame: 0, stop: listen("embedviz:amount", show) }
  players.set(slider, player)
  slider.oninput = () => (halt(), add(slider.value / 100))
  button.onclick = () => (player.frame ? halt() : play())
  show({ share: added() })

  function show({ share }) {
    slider.value = Math.round(share * 100)
    output.textContent = `${slider.value} %`
    slider.setAttribute("aria-valuetext", _("{share} % of the positions", { share: slider.value }))
  }

  function play() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return add(added() === 1 ? 0 : 1)
    const began = performance.now()
    const step = (now) => {
      const time = Math.min(1, (now - began) / (SECONDS * 1000))
      add(time * time * (3 - 2 * time))
      player.frame = time < 1 ? requestAnimationFrame(step) : 0
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
    button.setAttribute("aria-label", player.frame ? _("Pause") : _("Play: add the positions"))
  }
}

export function stop({ parentElement }) {
  const slider = parentElement.querySelector("input")
  const player = players.get(slider)
  if (!player) return
  cancelAnimationFrame(player.frame)
  player.stop()
  players.delete(slider)
}
