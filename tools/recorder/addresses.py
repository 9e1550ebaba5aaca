"""The addresses that are recorded, and what a visitor does after opening them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from embedviz.base.pages import PAGES, page_at
from embedviz.positions import SCHEMES
from pages.tour.steps import STEPS
from tests.views import EXAMPLES, query
from tools.recorder.settings import other
from tools.recorder.visitor import Edit

TOKENIZERS = ("words", "gpt2", "cl100k_base", "o200k_base")
HOSTILE = "<script>alert(1)</script> **b** $x$ :red[r] `c` {0} %s \\ \"q\" 'p' [l](javascript:1) ]]> \u202eevil"
MIXED = "القطة on 猫 👩\u200d💻 e\u0301 \ud7ff\u00a0 İ ß \t tab"
_STEPS = [step.key for step in STEPS]
TRAIN = Edit("train", is_kept=False)
OPEN = Edit("code")  # the fold of the program

# Asked for by HTTP alone.
PLAIN = (
    "/compare", "/compare?a=dog&b=cat", "/nobody", "/deep/er/path", "/healthz", "/readyz", "/_stcore/health",
    "/_stcore/metrics", "/_stcore/host-config", "/?a=" + "a" * 50_000, "/lookup?ids=" + "%E4%B8%AD" * 6_000,
    "/assets/plotly/plotly.min.js", "/assets/plotly/nothing.js", "/assets/embedviz/0/share.js", "/robots.txt",
)  # fmt: skip


@dataclass(frozen=True)
class Visit:
    """A page with the query of its address, and what is done there.

    then: edits one after the other. files: whether to ask for what the last state of the page offers to download.
    """

    page: str
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    then: Sequence[Edit] = ()
    files: bool = True

    @property
    def name(self) -> str:
        query = "&".join(f"{key}={_short(value)}" for key, value in self.query.items())
        return " > ".join([f"/{self.page}?{query}", *_shortened(list(map(_done, self.then)))])


def _shortened(steps: list[str]) -> list[str]:
    return steps if len(steps) < 6 else [*steps[:2], f"… ({len(steps)})"]


def _done(edit: Edit) -> str:
    return f"{edit.key} {edit.event}".strip() + f"={_short(edit.value)}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    return text if len(text) <= 40 else f"{text[:30]}… ({len(text)})"


def _views(page: str) -> list[str]:
    """The names of a page's views."""
    return [name for each in PAGES if each.name == page for name in each.views]


# Every example of every view, with its program open, and projected.
EXAMPLES_OF_VIEWS = [
    Visit(page_at(view.page).address, query(view, n) | more, then, files=view.page != "vocabulary")
    for view, n in EXAMPLES.values()
    for more, then in (({}, (OPEN,)), ({"present": "1"}, ()))
]


def _tour_to_its_end() -> list[Edit]:
    """Answer every question, some of them wrongly, and go on."""
    answers = [Edit("tour_panel", {"step": n, "choice": n % 2}, "answer") for n in range(1, 11)]
    moves = [Edit("tour_panel", {"step": n + 1, "opened": [], "turn": n}, "go") for n in range(1, 10)]
    return [edit for n, answer in enumerate(answers) for edit in (answer, *moves[n : n + 1])]


