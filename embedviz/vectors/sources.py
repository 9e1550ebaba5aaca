"""Where weight tables come from, and which settings of a Spec each source decides. tables.py reads the tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from embedviz.base.i18n import N_, translated
from embedviz.models.checkpoints import CHECKPOINTS, CONTEXT_LENGTH
from embedviz.text.grammar import VOCABULARY


@dataclass(frozen=True)
class Source:
    """Everything that is known of a source before it is read.

    line: a marked text about the source for the reader. values: what stands in the places of the names in this text.
    fixed: the fields of Spec that this source decides, with their values.
    uses_seed: True if another seed gives other tables.
    """

    name: str
    line: str
    values: Mapping[str, object] = field(default_factory=dict)
    fixed: Mapping[str, object] = field(default_factory=dict)
    uses_seed: bool = False

    @property
    def about(self) -> str:
        """The line as the reader sees it."""
        return translated(self.line, **self.values)


TRAINED = {"tokenizer": "words", "vocabulary": VOCABULARY, "output_dim": 32, "context_length": 16}

SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source("random", N_("standard normal numbers, as PyTorch fills a new table"), uses_seed=True),
        Source(
            "trained",
            N_("the two tables of the small GPT on the page “Training”, which knows {n} words"),
            {"n": len(VOCABULARY)},
            TRAINED,
        ),
        *(
            Source(
                checkpoint.name,
                N_("those of {title}, from the Hugging Face Hub"),
                {"title": checkpoint.title},
                {"tokenizer": "gpt2", "output_dim": checkpoint.output_dim, "context_length": CONTEXT_LENGTH},
            )
            for checkpoint in CHECKPOINTS.values()
        ),
    )
}
