"""Find tokens by a piece of their text."""

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.vocabulary.vocabulary import Vocabulary

MAX_TEXT = 200  # characters


def search(vocabulary: Vocabulary, text: str) -> np.ndarray:
    """The IDs of the tokens that contain `text`, in upper or lower case, read-only int64; none contain an empty one.

    The text itself comes first, then the same word in other letters or with a space before it, then what begins with
    it, and then all others, each in the order of the vocabulary. `␣` stands for a space, as on the screen.
    """
    plain = text.replace("␣", " ")
    wanted = plain.casefold()
    found = [(n, token, token.casefold()) for n, token in enumerate(vocabulary.texts)] if wanted else []
    word = wanted.strip()

    def place(hit: tuple[int, str, str]) -> tuple[bool, bool, bool]:
        _n, token, folded = hit
        return token != plain, folded.strip() != word, not folded.lstrip().startswith(word)

    return read_only(np.array([n for n, *_rest in sorted((h for h in found if wanted in h[2]), key=place)], np.int64))
