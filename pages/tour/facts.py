"""The facts that the tour explains: two sentences and what follows from them. Each is computed when first needed."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from embedviz.attention.one_head import Sentence, scores
from embedviz.attention.two_sentences import Three, three
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import joined
from embedviz.base.settings import configured
from embedviz.models import Layout
from embedviz.text import samples
from embedviz.text.scripts import has_spaces
from embedviz.text.tokens import Tokens, tokenize
from embedviz.training import drift
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import Run
from embedviz.vectors.comparison import Comparison, Pair, compare
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for
from embedviz.vectors.projection import Scene, scene
from embedviz.vectors.sources import source_of
from embedviz.vectors.spec import Spec

SPEC = Spec()  # GPT-2's tokenizer with a space before the first word, learned positions: as on the first page
USUAL = "GPT-2"  # whose tokenizer that is
MAX_TOKENS = configured().tokens  # of a sentence, as on the first page
SHOWN = 40  # tokens of a sentence in a picture; in attention too, which takes the square of it
WINDOW = 16  # tokens of a sentence in the batch
NUMBERS = 4  # of a vector that are shown one by one
SUMS = 4  # tokens whose sums are shown
N_HEADS = 4
_DIVISOR = 16  # of D: attention against distance has 8 heads, and RoPE turns the numbers of a head in pairs
LATER = 8  # tokens that the sentence moves on for the test of relative positions
_ROUNDING = 1e-5  # of the largest score: far above float32's rounding, far below what a moved position does


@dataclass(frozen=True)
class Twin:
    """A token that A and B share: its ID, its text, and the positions where it stands."""

    id: int
    text: str
    in_a: tuple[int, ...]
    in_b: tuple[int, ...]


@dataclass(frozen=True)
class Shifted:
    """Attention scores of a sentence under one scheme, float32 (T, T): at position 0, and LATER tokens later."""

    here: np.ndarray
    there: np.ndarray

    @property
    def change(self) -> float:
        """The largest change of a score."""
        return float(np.abs(self.there - self.here).max())

    @property
    def stays(self) -> bool:
        """True if rounding explains the change."""
        return self.change <= _ROUNDING * max(float(np.abs(self.here).max()), 1.0)


@dataclass(frozen=True)
class Batched:
    """The first T tokens of B sentences, those that are not empty, as one batch.

    names: of the sentences. texts: of the tokens, (B, T). token_embeddings, input_embeddings: float32 arrays of
        shape (B, T, D); positional_embeddings: (T, D).
    """

    names: str
    texts: list[list[str]]
    token_embeddings: np.ndarray
    positional_embeddings: np.ndarray
    input_embeddings: np.ndarray


@dataclass(frozen=True)
class Facts:
    """Sentences A and B on the tour.

    n_tokens: of each, before either was cut to MAX_TOKENS. comparison: of what is left of them.
    """

    n_tokens: tuple[int, int]
    comparison: Comparison

    @property
    def model(self) -> str:
        """Whose tokenizer this is, and whose vectors unless they are random."""
        return self.spec.origin.title if self.is_learned else USUAL

    @property
    def is_learned(self) -> bool:
        """True if the vectors are a model's own."""
        return self.layout is not None

    @property
    def decimals(self) -> int:
        """The decimals of numbers on the tour. Those of a model are smaller than random ones."""
        return 3 if self.is_learned else 2

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
    def twin(self) -> Twin | None:
        """The token that makes most of the pairs with one ID, the first of them in A; None if there are no pairs."""
        a, b = self.comparison.a.tokens, self.comparison.b.tokens
        in_a, in_b = Counter(a.ids), Counter(b.ids)
        id_ = max(a.ids, key=lambda id_: in_a[id_] * in_b[id_], default=None)
        if id_ is None or not in_b[id_]:
            return None
        return Twin(id_, a.texts[a.ids.index(id_)], _places(a, id_), _places(b, id_))

    @cached_property
    def pair(self) -> Pair | None:
        """A pair with one ID: at two positions if there is such, and of the twin if it has such."""
        pairs = self.comparison.pairs
        return min(pairs, key=lambda pair: (pair.i == pair.j, pair.id != self.twin.id), default=None)

    @cached_property
    def summed(self) -> list[tuple[str, int]]:
        """Sentences and positions of up to SUMS copies of one token: of the pair's, the pair first; without a pair
        of the first token."""
        if self.first is None:
            return []
        start = [("A", self.pair.i), ("B", self.pair.j)] if self.pair else [(self.first_name, 0)]
        id_ = self.pair.id if self.pair else self.first.tokens.ids[0]
        copies = [(name, k) for name, each in self.sentences.items() for k in _places(each.tokens, id_)]
        return list(dict.fromkeys([*start, *copies]))[:SUMS]

    @cached_property
    def bare(self) -> Tokens | None:
        """The first sentence's first token without the space before it; None if it has none, or is a space."""
        text = self.first.tokens.texts[0] if self.first else ""
        if not text.startswith(" ") or text.isspace() or self.first.tokens.partial[0]:
            return None
        return tokenize(text[1:], self.first.spec.tokenizer, prefix_space=False)

    @cached_property
    def scene(self) -> Scene:
        """Both sentences as points."""
        return scene(self.shown)

    @cached_property
    def attended(self) -> Three | None:
        """One attention layer over the first SHOWN tokens, no mask where it is chosen; None if there are no pairs."""
        return three(self.shown, N_HEADS, causal=False) if self.shown.n_shared else None

    @cached_property
    def sentence(self) -> Sentence | None:
        """The first sentence, for one head."""
        return Sentence(self.first.tokens.head(SHOWN), self.first.spec, 0) if self.first else None

    @cached_property
    def learned(self) -> Shifted:
        """Its scores with learned positions, which are absolute."""
        return self._shifted("learned")

    @cached_property
    def rope(self) -> Shifted:
        """Its scores with RoPE, which is relative."""
        return self._shifted("rope")

    def _shifted(self, position: str) -> Shifted:
        return Shifted(scores(self.sentence, position), scores(self.sentence, position, LATER))

    @cached_property
    def batch(self) -> Batched | None:
        """The sentences that are not empty, each cut to the length of the shortest, and to WINDOW."""
        kept = {name: each for name, each in self.sentences.items() if each.tokens.ids}
        if not kept:
            return None
        length = min(WINDOW, *(len(each.tokens) for each in kept.values()))
        tokens = np.stack([each.token_embeddings[:length] for each in kept.values()])  # (B, T, D)
        positions = self.first.positional_embeddings[:length]  # (T, D)
        texts = [each.tokens.texts[:length] for each in kept.values()]
        return Batched(joined(list(kept)), texts, tokens, positions, tokens + positions)

    @property
    def run(self) -> Run:
        """The finished training that lies in `data/`."""
        return bundled(BUNDLED["default"])

    @property
    def words(self) -> drift.Words:
        """How its words drifted."""
        return drift.words(self.run)


def spec_of(source: str) -> Spec:
    """The backend with the vectors of a model, or the usual one with random vectors.

    The tour adds up a token and a position, so it takes only models that do this with rows of their tables as they are.
    Raises Unavailable if the model cannot be read now.
    """
    try:
        layout = source_of(source).layout()
    except Unavailable:
        raise
    except EmbedvizError:
        return SPEC  # a name that cannot be used; the pages with a field for it say why
    adds_rows = layout and layout.position and layout.factor == 1 and not layout.projection
    return Spec(source=source) if adds_rows and not layout.sum_dim % _DIVISOR else SPEC


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


def _places(tokens: Tokens, id_: int) -> tuple[int, ...]:
    return tuple(n for n, other in enumerate(tokens.ids) if other == id_)
