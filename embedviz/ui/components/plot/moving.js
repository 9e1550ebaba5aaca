// A picture that can be moved. Two fingers move it as the pointer does, and a button brings it back.

import { onTwoFingers } from "../shared/touch.js"

const MOVED = /range/

// Begins to listen when a figure is drawn for the first time. reset is a function that draws the figure as it was.
export function movable(root, reset) {
  const button = root.parentElement.querySelector(".ev-reset")
  const back = () => {
    button.hidden = true
    reset()
  }
  button.onclick = back
  root.on("plotly_doubleclick", back)
  root.on("plotly_relayout", (changes) => (button.hidden &&= !Object.keys(changes).some((name) => MOVED.test(name))))
  onTwoFingers(root, (fingers) => {
    const changes = shifted(root, fingers)
    if (Object.keys(changes).length) window.Plotly.relayout(root, changes)
  })
}

// The ranges of the panel under the fingers, chosen so that the points under the fingers stay there.
function shifted({ _fullLayout: { _plots, dragmode } }, { x, y, dx, dy, zoom }) {
  const within = (axis, at) => at >= axis._offset && at <= axis._offset + axis._length
  const panel = Object.values(_plots ?? {}).find(({ xaxis, yaxis }) => within(xaxis, x) && within(yaxis, y))
  if (!panel || dragmode === false) return {}
  const moved = (axis, at, by) => {
    const [low, high] = axis.range
    const place = at - axis._offset
    const upright = axis._id[0] === "y"
    const value = (pixel) => low + ((high - low) * (upright ? axis._length - pixel : pixel)) / axis._length
    const was = (pixel) => value((pixel - place - by) / zoom + place)
    return upright ? [was(axis._length), was(0)] : [was(0), was(axis._length)]
  }
  return {
    [`${panel.xaxis._name}.range`]: moved(panel.xaxis, x, dx),
    [`${panel.yaxis._name}.range`]: moved(panel.yaxis, y, dy),
  }
}
