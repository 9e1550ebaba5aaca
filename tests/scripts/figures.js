// A figure of Python's on its way to Plotly, as plot.js leads it, without a page.

import { labelled } from "../../embedviz/ui/components/plot/labels.js"
import { arrange, heightOf } from "../../embedviz/ui/components/plot/panels.js"
import { legible, lengthsOf, scaled } from "../../embedviz/ui/components/plot/scale.js"

// A figure that is enlarged, made smaller again, and drawn.
export function resized(figure, factor, room) {
  const enlarged = scaled(figure, factor)
  const back = scaled(enlarged, 1 / factor)
  const layout = arrange(enlarged, { width: room.clientWidth, height: room.clientHeight }, false, factor > 1)
  const drawn = labelled({ data: enlarged.data, layout }, lengthsOf(layout, room), factor)
  return { enlarged, same: enlarged.data === figure.data, back, legible: legible(drawn, factor, room) }
}

// The layout with its panels in their places.
export function arranged(figure, width, height, factor) {
  const own = scaled(figure, factor)
  const isNarrow = width < 620
  const high = 16 * parseFloat(heightOf(own.layout, isNarrow)) || height
  return { ...arrange(own, { width, height: high }, isNarrow, factor > 1), width, height: high }
}

// Where the first two panels begin and end on a narrow screen, in pixels.
export function across(figure, room) {
  const { margin, xaxis, xaxis2 } = arrange(figure, room, true, false)
  const length = room.width - margin.l - margin.r
  return [xaxis, xaxis2].map(({ domain }) => domain.map((share) => margin.l + share * length))
}
