"""A text file that a visitor uploads."""

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured

MAX_BYTES = configured().upload_mb * 1_000_000


def read_text(data: bytes) -> str:
    """The text of a UTF-8 file, its line ends as they are.

    Raises EmbedvizError for a file that is empty, too large, binary or in another encoding.
    """
    if not data.strip():
        raise EmbedvizError(_("The file is empty. Take a text file with some words in it."))
    if len(data) > MAX_BYTES:
        raise EmbedvizError(_("The file has {n:,} bytes; the limit is {most:,}.", n=len(data), most=MAX_BYTES))
    if b"\0" in data:
        raise EmbedvizError(_("This is not a text file: it contains null bytes. Choose a plain .txt file."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EmbedvizError(
            _(
                "The file is not UTF-8: byte {start:,} cannot be read. Save it as UTF-8 and try again.",
                start=error.start,
            )
        ) from error
