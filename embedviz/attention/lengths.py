"""Models trained on short texts and used on long ones: what each scheme has at positions and distances it never met."""

from embedviz.attention.one_head import N_HEADS
from embedviz.base.checks import check_whole
from embedviz.positions import SCHEMES
from embedviz.positions.reach import Reach

MAX_LENGTH = 2048


def reaches(trained: int, used: int, output_dim: int) -> dict[str, Reach]:
    """The reach of every scheme, by its name. N_HEADS must divide output_dim, D, into heads of an even size.

    Raises EmbedvizError unless 1 <= trained, used <= MAX_LENGTH.
    """
    check_whole("trained", trained, 1, MAX_LENGTH)
    check_whole("used", used, 1, MAX_LENGTH)
    return {name: scheme.reach(trained, used, output_dim, N_HEADS) for name, scheme in SCHEMES.items()}
