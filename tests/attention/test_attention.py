"""One attention layer: the papers' formulas in slow motion, the reference library, and what position does to it."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import DebertaConfig, T5Config, XLNetConfig
from transformers.models.deberta.modeling_deberta import DisentangledSelfAttention, build_relative_position
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.xlnet.modeling_xlnet import XLNetRelativeAttention

import embedviz as ev
from embedviz.attention.attention import attend, attend_last
from embedviz.attention.layer import layer_for, make_layer, next_seed, one_head
from embedviz.attention.scores import MAX_SCORES, attention_scores
from embedviz.positions import ADDING, SCHEMES, transformer_xl
from tests import naive

RELATIVE = [name for name, scheme in SCHEMES.items() if scheme.kind in ("rotate", "bias", "relative")]
RESULTS = ("queries", "keys", "content", "positional", "scores", "weights", "outputs")


def vectors(n_tokens: int, n_dims: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n_tokens, n_dims)).astype(np.float32)


@pytest.mark.parametrize("causal", [False, True], ids=["both ways", "causal"])
@pytest.mark.parametrize(("n_tokens", "n_dims", "n_heads"), [(1, 2, 1), (7, 12, 2), (21, 8, 4)])
@pytest.mark.parametrize("position", naive.asked())
def test_the_papers_formula_one_number_at_a_time(position, n_tokens, n_dims, n_heads, causal):
    x, layer = vectors(n_tokens, n_dims), make_layer(position, n_dims, n_heads, seed=3)
    places = np.arange(n_tokens) * 3 + 5
    scores, outputs = naive.attention(x, layer, places, causal)
    double = attend(x, layer, places=places, causal=causal, dtype=np.float64)
    np.testing.assert_allclose(double.scores, scores, rtol=0, atol=1e-12)
    np.testing.assert_allclose(double.outputs, outputs, rtol=0, atol=1e-12)
    single = attend(x, layer, places=places, causal=causal)
    np.testing.assert_allclose(single.scores, scores, rtol=0, atol=2e-5)
    np.testing.assert_allclose(single.outputs, outputs, rtol=0, atol=2e-5)


@pytest.mark.parametrize("position", naive.asked())
def test_places_may_lie_far_apart(position):
    x, layer, places = vectors(4, 8), make_layer(position, 8, 2, seed=3), np.array([0, 7, 900, 5000])
    scores, outputs = naive.attention(x, layer, places)
    found = attend(x, layer, places=places, dtype=np.float64)
    np.testing.assert_allclose(found.scores, scores, rtol=0, atol=1e-11)
    np.testing.assert_allclose(found.outputs, outputs, rtol=0, atol=1e-11)


@pytest.mark.parametrize("position", SCHEMES)
def test_shapes_types_and_read_only(position):
    a = attend(vectors(5, 12), make_layer(position, 12, 3))
    shapes = [(3, 5, 4), (3, 5, 4), *[(3, 5, 5)] * 4, (5, 12)]
    for name, shape in zip(RESULTS, shapes, strict=True):
        array = getattr(a, name)
        assert (array.shape, array.dtype, array.flags.writeable) == (shape, np.float32, False)
    np.testing.assert_allclose(a.content + a.positional, a.scores, rtol=0, atol=1e-6)
    np.testing.assert_allclose(a.weights.sum(axis=-1), 1, rtol=0, atol=1e-6)


def test_a_causal_mask_hides_what_comes_later():
    a = attend(vectors(6, 8), make_layer("none", 8, 2), causal=True)
    assert np.array_equal(a.weights > 0, np.broadcast_to(np.tri(6, dtype=bool), (2, 6, 6)))
    assert np.isfinite(a.scores).all()


@pytest.mark.parametrize("position", ["none", "learned"])
def test_pytorchs_own_attention(position):
    embedded = ev.embed("the cat sat on the mat", ev.Spec(position=position, output_dim=12))
    layer = layer_for(embedded.spec, 3)
    q, k, v = (
        (torch.tensor(embedded.input_embeddings) @ torch.tensor(m)).view(6, 3, 4).transpose(0, 1)
        for m in (layer.query, layer.key, layer.value)
    )
    for causal in (False, True):
        expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        found = ev.self_attention(embedded, 3, causal=causal)
        np.testing.assert_allclose(found.outputs, expected.transpose(0, 1).reshape(6, 12), rtol=0, atol=2e-6)


def test_the_reference_librarys_t5():
    layer, x = make_layer("t5", 12, 3, seed=5), vectors(150, 12)
    config = T5Config(d_model=12, d_kv=4, num_heads=3, dropout_rate=0.0)
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0).double().eval()
    for linear, matrix, factor in ((theirs.q, layer.query, 0.5), (theirs.k, layer.key, 1), (theirs.v, layer.value, 1)):
        linear.weight.data = torch.from_numpy(matrix.T.astype(np.float64) * factor)  # theirs does not divide by sqrt(4)
    theirs.relative_attention_bias.weight.data = torch.from_numpy(layer.own["bias"].astype(np.float64))
    theirs.o.weight.data = torch.eye(12, dtype=torch.float64)
    with torch.no_grad():
        expected = theirs(torch.from_numpy(x.astype(np.float64))[None])[0][0]
    np.testing.assert_allclose(attend(x, layer, dtype=np.float64).outputs, expected, rtol=0, atol=1e-12)


class Mirror(torch.nn.Module):
    """Row r becomes row 2k - r: theirs looks Qr up at delta(i, j), where the paper says delta(j, i)."""

    def forward(self, rows):
        return rows.flip(-2).roll(1, -2)


def test_the_reference_librarys_deberta():
    layer, x = make_layer("deberta", 12, 3, seed=5), vectors(40, 12)
    config = DebertaConfig(
        hidden_size=12, num_attention_heads=3, relative_attention=True, max_relative_positions=512,
        pos_att_type=["c2p", "p2c"], hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    theirs = DisentangledSelfAttention(config).double().eval()
    by_head = [m.reshape(12, 3, 4) for m in (layer.query, layer.key, layer.value)]  # theirs: q, k, v of each head
    joined = np.concatenate([m[:, h] for h in range(3) for m in by_head], axis=1).astype(np.float64)
    theirs.in_proj.weight.data = torch.from_numpy(joined.T.copy())
    for linear, name in ((theirs.pos_proj, "position_key"), (theirs.pos_q_proj, "position_query")):
        linear.weight.data = torch.from_numpy(layer.own[name].T.astype(np.float64))
    theirs.pos_q_proj.bias.data.zero_()
    theirs.pos_q_proj = torch.nn.Sequential(Mirror(), theirs.pos_q_proj)
    x64 = torch.from_numpy(x.astype(np.float64))[None]
    with torch.no_grad():
        expected = theirs(
            x64,
            torch.ones(1, 1, 40, 40),
            relative_pos=build_relative_position(x64, x64),
            rel_embeddings=torch.from_numpy(layer.own["relative"].astype(np.float64)),
        )[0][0]
    # Theirs takes its square roots in float32.
    np.testing.assert_allclose(attend(x, layer, dtype=np.float64).outputs, expected, rtol=0, atol=1e-6)


def test_the_reference_librarys_transformer_xl():
    """XLNet's layer is Transformer-XL's, with relative vectors for distances from T down to -T."""
    layer, x = make_layer("transformer_xl", 12, 3, seed=5), vectors(30, 12).astype(np.float64)
    theirs = XLNetRelativeAttention(XLNetConfig(d_model=12, n_head=3, dropout=0.0)).double().eval()
    heads = {
        name: torch.from_numpy((rows @ matrix.astype(np.float64)).reshape(-1, 1, 3, 4))
        for name, rows, matrix in (
            ("q_head", x, layer.query),
            ("k_head_h", x, layer.key),
            ("v_head_h", x, layer.value),
            ("k_head_r", transformer_xl.vectors(np.arange(-30, 30), 12, np.float64), layer.own["position_key"]),
        )
    }
    theirs.r_w_bias.data, theirs.r_r_bias.data = (torch.from_numpy(layer.own[name].astype(np.float64)) for name in "uv")
    with torch.no_grad():
        expected = theirs.rel_attn_core(**heads)[:, 0].reshape(30, 12)
    np.testing.assert_allclose(attend(x, layer, dtype=np.float64).outputs, expected, rtol=0, atol=1e-12)


@given(
    position=st.sampled_from(RELATIVE),
    n_tokens=st.integers(1, 24),
    pairs=st.integers(1, 8),
    n_heads=st.sampled_from([1, 2, 4]),
    seed=st.integers(0, 2**32 - 1),
    by=st.integers(1, 3000),
    causal=st.booleans(),
)
def test_relative_schemes_do_not_see_a_shift(*, position, n_tokens, pairs, n_heads, seed, by, causal):
    x, layer = (
        vectors(n_tokens, 2 * pairs * n_heads, seed % 1000),
        make_layer(position, 2 * pairs * n_heads, n_heads, seed),
    )
    here, later = (
        attend(x, layer, places=np.arange(n_tokens) + start, causal=causal, dtype=np.float64) for start in (0, by)
    )
    np.testing.assert_allclose(later.scores, here.scores, rtol=0, atol=1e-10)
    np.testing.assert_allclose(later.outputs, here.outputs, rtol=0, atol=1e-10)


@given(
    position=st.sampled_from(ADDING),
    n_tokens=st.integers(1, 12),
    seed=st.integers(0, 2**32 - 1),
    by=st.integers(1, 400),
)
def test_absolute_schemes_do(position, n_tokens, seed, by):
    """Words in front, then the same phrase: the scores inside the phrase are other ones."""
    spec = ev.Spec(tokenizer="words", vocabulary=tuple("abcdef"), position=position, output_dim=16, seed=seed)
    phrase = " ".join("abcdef"[n % 6] for n in range(n_tokens))
    here = ev.self_attention(ev.embed(phrase, spec))
    later = ev.self_attention(ev.embed("a " * by + phrase, spec))
    assert np.abs(later.scores[:, by:, by:] - here.scores).max() > 1e-4
    assert np.array_equal(later.content[:, by:, by:].shape, here.content.shape)


@pytest.mark.parametrize("position", SCHEMES)
def test_places_are_the_same_as_words_in_front(position):
    x, layer = vectors(20, 8), make_layer(position, 8, 2)
    whole = attend(x, layer, dtype=np.float64)
    part = attend(x[13:], layer, places=np.arange(13, 20), dtype=np.float64)
    np.testing.assert_allclose(part.scores, whole.scores[:, 13:, 13:], rtol=0, atol=1e-12)


@given(
    order=st.integers(1, 20).flatmap(lambda n: st.permutations(range(n))),
    seed=st.integers(0, 2**32 - 1),
    n_heads=st.sampled_from([1, 2, 4]),
)
def test_without_positions_and_mask_each_word_gets_the_same_output_in_any_order(order, seed, n_heads):
    x, layer = vectors(len(order), 8, seed % 1000), make_layer("none", 8, n_heads, seed)
    usual, mixed = attend(x, layer, dtype=np.float64), attend(x[order], layer, dtype=np.float64)
    np.testing.assert_allclose(mixed.outputs, usual.outputs[order], rtol=0, atol=1e-12)


@pytest.mark.parametrize("position", [name for name in SCHEMES if name != "none"])
def test_with_positions_the_order_shows(position):
    spec = ev.Spec(position=position)
    a, b = (ev.self_attention(ev.embed(text, spec)) for text in ("dog bites man", "bites dog man"))
    assert np.abs(a.outputs - b.outputs[[1, 0, 2]]).max() > 1e-3


def test_alibi_without_a_mask_does_not_see_a_mirror():
    """It knows how far, not which way: in a sentence read backwards every distance is the same."""
    spec = ev.Spec(position="alibi")
    a, b = (ev.self_attention(ev.embed(text, spec)) for text in ("dog bites man", "man bites dog"))
    np.testing.assert_allclose(a.outputs, b.outputs[::-1], rtol=0, atol=1e-5)


def test_a_causal_mask_alone_lets_the_order_show():
    spec = ev.Spec(position="none")
    a, b = (ev.self_attention(ev.embed(text, spec), causal=True) for text in ("dog bites man", "man bites dog"))
    assert np.abs(a.outputs - b.outputs[::-1]).max() > 0.01


def test_positions_that_are_added_stand_apart_from_the_content():
    spec = ev.Spec(position="sinusoidal", output_dim=16)
    with_positions = ev.self_attention(ev.embed("the cat sat", spec))
    without = ev.self_attention(ev.embed("the cat sat", ev.Spec(position="none", output_dim=16)))
    np.testing.assert_allclose(with_positions.content, without.scores, rtol=0, atol=1e-6)


@pytest.mark.parametrize("position", SCHEMES)
def test_a_layer_is_pytorchs_random_numbers(position):
    layer = make_layer(position, 8, 2, seed=9)
    with torch.random.fork_rng():
        torch.manual_seed(9)
        for matrix in (layer.query, layer.key, layer.value):
            assert np.array_equal(matrix, torch.randn(8, 8) / 8**0.5)
        for table in layer.own.values() if position in ("shaw", "transformer_xl", "t5", "deberta") else ():
            drawn = torch.randn(*table.shape)
            assert np.array_equal(table, drawn / 8**0.5 if table.shape == (8, 8) or position == "t5" else drawn)
    assert not any(table.flags.writeable for table in layer.own.values())


@pytest.mark.parametrize("position", SCHEMES)
def test_one_head_is_that_head_of_the_layer(position):
    x, layer = vectors(7, 12), make_layer(position, 12, 3)
    places = np.arange(7) + 4
    whole = attend(x, layer, places=places, dtype=np.float64)
    for head in range(3):
        alone = one_head(layer, head)
        part = attend(x, alone, places=places, dtype=np.float64)
        np.testing.assert_allclose(part.scores[0], whole.scores[head], rtol=0, atol=1e-12)
        np.testing.assert_allclose(part.outputs, whole.outputs[:, 4 * head : 4 * head + 4], rtol=0, atol=1e-12)
        scores = attention_scores(x.astype(np.float64), alone, places)
        assert np.array_equal(scores, part.scores)


@pytest.mark.parametrize("position", SCHEMES)
@pytest.mark.parametrize("n_last", [1, 3, 7])
def test_the_last_tokens_get_what_they_get_among_all(position, n_last):
    x, layer = vectors(7, 12).astype(np.float64), make_layer(position, 12, 3)
    whole = attend(x, layer, dtype=np.float64)
    rows = whole.scores[:, -n_last:], whole.weights[:, -n_last:], whole.outputs[-n_last:]
    for found, wanted in zip(attend_last(x, n_last, layer), rows, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def test_all_schemes_share_the_matrices():
    assert len({make_layer(position, 8, 2).query.tobytes() for position in SCHEMES}) == 1


def test_the_layer_of_a_spec_does_not_repeat_its_tables():
    spec = ev.Spec(output_dim=16)
    table = ev.embed("!\"#$%&'()*+,-./0", ev.Spec(tokenizer="gpt2", prefix_space=False, output_dim=16, position="none"))
    assert not np.array_equal(layer_for(spec).query[0] * 4, table.token_embeddings[0])
    assert (next_seed(123), next_seed(2**32 - 1)) == (124, 0)


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    make_layer("deberta", 6, 3, seed=77)
    assert torch.equal(before, torch.get_rng_state())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_layer("rotary", 8), "position must be one of none, learned, sinusoidal, shaw"),
        (lambda: make_layer("none", 8, 3), "8 dimensions do not go into 3 heads. Try n_heads 2."),
        (lambda: make_layer("none", 8, 0), "n_heads must be a whole number from 1 to 64, not 0."),
        (lambda: one_head(make_layer("none", 8, 2), 2), "head must be a whole number from 0 to 1, not 2."),
        (lambda: make_layer("rope", 6, 2), "6 dimensions in 2 heads are 3 each. Try output_dim 8."),
        (lambda: make_layer("transformer_xl", 5), "Transformer-XL positions need an even output_dim, "),
        (lambda: attend(vectors(0, 8), make_layer("none", 8)), "Attention needs at least one token"),
        (lambda: attend(vectors(3, 6), make_layer("none", 8)), "The layer takes vectors of 8 dimensions, not 6."),
        (lambda: attend(vectors(5000, 2), make_layer("none", 2)), "the limit is 16,777,216. Try 4,096 tokens."),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ev.EmbedvizError) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize("position", ["rope", "transformer_xl"])
def test_a_suggested_size_works(position):
    with pytest.raises(ev.EmbedvizError, match=r"Try (output_dim )?(6|12)"):
        make_layer(position, 9 if position == "rope" else 5, 3 if position == "rope" else 1)
    assert make_layer(position, 12, 3).n_heads == 3


def test_the_limit_itself_is_allowed():
    assert attend(vectors(4096, 2), make_layer("none", 2)).scores.size == MAX_SCORES
