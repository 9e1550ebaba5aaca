"""The characters of a text that each token of a model stands for. It belongs to tokenizer_worker.py.

The library says which they are, except for three things. Where a normalizer makes one character of several, the library
names one of them. Where a model has no token for a character and leaves it out, the library takes the next character
for it. And a space that the tokenizer itself has put before a text seems to be the text's first character.
"""

import unicodedata
from collections.abc import Iterable
from itertools import accumulate, pairwise
from typing import Any

import orjson
from tokenizers import Encoding, Tokenizer, models

from embedviz.text.model_tokenizers.spelling import byte_letters, parts

Span = tuple[int, int]
_SECTIONS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
_ENDS = ("Prepend", "Strip")  # steps that change nothing but the ends of a text
_SPELLED = ("byte_fallback", "continuing_subword_prefix", "end_of_word_suffix")
_UNKNOWN = "\ufffdunknown"  # stands for any character without a token


class Coverage:
    """Finds the spans of a tokenizer's tokens. normalizer: that section of its tokenizer.json."""

    def __init__(self, tokenizer: Tokenizer, normalizer: object) -> None:
        self._tokenizer = tokenizer
        self._letters: Any = _by_letter(tokenizer) if _leaves_out(tokenizer) else None
        self._normalizer: Any = _without_ends(normalizer)

    def spans(self, text: str, encoding: Encoding, pieces: list[bytes]) -> list[Span]:
        """The spans of the tokens, in order. Tokens that share a character share its span; special ones cover none."""
        offsets = [(min(start, len(text)), min(end, len(text))) for start, end in self._offsets(text, encoding)]
        spans = _with_special(offsets, encoding.special_tokens_mask, len(text))
        return _without_own_space(pieces, self._reaching(text, spans))

    def _offsets(self, text: str, encoding: Encoding) -> list[Span]:
        """What the library says, made right where it has left characters out."""
        if not self._letters:
            return encoding.offsets
        known, _unknown = self._lettered(text)
        masked = zip(encoding.ids, encoding.special_tokens_mask, strict=True)
        sizes = [0 if special else self._n_letters(id_) for id_, special in masked]
        if sum(sizes) != len(known):  # of a strange file
            return encoding.offsets
        ends = pairwise(accumulate(sizes, initial=0))
        return [(known[start][0], known[end - 1][1]) if start < end else (0, 0) for start, end in ends]

    def dropped(self, text: str, spans: list[Span], pieces: list[bytes]) -> list[int]:
        """The places of characters removed, or without a token, though a span may reach over them. Accents are kept."""
        named = zip(spans, (piece.decode("utf-8", "ignore") for piece in pieces), strict=True)
        kept = {place for span, piece in named for place in range(*span) if text[place] in piece}
        known, unknown = self._lettered(text) if self._letters else ((), ())
        places = {place for span in unknown for place in range(*span)}
        places -= {place for span in known for place in range(*span)}
        removed = set(filter(self._is_removed, set(text)))
        return sorted(places.union(n for n, char in enumerate(text) if char in removed and n not in kept))

    def _is_removed(self, char: str) -> bool:
        is_accent = unicodedata.category(char).startswith("M")
        return self._normalizer is not None and not is_accent and not self._normalizer.normalize_str(char)

    def _lettered(self, text: str) -> tuple[list[Span], list[Span]]:
        """The spans of the letters that the model knows, and of those that it leaves out."""
        letters = self._letters.encode(text, add_special_tokens=False)
        unknown = self._letters.token_to_id(_UNKNOWN)
        found: tuple[list[Span], list[Span]] = ([], [])
        for id_, span in zip(letters.ids, letters.offsets, strict=True):
            found[id_ == unknown].append(span)
        return found

    def _n_letters(self, id_: int) -> int:
        """How many tokens `_letters` makes of what this token stands for."""
        name, model = self._tokenizer.id_to_token(id_) or "", self._tokenizer.model
        if id_ in self._tokenizer.get_added_tokens_decoder() or (model.byte_fallback and name.startswith("<0x")):
            return 1
        bare = name.removeprefix(model.continuing_subword_prefix or "")
        return len(bare.removesuffix(model.end_of_word_suffix or ""))

    def _reaching(self, text: str, spans: list[Span]) -> list[Span]:
        """Let tokens reach over the characters beside them that a normalizer has joined to theirs."""
        if self._normalizer is None:
            return spans
        stretches = sorted({span for span in spans if span[0] < span[1]})
        longer, free = {}, 0  # free: where the last token ends
        for n, (start, end) in enumerate(stretches):
            limit = stretches[n + 1][0] if n + 1 < len(stretches) else len(text)
            first, last = start, end
            while first > free and self._joins(text[first - 1], text[first:end], text[first - 1 : end]):
                first -= 1
            while last < limit and self._follows(text[start:last], text[last]):
                last += 1
            longer[start, end] = (first, last)
            free = max(free, last)
        return [longer.get(span, span) for span in spans]

    def _follows(self, before: str, char: str) -> bool:
        """Whether a character belongs to those before it: it is an accent on the last of them, or it is joined."""
        return unicodedata.category(char).startswith("M") or self._joins(before, char, before + char)

    def _joins(self, before: str, after: str, whole: str) -> bool:
        """Whether a normalizer makes something else of two parts together than of each alone."""
        if before.isspace() or after.isspace():
            return False
        made = [self._normalizer.normalize_str(part) for part in (before, after, whole)]
        return made[0] + made[1] != made[2]


