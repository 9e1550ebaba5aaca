"""The position schemes by name, in the order in which they are shown."""

from embedviz.positions import alibi, deberta, learned, none, rope, shaw, sinusoidal, t5, transformer_xl
from embedviz.positions.scheme import Scheme

SCHEMES: dict[str, Scheme] = {
    each.SCHEME.name: each.SCHEME
    for each in (none, learned, sinusoidal, shaw, transformer_xl, t5, deberta, rope, alibi)
}
# Those that add vectors.
ADDING = tuple(name for name, scheme in SCHEMES.items() if scheme.added)
