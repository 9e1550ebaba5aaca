"""The view "Sliding window" of the page "Attention", run without a browser."""

import numpy as np
import pytest
from transformers import Gemma3TextConfig, GptOssConfig, MistralConfig

import embedviz as ev
from embedviz.attention.windows import with_window
from embedviz.positions import SCHEMES
from pages.attention import window_words
from tests.pages.site import messages, programs, shown, visit

CAT = "the cat sat on the mat"


def window(**query):
    return opened(view="window", **query)


def opened(**query):
    at = visit("attention", **query)
    assert not at.exception
    return at


def cards(at, key: str) -> list[tuple[str, str]]:
    return [(card["title"], card["text"]) for card in shown(at, key)["cards"]]


def test_old_links_lead_to_the_first_view():
    at = opened(causal="true")
    assert at.toggle(key="causal").value is True
    assert shown(at, "plain")
    assert shown(at, "window") is None


def test_the_window_draws_weights_and_layers():
    at = window(a="dog bites man and man bites dog", window="2", n_layers="3", head="2")
    found = with_window(ev.embed("dog bites man and man bites dog", ev.Spec()), 4, 2)
    weights, reached, far = (trace["z"] for trace in shown(at, "window")["data"])
    assert np.array_equal(weights, found.alone.seen_by(1), equal_nan=True)
    i, j = np.indices((7, 7))
    assert np.array_equal(reached, np.where((i >= j) & (i - j <= 3), i - j, np.nan), equal_nan=True)
    assert np.array_equal(far, np.where(i - j > 3, i - j, np.nan), equal_nan=True)
    (program,) = programs(at)
    assert "n_layers = 3" in program


def test_the_window_in_words():
    found = with_window(ev.embed(CAT, ev.Spec()), 4, 3)
    share = f"{float(found.whole.weights[0, 5, :3].sum()):.0%}"
    seen, heard, kept = cards(window(), "about_window")
    assert seen == (
        "A token sees at most 3 tokens",
        "It sees itself and 2 before it. Without a window the last token sees all 6. Head 1 then gives "
        f"{share} of its weight to tokens that the window hides.",
    )
    assert heard[0] == "The first token reaches the last after 3 layers"
    assert heard[1].endswith("each layer reaches 2 tokens farther back. 3 layers are enough here.")
    assert kept[0] == "3 of 6 keys and values to keep"
    few = cards(window(n_layers="2"), "about_window")[1][1]
    assert few.endswith("After 2 layers the last token knows nothing of those before A1.")
    alt = shown(window(), "window")["alt"]
    assert "A token sees at most 3 tokens." in alt
    assert "The first token reaches the last after 3 layers." in alt


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ({"window": "1"}, ["A token sees at most 1 token", "The first token never reaches the last", "1 of 6 keys"]),
        (
            {"window": "6"},
            ["The window covers the sentence", "The first token reaches the last after 1 layer", "6 of 6"],
        ),
        (
            {"window": "2"},
            ["A token sees at most 2 tokens", "The first token reaches the last after 5 layers", "2 of 6"],
        ),
        ({"a": "the"}, ["The window covers the sentence", "One token has no other to reach", "1 of 1"]),
    ],
)
def test_the_window_at_its_ends(query, titles):
    for (title, _), expected in zip(cards(window(**query), "about_window"), titles, strict=True):
        assert title.startswith(expected)


@pytest.mark.parametrize("position", list(SCHEMES))
def test_every_scheme_can_be_chosen(position):
    at = window(position=position)
    assert messages(at) == []
    assert shown(at, "window")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"n_layers": "0"}, "Layers: 0 is out of range. Take 1 to 12; 3 stays in use."),
        ({"window": "0"}, "Window (tokens): 0 is out of range. Take 1 to 64; 3 stays in use."),
        ({"a": ""}, "Sentence A is empty: type a few words."),
        ({"a": "the " * 69 + "the"}, "70 tokens are too many to show; the first 64 are used."),
        ({"n_heads": "3"}, "256 dimensions do not go into 3 heads. Try n_heads 2."),
        ({"context_length": "4"}, "6 tokens need 6 positions, but the learned table ends at context_length 4."),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    assert any(message in each for each in messages(window(**query)))


@pytest.mark.parametrize("query", [{"window": "inf"}, {"a": "<b>**x**</b> \x00"}])
def test_hostile_addresses_are_no_error(query):
    assert shown(window(**query), "window")


def test_who_has_a_window_is_what_the_configuration_classes_say():
    said = window_words.who_has_windows()
    mistral, gpt_oss, gemma = MistralConfig(), GptOssConfig(), Gemma3TextConfig()
    assert (mistral.sliding_window, mistral.num_hidden_layers) == (4096, 32)
    assert "4,096 tokens in each of its 32 layers" in said
    assert f"32 × 4,095 = {32 * 4095:,} tokens back" in said
    sliding = [kind == "sliding_attention" for kind in gpt_oss.layer_types]
    assert (gpt_oss.sliding_window, sliding) == (128, [n % 2 == 0 for n in range(len(sliding))])
    assert "128 in every second layer" in said
    sliding = [kind == "sliding_attention" for kind in gemma.layer_types]
    assert sliding == [(n + 1) % 6 != 0 for n in range(len(sliding))]
    assert "five of every six" in said
