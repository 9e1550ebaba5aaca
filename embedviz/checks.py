"""Values from a caller that must be one of some choices, or a whole number within limits."""

from embedviz.errors import EmbedvizError


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise EmbedvizError unless `value` is one of `choices`, listing them."""
    if value not in choices:
        raise EmbedvizError(f"{name} must be one of {', '.join(choices)}, not {value!r}.")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise EmbedvizError unless `value` is an int with low <= value <= high. A bool is not an int."""
    if type(value) is not int or not low <= value <= high:
        raise EmbedvizError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}.")
