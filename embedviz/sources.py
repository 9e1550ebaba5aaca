"""Where weight tables come from, and what that decides of a Spec. How they are read: tables.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from embedviz.checkpoints import CHECKPOINTS, CONTEXT_LENGTH
from embedviz.grammar import VOCABULARY
from embedviz.texts import _


@dataclass(frozen=True)
class Source:
    """What there is to know of a source without reading it.

    about: a line for the reader.
    fixed: the fields of Spec that this source decides, with their values.
    uses_seed: True if another seed gives other tables.
    """

    name: str
    about: str
    fixed: Mapping[str, object] = field(default_factory=dict)
    uses_seed: bool = False


TRAINED = {"tokenizer": "words", "vocabulary": VOCABULARY, "output_dim": 32, "context_length": 16}

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source("random", _("standard normal numbers, as PyTorch fills a new table"), uses_seed=True),
        Source(
            "trained",
            _("the two tables of the small GPT on the page “Training”, which knows {n} words", n=len(VOCABULARY)),
            TRAINED,
        ),
        *(
            Source(
                checkpoint.name,
                _("those of {title}, from the Hugging Face Hub", title=checkpoint.title),
                {"tokenizer": "gpt2", "output_dim": checkpoint.output_dim, "context_length": CONTEXT_LENGTH},
            )
            for checkpoint in CHECKPOINTS.values()
        ),
    )
}
