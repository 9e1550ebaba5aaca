"""Where weight tables come from, and which settings of a Spec each source decides. tables.py reads the tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from embedviz import models
from embedviz.base.checks import check_choice
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, translated
from embedviz.models.checkpoints import CHECKPOINTS, checkpoint
from embedviz.positions.registry import SCHEMES
from embedviz.text.grammar import VOCABULARY
from embedviz.text.visible import visible


@dataclass(frozen=True)
class Source:
    """What is known of a source before it is read.

    line: a marked text about the source for the reader. values: what stands in the places of the names in this text.
    """

    name: str
    line: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def about(self) -> str:
        """The line as the reader sees it."""
        return translated(self.line, **self.values)


_TRAINED = {"tokenizer": "words", "vocabulary": VOCABULARY, "output_dim": 32, "context_length": 16}

# Those that are offered. Any other model of a known family can be named besides.
SOURCES: dict[str, Source] = {
    source.name: source
    for source in (
        Source("random", N_("standard normal numbers, as PyTorch fills a new table")),
        Source(
            "trained",
            N_("the two tables of the small GPT on the page “Training”, which knows {n} words"),
            {"n": len(VOCABULARY)},
        ),
        *(
            Source(each.name, N_("those of {title}, from the Hugging Face Hub"), {"title": each.title})
            for each in CHECKPOINTS.values()
        ),
    )
}


def check_source(name: object) -> None:
    """Raise EmbedvizError for what is neither a source of this project nor the name of a model that is allowed here."""
    if isinstance(name, str) and "/" in name:
        checkpoint(name)
    else:
        check_choice("source", name, tuple(each for each in SOURCES if "/" not in each))


def is_model(name: str) -> bool:
    """True if the source is a real model, not this project's own."""
    return name not in ("random", "trained")


def is_at_hand(name: str) -> bool:
    """True if `decided` answers at once."""
    return not is_model(name) or not models.is_name(name) or models.is_at_hand(name)


def decided(name: str) -> Mapping[str, object]:
    """The fields of Spec that a source decides, with their values.

    Raises Unavailable if a model's sizes are not known and cannot be read now, and EmbedvizError for a model of a
    family that is not known.
    """
    check_source(name)
    if name == "random":
        return {}
    if name == "trained":
        return _TRAINED
    found = models.layout(name)
    fixed = {"tokenizer": checkpoint(name).tokenizer, "output_dim": found.sum_dim}
    if found.position:
        return fixed | {"context_length": found.context_length}
    return fixed | {"position": found.scheme if found.scheme in SCHEMES else "none"}


def without_row(token: str, id_: int, n_rows: int, advice: str) -> EmbedvizError:
    """The error that says that a token of the tokenizer lies beyond the model's table, and what to do then."""
    return EmbedvizError(
        "{token} (ID {id}) has no row: the table ends at {last}. {advice}",
        token=visible(token),
        id=id_,
        last=n_rows - 1,
        advice=advice,
    )


def has_positions(name: str) -> bool:
    """True if the source has a learned table of positions."""
    return "position" not in decided(name)
