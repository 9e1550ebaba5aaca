"""The options of controls, by their names in addresses.

A change of language or wording does not change these names. Options that are already names, of tokenizers, schemes or
sizes, are not listed here.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from embedviz.base.i18n import N_, language, translated

OPTIONS = {
    "compare": {
        "pairs": N_("Pairs"),
        "map": N_("Map"),
        "distances": N_("Distances"),
        "numbers": N_("All numbers"),
    },
    "first": {"16": "16", "32": "32", "64": "64", "all": N_("all")},  # of the numbers of a vector
    "by": {"sentence": N_("By sentence"), "token": N_("By token")},
    "show": {
        "rows": N_("Rows"),
        "one-hot": N_("One-hot"),
        "mistakes": N_("Mistakes"),
        "positions": N_("Positions"),
        "sizes": N_("Sizes"),
    },
    "part": {  # of Batches and of Training
        "windows": N_("Windows"),
        "shapes": N_("Shapes"),
        "padding": N_("Padding"),
        "words": N_("Words"),
        "positions": N_("Positions"),
        "order": N_("Order"),
    },
    "view": {
        "table": N_("Table"),
        "pairs": N_("Pairs"),
        "similarity": N_("Similarity"),
        "kinds": N_("Side by side"),
        "end": N_("Past the end"),
        "adding": N_("Adding"),
        "models": N_("Real models"),
    },
    "heat": {"numbers": N_("Numbers"), "cosines": N_("Cosines")},
    "relative": {
        "scores": N_("Scores"),
        "shift": N_("Shift test"),
        "distance": N_("By distance"),
        "t5": N_("T5's own"),
        "lengths": N_("Longer texts"),
        "schemes": N_("Which one"),
    },
    "rope": {
        "turn": N_("Pairs turn"),
        "layouts": N_("Halves or interleaved"),
        "base": N_("Base"),
        "longer": N_("Longer than trained"),
        "part": N_("A part of the dimensions"),
        "distance": N_("Near and far"),
    },
    "scaling": {
        "none": N_("None"),
        "linear": N_("Linear"),
        "dynamic": N_("Dynamic NTK"),
        "yarn": "YaRN",
        "llama3": "Llama 3",
        "longrope": "LongRoPE",
        "proportional": N_("Proportional"),
    },
    "partial": {
        "all": N_("All"),
        "half": N_("Half"),
        "quarter": N_("A quarter"),
        "split": N_("Two parts"),
        "proportional": N_("The fast pairs"),
    },
    "pair_order": {"half": N_("Halves"), "interleaved": N_("Interleaved")},
    "attention": {
        "order": N_("Two orders"),
        "window": N_("Sliding window"),
        "sinks": N_("Sinks"),
    },
    "models": {
        "layers": N_("Layer by layer"),
        "table": N_("Which model has what"),
        "choose": N_("Absolute or relative"),
        "ideas": N_("Newer ideas"),
    },
    "scheme": {"all": N_("All schemes")},  # of Models; `embedviz/positions/registry.py` adds the schemes
    "sort": {  # of Models
        "newest": N_("Newest first"),
        "oldest": N_("Oldest first"),
        "name": N_("Name"),
        "base": N_("Largest base"),
        "length": N_("Longest texts"),
    },
    "list": {"neighbours": N_("Neighbours"), "position": N_("With a position"), "search": N_("Search")},
    "along": {"position": N_("Position"), "dimension": N_("Dimension")},
    "sample": {
        "verdict": N_("The Verdict, opening (Edith Wharton)"),
        "romeo": N_("Romeo and Juliet, prologue (William Shakespeare)"),
        "mat": N_("The Mat (written for this project)"),
        "own": N_("Paste my own"),
        "file": N_("Upload a file"),
    },
    "corpus": {"grammar": N_("Cats, dogs and mats"), "own": N_("My own")},
    "map": {"pca": N_("PCA"), "axis": N_("Axis"), "tsne": N_("t-SNE"), "umap": N_("UMAP")},
    "colour": {
        "id": N_("token ID"),
        "length": N_("token length"),
        "kind": N_("kind"),
        "class": N_("word class"),
    },
}
# The names that options have in older addresses.
EARLIER = {
    "colour": {"merge rank (ID)": "id"},
    "sample": {"The Verdict (Edith Wharton)": "verdict", "Romeo and Juliet (William Shakespeare)": "romeo"},
}
AFTER_A_LINK = ")]>.,;:'\"»”"
_ESCAPED = re.compile(r"&(?:amp(?:;|%3B))+", re.IGNORECASE)
RENAMED = {"text": "corpus"}  # this control had the name of another page's text when its options stood in addresses


def label_of(key: str) -> Callable[[str], str]:
    """A function from the name of an option to the label that the control shows."""
    return lambda name: translated(OPTIONS[key][name])


def unescaped(query: str) -> str:
    """The query of a link that went through HTML and says `&amp;` for `&`, as `address.js` reads it too.

    An `&` within a text is `%26` in an address, so that no text is touched.
    """
    return _ESCAPED.sub("&", query)


def understood(address: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The parameters of an address, with each option as its control shows it, since Streamlit knows options this way.

    Old addresses hold the English text of an option, or the text that a translation showed. A link in a text may have
    taken along what stood after it.
    """
    labels = _labels(language())
    found = {}
    for key, values in address.items():
        known = labels.get(key, {})
        found[key] = [known.get(value) or known.get(value.rstrip(AFTER_A_LINK), value) for value in values]
    for old, new in RENAMED.items():
        if found.get(old) and found[old][-1] in labels[new] and new not in found:
            found[new] = [labels[new][value] for value in found[old]]
    return found


def names() -> dict[str, dict[str, str]]:
    """The name of each option, by the label that its control shows."""
    return {key: {translated(text): name for name, text in options.items()} for key, options in OPTIONS.items()}


@cache
def _labels(_language: str) -> dict[str, dict[str, str]]:
    """The label that each control shows for an option, by the option's English text, by the label, and by its name.

    If these collide, the name counts first. The labels are those of the language that is spoken now.
    """
    found = {}
    for key, options in OPTIONS.items():
        shown = {name: translated(text) for name, text in options.items()}
        found[key] = (
            {text: shown[name] for text, name in EARLIER.get(key, {}).items()}
            | {text: shown[name] for name, text in options.items()}
            | {text: text for text in shown.values()}
            | shown
        )
    return found
