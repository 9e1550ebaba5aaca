"""The page "Models": layers as strips, how far windows reach, the table, and the program."""

import pytest
from streamlit.testing.v1 import AppTest
from transformers import MistralConfig

from embedviz.base.i18n import translated
from embedviz.models.architectures import ARCHITECTURES, DRAWN
from embedviz.positions import SCHEMES
from embedviz.ui.inputs.options import OPTIONS
from pages.models import layer_words, table_words
from pages.models.ideas import IDEAS
from pages.models.table import matching
from tests.pages.site import findings, programs, shown
from tests.pages.site import visit as open_page

WITHOUT = "some layers look at tokens without any positions."


def visit(**query: str) -> AppTest:
    at = open_page("models", **query)
    assert not at.exception
    return at


def rows(**query: str) -> list[list[str]]:
    """The rows of models, without what only says where lines may end."""
    found = shown(visit(**query), "architectures")["rows"]
    found = [[cell.replace("\u202f", " ").replace("\u200b", "") for cell in row] for row in found]
    return [row for row in found if row[0] in ARCHITECTURES]


def test_a_cell_is_drawn_for_each_layer_of_each_model():
    data = shown(visit(), "strips")["data"]
    _pale, *bars = [trace for trace in data if trace["type"] == "bar"]
    *_traces, told = data
    texts = told["text"]
    assert len(texts) == sum(len(trace["x"]) for trace in bars)
    assert len(texts) == sum(len(ARCHITECTURES[name].layers) for name in DRAWN)
    assert sum(text.startswith("Llama 4 Scout, layer 4 of 48<br>no positions<br>") for text in texts) == 1
    assert any(text.startswith("Kimi Linear 48B-A3B, layer 1 of 27<br>the text before is kept in a") for text in texts)
    dots, _told = (trace for trace in data if trace["type"] == "scatter")
    assert len(dots["x"]) == 36  # the layers of gpt-oss


def test_a_cell_is_solid_as_far_as_a_token_sees_the_longest_text():
    """In gpt-oss every second layer sees 128 of 131,072 tokens: a thousandth, not two fifths."""
    found = shown(visit(), "strips")
    names = found["layout"]["yaxis"]["ticktext"]
    row = found["layout"]["yaxis"]["tickvals"][names.index("gpt-oss-120b")]
    high = {}
    _pale, *bars = [trace for trace in found["data"] if trace["type"] == "bar"]
    for trace in bars:
        for at, base, part in zip(trace["x"], trace["base"], trace["y"], strict=True):
            if float(base + 0.41) == pytest.approx(row):
                high[int(at)] = float(part)
    assert high[1] / high[2] == pytest.approx(128 / 131_072)
    said = [note["text"] for note in found["layout"]["annotations"]]
    assert said[names.index("gpt-oss-120b")] == "36 layers; sees 128 of 131,072"
    assert said[names.index("BERT base")] == "12 layers, both ways"


def test_models_of_one_kind_of_layer_come_first_and_each_group_keeps_its_order():
    found = shown(visit(), "strips")["layout"]
    alike = [name for name in DRAWN if len(set(ARCHITECTURES[name].layers)) == 1]
    mixed = [name for name in DRAWN if name not in alike]
    assert found["yaxis"]["ticktext"] == [*alike, *mixed]
    counts = [note["text"] for note in found["annotations"][len(DRAWN) :]]
    assert [text for text in counts if text] == ["5: one kind", "7: mixed"]
    assert (len(alike), len(mixed)) == (5, 7)


def test_the_models_that_mix_and_that_leave_positions_out_are_named():
    mixing, without = findings(visit(), "about_published")
    models = [ARCHITECTURES[name] for name in DRAWN]
    mixed = [model.name for model in models if len(set(model.layers)) > 1]
    assert mixing["title"] == f"{len(mixed)} of 12 models mix kinds of layers"
    assert mixing["text"].startswith(f"{', '.join(mixed)}. ")
    assert without["title"] == "4 leave positions out of some layers"
    assert without["text"].startswith("Command A, Llama 4 Scout, Granite 4.0 H Small, Kimi Linear 48B-A3B.")


