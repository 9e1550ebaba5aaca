"""The error that embedviz raises for a caller's mistake, and its kind for what cannot be had just now."""


class EmbedvizError(ValueError):
    """A value that cannot be used. The message says what was wrong and what would be right."""


class Unavailable(EmbedvizError):
    """A source that cannot be read now. Asked again later, it may.

    wait: seconds after which it makes sense to ask again, if who refused has said so.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
