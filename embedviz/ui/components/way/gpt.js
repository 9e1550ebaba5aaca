// The small GPT, as embedviz/training/model.py has it, in double precision. Vectors are rows: (T, D) is T arrays of D.

const EPSILON = 1e-5 // of PyTorch's LayerNorm
const FREQUENCY_BASE = 10000 // of RoPE

const sum = (values) => values.reduce((all, value) => all + value, 0)
const dot = (a, b) => {
  let all = 0
  for (let n = 0; n < a.length; n++) all += a[n] * b[n]
  return all
}
const plus = (x, y) => x.map((row, t) => row.map((value, n) => value + y[t][n]))
const linear = (x, weight, bias) => x.map((row) => weight.map((each, n) => dot(each, row) + (bias ? bias[n] : 0)))

/** @param {number[]} scores */
function softmax(scores) {
  const most = Math.max(...scores)
  const exps = scores.map((score) => Math.exp(score - most))
  const all = sum(exps)
  return exps.map((value) => value / all)
}

const norm = (x, weight, bias) =>
  x.map((row) => {
    const mean = sum(row) / row.length
    const deviation = Math.sqrt(sum(row.map((value) => (value - mean) ** 2)) / row.length + EPSILON)
    return row.map((value, n) => ((value - mean) / deviation) * weight[n] + bias[n])
  })

// The error function by the series 2 / sqrt(pi) exp(-x²) (x + 2x³/3 + 4x⁵/15 + …), whose terms have one sign, so that
// none of them is lost. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6.
export function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x)
  let [all, term] = [x, x]
  for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(all); n += 2) {
    term *= (2 * x * x) / n
    all += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * all
}
const gelu = (value) => (value / 2) * (1 + erf(value / Math.SQRT2))

/**
 * IDs at their places through the model, as `run_model` in embedviz/training/next_word.py gives it.
 * @param {SmallGpt} model
 * @param {number[]} ids T of them
 * @param {number[][]} places how much each token has of each position, (T, L)
 * @returns {GptRun}
 */
export function forward({ weights, positions, heads }, ids, places) {
  let x = ids.map((id) => Array.from(weights["token_embedding.weight"][id]))
  if (positions === "learned") x = plus(x, times(places, weights["position_embedding.weight"]))
  const angles = positions === "rope" ? places.map((row) => sum(row.map((share, n) => share * n))) : null
  const states = [x]
  /** @type {number[][][][]} */
  const attentions = []
  for (let n = 0; `blocks.${n}.attended.weight` in weights; n++) {
    const part = (name, of) => linear(of, weights[`blocks.${n}.${name}.weight`], weights[`blocks.${n}.${name}.bias`])
    const normed = (name) => norm(x, weights[`blocks.${n}.${name}.weight`], weights[`blocks.${n}.${name}.bias`])
    const { looks, mixed } = attend(part("queries_keys_values", normed("norm_1")), heads, angles)
    x = plus(x, part("attended", mixed))
    const wide = part("widen", normed("norm_2")).map((row) => row.map(gelu))
    x = plus(x, part("narrow", wide))
    attentions.push(looks)
    states.push(x)
  }
  const last = norm(x, weights["norm.weight"], weights["norm.bias"])
  states[states.length - 1] = last
  const head = weights["head.weight"] ?? weights["token_embedding.weight"] // as in GPT-2
  return { states, attentions, chances: softmax(linear(last.slice(-1), head)[0]) }
}

// (T, L) times (L, D). Most shares are 0.
const times = (places, table) =>
  places.map((row) =>
    row.reduce(
      (all, share, at) => (share ? all.map((value, n) => value + share * table[at][n]) : all),
      new Array(table[0].length).fill(0),
    ),
  )

// Causal attention in each head: its weights, (H, T, T), and what all heads bring, (T, D).
function attend(rows, heads, angles) {
  const size = rows[0].length / 3 / heads
  const cut = (row, part, head) => row.slice((part * heads + head) * size, (part * heads + head + 1) * size)
  /** @type {number[][]} */
  const mixed = rows.map(() => [])
  const looks = Array.from({ length: heads }, (_each, head) => {
    const [queries, keys] = [0, 1].map((part) =>
      rows.map((row, t) => (angles ? turned(cut(row, part, head), angles[t]) : cut(row, part, head))),
    )
    const values = rows.map((row) => cut(row, 2, head))
    return queries.map((query, t) => {
      const weights = softmax(keys.slice(0, t + 1).map((key) => dot(query, key) / Math.sqrt(size)))
      mixed[t].push(...values[0].map((_value, n) => sum(weights.map((weight, at) => weight * values[at][n]))))
      return rows.map((_row, at) => weights[at] ?? 0)
    })
  })
  return { looks, mixed }
}

// RoPE: numbers k and k + d/2 are turned together.
function turned(row, position) {
  const half = row.length / 2
  const angle = (k) => position * FREQUENCY_BASE ** (-k / half)
  return row.map((value, n) =>
    n < half
      ? value * Math.cos(angle(n)) - row[n + half] * Math.sin(angle(n))
      : row[n - half] * Math.sin(angle(n - half)) + value * Math.cos(angle(n - half)),
  )
}