def test_the_alternative_says_what_is_drawn():
    alt = shown(visit(), "strips")["alt"]
    assert (
        "BERT base: all 12 layers are alike. Each of them: Learned positions, added below layer 1; a token sees the "
        "whole text." in alt
    )
    assert "18 of 36: RoPE with base 150,000; a token sees the last 128, itself included; each head has" in alt
    assert "RoPE with base 10,000, which turns 64 of the 192 dimensions of each head; a token sees 2,048" in alt


def test_it_is_said_how_far_the_windows_of_all_layers_reach_and_the_program_prints_it(run):
    at, mistral = visit(), MistralConfig()
    n, window = mistral.num_hidden_layers, mistral.sliding_window
    reach = n * (window - 1)
    (said,) = [each.value for each in at.caption if "window of" in each.value]
    assert said == (
        f"Mistral 7B v0.1 has a window of {window:,} tokens in each of its {n} layers, which together can pass "
        f"something on from at most {n} × {window - 1:,} = {reach:,} tokens back (mistralai/Mistral-7B-v0.1: "
        "config.json)."
    )
    (program,) = programs(at)
    assert run(program)[-1] == f"{n} {reach}"


def test_the_table_has_a_row_for_each_model_and_says_a_dash_where_nothing_is_stated():
    found = {row[0]: dict(zip(table_words.columns(), row, strict=True)) for row in rows()}
    assert found.keys() == ARCHITECTURES.keys()
    assert found["gpt-oss-120b"] == {
        "Model": "gpt-oss-120b", "Year": "2025 ²", "Scheme": "RoPE ¹", "Base": "150,000 ¹", "Scaling": "yarn × 32 ¹",
        "Trained on": "–", "Later": "–", "Claimed": "131,072 ²", "Window": "128 ¹",
        "Layers": "18 of 36: near, sinks; 18 of 36: whole text, sinks ¹",
        "Read from": "¹ code: openai/gpt-oss: gpt_oss/torch/model.py; ² report: OpenAI 2025, arXiv:2508.10925",
    }  # fmt: skip
    assert found["DeepSeek-V3"]["Scheme"] == "RoPE, 64 of 192 ¹"
    assert found["Gemma 4 31B"]["Scheme"] == "RoPE, 128 of 512 in some layers ¹"
    assert found["Qwen2.5-VL 7B"]["Scheme"] == "RoPE in time, height and width ¹"
    assert found["MiniMax-Text-01"]["Scheme"] == "RoPE, 64 of 128, decay of states ¹ ³"
    assert found["Qwen3-Next 80B-A3B"]["Scheme"] == "RoPE, 64 of 256, decay of states, short convolutions ¹ ³"
    assert found["Falcon-H1 34B"]["Layers"] == "all 72: whole text, and a state ¹ ² ³"
    assert "³ configuration of a model tuned from it: TheDrummer/" in found["Command A"]["Read from"]
    assert found["T5-Small"]["Layers"] == "all 12: whole text; encoder both ways ¹"
    assert found["RoFormer"]["Layers"] == "all: whole text; both ways ¹"
    assert found["Longformer base"]["Layers"] == "all 12: near, marked tokens; both ways ¹ ²"
    assert found["DeepSeek-V3.2"]["Layers"] == "all 61: 2,048 picked ¹"
    assert found["DeBERTa base"]["Scheme"] == "DeBERTa, Learned at the output ¹"


USED = [name for name in SCHEMES if any(name in model.schemes for model in ARCHITECTURES.values())]


@pytest.mark.parametrize("scheme", USED)
def test_a_filter_keeps_the_models_of_its_scheme(scheme):
    expected = {name for name, model in ARCHITECTURES.items() if scheme in model.schemes}
    assert {row[0] for row in rows(scheme=scheme.replace("_", "-"))} == expected


def test_the_filter_offers_the_schemes_that_a_model_has_by_their_titles(monkeypatch):
    monkeypatch.setitem(OPTIONS["scheme"], "unused", "Unused")  # a scheme that no model has
    offered = visit().selectbox(key="scheme").options
    assert offered == ["All schemes", *(translated(SCHEMES[name].title) for name in USED)]
    assert len(rows(scheme="unused")) == len(ARCHITECTURES)


