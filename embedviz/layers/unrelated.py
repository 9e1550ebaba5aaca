"""A sentence that has nothing to do with others: the yardstick of how alike these are."""

from collections.abc import Sequence

from embedviz.text.tokens import tokenize

_TEXTS = ("the stock market fell today", "we swim in cold water every morning")  # to sentences about neither


def unrelated_to(texts: Sequence[str], vocabulary: Sequence[str] = ()) -> str:
    """One of the site's own; or words of a vocabulary that the texts lack, as many as the longest of them has."""
    if not vocabulary:
        return _TEXTS[1 if any("market" in each for each in texts) else 0]
    said = [tokenize(text, "words").texts for text in texts]
    others = [word for word in vocabulary if word.isalpha() and not any(word in each for each in said)]
    return " ".join(others[: max(map(len, said), default=0)])
