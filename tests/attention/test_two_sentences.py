"""What one layer makes of two orders: the three claims, their words, and the program."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import embedviz as ev
from embedviz.attention.layer import layer_for
from embedviz.attention.two_sentences import attention_cases
from embedviz.positions import ADDING, SCHEMES
from embedviz.programs.attention import pytorch_attention
from pages.attention.words import about_attention, case_in_words

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
WORDS = st.lists(st.sampled_from(["the", "cat", "dog", "sat", "on", "mat"]), min_size=1, max_size=9)
SMALL = {"output_dim": 16, "tokenizer": "words"}  # a table of few rows for each of the many seeds


def reference(embedded: ev.Embedded, n_heads: int, causal: bool) -> torch.Tensor:
    """PyTorch's own attention in float64 with the layer's matrices, (T, D); for schemes that add, and none."""
    layer = layer_for(embedded.spec, n_heads)
    x = torch.tensor(embedded.token_embeddings).double() + torch.tensor(embedded.positional_embeddings).double()
    q, k, v = (
        (x @ torch.tensor(m).double()).unflatten(-1, (n_heads, -1)).transpose(0, 1)
        for m in (layer.query, layer.key, layer.value)
    )
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return out.transpose(0, 1).flatten(1)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("position", ["none", *ADDING])
def test_outputs_and_distances_are_pytorchs(position, causal, compared):
    c = compared(CAT, MAT, position=position)
    found = attention_cases(c, 4, causal).chosen
    a, b = (reference(each, 4, causal) for each in (c.a, c.b))
    assert np.allclose(found.a.outputs, a, atol=2e-5)
    assert np.allclose(found.distances, torch.cdist(a, b, compute_mode="donot_use_mm_for_euclid_dist"), atol=1e-4)


@given(words=WORDS, data=st.data(), seed=st.integers(0, 2**32 - 1), heads=st.sampled_from([1, 2, 4]))
@settings(max_examples=60, deadline=None)
def test_without_positions_and_mask_any_order_gives_each_token_the_same_output(compared, words, data, seed, heads):
    other = data.draw(st.permutations(words))
    c = compared(" ".join(words), " ".join(other), seed=seed, position="none", **SMALL)
    found = attention_cases(c, heads, False)
    assert found.plain.n_same == found.plain.n_shared > 0
    largest = np.abs(found.plain.a.outputs).max()
    assert found.plain.largest_difference <= 1e-5 * largest


@given(words=WORDS, data=st.data(), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_with_a_mask_the_tokens_before_decide(compared, words, data, seed):
    other = data.draw(st.permutations(words))
    c = compared(" ".join(words), " ".join(other), seed=seed, position="none", **SMALL)
    found = attention_cases(c, 2, False).masked
    ids_a, ids_b = c.a.tokens.ids, c.b.tokens.ids
    for i, j in np.argwhere(c.shared):
        if sorted(ids_a[: i + 1]) == sorted(ids_b[: j + 1]):
            assert found.same[i, j]
        if set(ids_a[: i + 1]) != set(ids_b[: j + 1]):
            assert not found.same[i, j]


@given(words=st.permutations(["the", "cat", "dog", "sat", "on", "mat"]), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("position", [name for name in SCHEMES if name != "none"])
def test_with_positions_another_order_gives_another_output(compared, position, words, seed):
    # With the first word last, every word has that one at another distance.
    c = compared(" ".join(words), " ".join([*words[1:], words[0]]), position=position, seed=seed, **SMALL)
    # A bias may see no direction, as ALiBi's: without a mask a word half way is as far from it as before.
    assert attention_cases(c, 2, SCHEMES[position].kind == "bias").chosen.n_same == 0


def test_alibi_without_a_mask_cannot_tell_a_sentence_from_itself_turned_round(compared):
    # Its bias is of the distance alone, not of the direction: BLOOM and MPT use it with a causal mask.
    c = compared("the cat sat on mats", "mats on sat cat the", position="alibi")
    assert attention_cases(c, 4, False).chosen.n_same == c.n_shared == 5
    assert attention_cases(c, 4, True).chosen.n_same == 0


def test_the_default_pair_in_words(compared):
    c = compared(CAT, MAT)
    plain, chosen, masked = about_attention(attention_cases(c, 4, False), c, False)
    assert plain.title == "No positions, no mask: 6 of 6 outputs the same"
    assert (chosen.title, chosen.tone) == ("Learned, no mask: 0 of 6 outputs the same", "different")
    assert "mean of the input vectors is still the same" in chosen.text
    assert masked.title == "Causal mask alone: 0 of 6 outputs the same"
    assert "order gets in" in masked.text
    assert f"Unrelated tokens are {apart_by_hand(c, causal=True):.3g} apart." in masked.text


def apart_by_hand(c: ev.Comparison, causal: bool) -> float:
    """The yardstick, a plain loop over PyTorch's own attention: the root mean square for tokens of different IDs."""
    spec = replace(c.a.spec, position="none")
    a, b = (reference(ev.embed(each.tokens.text, spec), 4, causal) for each in (c.a, c.b))
    squares = [
        float(((a[i] - b[j]) ** 2).sum())
        for i, x in enumerate(c.a.tokens.ids)
        for j, y in enumerate(c.b.tokens.ids)
        if x != y
    ]
    return (sum(squares) / len(squares)) ** 0.5


