"""The view "Absolute or relative" of the page "Models": each claim is held against its matter."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.attention.attention import attend
from embedviz.attention.layer import make_layer
from embedviz.attention.one_head import Sentence, shift_test
from embedviz.base.pages import page_at
from embedviz.positions import SCHEMES, alibi, sinusoidal
from embedviz.positions.scheme import GPT2, Cost
from embedviz.vectors.embedding import tokenize_for
from pages.models.choose_words import LINES, numbers, rules_of_thumb
from tests.pages.site import programs, shown
from tests.pages.site import visit as open_page

CAT = "the cat sat on the mat"
ABSOLUTE = [name for name, scheme in SCHEMES.items() if scheme.kind == "add"]
RELATIVE = [name for name, scheme in SCHEMES.items() if scheme.kind not in ("add", "none")]
BY_SUBJECT = {line.subject: line for line in LINES}


def visit(view: str, **query: str) -> AppTest:
    at = open_page("models", view=view, **query)
    assert not at.exception
    return at


def test_every_line_leads_to_views_that_are_there():
    found = shown(visit("choose"), "choose")
    assert [row[0] for row in found["rows"]] == [line.subject for line in LINES]
    for line, links in zip(LINES, found["links"], strict=True):
        assert links
        for path, link in zip(line.seen_in.split(), links, strict=True):
            page, _slash, name = path.partition("/")
            assert link["text"].endswith(page_at(page).views[name])
            view = link["query"].removeprefix("view=")
            at = open_page("" if page == "compare" else page, **({"view": view} if view else {}))
            assert not at.exception
            assert at.segmented_control(key="view").value == name


def test_no_field_of_a_text_is_left_open():
    for row in shown(visit("choose"), "choose")["rows"]:
        assert not re.search(r"[{}]", "".join(row))


def test_costs_are_those_of_a_model_of_gpt2s_sizes():
    row = {row[0]: row for row in shown(visit("choose"), "choose")["rows"]}["What it costs"]
    gpt2 = transformers.GPT2Config()
    assert (gpt2.n_positions * gpt2.n_embd, gpt2.n_layer, gpt2.n_head) == (786432, GPT2.n_layers, GPT2.n_heads)
    assert "786,432 numbers" in row[1]
    assert f"T5 {32 * gpt2.n_head} numbers" in row[2]
    deberta = 2 * 512 * gpt2.n_embd + gpt2.n_layer * 2 * gpt2.n_embd**2
    assert f"DeBERTa {deberta:,}." in row[2]
    assert numbers()["rope"] == numbers()["alibi"] == numbers()["none"] == numbers()["sinusoidal"] == 0
    for name in ABSOLUTE:  # one addition before the first layer, and nothing in the layers
        costs = SCHEMES[name].cost(GPT2.n_tokens, GPT2.output_dim, GPT2.n_heads, GPT2.context_length)
        assert costs.once.additions == GPT2.n_tokens * GPT2.output_dim
        assert costs.each_layer == Cost()
    for name in RELATIVE:
        costs = SCHEMES[name].cost(GPT2.n_tokens, GPT2.output_dim, GPT2.n_heads, GPT2.context_length)
        assert costs.each_layer.additions


def test_copies_of_a_token_differ_at_the_input_only_if_a_place_is_added():
    for name in SCHEMES:
        vectors = ev.embed(CAT, ev.Spec(position=name)).input_embeddings
        assert np.array_equal(vectors[0], vectors[4]) == (name not in ABSOLUTE)


def test_a_phrase_later_in_the_text_scores_anew_just_if_places_are_added():
    changes = shift_test(Sentence(tokenize_for(CAT, ev.Spec()), ev.Spec(), 0))
    assert {name for name, values in changes.items() if values.max() > 1e-3} == set(ABSOLUTE)


def test_near_places_are_alike_among_sinusoids_and_not_among_random_rows():
    def mean_cosine(table: np.ndarray, distance: int) -> float:
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        return float((unit[:-distance] * unit[distance:]).sum(1).mean())

    waves = sinusoidal.table(256, 256)
    assert mean_cosine(waves, 1) > mean_cosine(waves, 4) > mean_cosine(waves, 16) > mean_cosine(waves, 100)
    torch.manual_seed(0)
    rows = torch.nn.Embedding(256, 256).weight.detach().numpy()
    assert max(abs(mean_cosine(rows, distance)) for distance in (1, 4, 16, 100)) < 0.05


def test_alibi_lowers_far_tokens_from_the_beginning():
    assert (np.diff(alibi.bias(20, 8)[:, -1, :]) > 0).all()  # the last query, keys ever nearer


def test_beyond_training_a_table_ends_and_sinusoids_go_on():
    with pytest.raises(ev.EmbedvizError, match="ends at context_length 4"):
        ev.embed(CAT, ev.Spec(position="learned", context_length=4))
    assert np.isfinite(ev.embed(CAT, ev.Spec(position="sinusoidal", context_length=4)).input_embeddings).all()


@pytest.mark.parametrize(
    ("model", "folder", "trace"),
    [
        ("GPT-2", "gpt2", r"\bwpe\b"), ("BERT", "bert", "position_embeddings = nn.Embedding"),
        ("T5", "t5", "relative_attention_bias"), ("BLOOM", "bloom", "alibi"), ("Llama 3", "llama", "RotaryEmbedding"),
        ("Gemma 3", "gemma3", "RotaryEmbedding"), ("DeepSeek-V3", "deepseek_v3", "RotaryEmbedding"),
    ],
)  # fmt: skip
def test_the_models_that_are_named_have_these_positions(model, folder, trace):
    line = BY_SUBJECT["Typical users"]
    assert model in (line.absolute if model in ("GPT-2", "BERT") else line.relative)
    code = Path(transformers.__file__).parent / "models" / folder / f"modeling_{folder}.py"
    assert re.search(trace, code.read_text())


def test_llama_4_and_smollm3_leave_positions_out_of_every_fourth_layer():
    assert "Llama 4 and SmolLM3 leave positions out of every fourth layer" in rules_of_thumb()[2].text
    for config in (transformers.Llama4TextConfig(num_hidden_layers=8), transformers.SmolLM3Config(num_hidden_layers=8)):
        assert config.no_rope_layers == [1, 1, 1, 0, 1, 1, 1, 0]  # 1: this layer rotates


@pytest.mark.parametrize("causal", [True, False])
def test_without_positions_a_causal_mask_alone_lets_order_in(causal):
    """What each token gets, in two orders of the same tokens: alike without a mask, different with one."""
    spec = ev.Spec(position="none", tokenizer="gpt2")
    a, b = (ev.embed(text, spec) for text in ("dog bites man", "man bites dog"))
    layer = make_layer("none", spec.output_dim, 8, 0)
    outputs = [attend(each.token_embeddings, layer, causal=causal).outputs for each in (a, b)]
    moved = [b.tokens.ids.index(token) for token in a.tokens.ids]
    assert np.allclose(outputs[0], outputs[1][moved], atol=1e-5) == (not causal)


def test_the_program_of_the_choice_prints_the_numbers_of_its_table(run):
    (program,) = programs(visit("choose"))
    printed = dict(line.split() for line in run(program))
    assert printed == {name: str(number) for name, number in numbers().items()}
