"""The tokens of a sentence in another order, as a text that is cut into just these tokens, if there is one."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from embedviz.text import samples
from embedviz.text.tokens import Tokens, tokenize

Counted = Counter[tuple[str, int]]


@dataclass(frozen=True)
class Reordered:
    """text: the sentence in its new order. tokens: those it is cut into now.

    lost, gained: tokens (text, id) that it has no longer, and those that came instead; none if it has the same.
    """

    text: str
    tokens: Tokens
    lost: Counted
    gained: Counted


def reordered(tokens: Tokens, ids: Sequence[int], *, prefix_space: bool, lower_case: bool) -> Reordered | None:
    """The tokens in the order of `ids`, which are theirs in another order.

    A space is part of the token that follows it, so it moves along. None if no text has its bytes in this order, since
    they are parts of characters. Raises ValueError for other IDs than those of the tokens.
    """
    order = _places(tokens.ids, ids)
    found = None
    for text in _texts(tokens, order, prefix_space):
        cut = tokenize(text, tokens.tokenizer, prefix_space, lower_case=lower_case, vocabulary=tokens.vocabulary)
        found = Reordered(text, cut, _counts(tokens) - _counts(cut), _counts(cut) - _counts(tokens))
        if cut.ids == list(ids):
            return found
    return found  # the last, which reads best


def _places(have: Sequence[int], ids: Sequence[int]) -> list[int]:
    """Where each of the IDs stood; the copies of one keep their order."""
    places: dict[int, list[int]] = defaultdict(list)
    for place in range(len(have) - 1, -1, -1):
        places[have[place]].append(place)
    if sorted(have) != sorted(ids):
        raise ValueError("other tokens")
    return [places[id_].pop() for id_ in ids]


def _texts(tokens: Tokens, order: Sequence[int], prefix_space: bool) -> Iterator[str]:
    """Texts that may be cut into the tokens in this order, the likeliest first."""
    if tokens.tokenizer == "words":
        yield " ".join(tokens.text[slice(*tokens.spans[place])] for place in order)
        return
    encoding = samples.encoding(tokens.tokenizer)
    try:
        text = b"".join(encoding.decode_single_token_bytes(tokens.ids[place]) for place in order).decode()
    except UnicodeDecodeError:
        return
    if prefix_space and text.startswith(" "):
        yield text[1:]  # the space is added
    yield text
    yield _natural(tokens, order) if not any(tokens.partial) else text


def _natural(tokens: Tokens, order: Sequence[int]) -> str:
    """What one would write: the word that stood first without a space gets one, and the new first one loses it."""
    first = tokens.texts[0]
    pieces = [f" {first}" if place == 0 and first[:1].isalnum() else tokens.texts[place] for place in order]
    return "".join(pieces).removeprefix(" ")


def _counts(tokens: Tokens) -> Counted:
    return Counter(zip(tokens.texts, tokens.ids, strict=True))
