"""The error that embedviz raises for a caller's mistake, and the error for a source that cannot be read now."""


class EmbedvizError(ValueError):
    """A value that cannot be used. The message says what was wrong and what would be right.

    A message that was translated is said anew in the language of whoever reads it, who may be another visitor.
    """

    def __str__(self) -> str:
        """The message."""
        again = getattr(self.args[0], "again", None) if self.args else None
        return again() if again else super().__str__()


class Unavailable(EmbedvizError):
    """A source that cannot be read now. Another try later may succeed.

    wait: seconds after which it makes sense to try again, if the source that refused has said so.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait
