"""The page "Positions", run without a browser."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.pages import page_at
from embedviz.figures.figure import Figure
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors import position_tables
from embedviz.vectors.position_tables import TableSettings
from tests.models.hub import use
from tests.pages.site import messages, programs, shown, visit

VIEWS = page_at("positions").views
FIGURES = {
    "Table": "table",
    "Pairs": "pairs",
    "Similarity": "similarity",
    "Side by side": "kinds",
    "Past the end": "end",
    "Real models": "learned_tables",
}


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_its_cards_and_its_program(view):
    at = visit("positions", view=view)
    assert not at.exception
    assert messages(at) == []
    assert shown(at, "about")["cards"]
    (program,) = programs(at)
    compile(program, view, "exec")


@pytest.mark.parametrize("view", FIGURES)
def test_plotly_knows_every_name_of_the_figures(view):
    drawn = shown(visit("positions", view=view), FIGURES[view])
    Figure(drawn["data"], drawn["layout"]).to_plotly()
    assert drawn["alt"]


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "models"])  # which picks its tables itself
def test_every_view_takes_the_trained_table(view):
    at = visit("positions", view=view, source="trained", output_dim="64", context_length="99")
    assert not at.exception
    assert messages(at) == []
    locked = {field.label: (field.value, field.disabled) for field in at.number_input}
    assert locked["Dimensions"] == (32, True)
    assert view == "adding" or locked["context_length"] == (16, True)  # it adds no more positions than there are words


def test_the_trained_table_is_drawn():
    heat, _ = shown(visit("positions", source="trained", kind="learned"), "table")["data"]
    assert np.array_equal(heat["z"], bundled(BUNDLED["default"]).positions[-1])
    near = shown(visit("positions", source="trained", view="Adding"), "nearest")["cards"]
    assert "nearest to itself" in near[0]["title"]


def test_gpt2s_own_positions_are_drawn(hub_server):
    at = visit("positions", source="gpt2", kind="learned", context_length="20")
    assert messages(at) == []
    heat, _ = shown(at, "table")["data"]
    rows = ev.embed("a " * 20, ev.Spec(source="gpt2")).positional_embeddings
    assert np.array_equal(heat["z"], rows[:20])
    assert rows[:20].any()
    assert "the first 20 of its 1,024 rows" in shown(at, "about")["cards"][0]["text"]


def test_what_needs_the_whole_of_gpt2_says_so_and_the_rest_is_there(hub_server):
    at = visit("positions", source="gpt2", view="Adding")
    assert not at.exception
    assert len(shown(at, "effects")["rows"]) == 6
    assert [message for message in messages(at) if message.startswith("Nearest tokens:")]


def test_without_a_network_gpt2s_positions_are_said_to_be_away(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    at = visit("positions", source="gpt2", kind="learned")
    assert not at.exception
    assert "there is no connection" in messages(at)[0]
    assert at.button(key="try_again")


def test_a_picked_position_is_drawn_as_a_line():
    heat, line = shown(visit("positions", picked_position="3"), "table")["data"]
    assert np.array_equal(heat["z"], position_tables.table("sinusoidal", TableSettings()))
    assert np.array_equal(line["y"], heat["z"][3])


def test_a_picked_dimension_is_drawn_as_a_line():
    heat, line = shown(visit("positions", along="Dimension", picked_dimension="5", kind="learned"), "table")["data"]
    assert np.array_equal(line["y"], heat["z"][:, 5])


def test_the_hands_point_to_their_positions():
    *_, every, first, other = shown(visit("positions", view="Pairs", shift="3"), "pairs")["data"]
    for place, hand in ((0, first), (3, other)):
        assert hand["name"] == f"position {place}"
        tip = (hand["x"][1], hand["y"][1])
        assert tip == pytest.approx((every["x"][place], every["y"][place]), abs=1e-5)


@pytest.mark.parametrize(("length", "n_missing"), [("64", 0), ("70", 6)])
def test_the_learned_table_ends_and_the_sinusoids_go_on(length, n_missing):
    learned, sines = (
        trace["z"] for trace in shown(visit("positions", view="Past the end", length=length), "end")["data"]
    )
    assert np.isnan(learned).all(axis=1).sum() == n_missing
    assert not np.isnan(sines).any()


def test_adding_shows_a_row_a_token():
    at = visit("positions", view="Adding", sentence="dog bites man")
    assert [row[0] for row in shown(at, "effects")["rows"]] == [
        "\u2068␣dog\u2069",
        "\u2068␣bites\u2069",
        "\u2068␣man\u2069",
    ]
    assert shown(at, "nearest")["cards"][0]["title"].endswith("before: nearest to itself")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            {"output_dim": "63"},
            "Sinusoidal positions need an even output_dim, a sine and a cosine each; 63 is odd. Try 64.",
        ),
        ({"output_dim": "1"}, "Dimensions: 1 is out of range. Take 2 to 512; 64 stays in use."),
        ({"context_length": "129"}, "context_length: 129 is out of range. Take 1 to 128; 64 stays in use."),
        ({"picked_position": "64"}, "Position: 64 is out of range. Take 0 to 63; 1 stays in use."),
        ({"view": "Adding", "sentence": ""}, "The sentence is empty: type a few words."),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    at = visit("positions", **query)
    assert not at.exception
    assert message in messages(at)


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_addresses_are_no_error(view):
    at = visit(
        "positions", view=view, base="inf", layout="thirds", seed="-1", context_length="2", output_dim="2",
        sentence="<script>**x** \x00", kind="rotary", length="1e9", shift="nan", position_scale="-3",
    )  # fmt: skip
    assert not at.exception


def keys(at) -> set[str]:
    return {widget.key for widget in (*at.number_input, *at.button_group) if widget.key}


@pytest.mark.parametrize(
    ("view", "without"),
    [
        ("pairs", {"seed"}),
        ("adding", {"context_length", "base", "layout"}),
        ("models", {"context_length", "base", "layout"}),
    ],
)
def test_a_view_offers_only_the_settings_that_change_it(view, without):
    offered = {"output_dim", "context_length", "base", "layout", "seed"}
    assert keys(visit("positions", view="table")) >= offered
    assert keys(visit("positions", view=view)) & offered == offered - without


def test_a_setting_without_effect_in_a_view_is_there_again_in_the_next():
    at = visit("positions", view="adding", base="500", context_length="32")
    assert not at.exception
    at.button_group(key="view").set_value("table").run()
    assert at.number_input(key="base").value == 500
    assert at.number_input(key="context_length").value == 32
    at.button_group(key="view").set_value("adding").run()
    at.button_group(key="view").set_value("table").run()
    assert at.number_input(key="base").value == 500
