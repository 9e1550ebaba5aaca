"""How a tokenizer's vocabulary file spells its tokens, and the bytes that a spelled token stands for."""

import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_SPACE = "▁"  # U+2581, by which SentencePiece spells a space
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_STEPS = ("normalizers", "pretokenizers", "decoders", "processors")


def byte_letters() -> tuple[str, ...]:
    """The letter that stands for each of the 256 bytes in GPT-2's vocabulary file.

    A byte whose Latin-1 character can be printed keeps it; the n-th of the others, the space among them,
    gets the character 256 + n (OpenAI's `bytes_to_unicode`).
    """
    letters, n_shifted = [], 0
    for byte in range(256):
        shifted = byte == ord(" ") or not chr(byte).isprintable()
        letters.append(chr(256 + n_shifted) if shifted else chr(byte))
        n_shifted += shifted
    return tuple(letters)


_BYTES = {letter: bytes([byte]) for byte, letter in enumerate(byte_letters())}


@dataclass(frozen=True)
class Spelling:
    """How tokens are spelled. letters: each is a byte. bytes: tokens such as `<0xF0>` are. space: its letter, or ""."""

    letters: bool
    bytes: bool
    space: str

    @property
    def has_spaces(self) -> bool:
        """Whether spaces are parts of tokens. WordPiece leaves them out."""
        return self.letters or bool(self.space)

    def piece(self, token: str) -> "builtins.bytes":
        """The bytes that a token stands for. A WordPiece such as `##ing` is kept, since it stands for no space."""
        if self.letters:
            return b"".join(_BYTES.get(letter, letter.encode()) for letter in token)
        if self.bytes and (byte := _BYTE.fullmatch(token)):
            return bytes([int(byte[1], 16)])
        return (token.replace(self.space, " ") if self.space else token).encode()


def spelling_of(sections: Mapping, has_bytes: bool) -> Spelling:
    """The spelling of a tokenizer.json with these sections. has_bytes: whether its model falls back to bytes."""
    steps = [step for name in ("normalizer", "pre_tokenizer", "decoder") for step in parts(sections.get(name))]
    return Spelling(
        letters=any(step.get("type") == "ByteLevel" for step in steps),
        bytes=has_bytes,
        space=next(filter(None, map(_space, steps)), ""),
    )


def parts(section: object) -> Iterator[dict]:
    """A section of a tokenizer.json and all the steps that it consists of."""
    if isinstance(section, dict):
        yield section
        for name in _STEPS:
            steps = section.get(name)
            for step in steps if isinstance(steps, list) else ():
                yield from parts(step)


def _space(step: Mapping) -> str:
    """The letter that a step puts in the place of a space, or takes away for one."""
    if step.get("type") == "Metaspace":
        return str(step.get("replacement", _SPACE))
    return _SPACE if step.get("type") == "Replace" and _SPACE in (step.get("content"), _pattern(step)) else ""


def _pattern(step: Mapping) -> object:
    pattern = step.get("pattern")
    return pattern.get("String") if isinstance(pattern, Mapping) else None


def piece_text(piece: bytes) -> str:
    """The text of a piece; bytes that are only part of a character show as `\\xf0`."""
    return piece.decode("utf-8", "backslashreplace")


def unused(id_: int) -> str:
    """The name of an ID that stands for no token."""
    return f"<unused {id_}>"


def is_whole(piece: bytes) -> bool:
    """Whether the bytes are whole characters."""
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True
