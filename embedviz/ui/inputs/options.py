"""The options of controls, by their names in addresses.

A change of language or wording does not change these names. Options that are already names, of tokenizers, schemes or
sizes, are not listed here. The views of a page are in its record (`base/pages.py`).
"""

from collections.abc import Callable

from embedviz.base.i18n import N_, NP_, translated
from embedviz.layers.head_patterns import PLACES
from embedviz.positions import SCHEMES

_SCHEMES = {name.replace("_", "-"): scheme.title for name, scheme in SCHEMES.items()}
OPTIONS = {
    "first": {"16": "16", "32": "32", "64": "64", "all": N_("all")},  # of the numbers of a vector
    "positions": {  # what is done to them, on every page with a model; first off and on
        "off": N_("Positions off"), "on": N_("Positions on"), "shifted": N_("All + n"), "swapped": N_("Exchange two"),
        "exchanged": N_("Exchange the nouns’ positions"), "shuffled": N_("Shuffle the list, keep positions"),
        "moved": N_("Move the “?”")},
    "source": {"fits": N_("As it fits the sentences")},  # besides the names of sources
    "looked_up": {"pair": N_("Both sentences"), "ids": N_("IDs of your own")},  # on Lookup
    "cut": {"pair": N_("Both sentences"), "text": N_("Another text")},  # on Tokens
    "orders_of": {"words": N_("All orders of A"), "lines": N_("My own sentences")},
    "drawn": {  # of each order, on Compare
        "sums": N_("Token + position"), "layer": N_("A model’s layer"), "sentence": N_("A model’s sentence vector"),
        "causal": N_("The small GPT’s layer (causal mask)")},
    "metric": {"cosine": N_("Cosine"), "euclidean": N_("Euclidean")},  # of nearness, on Vocabulary
    "measure": {"cosine": N_("Cosine"), "distance": N_("Distance")},
    "reader": {
        "small-gpt": N_("small GPT"),
        "small-gpt-rope": N_("small GPT with RoPE"),
        "small-gpt-none": N_("small GPT without positions"),
        "small-gpt-none-2": N_("small GPT without positions, 2 layers"),
    },
    "pair_of": {  # whose query and key turn, on RoPE, after the models of this machine
        "small-gpt-rope": N_("small GPT with RoPE"), "random": N_("Random numbers")},
    "layer_of": {  # whose first layer attends, on Attention, after the models of this machine
        "random": N_("Random numbers"), "small-gpt": N_("small GPT"), "small-gpt-rope": N_("small GPT with RoPE"),
        "small-gpt-none": N_("small GPT without positions")},
    "place": {name: text for name, text in PLACES.items() if name != "last"},  # at which a head of Attention looks
    "looks": {  # at this a trained head looks, on Attention
        "before": N_("The token before"), "sink": N_("A sink"), "own": N_("All heads")},
    "scaling": {"none": NP_("scaling", "None"), "linear": N_("Linear"), "dynamic": N_("Dynamic NTK"), "yarn": "YaRN",
        "llama3": "Llama 3", "proportional": N_("Proportional")},
    "part": {"scores": N_("Scores"), "weights": N_("Weights"), "second": N_("Layer 2 scores")},  # of a phrase
    "measured": {"right": N_("Right answers"), "loss": N_("Loss of the answer")},  # how far models read
    "scheme": {"all": N_("All schemes"), **_SCHEMES},  # of Models
    "one": _SCHEMES,  # of the shift test
    "another": _SCHEMES,
    "sort": {  # of Models
        "newest": N_("Newest first"), "oldest": N_("Oldest first"), "name": N_("Name"), "base": N_("Largest base"),
        "length": N_("Longest texts")},
    "held_numbers": {"2": "2", "4": "4", "32": "32", "256": "256", "pca": N_("PCA")},  # of each vector of a sum
    "along": {  # what stands beside a table of positions
        "dimension": N_("Two dimensions"), "position": N_("One position"), "distance": N_("By distance")},
    "sample": {"verdict": N_("The Verdict, opening (Edith Wharton)"),
        "romeo": N_("Romeo and Juliet, prologue (William Shakespeare)"),
        "mat": N_("The Mat (written for this project)"), "own": N_("Paste my own"), "file": N_("Upload a file")},
    "corpus": {"grammar": N_("The site’s own language"), "own": N_("My own")},
    "gpt": {  # of Next word
        "learned": N_("Learned positions, 1 layer"), "rope": N_("RoPE, 1 layer"), "none": N_("No positions, 1 layer"),
        "learned-2": N_("Learned positions, 2 layers"), "rope-2": N_("RoPE, 2 layers"),
        "none-2": N_("No positions, 2 layers")},
    "asked_for": {"rest": N_("Who sat?"), "active": N_("Who bites?"), "passive": N_("Who is bitten?")},
    "sentences": {"ready": N_("A ready question"), "own": N_("My own sentences")},  # on Next word
    "map": {"pca": N_("PCA"), "axis": N_("Axis")},
    "colour": {"id": N_("token ID"), "length": N_("token length"), "kind": N_("kind"), "class": N_("word class")},
}  # fmt: skip


def label_of(key: str) -> Callable[[str], str]:
    """A function from the name of an option to the label that the control shows."""
    return lambda name: translated(OPTIONS[key][name])
