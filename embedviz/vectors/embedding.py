"""Turns tokens and tables into vectors: token embeddings, positional embeddings and their sum."""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from embedviz import positions
from embedviz.base.arrays import read_only
from embedviz.base.checks import check_finite
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, joined
from embedviz.positions import none
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.notebook_repr import Chips, NotebookRepr
from embedviz.text.tokens import Tokens, build_vocabulary, tokenize
from embedviz.text.visible import quoted
from embedviz.text.whitespace_tokens import whitespace_tokens
from embedviz.vectors import tables
from embedviz.vectors.sources import without_row
from embedviz.vectors.spec import Spec


@dataclass(frozen=True, repr=False)
class Embedded(NotebookRepr):
    """A sentence of T tokens as vectors.

    token_embeddings, positional_embeddings, input_embeddings: read-only float32 arrays of shape (T, D);
        the third is the sum of the other two, each already scaled as the Spec says.
    first_layer: what enters the first layer, of shape (T, H). It is the sum, unless the model norms the sum before.
    segment_embedding: what a model such as BERT adds to every token besides, of shape (D,); it is in the sum, too.
        None where nothing else is added.
    """

    tokens: Tokens
    spec: Spec
    token_embeddings: np.ndarray
    positional_embeddings: np.ndarray
    input_embeddings: np.ndarray
    first_layer: np.ndarray
    segment_embedding: np.ndarray | None = None

    def _about(self) -> dict[str, object]:
        arrays = {name: getattr(self, f"{name}_embeddings") for name in ("token", "positional", "input")}
        return {
            "tokens": Chips(self.tokens.texts, self.tokens.ids),
            "source": self.spec.source,
            "positions": self.spec.position,
            **{f"{name}_embeddings": array for name, array in arrays.items()},
        }

    @property
    def added(self) -> np.ndarray:
        """All that is added to the token vectors, (T, D): the positional vectors, and a segment's vector if any."""
        segment = self.segment_embedding
        return self.positional_embeddings if segment is None else self.positional_embeddings + segment


def embed(text: str, spec: Spec) -> Embedded:
    """Tokenize `text` and look its vectors up. Raises EmbedvizError as `tokenize` and `embed_tokens` do."""
    tokens = tokenize_for(text, spec)
    if tokens.missing:
        named = joined([quoted(each) for each in tokens.missing])
        raise EmbedvizError("These vectors have none for {tokens}. Take other words.", tokens=named)
    return embed_tokens(tokens, spec)


def tokenize_for(text: str, spec: Spec) -> Tokens:
    """Cut `text` into tokens in the way that the Spec says. Of one's own vectors, words without one are `missing`."""
    if spec.origin.texts is not None:
        return whitespace_tokens(text, spec.origin.texts)
    return tokenize(
        text,
        spec.tokenizer,
        spec.prefix_space,
        lower_case=spec.lower_case,
        vocabulary=spec.vocabulary,
        special_tokens=spec.special_tokens,
    )


def with_vocabulary(spec: Spec, *texts: str) -> Spec:
    """The Spec under which all `texts` share one backend: "words" needs the vocabulary of them all, unless
    the source has one."""
    if spec.tokenizer != "words" or "vocabulary" in spec.origin.decided:
        return spec
    return replace(spec, vocabulary=build_vocabulary(texts, spec.lower_case))


def embed_tokens(tokens: Tokens, spec: Spec) -> Embedded:
    """Look up the vectors of T tokens.

    Raises EmbedvizError if a learned positional table ends before the tokens do, if a model has no row for a token,
    if a table would be too large, or if a number is not finite, and Unavailable if the source cannot be read now.
    """
    _check_rows(tokens, spec)
    token_embeddings = tables.token_rows(tokens.ids, tokens.vocab_size, spec)  # (T, D)
    if spec.scale_embeddings:
        token_embeddings = token_embeddings * np.float32(math.sqrt(spec.output_dim))
    positional_embeddings = _positional_rows(tokens, spec)  # (T, D)
    segment = spec.origin.segment() if tokens.ids else None  # (D,)
    others = token_embeddings if segment is None else token_embeddings + segment
    input_embeddings = others + positional_embeddings  # (T, D), in the order in which the models add
    check_finite(input_embeddings)
    for table in (token_embeddings, positional_embeddings, input_embeddings):
        read_only(table)
    first_layer = spec.origin.first_layer(input_embeddings) if tokens.ids else input_embeddings  # (T, H)
    return Embedded(
        tokens, spec, token_embeddings, positional_embeddings, input_embeddings, read_only(first_layer), segment
    )


def _check_rows(tokens: Tokens, spec: Spec) -> None:
    """Raise EmbedvizError, which names the token, if the model's table has no row for one of them."""
    n_rows = spec.origin.n_rows or tokens.vocab_size
    beyond = next((n for n, id_ in enumerate(tokens.ids) if id_ >= n_rows), None)
    if beyond is None:
        return
    id_, token, (start, end) = tokens.ids[beyond], tokens.texts[beyond], tokens.spans[beyond]
    tokenizer = model_tokens.tokenizer_of(spec.tokenizer)
    if not spec.origin.is_shared:
        advice = _("Give each of your vectors the text of its token.")
    elif not tokenizer or id_ not in tokenizer.added:
        advice = _("The tokenizer is that of another model. Take the tokenizer.json that comes with this one.")
    elif start == end and token in tokenizer.adds:
        advice = _(
            "The tokenizer puts it around every text. Switch special tokens off, as Compare and Attention can, or "
            "choose another model."
        )
    else:
        advice = _("It was probably added to the tokenizer only. Leave it out.")
    raise without_row(token, id_, n_rows, advice)


def _positional_rows(tokens: Tokens, spec: Spec) -> np.ndarray:
    n_tokens, scheme = len(tokens), positions.SCHEMES[spec.position]
    if scheme.has_end and n_tokens > spec.context_length:
        longer = _("Raise context_length to {n_tokens} or more, or shorten the sentence.", n_tokens=n_tokens)
        raise EmbedvizError(
            "{n_tokens} tokens need {n_tokens} positions, but the learned table ends at context_length "
            "{context_length}. {advice}",
            n_tokens=n_tokens,
            context_length=spec.context_length,
            advice=_("Shorten the sentence.") if "context_length" in spec.origin.decided else longer,
        )
    if scheme.added:
        learned = partial(tables.position_rows, vocab_size=tokens.vocab_size, spec=spec)
        rows = scheme.added(np.arange(n_tokens), spec.output_dim, learned)  # (T, D)
    else:
        rows = none.table(n_tokens, spec.output_dim)  # (T, D)
    return rows * np.float32(spec.position_scale)
