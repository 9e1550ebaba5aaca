"""A sentence with its words in all their orders, or in a fair sample of them."""

import random
from collections import Counter
from dataclasses import dataclass
from math import factorial, prod
from unicodedata import east_asian_width

MOST = 24  # orders: all those of four words


@dataclass(frozen=True)
class Orders:
    """Different orders of the same words.

    texts: the sentence in each of these orders. The first is the one that was written.
    n_all: how many different orders the words have; 0 if the texts are not made of the same words.
    """

    texts: list[str]
    n_all: int


def orders(text: str, most: int = MOST, seed: int = 0) -> Orders:
    """The words of `text` in all their different orders, or in `most` of them.

    The sample holds the order that was written, and each other one with the same chance. Two copies of a word are not
    told apart. A Chinese or Japanese text, which has no spaces, is taken sign by sign.
    """
    words, space = text.split(), " "
    if len(words) == 1 and all(east_asian_width(sign) in "WF" for sign in words[0]):
        words, space = list(words[0]), ""
    n_all = factorial(len(words)) // prod(map(factorial, Counter(words).values()))
    found, drawn = dict.fromkeys([tuple(words)]), random.Random(seed)  # noqa: S311 a sample, and no secret
    while len(found) < min(n_all, most):
        found[tuple(drawn.sample(words, len(words)))] = None
    return Orders([space.join(each) for each in found], n_all)
