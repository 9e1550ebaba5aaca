"""Two sentences on their whole way through one model, from the rows of its tables to its answers: `trace`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from embedviz.attention.attention import self_attention
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_number
from embedviz.base.errors import EmbedvizError
from embedviz.layers import copies
from embedviz.layers.forward import forward
from embedviz.layers.runnable import runnable
from embedviz.layers.unrelated import other_words, unrelated_to
from embedviz.models import hub_model
from embedviz.positions import SCHEMES
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.notebook_repr import Chips, NotebookRepr
from embedviz.text.tokens import tokenize
from embedviz.training import next_word
from embedviz.training.run import Run
from embedviz.vectors.embedding import embed, tokenize_for, with_vocabulary
from embedviz.vectors.forward import Forward
from embedviz.vectors.sources import RANDOM, TRAINED
from embedviz.vectors.spec import Spec

# Of the root mean square distance of unlike tokens. Sums in another order differ by rounding: by 1e-6 in MiniLM.
ROUNDING = 1e-4


class Rows(NamedTuple):
    """What is added up to the input of one sentence of T tokens: read-only float32 arrays of shape (T, D)."""

    token_embeddings: np.ndarray
    positional_embeddings: np.ndarray


@dataclass(frozen=True, repr=False)
class Trace(NotebookRepr):
    """Sentences A and B on their way through one model. All arrays are read-only.

    a, b: what the model makes of each. Of tables without a model, one layer of attention with random weights:
        hidden_states are its input and its output, (2, T, D), and there is no next word.
    rows: of A and of B, the rows of the two tables. Their sum is what enters, after the segment's vector and the norm
        that models such as BERT have. Where nothing is added, positional_embeddings are 0.
    pairs: (i, j), a token of A and its copy in B, P of them: the first of an ID with the first, and so on.
    copies_apart: how far the copies are apart at the input and after each layer, float32 (P, n_layers + 1). In each
        column 1 is the root mean square distance of a token of A and one of B with another ID; 0 is identical, bit for
        bit at the input and up to rounding after it. NaN for copies that differ where there are no such two tokens.
    alike: the cosine of the two sentence vectors. unrelated: that of A's and of B's with the vector of unrelated_text,
        a sentence that has nothing to do with either; None if the model can read none.
    layers_read_positions: whether its layers read positions themselves, as RoPE does, and these are switched on.
    """

    a: Forward
    b: Forward
    rows: tuple[Rows, Rows]
    pairs: list[tuple[int, int]]
    copies_apart: np.ndarray
    alike: float
    unrelated: tuple[float, float] | None
    unrelated_text: str
    layers_read_positions: bool

    @property
    def answers(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The probability of each token to follow A, and B, float32 (V,) each; None if the model predicts nothing."""
        return None if self.a.next_word is None or self.b.next_word is None else (self.a.next_word, self.b.next_word)

    @cached_property
    def copies_differ(self) -> np.ndarray:
        """Whether copies differ at the input and after each layer, bool (P, n_layers + 1)."""
        least = np.full(self.copies_apart.shape[1], ROUNDING)
        least[0] = 0  # the input is compared bit for bit
        return read_only(~(self.copies_apart <= least))  # NaN is no distance of identical copies

    @cached_property
    def order_enters(self) -> str | None:
        """Where the first copies part: "positions", if they differ at the input; else "attention", if its layers read
        positions; else "mask", which is all that is left. None if no copies part, or there are none."""
        if self.copies_differ[:, 0].any():
            return "positions"
        if not self.copies_differ.any():
            return None
        return "attention" if self.layers_read_positions else "mask"

    @cached_property
    def is_one_answer(self) -> bool:
        """Whether the model says the same of both: the same next word's probabilities, or the same sentence vector."""
        if self.answers:
            return bool(np.allclose(*self.answers, rtol=0, atol=1e-5))
        return bool(np.allclose(self.a.sentence, self.b.sentence, rtol=0, atol=1e-5))

    def _about(self) -> dict[str, object]:
        a, b = self.a.tokens, self.b.tokens
        return {
            "A": Chips(a.texts, a.ids),
            "B": Chips(b.texts, b.ids),
            "pairs": f"{len(self.pairs)}, of which {int(self.copies_differ[:, -1].sum())} differ at the end",
            "order enters": self.order_enters or "nowhere",
            "copies_apart": self.copies_apart,
            "alike": f"{self.alike:.3f}",
        }


