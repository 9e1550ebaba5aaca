"""The view on the sizes of real models' token tables, which are computed without building the tables."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.programs.lookup import pytorch_sizes
from embedviz.vectors.lookup import MODELS


def sizes(_page: ui.Frame) -> None:
    """The token tables of real models, computed, not built."""
    rows = [
        [
            translated(model.name),
            *(f"{number:,}" for number in (model.vocab_size, model.output_dim, model.parameters)),
            *(memory(model.nbytes(size)) for size in (4, 2)),
        ]
        for model in MODELS
    ]
    columns = [_("model"), "vocab_size", "output_dim", _("parameters"), "float32", "float16"]
    with ui.slide():
        ui.table(
            columns,
            rows,
            key="sizes",
            label=_("Sizes of token tables, from a toy to models of today"),
            numbers=range(1, len(columns)),
        )
    ui.program(pytorch_sizes(MODELS), _("Sizes of token tables"))
    st.caption(
        _(
            "parameters = vocab_size × output_dim; a float32 takes 4 bytes, a float16 takes 2. 1 MB is 10⁶ bytes. The "
            "vocab_size is the number of rows, which is often rounded up: some rows then stand for no token."
        )
    )


def memory(nbytes: int) -> str:
    """Write a number of bytes in a unit that leaves few digits. 1 MB is 10⁶ bytes."""
    if nbytes < 1000:
        return _("{nbytes} bytes", nbytes=nbytes)
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if nbytes >= size:
            return f"{nbytes / size:.4g} {unit}"
    raise AssertionError(nbytes)
