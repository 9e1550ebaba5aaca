"""The token tables of real models, computed, not built."""

import streamlit as st

from embedviz.export import pytorch_sizes
from embedviz.lookup import MODELS
from embedviz.ui import presenting
from embedviz.ui.program import program
from embedviz.ui.table import table


def sizes() -> None:
    """The token tables of real models, computed, not built."""
    columns = {
        "model": [model.name for model in MODELS],
        "vocab_size": [f"{model.vocab_size:,}" for model in MODELS],
        "output_dim": [f"{model.output_dim:,}" for model in MODELS],
        "parameters": [f"{model.parameters:,}" for model in MODELS],
        "float32": [memory(model.nbytes(4)) for model in MODELS],
        "float16": [memory(model.nbytes(2)) for model in MODELS],
    }
    if presenting.is_on():  # the other one is painted, and does not grow with the type around it
        table(list(columns), list(zip(*columns.values(), strict=True)), key="sizes", label="Sizes", numbers=range(1, 6))
    else:
        st.dataframe(columns, hide_index=True)
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
