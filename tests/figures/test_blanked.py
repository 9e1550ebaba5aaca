"""What a question hides is not in the figure that it shows."""

import numpy as np

from embedviz.figures.figure import Figure, blanked
from embedviz.figures.matrices import Matrix, matrices
from embedviz.figures.model.next_words import next_word_bars
from embedviz.text.tokens import tokenize
from tests.figures.drawn import to_plotly

VECTORS = np.arange(1, 13, dtype=np.float32).reshape(4, 3)
SUMS = 1  # the last of the two panels


def drawn() -> Figure:
    return matrices([Matrix(VECTORS + n, f"panel {n}", [*"abcd"], [1, 2, 3, 4]) for n in range(2)])


def marks(layout: dict) -> int:
    return [each["text"] for each in layout["annotations"]].count("?")


def test_a_panel_that_is_hidden_has_one_mark_and_none_of_its_numbers():
    whole = drawn()
    shown = blanked(whole, SUMS)
    assert np.isnan(shown.data[SUMS]["z"]).all()
    assert np.array_equal(shown.data[0]["z"], whole.data[0]["z"], equal_nan=True)
    assert marks(shown.layout) == 1
    assert marks(whole.layout) == 0
    assert np.isfinite(whole.data[SUMS]["z"]).all()  # the figure that it was made from is as it was
    to_plotly(shown)


def test_a_bar_of_no_length_is_a_line_and_none_if_it_is_hidden():
    prompt = tokenize("the cat", "words")
    whole = next_word_bars([prompt], ["cat", "others"], [0], np.array([[0, 1]], np.float32), prompt.ids)
    (bars,), (hidden,) = whole.data, blanked(whole, 0).data
    assert bars["marker"]["line"] == {"width": 1, "color": bars["marker"]["color"]}
    assert (hidden["marker"]["line"], hidden["x"].tolist()) == ({"width": 0}, [0, 0])
    to_plotly(whole)
