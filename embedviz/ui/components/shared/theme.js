// Turns colour roles into the colours of the page's theme, as Streamlit gives them to components.

// After the eighth token, colours begin again from the first. A border and the dashes of a line then tell tokens apart.
export const BORDERS = ["solid", "dashed", "dotted", "double"]
export const DASHES = ["none", "9 5", "2 5", "12 4 2 4"]

const LISTS = { token: "categorical", sequential: "sequential", diverging: "diverging" }

let known // the colours that were read last, and what tells them from others

export function palette(element) {
  // What has left the page has no colours any more, but may draw until it hears that it has ended.
  if (known && !element.isConnected) return known.roles
  const style = getComputedStyle(element)
  const read = (name) => style.getPropertyValue(`--st-${name}`).trim()
  const grid = style.getPropertyValue("--ev-grid")
  const theme = [read("background-color"), read("primary-color"), read("chart-categorical-colors"), grid].join()
  if (known?.theme !== theme) known = { theme, roles: rolesOf(style, read, Number(grid)) }
  return known.roles
}

function rolesOf(style, read, grid) {
  const roles = {
    "--ink": read("text-color"),
    "--grid": read("border-color"),
    "--surface": read("background-color"),
    "--accent": read("primary-color"),
  }
  // In projection both are stronger; see present.css.
  roles["--faint"] = mix(roles["--ink"], roles["--surface"], Number(style.getPropertyValue("--ev-faint")) || 0.55)
  if (grid) roles["--grid"] = mix(roles["--ink"], roles["--surface"], grid)
  for (const [role, list] of Object.entries(LISTS)) {
    const colours = read(`chart-${list}-colors`).split(/,(?![^(]*\))/)
    colours.forEach((colour, n) => (roles[`--${role}-${n}`] = colour.trim()))
  }
  // What the colours mean: the table of embedviz/figures/theme.py, which stands in the document's style.
  for (const pair of style.getPropertyValue("--ev-roles").split(",")) {
    const [meaning, role] = pair.trim().split(" ")
    roles[`--${meaning}`] = roles[`--${role}`]
  }
  return roles
}

// The colour of a token, whose number Python gives.
export const tokenColour = (roles, n) => roles[`--token-${n}`]

// Every `var(--role)` in a figure, wherever it stands.
export function paint(value, roles) {
  if (typeof value === "string") {
    return value.includes("var(--") ? value.replace(/var\((--[a-z0-9-]+)\)/g, (_, role) => roles[role]) : value
  }
  if (Array.isArray(value)) {
    const numbers = ArrayBuffer.isView(value[0]) || (typeof value[0] === "number" && typeof value[1] === "number")
    return numbers ? value : value.map((part) => paint(part, roles))
  }
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, paint(part, roles)]))
}

function mix(a, b, share) {
  const [x, y] = [a, b].map((colour) => colour.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16)))
  return `rgb(${x.map((part, n) => Math.round(part * share + y[n] * (1 - share))).join(",")})`
}

// Whether the page is shown in a hall: present.css says how much stronger pale ink is there.
export const isHall = (element) => getComputedStyle(element).getPropertyValue("--ev-faint") !== ""
