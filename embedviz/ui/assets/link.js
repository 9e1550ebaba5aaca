// What the parts of a page tell each other in the browser, without a rerun: which token is pointed at,
// and how much of the positions is added.

let pinned = []
let amount = 1

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }))
const same = (a, b) => a.length === b.length && a.every((id, n) => id === b[n])

export const point = (ids) => tell("embedviz:hover", { ids })
export const leave = () => tell("embedviz:hover", { ids: pinned })

// A click or a tap keeps the light on; a second one lets go.
export function pin(ids) {
  pinned = same(ids, pinned) ? [] : ids
  leave()
}

export const lit = () => pinned
export const isPinned = (ids) => pinned.length > 0 && same(ids, pinned)

export const added = () => amount
export function add(share) {
  amount = share
  tell("embedviz:amount", { share })
}

// Which snapshot of a training is on screen; Infinity: the last.
let snapshot = Infinity
export const turned = () => snapshot
export function turnTo(at) {
  snapshot = at
  tell("embedviz:frame", { at })
}

export function listen(name, act) {
  const handler = (event) => act(event.detail)
  document.addEventListener(name, handler)
  return () => document.removeEventListener(name, handler)
}
