"""The view "T5's own" of the page "Relative", and what the page says of models without a table of positions."""

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from transformers import LlamaConfig, LlamaForCausalLM

from embedviz.attention.t5_biases import learned_biases
from embedviz.models import gate, hub_model
from embedviz.positions import SCHEMES
from tests.models.hub import use
from tests.models.tiny import made
from tests.pages.site import messages, payloads, programs, shown, visit

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
    at = visit("relative", view="t5", **query)
    assert not at.exception
    return at


def test_a_line_for_each_head_near_and_far(tiny):
    at = own()
    assert messages(at) == []
    found = learned_biases(hub_model(USUAL))
    drawn = shown(at, "t5_biases")
    near, whole = drawn["data"][:2], drawn["data"][2:]
    for head, (left, right) in enumerate(zip(near, whole, strict=True)):
        assert np.array_equal(right["x"], found.distances)
        assert np.array_equal(right["y"], found.by_distance[head])
        assert np.array_equal(left["x"], np.arange(-16, 17))
        assert np.array_equal(left["y"], found.by_distance[head][128 - 16 : 128 + 17])
        assert left["name"] == right["name"] == f"head {head + 1}"
    compile(programs(at)[0], "t5", "exec")
    assert "relative_attention_bias" in programs(at)[0]


def test_the_cards_say_what_was_computed(tiny):
    found = learned_biases(hub_model(USUAL))
    sides, distances, buckets = (card for card in shown(own(), "about_t5")["cards"])
    assert sides["title"] == f"{len(found.looking_back)} of 2 heads look back, {len(found.looking_ahead)} ahead"
    for head in found.looking_back:
        assert f"head {head + 1} ({found.back[head]:.0%})" in sides["text"].split("After:")[0]
    assert distances["title"] == f"{len(found.falling)} of 2 heads fall with distance, {len(found.rising)} rise"
    assert buckets["title"] == "T5 learned 64 numbers for order"


def test_the_alternative_names_every_head(tiny):
    alt = shown(own(), "t5_biases")["alt"]
    assert "Head 1 is highest at" in alt
    assert "Head 2 is highest at" in alt


def test_projection_shows_the_same_without_the_program(tiny):
    usual, large = own(), own(present="1")
    assert shown(large, "about_t5") == shown(usual, "about_t5")
    assert len(payloads(large)) == len(payloads(usual)) + 1
    assert programs(large) == []


def test_the_choice_is_in_the_address(tiny):
    tiny.files["tiny/t5"] = tiny.files[USUAL]
    at = own(t5="tiny/t5")
    assert at.text_input(key="t5").value == "tiny/t5"
    assert "of tiny/t5 adds" in shown(at, "t5_biases")["alt"]


def test_without_a_network_it_says_so_and_can_be_tried_again(tiny, monkeypatch):
    monkeypatch.setattr(gate, "PAUSE_SECONDS", 0)
    address = tiny.address
    use(NOWHERE, monkeypatch)
    at = own()
    assert "there is no connection" in messages(at)[0]
    assert shown(at, "why")["cards"]
    use(address, monkeypatch)
    at.button(key="try_again").click().run()
    assert messages(at) == []
    assert shown(at, "t5_biases")


def test_a_model_of_another_family_says_what_it_has(tiny):
    (message,) = messages(own(t5="gpt2"))
    assert message.startswith("GPT-2 adds a learned vector for each position")
    assert f"such as {USUAL}" in message


@pytest.mark.parametrize("name", ["", "t5", "<script>alert(1)</script>", "../..", "x" * 300])
def test_what_is_no_name_is_a_message(name):
    assert messages(own(t5=name))


@pytest.mark.parametrize("view", ["scores", "shift", "distance", "lengths", "schemes"])
def test_a_source_without_a_table_of_positions(rope, view):
    at = visit("relative", view=view, source=ROPE)
    assert not at.exception
    assert [each.value for each in at.error] == []
    told = [message for message in messages(at) if "“Learned” is left out" in message]
    assert bool(told) == (view in ("scores", "shift"))


def test_its_scores_are_those_of_all_other_schemes(rope):
    grid = shown(visit("relative", source=ROPE), "grid")
    assert [trace["name"] for trace in grid["data"]] == [
        scheme.title for name, scheme in SCHEMES.items() if name != "learned"
    ]
