"""Names of points lie beside them and not on each other: the module that places them, in a browser."""

from itertools import combinations

import numpy as np
import pytest
from playwright.sync_api import Page

from embedviz.ui.components.component import ASSETS_PATH
from tests.browser.views import EMPTY

ROOM = (1150, 200)
SETTLED = """async ([path, labels, ways, taken, room]) => {
  const places = await import(`${path}/embedviz/ui/components/shared/labels.js`)
  const all = labels.map((label) => ({ aside: 9, ways: places[ways], ...label }))
  return places.settled(all, taken, room)
}"""


def settled(page: Page, labels: list[dict], ways: str = "SIDES", taken: tuple = ()) -> list[dict | None]:
    return page.evaluate(SETTLED, [ASSETS_PATH, labels, ways, list(taken), ROOM])


def label(x: float, y: float, width: float = 50, **more: object) -> dict:
    return {"at": [x, y], "size": [width, 14], **more}


def overlap(one: list[float], other: list[float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.fixture
def page(visit) -> Page:
    return visit(EMPTY, drawn=False)


def test_names_of_nearby_points_do_not_cover_each_other(page):
    for right, down in ((4, 0), (0, 4), (3, 3), (0, 0)):
        one, other = settled(page, [label(200, 140), label(200 + right, 140 + down)])
        assert not overlap(one["box"], other["box"])
    found = settled(page, [label(100, 100, 40) for _ in range(6)], "AROUND")
    assert not any(overlap(one["box"], other["box"]) for one, other in combinations(found, 2))


def test_a_name_at_the_rim_stays_inside_and_leaves_other_points_free(page):
    (at_the_rim,) = settled(page, [label(ROOM[0] - 5, 140, 60)])
    assert at_the_rim["box"][2] <= ROOM[0] - 5
    point = [227, 137, 233, 143]
    (beside,) = settled(page, [label(200, 140, 40)], taken=[point])
    assert not overlap(beside["box"], point)


def test_a_name_that_need_not_be_there_is_left_out_where_it_would_cover_something(page):
    everything = [0, 0, *ROOM]
    for ways in ("BESIDE", "AROUND"):
        assert settled(page, [label(200, 100, isOptional=True)], ways, [everything]) == [None]
        assert settled(page, [label(200, 100)], ways, [everything]) != [None]
        assert settled(page, [label(200, 100, isOptional=True)], ways) != [None]


def test_a_name_stays_while_nothing_moves_and_its_line_ends_at_its_rim(page):
    numbers = np.random.default_rng(0)
    for n in (1, 3, 8):
        labels = [label(*point, 30) for point in numbers.integers(0, (300, 100), (n, 2)).tolist()]
        first = settled(page, labels, "AROUND")
        again = settled(
            page, [each | {"was": place["way"]} for each, place in zip(labels, first, strict=True)], "AROUND"
        )
        assert [place["way"] for place in again] == [place["way"] for place in first]
        for place in filter(lambda place: place["line"], first):
            (x, y), (left, top, right, bottom) = place["line"], place["box"]
            assert left <= x <= right
            assert top <= y <= bottom
            assert x in (left, right) or y in (top, bottom)
