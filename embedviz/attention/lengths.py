"""Models trained on short texts and used on long ones: what each scheme has at positions and distances it never met."""

import numpy as np

from embedviz.attention.rope_reach import MAX_LENGTH
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.positions import SCHEMES
from embedviz.positions.reach import states

MOST = 1000  # places that are looked at


def reaches(trained: int, used: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Up to MOST places of a text of `used` tokens, whole numbers (N,), and their states for each scheme, uint8 (N,).

    Raises EmbedvizError unless 1 <= trained, used <= MAX_LENGTH.
    """
    check_whole("trained", trained, 1, MAX_LENGTH)
    check_whole("used", used, 1, MAX_LENGTH)
    places = read_only(np.linspace(0, used - 1, min(used, MOST)).round().astype(int))
    return places, {name: read_only(states(scheme.reach, trained, places)) for name, scheme in SCHEMES.items()}
