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
  ids?: (number | null)[]
  column_ids?: number[]
  also?: Lit[][]
  start?: Coordinates
  beside?: boolean
  around?: boolean
  frames?: Record<string, Rows>
  ways?: number
}

/** A layout's `meta`. The keys are those of LayoutMeta in embedviz/figures/figure.py, which says what they are. */
interface LayoutMeta {
  panels: { width: number; rem: number; joins: boolean; gap: number }[]
  columns: [number, number]
  once: string[]
  roles: Record<string, number[]>
  shorts: Record<string, string>
  notes: Record<string, Record<string, Float32Array>>
  bars?: "below"
  names?: string[]
  headings?: number[]
  ranges?: Record<string, Rows>
  plays?: number
  frames?: number
}

/** Where points are, or what numbers cells have. */
interface Coordinates {
  type?: string
  x?: Numbers
  y?: Numbers
  z?: Rows
}

/** A trace, or an axis, a note and so on, as Plotly knows it: it has far more keys than our scripts name. */
interface Trace {
  type: string
  meta?: TraceMeta
  mode?: string
  name?: string
  // biome-ignore lint/suspicious/noExplicitAny: Plotly's own names are checked in tests/figures
  [key: string]: any
}

/** How words look. */
interface Type {
  size: number
  color?: string
  family?: string
}

interface Layout {
  font: Type
  annotations: Note[]
  /** On the screen the script notes here how it has placed the panels: see `arrange` in panels.js. */
  meta?: LayoutMeta & { margin?: Record<string, number>; isNarrow?: boolean; isLarge?: boolean }
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  [key: string]: any
}

/** An annotation. Those with a role say how large their words are. */
interface Note {
  text: string
  font?: Type
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  [key: string]: any
}

interface Figure {
  data: Trace[]
  layout: Layout
}

interface PlotData extends Figure {
  alt: string
  height: string
  plotly: string
  picks: boolean
}

/** A figure on the page, as plot.js keeps it. */
interface Plot {
  // biome-ignore lint/suspicious/noExplicitAny: Plotly adds to the element what it knows and does
  root: any
  asked: PlotData
  payload: PlotData
  /** With its names and panels in their places; null until it is drawn. */
  figure: Figure
  drawn: number
  lit: Lit[]
  isStale: boolean
  work: Promise<unknown>
  factor: number
  size: string
  roles: Record<string, string>
  shapes: object[]
  ends: Coordinates[]
  starts: (Coordinates | null)[]
  at(n: number): Trace
  // biome-ignore lint/suspicious/noExplicitAny: a point of Plotly's
  pick(point: any): void
}

// Components ----------------------------------------------------------------------------------------

/** What Streamlit hands to `render`. In a page that was saved as a file there is no `name`. */
interface Component<Data> {
  data: Data
  // biome-ignore lint/suspicious/noExplicitAny: which elements are in it says the component's own HTML
  parentElement: any
  name?: string
  setTriggerValue(name: string, value: unknown): void
  setStateValue(name: string, value: unknown): void
}

/** What a component keeps from drawing to drawing, with the data that it got last. */
interface View<Data> {
  data: Data
  // biome-ignore lint/suspicious/noExplicitAny: as parentElement
  root: any
  // biome-ignore lint/suspicious/noExplicitAny: each component says in its script what else it keeps
  [key: string]: any
}

/** links.py */
interface Link {
  text: string
  address: string
  query: string
  rel?: string
}

/** chips.py */
interface Chip {
  pad?: undefined
  id: number
  position: number | string
  text: string
  colour: number
  again: number
  part: boolean
  joined: boolean
  name: string
  share?: string
  tone?: string
}

interface ChipsData {
  label: string
  chips: (Chip | { pad: true; position: number; text: string })[]
  even: boolean
}

/** cards.py */
interface Card {
  title: string
  text: string
  tone: string
  stage: "" | "before" | "after"
}

interface CardsData {
  cards: Card[]
  links?: Link[]
}

/** strip.py */
interface StripData {
  text: string
  to: Link[]
  hints: string[]
  links: Link[]
  tone: "task" | "done" | "plain" | "station" | "answer"
  kept: Record<string, string>
}

