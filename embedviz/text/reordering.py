"""The tokens of a sentence in another order, as a text that the tokenizer cuts into just these tokens, if it exists."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.token_ids import pieces
from embedviz.text.tokens import Tokens, tokenize
from embedviz.text.whitespace_tokens import SPACES, whitespace_tokens

Counted = Counter[tuple[str, int]]


@dataclass(frozen=True)
class Reordered:
    """A sentence in its new order, cut into tokens, and what tokens (text, id) it has lost and gained by that."""

    text: str
    tokens: Tokens
    lost: Counted
    gained: Counted


def reordered(tokens: Tokens, ids: Sequence[int], *, prefix_space: bool, lower_case: bool) -> Reordered | None:
    """Reorder the tokens as in `ids`, which holds the tokens' own IDs in another order.

    A space is part of the token that follows it, so it moves along. The result is None if no text has its bytes in
    this order, because some tokens are parts of characters. Raises ValueError if `ids` holds other IDs.
    """
    order = _places(tokens.ids, ids)
    found = None
    for text in _texts(tokens, order, prefix_space):
        if tokens.tokenizer == SPACES:
            cut = whitespace_tokens(text, tokens.vocabulary)
        else:
            cut = tokenize(text, tokens.tokenizer, prefix_space, lower_case=lower_case, vocabulary=tokens.vocabulary)
        found = Reordered(text, cut, _counts(tokens) - _counts(cut), _counts(cut) - _counts(tokens))
        if cut.ids == list(ids):
            return found
    return found  # the last text, which reads best


def _places(have: Sequence[int], ids: Sequence[int]) -> list[int]:
    """The place where each of the IDs stood. Copies of an ID keep their order."""
    places: dict[int, list[int]] = defaultdict(list)
    for place in range(len(have) - 1, -1, -1):
        places[have[place]].append(place)
    if sorted(have) != sorted(ids):
        raise ValueError("other tokens")
    return [places[id_].pop() for id_ in ids]


def _texts(tokens: Tokens, order: Sequence[int], prefix_space: bool) -> Iterator[str]:
    """Texts that may be cut into the tokens in this order, the likeliest first."""
    if tokens.tokenizer in ("words", SPACES):
        yield " ".join(tokens.text[slice(*tokens.spans[place])] for place in order)
        return
    if model := model_tokens.tokenizer_of(tokens.tokenizer):
        order = [place for place in order if not _is_added(tokens, place, model.special)]
        if not model.has_spaces:
            yield _spaced(tokens, order)
            return
        prefix_space = prefix_space or not model.prefix_means
    try:
        text = b"".join(pieces(tokens.tokenizer, [tokens.ids[place] for place in order])).decode()
    except UnicodeDecodeError:
        return
    if prefix_space and text.startswith(" "):
        yield text[1:]  # the space is added
    yield text
    yield _natural(tokens, order) if not any(tokens.partial) else text


def _is_added(tokens: Tokens, place: int, special: Collection[int]) -> bool:
    """Whether the tokenizer itself has put the token there, and will again. [UNK] stands for letters of the text."""
    start, end = tokens.spans[place]
    return tokens.ids[place] in special and start == end


def _spaced(tokens: Tokens, order: Sequence[int]) -> str:
    """The text with a space before each token, as WordPiece leaves spaces out, except before a part such as `##ing`."""
    pieces = [(tokens.texts[place].startswith("##"), tokens.text[slice(*tokens.spans[place])]) for place in order]
    return "".join(piece if goes_on else f" {piece}" for goes_on, piece in pieces).removeprefix(" ")


def _natural(tokens: Tokens, order: Sequence[int]) -> str:
    """The text as a person would write it: the former first word gets a space, and the new first word loses its own."""
    first = tokens.texts[0]
    pieces = [f" {first}" if place == 0 and first[:1].isalnum() else tokens.texts[place] for place in order]
    return "".join(pieces).removeprefix(" ")


def _counts(tokens: Tokens) -> Counted:
    return Counter(zip(tokens.texts, tokens.ids, strict=True))
