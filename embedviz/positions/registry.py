"""The position schemes by name."""

from dataclasses import dataclass
from typing import Literal

from embedviz.texts import _

Kind = Literal["none", "add", "rotate", "bias", "relative"]


@dataclass(frozen=True)
class Scheme:
    """What there is to know of a scheme without computing it.

    kind: what it changes. "none": nothing; "add": the vector that it is added to; "rotate": query and key;
    "bias": the score, by a number of its own; "relative": the score, by vectors of the distance.
    """

    name: str
    title: str
    kind: Kind
    has_end: bool  # True if there is no vector for a position past context_length
    even_output_dim: bool  # True if dimensions come in pairs; where heads are, those of each head must
    paper: str
    used_by: tuple[str, ...]


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme("none", _("None"), "none", False, False, "", ()),
        Scheme("learned", _("Learned"), "add", True, False, "Gehring et al. 2017", ("GPT-2", "BERT")),
        Scheme("sinusoidal", _("Sinusoidal"), "add", False, True, "Vaswani et al. 2017", ("Transformer",)),
        Scheme("shaw", "Shaw", "relative", False, False, "Shaw et al. 2018", ("Music Transformer",)),
        Scheme(
            "transformer_xl", "Transformer-XL", "relative", False, True, "Dai et al. 2019", ("Transformer-XL", "XLNet")
        ),
        Scheme("t5", "T5", "bias", False, False, "Raffel et al. 2019", ("T5",)),
        Scheme("deberta", "DeBERTa", "relative", False, False, "He et al. 2020", ("DeBERTa",)),
        Scheme("rope", "RoPE", "rotate", False, True, "Su et al. 2021", ("GPT-J", "LLaMA")),
        Scheme("alibi", "ALiBi", "bias", False, False, "Press et al. 2021", ("BLOOM", "MPT")),
    )
}