/** ranking.py */
interface Ranked {
  id: number
  name: string
  value: string
  own: boolean
}

interface RankingData {
  lists: { title: string; note: string; rows: Ranked[] }[]
  height: string
}

/** slider.py */
interface SliderData {
  kind: "amount" | "snapshot"
  name: string
  play?: string
  labels?: string[]
  run?: string
  from?: number
  idle?: boolean
}

/** order.py. A pair is the places of a token and its copy, and 1 if they stay identical. */
interface OrderData {
  empty: string[]
  labels: string[]
  sentences: Chip[][]
  pairs: [number, number, number][]
  alt: string
  fixed: boolean
  undo: boolean
  redraw: number
}

/** pair_strips.py */
interface StripPair {
  id: number
  text: string
  part: boolean
  names: string[]
  token: number
  places: [number, number]
  distance: number
  same: boolean
  colour: number
  again: number
}

interface PairStripsData {
  label: string
  head: string
  limit: number
  tokens: Rows
  positions: Rows
  pairs: StripPair[]
  most: number
  all: string
  unrelated: [number, number, number] | null
  still?: true
}

/** table.py */
interface TableData {
  label: string
  columns: string[]
  rows: string[][]
  numbers: number[]
  folds: boolean
  tones: string[][]
  links: Link[][] | null
}

/** ballot.py */
interface BallotData {
  choices: string[]
  height: string
  address: string
  rows: string[]
  n: number
  votes: string
  origins: string
  counts?: number[]
}

/** share.py */
interface ShareData {
  presenting?: true
  code?: { address: string; asked: number; rows?: string[]; problem?: string }
}

/** cloud.py: the points, two numbers each; without IDs, that of a point is its place. */
interface CloudData {
  digest: string
  height: string
  points: Float32Array
  ids: Float32Array | null
}

interface CloudMarks {
  alt: string
  colour: string
  lit: number[]
  picked: number | null
  near: number[]
  axes: string[]
  size: number
  words: boolean
}

interface CloudTexts {
  name: string
  names: string
  kinds: { names: string[]; codes: string }
  lengths: string
  classes: { names: string[]; codes: string }
}

/** picture.py */
interface WayData {
  // biome-ignore lint/suspicious/noExplicitAny: a text, a title with its note, or several texts, as words.py says
  words: Record<string, any>
  sentences: [string, number | null][][]
  rows: WayRow[]
  vectors: Rows
  positions: Rows | null
  limit: number
  limit_after: number
  head: number
  bars: number
  layers: number
  states: WayState[]
  models: [string, string, boolean][]
  links: Record<string, Link>
  told?: undefined
}

/** What `told` in picture.py leaves of it, since nothing is sent before it is told. */
interface WayToldData extends Partial<Omit<WayData, "states" | "told">> {
  words: WayData["words"]
  sentences: WayData["sentences"]
  rows: WayRow[]
  bars: number
  layers: number
  states: (Partial<WayState> & Pick<WayState, "share" | "entry">)[]
  told: { share: number; until: string; lit: string[]; asked: string[]; compared: boolean; alt: string }
}

interface WayRow {
  text: string
  id: number
  colour: number
  again: number
  nth: [number | null, number | null]
  places: [number, number]
}

interface WayState {
  share: number
  headline?: string
  look?: string
  entry: "positions" | "attention" | "mask" | null
  one: boolean
  looks: Rows
  apart: Rows
  threads: [number, number, number, number][]
  after: Rows
  answers: [string, boolean | null, [string, number | null, number][]][]
  alike: number
  unrelated: number[] | null
}

/** A run of the small GPT, as `gpt_of` in embedviz/ui/whole_way/browser.py packs it. weights: by their names in PyTorch. */
interface SmallGpt {
  vocabulary: string[]
  positions: "learned" | "rope" | "none"
  heads: number
  context_length: number
  word: string
  // biome-ignore lint/suspicious/noExplicitAny: a table is an array of rows, and a bias one of numbers
  weights: Record<string, any>
}

