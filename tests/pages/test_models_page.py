"""The views "Layer by layer" and "Which model has what" of the page "Models", and their programs."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from embedviz.base.i18n import translated
from embedviz.models.architectures import ARCHITECTURES, DRAWN, kinds
from embedviz.positions import SCHEMES
from embedviz.programs import architectures as export
from embedviz.ui.options import OPTIONS
from pages.models import layer_words, layers, table_words
from pages.models.guide import GUIDES
from pages.models.table import found
from tests.pages.site import programs, shown
from tests.pages.site import visit as open_page

SEES = {"all": "full_attention", "near": "sliding_attention", "chunk": "chunked_attention", "state": "linear_attention"}


def visit(**query: str) -> AppTest:
    at = open_page("models", **query)
    assert not at.exception
    return at


def rows(**query: str) -> list[list[str]]:
    return shown(visit(view="table", **query), "architectures")["rows"]


def test_a_cell_is_drawn_for_each_layer_of_each_model():
    data = shown(visit(), "strips")["data"]
    bars = [trace for trace in data if trace["type"] == "bar"]
    *_traces, told = data
    texts = told["text"]
    assert len(texts) == sum(len(trace["x"]) for trace in bars)
    assert len(texts) == sum(len(ARCHITECTURES[name].layers) for name in DRAWN)
    assert sum(text.startswith("Llama 4 Scout, layer 4 of 48<br>no positions<br>") for text in texts) == 1
    assert any(text.startswith("T5, layer 6 of 6") and "a token sees the whole text" in text for text in texts)
    dots, _told = (trace for trace in data if trace["type"] == "scatter")
    assert len(dots["x"]) == 36  # the layers of gpt-oss


@pytest.mark.parametrize("name", DRAWN)
def test_the_findings_of_a_model_count_its_layers(name):
    model = ARCHITECTURES[name]
    card = shown(visit(model=name), "layers")["cards"][0]
    assert card["title"].startswith(f"{name}: ")
    counts = [(int(n), int(total)) for n, total in re.findall(r"(\d+) of (\d+)(?:, in the \w+)?: ", card["text"])]
    counts = counts or [(len(model.layers),) * 2] * card["text"].startswith("Each of them: ")
    assert {total for _n, total in counts} == {len(model.layers)}
    assert sum(n for n, _total in counts) == len(model.layers)
    assert ("all" in card["title"]) == (len(kinds(model.layers)) == 1)
    for number in (*model.windows, *(base for base in model.bases)):
        assert f"{number:,.0f}" in card["text"]


def test_the_models_that_mix_and_that_leave_positions_out_are_named():
    mixing, without = shown(visit(), "layers")["cards"][1:]
    assert mixing["title"] == "6 of 12 models mix their layers"
    assert mixing["text"].startswith("Llama 4 Scout, SmolLM3, Gemma 3, gpt-oss, Qwen3-Next, Command A.")
    assert without["title"] == "3 leave positions out of some layers"
    assert without["text"].startswith("Llama 4 Scout, SmolLM3, Command A.")


def test_the_alternative_and_the_caption_say_what_is_drawn():
    at = visit(model="BLOOM")
    alt = shown(at, "strips")["alt"]
    assert "BERT, 12 layers: 12 with learned positions, added below layer 1, a token sees the whole text." in alt
    assert "18 with RoPE with base 150,000, a token sees the last 128, itself included, each head has" in alt
    caption = " ".join(each.value for each in at.caption)
    assert "BloomConfig(n_layer=70)" in caption


def test_a_window_is_written_behind_its_strip_and_its_cells_are_low():
    """In gpt-oss every second layer sees 128 tokens, and the strip must not read as if that were half of the text."""
    found = shown(visit(), "strips")
    said = [note["text"] for note in found["layout"]["annotations"]]
    assert said[DRAWN.index("gpt-oss")] == "36 layers; low: 128 tokens"
    assert said[DRAWN.index("BERT")] == "12 layers, both ways"
    for name, text in zip(DRAWN, said, strict=True):
        assert all(f"{window:,}" in text for window in ARCHITECTURES[name].windows)
    row = len(DRAWN) - 1 - DRAWN.index("gpt-oss")
    bars = [trace for trace in found["data"] if trace["type"] == "bar"]
    cells = {}
    for trace in bars:
        for at, base, high in zip(trace["x"], trace["base"], trace["y"], strict=True):
            if round(float(base + 0.41)) == row:
                cells[int(at)] = float(high)
    assert len(set(cells.values())) == 2
    assert cells[1] == cells[3] < cells[2] / 3


def test_a_click_on_a_strip_chooses_its_model(monkeypatch):
    """The callback, since AppTest cannot click a component."""
    state: dict[str, str] = {}
    monkeypatch.setattr(layers.st, "session_state", state)
    for name in DRAWN:
        layers._pick(9, 1, len(DRAWN) - 1 - DRAWN.index(name))
        assert state["model"] == name
    layers._pick(9, 1, len(DRAWN))
    assert state["model"] == DRAWN[-1]


def test_the_program_reads_the_same_layers_from_the_library(run):
    lines = [line.split(" | ") for line in run(export.pytorch_layers())]
    printed = [(name, int(n), sees, window, turn) for name, n, sees, window, turn in lines]
    expected = [
        (name, n, SEES[layer.sees], str(layer.window or "-"), "RoPE" if layer.scheme == "rope" else "no RoPE")
        for name in DRAWN
        for layer, n in kinds(ARCHITECTURES[name].layers).items()
    ]
    assert printed == expected
    assert programs(visit())[0].strip() == export.pytorch_layers().strip()


def test_the_table_has_a_row_for_each_model_and_says_a_dash_where_nothing_is_stated():
    found = {row[0]: dict(zip(table_words.columns(), row, strict=True)) for row in rows()}
    assert found.keys() == ARCHITECTURES.keys()
    assert found["gpt-oss"] == {
        "Model": "gpt-oss", "Year": "2025", "Scheme": "RoPE", "Base": "150,000", "Scaling": "yarn × 32",
        "Trained on": "4,096", "Extended to": "131,072", "Window": "128",
        "Layers": "1 of 2: near, sinks; 1 of 2: whole text, sinks",
        "Read from": "configuration_gpt_oss.py, modeling_gpt_oss.py",
    }  # fmt: skip
    assert found["SmolLM3"]["Base"] == found["SmolLM3"]["Trained on"] == "–"
    assert found["DeepSeek-V3"]["Scheme"] == "RoPE, 33% of a head"
    assert found["Gemma 4"]["Scheme"] == "RoPE, 25% of a head in some layers"
    assert found["T5"]["Layers"] == "all: whole text; encoder both ways"


USED = [name for name in SCHEMES if any(name in model.schemes for model in ARCHITECTURES.values())]


@pytest.mark.parametrize("scheme", USED)
def test_a_filter_keeps_the_models_of_its_scheme(scheme):
    expected = {name for name, model in ARCHITECTURES.items() if scheme in model.schemes}
    assert {row[0] for row in rows(scheme=scheme.replace("_", "-"))} == expected


def test_the_filter_offers_the_schemes_that_a_model_has_by_their_titles(monkeypatch):
    monkeypatch.setitem(OPTIONS["scheme"], "unused", "Unused")  # a scheme that no model has
    offered = visit(view="table").selectbox(key="scheme").options
    assert offered == ["All schemes", *(translated(SCHEMES[name].title) for name in USED)]
    assert len(rows(scheme="unused")) == len(ARCHITECTURES)


def test_a_search_finds_names_and_sources():
    assert [row[0] for row in rows(named="llama 3")] == ["Llama 3", "Llama 3.1"]
    assert [row[0] for row in rows(named="vaswani")] == ["Transformer"]
    (found_by_file,) = rows(named="allenai/olmo")
    assert found_by_file[-1] == "modeling_olmo2.py, allenai/OLMo: OLMo2-7B-stage1.yaml, OLMo Team 2025"


@pytest.mark.parametrize(
    ("order", "column", "descending"),
    [("newest", 1, True), ("oldest", 1, False), ("base", 3, True), ("name", 0, False)],
)
def test_rows_are_sorted(order, column, descending):
    cells = [row[column] for row in rows(sort=order)]
    if order == "name":
        keys: list = [cell.casefold() for cell in cells]
    else:
        keys = [float(cell.split(", ")[-1].replace(",", "").replace("–", "0")) for cell in cells]
    assert keys == sorted(keys, reverse=descending)
    names = [row[0].casefold() for row in rows(sort=order)]
    assert all(a < b for a, b, first, then in zip(names, names[1:], keys, keys[1:], strict=False) if first == then)
    assert len(keys) == len(ARCHITECTURES)


def test_the_longest_texts_come_first_if_that_is_asked():
    models = found("all", "length", "")
    lengths = [max(model.trained, model.extended) for model in models]
    assert (models[0].name, lengths) == ("Llama 4 Scout", sorted(lengths, reverse=True))


def test_what_nobody_has_is_a_message_and_hostile_text_stays_text():
    at = visit(view="table", scheme="alibi", named="<b>Gemma")
    assert "No model of this scheme has" in at.info[0].value
    assert "take all schemes" not in visit(view="table", named="<b>Gemma").info[0].value
    assert "<b>" not in at.info[0].value
    assert shown(at, "architectures") is None


@pytest.mark.parametrize("query", [{"model": "Nothing"}, {"view": "table", "scheme": "x", "sort": "y"}], ids=str)
def test_addresses_that_name_nothing_fall_back(query):
    at = visit(**query)
    assert not at.error
    assert shown(at, "strips") or len(shown(at, "architectures")["rows"]) == len(ARCHITECTURES)


def test_the_findings_follow_from_the_rows_that_are_shown():
    titles = {
        name: [card["title"] for card in shown(visit(view="table", scheme=name), "table")["cards"]]
        for name in ("all", "alibi", "none")
    }
    rotating = sum("rope" in model.schemes for model in ARCHITECTURES.values())
    assert titles["all"][:2] == [f"{rotating} of {len(ARCHITECTURES)} rotate", "Bases from 10,000 to 12,000,000"]
    assert titles["alibi"] == ["0 of 3 rotate", "No model mixes its layers"]
    said = shown(visit(view="table", scheme="alibi"), "table")["cards"][1]["text"]
    assert said == "In all of these models, every layer that looks at tokens has positions."
    said = shown(visit(view="table", scheme="none"), "table")["cards"][2]["text"]
    assert said == "In 7 of these models, some layers look at tokens without any positions."
    assert titles["none"] == ["5 of 7 rotate", "All stated bases are 500,000", "7 mix their layers"]


def test_the_bars_count_each_model_that_has_a_row():
    at = visit(view="table")
    bars = shown(at, "by_year")["data"]
    counted = {
        (int(year), trace["name"]): int(n) for trace in bars for year, n in zip(trace["x"], trace["y"], strict=True)
    }
    assert sum(counted.values()) == len(ARCHITECTURES)
    mixed = [model for model in ARCHITECTURES.values() if {"rope", "none"} <= set(model.schemes)]
    assert counted[2025, "RoPE, but none in some layers"] == len(mixed)
    assert counted[2018, "Vectors of distances"] == 1  # Shaw et al., by Music Transformer
    assert "2018: Added once 2." in shown(at, "by_year")["alt"]
    (only,) = shown(visit(view="table", scheme="t5"), "by_year")["data"]
    assert (only["name"], only["x"].tolist(), only["y"].tolist()) == ("Bias on scores", [2019], [1])


def test_in_projection_the_bars_stand_for_the_rows():
    at = visit(view="table", present="1")
    assert shown(at, "by_year")
    assert shown(at, "architectures") is None


def test_the_program_prints_what_the_classes_state_of_the_rows(run):
    models = [model for model in ARCHITECTURES.values() if model.held]
    printed = "\n".join(run(export.pytorch_table(list(ARCHITECTURES.values()))))
    blocks = dict(re.findall(r"^(\S.*)\n((?:    .*\n?)+)", printed, re.MULTILINE))
    assert list(blocks) == [model.name for model in models]
    for model in models:
        facts = {line.split()[0]: line for line in blocks[model.name].splitlines()}
        stated = {
            "trained": [model.trained],
            "extended": [model.extended],
            "window": model.windows,
            "base": model.bases,
        }
        for fact in facts.keys() & stated.keys():
            for value in stated[fact]:
                assert re.search(rf"\b{value:.0f}\b", facts[fact]), (model.name, facts[fact])
        assert facts.keys() <= set(model.held.split())


def test_every_kind_of_layer_has_a_word_in_the_legend():
    drawn = {layer_words.kind(layer) for name in DRAWN for layer in ARCHITECTURES[name].layers}
    assert drawn | {"chunk", "sinks"} == layer_words.LEGEND.keys()


def test_most_models_since_2022_rotate_as_the_guide_says():
    assert "Most large models since 2022 rotate." in GUIDES["table"].why
    rotating = ["rope" in model.schemes for model in ARCHITECTURES.values() if model.year >= 2022]
    assert sum(rotating) > 0.8 * len(rotating)


def test_rows_that_come_from_papers_alone_have_no_program():
    assert programs(visit(view="table", scheme="shaw")) == []
    assert "transformers.XLNetConfig" not in "".join(programs(visit(view="table", scheme="transformer-xl")))
    assert "transformers.MptConfig()" in programs(visit(view="table", scheme="alibi"))[0]
