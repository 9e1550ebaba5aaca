"""The pages of the site: all that is known of a page before its script runs, and the road through them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from embedviz.base.i18n import N_, NP_
from embedviz.base.settings import ROOT


@dataclass(frozen=True)
class Page:
    """What the menu, the head, the metrics and links need to know of a page.

    name: the page's name in its folder, its address and the metrics. title, help: marked texts. views: if there are
    several, their marked titles by their names in the address; the page opens on the first. components: the scripts
    that draw what the page shows first, besides those of its own folder. has_sentences: whether it has the fields of
    both sentences. keeps: what it writes into the address itself, if the address does not say it, with a value that no
    other page knows: what goes along from page to page is what a visitor has chosen, and this page has its own again
    when the visitor comes back. opens_at: how much of the positions it shows at first, in percent: below 100 the reader
    adds them.
    """

    name: str
    title: str
    help: str
    views: Mapping[str, str] = field(default_factory=dict, hash=False)
    components: tuple[str, ...] = ("plot/plot", "chips/chips", "cards/cards")
    has_sentences: bool = False
    keeps: Mapping[str, str] = field(default_factory=dict, hash=False)
    opens_at: int = 100

    @property
    def address(self) -> str:
        """The page's address below that of the site. The first page has the address of the site itself."""
        return "" if self is PAGES[0] else self.name

    @property
    def script(self) -> Path:
        """The script that Streamlit runs."""
        return ROOT / "pages" / self.name / "page.py"


PAGES = (
    Page(
        "compare", N_("Compare"),
        N_("Two sentences with the same words, embedded side by side."),
        {"whole": N_("The whole way"), "pairs": N_("Pairs"), "map": N_("Map"), "orders": N_("All orders")},
        ("way/way", "slider/slider", "cards/cards"),
        has_sentences=True,
        opens_at=0,
    ),
    Page(
        "tour", N_("Tour"),
        N_("Where word order enters a model, in ten steps, on your own two sentences, with questions."),
        components=("way/way",),
        has_sentences=True,
    ),
    Page(
        "lessons", N_("Lessons"),
        N_("Ways through the views for a class, with questions, sheets to print and the answers for the teacher."),
        components=("cards/cards",),
    ),
    Page(
        # Translators: A noun: how an ID becomes a row of a table. Neither a search nor a visit.
        "lookup", N_("Lookup"),
        N_("What an embedding layer does with an ID, number by number."),
        {"rows": N_("Rows"), "one-hot": N_("One-hot")},
        has_sentences=True,
    ),
    Page(
        "tokenizers", N_("Tokens"),
        N_("One text cut by several tokenizers, side by side: four that come with the app, and that of any model."),
        components=("cards/cards",),
        has_sentences=True,
    ),
    Page(
        "batches", N_("Batches"),
        N_("Sliding windows over a text, batches of them, and what padding does to positions."),
        {"windows": N_("Windows"), "padding": N_("Padding")},
        ("cards/cards",),
    ),
    Page(
        "positions", N_("Positions"),
        N_("What a position adds to a vector, and tables of positions: their numbers, their pairs, where they end."),
        {"adding": N_("Adding"), "table": N_("Table"), "pairs": NP_("dimensions", "Pairs"), "end": N_("Past the end")},
        ("cards/cards",),
    ),
    Page(
        "relative", N_("Relative"),
        N_("Position schemes compared: what each makes of a place and of a distance, and which model has which."),
        {"shift": N_("Shift test"), "distance": N_("By distance"), "far": N_("How far")},
    ),
    Page(
        "rope", N_("RoPE"),
        N_("Rotary positions taken apart: pairs that turn, and texts longer than trained."),
        {"turn": N_("Pairs turn"), "longer": N_("Longer than trained")},
    ),
    Page(
        "attention", N_("Attention"),
        N_("One layer over both sentences: what order changes, and what a mask does."),
        # Translators: Two orders of the same words, not two requests.
        {"order": N_("Two orders"), "head": N_("A trained head")},
        has_sentences=True,
    ),
    Page(
        "layers", N_("Layers"),
        N_("A trained model, layer by layer: what it makes of two orders, with positions off and on."),
        {"copies": N_("Copies"), "meaning": N_("Order and meaning"), "memory": N_("Where order is remembered")},
        ("plot/plot", "cards/cards", "pair_strips/pair_strips"),
        has_sentences=True,
    ),
    Page(
        "next_word", N_("Next word"),
        N_("What order is for: a trained model says the next word, with positions, without them, and exchanged."),
    ),
    Page(
        "models", N_("Models"),
        N_("Which position schemes published models use, layer by layer, from 2017 on, and a test of one at hand."),
        {"published": N_("Published"), "measured": N_("Measured here")},
    ),
    Page(
        "training", N_("Training"),
        N_("A small GPT learns, and its two tables take shape."),
        {"words": N_("Words"), "positions": N_("Positions")},
    ),
    Page(
        "vocabulary", N_("Vocabulary"),
        N_("The tokens of a tokenizer as a map: neighbours, parts of words, axes."),
        components=("cloud/cloud", "cloud/marks", "cloud/texts"),
        keeps={"source": "minilm-words"},
    ),
)  # fmt: skip


def page_at(address: str) -> Page:
    """The page at an address or a path. An address that does not exist gives the first page."""
    name = address.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
    return next((page for page in PAGES if page.name == name), PAGES[0])


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
    # Translators: A heading in the menu, above the tour and the lessons, which lead through the site.
    N_("Guided"): {"tour": "compare", "lessons": "compare"},
    N_("Look closer"): {"batches": "lookup", "relative": "attention", "rope": "attention"},
    N_("Real models and learning"): {"models": "layers", "training": "next_word", "vocabulary": "lookup"},
}


def next_of(page: Page) -> Page:
    """The station after one of the road. After the last comes the first."""
    return ROAD[(ROAD.index(page) + 1) % len(ROAD)]


def station_of(page: Page) -> Page:
    """The station to which a page beside the road belongs."""
    return next(page_at(group[page.name]) for group in BESIDE.values() if page.name in group)
