"""Results as a notebook draws them: the page in a cell, rich HTML that is safe, and the notebook of docs/."""

import html
import os
import re
from html.parser import HTMLParser

import nbclient
import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.base.settings import ROOT
from embedviz.command.notebook import spec_query
from embedviz.vectors.forward import Forward
from tests.pages.site import visit

A, B = "dog bites man", "man bites dog"
HOSTILE = '<script>alert(1)</script> "><img src=x onerror=y> & \u202e'


def results(text: str) -> list[object]:
    found = ev.embed(text, ev.Spec(output_dim=4))
    numbers = np.zeros((1, len(found.tokens), 4), np.float32)
    layers = Forward(found.tokens, numbers, np.zeros((0, 1, 1, 1), np.float32))
    batch = next(ev.batches("the cat sat on the mat " * 20))
    return [found.tokens, found, ev.compare(found, found), ev.project(np.eye(3)), batch, layers]


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.said = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.names.add(tag)
        assert {name for name, _value in attrs} <= {"style"}

    def handle_data(self, data: str) -> None:
        self.said += data


@given(st.one_of(st.just(HOSTILE), st.text(max_size=30)))
def test_no_text_is_read_as_html_and_a_line_is_short(text):
    for result in results(text):
        tags = Tags(result._repr_html_())
        assert tags.names <= {"table", "caption", "tr", "td", "span", "small"}
        assert "\n" not in repr(result)
        assert len(repr(result)) < 1000


def test_results_say_tokens_shapes_and_counts():
    tokens, embedded, comparison, projection, batch, layers = results(A)
    assert repr(tokens) == "Tokens(tokenizer: gpt2, tokens: 3 tokens ␣dog ␣bites ␣man)"
    assert "␣bites 26081" in Tags(tokens._repr_html_()).said
    assert "input_embeddings: (3, 4) float32" in repr(embedded)
    assert "3 of 3 pairs" in repr(comparison)
    assert "points: (3, 2) float32" in repr(projection)
    assert "inputs: (8, 4) int64" in repr(batch)
    assert "hidden_states: (1, 3, 4) float32" in repr(layers)
    assert "next_word" not in repr(layers)


@pytest.mark.parametrize(
    ("view", "most", "said"),
    [("pairs", 200_000, "No token of A has the ID"), ("map", 2_200_000, "Without positions, a token is one point")],
)
def test_the_page_in_a_cell_is_whole_and_small(view, most, said):
    shown = ev.show(A, HOSTILE, ev.Spec(position="sinusoidal", output_dim=8), view=view, height=500)
    assert repr(shown).startswith(said)  # in place of 200,000 characters
    assert len(repr(shown)) < 1000
    frame = shown._repr_html_()
    assert len(frame) < most
    (inside,) = re.fullmatch(
        r'<iframe title="embedviz" srcdoc="([^"]*)" style="width:100%;height:500px;border:0" allowfullscreen></iframe>',
        frame,
    ).groups()
    assert html.unescape(inside) == shown.html
    assert not re.search(r'(src|href)="?(https?:)?//', shown.html)


def test_the_whole_way_in_a_cell_says_its_findings_and_is_small():
    shown = ev.show("the cat sat on the mat", "the mat sat on the cat", view="whole")
    assert repr(shown).startswith("Without positions, one layer gives two orders one answer")
    assert "With positions, two orders get two answers" in repr(shown)
    assert len(shown._repr_html_()) < 250_000


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"view": "nope"}, "pairs, map, orders"),
        ({"view": "whole", "spec": ev.Spec(seed=1)}, "Leave spec out"),
        ({"spec": ev.Spec(tokenizer="words", vocabulary=("dog", "zebra"))}, "vocabulary"),
        ({"spec": ev.Spec(context_length=2)}, "learned table ends"),
    ],
)
def test_what_the_page_cannot_show_is_an_error(settings, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        ev.show(A, B, **settings)


def test_every_setting_of_a_spec_is_shown():
    spec = ev.Spec(tokenizer="words", output_dim=6, seed=7, position="sinusoidal", position_scale=0.5,
                   context_length=99, scale_embeddings=True, prefix_space=False, lower_case=True)  # fmt: skip
    at = visit(view="pairs", a=A, b=B, **spec_query(A, B, spec))
    assert not at.exception
    for name in ("tokenizer", "output_dim", "seed", "position", "position_scale", "context_length", "scale_embeddings"):
        assert at.session_state[name] == getattr(spec, name)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_notebooks_run(path, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    found = nbformat.read(path, as_version=4)
    nbformat.validate(found)
    assert not any(cell.get("outputs") for cell in found.cells)
    nbclient.NotebookClient(found, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    last = found.cells[-1].outputs[-1].data
    assert "<iframe" in last["text/html"]
    assert os.listdir(tmp_path) == []