/** Hidden states (n_layers + 1, T, D), attentions (n_layers, H, T, T), and the probability of each next word. */
interface GptRun {
  states: number[][][]
  attentions: number[][][][]
  chances: number[]
}

/** What is said of any two sentences, as `own_way` there gives it. */
interface OwnWay {
  texts: [string, string]
  names: [string, string]
  known: [string, string]
  models: [string, string][]
  asked: string
  next: string
  others: string
  questions: string[]
  forms: [string, "n" | "m"][]
  nouns: string[]
  colours: number
  percentile: number
  numbers: number
  refusals: { empty: string; unknown: string; long: string }
  runs: Record<string, WayOfRun>
}

/** What of it is said of one small GPT alone. */
interface WayOfRun {
  shares: number[]
  words: WayData["words"]
  headlines: Record<string, string>
  entries: Record<string, string>
  model: string
}

/** pages/tokenizers/segments.py */
interface SegmentTokens {
  ids: number[]
  texts: string[]
  spans: [number, number][]
  partial: boolean[]
  starts: boolean[]
  ends: boolean[]
  stays: boolean[]
  colours: number[]
}

interface SegmentsData {
  field: string
  text: string
  pieces: { texts: string[]; spans: [number, number][]; differs: boolean[] }
  rows: { name: string; numbers: string; read_by: string; note: string; tokens: SegmentTokens }[]
}

/** pages/positions/arrows.py */
interface ArrowsData {
  token: number[]
  position: number[]
  other: number[] | null
  limit: number
  step: number
  names: { token: string; position: string; input: string; other: string }
  axes: string[]
  colours: number[]
  distances: string[] | null
  said: string
  alt: string
}

/** pages/batches/windows.py */
interface WindowsData {
  first: number
  max_length: number
  starts: number[]
  tokens: { text: string }[]
  inputs: number[][]
  targets: number[][]
  colours: Record<string, number>
  names: string[][]
  target_names: string[][]
}

/** pages/tour/panel.py */
interface TourData {
  names: string[]
  step: number
  present: boolean
  heading: string
  words: string
  note: string
  answers: string[]
  verdict: { text: string; right: boolean | null } | null
  hall: boolean
  vote: "" | "running" | "over"
  stops: number[]
  score: string
  turn: number
}

// The page ------------------------------------------------------------------------------------------

/** What the server writes into each page for address.js: server/address.py. */
interface AddressFacts {
  travels: string[]
  keeps: Record<string, Record<string, string>>
  places: string[]
  options: Record<string, Record<string, string>>
  views: Record<string, Record<string, string>>
  pages: Record<string, boolean>
  opensAt: Record<string, number>
  most: number
}

/** The parts of a page tell each other, by events of the document, that something has changed: link.js. */
interface PageEvents {
  "embedviz:hover": { ids: Lit[] }
  "embedviz:pin": { names: string[] }
  "embedviz:amount": { at: number }
  "embedviz:snapshot": { at: number }
  "embedviz:step": { step: number; isTaken: boolean }
  "embedviz:picture": { step: number }
  "embedviz:cloud": { name: string }
  "embedviz:address": null
}

interface Window {
  // biome-ignore lint/suspicious/noExplicitAny: Plotly's own names are checked in tests/figures
  Plotly: any
  __streamlit?: { BACKEND_BASE_URL: string }
}

// Whatever our scripts ask a page for is an element of HTML, unless they say otherwise.
interface ParentNode {
  querySelector<Name extends keyof HTMLElementTagNameMap>(selector: Name): HTMLElementTagNameMap[Name] | null
  querySelector<Name extends keyof SVGElementTagNameMap>(selector: Name): SVGElementTagNameMap[Name] | null
  querySelector<Kind extends Element = HTMLElement>(selector: string): Kind | null
  querySelectorAll<Name extends keyof HTMLElementTagNameMap>(selector: Name): NodeListOf<HTMLElementTagNameMap[Name]>
  querySelectorAll<Name extends keyof SVGElementTagNameMap>(selector: Name): NodeListOf<SVGElementTagNameMap[Name]>
  querySelectorAll<Kind extends Element = HTMLElement>(selector: string): NodeListOf<Kind>
}
