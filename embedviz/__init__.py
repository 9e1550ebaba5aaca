"""embedviz: where word order enters a language model.

Shapes in every docstring use one alphabet: B batch, T tokens, D dims, V vocabulary, L positions, H heads.

A name is imported when it is first asked for. So a process that needs one room alone, such as the one that trains, does
not load them all.
"""

import os
import tempfile
import warnings
from importlib import import_module
from pathlib import Path

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
    "Trace": "layers.trace",
    "batches": "vectors.batches",
    "compare": "vectors.comparison",
    "embed": "vectors.embedding",
    "forward": "layers.forward",
    "pairs": "command.pairs",
    "positions": "positions",
    "positions_of": "layers.positions",
    "project": "vectors.projection",
    "self_attention": "attention.attention",
    "show": "command.notebook",
    "tokenize": "text.tokens",
    "trace": "layers.trace",
    "vectors": "vectors",
}
__all__ = list(_MODULES)  # pyright: ignore[reportUnsupportedDunderAll] one list of names is enough


def _have_home() -> None:
    """Give a process whose user has no name and no home what libraries look for before they are asked for anything.

    Containers are run under such users. As in the Dockerfile, it is the folder of temporary files.
    """
    try:
        Path.home()
    except RuntimeError:
        try:
            os.environ["HOME"] = tempfile.gettempdir()
        except FileNotFoundError:  # nothing can be written anywhere
            os.environ["HOME"] = os.sep


_have_home()


def __getattr__(name: str) -> object:
    """The public name. Raises AttributeError if there is none such."""
    if name not in _MODULES:
        raise AttributeError(f"module 'embedviz' has no attribute {name!r}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "IProgress not found")  # of tqdm in a notebook: nobody sees its bars here
        module = import_module(f"embedviz.{_MODULES[name]}")
    return module if name in ("positions", "vectors") else getattr(module, name)
