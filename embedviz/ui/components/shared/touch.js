// One finger scrolls the page, over a picture too. Two fingers move the picture and zoom it.

// Calls act({ x, y, dx, dy, zoom }): where in the picture the middle between both fingers was, in pixels, how far it
// went, and how much further apart they are. What draws the picture never gets the touch, but a tap comes as a click.
export function onTwoFingers(root, act) {
  let before
  const track = (event) => {
    event.stopPropagation()
    if (event.touches.length !== 2) {
      before = undefined
      return
    }
    event.preventDefault()
    const now = middle(root, event.touches)
    if (event.type === "touchmove" && before) {
      act({ x: before.x, y: before.y, dx: now.x - before.x, dy: now.y - before.y, zoom: now.apart / before.apart })
    }
    before = now
  }
  for (const name of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    root.addEventListener(name, track, { capture: true, passive: false })
  }
}

function middle(root, [a, b]) {
  const { left, top } = root.getBoundingClientRect()
  const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1
  return { x: (a.clientX + b.clientX) / 2 - left, y: (a.clientY + b.clientY) / 2 - top, apart }
}
