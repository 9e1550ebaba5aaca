"""The error that embedviz raises for a caller's mistake, and the error for a source that cannot be read now."""

import copy
from collections.abc import Callable
from typing import Any, ClassVar, Self, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., str])


def _in_english(text: str, **values: Any) -> str:
    return text.format(**values) if values else text


class EmbedvizError(ValueError):
    """A value that cannot be used. The message says what was wrong and what would be right.

    text: the message, which is marked as a text of the interface by standing here. values: what stands in the places of
    its names. The message is translated whenever it is shown, since the one who reads it may be another visitor. A
    value that is a text itself is given as a function, such as `lambda: _("Shorten the sentence.")`.

    wait: seconds after which it makes sense to try again, if the source that refused has said so. translate: puts the
    values into the text, after `i18n.py` is loaded in the reader's language. This file cannot ask for it, since it is
    the settings that say which languages there are, and settings may raise an error themselves.
    """

    translate: ClassVar[Callable[..., str]] = staticmethod(_in_english)

    def __init__(self, text: str = "", /, wait: float | None = None, **values: Any) -> None:
        super().__init__(text)
        self.wait, self.values = wait, values

    def __str__(self) -> str:
        """The message in the language that is spoken now."""
        said = {name: value() if callable(value) else value for name, value in self.values.items()}
        return self.translate(self.args[0], **said)

    def without_frames(self) -> Self:
        """A copy of this error for whoever keeps it after it was handled.

        The error itself has a traceback and causes, and these hold all that the functions they name had in their hands,
        such as the arrays of a file that was refused.
        """
        kept = copy.copy(self)  # which leaves the traceback and the causes behind
        kept.values = {
            name: value.without_frames() if isinstance(value, EmbedvizError) else value
            for name, value in self.values.items()
        }
        return kept


def translates_errors(function: _Function) -> _Function:
    """Let this function put the messages of all errors into the reader's language."""
    EmbedvizError.translate = staticmethod(function)
    return function


class SetupError(EmbedvizError):
    """Something is wrong with the server's settings, data or translations. The message is in English, as the log is."""

    __str__ = ValueError.__str__


class Unavailable(EmbedvizError):
    """A source that cannot be read now. Another try later may succeed."""
