// What Python and the scripts share, for the type checker alone: no browser gets this file.
//
// A payload is what `pack` packs and `unpack` unpacks (component.py, payload.js): float32 arrays of one axis are
// Float32Array, and of two they are one Float32Array for each row.

type Numbers = Float32Array | number[]
type Rows = Float32Array[]

/** What lights up together: a token's ID, or a position as in "@3". */
type Lit = number | string

// Figures -------------------------------------------------------------------------------------------

/** A trace's `meta`. The keys are those of TraceMeta in embedviz/figures/figure.py, which says what they are. */
interface TraceMeta {
  ids?: number[]
  column_ids?: number[]
  also?: string[][]
  start?: Coordinates
  apart?: Rows
  beside?: boolean
  around?: boolean
  frames?: Record<string, Rows>
  ways?: number
}

/** A layout's `meta`. The keys are those of LayoutMeta in embedviz/figures/figure.py, which says what they are. */
interface LayoutMeta {
  panels: { width: number; rem: number }[]
  columns: [number, number]
  once: string[]
  roles: Record<string, number[]>
  shorts: Record<string, string>
  notes: Record<string, Record<string, Float32Array>>
  bars?: "below"
  at_share?: { heading: number; start: string; text: string }[]
  names?: string[]
  headings?: number[]
  ranges?: Record<string, Rows>
  plays?: number
  frames?: number
}
