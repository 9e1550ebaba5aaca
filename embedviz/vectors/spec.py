"""Spec holds every setting that decides a number. A Spec and the texts determine everything on the screen."""

from dataclasses import dataclass, fields

from embedviz.base.checks import MAX_SEED, check_choice, check_number, check_whole, short
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.positions.registry import SCHEMES
from embedviz.text.tokens import check_tokenizer
from embedviz.vectors.sources import BuiltinSource, Source, source_of

MAX_OUTPUT_DIM = configured().dimensions  # by default those of Llama 3 70B, as wide as common models are
MAX_CONTEXT_LENGTH = 8192
MAX_POSITION_SCALE = 100.0


@dataclass(frozen=True)
class Spec:
    """The settings of the embedding backend: frozen, hashable, validated.

    A source other than random decides some of the settings (see sources.py). Settings that are left at their defaults,
    or that are given the source's own values, take the values of the source.

    Raises EmbedvizError for a value that is out of range, not among the choices, or not the source's.
    """

    tokenizer: str = "gpt2"
    prefix_space: bool = True  # GPT-2 gives "the" and " the" two IDs, so that order alone differs
    source: str | BuiltinSource = "random"  # Own: vectors of one's own, see brought.py
    output_dim: int = 256  # D, as in the book's GPT examples
    seed: int = 123
    position: str = "learned"
    context_length: int = 1024  # L of the learned table, GPT-2's
    position_scale: float = 1.0
    scale_embeddings: bool = False  # token vectors times sqrt(D), as in the original Transformer
    special_tokens: bool = True  # a model's own tokenizer only: [CLS] and the like, which take positions too
    lower_case: bool = False  # "words" only
    vocabulary: tuple[str, ...] = ()  # "words" only; empty: the words of the text itself

    def __post_init__(self) -> None:
        if self.origin.texts is None:
            check_tokenizer(self.tokenizer)
        self._take_from(self.origin)
        check_choice("position", self.position, tuple(SCHEMES))
        check_whole("output_dim", self.output_dim, 1, MAX_OUTPUT_DIM)
        check_whole("seed", self.seed, 0, MAX_SEED)
        check_whole("context_length", self.context_length, 1, MAX_CONTEXT_LENGTH)
        for name in ("prefix_space", "scale_embeddings", "special_tokens", "lower_case"):
            if type(value := getattr(self, name)) is not bool:
                raise EmbedvizError("{name} must be True or False, not {given}.", name=name, given=short(value))
        check_number("position_scale", self.position_scale, 0, MAX_POSITION_SCALE)
        _check_vocabulary(self.vocabulary)
        SCHEMES[self.position].check_width(self.output_dim)

    @property
    def origin(self) -> Source:
        """The source as an object, which knows and reads its tables."""
        return source_of(self.source)

    def _take_from(self, origin: Source) -> None:
        defaults = {field.name: field.default for field in fields(self)}
        for name, value in origin.decided.items():
            own = getattr(self, name)
            if name == "position" and own == "none":
                continue  # the pages compare with this, whatever the model does
            if own not in (value, defaults[name]):
                raise _does_not_fit(origin.name, name, value, own)
            object.__setattr__(self, name, value)
        if self.position == "learned" and not origin.has_positions:
            object.__setattr__(self, "position", "sinusoidal" if self.output_dim % 2 == 0 else "none")
        if "output_dim" in origin.decided and self.output_dim > MAX_OUTPUT_DIM:
            raise EmbedvizError(
                "The vectors of {source} have {n:,} dimensions; {most:,} are the most here. Take another source, such "
                "as random.",
                source=origin.name,
                n=self.output_dim,
                most=MAX_OUTPUT_DIM,
            )


def _does_not_fit(source: str, name: str, value: object, own: object) -> EmbedvizError:
    if name == "vocabulary":
        return EmbedvizError("The source {source} has a vocabulary of its own. Leave vocabulary out.", source=source)
    return EmbedvizError(
        "The source {source} has {name} {value}, not {own}. Leave {name} out, or give {given}.",
        source=source,
        name=name,
        value=value,
        own=short(own),
        given=short(value),
    )


def _check_vocabulary(value: object) -> None:
    if not isinstance(value, tuple) or not all(isinstance(word, str) for word in value):
        raise EmbedvizError("vocabulary must be a tuple of words, not {given}.", given=short(value))
    if len(set(value)) != len(value):
        raise EmbedvizError("vocabulary must not hold a word twice.")
