"""T5's biases on the page "Relative", and what the page says of models without a table of positions."""

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaConfig, LlamaForCausalLM

from embedviz.attention.t5_biases import learned_biases
from embedviz.models import hub_model
from embedviz.positions import SCHEMES
from tests.models.hub import use
from tests.models.tiny import made
from tests.pages.site import findings, messages, programs, shown, visit

USUAL, ROPE = "google-t5/t5-small", "HuggingFaceTB/SmolLM2-135M"
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def tiny(hub_server, tmp_path):
    """A server with GPT-2, and a tiny T5 under the name of the usual one."""
    made("t5", with_head=True).save_pretrained(tmp_path / "t5")
    hub_server.files[USUAL] = tmp_path / "t5"
    return hub_server


@pytest.fixture
def rope(hub_server, tmp_path):
    """A server with a small model with RoPE and a tokenizer of its own, under the name of one that is offered."""
    words = ["[UNK]", "the", "cat", "sat", "on", "mat"]
    tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    sizes = {"vocab_size": 6, "hidden_size": 32, "intermediate_size": 8, "num_hidden_layers": 1}
    LlamaForCausalLM(LlamaConfig(**sizes, num_attention_heads=2)).save_pretrained(tmp_path / "rope")
    tokenizer.save(str(tmp_path / "rope" / "tokenizer.json"))
    hub_server.files[ROPE] = tmp_path / "rope"
    return hub_server


def own(**query):
    at = visit("relative", view="distance", **query)
    assert not at.exception
    return at


def clause(at) -> str:
    return next((each.value.replace("\\", "") for each in at.caption if "left out" in each.value), "")


def test_a_line_for_each_head_in_the_colour_of_its_way(tiny):
    at = own(reach="200")
    assert messages(at) == []
    assert clause(at) == ""
    found = learned_biases(hub_model(USUAL), 200)
    heads = [trace for trace in shown(at, "distance")["data"] if trace["xaxis"] == "x2"]
    for head, trace in enumerate(heads):
        assert np.array_equal(trace["x"], found.distances)
        assert np.array_equal(trace["y"], found.by_distance[head])
        fall = found.fall[head]
        way = -1 if fall > 1 else 1 if fall < -1 else 0
        assert trace["line"]["color"] == {-1: "var(--falls)", 1: "var(--rises)", 0: "var(--neither)"}[way]
    assert len(heads) == 2
    compile(programs(at)[0], "t5", "exec")
    assert "relative_attention_bias" in programs(at)[0]


def test_the_card_says_what_was_computed(tiny):
    found = learned_biases(hub_model(USUAL))
    _alibi, said, _rope = shown(own(), "about_distance")["cards"]
    assert (
        said["title"] == f"T5 has learned it: {(found.fall > 1).sum()} of 2 heads fall, {(found.fall < -1).sum()} rise"
    )
    assert found.model.title in said["text"]


def test_the_alternative_names_every_head(tiny):
    alt = shown(own(), "distance")["alt"]
    assert "Head 1 is highest at" in alt
    assert "Head 2 is highest at" in alt


def test_projection_shows_the_same_without_the_program(tiny):
    usual, large = own(), own(present="1")
    for one, other in zip(shown(large, "distance")["data"], shown(usual, "distance")["data"], strict=True):
        assert (one["name"], list(one["y"])) == (other["name"], list(other["y"]))
    assert programs(large) == []


def test_the_choice_is_in_the_address(tiny):
    tiny.files["tiny/t5"] = tiny.files[USUAL]
    at = own(t5="tiny/t5")
    assert at.text_input(key="t5").value == "tiny/t5"
    assert "the biases of tiny/t5" in shown(at, "distance")["alt"]


def test_without_a_network_a_clause_says_so_and_the_other_curves_are_there(tiny, monkeypatch):
    use(NOWHERE, monkeypatch)
    at = own()
    assert messages(at) == []
    assert "there is no connection" in clause(at)
    assert {trace["xaxis"] for trace in shown(at, "distance")["data"]} == {"x", "x2"}
    assert [card["title"] for card in findings(at, "about_distance")] == [
        "With distance, ALiBi lowers scores by rule, and RoPE need not",
        "RoPE need not fade",
    ]


def test_a_model_of_another_family_says_what_it_has(tiny):
    assert "GPT-2 adds a learned vector for each position" in clause(own(t5="gpt2"))


@pytest.mark.parametrize("name", ["", "t5", "<script>alert(1)</script>", "../..", "x" * 300])
def test_what_is_no_name_is_a_clause(name):
    assert clause(own(t5=name))


@pytest.mark.parametrize("view", ["shift", "distance", "far"])
def test_a_source_without_a_table_of_positions(rope, view):
    at = visit("relative", view=view, source=ROPE)
    assert not at.exception
    assert [each.value for each in at.error] == []
    told = [message for message in messages(at) if "“Learned” is left out" in message]
    assert bool(told) == (view == "shift")


def test_its_scores_are_those_of_all_other_schemes(rope):
    at = visit("relative", source=ROPE)
    titles = [scheme.title for name, scheme in SCHEMES.items() if name != "learned"]
    assert at.selectbox(key="one").options == at.selectbox(key="another").options == titles
    assert shown(at, "shift")["layout"]["annotations"][0]["text"] == "<b>Sinusoidal</b>"
