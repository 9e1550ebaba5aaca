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
export const widthOf = (text, size) => LETTER * size * Math.max(...linesOf(text).map(plainLength))
