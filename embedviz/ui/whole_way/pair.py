"""Two sentences on their whole way through one model, at some shares of its positions, as far as they are drawn."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from embedviz.layers.runnable import runnable
from embedviz.layers.trace import Trace, default_spec, small_gpt_knows, traces
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.layers import pytorch_copies, pytorch_prompts
from embedviz.programs.next_word import pytorch_next_word
from embedviz.text.questions import question_of
from embedviz.training.placement import Placement
from embedviz.ui.inputs.model_runs import RUNS, LanguageModel
from embedviz.vectors.embedding import embed, tokenize_for, with_vocabulary
from embedviz.vectors.sources import TRAINED
from embedviz.vectors.spec import Spec

MOST = 16  # tokens of each sentence that are drawn
AS_IT_FITS = ""  # the name of the model that fits the sentences best


class Asked(NamedTuple):
    """What a visitor asks for: two sentences, and the name of a model."""

    texts: tuple[str, str]
    model: str = AS_IT_FITS


class WholeWay(NamedTuple):
    """Two sentences on their way through a model, at some shares of the positions, in percent.

    reader: the model; None if there are random tables alone. texts: what it read, with the question, which was added
    to both so that there is something to answer. is_cut: whether a sentence had more than MOST tokens. head: layer and
    head, from 0, whose looks are drawn.
    """

    reader: LanguageModel | None
    texts: tuple[str, str]
    question: str
    is_cut: bool
    traces: Mapping[int, Trace]
    head: tuple[int, int]

    @property
    def full(self) -> Trace:
        """With all of the positions."""
        return self.traces[100]

    @property
    def is_encoder(self) -> bool:
        """Whether it ends in the likeness of two sentence vectors, since the model predicts no word."""
        return self.full.answers is None


def whole_way_of(asked: Asked) -> WholeWay:
    """Both sentences through the model. Raises as `trace` does."""
    return _small_way_of(asked) if is_quick(asked) else _way_of(asked)


@lru_cache(8)
def _small_way_of(asked: Asked) -> WholeWay:
    """The same by a small GPT, whose weights never change: a class that arrives asks for one pair."""
    return _way_of(asked)


def _way_of(asked: Asked) -> WholeWay:
    texts, name = asked
    question = question_of(texts) if name in (AS_IT_FITS, *RUNS) else ""
    read = [f"{text.strip()} {question}".strip() for text in texts]
    spec = spec_of(read, name)
    if name in RUNS or (not name and spec.source == TRAINED.name):
        reader = LanguageModel(name or next(iter(RUNS)))
    else:
        reader = LanguageModel(spec.origin.name) if spec.source in runnable() else None
    is_small = reader is not None and reader.run is not None
    (a, is_a_cut), (b, is_b_cut) = (_cut(text, spec, is_small=is_small) for text in read)
    model = reader.small if reader and is_small else spec
    shares = (0, 50, 100) if is_small else (0, 100)
    if reader and is_small and reader.scheme == "none":
        shares = (100,)  # there is nothing to switch
    found: dict[int, Trace] = dict(zip(shares, traces(a, b, model, [share / 100 for share in shares]), strict=True))
    return WholeWay(reader, (a, b), question, is_a_cut or is_b_cut, found, most_different_head(found[100]))


def spec_of(texts: Sequence[str], name: str) -> Spec:
    """The settings of the model of this name; of none, and of a run of the small GPT: those of the one that fits."""
    return Spec(source=name) if name and name not in RUNS else default_spec(*texts)


def is_quick(asked: Asked) -> bool:
    """Whether a small GPT reads both, which takes a few milliseconds. No other model is asked for that."""
    return asked.model in RUNS or (asked.model == AS_IT_FITS and small_gpt_knows(*asked.texts))


def _cut(text: str, spec: Spec, *, is_small: bool) -> tuple[str, bool]:
    """The text up to the last token that is drawn, and whether something is left out."""
    if is_small:
        return text, False  # it has no positions for more than it can show
    tokens = tokenize_for(text, with_vocabulary(spec, text))
    kept = tokens.head(MOST)
    return (text[: max(end for _start, end in kept.spans)], True) if kept.is_cut else (text, False)


def most_different_head(traced: Trace) -> tuple[int, int]:
    """The layer and the head in which the last token looks most differently at the copies of A and of B."""
    weights = [each.attentions[:, :, -1] for each in (traced.a, traced.b)]  # (n_layers, H, T) each
    in_a, in_b = ([pair[k] for pair in traced.pairs] for k in (0, 1))
    if not traced.pairs:
        return len(weights[0]) - 1, 0
    apart = np.abs(weights[0][..., in_a] - weights[1][..., in_b]).sum(axis=-1)  # (n_layers, H)
    layer, head = np.unravel_index(apart.round(6).argmax(), apart.shape)  # of two that only rounding parts, the first
    return int(layer), int(head)


def program(way: WholeWay) -> str:
    """The same numbers in plain PyTorch."""
    placed = [(each, Placement()) for each in (way.full.a, way.full.b)]
    if way.reader is None:
        spec = with_vocabulary(Spec(), *way.texts)
        a, b = (embed(text, spec) for text in way.texts)
        return pytorch_compare(a, b)
    if way.reader.run:
        return pytorch_next_word(way.reader.run, [(text, Placement()) for text in way.texts])
    if way.is_encoder:
        return pytorch_copies(way.reader.name, placed[0], placed[1], way.full.pairs)
    return pytorch_prompts(way.reader.name, [(each.tokens, placement) for each, placement in placed])
