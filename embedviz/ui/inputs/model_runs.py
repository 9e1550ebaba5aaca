"""A model that reads sentences, and what it makes of two of them when their positions are changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from embedviz.base.i18n import _, translated
from embedviz.layers.forward import forward
from embedviz.layers.positions import exchanged
from embedviz.layers.runnable import runnable
from embedviz.layers.unrelated import other_words, unrelated_to
from embedviz.models import hub_model
from embedviz.programs.rows import Rows, of_forward
from embedviz.text.token_ids import TokenIds
from embedviz.text.tokens import tokenize
from embedviz.text.visible import quoted
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.options import OPTIONS
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.forward import Forward
from embedviz.vectors.spec import Spec

RUNS = {
    "small-gpt": BUNDLED["learned"],
    "small-gpt-rope": BUNDLED["rope"],
    "small-gpt-none": BUNDLED["none"],
    "small-gpt-none-2": BUNDLED["none_2_layers"],
}
_SMALL = OPTIONS["reader"]["small-gpt"]
MOST_SHIFTED = 1000  # of a model without a table of positions


@dataclass(frozen=True)
class LanguageModel:
    """A model that reads sentences: one of this machine, or a small GPT.

    name: as in the address. own: the small GPT, if it is none of RUNS.
    """

    name: str
    own: Run | None = None

    @property
    def run(self) -> TrainingSettings | None:
        """The settings of the small GPT; None for a real model."""
        return self.own.settings if self.own else RUNS.get(self.name)

    @property
    def small(self) -> Run:
        """The small GPT."""
        return self.own or cast("Run", bundled(RUNS[self.name]))  # which come with the app

    @property
    def title(self) -> str:
        """What the model is called on the screen."""
        if not self.run:
            return self.name.rpartition("/")[2]
        return translated(OPTIONS["reader"].get(self.name, self.name if self.run.text else _SMALL))

    @property
    def is_encoder(self) -> bool:
        """Whether each token sees those after it too, so that order can only come from positions."""
        return not self.run and runnable().get(self.name) == "encoder"

    @property
    def scheme(self) -> str:
        """The position scheme of its layers."""
        if self.run:
            return self.run.positions
        layout = hub_model(self.name).layout()
        return "learned" if layout.position else layout.scheme

    @property
    def can_move(self) -> bool:
        """Whether its tokens can be given other positions. ALiBi takes none, and some models have none."""
        return self.scheme not in ("alibi", "none")

    def changes(self, *others: str) -> tuple[str, ...]:
        """What can be done to its positions, of OPTIONS; as they are if nothing can. others: besides off and on."""
        if self.can_move:
            return ("off", "on", *others)
        return ("off",) if self.scheme == "none" else ("on",)

    def most_shifted(self, n_tokens: int) -> int:
        """By how many places so many tokens can be shifted."""
        if self.run:
            return self.run.context_length - n_tokens
        layout = hub_model(self.name).layout()
        return (layout.context_length or 0) - n_tokens if layout.position else MOST_SHIFTED

    def n_tokens(self, text: str) -> int:
        """How many tokens the model reads, special tokens too."""
        return len(tokenize(text, "words") if self.run else tokenize_for(text, Spec(source=self.name)))

    def texts(self, ids: Sequence[int], vocab_size: int) -> list[str]:
        """The text of each ID."""
        if self.run:
            return self.small.texts(ids)
        return TokenIds(Spec(source=self.name).tokenizer, np.arange(0), vocab_size).texts(ids)

    def unrelated(self, texts: Sequence[str]) -> str:
        """A sentence that has nothing to do with these; empty if the model can read none.

        A real model reads a sentence of the site's own, if its table of positions is long enough. A small GPT has no
        other words than its own, so that it reads some that these texts lack, as many as the longest of them has.
        """
        if self.run:
            return other_words(texts, self.small.vocabulary)
        return unrelated_to(texts, Spec(source=self.name))

    def yardstick(self, unrelated: str) -> str:
        """A sentence that says which is the unrelated one."""
        text = quoted(unrelated).replace("␣", " ")
        if self.run:
            return _(
                "The unrelated one is made of words that this model knows and the others lack: “{text}”.", text=text
            )
        return _("The unrelated one is “{text}”.", text=text)

    @property
    def let_in_by_the_mask(self) -> str:
        """What a causal mask lets in where positions are off; empty for an encoder, which has none."""
        if self.is_encoder:
            return ""
        return _(
            "The causal mask still lets order in, since a token sees only itself and those before it. After one layer "
            "it can show which tokens came before, but not in what order; two layers can tell more."
        )

    def read(
        self, text: str, change: str, shift: int = 0, swap: tuple[int, int] = (0, 0), share: float = 1.0
    ) -> Forward:
        """A text after a change of OPTIONS. Raises as `forward` does. share: how far exchanged positions have come."""
        n = self.n_tokens(text)
        sentences.check_drawn(n)
        placement = placement_of(change, n, shift, swap, share)
        if self.run:
            return next_word.forward(self.small, text, placement)
        return forward(text, Spec(source=self.name, position_scale=placement.scale), placement.whole(n))


def placement_of(change: str, n_tokens: int, shift: int, swap: tuple[int, int], share: float = 1.0) -> Placement:
    """Where the tokens stand after the change. "off" adds nothing for positions, and RoPE turns nothing."""
    return {
        "off": Placement(scale=0.0),
        "shifted": Placement(positions=tuple(range(shift, shift + n_tokens))),
        "swapped": Placement(exchanged=swap, share=share),
    }.get(change, AS_TRAINED)


@dataclass(frozen=True)
class PairOutput:
    """Sentences A and B as a model reads them, after a change each. swap: the tokens of A that exchange places."""

    a: Forward
    b: Forward
    changes: tuple[str, str]
    shift: int
    swap: tuple[int, int]

    @property
    def attentions(self) -> list[np.ndarray]:
        """The weights of all heads over A and over B, float32 (n_layers, H, T, T)."""
        return [self.a.attentions, self.b.attentions]

    @property
    def placements(self) -> list[tuple[Forward, Placement]]:
        """A and B, each with where its tokens stand."""
        found = zip((self.a, self.b), self.changes, strict=True)
        return [
            (sentence, placement_of(change, len(sentence.tokens), self.shift, self.swap)) for sentence, change in found
        ]


def read_pair(model: LanguageModel, texts: Sequence[str], change: str, shift: int = 0) -> PairOutput:
    """Both sentences after the change. Two positions are exchanged in A alone: in both, nothing would be compared."""
    change_of_b = "on" if change == "swapped" else change
    a, b = (model.read(text, change_of_b, shift) for text in texts)
    swap = exchanged(a.tokens.ids, b.tokens.ids)
    if change == "swapped":
        a = model.read(texts[0], change, shift, swap)
    return PairOutput(a, b, (change, change_of_b), shift, swap)


def rows(both: PairOutput) -> list[Rows]:
    """Both sentences to take along."""
    return [of_forward(both.a, "A"), of_forward(both.b, "B")]
