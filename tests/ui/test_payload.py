"""What a component gets is what was packed."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from embedviz.ui.components.cards.cards import Card
from embedviz.ui.components.component import pack
from tests.payload import unpack

ARRAYS = hnp.arrays(np.float32, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5))
NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
PLAIN = st.none() | st.booleans() | NUMBERS | st.text()
PAYLOADS = st.dictionaries(
    st.text(),
    st.recursive(
        PLAIN | ARRAYS,
        lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(), parts, max_size=4),
        max_leaves=12,
    ),
    max_size=5,
)


def comparable(value: object) -> object:
    """Arrays by their bytes, so that NaN equals NaN and -0.0 is not 0.0."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, dict):
        return {key: comparable(part) for key, part in value.items()}
    return [comparable(part) for part in value] if isinstance(value, list) else value


@given(PAYLOADS)
def test_round_trip(payload):
    assert comparable(unpack(pack(payload))) == comparable(payload)


def test_the_layout_in_memory():
    packed = pack({"x": np.array([1, 2], np.float32), "y": np.array([[3]], np.float32)})
    length = int.from_bytes(packed[:4], "little")
    assert length % 4 == 0
    assert json.loads(packed[4 : 4 + length]) == {"x": {"at": 0, "shape": [2]}, "y": {"at": 8, "shape": [1, 1]}}
    assert np.frombuffer(packed[4 + length :], "<f4").tolist() == [1, 2, 3]


def test_an_array_that_is_a_view_is_packed_as_it_reads():
    columns = np.arange(6, dtype=np.float32).reshape(2, 3).T
    assert np.array_equal(unpack(pack({"x": columns[::2]}))["x"], columns[::2])


def test_other_arrays_travel_as_lists():
    assert unpack(pack({"x": np.array([0.1]), "y": np.array([True]), "z": np.array([7])})) == {
        "x": [0.1],
        "y": [True],
        "z": [7],
    }


def test_cards_travel_as_objects():
    packed = pack({"cards": [Card("t", "<b>", "note")]})
    assert unpack(packed) == {"cards": [{"title": "t", "text": "<b>", "tone": "note", "stage": ""}]}
