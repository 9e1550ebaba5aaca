"""The pages of the site in the order of its menu: all that is known of a page before its script runs."""

from dataclasses import dataclass
from pathlib import Path

from embedviz.base.i18n import N_, translated
from embedviz.base.options import OPTIONS, label_of
from embedviz.base.settings import ROOT

_SENTENCES = "a b pair"
_BACKEND = (
    "source tokenizer special_tokens prefix_space lower_case output_dim seed scale_embeddings position position_scale"
    " context_length"
)


@dataclass(frozen=True)
class Page:
    """What the menu, the head, the metrics and links need to know of a page.

    name: the page's name in its folder, its address and the metrics. title, help: marked texts. controls: the keys of
    its controls, with a space between them, which `?hide=` may name. components: the scripts that draw what the page
    shows first, besides those of its own folder. view: the name of the parameter that holds its view in the address, if
    it has several views.
    """

    name: str
    title: str
    help: str
    controls: str
    components: tuple[str, ...] = ("plot/plot", "chips/chips", "cards/cards")
    view: str = ""

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
        f"{_SENTENCES} {_BACKEND} settings order amount first strips compare axes by code",
        ("order/order", "slider/slider", "pair_strips/pair_strips", "cards/cards"),
        view="compare",
    ),
    Page(
        "tour", N_("Tour"),
        N_("From text to input embeddings in thirteen steps, on your own two sentences, with questions."),
        "a b code",
        ("boxes/boxes",),
    ),
    Page(
        "lookup", N_("Lookup"),
        N_("What an embedding layer does with an ID, number by number."),
        "show ids swapped table_rows table_dims seed code",
        view="show",
    ),
    Page(
        "tokenizers", N_("Tokenizers"),
        N_("One text cut by several tokenizers, side by side: four that are here, and that of any model."),
        "text ready_text model_tokenizer tokenizers leading_space special_tokens code",
        ("cards/cards",),
    ),
    Page(
        "batches", N_("Batches"),
        N_("Sliding windows over a text, and one batch through the layers."),
        "part sample pasted upload tokenizer batch_size max_length stride shuffle drop_last seed settings batch "
        "cell_window cell_position short long code",
        ("cards/cards",),
        view="part",
    ),
    Page(
        "positions", N_("Positions"),
        N_("Tables of absolute positions: their numbers, pairs, similarities, ends, and what adding does."),
        "view source output_dim context_length base layout seed settings kind along picked_position picked_dimension "
        "shift pair_number length sentence position position_scale scale_embeddings token_at "
        "learned_tables n_positions heat code",
        view="view",
    ),
    Page(
        "relative", N_("Relative"),
        N_("Position schemes inside attention, side by side: scores, the shift test, distances, longer texts."),
        "relative sentence head source tokenizer output_dim seed context_length settings shift reach t5 trained used "
        "code",
        view="relative",
    ),
    Page(
        "rope", N_("RoPE"),
        N_("Rotary positions taken apart: pairs that turn, their speeds, and how models stretch them to longer texts."),
        "rope settings head_dim base query_at key_at both_at pair_order scaling factor trained used partial reach code",
        view="rope",
    ),
    Page(
        "attention", N_("Attention"),
        N_("One layer over both sentences: what order changes, and what a mask does."),
        f"{_SENTENCES} {_BACKEND} settings attention n_heads head causal window n_layers n_sinks sink code",
        view="attention",
    ),
    Page(
        "models", N_("Models"),
        N_("Which positions the models of today have, layer by layer, and how to choose between schemes."),
        "models model scheme sort named code",
        view="models",
    ),
    Page(
        "training", N_("Training"),
        N_("A small GPT learns, and its two tables take shape."),
        "part corpus own positions shuffled tied n_layers dims context steps seed settings train again snapshots code",
        view="part",
    ),
    Page(
        "vocabulary", N_("Vocabulary"),
        N_("All tokens of a tokenizer at once, as a map: search, neighbours, axes, t-SNE and UMAP."),
        "source tokenizer output_dim seed lower_case settings map axes colour sphereize perplexity iterations "
        "n_neighbors min_dist from to alone list find regex token metric place position "
        "contrast bring compute download code",
        ("cloud/cloud", "cloud/marks", "cloud/texts"),
        view="list",
    ),
)  # fmt: skip


def page_at(address: str) -> Page:
    """The page at an address or a path. An address that does not exist gives the first page."""
    name = address.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2]
    return next((page for page in PAGES if page.name == name), PAGES[0])


@dataclass(frozen=True)
class Place:
    """A view of a page, to which a link leads. page, view: their names in the address."""

    page: str
    view: str

    @property
    def page_title(self) -> str:
        """What the menu calls the page."""
        return translated(page_at(self.page).title)

    @property
    def view_title(self) -> str:
        """What the page's own switch calls the view."""
        return label_of(page_at(self.page).view)(self.view)

    @property
    def query(self) -> str:
        """The parameter of the address that opens the view. The first view has an empty one, as nothing asks for it."""
        key = page_at(self.page).view
        return f"{key}={'' if self.view == next(iter(OPTIONS[key])) else self.view}"


def place_at(path: str) -> Place:
    """The place of a path such as "relative/distance"."""
    page, _slash, view = path.partition("/")
    return Place(page, view)
