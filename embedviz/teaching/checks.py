"""Whether a challenge is solved: each check is a function of what its view has computed, and of nothing else."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from embedviz.text.segmentation import Segmentation
from embedviz.text.tokens import Tokens
from embedviz.training.run import Run
from embedviz.vectors.copies import Copies
from embedviz.vectors.forward import Forward
from embedviz.vectors.position_tables import TableSettings

_ROUNDING = 1e-5  # sums in another order differ by less


def two_stay(copies: Copies) -> bool:
    """B has the tokens of A in another order, and two of them are the same vectors after positions are added."""
    c = copies.comparison
    return c.is_permutation and c.ids[0] != c.ids[1] and len(copies.in_place) == copies.n_after == 2


def same_answer(a: Forward, b: Forward) -> bool:
    """B has the tokens of A in another order, and a model that says the next word ends with the same vector."""
    is_reordered = a.tokens.ids != b.tokens.ids and sorted(a.tokens.ids) == sorted(b.tokens.ids)
    ends = (each.hidden_states[-1][-1] for each in (a, b))  # (D,) each
    return is_reordered and np.allclose(*ends, rtol=0, atol=_ROUNDING)


def two_cuts(segmentation: Segmentation) -> bool:
    """GPT-2 makes different tokens of two places of the text where the same word stands."""
    return any(cut.tokens.tokenizer == "gpt2" and _has_two_cuts(cut.tokens) for cut in segmentation.cuts)


def _has_two_cuts(tokens: Tokens) -> bool:
    starts, ends = zip(*tokens.spans, strict=True) if tokens.spans else ((), ())  # both rise along the text
    seen: dict[str, Sequence[int]] = {}
    for word in re.finditer(r"\S+", tokens.text):
        ids = tokens.ids[bisect_right(ends, word.start()) : bisect_left(starts, word.end())]
        if seen.setdefault(word[0], ids) != ids:
            return True
    return False


def one_row_missing(length: int, settings: TableSettings) -> bool:
    """A text of this length needs one row more than the learned table has."""
    return length == settings.context_length + 1


def says_mat(run: Run, a: Forward, right: str) -> bool:
    """A trained model with positions says "mat" after A, of which another word is the right answer."""
    word = "" if a.next_word is None else run.vocabulary[int(a.next_word.argmax())]
    return run.is_finished and run.settings.positions != "none" and word == "mat" != right
