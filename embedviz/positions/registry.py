"""The position schemes by name."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Scheme:
    """What there is to know of a scheme without computing it."""

    name: str
    title: str
    kind: Literal["none", "add"]  # what it changes: nothing, or the vector it is added to
    has_end: bool  # True if there is no vector for a position past context_length
    even_output_dim: bool  # True if dimensions come in pairs
    paper: str
    used_by: tuple[str, ...]


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme("none", "None", "none", False, False, "", ()),
        Scheme("learned", "Learned", "add", True, False, "Gehring et al. 2017", ("GPT-2", "BERT")),
        Scheme("sinusoidal", "Sinusoidal", "add", False, True, "Vaswani et al. 2017", ("Transformer",)),
    )
}
