"""The panels of every figure, on a wide screen, on a narrow one and in a hall: none lies on another."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.pages.site import payloads, visit_view
from tests.scripts.node import Ask
from tests.views import EXAMPLES

# The width and the height of the place, and the size of the root's font as a multiple of the usual one.
ROOMS = {"wide": (1180, 420, 1), "narrow": (328, 420, 1), "hall": (1216, 520, 2.3)}
Box = tuple[float, float, float, float]


def figures(page: str) -> Iterator[tuple[str, dict]]:
    """The figures of a page's views, without their numbers."""
    known = ("type", "xaxis", "yaxis", "coloraxis")
    for name, (view, example) in ((name, each) for name, each in EXAMPLES.items() if each[0].page == page):
        for payload in payloads(visit_view(view, example)):
            if "layout" in payload and "scene" not in payload["layout"]:
                data = [{name: trace[name] for name in known if name in trace} for trace in payload["data"]]
                yield name, {"data": data, "layout": payload["layout"]}


def arranged(ask: Ask, figure: dict, room: tuple[int, int, float]) -> dict:
    return ask("tests/scripts/figures.js", "arranged", figure, *room)


def boxes(figure: dict, layout: dict) -> list[Box]:
    """Left, right, bottom and top of each panel, and of a colour bar that has a place of its own, as shares."""
    planes = dict.fromkeys((trace["xaxis"], trace["yaxis"]) for trace in figure["data"])
    domains = [[layout[f"{name[0]}axis{name[1:]}"]["domain"] for name in plane] for plane in planes]
    return [(*across, *up) for across, up in domains]


def lies_below(one: Box, other: Box) -> bool:
    return one[3] <= other[2] and one[0] < other[1] and other[0] < one[1]


def words_between(layout: dict, n: int, other: int) -> float:
    """The least height of what stands below panel n and above another one, in pixels."""
    axis, size = layout[f"xaxis{n + 1 if n else ''}"], layout["font"]["size"]
    needed = 0 if axis.get("visible") is False else size * (axis.get("showticklabels") is not False)
    needed += axis.get("title", {}).get("font", {}).get("size", size) if axis.get("title", {}).get("text") else 0
    if "heading" not in layout["meta"]["roles"]:
        return needed
    heading = layout["annotations"][other]
    lines = heading["text"].count("<br>") + 1 if heading["text"] else 0
    return needed + lines * heading["font"]["size"]


@pytest.mark.parametrize("name", sorted({view.page for view, _example in EXAMPLES.values()}))
def test_every_panel_has_room_of_its_own_and_every_grid_the_colour_of_grids(ask, name):
    for view, figure in figures(name):
        axes = [part for key, part in figure["layout"].items() if key[1:5] == "axis"]
        assert {axis["gridcolor"] for axis in axes if "gridcolor" in axis} <= {"var(--grid)"}
        for size, room in ROOMS.items():
            layout = arranged(ask, figure, room)
            found = boxes(figure, layout)
            place = f"{view}, {size}: {found}"
            assert all(0 <= low < high <= 1 + 1e-9 for box in found for low, high in (box[:2], box[2:])), place
            assert all(right - left > 0.05 and top - bottom > 0.05 for left, right, bottom, top in found[:-1]), place
            for one, other in combinations(found, 2):
                assert one[1] <= other[0] or other[1] <= one[0] or one[3] < other[2] or other[3] < one[2], place
            n_panels = len(layout["meta"]["panels"])
            high = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
            for n, other in combinations(range(n_panels if size == "narrow" else 0), 2):
                if lies_below(found[other], found[n]):
                    assert (found[n][2] - found[other][3]) * high >= words_between(layout, n, other), place
