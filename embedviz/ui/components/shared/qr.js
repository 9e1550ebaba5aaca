// QR codes of addresses. rows: of each module whether it is dark, as "1" and "0".
import { set, shape } from "./elements.js"
import { _ } from "./i18n.js"
const MARGIN = 4 // modules of white around a QR code, which readers need

export function drawCode(drawing, rows) {
  const size = rows.length + 2 * MARGIN
  set(drawing, { viewBox: `${-MARGIN} ${-MARGIN} ${size} ${size}`, "aria-label": _("QR code of the address") })
  const dark = rows.flatMap((row, y) => [...row].map((bit, x) => (bit === "1" ? `M${x} ${y}h1v1h-1z` : "")))
  drawing.replaceChildren(shape("path", { d: dark.join("") }))
}

// Whether an address leads everyone to a machine of their own.
export const leadsHome = (address) =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1?\]|0\.0\.0\.0)$/.test(new URL(address).hostname)
const HOME = _(
  "Only this machine can open this address: no phone can. Open embedviz under a name that others reach, and make the code there.",
)
export const unreachable = (address) => (leadsHome(address) ? HOME : "")
