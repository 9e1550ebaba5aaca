// A colour for each token, by what is known of the token.

import { _, counted, palette as roles } from "../shared/index.js"

const STEPS = 24
const LONGEST = 16 // characters from which on a token has the last colour

// `codes`: index into `palette` for each of the ids; `legend`: what the colours mean; `names`: of the kinds, if any.
export function colours(element, ids, texts, marks) {
  const theme = roles(element)
  if (!texts || marks.colour === "id")
    return ramp(
      theme,
      Float32Array.from(ids, (id) => id / Math.max(1, marks.size - 1)),
      ["0", counted(marks.size - 1), _("token ID")],
      marks.words,
    )
  if (marks.colour === "length") {
    return ramp(
      theme,
      Float32Array.from(ids, (id) => Math.min(1, (texts.lengths.charCodeAt(id) - 49) / (LONGEST - 1))),
      ["1", _("{n} or more", { n: LONGEST }), _("characters")],
    )
  }
  const names = marks.colour === "class" ? texts.classes.names : texts.kinds.names
  const of = marks.colour === "class" ? texts.classes.codes : texts.kinds.codes
  const codes = Uint8Array.from(ids, (id) => of.charCodeAt(id) - 48)
  const counts = names.map(() => 0)
  codes.forEach((code) => counts[code]++)
  const palette = names.map((_, n) => rgb(theme[`--class-${n % 8}`]))
  const legend = names.map((name, n) => ({ name, colour: palette[n], count: counts[n] })).filter(({ count }) => count)
  return { codes, palette, legend, names }
}

function ramp(theme, shares, [low, high, title], words) {
  // The first colours of the scale are hardly seen on a dark ground, as single points.
  const stops = [2, 3, 4, 5, 6, 7, 8, 9].slice(isDark(theme) ? 3 : 0).map((n) => rgb(theme[`--sequential-${n}`]))
  const palette = Array.from({ length: STEPS }, (_, n) => between(stops, n / (STEPS - 1)))
  const codes = Uint8Array.from(shares, (share) => Math.round(Math.max(0, Math.min(1, share)) * (STEPS - 1)))
  return {
    codes,
    palette,
    legend: { low, high, title: words ? _("ID (words in alphabetical order)") : title, palette },
  }
}

function between(stops, share) {
  const at = share * (stops.length - 1)
  const n = Math.min(stops.length - 2, Math.floor(at))
  return stops[n].map((value, k) => Math.round(value + (at - n) * (stops[n + 1][k] - value)))
}

export const isDark = (theme) => rgb(theme["--surface"]).reduce((sum, part) => sum + part) < 3 * 128

const rgb = (hex) =>
  hex
    .match(/[0-9a-f]{2}/gi)
    .slice(0, 3)
    .map((part) => parseInt(part, 16))
