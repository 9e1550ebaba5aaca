// A notice that tries again by itself. It counts down, asks for its own address, and opens the page when there is room.
const { seconds, one, many } = document.currentScript.dataset
const output = document.querySelector("output")
let left = Number(seconds)

const show = () => {
  output.textContent = left === 1 ? one : many.replace("{seconds}", left)
}

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
  show()
}

show()
setInterval(tick, 1000)
