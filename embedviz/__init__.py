"""embedviz: where word order enters a language model.

Shapes in every docstring use one alphabet: B batch, T tokens, D dims, V vocabulary, L positions, H heads.

A name is imported when it is first asked for. So a process that needs one room alone, such as the one that trains, does
not load them all.
"""

import warnings
from importlib import import_module

__version__ = "0.1.0"

_MODULES = {
    "Attention": "attention.attention",
    "Batch": "vectors.batches",
    "Comparison": "vectors.comparison",
    "Embedded": "vectors.embedding",
    "EmbedvizError": "base.errors",
    "Forward": "vectors.forward",
    "Projection": "vectors.projection",
    "Spec": "vectors.spec",
    "Tokens": "text.tokens",
    "batches": "vectors.batches",
    "compare": "vectors.comparison",
    "embed": "vectors.embedding",
    "forward": "layers.forward",
    "positions": "positions",
    "project": "vectors.projection",
    "self_attention": "attention.attention",
    "show": "command.notebook",
    "tokenize": "text.tokens",
    "vectors": "vectors",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> object:
    """The public name. Raises AttributeError if there is none such."""
    if name not in _MODULES:
        raise AttributeError(f"module 'embedviz' has no attribute {name!r}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")  # of tqdm in a notebook: nobody sees its bars here
        module = import_module(f"embedviz.{_MODULES[name]}")
    return module if name in ("positions", "vectors") else getattr(module, name)