def layers_over(text: str, n_layers: int, seed: int) -> torch.Tensor:
    """PyTorch's own encoder with a causal mask and no positions, random weights, over the tokens of a text."""
    words = text.split()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        table = torch.nn.Embedding(3, 16)
        layer = torch.nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True, dtype=torch.float64)
        encoder = torch.nn.TransformerEncoder(layer, n_layers, enable_nested_tensor=False).eval()
        for parameter in encoder.parameters():  # copies of one layer are no two layers
            torch.nn.init.normal_(parameter)
    ids = torch.tensor([["bites", "dog", "man"].index(word) for word in words])
    mask = torch.nn.Transformer.generate_square_subsequent_mask(len(words), dtype=torch.float64)
    return encoder(table(ids).double()[None], mask=mask, is_causal=True)[0]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_masked_layer_knows_which_tokens_came_before_and_two_know_their_order(seed, compared):
    def apart(n_layers: int) -> float:
        a, b = (layers_over(text, n_layers, seed) for text in ("dog bites man", "bites dog man"))
        return float((a[2] - b[2]).detach().abs().max())  # man

    assert apart(1) < 1e-9
    assert apart(2) > 1e-3
    c = compared("dog bites man", "bites dog man")
    *_, masked = about_attention(attention_cases(c, 4, False), c, False)
    assert masked.title == "Causal mask alone: 1 of 3 outputs the same"
    for said in ("One layer", "which tokens came before, not in what order", "a second one knows more"):
        assert said in masked.text


@given(words=WORDS, times=st.integers(1, 3), other=st.lists(st.sampled_from(["the", "cat", "dog"]), max_size=3))
@settings(max_examples=40, deadline=None)
def test_what_attention_without_mask_has_to_attend_to_is_said_as_it_is(compared, words, times, other):
    c = compared(" ".join(words), " ".join([*words * times, *other]), position="none", **SMALL)
    found = attention_cases(c, 2, False)
    text = about_attention(found, c, False)[0].text
    if "may differ" not in text:
        assert found.plain.n_same == found.plain.n_shared
    if found.plain.n_same == found.plain.n_shared:
        assert "other things" not in text
    if not other:
        assert "without their order" in text


@pytest.mark.parametrize(
    ("pair", "more", "causal", "titles"),
    [
        (("the", "the"), {}, True, ["1 of 1"] * 3),
        ((CAT, CAT), {}, False, ["No positions, no mask: 6 of 6", "Learned, no mask: 6 of 6", "6 of 6"]),
        ((CAT, MAT), {"position_scale": 0.0}, False, ["6 of 6", "No positions, no mask: 6 of 6", "0 of 6"]),
        ((CAT, MAT), {"position": "none"}, True, ["6 of 6", "No positions, causal mask: 0 of 6", "0 of 6"]),
        (("the cat", "the dog"), {}, False, ["0 of 2", "Learned, no mask: 0 of 2", "1 of 2"]),
    ],
)
def test_what_is_true_of_other_pairs_is_said(pair, more, causal, titles, compared):
    c = compared(*pair, **more)
    found = about_attention(attention_cases(c, 4, causal), c, causal)
    assert len(found) == len(titles)
    for card, title in zip(found, titles, strict=True):
        assert title in card.title


def test_a_mean_that_differs_is_not_called_the_same(compared):
    c = compared("the cat", "the dog sat")
    assert not any("mean" in card.text for card in about_attention(attention_cases(c, 1, False), c, False))


def test_the_alternative_has_the_numbers(compared):
    c = compared(CAT, MAT)
    found = attention_cases(c, 4, False)
    (card, *_) = about_attention(found, c, False)
    said = case_in_words(card, found.plain)
    assert said.startswith(
        "No positions, no mask: 6 of 6 outputs the same. Distances between outputs, 6 tokens of A by 6 of B."
    )
    assert f"Largest difference: {found.plain.largest_difference:.3g} (rounding)." in said


def test_heads_that_do_not_fit(compared):
    with pytest.raises(ev.EmbedvizError, match=r"n_heads must divide output_dim.*Try n_heads 2"):
        attention_cases(compared(CAT, MAT, **SMALL), 3, False)


@pytest.mark.parametrize(
    ("position", "causal"), [("t5", True), *((name, n % 2 == 1) for n, name in enumerate(SCHEMES))]
)
def test_the_program_prints_what_the_page_shows(position, causal, compared, run):
    c = compared(CAT, "on the mat the cat sat, the cat", position=position, position_scale=0.5, output_dim=24)
    found = attention_cases(c, 6 if position == "alibi" else 4, causal)
    lines = [line.split() for line in run(pytorch_attention(c.a, c.b, found.chosen.a.layer.n_heads, causal))]
    pairs = [(i, j) for i, j in np.argwhere(c.shared)]
    cases = [(name, getattr(found, name)) for name in ("plain", "chosen", "masked")]
    expected = [[name, str(i), str(j), str(c.a.tokens.ids[i])] for name, _ in cases for i, j in pairs]
    assert [line[:4] for line in lines] == expected
    apart = [each.distances[i, j] for _, each in cases for i, j in pairs]
    assert [float(line[4]) for line in lines] == pytest.approx(apart, abs=2e-3)


def test_other_tokens_are_not_taken_for_another_order(compared):
    c = compared("the cat sat", "the dog sat")
    for card in about_attention(attention_cases(c, 4, False), c, False)[::2]:
        assert card.text.startswith("A and B do not contain the same tokens, so outputs may differ.")
