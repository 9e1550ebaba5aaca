"""The recorder of the pages: what it keeps, what it leaves out, and what it calls a difference."""

import numpy as np
import pytest

from tools.recorder import shown
from tools.recorder.addresses import NARROW, VISITS
from tools.recorder.difference import compare
from tools.recorder.store import load, save


def element(**payload: object) -> dict:
    """A recording of one component."""
    component = {"id": "$$ID-sum", "component_name": "plot", "bytes": payload}
    return {"tree": {"0.1": {"type": "bidi_component", "bidi_component": component}}}


def test_a_recording_comes_back_as_it_was(tmp_path):
    z = np.arange(6, dtype=np.float32).reshape(2, 3)
    kept = element(z=z, text="long " * 100, none=None, short="\ud800é")
    save(kept, tmp_path / "file")
    assert compare(load(tmp_path / "file"), kept).found == []
    assert load(tmp_path / "file")["tree"]["0.1"]["bidi_component"]["bytes"]["z"].dtype == np.float32


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {}),
        ({"a": [1.0, None]}, {"a": [1.0, 2.0]}),
        ({"a": "1"}, {"a": 1}),
        ({"a": True}, {"a": 1}),
        ({"a": [1, [2]]}, {"a": [1, [3]]}),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}),
        ({"a": np.zeros(3)}, {"a": np.zeros(4)}),
        ({"a": np.zeros(3)}, {"a": np.zeros(3, np.float32)}),
        ({"a": 0.0}, {"a": -0.0}),
    ],
)
def test_whatever_differs_is_found(one, other):
    assert compare(one, one).found == []
    assert compare(one, other).found


def test_the_order_of_keys_is_no_difference():
    assert compare({"a": 1, "b": 2}, {"b": 2, "a": 1}).found == []


def test_numbers_may_differ_by_the_tolerance_and_the_largest_difference_is_told():
    a, b = element(z=np.array([1.0, 200.0])), element(z=np.array([1.01, 200.0]))
    assert "tree/0.1 bidi_component sum/bidi_component/bytes/z" in compare(a, b).found[0]
    found = compare(a, b, 1e-4)
    assert found.found == []
    assert found.largest == {"plot sum": pytest.approx(0.01 / 200)}
    assert compare(a, b, 1e-5).found


def test_numbers_of_a_csv_file_have_the_tolerance_too_and_its_words_have_none():
    place = "Vectors (CSV)"
    a, b, c = (
        {place: {"content": f"id,{name}\r\n7,{x},2.0\r\n"}} for name, x in (("x", "1.5"), ("x", "1.6"), ("y", "1.5"))
    )
    assert compare(a, b).found
    assert compare(a, b, 0.1).found == []
    assert compare(a, c, 0.1).found


def test_whole_numbers_have_no_tolerance():
    assert compare({"ids": [1, 1000]}, {"ids": [2, 1000]}, 0.1).found


def test_what_differs_from_run_to_run_is_left_out():
    text = f"$$ID-{'0a' * 16}-seed assets/embedviz/0123456789ab/plot.js http://127.0.0.1:4321/media/{'1f' * 28}.csv"
    assert shown.normalised(text) == "$$ID-seed assets/embedviz/…/plot.js http://127.0.0.1:…/media/….csv"


@pytest.mark.parametrize("visits", [VISITS, NARROW])
def test_every_visit_has_a_name_of_its_own(visits):
    assert len({visit.name for visit in visits}) == len(visits)
