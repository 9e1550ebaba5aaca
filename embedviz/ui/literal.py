"""Text from outside, shown literally."""

import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Escape `text` for Streamlit's Markdown: no directive, formula, link, image or tag survives."""
    return _PUNCTUATION.sub(r"\\\1", text)