def test_a_search_finds_names_and_sources():
    assert [row[0] for row in rows(named="llama 3")] == ["Llama 3 8B", "Llama 3.1 8B"]
    assert [row[0] for row in rows(named="vaswani")] == ["Transformer base"]
    (found_by_file,) = rows(named="allenai/olmo-2")
    assert found_by_file[-1] == (
        "¹ configuration: allenai/OLMo-2-1124-7B: config.json; ² report: OLMo Team 2024, arXiv:2501.00656"
    )


@pytest.mark.parametrize(
    ("order", "column", "descending"),
    [("newest", 1, True), ("oldest", 1, False), ("base", 3, True), ("name", 0, False)],
)
def test_rows_are_sorted(order, column, descending):
    cells = [row[column] for row in rows(sort=order)]
    if order == "name":
        keys: list = [cell.casefold() for cell in cells]
    else:
        keys = [float(cell.split(" ")[-2 if " " in cell else 0].replace(",", "").replace("–", "0")) for cell in cells]
    assert keys == sorted(keys, reverse=descending)
    names = [row[0].casefold() for row in rows(sort=order)]
    assert all(a < b for a, b, first, then in zip(names, names[1:], keys, keys[1:], strict=False) if first == then)
    assert len(keys) == len(ARCHITECTURES)


def test_the_longest_texts_come_first_if_that_is_asked():
    models = matching("all", "length", "")
    lengths = [model.longest for model in models]
    assert len(models) == len(ARCHITECTURES) + len(IDEAS)
    assert (models[0].name, lengths) == ("Llama 4 Scout", sorted(lengths, reverse=True))


def test_what_nobody_has_is_a_message_and_hostile_text_stays_text():
    at = visit(scheme="alibi", named="<b>Gemma")
    assert "No row of this scheme has" in at.info[0].value
    assert "<b>" not in at.info[0].value
    assert shown(at, "architectures") is None


@pytest.mark.parametrize(
    "query", [{"scheme": "x", "sort": "y"}, {"view": "table"}, {"view": "one", "with": "x"}], ids=str
)
def test_addresses_that_name_nothing_fall_back(query):
    at = visit(**query)
    assert not at.error
    assert len(shown(at, "architectures")["rows"]) == len(ARCHITECTURES) + len(IDEAS)


def test_the_finding_counts_all_models_whatever_the_table_shows():
    rotating = sum("rope" in model.schemes for model in ARCHITECTURES.values())
    said = f"In 5 of these, {WITHOUT} Models without positions in any layer of attention: 3."
    for query in ({}, {"scheme": "alibi"}):
        (card,) = shown(visit(**query), "all_models")["cards"]
        assert (card["title"], card["text"]) == (f"{rotating} of {len(ARCHITECTURES)} models have RoPE", said)
    nowhere = [model for model in ARCHITECTURES.values() if set(model.schemes) == {"none"}]
    assert len(nowhere) == 3
    assert all(layer.scheme == "none" for model in nowhere for layer in model.pattern if layer.sees != "state")


def test_in_projection_the_rows_are_left_out():
    at = visit(present="1")
    assert shown(at, "strips")
    assert shown(at, "architectures") is None


def test_every_kind_of_layer_has_a_word_in_the_legend():
    drawn = {layer_words.kind(layer) for name in DRAWN for layer in ARCHITECTURES[name].layers}
    assert drawn | {"chunk", "sinks", "part"} == layer_words.LEGEND.keys()


def test_a_word_of_the_legend_is_true_of_every_model_with_this_kind_of_layer():
    """Sines and cosines are added too, and nobody has learned them."""
    legend, layers = layer_words.legend(), [layer for model in ARCHITECTURES.values() for layer in model.pattern]
    added = {layer.scheme for layer in layers if layer_words.kind(layer) == "add"}
    assert added == {"learned", "sinusoidal"}
    assert legend["add"] == "Added once"


def test_what_tells_order_beside_a_state_is_said_of_each_layer_that_has_one():
    alt = shown(visit(), "strips")["alt"]
    models = [ARCHITECTURES[name] for name in DRAWN]
    assert alt.count("this decay and a convolution over the last few tokens tell order") == sum(
        any(layer.sees == "state" for layer in model.layers) for model in models
    )
    assert "linear" not in alt.replace("Kimi Linear", "").casefold()
