"""Which scripts put spaces between words."""

import regex

_WITHOUT_SPACES = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]")
_LETTER = regex.compile(r"\p{L}")


def has_spaces(text: str) -> bool:
    """Whether a text's script, by its first letter, puts spaces between words. Chinese, Japanese and Thai do not."""
    first = _LETTER.search(text)
    return not (first and _WITHOUT_SPACES.match(first[0]))
