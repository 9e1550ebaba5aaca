"""Values from a caller that must be one of some choices, a whole number within limits, or finite numbers."""

import reprlib
from collections.abc import Mapping

import numpy as np

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _

MAX_SEED = 2**32 - 1  # the largest seed that PyTorch, NumPy and scikit-learn all accept
_MOST_LETTERS = 40  # of a value that an error repeats


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise EmbedvizError unless `value` is one of `choices`, listing them."""
    if value not in choices:
        raise EmbedvizError(
            "{name} must be one of {choices}, not {given}.", name=name, choices=", ".join(choices), given=short(value)
        )


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise EmbedvizError unless `value` is an int with low <= value <= high. A bool is not an int."""
    if type(value) is not int or not low <= value <= high:
        raise EmbedvizError(
            "{name} must be a whole number from {low:,} to {high:,}, not {given}.",
            name=name,
            low=low,
            high=high,
            given=short(value),
        )


def check_number(name: str, value: object, low: float, high: float) -> None:
    """Raise EmbedvizError unless `value` is an int or a float with low <= value <= high. A bool is neither."""
    # NaN is within no bounds.
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not low <= value <= high:
        raise EmbedvizError(
            "{name} must be a number from {low:g} to {high:g}, not {given}.",
            name=name,
            low=low,
            high=high,
            given=short(value),
        )


def check_finite(values: np.ndarray) -> None:
    """Raise EmbedvizError if there is a NaN or an infinity among the values, or they became so when computed with."""
    if not np.isfinite(values).all():
        raise EmbedvizError(
            "These vectors have numbers that are not finite (NaN or infinity), or too large to compute with."
        )


def short(value: object) -> str:
    """A value as an error shows it, whatever a visitor or a file gives."""
    if isinstance(value, str):
        return repr(value if len(value) <= _MOST_LETTERS else f"{value[:_MOST_LETTERS]}…")
    if type(value) is int and abs(value) >= 10**20:  # Python refuses to write numbers of thousands of digits
        return _("a number of more than 20 digits")
    if isinstance(value, Mapping):
        return _("an object")
    return reprlib.repr(value)
