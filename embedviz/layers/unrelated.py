"""A sentence that has nothing to do with others: the yardstick of how alike these are."""

from collections.abc import Sequence

from embedviz.models import hub_model
from embedviz.text.tokens import tokenize
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.spec import Spec

_TEXTS = ("the stock market fell today", "we swim in cold water every morning")  # to sentences about neither


def unrelated_to(texts: Sequence[str], spec: Spec) -> str:
    """A sentence of the site's own, for a real model; empty if its table of positions is too short for one."""
    text, layout = _TEXTS[1 if any("market" in each for each in texts) else 0], hub_model(spec.source).layout()
    return "" if layout.position and len(tokenize_for(text, spec)) > (layout.context_length or 0) else text


def other_words(texts: Sequence[str], vocabulary: Sequence[str]) -> str:
    """Words of a vocabulary that the texts lack, as many as the longest of them has."""
    said = [tokenize(text, "words").texts for text in texts]
    others = [word for word in vocabulary if word.isalpha() and not any(word in each for each in said)]
    return " ".join(others[: max(map(len, said), default=0)])
