"""No text is left out: in a language made of the template, what stays in ASCII is no text of the interface."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedviz.base.i18n import language
from embedviz.base.locale import catalogues
from embedviz.models.architectures import ARCHITECTURES
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions import SCHEMES
from embedviz.text.grammar import VOCABULARY
from embedviz.text.samples import pairs
from embedviz.text.tokens import TOKENIZERS
from embedviz.vectors.sources import NAMES
from pages.models.ideas import IDEAS
from tests.pages.translated_pages import MARKUP, texts_on_pages, words
from tests.pseudo import write
from tests.views import VIEWS

TAG = "nl"  # of a language that is not here: a process keeps what it has made of a text by the tag
LEFT_OUT = "Example pairs"  # of the translation, to see what a text that nobody marked looks like
# What PyTorch and Python's regular expressions say stands there in their own words.
PYTORCH = re.compile(
    r"IndexError\\?: index out of range in self|The size of tensor a .* non-singleton dimension \d"
    r"|missing \\\) at position 1"
)
GLUED = re.compile(r"⟧\s?[,;:.)](?!\w)|[,;:(]\s?⟦")  # punctuation that code puts beside a translated text
ALLOWED = {
    "what addresses of examples say": " ".join(
        text for view in VIEWS.values() for example in view.examples for text in example.values()
    ),
    "what visitors typed": "the The cat sat on mat dog bites man who no Sesquipedalian",
    "tokens that Vocabulary opens with": "cats kitten kitty note man woman she nearest see",
    "words of the small GPT": " ".join(VOCABULARY),
    "words of a small table, and bytes": "brown dog fox jumps lazy over xf",
    "ready pairs in the language whose tag it has": " ".join(f"{pair.a} {pair.b}" for pair in pairs(TAG)),
    "tokenizers": " ".join(TOKENIZERS),
    "schemes and their papers": " ".join(f"{each.name} {each.paper}" for each in SCHEMES.values())
    + " Shaw Transformer-XL DeBERTa RoPE ALiBi",
    "models of the page Models, and where their rows were read": " ".join(
        f"{each.name} {each.scaling} {' '.join(source for source, _facts in each.sources)}"
        for each in ARCHITECTURES.values()
    ),
    "newer ideas and their papers": " ".join(f"{each.name} {each.sources}" for each in IDEAS),
    "sources and models": " ".join(["own", "minilm-words", *NAMES, *(each.title for each in CHECKPOINTS.values())]),
    "parameters, in the words of PyTorch": "vocab_size output_dim context_length max_length stride batch_size shuffle "
    "drop_last seed lower_case position nn.Embedding float32 float16 interleaved half",
    "methods and measures": "PCA t-SNE cosine euclidean",
    "scalings of RoPE": "YaRN Llama",
    "units and formats": "kB MB GB CSV NPZ PNG SVG HTML vectors.tsv metadata.tsv vocabulary.npz",
    "commands": "make far SCHEME SEED",
    "options of Plotly and of Streamlit": "previous toggle toggleothers tozero tour models next_word",
    "what the slider moves, as its script calls it": "amount snapshot",
}


def forget() -> None:
    """Forget which languages there are."""
    for each in (catalogues.languages, catalogues.default_language, catalogues.catalogue):
        each.cache_clear()


POINTS = re.compile(r"\d\.\d")
# What keeps its point: addresses, papers, versions, code, and names of models and of their heads.
KEPT_POINTS = re.compile(
    r"arXiv:\S*|\b[A-Za-z][\w.-]*/\S+|(Python|Llama) 3\.\d+|v\d+\.\d+|torch==\S+|```.*?```"
    r"|\b\d\.\d+ (voriges|nächstes) Token",
    re.DOTALL,
)
MODELS = sorted({each.name for each in ARCHITECTURES.values()} | {each.title for each in CHECKPOINTS.values()}, key=len)


@pytest.fixture
def german(configure: Callable[..., None]) -> Iterator[None]:
    configure(language="de")
    forget()
    yield
    forget()


def test_no_text_of_a_german_page_has_a_point_before_decimals(german):
    assert language() == "de"
    on_pages = texts_on_pages()
    names = re.compile("|".join(map(re.escape, reversed(MODELS))))
    left = [
        (where, text)
        for where, texts in on_pages.items()
        for text in texts
        if POINTS.search(names.sub("", KEPT_POINTS.sub("", MARKUP.sub(" ", text))))
    ]
    assert not left, left[:20]
    assert sum(bool(re.search(r"\d,\d", text)) for texts in on_pages.values() for text in texts) > 200


@pytest.fixture
def pseudo_language(tmp_path: Path, configure: Callable[..., None]) -> Iterator[None]:
    """The made language in the place of English."""
    write(tmp_path / "xx.po", LEFT_OUT, TAG)
    configure(language=tmp_path / "xx.po")
    forget()
    yield
    forget()


def test_every_text_on_every_page_is_in_the_catalogue(pseudo_language):
    assert language() == TAG
    on_pages = texts_on_pages()
    allowed = {word for group in ALLOWED.values() for word in words(group)}
    left = [
        (where, text)
        for where, texts in on_pages.items()
        for text in texts
        if text != LEFT_OUT and set(words(PYTORCH.sub("", text))) - allowed
    ]
    assert not left, left[:20]
    glued = [(where, text) for where, texts in on_pages.items() for text in texts if GLUED.search(text)]
    assert not glued, glued[:20]
    # What the check reads is what the pages show: a token on each, and a text that is in no catalogue where it belongs.
    assert len(on_pages) > 40
    assert any("the cat sat on the mat" in text for text in on_pages["compare whole"])
    assert {where for where, texts in on_pages.items() if LEFT_OUT in texts} >= {"compare pairs", "attention order"}
