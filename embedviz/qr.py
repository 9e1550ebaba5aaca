"""An address as a QR code (ISO/IEC 18004), drawn by segno."""

import numpy as np
import segno

from embedviz.errors import EmbedvizError
from embedviz.texts import _

MAX_BYTES = 2953  # of version 40 at the lowest level of error correction


def modules(text: str) -> np.ndarray:
    """The dark modules of the smallest code that holds `text` as UTF-8, bool array of shape (n, n), without margin.

    Of the levels of error correction that this size has room for, the highest. EmbedvizError if none is
    large enough, or if there is nothing to encode.
    """
    data = text.encode("utf-8", errors="replace")
    if not data:
        raise EmbedvizError(_("There is no text to make a QR code of."))
    if len(data) > MAX_BYTES:
        raise EmbedvizError(
            _("{n:,} bytes do not fit into a QR code, which holds {most:,} at most.", n=len(data), most=MAX_BYTES)
        )
    code = segno.make(data, error="l", mode="byte", micro=False)
    found = np.array([list(row) for row in code.matrix], dtype=bool)
    found.flags.writeable = False
    return found
