"""The site's own language, in which the order of the words decides what follows.

An item says what happened, asks, and answers: "the cat sat on the mat , who sat ? cat ." Its words in another order can
mean something else ("the mat sat on the cat") or the same ("on the mat the cat sat"), and the answer goes with that.
"""

CLASSES = {
    "determiner": ("the",),
    # No text of the training has two neighbours of this list, so that the cat and the mat are new to each other.
    "noun": ("cat", "mat", "dog", "man", "bird", "hat", "child", "box", "fox", "bed"),
    "verb-rest": ("sat", "stood", "lay", "slept"),
    "preposition": ("on", "under", "behind"),
    "verb-act": ("bites", "sees", "chases", "hears"),
    "participle": ("bitten", "seen", "chased", "heard"),
    "question": ("who", "is"),
    "mark": (",", "?", "."),
}
CLASS_OF = {word: name for name, words in CLASSES.items() for word in words}
VOCABULARY = tuple(sorted(CLASS_OF))  # a word's place is its ID
NOUNS, RESTS, PLACES = CLASSES["noun"], CLASSES["verb-rest"], CLASSES["preposition"]
PARTICIPLES = dict(zip(CLASSES["verb-act"], CLASSES["participle"], strict=True))
FORMS = {  # of an item; n is the noun that stands first in the usual order, and m the other one
    "rest": "the {n} {verb} {place} the {m} , who {verb} ? {n} .",
    "fronted": "{place} the {m} the {n} {verb} , who {verb} ? {n} .",
    "active": "the {n} {verb} the {m} , who {verb} ? {n} .",
    "passive": "the {n} {verb} the {m} , who is {participle} ? {m} .",
}


def item(form: str, n: str, verb: str, m: str, place: str = "on") -> tuple[str, ...]:
    """The words of an item. verb: one of RESTS or, for "active" and "passive", of PARTICIPLES."""
    return tuple(FORMS[form].format(n=n, m=m, verb=verb, place=place, participle=PARTICIPLES.get(verb)).split())


def items(form: str, pairs: list[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """All items of a form about these pairs of nouns, the first of which is the one that sat or acts."""
    rests = form in ("rest", "fronted")
    details = [(verb, place) for verb in RESTS for place in PLACES] if rests else [(verb, "") for verb in PARTICIPLES]
    return tuple(item(form, n, verb, m, place) for n, m in pairs for verb, place in details)


_PAIRS = [(n, m) for n in NOUNS for m in NOUNS if n != m]
_NEIGHBOURS = [NOUNS[n : n + 2] for n in range(len(NOUNS) - 1)]
STRANGERS = [(n, m) for one, other in _NEIGHBOURS for n, m in ((one, other), (other, one))]
LEARNED = tuple(each for form in FORMS for each in items(form, [pair for pair in _PAIRS if pair not in STRANGERS]))
HELD_OUT = tuple(each for form in FORMS for each in items(form, STRANGERS))
