// Keys: those that are not ours, and arrow keys that move inside a group.

// With Alt, Ctrl or Meta a key belongs to the browser or to the system: Alt and an arrow key go back, for instance.
export const hasModifier = ({ altKey, ctrlKey, metaKey }) => altKey || ctrlKey || metaKey

// A button that leads on is pressed once by a key, however long the key is held down.
export const oncePressed = (event) => event.repeat && event.key === "Enter" && event.preventDefault()

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
const groups = new WeakSet()

// One tab stop for many: Tab reaches the group, arrow keys, Home and End move inside it. Call again whenever the
// members have changed. In a table, columns: how many members stand in a row.
export function rove(group, selector, columns = 1) {
  const members = () => [...group.querySelectorAll(selector)]
  const current = members().find((member) => member === group.getRootNode().activeElement) ?? members()[0]
  members().forEach((member) => (member.tabIndex = member === current ? 0 : -1))
  group.dataset.columns = columns
  if (groups.has(group)) return
  groups.add(group)
  group.addEventListener("keydown", (event) => {
    const all = members()
    const at = all.indexOf(event.target)
    const to =
      at < 0
        ? undefined
        : target(event, at, all.length, Number(group.dataset.columns), getComputedStyle(group).direction)
    if (to === undefined) return
    event.preventDefault()
    all.forEach((member) => (member.tabIndex = -1))
    all[to].tabIndex = 0
    all[to].focus()
  })
  group.addEventListener("focusin", ({ target: focused }) => {
    const all = members()
    if (all.includes(focused)) all.forEach((member) => (member.tabIndex = member === focused ? 0 : -1))
  })
}

function target(event, at, count, columns, direction) {
  const { key, shiftKey } = event
  if (hasModifier(event) || shiftKey) return undefined
  if (key === "Home") return 0
  if (key === "End") return count - 1
  if (!(key in STEPS)) return undefined
  const vertical = key === "ArrowUp" || key === "ArrowDown"
  const turn = !vertical && direction === "rtl" ? -1 : 1
  const to = at + STEPS[key] * turn * (vertical ? columns : 1)
  return to >= 0 && to < count ? to : at
}
