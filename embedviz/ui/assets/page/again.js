// A notice that tries again by itself. It counts down, asks for its own address, and opens the page when there is room.
const { seconds, one = "", many = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset
const output = /** @type {HTMLOutputElement} */ (document.querySelector("output"))
let left = Number(seconds)

const show = () => {
  output.textContent = left === 1 ? one : many.replace("{seconds}", String(left))
}

const ask = async () => {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined)
  if (answer?.ok) location.reload()
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
