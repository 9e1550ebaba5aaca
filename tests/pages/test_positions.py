"""The page "Positions", run without a browser."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.i18n import use_language
from embedviz.base.pages import page_at
from embedviz.figures.figure import Figure
from embedviz.models import hub_model
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors import position_tables
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.sources import source_of
from pages.positions import end as end_view
from pages.positions import pairs as pairs_view
from pages.positions import table as table_view
from pages.positions.end import END
from pages.positions.pairs import PAIRS
from pages.positions.table import TABLE, Table
from tests.figures.drawn import to_plotly
from tests.models.hub import use
from tests.models.tiny import made
from tests.pages.site import headlines, messages, programs, shown, visit

VIEWS = page_at("positions").views
FIGURES = {"Table": "table", "Pairs": "pairs", "Past the end": "end"}
CAT = "the cat sat on the mat"
ROPE = "HuggingFaceTB/SmolLM2-135M"  # a source with RoPE that is offered


def table(**query: str):
    return visit("positions", view="table", **query)


def drawn_table(kind: str = "sinusoidal", along: str = "dimension", places=(4, 20), **settings) -> Table:
    return TABLE.compute(table_view.Fields(TableSettings(**settings), kind, along, list(places)))


def table_figure(kind: str = "sinusoidal", along: str = "dimension", places=(4, 20)) -> Figure:
    return table_view.figure(drawn_table(kind, along, places))


def end_figure(length: int) -> Figure:
    return end_view.figure(END.compute(end_view.Fields(TableSettings(), length)))


def drawn_pairs(shift: int = 5, pair: int = 4) -> Figure:
    return pairs_view.figure(PAIRS.compute(pairs_view.Fields(TableSettings(), shift, pair)))


def test_it_opens_on_adding_with_the_cat_of_a_in_the_small_gpts_tables():
    assert next(iter(VIEWS)) == "adding"
    at = visit("positions")
    assert (at.text_input(key="a").value, at.button_group(key="held_numbers").value) == (CAT, "pca")
    run = bundled(BUNDLED["learned"])
    token, position = run.tokens[-1][run.vocabulary.index("cat")], run.positions[-1][1]
    other = run.tokens[-1][run.vocabulary.index("sat")]
    own, apart = (np.linalg.norm(token + position - each) for each in (token, other))
    said = shown(at, "arrows")["said"]
    assert said == f"In 32 numbers the input is {own:.3g} from its own token and {apart:.2g} from another."
    assert shown(at, "arrows")["distances"] == ["0.372", "1.9"]  # of all numbers, at the lines between two of them
    assert "The trained vectors of a small GPT." in [each.value for each in at.caption]


def test_a_sentence_whose_words_the_small_gpt_does_not_know_is_added_in_random_tables():
    at = visit("positions", held_numbers="4", a="my brother hates the dog")
    assert messages(at) == []
    expected = ev.embed("my brother hates the dog", ev.Spec())
    token, position, total, _other = shown(at, "sum_rows")["data"][0]["z"]
    for drawn, rows in (
        (token, expected.token_embeddings),
        (position, expected.positional_embeddings),
        (total, expected.input_embeddings),
    ):
        assert np.array_equal(drawn, rows[1, :4])
    assert any("Random, untrained vectors" in each.value for each in at.caption)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_its_cards_and_its_program(view):
    at = visit("positions", view=view)
    assert not at.exception
    assert messages(at) == []
    assert view == "adding" or shown(at, f"about_{view}")["cards"]  # whose arrows say it themselves
    (program,) = programs(at)
    compile(program, view, "exec")


@pytest.mark.parametrize("view", FIGURES)
def test_plotly_knows_every_name_of_the_figures(view):
    drawn = shown(visit("positions", view=view), FIGURES[view])
    to_plotly(Figure(drawn["data"], drawn["layout"]))
    assert drawn["alt"]


def test_a_dimension_that_nobody_has_chosen_follows_the_size_and_one_that_somebody_has_stays():
    at = table()
    at.number_input(key="output_dim").set_value(16).run()
    assert messages(at) == []
    assert [at.number_input(key=key).value for key in ("picked_dimension", "other_dimension")] == [4, 15]
    at.number_input(key="other_dimension").set_value(14).run()
    at.number_input(key="output_dim").set_value(64).run()
    assert at.number_input(key="other_dimension").value == 14
    at.number_input(key="output_dim").set_value(8).run()
    assert messages(at) == ["Other dimension: 14 is out of range. Take 0 to 7; 7 stays in use."]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_takes_the_trained_table(view):
    at = visit("positions", view=view, source="trained", output_dim="64", context_length="99")
    assert not at.exception
    assert messages(at) == []
    locked = {field.label: (field.value, field.disabled) for field in at.number_input}
    if view == "adding":  # which takes what it needs of both
        return
    assert locked["Dimensions"] == (32, True)
    assert locked["context_length"] == (11, True)


def test_the_trained_table_is_drawn():
    heat, *_ = shown(table(source="trained", kind="learned"), "table")["data"]
    assert np.array_equal(heat["z"], bundled(BUNDLED["learned"]).positions[-1])


def test_gpt2s_own_positions_are_drawn(hub_server):
    at = table(source="gpt2", kind="learned", context_length="20")
    assert messages(at) == []
    heat, *_ = shown(at, "table")["data"]
    rows = ev.embed("a " * 20, ev.Spec(source="gpt2")).positional_embeddings
    assert np.array_equal(heat["z"], rows[:20])
    assert rows[:20].any()
    assert "the first 20 of the 1,024 rows" in shown(at, "about_table")["cards"][0]["text"]


def test_without_a_network_gpt2s_positions_are_said_to_be_away(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    at = table(source="gpt2", kind="learned")
    assert not at.exception
    assert "there is no connection" in messages(at)[0]
    assert at.button(key="try_again")


def test_a_picked_position_is_drawn_as_dots_sines_and_cosines_apart():
    heat, sines, cosines = table_figure(along="position", places=[3]).data
    assert np.array_equal(heat["z"], position_tables.table("sinusoidal", TableSettings()))
    assert (sines["mode"], cosines["mode"]) == ("markers", "markers")
    assert np.array_equal(sines["y"], heat["z"][3, 0::2])
    assert np.array_equal(cosines["y"], heat["z"][3, 1::2])
    assert sines["marker"]["color"] != cosines["marker"]["color"]


def test_two_dimensions_stand_beside_the_table_and_are_framed_in_their_colours():
    drawn = table_figure("learned", places=[5, 20])
    heat, first, second = drawn.data
    assert np.array_equal(first["y"], heat["z"][:, 5])
    assert np.array_equal(second["y"], heat["z"][:, 20])
    frames = [(shape["x0"] + 0.5, shape["line"]["color"]) for shape in drawn.layout["shapes"]]
    assert frames == [(5, first["line"]["color"]), (20, second["line"]["color"])]


def test_a_dimension_that_is_picked_twice_is_drawn_once():
    drawn = table_figure(places=[5, 5])
    assert [trace["name"] for trace in drawn.data[1:]] == ["Dimension 5"]
    assert len(drawn.layout["shapes"]) == 1


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_the_mean_cosine_by_distance_stands_beside_the_table(kind):
    heat, curve = table_figure(kind, "distance", []).data
    rows = heat["z"].astype(np.float64)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    means = [np.mean([unit[k] @ unit[k + n] for k in range(64 - n)]) for n in range(64)]
    assert curve["y"] == pytest.approx(means, abs=1e-6)
    assert curve["x"].tolist() == list(range(64))


@pytest.mark.parametrize("source", ["random", "trained"])
def test_only_a_model_whose_near_positions_are_alike_is_said_to_have_learned_it(source):
    sizes = {"output_dim": 32, "context_length": 11} if source == "trained" else {}
    result = drawn_table("learned", "distance", [], source=source, **sizes)
    alike = position_tables.by_distance(table_view.figure(result).data[0]["z"])
    said = [card.text for card in TABLE.findings(result) if "It learned that in training" in card.text]
    assert bool(said) == (source == "trained" and alike.nearer_is_more_alike)


def test_the_headline_is_about_what_stands_beside_the_table():
    waves, near = "Low dimensions oscillate fast, and high ones slowly", "Near positions are alike"
    at = table()
    assert [*headlines(at).values()] == [waves]
    assert near not in [card["title"] for card in shown(at, "about_table")["cards"]]
    at.button_group(key="along").set_value("distance").run()
    assert [*headlines(at).values()] == [near]
    assert waves in [card["title"] for card in shown(at, "about_table")["cards"]]
    assert shown(at, "table")["alt"] == (
        "Table of 64 positions by 64 dimensions, numbers from -1 to 1. The mean cosine is 0.97 between neighbours and "
        "0.61 between positions that are 32 apart."
    )
    assert not {"picked_dimension", "other_dimension", "picked_position"} & keys(at)


def test_of_one_position_there_is_a_table_and_no_word_on_distance():
    at = table(context_length="1", along="distance")
    assert not at.exception
    assert len(shown(at, "table")["data"][-1]["y"]) == 1
    assert [*headlines(at).values()] == ["Low dimensions oscillate fast, and high ones slowly"]
    assert not any("positions are" in card["title"] for card in shown(at, "about_table")["cards"])


def test_along_one_position_the_table_has_points():
    assert table_figure(along="position", places=[1]).data[1]["mode"] == "markers"


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_source_without_a_table_of_positions_is_told_of_in_words(view, kind, hub_server, tmp_path):
    made("llama", with_head=True).save_pretrained(tmp_path)
    hub_server.files[ROPE] = tmp_path
    at = visit("positions", view=view, kind=kind, source=ROPE)
    assert not at.exception
    assert not at.error
    told = [message for message in messages(at) if "turns queries and keys" in message]
    is_told = view in ("end", "adding") or (kind == "learned" and view != "pairs")
    assert told == ([hub_model(ROPE).layout().about(source_of(ROPE).title)] if is_told else [])
    links = [link.proto.page for link in at.get("page_link")]
    assert links == (["relative", "attention"] if is_told else ["attention"])  # and the next station
    for program in programs(at):
        compile(program, view, "exec")
        assert "position_embedding" not in program


@pytest.mark.parametrize(
    ("view", "query", "figure"),
    [
        ("table", {"kind": "learned", "picked_dimension": "5"}, lambda: table_figure("learned", places=[5, 20])),
        ("table", {"along": "position", "picked_position": "3"}, lambda: table_figure(along="position", places=[3])),
        ("table", {"along": "distance"}, lambda: table_figure(along="distance", places=[])),
        ("pairs", {"shift": "3", "pair_number": "7"}, lambda: drawn_pairs(3, 7)),
        ("end", {"length": "70"}, lambda: end_figure(70)),
    ],
    ids=["dimension", "position", "distance", "pairs", "end"],
)  # fmt: skip
def test_the_fields_of_the_page_are_those_of_the_figure(view, query, figure):
    drawn, expected = shown(visit("positions", view=view, **query), view)["data"], figure().data
    assert len(drawn) == len(expected)
    for trace, wanted in zip(drawn, expected, strict=True):
        for name in {"x", "y", "z"} & wanted.keys():
            assert np.array_equal(trace[name], wanted[name], equal_nan=wanted["type"] == "heatmap"), name


def test_three_pairs_turn_and_the_first_and_the_last_are_two_of_them():
    titles = [note["text"] for note in drawn_pairs(pair=7).layout["annotations"]]
    angles = [np.degrees(5 * 10000 ** (-2 * n / 64)) for n in (0, 7, 31)]
    assert titles == [f"Pair {n} turns by {angle:.4g}°" for n, angle in zip((0, 7, 31), angles, strict=True)]


def test_the_hands_point_to_their_positions():
    *_, every, arc, first, name, other, other_name = drawn_pairs(3).data
    assert (name["text"], other_name["text"]) == (["0"], ["3"])
    for place, hand in ((0, first), (3, other)):
        assert hand["name"] == f"position {place}"
        tip = (hand["x"][1], hand["y"][1])
        assert tip == pytest.approx((every["x"][place], every["y"][place]), abs=1e-5)
    assert not np.hypot(arc["x"], arc["y"]).max() > 0.7


@pytest.mark.parametrize(("shift", "drawn"), [(1, True), (5, True), (30, True), (44, False)])
def test_an_arc_turns_from_one_hand_to_the_other_as_far_as_it_is_said(shift, drawn):
    """Pair 0 turns by a radian for each position; after more than six rounds nobody could count them."""
    data = drawn_pairs(shift).data
    arc = next(trace for trace in data if trace["name"] == "turned")
    assert len(arc["x"]) > 0 if drawn else len(arc["x"]) == 0
    if drawn:
        turns = np.unwrap(np.arctan2(arc["y"], arc["x"]))
        assert turns[0] == pytest.approx(0, abs=1e-6)
        assert turns[-1] - turns[0] == pytest.approx(shift, abs=1e-4)
        assert np.all(np.diff(turns) > 0)
        assert np.all(np.diff(np.hypot(arc["x"], arc["y"])) > -1e-6)


@pytest.mark.parametrize("shift", [1, 5, 44])
def test_the_names_of_hands_are_apart_even_where_the_hands_are_not(shift):
    data = drawn_pairs(shift).data
    names = [trace for trace in data if trace["mode"] == "text"]
    assert len(names) == 6
    for here, there in zip(names[::2], names[1::2], strict=True):
        assert np.hypot(here["x"] - there["x"], here["y"] - there["y"])[0] > 0.5
        assert np.hypot(here["x"], here["y"])[0] == pytest.approx(1.28, abs=1e-5)


@pytest.mark.parametrize(("length", "n_missing"), [(64, 0), (70, 6)])
def test_the_learned_table_ends_and_the_sinusoids_go_on(length, n_missing):
    learned, sines = (trace["z"] for trace in end_figure(length).data)
    assert np.isnan(learned).all(axis=1).sum() == n_missing
    assert not np.isnan(sines).any()


@pytest.mark.parametrize("numbers", ["4", "32", "256"])
def test_more_numbers_are_rows_whose_third_is_the_sum(numbers):
    at = visit("positions", view="Adding", held_numbers=numbers, source="random")
    cells, bars = shown(at, "sum_rows")["data"]
    token, position, total, other = cells["z"]
    assert len(token) == int(numbers)
    assert (token + position).tolist() == total.tolist()
    assert bars["x"] == pytest.approx([np.linalg.norm(total - token), np.linalg.norm(total - other)], rel=1e-5)
    assert list(bars["y"]) == [0, 3]
    assert (cells["text"] is None) == (numbers != "4")


def test_the_shadow_of_all_numbers_cannot_be_held():
    data = shown(visit("positions", view="Adding", held_numbers="pca", source="random"), "arrows")
    assert data["said"].startswith("In 256 numbers the input is ")
    assert data["alt"] == data["said"]
    assert [axis.split(" (")[0] for axis in data["axes"]] == ["PC 1", "PC 2"]


def test_arrows_that_were_moved_stand_in_the_address_and_in_the_program():
    at = visit("positions", view="Adding", held_numbers="2", held="1.00,2.00,-1.00,0.50")
    data = shown(at, "held_arrows")
    assert (data["token"], data["position"]) == ([1, 2], [-1, 0.5])
    assert data["distances"] is None  # the browser counts them while the arrows move
    assert data["alt"].endswith("the token (1.00, 2.00) plus the position (−1.00, 0.50) is the input (0.00, 2.50).")
    assert "token = torch.tensor([1.0, 2.0])\nposition = torch.tensor([-1.0, 0.5])" in programs(at)[0]


@pytest.mark.parametrize("held", ["", "1,2", "nan,1,1,1", "1e9,1,1,1", "<b>", "10.00,1.00,1.00,1.00"])
def test_an_address_that_holds_no_arrows_moves_none(held):
    at = visit("positions", view="Adding", held_numbers="2", held=held)
    assert not at.exception
    usual = shown(visit("positions", view="Adding", held_numbers="2"), "held_arrows")
    assert shown(at, "held_arrows") == usual is not None


def test_two_numbers_need_no_sentence_and_keep_the_one_that_was_typed():
    at = visit("positions", view="Adding", held_numbers="4", a="dog bites man")
    assert list(shown(at, "sum_rows")["layout"]["yaxis"]["ticktext"]) == [
        "token \u2068bites\u2069", "+ position 1", "= input", "token \u2068man\u2069"
    ]  # fmt: skip
    at.button_group(key="held_numbers").set_value("2").run()
    assert not at.text_input
    at.button_group(key="held_numbers").set_value("4").run()
    assert at.text_input(key="a").value == "dog bites man"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            {"output_dim": "63"},
            "Sinusoidal positions need an even output_dim, a sine and a cosine each; 63 is odd. Try 64.",
        ),
        ({"output_dim": "1"}, "Dimensions: 1 is out of range. Take 2 to 512; 64 stays in use."),
        ({"context_length": "129"}, "context_length: 129 is out of range. Take 1 to 128; 64 stays in use."),
        ({"picked_dimension": "64"}, "Dimension: 64 is out of range. Take 0 to 63; 4 stays in use."),
        ({"along": "position", "picked_position": "64"}, "Position: 64 is out of range. Take 0 to 63; 1 stays in use."),
        ({"view": "Adding", "held_numbers": "4", "a": ""}, "The sentence is empty: type a few words."),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    at = visit("positions", **{"view": "table"} | query)
    assert not at.exception
    assert message in messages(at)


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_addresses_are_no_error(view):
    at = visit(
        "positions", view=view, base="inf", layout="thirds", seed="-1", context_length="2", output_dim="2",
        a="<script>**x** \x00", kind="rotary", length="1e9", shift="nan", position_scale="-3",
    )  # fmt: skip
    assert not at.exception


def keys(at) -> set[str]:
    return {widget.key for widget in (*at.number_input, *at.button_group) if widget.key}


@pytest.mark.parametrize(
    ("view", "without"), [("pairs", {"seed"}), ("adding", {"output_dim", "context_length", "base", "layout"})]
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


def test_only_adding_has_a_source_that_fits_and_it_has_it_again_after_another_view():
    at = visit("positions")
    assert at.selectbox(key="source").value == "fits"
    drawn = shown(at, "arrows")["said"]
    at.button_group(key="view").set_value("table").run()
    assert (at.selectbox(key="source").value, messages(at)) == ("random", [])
    at.button_group(key="view").set_value("adding").run()
    assert at.selectbox(key="source").value == "fits"
    assert shown(at, "arrows")["said"] == drawn
    at.selectbox(key="source").set_value("trained").run()
    at.button_group(key="view").set_value("table").run()
    at.button_group(key="view").set_value("adding").run()
    assert at.selectbox(key="source").value == "trained"


@pytest.mark.parametrize("lang", ["de", "ja"])
def test_names_of_sources_are_the_same_in_every_language(lang):
    with use_language(lang):
        options = visit("positions", lang=lang).selectbox(key="source").options
    assert options[1:3] == ["random", "trained"]
    assert options[-1] == "own"


def test_a_place_that_a_shorter_sentence_lacks_gives_way_to_its_last():
    at = visit("positions", view="Adding", held_numbers="4", token_at="5")
    assert messages(at) == []
    at.text_input(key="a").set_value("the cat").run()
    assert not at.exception
    assert messages(at) == ["Token at position: 5 is out of range. Take 0 to 1; 1 stays in use."]
