"""Values from a caller that must be one of some choices, or a whole number within limits."""

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _

MAX_SEED = 2**32 - 1  # the largest seed that PyTorch, NumPy and scikit-learn all accept


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise EmbedvizError unless `value` is one of `choices`, listing them."""
    if value not in choices:
        raise EmbedvizError(
            _("{name} must be one of {choices}, not {given}.", name=name, choices=", ".join(choices), given=repr(value))
        )


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise EmbedvizError unless `value` is an int with low <= value <= high. A bool is not an int."""
    if type(value) is not int or not low <= value <= high:
        raise EmbedvizError(
            _(
                "{name} must be a whole number from {low:,} to {high:,}, not {given}.",
                name=name,
                low=low,
                high=high,
                given=repr(value),
            )
        )
