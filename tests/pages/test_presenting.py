"""Projection mode and hidden controls, page by page, without a browser."""

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from embedviz.base.i18n import translated
from embedviz.base.pages import page_at
from embedviz.ui import LiveView, View
from tests.pages.site import headlines, messages, payloads, programs, shown, visit, visit_view
from tests.views import FIRST

NAMES = [name for name, view in FIRST.items() if view.page != "tour"]  # which has tests of its own
WITHOUT_PICTURES = ("lessons", "layers meaning")  # words, and no model is there that could read
FOR_READERS = (
    "strip_challenges",
    "architectures",  # a table of so many rows that a hall sees a picture in its place
    *("chips_A", "chips_B", "chips_C"),  # where the picture names the tokens
    *("kept", "schemes"),  # numbers and names beside what the picture shows
    "challenges",  # which each reader does alone
)
# Of these a hall sees a part: the panels, rows or pairs that are read from the last row of seats.
IN_PART = {
    "orders",
    "memory",
    "strips",
    "layer_strips",
    "segments_A",
    "segments_B",
    "all_models",
    "plain",
    "chosen",
    "masked",
}
BEFORE_POSITIONS = ("attention head", "layers copies", "layers meaning", "layers memory")  # where a hall begins
TITLES = {
    "attention": "Attention and order",
    "batches": "Windows over a text",
    "compare": "Where does word order enter?",
    "layers": "Two orders, layer by layer",
    "lessons": "Lessons",
    "lookup": "An embedding layer is a lookup",
    "models": "Published models",
    "next_word": "What order is for",
    "positions": "A vector for each position",
    "relative": "Where, or how far?",
    "rope": "Positions as turns",
    "tokenizers": "One text, several ways to cut it",
    "training": "How vectors learn",
    "vocabulary": "A vocabulary as a map",
}
WIDGETS = (
    "text_input", "text_area", "number_input", "selectbox", "slider", "toggle", "checkbox", "button", "button_group",
    "file_uploader", "segmented_control", "pills", "multiselect",
)  # fmt: skip


def style(at) -> str:
    return next(found.proto.body for found in at.get("html") if "<style>" in found.proto.body)


@cache
def usually(name: str) -> AppTest:
    """The first example of a view as it is outside of projection, which nobody edits."""
    return visit_view(FIRST[name])


def in_hall(name: str) -> AppTest:
    """The same in projection, after the event that a reader has seen already."""
    more = {"both_at": "30"} if name == "rope turn" else {"positions": "on"} if name in BEFORE_POSITIONS else {}
    return visit_view(FIRST[name], present="1", **more)


def is_for_readers(key: str) -> bool:
    """Whether a hall sees something else in its place: of findings it reads the headline alone."""
    return key in FOR_READERS or key.startswith(("about_", "case_"))


@pytest.mark.parametrize("name", NAMES)
def test_in_projection_all_pictures_of_a_page_are_there_with_the_same_numbers_but_no_programs(name):
    usual, large = usually(name), in_hall(name)
    assert not large.exception
    assert messages(large) == messages(usual)
    kept = [key for key in on_slides(usual) if not is_for_readers(key)]
    assert kept or name in WITHOUT_PICTURES or name in ("attention order", "batches padding")
    for key in kept:
        assert numbers(shown(large, key))
        if key not in IN_PART:
            assert _unsaid(numbers(shown(large, key))) == _unsaid(numbers(shown(usual, key)))
    assert programs(large) == []
    assert "Show the PyTorch code" not in [fold.label for fold in large.expander]
    assert large.get("page_link") == []
    view = FIRST[name]
    title, on = TITLES[view.page], translated(page_at(view.page).views.get(view.name, ""))
    topics = [f"{title} · {on}" if on else title]
    if isinstance(view, LiveView) and not view.has_claim:
        topics = []  # the headline is the title
    assert [each.value for each in large.markdown if each.value.startswith(title)] == topics
    assert [each.value for each in usual.markdown if each.value in TITLES.values()] == ([] if on else topics)


@pytest.mark.parametrize("name", [name for name, view in FIRST.items() if isinstance(view, View)])
def test_a_hall_reads_no_cards_but_the_headline_which_is_the_title_of_the_first_finding(name):
    usual, large = usually(name), in_hall(name)
    cards = [key for key, _inside in parts(usual.main) if key.startswith("cards_about_")]
    assert not [key for key, _inside in parts(large.main) if key.startswith("cards_about_")]
    assert headlines(large) == headlines(usual)
    assert headlines(large) or name in WITHOUT_PICTURES
    if cards:
        first = shown(usual, cards[0].removeprefix("cards_"))["cards"][0]["title"]
        assert (first == "") == (FIRST[name].claim is None)  # it has become the headline


def _unsaid(drawn: object) -> object:
    """What is drawn without the sentence above it, which is shorter in a hall."""
    return {name: part for name, part in drawn.items() if name != "head"} if isinstance(drawn, dict) else drawn