COMPARE = (
    *(Visit("", {"position": name}) for name in SCHEMES),
    *(Visit("", {"tokenizer": name, "a": "The dog saw the cat", "b": "the cat The dog saw"}) for name in TOKENIZERS),
    Visit("", {"source": "trained"}),
    Visit("", {"source": "trained", "a": "the zebra sat", "b": "sat the zebra"}),
    Visit("", {"source": "trained", "a": "cat " * 20, "b": "the cat"}),
    Visit("", {"source": "gpt2"}),
    Visit("", {"source": "gpt2-medium"}),
    Visit("", {"source": "distilgpt2", "a": "x"}),
    Visit("", {"first": "all"}),
    *(Visit("", {"first": number}) for number in ("16", "64", "nobody")),
    Visit("", then=(Edit("order", [262, 319, 2603, 262, 3797, 3332], "moved"), Edit("order", "undo", "pressed"))),
    Visit("", {"b": "🐈 cat"}, (Edit("order", [3797, 12520, 238, 230], "moved"), Edit("order", [1, 2], "moved"))),
    Visit("", {"a": "a cat", "b": "s cat", "prefix_space": "false"}, (Edit("order", [3797, 82], "moved"),)),
    Visit("", then=(Edit("order", "swap", "pressed"), Edit("order", "same", "pressed"), Edit("order", 7, "pressed"))),
    Visit("", {"prefix_space": "false"}),
    Visit("", {"lower_case": "true", "tokenizer": "words", "a": "The cat the", "b": "the Cat The"}),
    Visit("", {"scale_embeddings": "true", "position_scale": "0.5", "output_dim": "8", "seed": "7"}),
    Visit("", {"position_scale": "0"}),
    Visit("", {"position_scale": "1e-9", "position": "sinusoidal"}),
    Visit("", {"position_scale": "99"}),
    Visit("", {"output_dim": "1600", "tokenizer": "words"}),
    Visit("", {"output_dim": "1600", "tokenizer": "o200k_base"}),
    Visit("", {"output_dim": "255", "position": "sinusoidal"}),
    Visit("", {"output_dim": "9999"}),
    Visit("", {"output_dim": "inf"}),
    Visit("", {"output_dim": "x", "seed": "-1", "context_length": "0"}),
    Visit("", {"seed": "4294967295"}),
    Visit("", {"seed": "1e400"}),
    Visit("", {"context_length": "3"}),
    Visit("", {"tokenizer": "nobody", "position": "nowhere", "source": "nothing"}),
    Visit("", {"a": ["dog", "cat"], "output_dim": ["8", "9"]}),
    Visit("", {"unknown": "1", "a": "dog bites man", "b": "man bites dog"}),
    Visit("", {"a": "", "b": "the mat"}),
    Visit("", {"a": "", "b": ""}),
    Visit("", {"a": "   ", "b": "\n"}),
    Visit("", {"a": HOSTILE, "b": HOSTILE[::-1], "output_dim": "16"}),
    Visit("", {"a": MIXED, "b": "猫 القطة", "tokenizer": "cl100k_base", "output_dim": "16"}),
    Visit("", {"a": "\x00\x07", "b": "a\x00b", "tokenizer": "words", "output_dim": "16"}),
    Visit("", {"a": "the " * 700, "b": "mat"}),
    Visit("", {"a": " ".join(["the"] * 300), "b": "the", "output_dim": "16"}, files=False),
    Visit("", {"a": "apple pie", "b": "dog house"}),
    Visit("", {"a": "cat", "b": "cat"}),
    Visit("", {"present": "yes"}),
    Visit("", {"hide": "seed,more,pages,share"}),
    Visit("", {"hide": "all"}),
    Visit("", {"hide": "}</style><script>,nobody", "present": "1"}),
    Visit("", then=(Edit("pair", "Dog bites man"),)),
    Visit("", then=(Edit("pair", "Capitals and spaces"), OPEN)),
    Visit("", then=(Edit("a", "the mat sat"), Edit("b", "sat the mat"), Edit("position", "alibi"))),
    Visit("", then=(Edit("a", "x" * 2500),)),
    Visit("", then=(Edit("output_dim", 32.0), Edit("output_dim", 5000.0), Edit("output_dim", 64.0))),
    Visit("", then=(Edit("position_scale", [2.5]), Edit("tokenizer", "words"))),
    Visit("", then=(Edit("share_button", "http://example.org/?a=dog", "code"),)),
    Visit("", then=(Edit("share_button", "http://example.org/?a=" + "dog" * 2000, "code"),)),
    Visit("", then=(Edit("share_button", 7, "code"),)),
    Visit("", then=(Edit("share_button", True, "project"),)),
    Visit("", {"present": "1"}, (Edit("share_button", True, "leave"),)),
    Visit("", {"present": "1", "hide": "seed"}, (Edit("page", "lookup"),)),
    Visit("", {"a": "dog bites man", "b": "man bites dog"}, (Edit("page", "tour"),)),
)