def trace(a: str, b: str, spec: Spec | Run | None = None, positions: float = 1.0) -> Trace:
    """Two sentences through one model, with a share of their positions.

    spec: the model, as `forward` takes it. A Spec of random tables has one layer of attention with random weights.
    None: the small GPT of the page "Training" if it knows every word; else the first model on this machine that reads
    sentences; else random tables.
    positions: the share of the positions that is added, from 0 to 1. It multiplies the positional vectors, or with
    RoPE the positions, so that 0 adds and turns nothing. Biases on the scores, such as ALiBi's, are there or not.
    Raises EmbedvizError as `forward` and `embed` do, if a sentence is empty, and for another share.
    """
    return traces(a, b, spec, (positions,))[0]


def traces(a: str, b: str, spec: Spec | Run | None, shares: Sequence[float]) -> list[Trace]:
    """The same with each of these shares of the positions."""
    for share in shares:
        check_number("positions", share, 0, 1)
    spec = default_spec(a, b) if spec is None else spec
    spec = spec if isinstance(spec, Run) else with_vocabulary(spec, a, b)
    unrelated_text = _unrelated_text((a, b), spec)
    texts = (a, b, unrelated_text) if unrelated_text else (a, b)
    shares = tuple(float(share) for share in shares)
    found = zip(*(_read(text, spec, shares) for text in texts), strict=True)
    return [
        _compared(read, unrelated_text, reads_positions=bool(share) and _reads_positions(spec))
        for share, read in zip(shares, found, strict=True)
    ]


def _compared(read: Sequence[tuple[Forward, Rows]], unrelated_text: str, *, reads_positions: bool) -> Trace:
    (first, rows_a), (second, rows_b), *others = read
    compared = copies.copy_similarity(first, second, *(each for each, _rows in others))
    return Trace(
        first,
        second,
        (rows_a, rows_b),
        compared.pairs,
        _copies_apart(compared, (rows_a, rows_b)),
        compared.sentences,
        compared.unrelated,
        unrelated_text,
        reads_positions,
    )


def default_spec(*texts: str) -> Spec:
    """What reads sentences if nobody has chosen: the clearest model that knows all their words.

    Besides the small GPT, the best model that is here is asked, and no other: whoever brings a model to a server must
    not have its tokenizer asked about everybody's texts.
    """
    if small_gpt_knows(*texts):
        return Spec(source=TRAINED.name)
    best = Spec(source=next(iter(runnable()), RANDOM.name))
    return best if best.source != RANDOM.name and all(_has_tokens_for(text, best) for text in texts) else Spec()


def small_gpt_knows(*texts: str) -> bool:
    """Whether the small GPT knows every word of these texts, and has positions for them."""
    return all(_is_known(text, Spec(source=TRAINED.name)) for text in texts)


def _has_tokens_for(text: str, spec: Spec) -> bool:
    """Whether all of a text is in its tokens, and none of them stands for whatever a model does not know, as [UNK]."""
    try:
        tokens, own = tokenize_for(text, spec), model_tokens.tokenizer_of(spec.tokenizer)
    except EmbedvizError:  # a tokenizer that cannot be used, or not for this text
        return False
    special = own.special if own else ()  # GPT-2's own tokenizer has none that stands for what it does not know
    return not tokens.lost and not any(
        id_ in special and start < end for id_, (start, end) in zip(tokens.ids, tokens.spans, strict=True)
    )


