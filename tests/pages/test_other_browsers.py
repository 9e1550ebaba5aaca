"""What the tests in Firefox and WebKit take for granted of each page. CI does not run those tests."""

import re

import pytest

from embedviz.base.pages import page_at
from tests.browsers.test_roads import ROADS
from tests.pages.site import visit


@pytest.mark.parametrize("name", [name for name, road in ROADS.items() if road.query])
def test_a_page_has_the_view_the_settings_and_the_fields_of_its_road(name: str):
    page, road = page_at(name), ROADS[name]
    fields = re.findall(
        r"\.st-key-(\w+)", " ".join(part for step in (road.point, *road.edit) for part in map(str, step))
    )
    at = visit(page.address, **road.query)
    assert [key for key in (*road.query, *fields) if key not in at.session_state] == []
    assert road.query.get("view", "") in (*page.views, "")
