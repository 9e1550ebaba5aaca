"""What a scheme costs in one self-attention layer, computed as this project computes it."""

from dataclasses import dataclass

from embedviz.positions import deberta, shaw, t5


@dataclass(frozen=True)
class Cost:
    """Numbers that are learned, and multiplications and additions beside those of the layer without positions.

    Sines, biases and indices depend on no token; they are made once and not counted.
    """

    parameters: int
    multiplications: int
    additions: int


def cost(position: str, n_tokens: int, output_dim: int, n_heads: int, context_length: int) -> Cost:
    """Of a scheme over T tokens of D dimensions with H heads; L is the rows of the learned table."""
    n_numbers, n_scores = n_tokens * output_dim, n_heads * n_tokens**2
    if position in ("shaw", "transformer_xl", "deberta"):
        return {"shaw": _shaw, "transformer_xl": _transformer_xl, "deberta": _deberta}[position](
            n_tokens, output_dim, n_heads
        )
    return {
        "none": Cost(0, 0, 0),
        "learned": Cost(context_length * output_dim, 0, n_numbers),
        "sinusoidal": Cost(0, 0, n_numbers),
        "t5": Cost(t5.NUM_BUCKETS * n_heads, 0, n_scores),
        # Query and key: for each pair of dimensions four products, one sum and one difference.
        "rope": Cost(0, 4 * n_numbers, 2 * n_numbers),
        "alibi": Cost(0, 0, n_scores),
    }[position]


def _matmul(rows: int, inner: int, columns: int) -> tuple[int, int]:
    """Multiplications and additions of (rows, inner) @ (inner, columns)."""
    return rows * inner * columns, rows * (inner - 1) * columns


def _shaw(n_tokens: int, output_dim: int, n_heads: int) -> Cost:
    """Queries with 2k + 1 keys; weights summed by distance, times 2k + 1 values; both added."""
    n_rows, head_dim, n_scores = 2 * shaw.MAX_DISTANCE + 1, output_dim // n_heads, n_heads * n_tokens**2
    keys = _matmul(n_heads * n_tokens, head_dim, n_rows)
    values = _matmul(n_heads * n_tokens, n_rows, head_dim)
    additions = keys[1] + values[1] + 2 * n_scores + n_tokens * output_dim
    return Cost(2 * n_rows * head_dim, keys[0] + values[0], additions)


def _transformer_xl(n_tokens: int, output_dim: int, n_heads: int) -> Cost:
    """Sinusoids of 2T - 1 distances through a matrix; queries + v with them; u with the keys; both added."""
    n_rows, head_dim, n_scores = 2 * n_tokens - 1, output_dim // n_heads, n_heads * n_tokens**2
    projected = _matmul(n_rows, output_dim, output_dim)
    products = _matmul(n_heads * n_tokens, head_dim, n_rows)
    keys = _matmul(n_heads, head_dim, n_tokens)
    additions = projected[1] + n_tokens * output_dim + products[1] + keys[1] + 2 * n_scores
    return Cost(output_dim**2 + 2 * output_dim, projected[0] + products[0] + keys[0], additions)


def _deberta(n_tokens: int, output_dim: int, n_heads: int) -> Cost:
    """Rows of P through two matrices; queries with the one, keys with the other; both added."""
    n_rows, head_dim = min(2 * n_tokens - 1, 2 * deberta.MAX_DISTANCE), output_dim // n_heads
    projected = _matmul(n_rows, output_dim, output_dim)
    products = _matmul(n_heads * n_tokens, head_dim, n_rows)
    parameters = 2 * deberta.MAX_DISTANCE * output_dim + 2 * output_dim**2
    additions = projected[1] + products[1] + n_heads * n_tokens**2
    return Cost(parameters, 2 * (projected[0] + products[0]), 2 * additions)
