"""The road through the site, from letters to the next word: its stations in their order, and what lies beside it."""

from embedviz.base.i18n import N_
from embedviz.base.pages import Page, page_at

# The stations by their names, and the sentence at the end of each: what goes along to the next, and what is seen there.
STEPS = {
    "compare": N_("Your sentences and settings stay in the address: see first how tokenizers cut a text into tokens."),
    "tokenizers": N_("Only the IDs go on from here: see how a table turns each of them into a vector."),
    "lookup": N_("Copies of a token have one vector so far: see what a position adds to a vector."),
    "positions": N_("Take tokens and positions along: see what one layer of attention makes of your two sentences."),
    "attention": N_("One layer has mixed the tokens: see what all layers of a trained model make of two orders."),
    "layers": N_("You know what layers make of order: see what order is for when a model says the next word."),
    "next_word": N_("The road ends with the word that a model says: walk it again with two sentences of your own."),
}
ROAD = tuple(map(page_at, STEPS))
# The groups of pages beside the road, and the station to which each page belongs.
BESIDE = {
    N_("Look closer"): {"batches": "lookup", "relative": "attention", "rope": "attention"},
    N_("Real models and learning"): {"models": "layers", "training": "next_word", "vocabulary": "lookup"},
    N_("For teachers"): {"tour": "compare", "lessons": "compare"},
}


def next_of(page: Page) -> Page:
    """The station after one of the road. After the last comes the first."""
    return ROAD[(ROAD.index(page) + 1) % len(ROAD)]


def station_of(page: Page) -> Page:
    """The station to which a page beside the road belongs."""
    return next(page_at(group[page.name]) for group in BESIDE.values() if page.name in group)
