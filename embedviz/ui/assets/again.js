// A notice that tries again by itself: it counts down, asks for its own address, and comes back when there is room.
const { seconds } = document.currentScript.dataset
const output = document.querySelector("output")
let left = Number(seconds)

const ask = async () => {
  const { ok } = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => ({}))
  if (ok) location.reload()
}

const tick = () => {
  left -= 1
  if (left <= 0) {
    left = Number(seconds)
    ask()
  }
  output.textContent = left === 1 ? "in 1 second" : `in ${left} seconds`
}

output.textContent = left === 1 ? "in 1 second" : `in ${left} seconds`
setInterval(tick, 1000)