def parts(node: object, *inside: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The key of each component of a page, and those of the containers around it, which are empty where none is."""
    for child in node.children.values():
        key = getattr(child.proto, "id", "").rpartition("-")[2]
        if child.type == "bidi_component":
            yield key, inside
        if hasattr(child, "children"):
            yield from parts(child, *inside, key)


def on_slides(at: AppTest) -> list[str]:
    """The keys of all components on the slides of a view, without what tells figures from other components."""
    keys = [key for key, inside in parts(at.main) if any(each.startswith("frame_slide_") for each in inside)]
    return [key.removeprefix("plot_").removeprefix("cards_") for key in keys]


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_hall_is_shown_stands_on_slides_or_moves_what_stands_there(name):
    found = dict(parts(visit_view(FIRST[name], present="1").main))
    slides, always = (
        {key for key, inside in found.items() if any(each.startswith(f"frame_{kind}_") for each in inside)}
        for kind in ("slide", "always")
    )
    assert slides or name in WITHOUT_PICTURES
    # The frame's, what shows nothing, and what projection does not show.
    outside = {"share_button", "cloud_texts", "cloud_marks", *FOR_READERS}
    assert {key for key in found.keys() - slides - always if not key.startswith("cards_")} <= outside


def numbers(payload: dict | None) -> dict[str, str]:
    """All numbers and texts of a figure's traces, of a table's columns (some may be left out), or of a component."""
    assert payload is not None
    if "data" in payload:
        traces = enumerate(payload["data"])
        parts = {f"{n} {axis}": trace.get(axis) for n, trace in traces for axis in ("x", "y", "z")}
    elif "columns" in payload:
        columns = zip(*payload["rows"], strict=True)
        parts = dict(zip(payload["columns"], columns, strict=False))  # a column of buttons has no texts
    else:
        parts = {name: value for name, value in payload.items() if name not in ("height", "most")}
    return {name: repr(_plain(value)) for name, value in parts.items()}


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("value", ["0", "", "2", "true", "1;} body{display:none"])
def test_any_other_value_leaves_the_page_as_it_is(value):
    at = visit(view="pairs", present=value)
    assert style(at) == style(visit(view="pairs"))
    assert shown(at, "about_pairs") is not None


def test_the_usual_style_is_what_it_was():
    assert "font-size" not in style(visit())
    assert "present" not in style(visit())


def test_the_mode_and_what_is_hidden_go_along_to_another_page_and_back():
    at = visit(present="1", hide="seed", a="dog")
    for page in ("lookup", "training", "compare"):
        at.switch_page(f"../../pages/{page}/page.py").run()
        assert {name: at.query_params[name] for name in ("present", "hide")} == {"present": "1", "hide": "seed"}
        assert "Projection mode" in style(at)


def test_on_one_page_the_address_has_the_last_word():
    at = visit(present="1")
    at.query_params.clear()  # as the browser's Back button does
    at.run()
    assert "present" not in at.query_params
    assert "Projection mode" not in style(at)
    at.switch_page("../../pages/lookup/page.py").run()
    assert "present" not in at.query_params


def test_an_edit_in_projection_keeps_the_mode_and_draws_the_main_figure_alone():
    at = visit(present="1", view="map")
    at.text_input(key="a").set_value("dog bites man").run()
    assert at.query_params["present"] in ("1", ["1"])
    (inputs,) = [trace for trace in shown(at, "map")["data"] if trace.get("name") == "A: input" and "text" in trace]
    assert [name.split()[0] for name in inputs["hovertext"]] == [
        "\u2068␣dog\u2069",
        "\u2068␣bites\u2069",
        "\u2068␣man\u2069",
    ]
    assert shown(at, "strips") is None


@pytest.mark.parametrize("name", NAMES)
def test_every_control_of_a_page_can_be_hidden_and_stands_in_the_address(name):
    at = usually(name)
    controls = [widget for kind in WIDGETS for widget in at.get(kind) if widget.key]
    bound = {widget.key for widget in controls if getattr(widget.proto, "query_param_key", "") == widget.key}
    keys = {widget.key for widget in controls}
    usable = {key for key in keys if "_fixed" not in key}
    # These fill other fields, press a button, or choose whose program the fold shows.
    assert usable - bound <= {"pair", "ready_text", "train", "contrast", "program"}
    hidden = style(visit_view(FIRST[name], hide=",".join(usable)))
    assert set(re.findall(r"st-key-(\w+)", hidden)) >= usable


def test_hidden_controls_are_those_named():
    usual = style(visit(view="pairs"))
    found = style(visit(view="pairs", hide="seed,tokenizer"))
    assert found.startswith(usual.removesuffix("</style>"))
    assert ".st-key-seed" in found
    assert ".st-key-tokenizer" in found
    assert ".st-key-position " not in found
    assert set(re.findall(r"st-key-\w+", found.removeprefix(usual.removesuffix("</style>")))) == {
        "st-key-seed", "st-key-tokenizer"
    }  # fmt: skip


@pytest.mark.parametrize("text", ["Nothing", "</style><script>alert(1)</script>", "seed{}", "*", "SEED", "a b", ""])
def test_what_can_be_no_name_is_ignored(text):
    assert style(visit(hide=text)) == style(visit())


def test_a_hidden_control_keeps_the_value_of_the_address():
    at, other = (visit(view="pairs", seed="7", **hidden) for hidden in ({"hide": "seed,more"}, {}))
    assert at.number_input(key="seed").value == 7
    assert repr(_plain(payloads(at))) == repr(_plain(payloads(other)))


def test_all_hides_every_control_by_one_name():
    assert "stTextInput" in style(visit(hide="all"))
    assert "font-size" not in style(visit(hide="all"))  # that is projection