TOUR = (
    Visit("tour", then=_tour_to_its_end()),
    *(
        Visit("tour", {"view": step}, (Edit("tour_panel", {"step": n, "choice": n % 2}, "answer"), OPEN))
        for n, step in enumerate(_STEPS, 1)
    ),
    *(
        Visit(
            "tour", {"view": step, "present": "1"}, (Edit("tour_panel", {"step": n, "opened": [n], "turn": 1}, "go"),)
        )
        for n, step in enumerate(_STEPS, 1)
    ),
    Visit("tour", {"view": "question"}, (Edit("tour_panel", {"step": 2, "opened": [], "turn": 1}, "go"),)),
    Visit("tour", {"view": "attention", "a": "The old dog", "b": "dog old The"}),
    Visit("tour", {"view": "same", "a": "", "b": ""}),
    Visit("tour", {"view": "positions", "a": HOSTILE, "b": "x"}),
    *(Visit("tour", {"view": nobody}) for nobody in ("0", "99", "²")),
    Visit("tour", {"a": "b " * 600}),
)

LOOKUP = (
    Visit("lookup", {"view": "one-hot", "table_rows": "12", "table_dims": "5", "seed": "9", "ids": "0, 11, 3"}),
    Visit("lookup", {"ids": "the lazy fox"}),
    Visit("lookup", {"ids": "fox dog fox"}),
    Visit("lookup", {"ids": "1, 1, 1"}, (OPEN,)),
    Visit("lookup", {"ids": "99"}),
    Visit("lookup", {"ids": ""}),
    Visit("lookup", {"ids": HOSTILE}),
    Visit("lookup", {"ids": "1, " * 300}),
    *(Visit("lookup", {"ids": ids}) for ids in ("-1", "2, 9", "11", "10", "2.5")),
    Visit("lookup", {"table_rows": "999", "table_dims": "0", "seed": "1.5"}),
    Visit("lookup", {"table_rows": "2", "ids": "5"}),
    Visit("lookup", then=(Edit("ids", "1, 2"), Edit("ids", "77"), Edit("table_rows", 3.0), Edit("view", ["One-hot"]))),
)

TOKENIZERS_PAGE = (
    Visit("tokenizers", {"text": "The end: the END, the end.\nTheend"}, (OPEN,)),
    Visit("tokenizers", {"text": "A cat 🐈 is 猫, and 👩\u200d💻 is one picture."}),
    Visit("tokenizers", {"text": "def area(r):\n    return 3.14159 * r**2  # 1234567", "leading_space": "true"}),
    Visit("tokenizers", {"text": "The the", "tokenizers": ["gpt2", "o200k_base"], "leading_space": "true"}),
    Visit("tokenizers", {"tokenizers": "words"}),
    Visit("tokenizers", {"text": ""}),
    Visit("tokenizers", {"text": HOSTILE}),
    Visit("tokenizers", {"text": MIXED}),
    Visit("tokenizers", {"text": "antidisestablishmentarianism " * 60}),
    Visit("tokenizers", {"text": "ab " * 1000}),
    Visit("tokenizers", then=(Edit("ready_text", "Code and numbers"), Edit("leading_space", True))),
    Visit("tokenizers", then=(Edit("tokenizers", []),)),
    Visit("tokenizers", then=(Edit("tokenizers", ["gpt2"]), Edit("text", "one two"))),
)

BATCHES = (
    *(Visit("batches", {"tokenizer": name, "batch": "1"}) for name in TOKENIZERS),
    Visit("batches", {"sample": "mat"}),
    Visit("batches", {"shuffle": "true", "seed": "7", "stride": "1", "max_length": "6", "batch_size": "3"}, (OPEN,)),
    Visit("batches", {"stride": "9", "drop_last": "false", "batch": "2"}),
    Visit("batches", {"batch": "99999", "stride": "0", "max_length": "x"}),
    Visit("batches", {"batch_size": "1024", "max_length": "32"}),
    Visit("batches", {"tokenizer": "words", "cell_window": "2", "cell_position": "3"}),
    Visit("batches", {"batch_size": "4", "max_length": "4"}),
    Visit("batches", {"batch_size": "30", "max_length": "9"}),
    Visit("batches", {"view": "padding", "short": "", "long": "the cat sat"}),
    Visit("batches", {"view": "padding", "short": HOSTILE, "long": MIXED}, (OPEN,)),
    Visit("batches", {"sample": "own"}),
    Visit("batches", {"sample": "own", "pasted": "the cat sat on the mat and the dog sat on the cat " * 4}),
    Visit("batches", {"sample": "own", "pasted": "the " * 2000}),
    Visit("batches", {"sample": "file"}),
    Visit("batches", {"sample": "file"}, (Edit("upload", "the cat sat on the mat. " * 9, "mine.txt"),)),
    Visit("batches", {"sample": "file"}, (Edit("upload", "\x00\x01", "mine.txt"),)),
    Visit("batches", {"sample": "file"}, (Edit("upload", "", "empty.txt"),)),
    Visit("batches", then=(Edit("windows", [2, 1], "cell"), Edit("stride", 2.0), Edit("shuffle", True))),
)

