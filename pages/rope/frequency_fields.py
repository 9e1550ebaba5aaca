"""The fields that the views Base and Longer than trained of the page RoPE share."""

from embedviz.attention.rope_reach import MAX_BASE, MAX_HEAD_DIM, MAX_LENGTH
from embedviz.base.i18n import _
from embedviz.ui.fields import whole_number
from embedviz.ui.shell import Frame


def base_field(page: Frame) -> int:
    """The base from which the speeds are computed."""
    return whole_number(_("Base"), 2, MAX_BASE, 10_000, key="base", below=page.messages)


def head_dim_field(page: Frame) -> int:
    """The dimensions of a head. An odd number is refused where the speeds are computed."""
    return whole_number(_("Dimensions of a head"), 4, MAX_HEAD_DIM, 128, key="head_dim", below=page.messages)


def trained_field(page: Frame) -> int:
    """The length of the texts in training."""
    return whole_number(_("Trained on (tokens)"), 2, MAX_LENGTH, 4096, key="trained", below=page.messages)


def used_field(page: Frame) -> int:
    """The length of the text that the model reads now."""
    return whole_number(_("Used on (tokens)"), 2, MAX_LENGTH, 16_384, key="used", below=page.messages)
