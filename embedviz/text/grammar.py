"""A small grammar about cats, dogs, mats and who bites whom. The class of each of its words is known.

In its sentences the next word follows from the last one and from which classes came before, in whatever order. Order
alone decides in its questions, "dog bites man , who bites ? dog .", some of which nobody learns from.
"""

import random

RULES = {
    "sentence": ("who verb-rest where stop", "where who verb-rest stop", "who verb-act whom stop", "bare stop"),
    "bare": ("noun-alive verb-act noun-alive",),  # as a headline has it: dog bites man
    "who": ("determiner noun-alive", "determiner noun-alive", "determiner adjective noun-alive"),
    "what": ("determiner noun-thing", "determiner noun-thing", "determiner adjective noun-thing"),
    "whom": ("who", "what"),
    "where": ("preposition what",),
}
CLASSES = {
    "determiner": ("the", "a", "this", "every"),
    "adjective": ("big", "small", "old", "black", "quiet"),
    "noun-alive": ("cat", "dog", "man", "woman", "bird", "mouse", "fox"),
    "noun-thing": ("mat", "rug", "chair", "box", "bed", "hat", "ball"),
    "verb-rest": ("sat", "slept", "stood", "waited"),
    "verb-act": ("bites", "saw", "likes", "follows", "hears"),
    "preposition": ("on", "under", "behind", "near"),
    "stop": (".",),
}
CLASS_OF = {word: name for name, words in CLASSES.items() for word in words}
VOCABULARY = tuple(sorted(CLASS_OF))  # a word's place is its ID
WHO_NOUNS = ("dog", "man", "cat", "woman", "bird", "child", "horse", "fox", "girl", "boy")
WHO_VERBS = {
    "bites": "bitten",
    "sees": "seen",
    "chases": "chased",
    "helps": "helped",
    "hears": "heard",
    "follows": "followed",
}
WHO_VOCABULARY = tuple(sorted((*WHO_NOUNS, *WHO_VERBS, *WHO_VERBS.values(), "who", "is", "?", ",", ".")))


def sentence(generator: random.Random) -> list[str]:
    """A sentence as a list of words, with a full stop at its end."""
    return expand("sentence", generator)


def who(generator: random.Random) -> list[str]:
    """Such as "dog bites man , who bites ? dog .": whoever has kept the order knows the answer.

    It is one of WHO_LEARNED. None of WHO_HELD_OUT is ever made, however many are.
    """
    return list(generator.choice(WHO_LEARNED))


def asked(first: str, verb: str, second: str, is_passive: bool) -> tuple[str, ...]:
    """What happened, a question, and its answer: "dog bites man , who is bitten ? man ." if the question is passive."""
    question, answer = (("who", "is", WHO_VERBS[verb]), second) if is_passive else (("who", verb), first)
    return (first, verb, second, ",", *question, "?", answer, ".")


def _asked(combinations: list[tuple[str, str, str]]) -> tuple[tuple[str, ...], ...]:
    """Both orders of each combination of two nouns and a verb, with both questions."""
    return tuple(
        asked(first, verb, second, is_passive)
        for one, other, verb in combinations
        for first, second in ((one, other), (other, one))
        for is_passive in (False, True)
    )


# Held out are combinations, in both orders: every fifth pair of nouns, the dog and the man among them, with every verb,
# and of the other pairs every fifth with a verb. So a model has met all words, and must put them together anew.
_PAIRS = [(one, other) for n, one in enumerate(WHO_NOUNS) for other in WHO_NOUNS[n + 1 :]]
_STRANGERS = [(*pair, verb) for pair in _PAIRS[::5] for verb in WHO_VERBS]
_MET = [(*pair, verb) for n, pair in enumerate(_PAIRS) if n % 5 for verb in WHO_VERBS]
WHO_LEARNED = _asked([each for n, each in enumerate(_MET) if (n + 1) % 5])
WHO_HELD_OUT = _asked(_STRANGERS + _MET[4::5])


def expand(symbol: str, generator: random.Random) -> list[str]:
    """The words that a symbol becomes: of a class one word, of a rule what its parts become."""
    if symbol in CLASSES:
        return [generator.choice(CLASSES[symbol])]
    return [word for part in generator.choice(RULES[symbol]).split() for word in expand(part, generator)]
