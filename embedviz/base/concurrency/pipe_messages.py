"""Messages between two processes, through a pipe. A message is a list of byte strings, and it is never unpickled."""

import math
import select
import struct
from array import array
from collections.abc import Iterable, Sequence
from typing import BinaryIO

_MAX_PARTS = 16


def send(pipe: BinaryIO, parts: Sequence[bytes]) -> None:
    """Send a message: how many parts it has, the length of each, and the parts. Raises OSError if nobody reads."""
    pipe.write(struct.pack(f"<{len(parts) + 1}Q", len(parts), *map(len, parts)))
    for part in parts:
        pipe.write(part)
    pipe.flush()


def receive(pipe: BinaryIO, most: float = math.inf) -> list[bytes]:
    """Wait for a message of at most so many bytes. Raises EOFError if the other process ended or sent no such one."""
    (n_parts,) = struct.unpack("<Q", _exactly(pipe, 8))
    if n_parts > _MAX_PARTS:
        raise EOFError
    lengths = struct.unpack(f"<{n_parts}Q", _exactly(pipe, 8 * n_parts))
    if sum(lengths) > most:
        raise EOFError
    return [_exactly(pipe, length) for length in lengths]


def is_readable(pipe: BinaryIO, seconds: float) -> bool:
    """Whether there is something to read within this time; no where the system cannot tell, as on Windows."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _exactly(pipe: BinaryIO, length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


def packed(numbers: Iterable[int]) -> bytes:
    """Whole numbers of 32 bits as a part of a message. Raises OverflowError for larger ones."""
    return array("i", numbers).tobytes()


def numbers(part: bytes) -> list[int]:
    """The numbers of a part. Raises ValueError if its length is that of no such part."""
    found = array("i")
    found.frombytes(part)
    return found.tolist()


def join_pieces(pieces: Iterable[bytes | None]) -> list[bytes]:
    """Any number of byte strings as two parts: their lengths, which are -1 for None, and all of them in a row."""
    pieces = list(pieces)
    lengths = packed(-1 if piece is None else len(piece) for piece in pieces)
    return [lengths, b"".join(filter(None, pieces))]


def split(lengths: bytes, pieces: bytes) -> list[bytes | None]:
    """What was `joined`."""
    found, start = [], 0
    for length in numbers(lengths):
        found.append(pieces[start : start + length] if length >= 0 else None)
        start += max(length, 0)
    return found
