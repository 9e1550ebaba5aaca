"""The token tables of real models, computed, not built."""

import streamlit as st

from embedviz.export import pytorch_sizes
from embedviz.lookup import MODELS
from embedviz.ui.program import program


def sizes() -> None:
    """The token tables of real models, computed, not built."""
    st.dataframe(
        {
            "model": [model.name for model in MODELS],
            "vocab_size": [f"{model.vocab_size:,}" for model in MODELS],
            "output_dim": [f"{model.output_dim:,}" for model in MODELS],
            "parameters": [f"{model.parameters:,}" for model in MODELS],
            "float32": [memory(model.nbytes(4)) for model in MODELS],
            "float16": [memory(model.nbytes(2)) for model in MODELS],
        },
        hide_index=True,
    )
    program(pytorch_sizes(MODELS), "Sizes of token tables")
    st.caption("parameters = vocab_size × output_dim; a float32 takes 4 bytes, a float16 takes 2. 1 MB is 10⁶ bytes.")


def memory(nbytes: int) -> str:
    """Bytes in a unit that leaves few digits; 1 MB is 10⁶ bytes."""
    if nbytes < 1000:
        return f"{nbytes} bytes"
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if nbytes >= size:
            return f"{nbytes / size:.4g} {unit}"
    raise AssertionError(nbytes)
