// The items of a list change places: one is dragged along it, or moved with Alt and an arrow key.

const STILL = 5 // pixels; a pointer that goes less far makes a click
const STEPS = { ArrowLeft: -1, ArrowRight: 1 }
const EDGE = 40 // pixels from the end of what is seen, where a longer list scrolls

// onMove gets the item at each of its steps. onEnd is called when it is let go, with true after a key, since others may
// follow. Returns a function that says whether an item is held: the list must not be drawn anew before onEnd.
export function movable(list, { canMove, onMove, onEnd }) {
  let drag
  list.addEventListener("pointerdown", ({ target, button, clientX, pointerId }) => {
    const item = target.closest("li")
    if (!item || button || !canMove()) return
    drag = { item, pointerId, start: clientX, before: [...list.children] }
    addEventListener("pointerup", () => end(true), { once: true }) // wherever that is
    addEventListener("pointercancel", () => end(false), { once: true })
  })
  list.addEventListener("pointermove", ({ pointerId, clientX }) => {
    if (drag?.pointerId !== pointerId) return
    if (!drag.moves && Math.abs(clientX - drag.start) < STILL) return
    if (!drag.moves) begin()
    if (putAt(list, drag.item, clientX)) onMove(drag.item)
    pull(drag.item, clientX)
  })
  list.addEventListener("keydown", (event) => {
    const { target, key, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!altKey || ctrlKey || metaKey || shiftKey || !(key in STEPS) || !canMove()) return
    event.preventDefault() // or the browser goes back
    const items = [...list.children]
    const item = target.closest("li")
    const step = STEPS[key] * (list.dir === "rtl" ? -1 : 1)
    const to = items.indexOf(item) + step
    if (!items[to]) return
    list.insertBefore(item, step > 0 ? items[to].nextSibling : items[to])
    target.focus()
    item.scrollIntoView({ block: "nearest", inline: "nearest" })
    onMove(item)
    onEnd(true)
  })
  return () => drag !== undefined

  function begin() {
    drag.moves = true
    list.setPointerCapture(drag.pointerId)
    drag.item.classList.add("dragged")
  }

  function end(isDone) {
    if (!drag) return
    const { item, moves, before } = drag
    drag = undefined
    if (moves) {
      item.classList.remove("dragged")
      item.style.translate = ""
      if (!isDone) list.replaceChildren(...before)
      onMove(item)
    }
    onEnd(false)
  }
}

// Puts the item where the pointer is. Returns whether that is another place.
function putAt(list, item, x) {
  const others = [...list.children].filter((other) => other !== item)
  const next = others.find((other) => middle(other) > x) ?? null
  if (item.nextElementSibling === next) return false
  list.insertBefore(item, next)
  return true
}

// The item itself hangs on the pointer.
function pull(item, x) {
  const scroller = item.closest(".scroll")
  const { left, right } = scroller.getBoundingClientRect()
  if (x > right - EDGE) scroller.scrollLeft += EDGE / 4
  if (x < left + EDGE) scroller.scrollLeft -= EDGE / 4
  item.style.translate = ""
  item.style.translate = `${x - middle(item)}px`
}

function middle(element) {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
