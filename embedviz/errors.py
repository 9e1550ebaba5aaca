"""The one error that embedviz raises, for a caller's mistake or for what cannot be had just now."""


class EmbedvizError(ValueError):
    """A value that cannot be used. The message says what was wrong and what would be right."""


class Unavailable(EmbedvizError):
    """A source that cannot be read now. Asked again later, it may.

    wait: seconds after which it makes sense to ask again, if who refused has said so.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Raise EmbedvizError unless `value` is one of `choices`, listing them."""
    if value not in choices:
        raise EmbedvizError(f"{name} must be one of {', '.join(choices)}, not {value!r}.")


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Raise EmbedvizError unless `value` is an int with low <= value <= high. A bool is not an int."""
    if type(value) is not int or not low <= value <= high:
        raise EmbedvizError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}.")