POSITIONS = (
    *(Visit("positions", {"view": name, "source": "trained"}) for name in _views("positions")),
    *(Visit("positions", {"view": "table", "kind": name}) for name in ("learned", "sinusoidal", "p/L")),
    Visit("positions", {"view": "table", "along": "dimension", "picked_dimension": "5", "kind": "learned"}, (OPEN,)),
    Visit("positions", {"view": "table", "picked_position": "3", "layout": "half", "base": "100", "output_dim": "16"}),
    Visit("positions", {"view": "pairs", "shift": "9", "pair_number": "2", "layout": "half"}, (OPEN,)),
    Visit("positions", {"view": "end", "length": "20", "context_length": "30"}),
    Visit("positions", {"view": "end", "length": "60", "context_length": "30", "seed": "5"}),
    Visit("positions", {"view": "adding", "sentence": "dog bites man", "position": "sinusoidal", "token_at": "2"}),
    Visit("positions", {"view": "adding", "position_scale": "0", "scale_embeddings": "true"}),
    Visit("positions", {"view": "adding", "sentence": ""}),
    Visit("positions", {"view": "adding", "sentence": HOSTILE}),
    Visit("positions", {"view": "adding", "source": "gpt2"}),
    Visit("positions", {"view": "table", "source": "gpt2", "kind": "learned", "context_length": "20"}),
    Visit("positions", {"source": "gpt2", "view": "end", "context_length": "20"}),
    Visit("positions", {"view": "table", "source": "gpt2-medium", "kind": "learned"}),
    Visit("positions", {"output_dim": "7"}),
    Visit("positions", {"output_dim": "99999", "context_length": "-4", "base": "1", "picked_position": "x"}),
    Visit("positions", {"view": "nobody", "layout": "third", "kind": "fourth"}),
)

RELATIVE = (
    *(Visit("relative", {"view": name, "source": "trained"}) for name in _views("relative")),
    Visit("relative", {"head": "3", "seed": "9", "output_dim": "32", "tokenizer": "cl100k_base"}, (OPEN,)),
    Visit("relative", {"part": "second", "later": "5"}),
    Visit("relative", {"source": "gpt2"}),
    Visit("relative", {"source": "trained", "sentence": "the zebra sat"}),
    Visit("relative", {"output_dim": "30"}),
    Visit("relative", {"head": "99", "output_dim": "0"}),
    Visit("relative", {"context_length": "4"}),
    Visit("relative", {"view": "shift", "context_length": "12", "sentence": "dog bites man"}, (OPEN,)),
    Visit("relative", {"view": "distance", "reach": "40", "t5": HOSTILE}, (OPEN,)),
    Visit("relative", {"sentence": ""}),
    Visit("relative", {"sentence": " ".join(["cat"] * 100)}),
    Visit("relative", {"sentence": "cat " * 400}),
)

ROPE = (
    *(Visit("rope", {"view": name, "head_dim": "7"}) for name in _views("rope")),
    *(Visit("rope", {"view": name, "base": "0"}) for name in _views("rope")),
    *(Visit("rope", {"view": "longer", "scaling": name}) for name in ("none", "dynamic", "proportional")),
    Visit("rope", {"view": "longer", "base": "500", "head_dim": "7"}),
    Visit("rope", {"view": "longer", "trained": "16", "used": "40"}, (OPEN,)),
    Visit("rope", {"view": "longer", "trained": "100", "used": "40"}),
    Visit("rope", {"view": "longer", "trained": "0", "used": "9999999"}),
)

