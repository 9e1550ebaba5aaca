"""The views "Sliding window" and "Sinks" of the page "Attention", run without a browser."""

import numpy as np
import pytest
from transformers import Gemma3TextConfig, GptOssConfig, MistralConfig

import embedviz as ev
from embedviz.attention.windows import with_sinks, with_window
from embedviz.positions import SCHEMES
from pages.attention import window_words
from tests.pages.site import messages, programs, shown, visit

CAT = "the cat sat on the mat"


def window(**query):
    return opened(view="window", **query)


def sinks(**query):
    return opened(view="sinks", **query)


def opened(**query):
    at = visit("attention", **query)
    assert not at.exception
    return at


def cards(at, key: str) -> list[tuple[str, str]]:
    return [(card["title"], card["text"]) for card in shown(at, key)["cards"]]


def test_old_links_lead_to_the_first_view():
    at = opened(causal="true")
    assert at.toggle(key="causal").value is True
    assert shown(at, "maps")
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
        f"Itself and the 2 before it. Without a window the last token sees all 6. It then gives {share} of its weight "
        "in head 1 to tokens that the window hides.",
    )
    assert heard[0] == "The last hears of the first after 3 layers"
    assert heard[1].endswith(
        "each layer reaches 2 tokens farther back. After 2 layers the last token knows nothing of those before A1."
    )
    assert kept[0] == "3 of 6 keys and values to keep"
    assert "3 layers are enough here." in cards(window(n_layers="3"), "about_window")[1][1]
    alt = shown(window(), "window")["alt"]
    assert "a token sees at most 3" in alt
    assert "in 20 of the 21 pairs" in alt  # all but that of the first and the last


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ({"window": "1"}, ["A token sees at most 1 token", "The last never hears of the first", "1 of 6 keys"]),
        ({"window": "6"}, ["The window covers the sentence", "The last hears of the first after 1 layer", "6 of 6"]),
        ({"window": "2"}, ["A token sees at most 2 tokens", "The last hears of the first after 5 layers", "2 of 6"]),
        ({"a": "the"}, ["The window covers the sentence", "One token has nothing to hear of", "1 of 1"]),
    ],
)
def test_the_window_at_its_ends(query, titles):
    for (title, _), expected in zip(cards(window(**query), "about_window"), titles, strict=True):
        assert title.startswith(expected)


def test_sinks_draw_three_matrices_and_the_sums():
    at = sinks(window="2", n_sinks="2", sink="-1.5", head="3", position="rope")
    found = with_sinks(ev.embed(CAT, ev.Spec(position="rope")), 4, 2, 2, -1.5)
    alone, kept, learned = (trace["z"] for trace in shown(at, "sinks")["data"])
    assert np.array_equal(alone, found.windowed.alone.seen_by(2), equal_nan=True)
    assert np.array_equal(kept, found.kept.seen_by(2), equal_nan=True)
    assert np.array_equal(learned[:, :6], found.learned.seen_by(2), equal_nan=True)
    sums = np.nansum(learned[:, :6], axis=1)
    np.testing.assert_allclose(learned[:, 6:], np.column_stack([sums, 1 - sums]), atol=1e-6)
    assert np.array_equal(np.isfinite(kept[5]), [True, True, False, False, True, True])


def test_sinks_in_words():
    found = with_sinks(ev.embed(CAT, ev.Spec()), 4, 3, 1, 1.0)
    whole, alone = found.windowed.whole.weights[0, 5], found.windowed.alone.weights[0, 5]
    sums = found.learned.weights[0].sum(axis=1)
    taken, first, learned = cards(sinks(), "about_sinks")
    assert taken[0] == f"The window takes {whole[:3].sum():.0%} from the last token"
    assert f"each of their weights is {alone[4] / whole[4]:.3g} times as large" in taken[1]
    assert first[0] == f"Keeping 1 first token gives it {found.kept.weights[0, 5, 0]:.0%}"
    assert learned[0] == f"The learned sink takes {(1 - sums).min():.0%} to {(1 - sums).max():.0%}"
    assert f"sum to {sums.min():.2f} to {sums.max():.2f}." in learned[1]


def test_sinks_at_their_ends():
    none = cards(sinks(window="40", n_sinks="0"), "about_sinks")
    assert [title for title, _ in none[:2]] == ["The window hides nothing", "No first token comes back"]
    assert cards(sinks(n_sinks="3"), "about_sinks")[1][0].startswith("Keeping 3 first tokens gives them")
    assert "already sees the first tokens" in cards(sinks(window="6"), "about_sinks")[1][1]


@pytest.mark.parametrize("view", [window, sinks])
@pytest.mark.parametrize("position", list(SCHEMES))
def test_every_scheme_can_be_chosen(view, position):
    at = view(position=position)
    assert messages(at) == []
    assert shown(at, view.__name__)


@pytest.mark.parametrize("view", [window, sinks])
@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"window": "0"}, "Window (tokens): 0 is out of range. Take 1 to 64; 3 stays in use."),
        ({"a": ""}, "Sentence A is empty: type a few words."),
        ({"a": "the " * 69 + "the"}, "70 tokens are too many to show; the first 64 are used."),
        ({"n_heads": "3"}, "256 dimensions do not go into 3 heads. Try n_heads 2."),
        ({"context_length": "4"}, "6 tokens need 6 positions, but the learned table ends at context_length 4."),
    ],
)
def test_a_mistake_gets_a_message(view, query, message):
    assert any(message in each for each in messages(view(**query)))


@pytest.mark.parametrize(
    ("view", "query", "message"),
    [
        (window, {"n_layers": "0"}, "Layers: 0 is out of range. Take 1 to 12; 2 stays in use."),
        (sinks, {"n_sinks": "-1"}, "First tokens kept: -1 is out of range. Take 0 to 64; 1 stays in use."),
    ],
)
def test_a_mistake_in_a_views_own_field_gets_a_message(view, query, message):
    at = view(**query)
    assert message in messages(at)
    assert shown(at, view.__name__)


@pytest.mark.parametrize("query", [{"sink": "nan"}, {"sink": "1e99"}, {"window": "inf"}, {"a": "<b>**x**</b> \x00"}])
@pytest.mark.parametrize("view", [window, sinks])
def test_hostile_addresses_are_no_error(view, query):
    assert shown(view(**query), view.__name__)


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


@pytest.mark.parametrize("view", ["window", "sinks"])
def test_projection_shows_the_same_without_the_program(view):
    usual, large = opened(view=view), opened(view=view, present="1")
    assert shown(large, f"about_{view}") == shown(usual, f"about_{view}")
    assert programs(large) == []
