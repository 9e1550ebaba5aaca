"""The facts that the tour explains: two sentences and what follows from them. Each is computed when first needed."""

from dataclasses import dataclass, replace
from functools import cached_property

from embedviz.attention.two_sentences import Three, three
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.settings import configured
from embedviz.models import Layout
from embedviz.text import samples
from embedviz.text.grammar import item
from embedviz.text.visible import has_spaces
from embedviz.training.answers import placement
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.run import Run
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.copies import Copies
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for
from embedviz.vectors.forward import Forward
from embedviz.vectors.sources import source_of
from embedviz.vectors.spec import Spec

SPEC = Spec()  # GPT-2's tokenizer with a space before the first word, learned positions: as on the first page
USUAL = "GPT-2"  # whose tokenizer that is
MAX_TOKENS = configured().tokens  # of a sentence, as on the first page
SHOWN = 40  # tokens of a sentence in a picture; in attention too, which takes the square of it
NUMBERS = 3  # of a vector that are shown one by one
SUMS = 4  # tokens whose sums are shown
N_HEADS = 4
QUESTIONS = tuple(" ".join(item("rest", n, "sat", m)[:-2]) for n, m in (("cat", "mat"), ("mat", "cat")))
PLACEMENTS = tuple(placement(change, QUESTIONS[0].split()) for change in ("on", "off"))


@dataclass(frozen=True)
class Answered:
    """What the small GPT says after each of QUESTIONS, with its positions as trained and switched off."""

    run: Run
    on: tuple[Forward, ...]
    off: tuple[Forward, ...]

    def words(self, forwards: tuple[Forward, ...]) -> list[str]:
        """The likeliest word after each."""
        return self.run.texts(int(each.next_word.argmax()) for each in forwards)


@dataclass(frozen=True)
class Facts:
    """Sentences A and B on the tour. n_tokens: of each, before it was cut to MAX_TOKENS. comparison: of the rest."""

    n_tokens: tuple[int, int]
    comparison: Comparison

    @property
    def model(self) -> str:
        """Whose tokenizer this is, and whose vectors unless they are random."""
        return self.spec.origin.title if self.layout else USUAL

    @property
    def decimals(self) -> int:
        """The decimals of numbers on the tour. Those of a model are smaller than random ones."""
        return 3 if self.layout else 2

    @property
    def layout(self) -> Layout | None:
        """Where the model's vectors come from; None if they are random."""
        return self.spec.origin.layout()

    @property
    def n_rows(self) -> int:
        """The rows of the token table. A model may have more than its tokenizer has IDs."""
        return self.layout.vocab_size if self.layout else self.comparison.a.tokens.vocab_size

    @property
    def spec(self) -> Spec:
        """The backend."""
        return self.comparison.a.spec

    @cached_property
    def copies(self) -> Copies:
        """Which token of B is the copy of which token of A, counted as on the first page."""
        return Copies(self.comparison)

    @cached_property
    def shown(self) -> Comparison:
        """The first SHOWN tokens of each."""
        c = self.comparison
        if max(len(c.a.tokens), len(c.b.tokens)) <= SHOWN:
            return c
        return compare(*(_with_one_addend(embed_tokens(each.tokens.head(SHOWN), each.spec)) for each in (c.a, c.b)))

    @property
    def sentences(self) -> dict[str, Embedded]:
        """Both, by name."""
        return {"A": self.comparison.a, "B": self.comparison.b}

    @cached_property
    def first(self) -> Embedded | None:
        """The first sentence that is not empty."""
        return next((each for each in self.sentences.values() if each.tokens.ids), None)

    @property
    def first_name(self) -> str:
        """Its name."""
        return "A" if self.first is self.comparison.a else "B"

    @cached_property
    def pair(self) -> tuple[int, int] | None:
        """Where a token of A stands and where its copy in B does: at two positions if there is such a pair."""
        return min(self.copies.pairs, key=lambda pair: pair[0] == pair[1], default=None)

    @cached_property
    def summed(self) -> list[tuple[str, int]]:
        """Sentences and positions of up to SUMS copies of one token: of the pair's, the pair first; without a pair
        of the first token."""
        if self.first is None:
            return []
        start = [("A", self.pair[0]), ("B", self.pair[1])] if self.pair else [(self.first_name, 0)]
        id_ = self.sentences[start[0][0]].tokens.ids[start[0][1]]
        everything = [(name, n) for name, each in self.sentences.items() for n in range(len(each.tokens))]
        copies = [(name, n) for name, n in everything if self.sentences[name].tokens.ids[n] == id_]
        return list(dict.fromkeys([*start, *copies]))[:SUMS]

    @cached_property
    def attended(self) -> Three | None:
        """One attention layer over the first SHOWN tokens, no mask where it is chosen; None if there are no pairs."""
        return three(self.shown, N_HEADS, causal=False) if self.shown.n_shared else None

    @cached_property
    def answered(self) -> Answered:
        """What the small GPT that lies in `data/` makes of its questions."""
        run = bundled(BUNDLED["learned"])
        return Answered(run, *(tuple(forward(run, text, each) for text in QUESTIONS) for each in PLACEMENTS))


def spec_of(source: str) -> Spec:
    """The backend of a model that adds two rows of its tables as they are, or the usual one. Raises Unavailable."""
    try:
        layout = source_of(source).layout()
    except Unavailable:
        raise
    except EmbedvizError:
        return SPEC  # a name that cannot be used; the pages with a field for it say why
    adds_rows = layout and layout.position and layout.factor == 1 and not layout.projection
    return Spec(source=source) if adds_rows and not layout.sum_dim % N_HEADS else SPEC


def vocab_size() -> int:
    """V of the usual tokenizer."""
    return samples.encoding(SPEC.tokenizer).n_vocab


def facts(text_a: str, text_b: str, spec: Spec = SPEC) -> Facts:
    """Send both sentences through the backend, with a space before each if their scripts have spaces."""
    spec = replace(spec, prefix_space=spec.prefix_space and has_spaces(text_a) and has_spaces(text_b))
    whole = [tokenize_for(text, spec) for text in (text_a, text_b)]
    a, b = (_with_one_addend(embed_tokens(tokens.head(MAX_TOKENS), spec)) for tokens in whole)
    return Facts((len(whole[0]), len(whole[1])), compare(a, b))


def _with_one_addend(embedded: Embedded) -> Embedded:
    """A model such as BERT also adds the vector of a segment, which is one for all tokens: count it with positions."""
    if embedded.segment_embedding is None:
        return embedded
    return replace(embedded, positional_embeddings=embedded.added, segment_embedding=None)