MODELS = (Visit("models", {"model": "nobody", "scheme": "nobody"}),)

ATTENTION = (
    *(Visit("attention", {"view": name, "a": "", "window": "0"}) for name in _views("attention")),
    *(Visit("attention", {"view": "order", "position": name}) for name in SCHEMES),
    *(
        Visit("attention", {"view": "order", "position": name, "causal": "true", "n_heads": "2", "head": "2"})
        for name in SCHEMES
    ),
    *(
        Visit("attention", {"view": "order", "tokenizer": name, "a": "dog bites man", "b": "man bites dog"})
        for name in TOKENIZERS
    ),
    Visit("attention", {"view": "order", "source": "trained", "seed": "4"}, (OPEN,)),
    Visit("attention", {"view": "order", "source": "gpt2", "n_heads": "12", "head": "5"}),
    Visit("attention", {"view": "order", "n_heads": "3"}),
    Visit("attention", {"view": "order", "n_heads": "0", "head": "9"}),
    Visit("attention", {"view": "order", "n_heads": "2", "output_dim": "6", "position": "rope"}),
    Visit("attention", {"view": "order", "position_scale": "0", "scale_embeddings": "true"}),
    Visit("attention", {"view": "order", "a": "", "b": ""}),
    Visit("attention", {"view": "order", "a": "apple", "b": "dog"}),
    Visit("attention", {"view": "order", "a": HOSTILE, "b": MIXED, "output_dim": "16"}),
    Visit("attention", {"view": "order", "a": "the " * 90, "b": "the", "output_dim": "16"}, files=False),
    Visit("attention", {"view": "order"}, (Edit("causal", True), Edit("a", "mat the on"), Edit("head", 2.0))),
)

LAYERS = (
    *(Visit("layers", {"positions": name, "n": "3"}) for name in ("on", "shifted", "swapped")),
    Visit("layers", {"reader": "small-gpt-rope", "positions": "on", "at": "0"}, (OPEN,)),
    Visit("layers", {"reader": "small-gpt-none-2"}, (OPEN,)),
    Visit("layers", {"positions": "on", "beside": "true", "measure": "distance", "at": "99"}),
    Visit("layers", {"view": "meaning", "positions": "off", "triple": HOSTILE}),
    Visit("layers", {"a": "the zebra bites", "b": HOSTILE}),
    Visit("layers", {"a": "", "b": "dog"}),
    Visit("layers", {"a": "dog bites", "b": "man ,", "positions": "on"}),
    Visit("layers", then=(Edit("positions", ["Positions on"]), Edit("a", "man bites"), Edit("at", 0))),
)

_GPTS = ("rope", "none", "none-2")
_ASKED = ("rest", "active", "passive")
_PLACED = ("on", "off", "shuffled", "moved")
NEXT_WORD = (
    *(Visit("next_word", {"positions": name, "present": "1"}) for name in _PLACED),
    *(
        Visit("next_word", {"positions": "exchanged", "asked": "exchanged", "gpt": name})
        for name in ("rope", "none", "none-2")
    ),
    Visit("next_word", {"positions": "exchanged", "asked": "exchanged", "way": "0.4"}),
    *(Visit("next_word", {"noun": "cat", "verb": "sees", "other_noun": "fox", "asked_for": name}) for name in _ASKED),
    Visit("next_word", {"noun": "bed", "rest": "lay", "where": "under", "other_noun": "fox"}),
    Visit("next_word", {"noun": "mat", "gpt": "nobody", "positions": "nowhere"}),
    Visit("next_word", {"a": "the zebra", "b": HOSTILE}),
    Visit("next_word", then=(Edit("positions", ["Positions off"]), Edit("guess_1", is_kept=False))),
)

