// About how much room a text needs.

// The length of a text in letters, of which Chinese, Japanese and Korean ones are twice as wide as others.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]/g
export const plainLength = (text) =>
  String(text)
    .replace(/<[^>]*>/g, "")
    .replace(/&\w+;/g, "x")
    .replace(WIDE, "xx").length

const LETTER = 0.52 // the width of a letter, as a share of the height of the type
export const linesOf = (text) => String(text).split("<br>")
const APART = /[\u2066-\u2069]/g
// Without the marks around words that have a direction of their own, which take no room.
export const bare = (text) => String(text).replace(APART, "")
export const widthOf = (text, size) => LETTER * size * Math.max(...linesOf(text).map(plainLength))

/**
 * How far apart upright names in a row are at least, from middle to middle, as a multiple of the type.
 * @param {ArrayLike<any>} names
 * @param {boolean} isLarge
 */
export function apartOf(names, isLarge) {
  const widest = Math.max(...Array.from(names).flatMap((name) => linesOf(bare(name)).map(plainLength)))
  return isLarge ? 0.55 * widest + (widest > 1 ? 0.8 : 0.15) : 0.5 * widest + 0.5
}