def _is_known(text: str, spec: Spec) -> bool:
    try:
        return 0 < len(tokenize_for(text, spec)) <= spec.context_length
    except EmbedvizError:  # a word that its vocabulary lacks
        return False


def _is_tables(spec: Spec | Run) -> bool:
    """Whether there are tables alone: random ones, or a visitor's own vectors."""
    return not isinstance(spec, Run) and (not isinstance(spec.source, str) or spec.source == RANDOM.name)


def _unrelated_text(texts: tuple[str, str], spec: Spec | Run) -> str:
    """The unrelated sentence; empty if the model's words do not do for one."""
    if isinstance(spec, Run) or spec.source == TRAINED.name:
        return other_words(texts, spec.vocabulary)
    # All tokens are unrelated to each other in tables that were never trained.
    return "" if _is_tables(spec) else unrelated_to(texts, spec)


def _read(text: str, spec: Spec | Run, shares: tuple[float, ...]) -> list[tuple[Forward, Rows]]:
    if isinstance(spec, Run):
        return _read_small(text, spec, shares)
    scaled = [replace(spec, position_scale=spec.position_scale * share) for share in shares]
    return [_read_tables(text, each) if _is_tables(spec) else _read_model(text, each) for each in scaled]


def _read_model(text: str, spec: Spec) -> tuple[Forward, Rows]:
    embedded = embed(text, spec)
    return forward(text, spec), Rows(embedded.token_embeddings, embedded.positional_embeddings)


def _read_tables(text: str, spec: Spec) -> tuple[Forward, Rows]:
    embedded = embed(text, spec if spec.position_scale else replace(spec, position="none"))
    attention = self_attention(embedded)
    states = read_only(np.stack([embedded.input_embeddings, attention.outputs]))  # (2, T, D)
    seen = read_only(attention.weights[None])  # (1, H, T, T)
    return Forward(embedded.tokens, states, seen), Rows(embedded.token_embeddings, embedded.positional_embeddings)


def _read_small(text: str, run: Run, shares: tuple[float, ...]) -> list[tuple[Forward, Rows]]:
    tokens = tokenize(text, "words", vocabulary=run.vocabulary)
    read = next_word.read_scaled(run, tokens, shares)
    token_embeddings = run.weights["token_embedding.weight"][tokens.ids]  # (T, D)
    added = np.zeros_like(token_embeddings)
    if run.settings.positions == "learned":
        added = run.weights["position_embedding.weight"][: len(tokens)]  # (T, D)
    scaled = (np.float32(share) * added for share in shares)
    return [
        (each, Rows(*map(read_only, (token_embeddings, positional_embeddings))))
        for each, positional_embeddings in zip(read, scaled, strict=True)
    ]


def _reads_positions(spec: Spec | Run) -> bool:
    """Whether the layers themselves know where tokens stand, by turning vectors or by what they add to scores."""
    if isinstance(spec, Run):
        return spec.settings.positions == "rope"
    if not spec.position_scale or spec.position == "none" or spec.source == TRAINED.name:
        return False
    if _is_tables(spec):
        return SCHEMES[spec.position].added is None
    layout = hub_model(spec.source).layout()
    return not layout.position and layout.scheme != "none"


def _copies_apart(compared: copies.CopySimilarity, rows: tuple[Rows, Rows]) -> np.ndarray:
    with np.errstate(invalid="ignore"):  # 0 of NaN: there are no tokens of two IDs
        apart = np.where(compared.distances == 0, 0, compared.distances / compared.other_distances)
    sums = [each.token_embeddings + each.positional_embeddings for each in rows]
    same = [sums[0][i].tobytes() == sums[1][j].tobytes() for i, j in compared.pairs]
    apart[same, 0] = 0  # a norm over sentences of two lengths may round in two ways
    return read_only(apart.astype(np.float32))
