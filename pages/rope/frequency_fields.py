"""The fields that the views Base and Longer than trained of the page RoPE share."""

from embedviz.attention.rope_reach import MAX_BASE, MAX_HEAD_DIM, MAX_LENGTH
from embedviz.base.i18n import N_, translated
from embedviz.ui.fields import whole_number
from embedviz.ui.shell import Frame

_FIELDS = {  # an odd number of dimensions is refused where the speeds are computed
    "base": (N_("Base"), 2, MAX_BASE, 10_000),
    "head_dim": (N_("Dimensions of a head"), 4, MAX_HEAD_DIM, 128),
    "trained": (N_("Trained on (tokens)"), 2, MAX_LENGTH, 4096),
    "used": (N_("Used on (tokens)"), 2, MAX_LENGTH, 16_384),
}


def field(name: str, page: Frame) -> int:
    """The base, the dimensions of a head, and the lengths of the texts in training and now."""
    label, low, high, usual = _FIELDS[name]
    return whole_number(translated(label), low, high, usual, key=name, below=page.messages)
