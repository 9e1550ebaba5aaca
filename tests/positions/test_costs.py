"""What a scheme costs: parameters against the layer's own tables, operations counted one by one."""

from itertools import product

import pytest
import transformers

from embedviz.attention.layer import make_layer
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2, Cost, Sizes
from tests import naive

# Each scheme with vectors of the distance has work of its own, which `_head` does.
COUNTED = ["shaw", "transformer_xl", "deberta"] + [name for name in SCHEMES if SCHEMES[name].kind != "relative"]
SIZES = [(3, 4, 2), (5, 12, 3), (1, 8, 1)]


@pytest.mark.parametrize(("n_dims", "n_heads"), [(8, 2), (12, 1), (768, 12)])
@pytest.mark.parametrize("position", SCHEMES)
def test_parameters_are_those_of_the_layer(position, n_dims, n_heads):
    own = make_layer(position, n_dims, n_heads).own
    learned = sum(table.size for name, table in own.items() if name != "slopes")
    expected = {"learned": 50 * n_dims}.get(position, learned)
    assert SCHEMES[position].cost(7, n_dims, n_heads, 50).of_model(1).parameters == expected


class Counter:
    """Adds and multiplies, and keeps count."""

    def __init__(self):
        self.multiplications = self.additions = 0

    def dot(self, n: int) -> None:
        """A dot product of n numbers."""
        self.multiplications += n
        self.additions += n - 1

    def add(self, n: int = 1) -> None:
        self.additions += n


def counted(position: str, n_layers: int, n_tokens: int, n_dims: int, n_heads: int) -> Counter:
    """A model's extra work, done one number at a time."""
    c, d = Counter(), n_dims // n_heads
    if SCHEMES[position].kind == "add":
        c.add(n_tokens * n_dims)  # before the first layer
    for _ in range(n_layers * n_heads):
        _head(c, position, n_tokens, n_dims, d)
    return c


def _head(c: Counter, position: str, n_tokens: int, n_dims: int, d: int) -> None:
    pairs = list(product(range(n_tokens), range(n_tokens)))
    if SCHEMES[position].kind == "rotate":
        for _ in range(2 * n_tokens * d // 2):  # query and key, every pair of dimensions: two of two products
            c.dot(2), c.dot(2)
    if SCHEMES[position].kind == "bias":
        c.add(len(pairs))
    if position == "shaw":
        for _ in product(range(n_tokens), range(33)):
            c.dot(d)  # the query with every aK
        c.add(len(pairs))  # to the scores
        c.add(len(pairs))  # weights summed by distance, from 0
        for _ in product(range(n_tokens), range(d)):
            c.dot(33)  # times aV
        c.add(n_tokens * d)  # to the outputs
    if position in ("transformer_xl", "deberta"):
        rows = 2 * n_tokens - 1
        for _ in range(2 if position == "deberta" else 1):
            for _ in product(range(rows), range(d)):
                c.dot(n_dims)  # a column of the matrix for every distance
            for _ in product(range(n_tokens), range(rows)):
                c.dot(d)
            c.add(len(pairs))
    if position == "transformer_xl":
        c.add(n_tokens * d)  # v to the queries
        for _ in range(n_tokens):
            c.dot(d)  # u with the keys
        c.add(len(pairs))


@pytest.mark.parametrize(("n_tokens", "n_dims", "n_heads"), SIZES)
@pytest.mark.parametrize("n_layers", [1, 3])
@pytest.mark.parametrize("position", naive.asked(COUNTED))
def test_operations_are_counted(position, n_layers, n_tokens, n_dims, n_heads):
    c = counted(position, n_layers, n_tokens, n_dims, n_heads)
    found = SCHEMES[position].cost_of(Sizes(n_layers, n_tokens, n_dims, n_heads, 99))
    assert (found.multiplications, found.additions) == (c.multiplications, c.additions)


def test_debertas_rows_end_where_they_are_clipped():
    long, longer = (SCHEMES["deberta"].cost(n, 8, 1, 1).each_layer for n in (1024, 1025))
    assert longer.multiplications - long.multiplications == 2 * 1024 * 8  # one token more, no row more


def test_none_costs_nothing():
    assert SCHEMES["none"].cost_of(GPT2) == Cost(0, 0, 0)


def test_gpt2s_table_is_counted_once():
    model = transformers.GPT2Model(
        transformers.GPT2Config(n_layer=3, n_embd=12, n_head=2, n_positions=10, vocab_size=5)
    )
    theirs = sum(each.numel() for name, each in model.named_parameters() if "wpe" in name)
    assert SCHEMES["learned"].cost_of(Sizes(3, 7, 12, 2, 10)).parameters == theirs


def test_t5s_table_is_counted_once():
    config = transformers.T5Config(num_layers=3, d_model=8, num_heads=4, d_kv=2, d_ff=8, vocab_size=5)
    model = transformers.T5EncoderModel(config)
    theirs = sum(each.numel() for name, each in model.named_parameters() if "relative_attention_bias" in name)
    assert SCHEMES["t5"].cost_of(Sizes(3, 7, 8, 4, 10)).parameters == theirs


def test_debertas_vectors_are_counted_once_and_its_matrices_in_each_layer():
    config = transformers.DebertaConfig(
        num_hidden_layers=3, hidden_size=8, num_attention_heads=2, intermediate_size=8, vocab_size=5,
        relative_attention=True, pos_att_type=["p2c", "c2p"], max_relative_positions=512,
    )  # fmt: skip
    parameters = transformers.DebertaModel(config).named_parameters()
    ours = ("rel_embeddings", "pos_proj.weight", "pos_q_proj.weight")  # the bias of pos_q_proj is not in the paper
    theirs = sum(each.numel() for name, each in parameters if any(own in name for own in ours))
    assert SCHEMES["deberta"].cost_of(Sizes(3, 7, 8, 2, 10)).parameters == theirs


def test_transformer_xls_vectors_are_counted_in_each_layer_as_in_xlnet():
    config = transformers.XLNetConfig(n_layer=3, d_model=8, n_head=2, d_inner=8, vocab_size=6)
    parameters = transformers.XLNetModel(config).named_parameters()
    names = ("rel_attn.r_w_bias", "rel_attn.r_r_bias", "rel_attn.r")
    theirs = sum(each.numel() for name, each in parameters if name.endswith(names))
    assert SCHEMES["transformer_xl"].cost_of(Sizes(3, 7, 8, 2, 10)).parameters == theirs
