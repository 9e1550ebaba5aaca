"""embedviz: where word order enters a language model.

Shapes in every docstring use one alphabet: B batch, T tokens, D dims, V vocabulary, L positions, H heads.
"""

from embedviz import positions
from embedviz.attention import Attention, self_attention
from embedviz.batches import Batch, batches
from embedviz.comparison import Comparison, compare
from embedviz.embedding import Embedded, embed
from embedviz.errors import EmbedvizError
from embedviz.projection import Projection, project
from embedviz.spec import Spec
from embedviz.tokens import Tokens, tokenize

__version__ = "0.1.0"

__all__ = [
    "Attention",
    "Batch",
    "Comparison",
    "Embedded",
    "EmbedvizError",
    "Projection",
    "Spec",
    "Tokens",
    "batches",
    "compare",
    "embed",
    "positions",
    "project",
    "self_attention",
    "tokenize",
]
