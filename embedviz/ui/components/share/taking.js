// Some parts of the page have buttons of their own that save files. The panel offers these too, wherever they are.

import { _, onPage } from "../shared/index.js"

// The files that the server makes, folded away beside the program: { title, actions }.
export function files() {
  const buttons = [...document.querySelectorAll(".st-key-take_along button")]
  const notebook = buttons.filter((button) => labelOf(button) === _("Notebook"))
  const vectors = buttons.filter((button) => !notebook.includes(button))
  return [
    line(_("Program"), notebook, labelOf),
    line(_("Vectors"), vectors, (button) => labelOf(button).match(/\((.+)\)/)?.[1] ?? labelOf(button)),
  ].filter(({ actions }) => Object.keys(actions).length)
}

// The maps that are drawn. They draw their own pictures.
export const maps = ({ titleOf }) =>
  onPage()
    .filter(({ name }) => name === "embedviz/ui/components/cloud/cloud")
    .map(({ element }) => element.shadowRoot)
    .filter((root) => root.querySelector(".map[data-drawn]"))
    .map((root) =>
      line(
        titleOf(root.querySelector(".map")),
        [...root.querySelectorAll("[data-act=png], [data-act=svg]")],
        (button) => button.textContent,
      ),
    )

const labelOf = (button) => button.querySelector("p").textContent

const line = (title, buttons, name) => ({
  title,
  actions: Object.fromEntries(buttons.map((button) => [name(button), () => button.click()])),
})
