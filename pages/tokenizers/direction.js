// Which way a text runs, by its first letter.

const FIRST = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/

export const runsLeft = (text) => RIGHT_TO_LEFT.test(FIRST.exec(text)?.[0] ?? "")
export const hasLetter = (text) => FIRST.test(text)
