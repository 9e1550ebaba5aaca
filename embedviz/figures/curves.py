"""Lines against a distance."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.i18n import _
from embedviz.figures import theme


@dataclass(frozen=True)
class Line:
    """A line of a chart. values: float32 of shape (K,), NaN where there are none. colour: a colour role."""

    name: str
    values: np.ndarray
    colour: str
    width: float = 2.5
    dash: str = "solid"
    shape: str = "linear"  # "hvh": steps

    def drawn(self, x: np.ndarray, hover: str = "", **more: object) -> dict:
        """The trace over x, (K,). By default pointing at it says the distance between key and query."""
        said = hover or _(
            "{name}<br>key − query {distance}: <b>{value}</b>", name=self.name, distance="%{x}", value="%{y:.4g}"
        )
        line = {"color": self.colour, "width": self.width, "dash": self.dash, "shape": self.shape}
        return theme.curve(self.name, x, self.values, said, line=line, **more)


def plane_axis(title: str = "", **more: object) -> dict:
    """An axis of a chart whose numbers lie around zero. title: what stands beside it. more: as Plotly knows it."""
    return theme.axis(title, zeroline=True, zerolinecolor=theme.FAINT, **more)
