"""What a model's config says of RoPE, read key by key: each number is checked when it is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _

_REQUIRED = object()
_LEAST, _MOST = 1e-30, 1e30  # far beyond all configs, and no product of two such numbers overflows


@dataclass(frozen=True)
class RopeConfig:
    """The dictionary `rope_scaling` or `rope_parameters` of a config, and the base for configs that keep it elsewhere.

    All methods raise EmbedvizError for a key that is missing, and for a value that is not of its kind.
    """

    given: Mapping[str, object]
    usual_base: float

    def __post_init__(self) -> None:
        if not isinstance(self.given, Mapping):
            raise EmbedvizError("scaling must be a dictionary or None, not {given}.", given=short(self.given))
        layers = [str(key) for key, value in self.given.items() if isinstance(value, Mapping)]
        if layers:
            raise EmbedvizError(
                "This holds a dictionary for each kind of layer; pass one of them: {layers}.", layers=", ".join(layers)
            )
        self.base  # noqa: B018 an impossible base is told before anything else

    @property
    def rope_type(self) -> object:
        """The name of the type; older configs call it "type", and one without either means "default"."""
        return self.given.get("rope_type", self.given.get("type", "default"))

    @property
    def base(self) -> float:
        """The base: the dictionary's own `rope_theta`, if it has one."""
        own = self.given.get("rope_theta")
        return _checked("base", self.usual_base) if own is None else _checked("rope_theta", own)

    def number(self, key: str, usual: object = _REQUIRED, *, may_be_zero: bool = False) -> float | None:
        """A positive number; `usual` stands in for one that is missing or None."""
        value = self.given.get(key)
        if value is None:
            if usual is _REQUIRED:
                raise _missing(key, self.rope_type)
            return usual
        return _checked(key, value, may_be_zero=may_be_zero)

    def numbers(self, key: str, n: int) -> list[float]:
        """A list of n positive numbers."""
        values = self.given.get(key)
        if values is None:
            raise _missing(key, self.rope_type)
        if not isinstance(values, (list, tuple)) or len(values) != n:
            raise EmbedvizError(
                "{key} must be a list of {n} numbers, one for each rotated pair, not {given}.",
                key=key,
                n=n,
                given=_("{n} numbers", n=len(values)) if isinstance(values, (list, tuple)) else short(values),
            )
        return [_checked(key, value) for value in values]

    def part(self) -> float:
        """The share of a head's dimensions that is rotated, from 0 to 1."""
        value = self.number("partial_rotary_factor", 1.0, may_be_zero=True)
        if value > 1:
            raise EmbedvizError("partial_rotary_factor must be from 0 to 1, not {value}.", value=value)
        return value

    def n_rotated(self, head_dim: int) -> int:
        """How many of a head's dimensions are rotated."""
        n = int(head_dim * self.part())
        if n < 2 or n % 2:
            raise EmbedvizError(
                "RoPE turns dimensions in pairs, and {n} rotated dimensions of {head_dim} do not make whole pairs. "
                "Take an even number, from 4 on.",
                n=n,
                head_dim=head_dim,
            )
        return n

    def trained_length(self) -> float:
        """The length of the training, which a config that was never extended gives as its maximum."""
        if self.given.get("original_max_position_embeddings") is None and "max_position_embeddings" in self.given:
            return self.number("max_position_embeddings")
        return self.number("original_max_position_embeddings")

    def factor_or_ratio(self, *, may_be_missing: bool = False) -> float:
        """The factor, or if it is None the ratio of the extended to the trained length."""
        if self.given.get("factor") is not None or ("factor" not in self.given and not may_be_missing):
            return self.number("factor")
        if self.given.get("max_position_embeddings") is None:
            raise _missing("factor", self.rope_type)
        return self.number("max_position_embeddings") / self.trained_length()


def _checked(key: str, value: object, *, may_be_zero: bool = False) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and (_LEAST <= value <= _MOST or (value == 0 and may_be_zero)):
        return value
    raise EmbedvizError("{key} must be a finite positive number, not {given}.", key=key, given=short(value))


def _missing(key: str, rope_type: object) -> EmbedvizError:
    return EmbedvizError("rope_type “{rope_type}” needs “{key}” in its dictionary.", rope_type=rope_type, key=key)