def _leaves_out(tokenizer: Tokenizer) -> bool:
    """Whether the model can meet a character that it has no token for, not even bytes, and leaves out then."""
    model = tokenizer.model
    if not isinstance(model, models.BPE) or model.unk_token is not None:
        return False
    spelled = (f"<0x{byte:02X}>" for byte in range(256)) if model.byte_fallback else byte_letters()
    return any(tokenizer.token_to_id(name) is None for name in spelled)


def _by_letter(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer with a token for each letter of a normalized text, those left out too."""
    vocab = tokenizer.get_vocab(with_added_tokens=False)
    vocab[_UNKNOWN] = max(vocab.values(), default=-1) + 1
    model = tokenizer.model
    same = {name: getattr(model, name) for name in _SPELLED if getattr(model, name) is not None}
    found = Tokenizer(models.BPE(vocab, [], unk_token=_UNKNOWN, fuse_unk=False, **same))
    found.normalizer, found.pre_tokenizer = tokenizer.normalizer, tokenizer.pre_tokenizer
    # Special tokens are ordinary text here.
    found.add_tokens([token for token in tokenizer.get_added_tokens_decoder().values() if not token.special])
    return found


def _without_ends(normalizer: object) -> object:
    """A normalizer without what it puts or takes at the ends of a text; None if nothing else is done."""
    steps = [step for step in parts(normalizer) if step.get("type") not in ("Sequence", *_ENDS)]
    return empty_tokenizer({"normalizer": {"type": "Sequence", "normalizers": steps}}).normalizer if steps else None


def empty_tokenizer(sections: dict[str, Any]) -> Tokenizer:
    """The library's tokenizer with these sections of a tokenizer.json, and with an empty vocabulary."""
    return Tokenizer.from_buffer(orjson.dumps(sections | {"model": {"type": "BPE", "vocab": {}, "merges": []}}))


def _with_special(offsets: list[Span], mask: Iterable[int], length: int) -> list[Span]:
    spans: list[Span] = []
    rest = list(mask).count(0)
    for span, special in zip(offsets, mask, strict=True):
        rest -= not special
        place = (spans[-1][1] if spans else 0) if rest else length
        spans.append((place, place) if special else span)
    return spans


def _without_own_space(pieces: list[bytes], spans: list[Span]) -> list[Span]:
    """Let a token cover nothing if it is just the space that the tokenizer has put before the first word."""
    first = next((n for n, (start, end) in enumerate(spans) if start < end), len(spans))
    if first + 1 < len(spans) and pieces[first] == b" " and spans[first][0] == spans[first + 1][0]:
        return [*spans[:first], (0, 0), *spans[first + 1 :]]
    return spans


def adapted(tokenizer: Tokenizer) -> dict[str, dict]:
    """Let it neither pad nor truncate, and let a token's space count as part of it. Returns its file's sections."""
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True  # their names in a text are ordinary text
    found = {name: getattr(tokenizer, name) for name in _SECTIONS}
    sections = {name: orjson.loads(each.__getstate__()) for name, each in found.items() if each is not None}
    changed = {name: sections[name] for name in ("pre_tokenizer", "post_processor") if name in sections}
    for step in [step for section in changed.values() for step in parts(section)]:
        if "trim_offsets" in step:  # it would take the space out of the span, though it is in the token
            step["trim_offsets"] = False
    for name in changed:
        setattr(tokenizer, name, getattr(empty_tokenizer(changed), name))
    return sections
