"""A small grammar about cats, dogs, mats and who bites whom. The class of each of its words is known.

In its sentences the next word follows from the last one and from which classes came before, in whatever order. In its
rhymes the order decides: three words are said, and then again as they came.
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
RHYME_VOCABULARY = tuple(sorted((*CLASSES["noun-alive"], "again", ".")))


def sentence(generator: random.Random) -> list[str]:
    """A sentence as a list of words, with a full stop at its end."""
    return expand("sentence", generator)


def rhyme(generator: random.Random) -> list[str]:
    """Such as "cat dog fox again cat dog fox .": whoever has kept the order knows the second half."""
    said = generator.sample(CLASSES["noun-alive"], 3)
    return [*said, "again", *said, "."]


def expand(symbol: str, generator: random.Random) -> list[str]:
    """The words that a symbol becomes: of a class one word, of a rule what its parts become."""
    if symbol in CLASSES:
        return [generator.choice(CLASSES[symbol])]
    return [word for part in generator.choice(RULES[symbol]).split() for word in expand(part, generator)]
