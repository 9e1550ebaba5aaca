"""The panels of every figure, on a wide screen and on a narrow one: each has room, and none lies on another."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.pages.site import payloads, visit
from tests.pages.test_presenting import NAMES, VIEWS


def axis_of(layout: dict, name: str) -> dict:
    """The axis that a trace calls x, x1 or y3."""
    axis, number = name[0], name[1:]
    names = (f"{axis}axis", f"{axis}axis1") if number in ("", "1") else (f"{axis}axis{number}",)
    return next((layout[each] for each in names if each in layout), {})


def panels(figure: dict, layout: dict) -> set[tuple[float, float, float, float]]:
    """Left, right, bottom and top of each plane that a trace lies in, as shares of the figure."""
    planes = {(trace.get("xaxis", "x"), trace.get("yaxis", "y")) for trace in figure["data"]}
    domains = [[axis_of(layout, name).get("domain", (0, 1)) for name in plane] for plane in planes]
    return {(*across, *up) for across, up in domains}


def layouts(figure: dict) -> Iterator[dict]:
    """As it is, and as a narrow screen changes it."""
    yield figure["layout"]
    yield figure["layout"] | figure["layout"].get("meta", {}).get("narrow", {})


@pytest.mark.parametrize(("page", "view"), [each[:2] for each in VIEWS], ids=NAMES)
def test_every_panel_has_room_of_its_own_and_every_grid_the_colour_of_grids(page, view):
    figures = [payload for payload in payloads(visit(page, **view)) if "layout" in payload]
    for drawn, layout in [(figure, layout) for figure in figures for layout in layouts(figure)]:
        found = panels(drawn, layout)
        assert all(right - left > 0.1 and top - bottom > 0.1 for left, right, bottom, top in found)
        for one, other in combinations(found, 2):
            assert one[1] < other[0] or other[1] < one[0] or one[3] < other[2] or other[3] < one[2]
        axes = [part for name, part in layout.items() if name[1:5] == "axis"]
        assert {axis["gridcolor"] for axis in axes if "gridcolor" in axis} <= {"var(--grid)"}