TRAINING = (
    *(Visit("training", {"view": name, "positions": "false"}) for name in _views("training")),
    *(Visit("training", {"view": name, "shuffled": "true"}) for name in _views("training")),
    Visit("training", {"seed": "9"}),
    Visit("training", {"n_layers": "9", "steps": "0", "context": "1"}),
    Visit("training", {"dims": "64", "tied": "false"}),
    Visit("training", {"steps": "4", "dims": "8"}, (TRAIN, Edit("wait"))),
    Visit("training", {"steps": "5", "corpus": "own", "own": "a b c. " * 60}, (TRAIN, Edit("wait"))),
    Visit("training", {"corpus": "own"}),
    Visit("training", {"corpus": "own", "own": "the cat sat on the mat. " * 30}),
    Visit("training", {"corpus": "own", "own": HOSTILE * 50}),
)

_SMALL = {"tokenizer": "words", "output_dim": "8"}
VOCABULARY = (
    Visit("vocabulary", _SMALL),
    Visit("vocabulary", _SMALL | {"map": "axis"}),
    Visit("vocabulary", {"source": "trained", "colour": "class"}),
    Visit("vocabulary", {"source": "trained", "map": "axis", "from": "cat", "to": "dog"}),
    Visit("vocabulary", {"source": "gpt2"}, files=False),
    Visit("vocabulary", {"source": "gpt2-xl"}, files=False),
    Visit("vocabulary", _SMALL | {"present": "1"}),
    Visit("vocabulary", {"tokenizer": "cl100k_base", "output_dim": "16", "token": " dog"}, files=False),
    Visit("vocabulary", {"tokenizer": "o200k_base", "output_dim": "8", "token": "ificat"}, files=False),
    Visit("vocabulary", {"output_dim": "32", "metric": "euclidean", "token": "#262"}, files=False),
    Visit("vocabulary", {"output_dim": "32", "sphereize": "true", "colour": "kind"}, files=False),
    Visit("vocabulary", {"output_dim": "32", "map": "axis"}, files=False),
    Visit("vocabulary", {"output_dim": "32", "token": "ificat", "alone": "true"}),
    Visit("vocabulary", {"output_dim": "32", "alone": "true"}, (OPEN,)),
    Visit("vocabulary", _SMALL | {"map": "axis", "from": "cat", "to": "cat"}),
    Visit("vocabulary", _SMALL | {"map": "axis", "sphereize": "true"}),
    Visit("vocabulary", _SMALL | {"token": "zebra"}),
    Visit("vocabulary", _SMALL | {"token": HOSTILE}),
    Visit("vocabulary", _SMALL | {"lower_case": "true", "seed": "3", "colour": "token length"}, (OPEN,)),
    Visit("vocabulary", {"output_dim": "0", "tokenizer": "words", "seed": "-3"}),
    Visit("vocabulary", _SMALL, (Edit("cloud", 3, "picked"), Edit("ranking", 1, "picked"))),
)

# On a server with other settings: each page, its views, and what its limits leave. In another language a view has
# another name in the address too.
NARROW = (
    *(Visit(page) for page in ("", "tokenizers", "training")),
    Visit("vocabulary", files=False),
    *(Visit("tour", {"view": step} | more) for step in _STEPS for more in ({}, {"present": "1"})),
    *(Visit(page.address, {"view": other(title)}) for page in PAGES for title in page.views.values()),
    *(Visit("attention", {"view": "order", "position": name}) for name in SCHEMES),
    Visit("vocabulary", _SMALL | {"map": other("Axis")}),
    Visit("tour", then=_tour_to_its_end()),
    Visit("", {"source": "gpt2"}),
    Visit("", {"a": "the cat " * 20, "b": ""}),
    Visit("", {"output_dim": "257"}),
    Visit("", {"output_dim": "256", "tokenizer": "o200k_base"}),
    Visit("training", {"steps": "301"}),
    Visit("batches", {"sample": other("Upload a file")}),
    Visit("", {"a": "b" * 5000}),
    Visit("attention", {"view": "order", "n_heads": "3"}),
    Visit("lookup", {"ids": "99", "table_rows": "0"}),
)

VISITS = (
    *EXAMPLES_OF_VIEWS, *COMPARE, *TOUR, *LOOKUP, *TOKENIZERS_PAGE, *BATCHES, *POSITIONS, *RELATIVE, *ROPE, *ATTENTION,
    *MODELS, *TRAINING, *VOCABULARY, *LAYERS, *NEXT_WORD,
)  # fmt: skip
