"""The values of a config.json, each checked before it is used: such a file comes from anybody."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from embedviz.base.checks import short
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _


@dataclass(frozen=True)
class Config:
    """What config.json says, and what transformers' configuration class says where the file says nothing.

    other_names: names under which files may hold a value, each with the name in `defaults`.
    """

    values: Mapping[str, object]
    defaults: Mapping[str, object]
    other_names: Mapping[str, str]

    def value(self, key: str) -> object:
        """The value under this name, unchecked. Raises EmbedvizError if the file gives two that differ.

        Where the class takes null for a value that is not given, the default here is null, false, or an object.
        """
        names = (key, *(other for other, name in self.other_names.items() if name == key))
        found = [self.values[name] for name in names if name in self.values]
        default = self.defaults.get(key)
        if default is None or default is False or isinstance(default, Mapping):
            found = [each for each in found if each is not None]
        if any(each != found[0] for each in found[1:]):
            raise EmbedvizError("config.json gives {names} values that differ.", names=", ".join(names))
        return found[0] if found else default

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`. Raises EmbedvizError for anything else."""
        value = self.value(key)
        if type(value) is not int or not low <= value <= high:
            raise _wrong(key, lambda: _("a whole number from {low:,} to {high:,}", low=low, high=high), value)
        return value

    def flag(self, key: str) -> bool:
        """True or false. Raises EmbedvizError for anything else."""
        value = self.value(key)
        if value is not None and type(value) is not bool:
            raise _wrong(key, lambda: _("true or false"), value)
        return bool(value)

    def part(self, key: str) -> Mapping[str, object]:
        """The object under this name, empty if there is none. Raises EmbedvizError for anything else."""
        return mapping(key, self.value(key))


def positive(name: str, value: Any, high: float) -> float:
    """The value as a float, if it is a positive number that is not above `high`. Raises EmbedvizError otherwise."""
    if type(value) not in (int, float) or not 0 < value <= high:  # which is false for NaN
        raise _wrong(name, lambda: _("a number above 0 and not above {high:g}", high=high), value)
    return float(value)


def one_of(name: str, value: object, choices: tuple[str, ...]) -> str:
    """The value, if it is one of the choices. Raises EmbedvizError, which lists them, otherwise."""
    if not isinstance(value, str) or value not in choices:
        raise _wrong(name, lambda: _("one of {choices}", choices=", ".join(choices)), value)
    return value


def mapping(name: str, value: object) -> Mapping[str, object]:
    """The value, if it is an object with names; null is one that is empty. Raises EmbedvizError otherwise."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _wrong(name, lambda: _("an object with names and values"), value)
    return value


def _wrong(name: str, wanted: Callable[[], str], value: object) -> EmbedvizError:
    return EmbedvizError(
        "{name} in config.json must be {wanted}, not {given}.", name=name, wanted=wanted, given=partial(short, value)
    )
