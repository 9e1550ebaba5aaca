"""What a scheme costs: parameters against the layer's own tables, operations counted one by one."""

from itertools import product

import pytest

from embedviz.attention.layer import make_layer
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import Cost

SIZES = [(3, 4, 2), (5, 12, 3), (1, 8, 1)]


@pytest.mark.parametrize(("n_dims", "n_heads"), [(8, 2), (12, 1), (768, 12)])
@pytest.mark.parametrize("position", SCHEMES)
def test_parameters_are_those_of_the_layer(position, n_dims, n_heads):
    own = make_layer(position, n_dims, n_heads).own
    learned = sum(table.size for name, table in own.items() if name != "slopes")
    expected = {"learned": 50 * n_dims}.get(position, learned)
    assert SCHEMES[position].cost(7, n_dims, n_heads, 50).parameters == expected


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


def counted(position: str, n_tokens: int, n_dims: int, n_heads: int) -> Counter:
    """The layer's extra work, done one number at a time."""
    c, d = Counter(), n_dims // n_heads
    if position in ("learned", "sinusoidal"):
        c.add(n_tokens * n_dims)
    for _ in range(n_heads):
        _head(c, position, n_tokens, n_dims, d)
    return c


def _head(c: Counter, position: str, n_tokens: int, n_dims: int, d: int) -> None:
    pairs = list(product(range(n_tokens), range(n_tokens)))
    if position == "rope":
        for _ in range(2 * n_tokens * d // 2):  # query and key, every pair of dimensions: two of two products
            c.dot(2), c.dot(2)
    if position in ("t5", "alibi"):
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
@pytest.mark.parametrize("position", SCHEMES)
def test_operations_are_counted(position, n_tokens, n_dims, n_heads):
    c = counted(position, n_tokens, n_dims, n_heads)
    found = SCHEMES[position].cost(n_tokens, n_dims, n_heads, 99)
    assert (found.multiplications, found.additions) == (c.multiplications, c.additions)


def test_debertas_rows_end_where_they_are_clipped():
    long, longer = (SCHEMES["deberta"].cost(n, 8, 1, 1) for n in (1024, 1025))
    assert longer.multiplications - long.multiplications == 2 * 1024 * 8  # one token more, no row more


def test_none_costs_nothing():
    assert SCHEMES["none"].cost(9, 8, 2, 9) == Cost(0, 0, 0)
